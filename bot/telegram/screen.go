package telegram

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
)

// The limits of a message.
const (
	textLimit    = 4096 // characters after entities; counted here in UTF-16 units, which are never fewer. https://core.telegram.org/bots/api#sendmessage
	captionLimit = 1024 // the same, for the caption of a file or picture. https://core.telegram.org/bots/api#senddocument
	dataLimit    = 64   // bytes of callback_data. https://core.telegram.org/bots/api#inlinekeyboardbutton
	payloadLimit = 64   // characters of a deep link's payload. https://core.telegram.org/bots/features#deep-linking
	toastLimit   = 200  // characters. https://core.telegram.org/bots/api#answercallbackquery
	labelLimit   = 64   // characters; the clients cut longer labels anyway
	nameLimit    = 64   // characters of a person's name
)

// Errors of screens that Telegram would never accept.
var (
	errEmpty   = errors.New("a screen without text")
	errData    = errors.New("a button's data is not 1 to 64 bytes")
	errPayload = errors.New("a link's payload is not 1 to 64 of [A-Za-z0-9_-]")
	errLabel   = errors.New("a button without a label")
)

// render converts a screen to the parameters of sendMessage and editMessageText. If
// it has a file or a picture, they are those of the methods that take a caption.
// fresh is set for a new message: only a new message mentions people.
func render(s screen.Screen, fresh bool, board keyboard) (tgbotapi.Params, error) {
	text, ok := markup(s, fresh)
	if !ok {
		return nil, errEmpty
	}
	p := tgbotapi.Params{"parse_mode": "HTML"}
	if s.File != nil || s.Picture != nil {
		p["caption"] = text
	} else {
		p["text"], p["link_preview_options"] = text, `{"is_disabled":true}`
	}
	keys, err := board.keys(slices.Concat(s.MenuRows(), s.Rows, s.Places))
	if err != nil {
		return nil, err
	}
	if len(keys) > 0 {
		data, err := json.Marshal(inlineKeyboard{keys})
		if err != nil {
			return nil, fmt.Errorf("encode keyboard: %w", err)
		}
		p["reply_markup"] = string(data)
	}
	return p, nil
}

// inlineKeyboard is an InlineKeyboardMarkup. https://core.telegram.org/bots/api#inlinekeyboardmarkup
type inlineKeyboard struct {
	Keys [][]key `json:"inline_keyboard"`
}

// key is an InlineKeyboardButton with the fields that the library's type lacks.
// https://core.telegram.org/bots/api#inlinekeyboardbutton
type key struct {
	Text  string    `json:"text"`
	URL   string    `json:"url,omitempty"`
	Data  string    `json:"callback_data,omitempty"`
	App   *webApp   `json:"web_app,omitempty"`
	Copy  *copyText `json:"copy_text,omitempty"`
	Share *chosen   `json:"switch_inline_query_chosen_chat,omitempty"`
	Style string    `json:"style,omitempty"`
	// Disabled is set if the button does nothing. Servers have it since Bot API 10.3.
	Disabled *disabledButton `json:"disabled,omitempty"`
}

// disabledButton is a DisabledButton, which has no fields. https://core.telegram.org/bots/api#disabledbutton
type disabledButton struct{}

// copyText is a CopyTextButton. https://core.telegram.org/bots/api#copytextbutton
type copyText struct {
	Text string `json:"text"`
}

// chosen is a SwitchInlineQueryChosenChat: the person chooses a chat, and asks the bot there.
// https://core.telegram.org/bots/api#switchinlinequerychosenchat
type chosen struct {
	Query    string `json:"query"`
	Users    bool   `json:"allow_user_chats"`
	Groups   bool   `json:"allow_group_chats"`
	Channels bool   `json:"allow_channel_chats"`
}

// webApp opens a page as a Mini App. It is allowed only in private chats.
// https://core.telegram.org/bots/api#webappinfo
type webApp struct {
	URL string `json:"url"`
}

var styles = map[screen.Tone]string{screen.Primary: "primary", screen.Success: "success", screen.Danger: "danger"}

// keyboard makes the buttons of a message.
type keyboard struct {
	username   string // the bot's name in links
	pages, app string // see Config
	private    bool   // the message is in a private chat
	inline     bool   // people can ask the bot in other chats
	disables   bool   // the chat takes disabled buttons
}

// keyboard returns the keyboard for a message in a chat. 0 is one that isn't known yet.
func (o *outbox) keyboard(peer int64) keyboard {
	return keyboard{o.client.username(), o.pages, o.app, peer > 0, o.client.inline(), !o.refused.has(peer, kindDisabled)}
}

