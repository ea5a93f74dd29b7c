package discordtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// quiet is a test that doesn't fail when there are problems.
type quiet struct{ testing.TB }

func (quiet) Errorf(string, ...any) {}

// send makes a request like the bot's, and returns the answer's status.
func send(t *testing.T, s *Server, method, path string, body any) int {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+"/api/v10"+path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot "+s.Token())
	r.Header.Set("User-Agent", "DiscordBot (test, 1)")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// good returns a message that Discord accepts.
func good() object {
	return object{
		"flags":            flagV2,
		"allowed_mentions": object{"parse": []any{}},
		"components":       []any{text("hello"), row(button("One", "1"))},
	}
}

func text(s string) object { return object{"type": typeText, "content": s} }
func button(label, press string) object {
	return object{"type": typeButton, "style": 1, "label": label, "custom_id": press}
}
func row(buttons ...any) object { return object{"type": typeRow, "components": buttons} }

func TestWhatDiscordRefusesIsAProblem(t *testing.T) {
	t.Parallel()
	var six, many []any
	for i := range 6 {
		six = append(six, button("x", fmt.Sprint(i)))
	}
	for range maxComponents + 1 {
		many = append(many, text("x"))
	}
	bad := map[string]any{
		"no flags":             object{"flags": 0},
		"ephemeral":            object{"flags": flagV2 | flagEphemeral},
		"content":              object{"content": "x"},
		"everybody":            object{"allowed_mentions": object{"parse": []any{"everyone"}}},
		"nobody said":          object{"allowed_mentions": nil},
		"long nonce":           object{"nonce": strings.Repeat("1", maxNonce+1), "enforce_nonce": true},
		"nonce not enforced":   object{"nonce": "1"},
		"nothing":              object{"components": []any{}},
		"too many":             object{"components": many},
		"too long":             object{"components": []any{text(strings.Repeat("x", maxText)), text("x")}},
		"empty text":           object{"components": []any{text(" ")}},
		"long label":           object{"components": []any{row(button(strings.Repeat("x", maxLabel+1), "1"))}},
		"no label":             object{"components": []any{row(button("", "1"))}},
		"long data":            object{"components": []any{row(button("x", strings.Repeat("x", maxCustomID+1)))}},
		"the same data twice":  object{"components": []any{row(button("x", "1"), button("y", "1"))}},
		"six in a row":         object{"components": []any{row(six...)}},
		"an empty row":         object{"components": []any{row()}},
		"a button without row": object{"components": []any{button("x", "1")}},
		"an empty container":   object{"components": []any{object{"type": typeContainer, "components": []any{}}}},
		"an unknown component": object{"components": []any{object{"type": 98}}},
	}
	for name, change := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(quiet{t})
			c := s.NewGuild(s.NewPerson("Ann")).NewChannel("cards")
			body := good()
			for field, v := range change.(object) {
				body[field] = v
			}
			if status := send(t, s, "POST", "/channels/"+c.ID+"/messages", body); status != 400 || len(s.Problems()) == 0 {
				t.Errorf("answered %d, problems: %v", status, s.Problems())
			}
		})
	}
	s := New(t)
	c := s.NewGuild(s.NewPerson("Ann")).NewChannel("cards")
	if status := send(t, s, "POST", "/channels/"+c.ID+"/messages", good()); status != 200 {
		t.Errorf("a good message was answered %d", status)
	}
}

