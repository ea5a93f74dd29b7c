package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sedmabot/bot/chat"
	"sedmabot/bot/people"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
)

// visit is a browser that has opened a page.
type visit struct {
	t      *testing.T
	site   *httptest.Server
	client *http.Client
	as     string
}

// come opens a door.
func come(t *testing.T, site *httptest.Server, client *http.Client, knock any) visit {
	t.Helper()
	resp, out := (&room{site: site}).post(t, client, "/api/door", knock, site.URL)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the door: %s %v", resp.Status, out)
	}
	return visit{t, site, client, out["as"]}
}

// load opens a socket, as a page does when it is loaded again. It returns the socket and the answer.
func (v visit) load() (*page, *http.Response) {
	v.t.Helper()
	conn, resp, err := websocket.Dial(v.t.Context(), strings.Replace(v.site.URL, "http", "ws", 1)+"/api/live?as="+v.as,
		&websocket.DialOptions{HTTPClient: v.client, HTTPHeader: http.Header{"Origin": {v.site.URL}}})
	if err != nil {
		v.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	v.t.Cleanup(func() { _ = conn.CloseNow() })
	return &page{t: v.t, conn: conn}, resp
}

// shows checks that a page that is loaded again shows its table, and returns it.
func (v visit) shows() *page {
	v.t.Helper()
	p, _ := v.load()
	if m := p.next(); m.Live == nil {
		v.t.Fatalf("the page got %+v", m)
	}
	return p
}

// ended checks that a page that is loaded again learns that its session is over.
func (v visit) ended(why string) {
	v.t.Helper()
	p, _ := v.load()
	p.ends(why)
}

// ends checks that the socket ends, with a text.
func (p *page) ends(why string) {
	p.t.Helper()
	m := p.next()
	for m.Live != nil {
		m = p.next()
	}
	if m.T != "gone" || m.Text == "" {
		p.t.Errorf("%s: the page got %+v", why, m)
	}
}

// cookies returns the names of the cookies for the page.
func (v visit) cookies() (names []string) {
	v.t.Helper()
	u, err := url.Parse(v.site.URL)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, c := range v.client.Jar.Cookies(u) {
		names = append(names, c.Name)
	}
	return names
}

// copied returns the visit of a browser with a copy of the cookies.
func (v visit) copied() visit {
	v.t.Helper()
	u, err := url.Parse(v.site.URL)
	if err != nil {
		v.t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		v.t.Fatal(err)
	}
	jar.SetCookies(u, v.client.Jar.Cookies(u))
	v.client = &http.Client{Jar: jar}
	return v
}

// close tells the bot that the session ends; over: that it has ended the socket.
func (v visit) close(over bool) {
	v.t.Helper()
	resp, _ := (&room{site: v.site}).post(v.t, v.client, "/api/close", map[string]any{"as": v.as, "over": over}, v.site.URL)
	if resp.StatusCode != http.StatusOK {
		v.t.Fatalf("the end: %s", resp.Status)
	}
}

func linkKnock(token string) map[string]string {
	return map[string]string{"door": "link", "token": token}
}

// A person who opens several tables has one cookie. Each page keeps its table when it is loaded
// again. The end of the session removes the cookie, and a copy of it is worth nothing.
func TestOneCookieForOnePerson(t *testing.T) {
	t.Parallel()
	r := open(t)
	browser, here := cookies(t), map[string]visit{}
	var last visit
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, line := range [][2]string{{playground.Channel, "/new 2"}, {playground.Ann, "/solo 2"}} {
		if _, err := r.Command(ctx, playground.Ann, line[0], line[1]); err != nil {
			t.Fatal(err)
		}
		if line[0] == playground.Channel {
			r.tap(t, "start:")
		}
		token := ""
		if err := r.Wait(ctx, func() bool {
			for _, link := range r.links(playground.Ann) {
				if table, _, _ := strings.Cut(link, "."); here[table].as == "" {
					token = link
				}
			}
			return token != ""
		}); err != nil {
			t.Fatal(err)
		}
		table, _, _ := strings.Cut(token, ".")
		last = come(t, r.site, browser, linkKnock(token))
		here[table] = last
		if key, shown, _ := strings.Cut(last.as, "."); shown != table || len(key) != 12 {
			t.Errorf("the session's name is %q", last.as)
		}
	}
	for table, v := range here {
		if p := v.shows(); p.live.Table != table {
			t.Errorf("the page of %s shows %s", table, p.live.Table)
		}
	}
	if got := last.cookies(); len(got) != 1 {
		t.Errorf("the cookies %q", got)
	}
	elsewhere := last
	elsewhere.as, _, _ = strings.Cut(last.as, ".")
	elsewhere.ended("a table without a link")

	copied, shown := last.copied(), last.shows()
	last.close(true) // a page whose socket was ended; others of the browser go on
	last.shows()
	last.close(false)
	shown.ends("signed out")
	if got := last.cookies(); len(got) > 0 {
		t.Errorf("the cookies %q after the end", got)
	}
	again, resp := copied.load()
	again.ends("signed out")
	if len(resp.Cookies()) != 1 || resp.Cookies()[0].MaxAge >= 0 {
		t.Errorf("the cookies of a session that has ended: %v", resp.Cookies())
	}
}

// links returns the personal links in the person's messages.
func (r *room) links(person string) (all []string) {
	for _, m := range r.Direct(person) {
		for _, row := range m.Screen.Rows {
			for _, b := range row {
				if _, token, ok := strings.Cut(b.Link, "#t="); ok {
					all = append(all, token)
				}
			}
		}
	}
	return all
}

// A newer personal link, used in another browser, ends the session of the older one.
func TestANewerLinkEndsTheSession(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	link := r.link(t, playground.Ann, "")
	old := come(t, r.site, cookies(t), linkKnock(link))
	p := old.shows()
	newer := come(t, r.site, cookies(t), linkKnock(r.link(t, playground.Ann, link)))
	newer.shows()
	p.ends("a newer link")
	old.close(true)
	if got := old.cookies(); len(got) > 0 {
		t.Errorf("the cookies %q after a newer link", got)
	}
	newer.close(true)
	newer.shows()
}

// endless are pages whose sessions don't end while the store is away.
type endless struct {
	chat.Pages
	back atomic.Bool
}

func (p *endless) End(ctx context.Context, player, session string) error {
	if !p.back.Load() {
		return errors.New("the store is away")
	}
	return p.Pages.End(ctx, player, session)
}

// A person who signs out while the store is away isn't told that they did, and can try again.
func TestASignOutThatFails(t *testing.T) {
	t.Parallel()
	kept := &endless{}
	r := open(t, func(p chat.Pages) chat.Pages { kept.Pages = p; return kept })
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	ann := come(t, r.site, cookies(t), linkKnock(r.link(t, playground.Ann, "")))
	p := ann.shows()
	resp, _ := r.post(t, ann.client, "/api/close", map[string]any{"as": ann.as}, r.site.URL)
	if resp.StatusCode == http.StatusOK {
		t.Error("the page is told that the session has ended")
	}
	if m := p.press(p.choice()); m.T != "answer" {
		t.Errorf("a page of the session got %+v", m)
	}
	kept.back.Store(true)
	ann.close(false)
	p.ends("signed out")
}

// A person who asks for the deletion of their data ends their sessions.
func TestDeletionEndsTheSessions(t *testing.T) {
	t.Parallel()
	g := newGroup(t, "")
	ann := come(t, g.site, cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, time.Now(), g.id)), ""))
	ben := come(t, g.site, cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, time.Now(), g.id)), ""))
	p := ben.shows()
	in := chat.Input{Player: chat.Player{ID: g.player(g.ben), Lang: "en"}, Chat: chat.Chat{ID: g.player(g.ben), Home: g.player(g.ben), Private: true}}
	in.Press = screen.PressOf("data", people.DataErase)
	if r := g.bot.Handle(t.Context(), in); r.Outcome != chat.Done {
		t.Fatalf("the deletion: %+v", r)
	}
	g.pages.Retire(t.Context())
	p.ends("deleted")
	ben.ended("deleted")
	ann.shows()
}

