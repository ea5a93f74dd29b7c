package web_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"sedmabot/bot"
	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/playground"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/bot/web"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

func TestMain(m *testing.M) {
	clocktest.AtOnce(6)
	os.Exit(browser.Tests{M: m}.Run())
}

// room is a bot in the playground, with a server of pages.
type room struct {
	*playground.Playground
	bot   *bot.Bot
	kept  store.Store
	site  *httptest.Server
	pages *web.Site
	mu    sync.Mutex
	seeds []table.Seed // of all deals so far
}

// open starts a bot, its playground and its pages. They stop at the end of the test.
// The pages' server gets the result of around instead of the bot, if there is one.
func open(t testing.TB, around ...func(chat.Pages) chat.Pages) *room {
	t.Helper()
	return openAt(t, httptest.NewUnstartedServer(nil), around...)
}

// openAt is like open, with a server that hasn't started.
func openAt(t testing.TB, server *httptest.Server, around ...func(chat.Pages) chat.Pages) *room {
	t.Helper()
	s := storetest.NewMemory()
	p, err := playground.New(playground.Config{Commands: bot.Commands(), Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	think := func(ctx context.Context, level string, v game.View, m game.Match) game.Move {
		return ai.Choose(ctx, "easy", v, m).Move
	}
	r := &room{Playground: p}
	b := bot.New(bot.Config{Store: s, Worlds: 20, Seed: r.seed, Platforms: []chat.Platform{p}, Think: think, Pages: map[string]string{"playground": "table/"}, Limits: tables.Limits{PlayerTables: 10, HomeTables: 10}, Log: slog.New(slog.DiscardHandler)})
	pages := b.Pages
	if len(around) > 0 {
		watched := around[0](b.Pages())
		pages = func() chat.Pages { return watched }
	}
	site, err := web.New(web.Config{Pages: pages, Handler: b, Steps: b.Steps})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan struct{}, 3)
	for _, run := range []func(context.Context) error{b.Run, func(ctx context.Context) error { return p.Run(ctx, b) }, site.Run} {
		go func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
			stopped <- struct{}{}
		}()
	}
	server.Config.Handler = site
	server.Start()
	t.Cleanup(func() {
		stop()
		for range 3 {
			<-stopped
		}
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	r.bot, r.kept, r.site, r.pages = b, s, server, site
	return r
}

// seed returns the seed of a new deal.
func (r *room) seed() (seed table.Seed) {
	rand.Read(seed[:])
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seeds = append(r.seeds, seed)
	return seed
}

// long reports whether the tests run in full length.
func long() bool { return os.Getenv("SEDMABOT_TEST_LONG") == "1" }

// link waits for a personal link in the person's messages, other than the old one.
func (r *room) link(t testing.TB, person, old string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	found := ""
	err := r.Wait(ctx, func() bool {
		for _, m := range r.Direct(person) {
			for _, b := range slices.Concat(m.Screen.Rows...) {
				if _, token, ok := strings.Cut(b.Link, "#t="); ok && token != old {
					found = token
				}
			}
		}
		return found != ""
	})
	if err != nil {
		t.Fatal("no link in the messages: ", err)
	}
	return found
}

// page is a browser's page of a table.
type page struct {
	t    testing.TB
	conn *websocket.Conn
	dial func(t testing.TB) *websocket.Conn // opens another socket of the same browser
	live view.Live
	id   int64
	done string   // what was played last
	got  [][]byte // all messages
}

// post sends a request of a page.
func (r *room) post(t testing.TB, client *http.Client, path string, body any, origin string) (*http.Response, map[string]string) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.site.URL+path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", origin)
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]string
	_ = json.NewDecoder(resp.Body).Decode(&out) // some answers have no body
	return resp, out
}

// enter opens the page with a link.
func (r *room) enter(t testing.TB, link string) *page {
	t.Helper()
	return r.enterBy(t, http.DefaultTransport, link)
}

// enterBy does the same as enter, with the requests going through a given transport.
func (r *room) enterBy(t testing.TB, network http.RoundTripper, link string) *page {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, Transport: network}
	resp, out := r.post(t, client, "/api/door", map[string]string{"door": "link", "token": link}, r.site.URL)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the door: %s %v", resp.Status, out)
	}
	return r.page(t, client, out["as"])
}

// page opens a page in a browser that has a session.
func (r *room) page(t testing.TB, client *http.Client, as string) *page {
	t.Helper()
	dial := func(t testing.TB) *websocket.Conn {
		t.Helper()
		conn, _, err := websocket.Dial(t.Context(), strings.Replace(r.site.URL, "http", "ws", 1)+"/api/live?as="+as,
			&websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"Origin": {r.site.URL}}})
		if err != nil {
			t.Fatal(err)
		}
		conn.SetReadLimit(1 << 20)
		t.Cleanup(func() { _ = conn.CloseNow() })
		return conn
	}
	return &page{t: t, conn: dial(t), dial: dial}
}

