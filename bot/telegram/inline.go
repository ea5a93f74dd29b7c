package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// inlineQuery is an InlineQuery: a person asks the bot in any chat, by writing its name there or
// after a press on a button that shares a screen. https://core.telegram.org/bots/api#inlinequery
type inlineQuery struct {
	ID    string `json:"id"`
	From  user   `json:"from"`
	Query string `json:"query"`
}

// inlineChoice is a ChosenInlineResult: the person has posted a result. Telegram says so if the bot's owner has turned
// inline feedback on. https://core.telegram.org/bots/api#choseninlineresult
type inlineChoice struct {
	ID     string `json:"result_id"`
	From   user   `json:"from"`
	Inline string `json:"inline_message_id"`
}

// input converts the query to the shell's input. Telegram doesn't say in which chat the
// person is, so the input is one in their private chat.
func (q inlineQuery) input() chat.Input { return offerInput(q.From, q.Query) }

// offerInput asks the shell what a person may post in another chat.
func offerInput(who user, asked string) chat.Input {
	at := chatID(who.ID, 0)
	return chat.Input{
		Player: who.player(), Chat: chat.Chat{ID: at, Home: at, Private: true, Lang: who.Lang},
		Command: "offer", Args: map[string]string{"id": asked},
	}
}

// posted notes that a person has posted a message for the bot. Its edits wait in the turns of all messages that they have posted,
// so that nobody gets more turns by posting more.
func (o *outbox) posted(message string, by int64) {
	o.limits.Serve(inlinePeer(message), inlinePeer(strconv.FormatInt(by, 10)))
}

// inlinePlace returns the place of an inline message, or no place if its id has an unknown form.
func inlinePlace(message string, by user) chat.Chat {
	at := inlineChat(message)
	return chat.Chat{ID: at, Home: at, Single: true, Lang: by.Lang}
}

// inlineResult is an InlineQueryResultCachedPhoto, or an InlineQueryResultArticle.
// https://core.telegram.org/bots/api#inlinequeryresult
type inlineResult struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Photo   string          `json:"photo_file_id,omitempty"`
	Title   string          `json:"title,omitempty"`
	Caption string          `json:"caption,omitempty"`
	Mode    string          `json:"parse_mode,omitempty"`
	Message *inlineAnswer   `json:"input_message_content,omitempty"`
	About   string          `json:"description,omitempty"`
	Buttons *inlineKeyboard `json:"reply_markup,omitempty"`
}

// inlineAnswer is an InputTextMessageContent.
// https://core.telegram.org/bots/api#inputtextmessagecontent
type inlineAnswer struct {
	Text string `json:"message_text"`
	Mode string `json:"parse_mode"`
}

// results answers an inline query with what the reply offers. A picture is sent
// by its file id. If this process doesn't know one, the screen is sent as text. The answer is
// only for the person who asked, and isn't kept: others may not see that match, and the person may have played another
// one since.
// https://core.telegram.org/bots/api#answerinlinequery
func (p *replier) results(ctx context.Context, query string, by int64, reply chat.Reply) {
	found := []inlineResult{}
	for _, offer := range reply.Offers {
		if r, ok := p.outbox.inlineResult(offer); ok {
			found = append(found, r)
		}
	}
	data, err := json.Marshal(found)
	if err == nil {
		_, err = p.answerElsewhere(ctx, by, "answerInlineQuery", tgbotapi.Params{
			"inline_query_id": query, "results": string(data), "cache_time": "0", "is_personal": "true",
		})
	}
	if err != nil {
		p.log.Info("an inline query without an answer", "err", err)
	}
}

// answerElsewhere answers a person who asks the bot in a chat where it isn't. The call counts as a message to that person.
// It is repeated also after an answer that was lost: Telegram takes only one.
func (p *replier) answerElsewhere(work context.Context, by int64, method string, params tgbotapi.Params) (result json.RawMessage, err error) {
	err = p.patiently(work, chat.Target{Player: chatID(by, 0)}, nil, func() error {
		result, err = p.outbox.deliver(work, by, method, params)
		var d *chat.DeliveryError
		if errors.As(err, &d) && d.Fault == chat.Retry {
			d.After = max(d.After, time.Second)
		}
		return err
	})
	return result, err
}