// player returns the id of a person's player.
func (g group) player(p *telegramtest.Person) string {
	return "telegram:" + strconv.FormatInt(p.ID, 10)
}

// A spectator who leaves the chat sees no more of its tables. A reload and a short outage of the
// platform end nothing.
func TestWhoLeavesTheChatSeesNoMore(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) (h *house, watch, play visit, leave func()){
		"telegram": func(t *testing.T) (h *house, watch, play visit, leave func()) {
			g := newGroup(t, "")
			knock := func(p *telegramtest.Person) visit {
				return come(t, g.site, cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(p, time.Now(), g.id)), ""))
			}
			return g.house, knock(g.ben), knock(g.ann), func() { g.ben.Leave(g.cards) }
		},
		"discord": func(t *testing.T) (h *house, watch, play visit, leave func()) {
			c := newChannel(t, "")
			running := c.Launch(c.cards, c.ann, c.bob)
			watch = come(t, c.site, cookies(t), discordKnock(c.authorize(c.bob), running.ID))
			play = come(t, c.site, cookies(t), discordKnock(c.authorize(c.ann), running.ID))
			return c.house, watch, play, func() { c.bob.Leave(c.guild) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, watch, play, leave := start(t)
			p := watch.shows()
			h.pages.Guard(t.Context())
			watch.shows()
			leave()
			h.pages.Guard(t.Context())
			p.ends("left")
			watch.ended("left")
			play.shows()
		})
	}
}

