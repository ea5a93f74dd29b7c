package telegram

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/view"
)

// Preview is what Telegram would be sent to show a screen, by a bot named
// sedma_bot.
func Preview(s view.Screen) (bot.Preview, error) {
	a := &Adapter{}
	a.api.Store(&tgbotapi.BotAPI{Self: tgbotapi.User{UserName: "sedma_bot"}})
	params, err := a.render(s, true)
	if err != nil {
		return bot.Preview{}, fmt.Errorf("encode message: %w", err)
	}
	body := map[string]any{}
	for name, value := range params {
		if body[name] = value; strings.HasPrefix(value, "{") && json.Valid([]byte(value)) {
			body[name] = json.RawMessage(value) // an object, as the method's page has it
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return bot.Preview{}, fmt.Errorf("encode message: %w", err)
	}
	most := textLimit
	if s.File != nil {
		most = captionLimit
	}
	w := writer{left: math.MaxInt}
	for i, block := range s.Blocks {
		if i > 0 {
			w.text("\n")
		}
		for _, span := range block.Spans {
			w.span(s.Face, span, nil)
		}
	}
	label, bytes := 0, 0
	for _, row := range slices.Concat(s.MenuRows(), s.Rows, s.Places) {
		for _, b := range row {
			label, bytes = max(label, utf8.RuneCountInString(b.Label)), max(bytes, len(b.Press))
		}
	}
	return bot.Preview{Body: data, Limits: []bot.Measure{
		{Name: "characters", Have: math.MaxInt - w.left, Most: most},
		{Name: "label", Have: label, Most: labelLimit},
		{Name: "callback_data", Have: bytes, Most: dataLimit},
	}}, nil
}
