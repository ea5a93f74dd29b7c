package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// telegram plays the Bot API without limits.
type telegram struct {
	house   *house
	private bool // people have opened their private chats

	mu      sync.Mutex
	pending []update
	last    int64         // id of the last update
	wake    chan struct{} // closed when an update comes
	sent    atomic.Int64  // id of the last message
	once    sync.Once
	ready   chan struct{} // closed when the bot polls
}

type update struct {
	id   int64
	body string
}

func newTelegram(private bool) *telegram {
	t := &telegram{private: private, wake: make(chan struct{}), ready: make(chan struct{})}
	t.sent.Store(1000)
	return t
}

// The ids of groups and people. Each room has a group and two people.
const (
	groups = 1_000_000_000_000 // -groups - i
	people = 5_000_000_000     // people + 2i + person
)

func (t *telegram) home(r *room) string { return "telegram:" + t.chat(r, 0) }

func (t *telegram) chat(r *room, place int) string {
	if place == 0 {
		return strconv.FormatInt(-groups-int64(r.index), 10)
	}
	return strconv.FormatInt(people+2*int64(r.index)+int64(place-1), 10)
}

// where returns the room and place of a chat.
func (t *telegram) where(chat string) (*room, int) {
	id, _ := strconv.ParseInt(chat, 10, 64)
	place := 0
	if id < 0 {
		id = -id - groups
	} else {
		id -= people
		place = 1 + int(id%2)
		id /= 2
	}
	if id < 0 || id >= int64(len(t.house.rooms)) {
		return nil, 0
	}
	return t.house.rooms[id], place
}

// wait waits until the bot polls.
func (t *telegram) wait(ctx context.Context) {
	select {
	case <-t.ready:
	case <-ctx.Done():
	}
}

// deliver adds an update. body begins after its id.
func (t *telegram) deliver(body string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.pending = append(t.pending, update{t.last, `{"update_id":` + strconv.FormatInt(t.last, 10) + "," + body + "}"})
	close(t.wake)
	t.wake = make(chan struct{})
}

func (t *telegram) chatJSON(r *room, place int) string {
	if place == 0 {
		return fmt.Sprintf(`{"id":%s,"type":"supergroup","title":"Room %d"}`, t.chat(r, 0), r.index)
	}
	return fmt.Sprintf(`{"id":%s,"type":"private","first_name":%q}`, t.chat(r, place), names[place-1])
}

func (t *telegram) userJSON(r *room, person int) string {
	return fmt.Sprintf(`{"id":%s,"is_bot":false,"first_name":%q,"username":"user%d_%d","language_code":"en"}`, t.chat(r, 1+person), names[person], r.index, person)
}

func (t *telegram) press(r *room, person, place int, m *message, data, id string) {
	content := `"text":"A table"`
	if m.photo {
		content = `"caption":"A table","photo":[{"file_id":"f1","file_unique_id":"u1","width":800,"height":600,"file_size":20000}]`
	}
	t.deliver(fmt.Sprintf(`"callback_query":{"id":%q,"from":%s,"message":{"message_id":%d,"from":{"id":1,"is_bot":true,"first_name":"Bot","username":"SedmaBot"},"date":%d,"chat":%s,%s},"chat_instance":"1","data":%q}`,
		id, t.userJSON(r, person), m.id, time.Now().Unix(), t.chatJSON(r, place), content, data))
}

func (t *telegram) say(r *room, person int, command string, args ...string) {
	text := strings.Join(append([]string{"/" + command}, args...), " ")
	t.deliver(fmt.Sprintf(`"message":{"message_id":%d,"from":%s,"chat":%s,"date":%d,"text":%q,"entities":[{"type":"bot_command","offset":0,"length":%d}]}`,
		t.sent.Add(1), t.userJSON(r, person), t.chatJSON(r, 0), time.Now().Unix(), text, 1+len(command)))
}

// ServeHTTP answers one call of the bot.
func (t *telegram) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	method := q.URL.Path[strings.LastIndexByte(q.URL.Path, '/')+1:]
	params, file := read(q)
	w.Header().Set("Content-Type", "application/json")
	if method == "getUpdates" {
		t.once.Do(func() { close(t.ready) })
		io.WriteString(w, t.updates(q, params))
		return
	}
	io.WriteString(w, t.call(method, params, file))
}

// updates waits for updates, and returns those that are pending.
func (t *telegram) updates(q *http.Request, p map[string]string) string {
	offset, _ := strconv.ParseInt(p["offset"], 10, 64)
	limit, _ := strconv.Atoi(p["limit"])
	if limit <= 0 {
		limit = 100
	}
	seconds, _ := strconv.Atoi(p["timeout"])
	end := time.After(time.Duration(seconds) * time.Second)
	for {
		t.mu.Lock()
		for len(t.pending) > 0 && t.pending[0].id < offset {
			t.pending = t.pending[1:]
		}
		batch, wake := t.pending[:min(limit, len(t.pending))], t.wake
		t.mu.Unlock()
		if len(batch) > 0 {
			var b strings.Builder
			b.WriteString(`{"ok":true,"result":[`)
			for i, u := range batch {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(u.body)
			}
			b.WriteString("]}")
			return b.String()
		}
		select {
		case <-wake:
		case <-end:
			return `{"ok":true,"result":[]}`
		case <-q.Context().Done():
			return `{"ok":true,"result":[]}`
		}
	}
}

const forbidden = `{"ok":false,"error_code":403,"description":"Forbidden: bot can't initiate conversation with a user"}`