func TestInteractionsAreAnsweredOnceAndInTime(t *testing.T) {
	t.Parallel()
	s := New(quiet{t})
	ann := s.NewPerson("Ann")
	c := s.NewGuild(ann).NewChannel("cards")
	send(t, s, "PUT", "/applications/"+s.app+"/commands", []any{object{"name": "sedma", "description": "x"}})
	begin := func() (*Interaction, string) {
		i := ann.Slash(c, "hand", nil)
		return i, "/interactions/" + i.id + "/" + i.token + "/callback"
	}
	problems := func(want int) {
		t.Helper()
		if got := s.Problems(); len(got) != want {
			t.Fatalf("%d problems, wanted %d: %v", len(got), want, got)
		}
	}
	i, path := begin()
	hook := "/webhooks/" + s.app + "/" + i.token
	send(t, s, "PATCH", hook+"/messages/@original", good())
	problems(1) // an edit before the first answer
	if status := send(t, s, "POST", path, object{"type": 5, "data": object{"flags": flagEphemeral}}); status != 204 {
		t.Errorf("a deferred answer was answered %d", status)
	}
	send(t, s, "POST", path, object{"type": 4, "data": good()})
	problems(2) // a second first answer
	if status := send(t, s, "PATCH", hook+"/messages/@original", good()); status != 200 {
		t.Errorf("the edit was answered %d", status)
	}
	if m, ok := i.Wait(); !ok || m.Text != "hello" || !m.Ephemeral {
		t.Errorf("it shows %v, %v", m, ok)
	}
	i.Expire()
	if status := send(t, s, "PATCH", hook+"/messages/@original", good()); status != 401 {
		t.Errorf("an edit after its time was answered %d", status)
	}
	problems(2)

	_, path = begin()
	send(t, s, "POST", path, object{"type": 5, "data": object{"flags": flagV2}})
	problems(3) // a flag that is not allowed in this answer
	send(t, s, "POST", path, object{"type": 6})
	problems(4) // an answer for a press, but nothing was pressed
	i, _ = begin()
	age(i, 2*firstAnswer)
	problems(5) // never answered
	s.Forgive()
	problems(4)

	i, path = begin()
	age(i, firstAnswer+1)
	send(t, s, "POST", path, object{"type": 4, "data": good()})
	problems(6) // answered too late, so it also counts as never answered
}

// age makes an interaction older.
func age(i *Interaction, d time.Duration) {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.created -= d
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	path := "/channels/1/messages"
	for _, test := range []struct {
		name, method, path, body, want string
	}{
		{"good", "POST", path, `{"components":[{"type":10,"content":"x"}],"flags":32768,"allowed_mentions":{"parse":[]}}`, ""},
		{"wrong type", "POST", path, `{"flags":"x"}`, "body.flags is not of type"},
		{"unknown field", "POST", path, `{"flag":1}`, "has flag, which is not described"},
		{"nested", "POST", path, `{"components":[{"type":17,"components":[{"type":1,"components":[{"type":2,"custom_id":"x"}]}]}]}`, "lacks style"},
		{"too long", "POST", path, `{"components":[{"type":10,"content":""}]}`, "less than minLength"},
		{"no body taken", "DELETE", path + "/2", `{}`, "takes no body"},
		{"the nearest path", "POST", "/users/@me/channels", `{"recipient_id":"x"}`, ""},
	} {
		got := strings.Join(schemaProblems(Call{Method: test.method, Path: test.path, Body: json.RawMessage(test.body)}), "; ")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, wanted %q", test.name, got, test.want)
		}
	}
}

// A press that didn't reach the bot in time because this machine was busy is made again. Meanwhile the server's clock stood still.
func TestALostPressIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := New(t)
	ann := s.NewPerson("Ann")
	c := s.NewGuild(ann).NewChannel("cards")
	send(t, s, "PUT", "/applications/"+s.app+"/commands", []any{object{"name": "sedma", "description": "x"}})
	i := ann.Slash(c, "hand", nil)
	first := i.id
	i.at = i.at.Add(-2 * lostAfter)
	answered := make(chan bool)
	go func() {
		_, ok := i.Wait()
		answered <- ok
	}()
	path := ""
	s.Until("another press", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		path = "/interactions/" + i.id + "/" + i.token + "/callback"
		return i.id != first
	})
	if status := send(t, s, "POST", path, object{"type": 4, "data": good()}); status != 204 || !<-answered {
		t.Errorf("the answer to it was answered %d", status)
	}
}
