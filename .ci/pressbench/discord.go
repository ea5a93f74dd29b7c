package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// discord plays Discord's API and gateway without limits.
type discord struct {
	house *house
	at    string       // host and port
	last  atomic.Int64 // id of the last message

	mu    sync.Mutex
	conn  *websocket.Conn
	seq   int
	ready chan struct{} // closed when the bot is on the gateway
}

func newDiscord() *discord {
	d := &discord{ready: make(chan struct{})}
	d.last.Store(6 * kinds)
	return d
}

// An id is its kind times kinds, plus 10 times the room, plus the person.
const (
	kinds    = 100_000_000_000_000_000
	app      = 1
	guilds   = 2
	channels = 3
	users    = 4
	dms      = 5
)

func (r *room) id(kind, person int) string {
	return strconv.FormatInt(int64(kind)*kinds+int64(r.index)*10+int64(person), 10)
}

// where returns the room and place of a channel.
func (d *discord) where(channel string) (*room, int) {
	id, _ := strconv.ParseInt(channel, 10, 64)
	kind, place := id/kinds, 0
	if kind == dms {
		place = 1 + int(id%10)
	}
	index := id % kinds / 10
	if kind != channels && kind != dms || index >= int64(len(d.house.rooms)) {
		return nil, 0
	}
	return d.house.rooms[index], place
}

func (d *discord) home(r *room) string { return "discord:" + r.id(guilds, 0) }

func (d *discord) wait(ctx context.Context) {
	select {
	case <-d.ready:
	case <-ctx.Done():
	}
}

// snowflake returns the id of something that happens now. https://discord.com/developers/docs/reference#snowflakes
func (d *discord) snowflake() string {
	const epoch = 1_420_070_400_000
	return strconv.FormatInt((time.Now().UnixMilli()-epoch)<<22+d.last.Add(1)%(1<<22), 10)
}

