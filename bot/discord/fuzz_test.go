package discord

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gorilla/websocket"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/gateway"
)

var interactions = []string{
	`{"id":"1","application_id":"2","token":"t","type":2,"guild_id":"3","channel_id":"4","locale":"cs","channel":{"type":0,"name":"cards"},"member":{"user":{"id":"5","username":"ann"},"nick":"A","permissions":"32"},"data":{"name":"sedma","options":[{"name":"new","type":1,"options":[{"name":"players","type":4,"value":4}]}]}}`,
	`{"id":"1","application_id":"2","token":"t","type":3,"channel_id":"4","user":{"id":"5","username":"ann"},"channel":{"type":1},"message":{"id":"6","flags":64,"interaction_metadata":{"id":"7"},"components":[{"type":99}]},"data":{"custom_id":"play:k3:12:7:9h","component_type":2}}`,
	`{"id":"1","application_id":"2","token":"t","type":3,"channel_id":"4","user":{"id":"5"},"message":{"id":"6"},"data":{"custom_id":"m","values":["set:k3:a:b"]}}`,
	`{"id":"1","application_id":"2","token":"t","type":4,"channel_id":"4","user":{"id":"5"},"data":{"name":"sedma","options":[{"name":"new","type":1,"options":[{"name":"rules","type":3,"value":"x","focused":true}]}]}}`,
	`{"id":"1","application_id":"2","token":"t","type":5,"channel_id":"4","user":{"id":"5"},"message":{"id":"6"},"data":{"custom_id":"set:k3:form:house","components":[{"type":18,"component":{"type":3,"custom_id":"burn","values":["1"]}},{"type":18,"component":{"type":21,"custom_id":"tie","value":null}},{"type":18,"component":{"type":23,"custom_id":"eight","value":true}}]}}`,
	`{"id":"1","application_id":"2","token":"t","type":1}`,
	`{"id":"1","type":2}`,
	`{"id":1}`,
}

// Whatever an interaction contains, the input's ids lead back to where it came from, and
// its names fit the limits.
func FuzzInteraction(f *testing.F) {
	for _, s := range interactions {
		f.Add([]byte(s))
	}
	a, err := New(Config{Commands: bot.Commands(), Token: "x", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	p := a.intake(f.Context(), nil).replier
	f.Fuzz(func(t *testing.T, data []byte) {
		var it interaction
		if json.Unmarshal(data, &it) != nil || it.check() != nil {
			return
		}
		in, err := it.input(time.Now(), bot.Commands())
		p.reply(it, apology(in)) // an interaction that cannot be understood is answered too
		if err != nil {
			return
		}
		if in.Player.ID == prefix || in.Chat.ID == prefix || in.Answer == "" {
			t.Errorf("nobody, or nowhere: %+v", in)
		}
		if n := utf8.RuneCountInString(in.Player.Name); n == 0 || n > 64 || strings.ContainsAny(in.Player.Name, "\n\r") {
			t.Errorf("the name %q", in.Player.Name)
		}
		if (in.Command == "") == (in.Press == "") && it.pressed() {
			t.Errorf("neither a press nor a command, or both: %+v", in)
		}
	})
}

// The endpoint refuses everything without Discord's signature.
func FuzzEndpoint(f *testing.F) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		f.Fatal(err)
	}
	a := &Adapter{log: slog.New(slog.DiscardHandler), key: public, client: &client{}}
	taken := 0
	var take receiver = func(it interaction) error { taken++; it.response.end(); return nil }
	a.receiver.Store(&take)
	const old, young = "1700000000", "9000000000"
	for _, s := range interactions {
		for _, stamp := range []string{old, young} {
			f.Add(stamp, hex.EncodeToString(ed25519.Sign(private, []byte(stamp+s))), []byte(s), false)
			f.Add(stamp, "", []byte(s), true)
		}
	}
	f.Add("", strings.Repeat("0", 128), []byte(`{"type":1}`), false)
	f.Fuzz(func(t *testing.T, stamp, signature string, body []byte, sign bool) {
		if sign {
			signature = hex.EncodeToString(ed25519.Sign(private, append([]byte(stamp), body...)))
		}
		raw, err := hex.DecodeString(signature)
		real := err == nil && len(raw) == ed25519.SignatureSize && ed25519.Verify(public, append([]byte(stamp), body...), raw)
		r := httptest.NewRequest(http.MethodPost, "/interactions", bytes.NewReader(body))
		r.Header[signatureHeader], r.Header[timestampHeader] = []string{signature}, []string{stamp}
		w := httptest.NewRecorder()
		taken = 0
		a.ServeHTTP(w, r)
		switch {
		case !real && (w.Code != http.StatusUnauthorized || taken != 0):
			t.Errorf("a wrong signature is answered %d", w.Code)
		case real && stamp == young && w.Code == http.StatusUnauthorized:
			t.Error("a right signature is refused")
		case real && stamp == old && (w.Code != http.StatusUnauthorized || taken != 0):
			t.Errorf("an old signature is answered %d", w.Code)
		case real && !json.Valid(body) && taken != 0:
			t.Error("what is no interaction was taken")
		}
	})
}