// forged returns a browser with a session of the visitor, as a door would begin it.
func (r *room) forged(t testing.TB, v chat.Visitor) (client *http.Client, as string) {
	t.Helper()
	value, err := web.Begin(t.Context(), r.bot.Pages(), v, playground.Home)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(r.site.URL)
	if err != nil {
		t.Fatal(err)
	}
	jar.SetCookies(u, []*http.Cookie{{Name: web.CookiePrefix + "test", Value: value}})
	if as = "test"; v.Table != "" {
		as += "." + v.Table
	}
	return &http.Client{Jar: jar}, as
}

// message is a message to a page.
type message struct {
	T     string
	Live  *view.Live
	ID    int64
	Toast string
	Text  string

	Seat int
	What string

	Screen   *view.LiveScreen
	Replay   []view.LiveStep
	Position *view.Live
}

// chatWords are words that are of no use on a page: commands, and where a bot's messages are.
var chatWords = regexp.MustCompile(`[ "“(]/[a-z]{3,}\b[^/]|private chat|My cards`)

// next reads the next message that isn't a ping.
func (p *page) next() message {
	p.t.Helper()
	for {
		ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
		_, data, err := p.conn.Read(ctx)
		cancel()
		if err != nil {
			p.t.Fatal(err)
		}
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			p.t.Fatal(err)
		}
		p.got = append(p.got, data)
		if word := chatWords.FindString(string(data)); word != "" {
			p.t.Errorf("a page says %q, which only a chat has: %s", word, data)
		}
		if m.T == "live" {
			p.live = *m.Live
		}
		if m.T != "ping" {
			return m
		}
	}
}

// press presses a button of the page, and returns the answer.
func (p *page) press(data string) message {
	p.t.Helper()
	return p.pressAt(p.live.Table, data)
}

// pressAt presses a button as if the page showed that table.
func (p *page) pressAt(table, data string) message {
	p.t.Helper()
	p.id++
	out, err := json.Marshal(map[string]any{"t": "press", "id": p.id, "press": data, "at": table})
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.conn.Write(p.t.Context(), websocket.MessageText, out); err != nil {
		p.t.Fatal(err)
	}
	for {
		if m := p.next(); m.T == "answer" && m.ID == p.id {
			return m
		}
	}
}

// choice returns the press of the first card or move that can be played now, or "".
func (p *page) choice() string {
	if p.live.Felt == nil || p.live.Felt.Turn != p.live.Me {
		return ""
	}
	for _, c := range p.live.Felt.Hand {
		if c.Press != "" && !c.Off {
			return c.Press
		}
	}
	for _, b := range p.live.Felt.Moves {
		if strings.HasPrefix(b.Press, string(view.ActPlay)+":") {
			return b.Press
		}
	}
	return ""
}

// act plays the first card or move that can be played now, and reports whether there was one.
func (p *page) act() bool {
	p.t.Helper()
	c := p.choice()
	if c == "" || c == p.done {
		return false
	}
	p.done = c
	m := p.press(c)
	forced := strings.HasSuffix(c, ":"+game.Stop.String()) && m.Toast == lang.For("en").Text("refusal.already")
	if m.Toast != "" && !forced { // the bot has already made a forced stop
		p.t.Fatalf("the answer to %s: %+v", c, m)
	}
	return true
}

// play plays until the match is over.
func (p *page) play() {
	p.t.Helper()
	for p.live.Phase != table.Over {
		if !p.act() {
			p.next()
		}
	}
}

func TestAMatchOnThePage(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	link := r.link(t, playground.Ann, "")
	p := r.enter(t, link)
	p.play()
	if p.live.Panel == nil || p.live.Me != 0 || len(p.live.Seats) != 2 {
		t.Errorf("the page at the end: %+v", p.live)
	}
}

func TestALinkIsForOneBrowserOnce(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	link := r.link(t, playground.Ann, "")
	for range 3 { // a preview by a platform uses nothing up
		resp, err := http.Get(r.site.URL + "/?t=" + link)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	first := r.enter(t, link)
	first.next()
	for _, bad := range []string{link, link + "x", "", "a.b.c.d", strings.Replace(link, ".", ".1", 1)} {
		if resp, out := r.post(t, http.DefaultClient, "/api/door", map[string]string{"door": "link", "token": bad}, r.site.URL); resp.StatusCode != http.StatusForbidden || out["error"] == "" || len(resp.Cookies()) > 0 {
			t.Errorf("the used or wrong link %q: %s %v", bad, resp.Status, out)
		}
	}
	newer := r.enter(t, r.link(t, playground.Ann, link))
	newer.next()
	for m := first.next(); m.T != "gone"; m = first.next() {
		if m.Live == nil {
			t.Fatalf("the older page got %+v", m)
		}
	}
	newer.play()
}

// A player whose page is open gets no cards by message and no calls, and the channel's
// message changes only between tricks. When the page is closed, the cards come back.
func TestTheChatIsQuietWhileThePageIsOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, theChatIsQuiet)
}

