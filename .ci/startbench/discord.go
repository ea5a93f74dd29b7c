package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// discord plays Discord's API and gateway. It delivers presses from READY on.
type discord struct {
	record
	ready    string          // the list of servers in READY
	conn     *websocket.Conn // the gateway; nil: none
	seq      int
	pending  []func() // presses that wait for READY
	commands json.RawMessage
	sent     int
}

func newDiscord(delay time.Duration, tables int) *discord {
	var list []string
	for i := 0; i < tables; i += perGuild {
		list = append(list, fmt.Sprintf(`{"id":%q,"unavailable":true}`, discordID(guilds, i)))
	}
	return &discord{record: newRecord(delay), ready: "[" + strings.Join(list, ",") + "]", commands: json.RawMessage("[]")}
}

// An id is its kind times kinds, plus a number. perGuild tables are in one server.
const (
	kinds    = 100_000_000_000_000_000
	app      = 1
	guilds   = 2
	channels = 3
	users    = 4
	messages = 5
	perGuild = 5
)

func discordID(kind, i int) string {
	if kind == guilds {
		i /= perGuild
	}
	return strconv.Itoa(kind*kinds + i)
}

func (d *discord) play(table int, other string) string {
	return d.playIn(discordID(channels, table), other)
}

func (d *discord) press(table, who int, data string) chan time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	id, answered := d.wait()
	press := func() {
		const epoch = 1_420_070_400_000
		snowflake := (time.Now().UnixMilli()-epoch)<<22 + int64(d.last)
		d.dispatch("INTERACTION_CREATE", fmt.Sprintf(`{"id":"%d","application_id":%q,"token":%q,"version":1,"locale":"en-US","app_permissions":"2147483647","entitlements":[],"guild_id":%[4]q,"guild_locale":"en-US","channel_id":%[5]q,"channel":{"id":%[5]q,"type":0,"guild_id":%[4]q,"name":"room"},"context":0,"authorizing_integration_owners":{"0":%[4]q},"member":{"user":{"id":%[6]q,"username":"ann","global_name":"Ann"},"permissions":"2147483647"},"type":3,"data":{"custom_id":%[7]q,"component_type":2},"message":{"id":%[8]q,"flags":32768}}`,
			snowflake, strconv.Itoa(app*kinds), id, discordID(guilds, table), discordID(channels, table), discordID(users, who), data, discordID(messages, table)))
	}
	if d.conn == nil {
		d.pending = append(d.pending, press)
	} else {
		press()
	}
	return answered
}

// dispatch sends an event over the gateway. The caller holds d.mu.
func (d *discord) dispatch(event, data string) {
	d.seq++
	_ = d.conn.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"op":0,"t":%q,"s":%d,"d":%s}`, event, d.seq, data))
}

func (d *discord) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.Header.Get("Upgrade") != "" {
		d.gateway(w, q)
		return
	}
	time.Sleep(d.delay)
	body := content(q)
	path := strings.Split(strings.Trim(strings.TrimPrefix(q.URL.Path, "/api/v10"), "/"), "/")
	status, answer := d.route(q, append(path, "", "", ""), body, time.Now())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, answer)
}

// content returns the JSON of a request.
func content(q *http.Request) []byte {
	kind, params, _ := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		body, _ := io.ReadAll(q.Body)
		return body
	}
	form, out := multipart.NewReader(q.Body, params["boundary"]), []byte(nil)
	for {
		part, err := form.NextPart()
		if err != nil {
			return out
		}
		data, _ := io.ReadAll(part)
		if part.FormName() == "payload_json" {
			out = data
		}
	}
}

// route returns the answer to a request.
func (d *discord) route(q *http.Request, path []string, body []byte, at time.Time) (status int, answer string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, at)
	switch {
	case path[0] == "gateway":
		return http.StatusOK, fmt.Sprintf(`{"url":"ws://%s/gateway/","shards":1,"session_start_limit":{"total":1000,"remaining":999,"reset_after":14400000,"max_concurrency":1}}`, q.Host)
	case path[0] == "applications" && path[2] == "emojis":
		return http.StatusOK, `{"items":[]}`
	case path[0] == "applications" && path[2] == "commands":
		if q.Method == http.MethodPut {
			d.commands = bytes.Clone(body)
		}
		return http.StatusOK, string(d.commands)
	case path[0] == "applications":
		return http.StatusOK, fmt.Sprintf(`{"id":"%d","name":"sedmabot","verify_key":"","bot_public":true,"integration_types_config":{"0":{}}}`, app*kinds)
	case path[0] == "users" && path[2] == "channels":
		return http.StatusForbidden, `{"code":50007,"message":"Cannot send messages to this user"}`
	case path[0] == "users":
		return http.StatusOK, fmt.Sprintf(`{"id":"%d","username":"sedmabot","bot":true}`, app*kinds)
	case path[0] == "interactions":
		d.answer(path[2], at)
		return http.StatusNoContent, ""
	case path[0] == "channels" && path[2] == "messages" && q.Method != http.MethodDelete:
		d.show(path[1], string(body), `"custom_id":"place:`)
		d.sent++
		return http.StatusOK, fmt.Sprintf(`{"id":"%d","channel_id":%q}`, 6*kinds+d.sent, path[1])
	}
	return http.StatusOK, `{"id":"1"}`
}

// gateway serves one connection.
func (d *discord) gateway(w http.ResponseWriter, q *http.Request) {
	c, err := new(websocket.Upgrader).Upgrade(w, q, nil)
	if err != nil {
		return
	}
	write := func(text string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		_ = c.WriteMessage(websocket.TextMessage, []byte(text))
	}
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		c.Close()
		d.conn = nil
	}()
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
			d.conn, d.listened = c, time.Now()
			d.dispatch("READY", fmt.Sprintf(`{"v":10,"session_id":"s","resume_gateway_url":"ws://%s/gateway/","guilds":%s,"application":{"id":"%d","flags":0},"user":{"id":"%[3]d","username":"sedmabot","discriminator":"0","avatar":null,"bot":true}}`, q.Host, d.ready, app*kinds))
			for _, press := range d.pending {
				press()
			}
			d.pending = nil
			d.mu.Unlock()
		}
	}
}