// Someone who leaves the table on a page that only its players see learns what they can do next.
func TestAfterLeaveThePageSaysWhatIsNext(t *testing.T) {
	t.Parallel()
	r := open(t)
	for _, c := range []struct{ person, line string }{{playground.Ann, "/new 2"}, {playground.Ben, "/join"}} {
		if _, err := r.Command(t.Context(), c.person, playground.Channel, c.line); err != nil {
			t.Fatal(err)
		}
	}
	id := ""
	if err := r.Wait(t.Context(), func() bool {
		for _, m := range r.Channel() {
			for _, b := range slices.Concat(m.Screen.Rows...) {
				if table, ok := strings.CutPrefix(b.Press, "start:"); ok {
					id = table
				}
			}
		}
		return id != ""
	}); err != nil {
		t.Fatal(err)
	}
	client, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Ben, Lang: "en"}, Table: id})
	p := r.page(t, client, as)
	p.send(fmt.Sprintf(`{"t":"table","table":%q}`, id))
	for p.live.Table == "" {
		p.next()
	}
	p.send(fmt.Sprintf(`{"t":"press","id":1,"press":%q,"at":%q}`, "leave:"+id, p.live.Table))
	m := p.next()
	for m.T != "gone" {
		m = p.next()
	}
	if m.Text != "You left this table. You can join it again, or open a new one, in your chat." {
		t.Errorf("the page got %+v", m)
	}
}

func TestWhoHasLeftCannotLoadThePageAgain(t *testing.T) {
	t.Parallel()
	g := newGroup(t, "")
	watch := come(t, g.site, cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, time.Now(), g.id)), ""))
	watch.shows()
	g.ben.Leave(g.cards)
	watch.ended("left")
	watch.close(true)
	if got := watch.cookies(); len(got) > 0 {
		t.Errorf("the cookies %q after the end", got)
	}
}

// With https, no other host can set the page's cookie.
func TestTheCookieByHTTPS(t *testing.T) {
	t.Parallel()
	g := newGroup(t, cardsURL)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/door", strings.NewReader(
		`{"door":"telegram","data":"`+telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, time.Now(), g.id))+`"}`))
	r.Header.Set("Origin", "https://cards.example.org")
	w := httptest.NewRecorder()
	g.pages.ServeHTTP(w, r)
	all := w.Result().Cookies()
	if len(all) != 1 || !strings.HasPrefix(all[0].Name, "__Host-sedma-") || all[0].Path != "/" || all[0].Domain != "" || !all[0].Secure || !all[0].HttpOnly || !all[0].Partitioned {
		t.Errorf("%d: the cookies %v", w.Code, all)
	}
}

// The name of a session, which the page's address and a cookie have, depends on the bot's secret. The same person at the
// same address gets another name from another bot, so a stranger can't compute it from what is public.
func TestAStrangerCannotComputeTheNameOfASession(t *testing.T) {
	t.Parallel()
	names := map[string]string{} // by name of a session: whose it is
	for _, bot := range []string{"one bot", "another bot"} {
		r := open(t)
		for _, person := range []string{playground.Ann, playground.Ben} {
			if _, err := r.Command(t.Context(), person, person, "/solo 2"); err != nil {
				t.Fatal(err)
			}
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			v := come(t, r.site, &http.Client{Jar: jar}, map[string]string{"door": "link", "token": r.link(t, person, "")})
			name, _, _ := strings.Cut(v.as, ".")
			if whose, taken := names[name]; taken || len(name) < 12 {
				t.Errorf("the session of %s at %s is called %q, like that of %s", person, bot, name, whose)
			}
			names[name] = person + " at " + bot
			if cookies := v.cookies(); len(cookies) != 1 || !strings.HasSuffix(cookies[0], name) {
				t.Errorf("the cookies of %s are %q, want one with %q", person, cookies, name)
			}
		}
	}
}