// dispatch sends an event over the gateway.
func (d *discord) dispatch(event, data string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seq++
	if d.conn != nil {
		_ = d.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"op":0,"t":%q,"s":%d,"d":%s}`, event, d.seq, data))
	}
}

// interaction sends an interaction. more has the fields of its kind.
func (d *discord) interaction(r *room, person, place int, token, more string) {
	user := fmt.Sprintf(`{"id":%q,"username":"user%d_%d","global_name":%q,"discriminator":"0","avatar":null}`, r.id(users, person), r.index, person, names[person])
	at := fmt.Sprintf(`"guild_id":%[1]q,"guild":{"id":%[1]q,"locale":"en-US","features":[]},"guild_locale":"en-US","channel_id":%[2]q,"channel":{"id":%[2]q,"type":0,"guild_id":%[1]q,"name":"room"},"context":0,"authorizing_integration_owners":{"0":%[1]q},"member":{"user":%[3]s,"roles":[],"permissions":"2147483647","joined_at":"2026-01-01T00:00:00Z","deaf":false,"mute":false,"flags":0}`,
		r.id(guilds, 0), r.id(channels, 0), user)
	if place > 0 {
		at = fmt.Sprintf(`"channel_id":%[1]q,"channel":{"id":%[1]q,"type":1},"context":1,"authorizing_integration_owners":{"0":"0"},"user":%[2]s`, r.id(dms, place-1), user)
	}
	d.dispatch("INTERACTION_CREATE", fmt.Sprintf(`{"id":%q,"application_id":"%d","token":%q,"version":1,"locale":"en-US","app_permissions":"2147483647","entitlements":[],%s,%s}`,
		d.snowflake(), app*kinds, token, at, more))
}

func (d *discord) press(r *room, person, place int, m *message, data, id string) {
	channel := r.id(channels, 0)
	if place > 0 {
		channel = r.id(dms, place-1)
	}
	d.interaction(r, person, place, "token-"+id, fmt.Sprintf(`"type":3,"data":{"custom_id":%q,"component_type":2},"message":{"id":"%d","channel_id":%q,"author":{"id":"%d","username":"sedmabot","discriminator":"0","bot":true},"content":"","timestamp":"2026-11-22T12:00:00Z","edited_timestamp":null,"tts":false,"mention_everyone":false,"mentions":[],"mention_roles":[],"attachments":[],"embeds":[],"pinned":false,"type":0,"flags":32768,"components":[]}`,
		data, m.id, channel, app*kinds))
}

func (d *discord) say(r *room, person int, command string, args ...string) {
	options := ""
	if len(args) > 0 {
		options = fmt.Sprintf(`{"name":"players","type":4,"value":%s}`, args[0])
	}
	d.interaction(r, person, 0, "token-"+pressID(r.index, 0), fmt.Sprintf(`"type":2,"data":{"id":"1","type":1,"name":"sedma","options":[{"name":%q,"type":1,"options":[%s]}]}`, command, options))
}

// ServeHTTP answers one request of the bot, or serves the gateway.
func (d *discord) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.Header.Get("Upgrade") != "" {
		d.gateway(w, q)
		return
	}
	body, file := readDiscord(q)
	path := strings.Split(strings.Trim(strings.TrimPrefix(q.URL.Path, "/api/v10"), "/"), "/")
	answer := d.route(q.Method, path, body, file)
	if answer == "" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, answer)
}

// readDiscord returns the JSON of a request, and the bytes of its files.
func readDiscord(q *http.Request) (json.RawMessage, int) {
	if strings.HasPrefix(q.Header.Get("Content-Type"), "multipart/") {
		var form *multipart.Reader
		form, err := q.MultipartReader()
		if err != nil {
			return nil, 0
		}
		fields, file := readForm(form)
		return json.RawMessage(fields["payload_json"]), file
	}
	body, _ := io.ReadAll(q.Body)
	return body, 0
}

// route does what a request asks for, and returns the answer; "" is no content.
func (d *discord) route(method string, path []string, body json.RawMessage, file int) string {
	at := func(i int) string {
		if i < len(path) {
			return path[i]
		}
		return ""
	}
	switch what := at(0); {
	case what == "gateway":
		return fmt.Sprintf(`{"url":"ws://%s/gateway/","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":14400000,"max_concurrency":1}}`, d.at)
	case what == "applications" && at(2) == "emojis":
		return `{"items":[]}`
	case what == "applications" && at(2) == "commands":
		return "[]"
	case what == "applications":
		return fmt.Sprintf(`{"id":"%d","name":"sedmabot","verify_key":"","integration_types_config":{"0":{}}}`, app*kinds)
	case what == "users" && at(2) == "channels":
		return d.open(body)
	case what == "users":
		return fmt.Sprintf(`{"id":"%d","username":"sedmabot","bot":true}`, app*kinds)
	case what == "interactions":
		d.answered(at(2), body, file)
		return ""
	case what == "webhooks":
		return d.after(method, at(2), body, file)
	case what == "channels" && at(2) == "messages":
		return d.post(method, at(1), at(3), body, file)
	}
	return "{}"
}

// open opens a private chat.
func (d *discord) open(body json.RawMessage) string {
	var who struct {
		ID string `json:"recipient_id"`
	}
	_ = json.Unmarshal(body, &who)
	id, _ := strconv.ParseInt(who.ID, 10, 64)
	return fmt.Sprintf(`{"id":"%d","type":1}`, id+(dms-users)*kinds)
}

// answered does what the answer to an interaction says.
func (d *discord) answered(token string, body json.RawMessage, file int) {
	r := d.byToken(token)
	if r == nil {
		return
	}
	var answer struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	_ = json.Unmarshal(body, &answer)
	d.note(r, "answer "+strconv.Itoa(answer.Type), "", answer.Data, file)
	text := ""
	switch answer.Type {
	case 4:
		text = readMessage(0, answer.Data).text
	case 7:
		if place, id := r.pressed(); id != 0 {
			r.show(place, readMessage(id, answer.Data))
		}
	}
	r.answer(text)
}

// byToken returns the room of an interaction.
func (d *discord) byToken(token string) *room {
	index, _, _ := strings.Cut(strings.TrimPrefix(token, "token-"), "-")
	if i, err := strconv.Atoi(index); err == nil && i < len(d.house.rooms) {
		return d.house.rooms[i]
	}
	return nil
}

// after does what a later request about an interaction asks for.
func (d *discord) after(method, token string, body json.RawMessage, file int) string {
	if r := d.byToken(token); r != nil {
		d.note(r, strings.ToLower(method)+" later", "", body, file)
	}
	if method == http.MethodDelete {
		return ""
	}
	return fmt.Sprintf(`{"id":"%d"}`, d.last.Add(1))
}

// post sends, edits or deletes a message.
func (d *discord) post(method, channel, message string, body json.RawMessage, file int) string {
	r, place := d.where(channel)
	if r == nil {
		return "{}"
	}
	id, _ := strconv.ParseInt(message, 10, 64)
	d.note(r, strings.ToLower(method), r.place(place), body, file)
	switch method {
	case http.MethodDelete:
		r.drop(place, id)
		return ""
	case http.MethodPost:
		id = d.last.Add(1)
	}
	r.show(place, readMessage(id, body))
	return fmt.Sprintf(`{"id":"%d","channel_id":%q}`, id, channel)
}

// note records a request.
func (d *discord) note(r *room, method, where string, body json.RawMessage, file int) {
	if !d.house.calls.wants(method, where) {
		body = nil
	} else if len(body) == 0 {
		body = json.RawMessage("null")
	}
	d.house.calls.note(method, where, body, file)
}

// component is a part of a message.
type component struct {
	Type       int         `json:"type"`
	Content    string      `json:"content"`
	Label      string      `json:"label"`
	ID         string      `json:"custom_id"`
	Disabled   bool        `json:"disabled"`
	Components []component `json:"components"`
}

// readMessage returns what a message shows: its texts, and the buttons that can be pressed.
func readMessage(id int64, body json.RawMessage) *message {
	var content struct {
		Content    string      `json:"content"`
		Components []component `json:"components"`
	}
	_ = json.Unmarshal(body, &content)
	m := &message{id: id, text: content.Content}
	m.add(content.Components)
	return m
}

func (m *message) add(all []component) {
	for _, c := range all {
		if c.Content != "" {
			m.text += c.Content + "\n"
		}
		if c.ID != "" && !c.Disabled {
			m.buttons = append(m.buttons, button{c.Label, c.ID})
		}
		m.add(c.Components)
	}
}

var upgrader = websocket.Upgrader{}

// gateway serves one connection.
func (d *discord) gateway(w http.ResponseWriter, q *http.Request) {
	c, err := upgrader.Upgrade(w, q, nil)
	if err != nil {
		return
	}
	defer c.Close()
	write := func(text string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		_ = c.WriteMessage(websocket.TextMessage, []byte(text))
	}
	write(`{"op":10,"d":{"heartbeat_interval":41250}}`)
	for {
		var p struct {
			Op int `json:"op"`
		}
		if c.ReadJSON(&p) != nil {
			return
		}
		switch p.Op {
		case 1:
			write(`{"op":11,"d":null}`)
		case 2:
			d.mu.Lock()
			first := d.conn == nil
			d.conn = c
			d.mu.Unlock()
			d.dispatch("READY", fmt.Sprintf(`{"v":10,"session_id":"s","resume_gateway_url":"ws://%s/gateway/","guilds":[],"application":{"id":"%d","flags":0},"user":{"id":"%d","username":"sedmabot","discriminator":"0","avatar":null,"bot":true}}`, d.at, app*kinds, app*kinds))
			if first {
				close(d.ready)
			}
		}
	}
}
