package playground

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"image/png"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sedmabot/bot"
	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

func TestMain(m *testing.M) {
	clocktest.AtOnce(4)
	goleak.VerifyTestMain(browser.Tests{M: m})
}

// page is a demo with its page served on an address of this machine.
func page(t *testing.T) (p *Playground, d *demo, url string) {
	t.Helper()
	p, d = start(t, Config{Listen: "127.0.0.1:0", Looks: []Look{{"telegram", bubble}}, Steps: steps})
	return p, d, p.URL()
}

// bubble is a look whose limit every screen exceeds.
func bubble(s screen.Screen) (chat.Preview, error) {
	if len(s.Blocks) == 0 {
		return chat.Preview{}, errors.New("a screen without text")
	}
	keys := [][]map[string]string{}
	for _, row := range s.Rows {
		var made []map[string]string
		for _, b := range row {
			made = append(made, map[string]string{"text": b.Label, "callback_data": b.Press})
		}
		keys = append(keys, made)
	}
	body, err := json.Marshal(map[string]any{"text": "<b>" + html.EscapeString(s.String()) + "</b>", "reply_markup": map[string]any{"inline_keyboard": keys}})
	return chat.Preview{Body: body, Limits: []chat.Measure{{Name: "characters", Have: 2, Most: 1}}}, err
}

// The page gets the requests for other platforms, only for messages that its reader sees.
func TestLooks(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands(), Looks: []Look{{"telegram", bubble}}})
	if err != nil {
		t.Fatal(err)
	}
	look := func(a chat.Address, as, join string) (int, string) {
		answer := ask(p, "GET", "/look?message="+url.QueryEscape(string(a))+"&as="+as+join, "")
		data, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(data)
	}
	hers, err := p.Send(t.Context(), chat.Target{Player: Ann}, textScreen("hello"), "")
	if err != nil {
		t.Fatal(err)
	}
	if status, got := look(hers, "telegram", ""); status != 200 || !strings.Contains(got, `"limits":[{"name":"characters","have":2,"most":1}]`) || !strings.Contains(got, "hello") {
		t.Errorf("a look: %d %s", status, got)
	}
	for name, c := range map[string][3]string{
		"a look of none":    {string(hers), "irc", ""},
		"no message":        {"playground:x/1", "telegram", ""},
		"another's message": {string(hers), "telegram", "&join=" + p.links.person[Ben]},
	} {
		if status, _ := look(chat.Address(c[0]), c[1], c[2]); status != 404 {
			t.Errorf("%s: %d", name, status)
		}
	}
}

// client closes its connections after each answer.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// post sends a request as the page would.
func post(t *testing.T, url, path, body string, header ...string) (status int, answer string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", url)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		if header[i+1] == "" {
			r.Header.Del(header[i])
		} else {
			r.Header.Set(header[i], header[i+1])
		}
	}
	w, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, strings.TrimSpace(string(b))
}

// stream reads server-sent events.
type stream struct {
	t     *testing.T
	r     *bufio.Reader
	close func() error
}

// open opens the stream, with the words of its query in pairs.
func open(t *testing.T, at string, query ...string) *stream {
	t.Helper()
	values := url.Values{}
	for i := 0; i < len(query); i += 2 {
		values.Set(query[i], query[i+1])
	}
	r, err := http.NewRequestWithContext(t.Context(), "GET", at+"/events?"+values.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Body.Close() })
	if got := w.Header.Get("Content-Type"); w.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("the stream is %d, %s", w.StatusCode, got)
	}
	return &stream{t, bufio.NewReader(w.Body), w.Body.Close}
}

type news struct {
	Put  []pageMessage
	Drop []chat.Address
}

func (s *stream) next() (event string, n news) {
	s.t.Helper()
	for {
		line, err := s.r.ReadString('\n')
		if err != nil {
			s.t.Fatal(err)
		}
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			event = strings.TrimSpace(name)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(data), &n); err != nil {
				s.t.Fatal(err)
			}
			return event, n
		}
	}
}