func theChatIsQuiet(t *testing.T) {
	r, network := openPiped(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/new 2"); err != nil {
		t.Fatal(err)
	}
	for _, press := range []string{":page:length", ":length:t10", "start:"} { // the match is longer than a deal
		r.tap(t, press)
	}
	p := r.enterBy(t, network, r.link(t, playground.Ann, ""))
	p.next()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := r.Wait(ctx, func() bool { return len(r.Direct(playground.Ann)) == 0 }); err != nil {
		t.Fatal("the cards are still in a message: ", err)
	}
	edits := func() int {
		n := 0
		for _, m := range r.Channel() {
			n += m.Edits
		}
		return n
	}
	before, tricks := edits(), 0
	for done := ""; p.live.Felt.Deal == 1 && p.live.Panel == nil; {
		tricks = max(tricks, p.live.Felt.Tricks)
		if c := p.choice(); c != "" && c != done {
			done = c
			p.press(c)
			continue
		}
		p.next()
		if n := len(r.Direct(playground.Ann)); n > 0 {
			t.Fatalf("%d messages to a player on the page", n)
		}
	}
	if n := edits() - before; tricks == 0 || n > tricks+3 {
		t.Errorf("%d edits in the channel for %d tricks", n, tricks)
	}
	_ = p.conn.CloseNow()
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/refresh"); err != nil {
		t.Fatal(err)
	}
	r.link(t, playground.Ann, "")
}

// A page's presses are for the table that it shows. Its reader may have more tables, settings
// and data, but not there.
func TestAPageIsForOneTable(t *testing.T) {
	t.Parallel()
	r := open(t)
	ann, _ := r.pair(t)
	here := ann.live.Table
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	elsewhere := ""
	if err := r.Wait(t.Context(), func() bool {
		for _, m := range r.Direct(playground.Ann) {
			for _, b := range slices.Concat(m.Screen.Rows...) {
				if p, err := view.ParsePress(b.Press); err == nil && p.Action == view.ActPlay && p.Table != here {
					elsewhere = p.Table
				}
			}
		}
		return elsewhere != ""
	}); err != nil {
		t.Fatal(err)
	}
	client, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Ann, Lang: "en"}})
	all := r.page(t, client, as) // as the platforms' apps open it: for all tables of its reader
	show := func(id string) {
		all.send(fmt.Sprintf(`{"t":"table","table":%q}`, id))
		for all.live.Table != id || id == elsewhere && all.choice() == "" {
			all.next()
		}
	}
	show(elsewhere)
	card := all.choice()
	show(here)
	for _, p := range []*page{ann, all} {
		before, err := r.bot.Pages().Table(t.Context(), elsewhere)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{here, elsewhere} {
			for _, press := range []string{card, "cards:" + elsewhere, "hint:" + elsewhere, "leave:" + elsewhere, "close:" + elsewhere, "mine:page:list:", "cfg:page:list:" + playground.Channel, "data:delete", "unseen:season:all:0:0", "hush:" + here, "lesson:", "daily:now:"} {
				if at == elsewhere && !strings.Contains(press, elsewhere) {
					continue
				}
				if m := p.pressAt(at, press); m.Toast == "" || m.Screen != nil {
					t.Errorf("%s at %s: %+v", press, at, m)
				}
			}
		}
		after, err := r.bot.Pages().Table(t.Context(), elsewhere)
		if err != nil || after.Version != before.Version {
			t.Fatalf("the other table changed: %v", err)
		}
		if m := p.press("rules:" + here); m.Screen == nil {
			t.Errorf("a press at the page's own table: %+v", m)
		}
		board := p.press("board:" + here)
		if board.Screen == nil || len(board.Screen.Rows) == 0 {
			t.Fatalf("the leaderboard: %+v", board)
		}
		for _, b := range slices.Concat(board.Screen.Rows...) {
			if !strings.HasPrefix(b.Press, "ladder:") && !strings.HasPrefix(b.Press, "hall:") {
				t.Errorf("the leaderboard on a page has the button %s", b.Press)
			}
		}
	}
	show(elsewhere)
	if m := all.press(card); m.Toast != "" {
		t.Errorf("a press at the table that is shown now: %+v", m)
	}
}

func TestOtherSitesCannotUseThePage(t *testing.T) {
	t.Parallel()
	r := open(t)
	for _, origin := range []string{"", "https://elsewhere.example", "null"} {
		if resp, _ := r.post(t, http.DefaultClient, "/api/door", map[string]string{"door": "link"}, origin); resp.StatusCode != http.StatusForbidden {
			t.Errorf("a post from %q: %s", origin, resp.Status)
		}
	}
	for _, path := range []string{"/metrics", "/readyz", "/livez", "/api", "/a", "/../etc"} {
		resp, err := http.Get(r.site.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
}

func ExampleSite() {
	site, err := web.New(web.Config{})
	fmt.Println(site != nil, err)
	// Output: true <nil>
}
