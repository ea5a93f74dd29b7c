package playground

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
)

func TestOnlyThePageItselfMayAsk(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	run(t, p, handler(func(context.Context, chat.Input) chat.Reply { asked++; return chat.Reply{} }))
	good := `{"person":"playground:ann","chat":"playground:channel","line":"/new","lang":"en"}`
	for _, c := range []struct {
		name, method, path, body string
		header                   []string
		want                     int
	}{
		{"the page", "GET", "/", "", nil, 200},
		{"a link to the page", "GET", "/", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		{"its script", "GET", "/page.js", "", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"another's script", "GET", "/page.js", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"localhost", "GET", "/", "", []string{"Host", "localhost:1234"}, 200},
		{"loopback", "GET", "/", "", []string{"Host", "[::1]:8080"}, 200},
		{"a rebound name", "GET", "/", "", []string{"Host", "evil.example:8080"}, 403},
		{"a name that looks alike", "GET", "/", "", []string{"Host", "localhost.evil.example"}, 403},
		{"another address", "GET", "/", "", []string{"Host", "192.0.2.1:8080"}, 403},
		{"no host", "GET", "/", "", []string{"Host", " "}, 403},
		{"another's stream", "GET", "/events", "", []string{"Origin", "http://evil.example"}, 403},
		{"another's link to the stream", "GET", "/events", "", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 403},
		{"another's setup", "GET", "/setup", "", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"no such page", "GET", "/page.html", "", nil, 404},
		{"the files", "GET", "/page/", "", nil, 404},
		{"get for post", "GET", "/command", "", nil, 405},

		{"a command", "POST", "/command", good, []string{"Origin", "http://127.0.0.1:8080"}, 200},
		{"by another port", "POST", "/command", good, []string{"Origin", "http://127.0.0.1:8081"}, 403},
		{"by another site", "POST", "/command", good, []string{"Origin", "https://evil.example"}, 403},
		{"by a rebound name", "POST", "/command", good, []string{"Host", "evil.example", "Origin", "http://evil.example"}, 403},
		{"by nobody", "POST", "/command", good, nil, 403},
		{"by a file", "POST", "/command", good, []string{"Origin", "null"}, 403},
		{"across", "POST", "/command", good, []string{"Origin", "http://127.0.0.1:8080", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 403},
		{"a form", "POST", "/command", good, []string{"Origin", "http://127.0.0.1:8080", "Content-Type", "text/plain"}, 415},
		{"another type", "POST", "/command", good, []string{"Origin", "http://127.0.0.1:8080", "Content-Type", "application/jsonp"}, 415},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Host = "127.0.0.1:8080"
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(c.header); i += 2 {
			if c.header[i] == "Host" {
				r.Host = strings.TrimSpace(c.header[i+1])
			} else {
				r.Header.Set(c.header[i], c.header[i+1])
			}
		}
		before := asked
		w := httptest.NewRecorder()
		p.Page().ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: %d %s, want %d", c.name, w.Code, strings.TrimSpace(w.Body.String()), c.want)
		}
		if (asked > before) != (c.method == "POST" && c.want == 200) {
			t.Errorf("%s: the bot was asked %d times", c.name, asked-before)
		}
		policy := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy %q lacks %s", c.name, policy, want)
			}
		}
	}
}

func TestOtherAddressesOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ listen, known, unknown string }{
		{"127.0.0.1:8080", "127.0.0.1:8080 localhost LOCALHOST:9 127.0.0.2:80 [::1]:1", "192.0.2.7 table.example [::2] 0.0.0.0 127.0.0.1@evil.example 127.0.0.1/x"},
		{"192.0.2.7:8080", "192.0.2.7:8080 127.0.0.1", "192.0.2.8:8080 table.example"},
		{"0.0.0.0:8080", "192.0.2.7:8080 10.0.0.1 localhost", "table.example"},
		{":8080", "192.0.2.7:8080 [2001:db8::1]:80", "table.example 1.2.3.4.example"},
		{"table.example:8080", "table.example:8080 Table.Example", "www.table.example 192.0.2.7"},
		{"", "127.0.0.1:5 localhost", "192.0.2.7 table.example"},
	} {
		p := &Playground{config: Config{Listen: c.listen}}
		for host := range strings.FieldsSeq(c.known) {
			if !p.knows(host) {
				t.Errorf("listening on %q, %s is refused", c.listen, host)
			}
		}
		for host := range strings.FieldsSeq(c.unknown) {
			if p.knows(host) {
				t.Errorf("listening on %q, %s is taken", c.listen, host)
			}
		}
	}
}

func TestPostsAreStrict(t *testing.T) {
	t.Parallel()
	_, d, url := page(t)
	person := `"person":"playground:ann"`
	for body, want := range map[string]int{
		`{` + person + `,"chat":"playground:channel","line":"/leaderboard","more":1}`: 400,
		`{` + person + `,"chat":"playground:channel","line":"/leaderboard"}{}`:        400,
		`{` + person + `,"chat":"playground:channel","line":7}`:                       400,
		`["/leaderboard"]`: 400,
		``:                 400,
		`{"person":"playground:zed","chat":"playground:channel","line":"/leaderboard"}`:                          400,
		`{` + person + `,"chat":"playground:ben","line":"/leaderboard"}`:                                         400,
		`{` + person + `,"chat":"playground:channel","line":"/leaderboard` + strings.Repeat(" ", maxBody) + `"}`: 413,
	} {
		if status, got := post(t, url, "/command", body); status != want {
			t.Errorf("%.80s: %d %s, want %d", body, status, got, want)
		}
	}
	for _, press := range []string{"", strings.Repeat("x", 65)} {
		if status, got := post(t, url, "/press", `{`+person+`,"message":"playground:x/1","press":"`+press+`"}`); status != 400 {
			t.Errorf("press data of %d bytes: %d %s", len(press), status, got)
		}
	}
	if n := len(d.inputs); n != 0 {
		t.Errorf("the bot got %d inputs", n)
	}
}