func TestThePageShowsWhatHappens(t *testing.T) {
	t.Parallel()
	p, d, url := page(t)
	s := open(t, url)
	if event, n := s.next(); event != "all" || len(n.Put) != 0 {
		t.Fatalf("an empty playground begins with %s %+v", event, n)
	}
	if status, got := post(t, url, "/command", `{"person":"playground:ann","chat":"playground:channel","line":"/new 4","lang":"cs"}`); status != 200 || got != `{"toast":"","alert":false}` {
		t.Fatalf("/new: %d %s", status, got)
	}
	event, n := s.next()
	if event != "more" || len(n.Put) != 1 || n.Put[0].Blocks[0].Spans[0].Text != "Sedma for four" {
		t.Fatalf("after /new: %s %+v", event, n)
	}
	if in := d.inputs[0]; in.Player.Name != "Anna" || in.Player.Lang != "cs" || in.Chat.Lang != "cs" {
		t.Errorf("Czech Ann came as %+v", in)
	}
	lobby := n.Put[0]
	press := func(m chat.Address, data string) (int, string) {
		body, err := json.Marshal(map[string]string{"person": Ann, "message": string(m), "press": data, "lang": "en"})
		if err != nil {
			t.Fatal(err)
		}
		return post(t, url, "/press", string(body))
	}
	if status, got := press(lobby.ID, "rules"); status != 200 || !strings.Contains(got, `"alert":true`) {
		t.Errorf("an alert comes as %d %s", status, got)
	}
	if status, got := press("playground:before/1", "rules"); status != 200 || !strings.Contains(got, "no longer exists") {
		t.Errorf("a message of another run: %d %s", status, got)
	}
	if err := p.Delete(t.Context(), lobby.ID); err != nil {
		t.Fatal(err)
	}
	if event, n := s.next(); event != "more" || !cmp.Equal(n.Drop, []chat.Address{lobby.ID}) {
		t.Errorf("after delete: %s %+v", event, n)
	}
	if status, got := post(t, url, "/command", `{"person":"playground:ben","chat":"playground:channel","line":"/hand","lang":"en"}`); status != 200 || got != `{"toast":"","alert":false}` {
		t.Errorf("a screen comes with the toast that it is shown instead of: %d %s", status, got)
	}
	if _, n := s.next(); len(n.Put) != 1 || n.Put[0].Only != Ben || n.Put[0].Line != "/hand" || n.Put[0].By != Ben {
		t.Errorf("Ben's answer: %+v", n)
	}
	if status, got := post(t, url, "/command", `{"person":"playground:ben","chat":"playground:channel","line":"/new players:9","lang":"en"}`); status != 200 || !strings.Contains(got, "You can choose 2, 3, 4, 6") {
		t.Errorf("a wrong argument: %d %s", status, got)
	}
	if event, n := open(t, url).next(); event != "all" || len(n.Put) != 1 {
		t.Errorf("another page begins with %s %+v", event, n)
	}
}

// The file of an answer can be saved under its name. A file in a public message is
// refused.
func TestFiles(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	shown := screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: "a file"}}}}}
	shown.File = &screen.File{Name: "a-1.json", Data: []byte("{}\n")}
	public := false
	run(t, p, handler(func(context.Context, chat.Input) chat.Reply { return chat.Reply{Screen: &shown, Public: public} }))
	if _, err := p.Command(t.Context(), Ann, Channel, "/help"); err != nil {
		t.Fatal(err)
	}
	answer := p.Answers(Ann)[0]
	get := func(id chat.Address) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/file?message="+url.QueryEscape(string(id)), nil)
		r.Host = "127.0.0.1:8080"
		p.Page().ServeHTTP(w, r)
		return w
	}
	if w := get(answer.Address); w.Code != 200 || w.Body.String() != "{}\n" || w.Header().Get("Content-Disposition") != "attachment; filename=a-1.json" {
		t.Errorf("%d, %v, %q", w.Code, w.Header(), w.Body)
	}
	if w := get(answer.Address); w.Header().Get("Content-Type") != "application/octet-stream" {
		t.Errorf("the browser could show it: %v", w.Header())
	}
	shown.File = &screen.File{Name: "a-1.gif", Data: []byte("GIF89a")}
	if _, err := p.Command(t.Context(), Ann, Channel, "/help"); err != nil {
		t.Fatal(err)
	}
	answers := p.Answers(Ann)
	if w := get(answers[len(answers)-1].Address); w.Code != 200 || w.Header().Get("Content-Type") != "image/gif" {
		t.Errorf("an animation: %d, %v", w.Code, w.Header())
	}
	if w := get("playground:none/1"); w.Code != 404 {
		t.Errorf("no message: %d", w.Code)
	}
	public = true
	if _, err := p.Command(t.Context(), Ann, Channel, "/help"); err == nil {
		t.Error("a file went to everybody")
	}
	if _, err := p.Send(t.Context(), chat.Target{Chat: Channel}, shown, ""); err == nil {
		t.Error("a file was posted in the channel")
	}
}