// keys converts rows of buttons, and leaves out those to pages that can't be opened here. A button that is off keeps its
// place: it is disabled, or has a label in parentheses where the chat takes no disabled buttons. A press on that
// is refused with the reason.
func (board keyboard) keys(rows [][]screen.Button) ([][]key, error) {
	var out [][]key
	for _, row := range rows {
		var keys []key
		for _, b := range row {
			k := key{Text: cut(screen.Line(b.Label), labelLimit), Data: b.Press, Style: styles[b.Tone]}
			switch {
			case strings.TrimSpace(k.Text) == "":
				return nil, errLabel
			case b.Copy != "":
				link := ""
				if payload(b.Private) {
					link = deepLink(board.username, b.Private)
				}
				k.Data, k.Copy = "", &copyText{b.CopyText(link)}
			case b.Share != "" && board.inline:
				k.Data, k.Share = "", &chosen{b.Share, true, true, true}
			case b.Private != "":
				if !payload(b.Private) {
					return nil, errPayload
				}
				k.Data, k.URL = "", deepLink(board.username, b.Private)
			case b.Page != "" || b.Link != "":
				if k.URL, k.App = board.page(b); k.URL == "" && k.App == nil {
					continue
				}
			case len(b.Press) == 0 || len(b.Press) > dataLimit:
				return nil, errData
			}
			switch {
			case b.Off && board.disables:
				k = key{Text: k.Text, Disabled: &disabledButton{}}
			case b.Off:
				k.Text = "(" + k.Text + ")"
			}
			keys = append(keys, k)
		}
		if len(keys) > 0 {
			out = append(out, keys)
		}
	}
	return out, nil
}

// page returns the target of a button to a table's page: the Mini App, or a web address.
// It returns nothing if the page can't be opened here.
// https://core.telegram.org/bots/webapps#launching-mini-apps
func (board keyboard) page(b screen.Button) (address string, app *webApp) {
	switch {
	case b.Page == "":
	case board.private && board.pages != "":
		return "", &webApp{board.pages + "?start=" + b.Page}
	case !board.private && board.app != "":
		return startApp(board.username, board.app, b.Page), nil
	}
	return b.Link, nil
}

// startApp returns the address that opens a bot's Mini App.
func startApp(username, app, start string) string {
	return fmt.Sprintf("https://t.me/%s/%s?startapp=%s", username, app, start)
}

// deepLink returns a link to the private chat with the bot of that name.
// https://core.telegram.org/bots/features#deep-linking
func deepLink(username, payload string) string {
	return fmt.Sprintf("https://t.me/%s?start=%s", username, payload)
}