// A gateway may send anything. That may end the connection, but not the bot.
func FuzzGateway(f *testing.F) {
	f.Add([]byte(`{"op":0,"t":"INTERACTION_CREATE","s":2,"d":`+interactions[1]+`}`), false)
	f.Add([]byte(`{"op":7,"d":null}`), false)
	f.Add([]byte(`{"op":9,"d":true}`), false)
	f.Add([]byte(`{"op":10,"d":{"heartbeat_interval":1}}`), false)
	f.Add([]byte(`{"op":0,"t":"READY","s":-1,"d":[]}`), false)
	f.Add([]byte(`{"op":0,"t":"MESSAGE_CREATE","s":3,"d":{"components":[{"type":99}]}}`), false)
	f.Add([]byte("x\x9c\x00"), true)
	f.Add([]byte(" null"), false)
	f.Add(packed("null"), true)
	f.Add(packed(`{"op":11}`), true)
	const mark = `{"op":0,"t":"INTERACTION_CREATE","s":%d,"d":{"id":"1","application_id":"2","token":"mark","type":1}}`
	conns := make(chan *websocket.Conn, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		_ = c.WriteMessage(websocket.TextMessage, []byte(`{"op":10,"d":{"heartbeat_interval":45000}}`))
		_, _, err = c.ReadMessage()
		_ = c.WriteMessage(websocket.TextMessage, []byte(`{"op":0,"t":"READY","s":1,"d":{"v":9,"session_id":"s","guilds":[],"user":{"id":"1"},"application":{"id":"2"}}}`))
		conns <- c
		for err == nil {
			_, _, err = c.ReadMessage()
		}
	}))
	f.Cleanup(server.Close)
	address := "ws" + strings.TrimPrefix(server.URL, "http")
	marks := make(chan struct{}, 1)
	var s *gateway.Session // kept from one input to the next, until an input ends it
	var c *websocket.Conn
	f.Fuzz(func(t *testing.T, payload []byte, binary bool) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if s == nil {
			s = gateway.New("token", nil, 0, 1, func(it interaction, err error) {
				if err = cmp.Or(err, it.check()); err == nil && it.Token == "mark" {
					marks <- struct{}{}
				} else if err == nil {
					_, _ = it.input(time.Now(), bot.Commands())
				}
			}, func(gateway.Membership) {})
			if err := s.Open(ctx, func(context.Context) (string, error) { return address, nil }); err != nil {
				t.Fatal(err)
			}
			c = <-conns
		}
		kind := websocket.TextMessage
		if binary {
			kind = websocket.BinaryMessage
		}
		_ = c.WriteMessage(kind, payload)
		_ = c.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, mark, 2))
		select {
		case <-marks:
		case <-s.Lost:
			s.Disconnect()
			s = nil
		case <-ctx.Done():
			t.Error("after that nothing is heard any more")
		}
	})
}

// Addresses are read from the store. A malformed one is refused without a request to Discord.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"discord:m/1/2", "discord:i/1/token", "discord:i/1/..%2f", "telegram:1:2", "discord:m/1/../2", "discord:i/1/a/b"} {
		f.Add(s)
	}
	var a outbox
	f.Fuzz(func(t *testing.T, s string) {
		r, err := a.at(t.Context(), chat.Address(s))
		if err != nil {
			return
		}
		parts := strings.Split(r.path, "/")
		if !(strings.HasPrefix(r.path, "/channels/") && len(parts) == 5 || strings.HasPrefix(r.path, "/webhooks/") && len(parts) == 6) {
			t.Errorf("%q leads to %s", s, r.path)
		}
	})
}

// packed compresses a message as the gateway does.
func packed(message string) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(message))
	_ = z.Close()
	return b.Bytes()
}

// If a gateway's first message is invalid, the bot disconnects, and the process survives.
func TestHelloWithoutAPace(t *testing.T) {
	t.Parallel()
	for _, hello := range []string{
		`{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-1}}`, `{"op":10,"d":{}}`, `{"op":10,"d":null}`, `{"op":10}`,
		`{"op":10,"d":{"heartbeat_interval":9223372036854775807}}`, `{"op":11}`, `{`, `[]`, `null`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
			if err != nil {
				return
			}
			_ = c.WriteMessage(websocket.TextMessage, []byte(hello))
			_ = c.WriteMessage(websocket.TextMessage, []byte(`{"op":0,"t":"READY","s":1,"d":{}}`))
			c.Close()
		}))
		s := gateway.New("token", nil, 0, 1, func(any, error) {}, nil)
		if s.Open(t.Context(), func(context.Context) (string, error) { return "ws" + strings.TrimPrefix(server.URL, "http"), nil }) == nil {
			t.Errorf("%s was taken", hello)
		}
		server.Close()
	}
}
