package telegram

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// Preview returns the request that a bot named sedma_bot would send to Telegram to
// show a screen.
func Preview(s screen.Screen) (chat.Preview, error) {
	if short, fits := captioned(s); fits {
		s = short
	} else {
		s = s.WithoutPicture()
	}
	params, err := render(s, true, keyboard{username: "sedma_bot", private: true, disables: true})
	if err != nil {
		return chat.Preview{}, fmt.Errorf("encode message: %w", err)
	}
	body := map[string]any{}
	if s.Picture != nil {
		body["photo"] = "attach://" + s.Picture.Name() + ".png"
	}
	for name, value := range params {
		if body[name] = value; strings.HasPrefix(value, "{") && json.Valid([]byte(value)) {
			body[name] = json.RawMessage(value) // an object, as in the method's documentation
		}
	}
	data, err := json.Marshal(body)
	if err != nil {
		return chat.Preview{}, fmt.Errorf("encode message: %w", err)
	}
	most := textLimit
	if s.File != nil || s.Picture != nil {
		most = captionLimit
	}
	label, bytes := 0, 0
	for _, row := range slices.Concat(s.MenuRows(), s.Rows, s.Places) {
		for _, b := range row {
			label, bytes = max(label, utf8.RuneCountInString(b.Label)), max(bytes, len(b.Press))
		}
	}
	return chat.Preview{Body: data, Limits: []chat.Measure{
		{Name: "characters", Have: length(s), Most: most},
		{Name: "label", Have: label, Most: labelLimit},
		{Name: "callback_data", Have: bytes, Most: dataLimit},
	}}, nil
}