func payload(s string) bool {
	return s != "" && len(s) <= payloadLimit &&
		strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

// markup returns the screen's text as Telegram's HTML
// (https://core.telegram.org/bots/api#html-style), cut to the limit with every
// tag closed. It reports whether there is any text. People's
// names are plain text, but a fresh message mentions the people in s.Notify, also those whose names were cut off.
func markup(s screen.Screen, fresh bool) (string, bool) {
	limit := textLimit
	if s.File != nil || s.Picture != nil {
		limit = captionLimit
	}
	var called []screen.Person
	if fresh {
		called = s.Notify
	}
	for room := 0; ; room = roomFor(called, limit) {
		w := writer{left: limit - 1 - room} // one for the ellipsis
		calls := w.blocks(s, called)
		if room > 0 {
			w.full, w.left = false, room-1
		}
		missing := len(calls)
		w.callRest(called, calls)
		if !w.full || missing == 0 || room > 0 {
			return w.b.String(), w.visible
		}
	}
}

// roomFor returns how much of a cut text to keep free for the line that mentions people.
func roomFor(called []screen.Person, limit int) int {
	room := 1
	for _, p := range called {
		room += len(utf16.Encode([]rune(personName(p)))) + 1
	}
	return min(room, limit/2)
}

// blocks writes the screen's blocks, and mentions the people in called. It returns those whom it didn't mention.
func (w *writer) blocks(s screen.Screen, called []screen.Person) (calls map[string]bool) {
	calls = map[string]bool{}
	for _, p := range called {
		calls[p.ID] = true
	}
	for i, block := range s.Blocks {
		if i > 0 {
			w.text("\n")
		}
		opening, closing := look(block.Look)
		w.tag(opening)
		for _, span := range block.Spans {
			w.span(s.Face, span, calls)
		}
		w.tag(closing)
	}
	return calls
}

// look returns the tags around a block with that look.
func look(l screen.Look) (opening, closing string) {
	switch l {
	case screen.Title:
		return "<b>", "</b>"
	case screen.Small:
		return "<i>", "</i>"
	case screen.Quote:
		return "<blockquote>", "</blockquote>"
	case screen.Code:
		return "<pre>", "</pre>"
	case screen.Plain:
	}
	return "", ""
}

// writer writes HTML up to a number of visible UTF-16 units.
type writer struct {
	b       strings.Builder
	left    int
	full    bool
	visible bool // visible text was written
}

// tag writes markup, which takes no room.
func (w *writer) tag(s string) { w.b.WriteString(s) }

// text writes plain text, and cuts it when the limit is reached.
func (w *writer) text(s string) {
	for _, r := range s {
		if w.full {
			return
		}
		if r != '\n' && unicode.IsControl(r) {
			r = ' '
		}
		n := 1
		if r > 0xFFFF {
			n = 2
		}
		if n > w.left {
			w.full = true
			w.b.WriteString("…")
			return
		}
		w.left -= n
		w.visible = w.visible || !unicode.IsSpace(r)
		switch r {
		case '<':
			w.b.WriteString("&lt;")
		case '>':
			w.b.WriteString("&gt;")
		case '&':
			w.b.WriteString("&amp;")
		case '"':
			w.b.WriteString("&quot;")
		default:
			w.b.WriteRune(r)
		}
	}
}

// span writes a span. A person in calls becomes a mention and leaves calls.
func (w *writer) span(f face.Face, span screen.Span, calls map[string]bool) {
	switch span.Kind {
	case screen.SpanText:
		w.text(span.Text)
	case screen.SpanBold:
		w.marked("b", span.Text)
	case screen.SpanCard:
		if span.Strong {
			w.marked("b", face.Text(f, span.Card))
		} else {
			w.text(face.Text(f, span.Card))
		}
	case screen.SpanBreak:
		w.text("\n")
	case screen.SpanTime:
		w.time(span, "r")
	case screen.SpanDate:
		w.time(span, "wDt")
	case screen.SpanPerson:
		if calls[span.Person.ID] && !w.full {
			w.mention(span.Person)
			delete(calls, span.Person.ID)
		} else {
			w.text(personName(span.Person))
		}
	}
}

func (w *writer) marked(tag, text string) {
	if !w.full {
		w.tag("<" + tag + ">")
		w.text(text)
		w.tag("</" + tag + ">")
	}
}

// time writes a moment. Telegram's apps replace the text: with the format "r" by the time that
// is left, and count down; with "wDt" by the day and the time in the reader's own zone
// (https://core.telegram.org/bots/api#date-time-entity-formatting).
func (w *writer) time(span screen.Span, format string) {
	if w.full {
		return
	}
	w.tag(fmt.Sprintf(`<tg-time unix="%d" format="%s">`, span.At, format))
	w.text(span.Text)
	w.tag("</tg-time>")
}

// mention writes a name that mentions the person. If they aren't on Telegram, it
// writes only the name.
func (w *writer) mention(p screen.Person) {
	id, topic, ok := parseChat(p.ID)
	name := personName(p)
	if !ok || id < 0 || topic != 0 || w.full {
		w.text(name)
		return
	}
	w.tag(fmt.Sprintf(`<a href="tg://user?id=%d">`, id))
	w.text(name)
	w.tag("</a>")
}

// callRest mentions the people in calls, whom the screen doesn't name.
func (w *writer) callRest(people []screen.Person, calls map[string]bool) {
	separator := "\n"
	for _, p := range people {
		if calls[p.ID] {
			delete(calls, p.ID)
			w.text(separator)
			w.mention(p)
			separator = " "
		}
	}
}

// personName returns the person's name in a form that is safe within a text.
func personName(p screen.Person) string {
	return screen.Isolated(inert(cut(screen.Line(p.Name), nameLimit)))
}

// inert returns a name that Telegram doesn't turn into a mention, link or command.
// It adds an invisible word joiner after each character that could begin one.
func inert(name string) string {
	const joiner = '\u2060'
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		b.WriteRune(r)
		if strings.ContainsRune("@/#$.:", r) && i+1 < len(runes) && !unicode.IsSpace(runes[i+1]) {
			b.WriteRune(joiner)
		}
	}
	return b.String()
}

// cut shortens s to at most n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
