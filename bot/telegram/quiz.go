package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// A screen with a poll is sent as a quiz poll: people answer with one tap, and the app shows who was right and how many chose
// what. The server needs Bot API 9.6 for correct_option_ids, and 10.0 for the picture. If it refuses a poll, or the chat takes
// none, the rest of the screen is sent, and the next polls to that chat as well.

// pollMark is the prefix of a poll message's number in its address.
const pollMark = "q"

// pollAddress returns the address of a message with a poll.
func pollAddress(peer, message int64) chat.Address {
	return chat.Address(prefix + strconv.FormatInt(peer, 10) + ":" + pollMark + strconv.FormatInt(message, 10))
}

func isPoll(a chat.Address) bool { return strings.Contains(string(a), ":"+pollMark) }

// sendPoll sends the poll of a screen. p has the parameters of the message that don't depend on its kind.
// https://core.telegram.org/bots/api#sendpoll
func (o *outbox) sendPoll(ctx context.Context, peer int64, s screen.Screen, p tgbotapi.Params) (json.RawMessage, error) {
	keys, err := render(screen.Screen{Blocks: s.Blocks, Rows: [][]screen.Button{s.Poll.Row}, Face: s.Face}, true, o.keyboard(peer))
	if err != nil {
		return nil, invalid(err)
	}
	type option struct {
		Text string `json:"text"`
	}
	options := make([]option, len(s.Poll.Options))
	for i, text := range s.Poll.Options {
		options[i] = option{text}
	}
	list, err := json.Marshal(options)
	if err != nil {
		return nil, invalid(err)
	}
	p["question"], p["options"], p["type"] = s.Poll.Question, string(list), "quiz"
	p["correct_option_ids"], p["is_anonymous"] = "["+strconv.Itoa(s.Poll.Right)+"]", "true"
	p.AddNonEmpty("reply_markup", keys["reply_markup"])
	p.AddNonEmpty("explanation", s.Poll.Why)
	p.AddNonEmpty("description", s.Poll.About)
	if s.Picture == nil || o.refused.has(peer, kindPhoto) {
		return o.deliver(ctx, peer, "sendPoll", p)
	}
	return o.photo(ctx, *s.Picture, func(at string, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
		if at == "" {
			at = "attach://photo"
		}
		media, err := json.Marshal(map[string]string{"type": "photo", "media": at})
		if err != nil {
			return nil, invalid(err)
		}
		p["media"] = string(media)
		return o.deliver(ctx, peer, "sendPoll", p, files...)
	})
}

// refusesPoll reports whether an error means that the server or the chat takes no such poll.
func refusesPoll(err error) bool {
	var d *chat.DeliveryError
	return unknownMethod(err) || errors.As(err, &d) && (d.Fault == chat.Invalid || d.Fault == chat.Unreachable)
}