func TestStoppingFinishesWhatIsInHand(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	begun, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- p.Run(ctx, handler(func(in context.Context, _ chat.Input) chat.Reply {
			close(begun)
			<-ctx.Done()
			if in.Err() != nil {
				return chat.Reply{Toast: "cut off"}
			}
			return chat.Reply{Toast: "done"}
		}))
	}()
	url := p.URL()
	page := open(t, url)
	page.next()
	answered := make(chan string, 1)
	go func() {
		_, got := post(t, url, "/command", `{"person":"playground:ann","chat":"playground:channel","line":"/help"}`)
		answered <- got
	}()
	<-begun
	stop()
	if got := <-answered; !strings.Contains(got, `"toast":"done"`) {
		t.Errorf("what was in hand ended with %s", got)
	}
	if err := <-done; err != nil {
		t.Errorf("run ended with %v", err)
	}
	// A page that held the end up would be cut off in the end.
	if rest, err := io.ReadAll(page.r); err != nil {
		t.Errorf("the open page was cut off after %q: %v", rest, err)
	}
}

func TestATakenAddressSaysWhatToDo(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := New(Config{Commands: bot.Commands(), Listen: l.Addr().String()}); err == nil || !strings.Contains(err.Error(), "playground.listen") || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a taken address gives %v", err)
	}
	p, err := New(Config{Listen: l.Addr().String(), Next: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.listener.Close()
	if p.URL() == "http://"+l.Addr().String() || !strings.HasPrefix(p.URL(), "http://127.0.0.1:") {
		t.Errorf("with Next, the page is at %s", p.URL())
	}
}

func TestManyPagesAreTooMany(t *testing.T) {
	t.Parallel()
	_, _, url := page(t)
	for range maxPages {
		open(t, url).next()
	}
	w, err := client.Get(url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	w.Body.Close()
	if w.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one page more gets %d", w.StatusCode)
	}
}

// Each link has its own limit of open pages. If a guest uses up one link's, the owner
// and the other guests can still open pages.
func TestALinkTakesOnlyItsShareOfThePages(t *testing.T) {
	t.Parallel()
	p, _, url := page(t)
	ben := []string{"join", p.links.person[Ben]}
	var last *stream
	for range maxGuests {
		last = open(t, url, ben...)
		last.next()
	}
	events := url + "/events?join=" + p.links.person[Ben]
	status := func() int {
		t.Helper()
		w, err := client.Get(events)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		return w.StatusCode
	}
	if got := status(); got != http.StatusServiceUnavailable {
		t.Errorf("one page more of the link gets %d", got)
	}
	open(t, url, "join", p.links.person[Cat]).next()
	for range maxPages {
		open(t, url).next()
	}
	if err := last.close(); err != nil {
		t.Fatal(err)
	}
	for status() != http.StatusOK { // until the server notices that a page was closed
		runtime.Gosched()
	}
}

func TestSetupSpeaksEveryLanguage(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands()})
	if err != nil {
		t.Fatal(err)
	}
	listed := slices.DeleteFunc(bot.Commands(), func(c chat.Command) bool { return c.Spare })
	for _, tag := range lang.Languages() {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/setup?lang="+tag, nil)
		r.Host = "localhost"
		p.Page().ServeHTTP(w, r)
		var got struct {
			Lang     string
			People   []struct{ ID, Name string }
			Commands []struct{ Name, Line, About string }
			Words    map[string]string
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Lang != tag || len(got.People) != len(people) || len(got.Commands) != len(listed) {
			t.Errorf("%s: setup is %+v", tag, got)
		}
		for _, c := range got.Commands {
			if c.About == "" || strings.HasPrefix(c.About, "cmd.") {
				t.Errorf("%s: %s is about %q", tag, c.Line, c.About)
			}
		}
		for word, text := range got.Words {
			if text == "" || text == "page."+word {
				t.Errorf("%s: the page lacks the word %s", tag, word)
			}
		}
		for _, person := range got.People {
			if strings.HasPrefix(person.Name, "page.") {
				t.Errorf("%s: %s has no name", tag, person.ID)
			}
		}
	}
}