// inlineResult returns an offer as the result of an inline query.
func (o *outbox) inlineResult(offer chat.Offer) (inlineResult, bool) {
	s := offer.Screen
	r := inlineResult{ID: offer.ID, Title: cut(screen.Line(offer.Title), labelLimit)}
	keys, err := o.keyboard(0).keys(s.Rows)
	if err != nil {
		return r, false
	}
	if len(keys) > 0 {
		r.Buttons = &inlineKeyboard{keys}
	}
	first := ""
	for _, b := range s.Blocks {
		if first = cut(screen.Line(screen.PlainText(s.Face, b.Spans)), labelLimit); first != "" {
			break
		}
	}
	if r.Title != "" {
		r.About = first
	}
	s.Rows, s.Menus, s.Places = nil, nil, nil
	short, fits := captioned(s)
	ok := false
	if id := o.photos.known(s.Picture); id != "" && fits {
		r.Type, r.Photo, r.Mode = "photo", id, "HTML"
		r.Caption, ok = markup(short, false)
		return r, ok
	}
	r.Type, r.Message, r.Title = "article", &inlineAnswer{Mode: "HTML"}, cmp.Or(r.Title, first)
	r.Message.Text, ok = markup(s.WithoutPicture(), false)
	return r, ok
}

// oldPictureFor is how long an inline message that has a picture gets none, after its address was refused.
const oldPictureFor = time.Minute

// editInline makes an inline message show s. Its picture can't be uploaded. So Telegram loads it from an address, or the
// message shows words. Where it once had a picture, they are the caption.
// https://core.telegram.org/bots/api#editmessagemedia
func (o *outbox) editInline(ctx context.Context, message string, s screen.Screen) error {
	peer, call := inlinePeer(message), o.deliver
	edit := func(method string, s screen.Screen, at string) error {
		p, err := render(s, false, o.keyboard(peer))
		if err == nil && at != "" {
			p, err = asPhoto(p, at)
		}
		if err != nil {
			return invalid(err)
		}
		p["inline_message_id"] = message
		_, err = call(ctx, peer, method, p)
		call = o.attempt // the limits have counted this edit
		if refusedWith(err, "message is not modified") {
			return nil
		}
		return err
	}
	lost := false
	if short, fits := captioned(s); o.picture != nil && s.Picture != nil && fits && !o.refused.has(peer, kindPhoto) {
		at, err := o.picture(ctx, s.Picture.Draw)
		if err != nil {
			return &chat.DeliveryError{Fault: chat.Retry, Err: err}
		}
		err = edit("editMessageMedia", short, at)
		if !refusesAddress(err) {
			return err
		}
		lost = true
		o.refused.note(peer, kindPhoto, textOnlyFor)
		o.log.Info("telegram doesn't load a picture from web.url, and a chat gets words", "err", err)
	}
	s = s.WithoutPicture()
	err := edit("editMessageText", s, "")
	if !refusedWith(err, "there is no text in the message to edit") {
		return err
	}
	if lost { // an older picture stays: the next one is tried soon
		o.refused.note(peer, kindPhoto, oldPictureFor)
	}
	s.Picture = &screen.Picture{} // the text is a caption
	s, _ = captioned(s)
	return edit("editMessageCaption", s, "")
}

// refusesAddress reports whether an edit failed because of the address of its picture. If that address doesn't answer, Telegram
// doesn't answer in time.
func refusesAddress(err error) bool {
	var d *chat.DeliveryError
	return refusesPicture(err) || errors.As(err, &d) && (d.Fault == chat.Invalid || errors.Is(err, context.DeadlineExceeded))
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
	result, shown := a.outbox.inlineResult(chat.Offer{ID: "1", Screen: s})
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