// call does what a method does, and returns its answer.
func (t *telegram) call(method string, p map[string]string, file int) string {
	const done = `{"ok":true,"result":true}`
	switch method {
	case "getMe":
		return `{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"Bot","username":"SedmaBot","can_join_groups":true,"can_read_all_group_messages":false,"supports_inline_queries":false}}`
	case "getChatMember":
		return `{"ok":true,"result":{"status":"creator","is_anonymous":false,"user":{"id":` + p["user_id"] + `,"is_bot":false,"first_name":"X"}}}`
	case "getChatAdministrators", "getMyCommands":
		return `{"ok":true,"result":[]}`
	case "deleteEphemeralMessage", "editEphemeralMessageText":
		return `{"ok":false,"error_code":404,"description":"Not Found"}`
	case "answerCallbackQuery":
		return t.answered(p)
	}
	r, place := t.where(p["chat_id"])
	if r == nil {
		return done
	}
	if place > 0 && !t.private {
		return forbidden
	}
	t.note(r, place, method, p, file)
	id, _ := strconv.ParseInt(p["message_id"], 10, 64)
	switch {
	case method == "deleteMessage":
		r.drop(place, id)
		return done
	case strings.HasPrefix(method, "send") && method != "sendChatAction":
		id = t.sent.Add(1)
	case !strings.HasPrefix(method, "edit"):
		return done
	}
	m := t.read(r, place, id, method, p)
	r.show(place, m)
	var photo string
	if m.photo {
		n := t.sent.Add(1)
		photo = fmt.Sprintf(`,"photo":[{"file_id":"f%d","file_unique_id":"u%d","width":800,"height":600,"file_size":%d}]`, n, n, file)
	}
	return fmt.Sprintf(`{"ok":true,"result":{"message_id":%d,"from":{"id":1,"is_bot":true,"first_name":"Bot"},"chat":%s,"date":1%s}}`, id, t.chatJSON(r, place), photo)
}

// answered notes the answer to a press.
func (t *telegram) answered(p map[string]string) string {
	room, _, _ := strings.Cut(p["callback_query_id"], "-")
	if i, err := strconv.Atoi(room); err == nil && i < len(t.house.rooms) {
		t.house.calls.note("answerCallbackQuery", "", t.sample("answerCallbackQuery", "", p), 0)
		t.house.rooms[i].answer(p["text"])
	}
	return `{"ok":true,"result":true}`
}

// note records a call about a chat.
func (t *telegram) note(r *room, place int, method string, p map[string]string, file int) {
	where := r.place(place)
	t.house.calls.note(method, where, t.sample(method, where, p), file)
}

// sample returns a call's parameters as JSON, if the recorder wants them.
func (t *telegram) sample(method, where string, p map[string]string) json.RawMessage {
	if !t.house.calls.wants(method, where) {
		return nil
	}
	body := map[string]json.RawMessage{}
	for k, v := range p {
		switch {
		case k == "callback_query_id", k == "chat_id", k == "message_id":
		case strings.HasPrefix(v, "{"), strings.HasPrefix(v, "["), v == "true", v == "false":
			body[k] = json.RawMessage(v)
		default:
			body[k], _ = json.Marshal(v)
		}
	}
	data, _ := json.Marshal(body)
	return data
}

// read returns the message that a call leaves behind.
func (t *telegram) read(r *room, place int, id int64, method string, p map[string]string) *message {
	m := &message{id: id, text: p["text"], photo: method == "sendPhoto" || method == "editMessageMedia" || method == "editMessageCaption"}
	if p["caption"] != "" {
		m.text = p["caption"]
	}
	if p["media"] != "" {
		var media struct{ Caption string }
		_ = json.Unmarshal([]byte(p["media"]), &media)
		m.text = media.Caption
	}
	var markup struct {
		Rows [][]struct {
			Text string `json:"text"`
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	}
	if text := p["reply_markup"]; text != "" {
		_ = json.Unmarshal([]byte(text), &markup)
	}
	for _, row := range markup.Rows {
		for _, b := range row {
			m.buttons = append(m.buttons, button{b.Text, b.Data})
		}
	}
	return m
}

// read returns a request's parameters, and the bytes of its file.
func read(q *http.Request) (map[string]string, int) {
	kind := q.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "multipart/") {
		form, err := q.MultipartReader()
		if err != nil {
			return nil, 0
		}
		return readForm(form)
	}
	body, _ := io.ReadAll(q.Body)
	out := map[string]string{}
	if strings.HasPrefix(kind, "application/json") {
		var raw map[string]json.RawMessage
		_ = json.Unmarshal(body, &raw)
		for k, v := range raw {
			out[k] = plain(v)
		}
		return out, 0
	}
	values, _ := url.ParseQuery(string(body))
	for k := range values {
		out[k] = values.Get(k)
	}
	return out, 0
}

// readForm returns the fields of a form, and the bytes of its files.
func readForm(form *multipart.Reader) (map[string]string, int) {
	out, size := map[string]string{}, 0
	for {
		part, err := form.NextPart()
		if err != nil {
			return out, size
		}
		if part.FileName() != "" {
			n, _ := io.Copy(io.Discard, part)
			size += int(n)
			continue
		}
		value, _ := io.ReadAll(part)
		out[part.FormName()] = string(value)
	}
}

// plain returns a JSON value as a form would have it.
func plain(v json.RawMessage) string {
	var s string
	if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}