func TestThePageIsSmallAndSetsTextOnly(t *testing.T) {
	t.Parallel()
	size := 0
	err := fs.WalkDir(files, "page", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := files.ReadFile(path)
		size += len(b)
		for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://", "//cdn", "style="} {
			if bytes.Contains(b, []byte(word)) {
				t.Errorf("%s has %s in it", path, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 || size > 60_000 {
		t.Errorf("the page is %d bytes, at most 60,000 are wanted", size)
	}
}

// A page that reads nothing more loses its stream, so that it takes no place of another page.
func TestAPageThatReadsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p, err := New(Config{Commands: bot.Commands()})
		if err != nil {
			t.Fatal(err)
		}
		near, far := net.Pipe()
		ended := make(chan struct{})
		s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p.events(w, r, reader{})
			close(ended)
		})}
		listener := &oneConn{conn: far, closed: make(chan struct{})}
		go func() { _ = s.Serve(listener) }()
		defer near.Close()
		defer s.Close()
		if _, err := io.WriteString(near, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		page := bufio.NewReader(near)
		for line := ""; !strings.HasPrefix(line, "event: alive"); {
			if line, err = page.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Error("the stream is still there")
		}
	})
}

// oneConn is a listener with one connection.
type oneConn struct {
	conn   net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *oneConn) Accept() (c net.Conn, err error) {
	if l.once.Do(func() { c = l.conn }); c == nil {
		<-l.closed
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }

func (l *oneConn) Close() error {
	close(l.closed)
	return nil
}

func TestChangesCollapseForASlowPage(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands()})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	known := map[chat.Address]int{}
	var first chat.Address
	for i := range 3 {
		a, err := p.Send(ctx, chat.Target{Chat: Channel}, textScreen(fmt.Sprint(i)), "")
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = a
		}
	}
	if put, drop := p.news(known, reader{}); len(put) != 3 || len(drop) != 0 {
		t.Errorf("at first %d messages and %v", len(put), drop)
	}
	for i := range 5 {
		if err := p.Edit(ctx, p.Channel()[1].Address, textScreen(fmt.Sprint("edit ", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Delete(ctx, first); err != nil {
		t.Fatal(err)
	}
	put, drop := p.news(known, reader{})
	if len(put) != 1 || put[0].Blocks[0].Spans[0].Text != "edit 4" || !cmp.Equal(drop, []chat.Address{first}) {
		t.Errorf("then %+v and %v", put, drop)
	}
	if put, drop := p.news(known, reader{}); len(put)+len(drop) != 0 {
		t.Errorf("without a change %+v and %v", put, drop)
	}
}

// The page's names match the values of the neutral screen.
func TestEveryLookHasAName(t *testing.T) {
	t.Parallel()
	if len(looks) != int(screen.Code)+1 || len(kinds) != int(screen.SpanDate)+1 || len(tones) != int(screen.Danger)+1 {
		t.Error("a look, a span or a tone has no name on the page")
	}
}

// TestPictures checks that a message's picture can be loaded as a PNG, and that the page
// gets its description.
func TestPictures(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	run(t, p, handler(func(context.Context, chat.Input) chat.Reply { return chat.Reply{} }))
	s := textScreen("words")
	a, err := p.Send(t.Context(), chat.Target{Chat: Channel}, s, "1")
	if err != nil {
		t.Fatal(err)
	}
	get := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/picture?message="+url.QueryEscape(string(a)), nil)
		r.Host = "127.0.0.1:8080"
		p.Page().ServeHTTP(w, r)
		return w
	}
	if w := get(); w.Code != 404 {
		t.Errorf("a message without a picture: %d", w.Code)
	}
	s.Picture = &screen.Picture{Alt: "four cards", Draw: face.Picture{Hand: &face.Hand{Cards: make([]game.Card, 4), Dim: make([]bool, 4)}}}
	if err := p.Edit(t.Context(), a, s); err != nil {
		t.Fatal(err)
	}
	w := get()
	if img, err := png.DecodeConfig(w.Body); err != nil || w.Header().Get("Content-Type") != "image/png" || img.Width != s.Picture.Draw.Size().X {
		t.Errorf("%d, %v, %v, %v", w.Code, w.Header(), img, err)
	}
	p.mu.Lock()
	put, _ := p.news(map[chat.Address]int{}, reader{})
	p.mu.Unlock()
	if len(put) != 1 || put[0].Image == nil || put[0].Image.Alt != "four cards" {
		t.Errorf("the page is told %+v", put)
	}
}
