package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// bare is a bot that does nothing but answer each press and edit the message, with the library that the bot uses on
// Telegram, as it comes (its HTTP client keeps two connections). The environment has the server's address and the plan.
func bare() error {
	api, err := tgbotapi.NewBotAPIWithAPIEndpoint("1:AAx", os.Getenv("API")+"/bot%s/%s")
	if err != nil {
		return err
	}
	plan, err := readPlan()
	if err != nil {
		return err
	}
	answer, edit := tgbotapi.Params{}, tgbotapi.Params{}
	for _, p := range plan {
		switch p.Method + p.Where {
		case "answerCallbackQuery":
			answer = p.params()
		case "editMessageTextchannel":
			edit = p.params()
		}
	}
	config := tgbotapi.NewUpdate(0)
	config.Timeout = 30
	for {
		updates, err := api.GetUpdates(config)
		if err != nil {
			return err
		}
		for _, u := range updates {
			config.Offset = u.UpdateID + 1
			if u.CallbackQuery != nil {
				go twoCalls(api, u.CallbackQuery, answer, edit)
			}
		}
	}
}

// twoCalls answers a press and edits its message.
func twoCalls(api *tgbotapi.BotAPI, q *tgbotapi.CallbackQuery, answer, edit tgbotapi.Params) {
	with := func(p tgbotapi.Params, more ...string) tgbotapi.Params {
		out := tgbotapi.Params{}
		for k, v := range p {
			out[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	if _, err := api.MakeRequest("answerCallbackQuery", with(answer, "callback_query_id", q.ID)); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	edit = with(edit, "chat_id", strconv.FormatInt(q.Message.Chat.ID, 10), "message_id", strconv.Itoa(q.Message.MessageID))
	if _, err := api.MakeRequest("editMessageText", edit); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// params returns the planned parameters in the form in which the library sends them.
func (p planned) params() tgbotapi.Params {
	var raw map[string]json.RawMessage
	_ = json.Unmarshal(p.Body, &raw)
	out := tgbotapi.Params{}
	for k, v := range raw {
		out[k] = plain(v)
	}
	return out
}

// readPlan reads the plan of a peer.
func readPlan() ([]planned, error) {
	data, err := os.ReadFile(os.Getenv("PLAN"))
	if err != nil {
		return nil, err
	}
	var plan []planned
	return plan, json.Unmarshal(data, &plan)
}
