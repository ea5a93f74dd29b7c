package playground

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// ask sends a request to a page without a network, with headers in pairs.
func ask(p *Playground, method, path, body string, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Origin", "http://127.0.0.1:8080")
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	p.Page().ServeHTTP(w, r)
	return w.Result()
}

// A reader who opened a person's link can act as that person only.
func TestALinkIsOnePersons(t *testing.T) {
	t.Parallel()
	p, d, at := page(t)
	for _, to := range []chat.Target{{Chat: Channel}, {Player: Ann}, {Player: Ben}} {
		if _, err := p.Send(t.Context(), to, textScreen("to "+to.Chat+to.Player), ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Command(t.Context(), Cat, Channel, "/hand"); err != nil { // an answer for Cat alone
		t.Fatal(err)
	}
	ben := p.links.person[Ben]
	_, n := open(t, at, "join", ben).next()
	var seen []string
	for _, m := range n.Put {
		seen = append(seen, m.Blocks[0].Spans[0].Text)
	}
	if got := strings.Join(seen, "|"); got != "to playground:channel|to playground:ben" {
		t.Errorf("Ben's page shows %s", got)
	}

	var setup struct {
		People, Others []struct{ ID, Join string }
		Faults         *faultState
	}
	answer := ask(p, "GET", "/setup?lang=en&join="+ben, "")
	if err := json.NewDecoder(answer.Body).Decode(&setup); err != nil {
		t.Fatal(err)
	}
	if len(setup.People) != 1 || setup.People[0].ID != Ben || len(setup.Others) != len(people)-1 || setup.Faults != nil {
		t.Errorf("Ben's page is told %+v", setup)
	}
	for _, one := range append(setup.People, setup.Others...) {
		if one.Join != "" {
			t.Error("Ben is told a link")
		}
	}

	before := len(d.inputs)
	for _, c := range []struct {
		path, body string
		want       int
	}{
		{"/command", `{"person":"playground:ben","chat":"playground:channel","line":"/leaderboard","lang":"en"}`, 200},
		{"/command", `{"person":"playground:ann","chat":"playground:channel","line":"/leaderboard","lang":"en"}`, 403},
		{"/press", `{"person":"playground:ann","message":"x","press":"x","lang":"en"}`, 403},
		{"/fault", `{"closed":"playground:ann","on":true}`, 403},
		{"/fault", `{"closed":"playground:ben","on":true}`, 403},
		{"/fault", `{"slow":true}`, 403},
	} {
		if got := ask(p, "POST", c.path, c.body, "X-Join", ben).StatusCode; got != c.want {
			t.Errorf("%s %s: %d, want %d", c.path, c.body, got, c.want)
		}
	}
	if n := len(d.inputs) - before; n != 1 {
		t.Errorf("the bot got %d inputs", n)
	}
	for _, token := range []string{"x", ben + "x", ben[:5]} {
		for _, path := range []string{"/setup", "/events", "/file"} {
			if got := ask(p, "GET", path+"?join="+url.QueryEscape(token), "").StatusCode; got != 401 {
				t.Errorf("%s with a made-up token: %d", path, got)
			}
		}
	}
}

// A guest can't get the file of another person's message.
func TestALinkAndAFile(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands()})
	if err != nil {
		t.Fatal(err)
	}
	s := textScreen("a file")
	s.File = &screen.File{Name: "a-1.json", Data: []byte("{}\n")}
	a, err := p.Send(t.Context(), chat.Target{Player: Ann}, s, "")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int{Ann: 200, Ben: 404} {
		if got := ask(p, "GET", "/file?message="+url.QueryEscape(string(a))+"&join="+p.links.person[id], "").StatusCode; got != want {
			t.Errorf("%s gets Ann's file: %d", id, got)
		}
	}
}

// If other machines can reach the page, it opens only with the token in its address.
func TestOtherMachinesNeedALink(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]int{
		"127.0.0.1:8080": 200, "localhost:8080": 200, "[::1]:8080": 200, "": 200,
		"0.0.0.0:8080": 401, ":8080": 401, "192.0.2.7:8080": 401, "table.example:8080": 401,
	} {
		p := &Playground{config: Config{Listen: listen}, links: newLinks()}
		if got := ask(p, "GET", "/setup", "").StatusCode; got != want {
			t.Errorf("listening on %q, without a token: %d", listen, got)
		}
		if got := ask(p, "GET", "/setup?join="+p.links.all, "").StatusCode; got != 200 {
			t.Errorf("listening on %q, with the token: %d", listen, got)
		}
	}
	p, err := New(Config{Commands: bot.Commands(), Listen: "0.0.0.0:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.listener.Close()
	if !strings.Contains(p.URL(), "/?join="+p.links.all) {
		t.Error("the address lacks its token")
	}
}

// The bot meets a simulated fault until it is switched off.
func TestFaultsOfThePage(t *testing.T) {
	t.Parallel()
	crashes := 0
	p, err := New(Config{Commands: bot.Commands(), Crash: func() { crashes++ }})
	if err != nil {
		t.Fatal(err)
	}
	fault := func(body, want string) {
		t.Helper()
		answer := ask(p, "POST", "/fault", body)
		got, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(string(got)) != want {
			t.Errorf("%s: %d %s", body, answer.StatusCode, got)
		}
	}
	send := func(to chat.Target) (failed bool) {
		_, err := p.Send(t.Context(), to, textScreen("hello"), "")
		return err != nil
	}
	fault(`{"closed":"playground:ben","on":true}`, `{"closed":["playground:ben"],"slow":false,"crash":true}`)
	if !send(chat.Target{Player: Ben}) || send(chat.Target{Player: Ann}) {
		t.Error("Ben's direct messages, and his alone, are closed")
	}
	fault(`{"slow":true}`, `{"closed":["playground:ben"],"slow":true,"crash":true}`)
	for i := range slowSends + 1 {
		if failed := send(chat.Target{Chat: Channel}); failed != (i == slowSends) {
			t.Errorf("message %d to the slow channel: failed %v", i, failed)
		}
	}
	fault(`{"slow":false}`, `{"closed":["playground:ben"],"slow":false,"crash":true}`)
	fault(`{"closed":"playground:ben"}`, `{"closed":[],"slow":false,"crash":true}`)
	if send(chat.Target{Chat: Channel}) || send(chat.Target{Player: Ben}) {
		t.Error("what was put right goes on being wrong")
	}
	fault(`{"crash":true}`, `{"closed":[],"slow":false,"crash":true}`)
	fault(`{"closed":"playground:zed","on":true}`, `no such fault`)
	fault(`{}`, `no such fault`)
	if crashes != 1 {
		t.Errorf("%d crashes", crashes)
	}
}
