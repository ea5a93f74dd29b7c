package telegram

import (
	"context"
	"encoding/json"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// inlineQuery is an InlineQuery: a person asks the bot in any chat, after a press on a button
// that shares a screen. https://core.telegram.org/bots/api#inlinequery
type inlineQuery struct {
	ID    string `json:"id"`
	From  user   `json:"from"`
	Query string `json:"query"`
}

// input converts the query to the shell's input. Telegram doesn't say in which chat the
// person is, so the input is one in their private chat.
func (q inlineQuery) input() chat.Input {
	at := chatID(q.From.ID, 0)
	return chat.Input{
		Player: q.From.player(), Chat: chat.Chat{ID: at, Home: at, Private: true, Lang: q.From.Lang},
		Command: "result", Args: map[string]string{"id": q.Query},
	}
}

// inlineResult is an InlineQueryResultCachedPhoto, or an InlineQueryResultArticle.
// https://core.telegram.org/bots/api#inlinequeryresult
type inlineResult struct {
	Type    string        `json:"type"`
	ID      string        `json:"id"`
	Photo   string        `json:"photo_file_id,omitempty"`
	Title   string        `json:"title,omitempty"`
	Caption string        `json:"caption,omitempty"`
	Mode    string        `json:"parse_mode,omitempty"`
	Message *inlineAnswer `json:"input_message_content,omitempty"`
}

// inlineAnswer is an InputTextMessageContent.
// https://core.telegram.org/bots/api#inputtextmessagecontent
type inlineAnswer struct {
	Text string `json:"message_text"`
	Mode string `json:"parse_mode"`
}

// results answers an inline query with the reply's screen, or with nothing. A picture is sent
// by its file id. If this process doesn't know one, the screen is sent as text. The answer is
// only for the person who asked: others may not see that match.
// https://core.telegram.org/bots/api#answerinlinequery
func (p *replier) results(ctx context.Context, query, name string, reply chat.Reply) {
	found := []inlineResult{}
	if reply.Screen != nil {
		if r, ok := p.outbox.inlineResult(*reply.Screen, name); ok {
			found = append(found, r)
		}
	}
	data, err := json.Marshal(found)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		_, err = p.outbox.client.call(ctx, "answerInlineQuery", tgbotapi.Params{
			"inline_query_id": query, "results": string(data), "cache_time": "0", "is_personal": "true",
		})
	}
	if err != nil {
		p.log.Info("an inline query without an answer", "err", err)
	}
}

// inlineResult returns a screen as the result of an inline query.
func (o *outbox) inlineResult(s screen.Screen, name string) (inlineResult, bool) {
	s.Rows, s.Menus, s.Places = nil, nil, nil
	short, fits := captioned(s)
	if id := o.photos.known(s.Picture); id != "" && fits {
		text, ok := markup(short, false)
		return inlineResult{Type: "photo", ID: name, Photo: id, Caption: text, Mode: "HTML"}, ok
	}
	s = s.WithoutPicture()
	text, ok := markup(s, false)
	title := ""
	for _, b := range s.Blocks {
		if title = screen.PlainText(s.Face, b.Spans); title != "" {
			break
		}
	}
	return inlineResult{Type: "article", ID: name, Title: cut(flat(title), labelLimit), Message: &inlineAnswer{text, "HTML"}}, ok
}

// AppLink returns the address that opens the Mini App for a table, or "" if groups have no button for it.
// https://core.telegram.org/bots/webapps#direct-link-mini-apps
func (a *Adapter) AppLink(table string) string {
	name := a.client.username()
	if a.outbox.app == "" || name == "" {
		return ""
	}
	return startApp(name, a.outbox.app, table)
}

// Prepare saves a screen as a message that the person can send to any chat from the Mini App, and returns its id.
// https://core.telegram.org/bots/api#savepreparedinlinemessage
func (a *Adapter) Prepare(ctx context.Context, player string, s screen.Screen) (string, error) {
	person, _, ok := parseChat(player)
	result, shown := a.outbox.inlineResult(s, "1")
	if !ok || !shown {
		return "", nil
	}
	data, err := json.Marshal(result)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	answer, err := a.client.call(ctx, "savePreparedInlineMessage", tgbotapi.Params{
		"user_id": strconv.FormatInt(person, 10), "result": string(data),
		"allow_user_chats": "true", "allow_group_chats": "true", "allow_channel_chats": "true",
	})
	if err != nil {
		return "", err
	}
	var saved struct {
		ID string `json:"id"`
	}
	return saved.ID, json.Unmarshal(answer, &saved)
}
