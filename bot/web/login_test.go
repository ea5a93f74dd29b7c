package web_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/activity"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/miniapp"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/web"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store/storetest"
)

// text is a log that goroutines may write to.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *text) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *text) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

// house is a bot on a stand-in platform, with a server of pages.
type house struct {
	bot   *bot.Bot
	site  *httptest.Server
	pages *web.Site
	log   *text
	t     *testing.T
}

// build starts a bot on a platform, with the pages' server. address is the public address of
// the pages; "": any. The test fails if the log has one of the secrets.
func build(t *testing.T, address string, p chat.Platform, door chat.Authenticator, exchange func(context.Context, string) (string, error), secrets ...string) *house {
	t.Helper()
	kept := storetest.NewMemory()
	return buildWith(t, address, bot.Config{Store: kept, Platforms: []chat.Platform{p}}, oneDoor(p, door), exchange, secrets...)
}

// easel is shared, because each new one draws all cards again.
var easel = face.NewEasel()

// oneDoor returns the doors of a platform's pages. door may be nil.
func oneDoor(p chat.Platform, door chat.Authenticator) map[string]chat.Authenticator {
	if door == nil {
		return nil
	}
	return map[string]chat.Authenticator{p.Name(): door}
}

// buildWith is build with a store, platforms and, if c has one, a source of seeds. It closes the store.
func buildWith(t *testing.T, address string, c bot.Config, doors map[string]chat.Authenticator, exchange func(context.Context, string) (string, error), secrets ...string) *house {
	t.Helper()
	h := &house{t: t, log: &text{}}
	log := slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c.Think = func(ctx context.Context, _ string, v game.View, m game.Match) game.Move {
		return ai.Choose(ctx, "easy", v, m).Move
	}
	c.Log, c.Pages, c.Apps = log, map[string]string{}, map[string]bool{}
	for _, p := range c.Platforms {
		c.Pages[p.Name()], c.Apps[p.Name()] = "https://cards.example.org/", true
	}
	b := bot.New(c)
	site, err := web.New(web.Config{URL: address, Pages: b.Pages, Handler: b, Apps: doors, Exchange: exchange, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var parts sync.WaitGroup
	runs := []func(context.Context) error{b.Run, site.Run}
	for _, p := range c.Platforms {
		runs = append(runs, func(ctx context.Context) error { return p.Run(ctx, b) })
	}
	for _, run := range runs {
		parts.Go(func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	h.bot, h.site, h.pages = b, httptest.NewServer(site), site
	t.Cleanup(func() {
		stop()
		parts.Wait()
		h.site.Close()
		if err := c.Store.Close(); err != nil {
			t.Error(err)
		}
		for _, secret := range secrets {
			if strings.Contains(h.log.String(), secret) {
				t.Errorf("the log holds %q:\n%s", secret, h.log)
			}
		}
	})
	return h
}

// cookies returns a browser with cookies of its own.
func cookies(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

// post sends a request of a page.
func (h *house) post(client *http.Client, path string, body any) (*http.Response, map[string]string) {
	h.t.Helper()
	return (&room{site: h.site}).post(h.t, client, path, body, h.site.URL)
}

// open knocks at a door and opens the socket. It returns the page with the first table that it shows.
func (h *house) open(client *http.Client, knock any) *page {
	h.t.Helper()
	resp, out := h.post(client, "/api/door", knock)
	if resp.StatusCode != http.StatusOK {
		h.t.Fatalf("the door: %s %v\n%s", resp.Status, out, h.log)
	}
	conn, _, err := websocket.Dial(h.t.Context(), strings.Replace(h.site.URL, "http", "ws", 1)+"/api/live?as="+out["as"],
		&websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"Origin": {h.site.URL}}})
	if err != nil {
		h.t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	h.t.Cleanup(func() { _ = conn.CloseNow() })
	p := &page{t: h.t, conn: conn}
	if m := p.next(); m.Live == nil {
		h.t.Fatalf("the page got %+v", m)
	}
	return p
}

// refused checks that a door stays shut, without a cookie.
func (h *house) refused(what string, client *http.Client, knock any) {
	h.t.Helper()
	resp, out := h.post(client, "/api/door", knock)
	if resp.StatusCode != http.StatusForbidden || out["error"] == "" || len(resp.Cookies()) > 0 {
		h.t.Errorf("%s: %s %v", what, resp.Status, out)
	}
}

// group is a table for two in a group on Telegram, where Ann plays against the AI and Ben watches.
type group struct {
	*house
	*telegramtest.Server
	ann, ben, eve *telegramtest.Person // Eve isn't a member
	cards         *telegramtest.Chat
	id            string // of the table
}

func newGroup(t *testing.T, address string) group {
	t.Helper()
	return groupOf(t, address, false)
}

// groupOf is the same. If guest is set, the bot isn't in the group, and Ann mentions it there.
func groupOf(t *testing.T, address string, guest bool) group {
	t.Helper()
	s := telegramtest.New(t)
	s.Guests = guest
	a, err := telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: s.Token, Base: s.URL, Log: slog.New(slog.DiscardHandler), Eager: true, Pages: "https://cards.example.org/", App: "table"})
	if err != nil {
		t.Fatal(err)
	}
	g := group{Server: s, ann: s.Person("Ann"), ben: s.Person("Ben"), eve: s.Person("Eve")}
	cards := s.Group("Cards", g.ann, g.ben)
	g.cards = cards
	g.eve.Leave(cards)
	g.house = build(t, address, a, miniapp.Login{Token: s.Token, Member: a.Member, Link: a.AppLink, Prepare: a.Prepare}, nil, s.Token)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if guest {
		if cards, err = g.ann.Summon(ctx, cards, "new sedma-2p"); err != nil {
			t.Fatal(err)
		}
		g.cards = cards
	} else {
		g.ann.Say(cards, "/new sedma-2p")
	}
	lobby, err := cards.Wait(ctx, telegramtest.Contains("who plays?"))
	if err == nil {
		_, err = g.ann.Press(ctx, lobby, "Start")
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = cards.Wait(ctx, func(m telegramtest.Message) bool {
		for _, b := range slices.Concat(m.Buttons...) {
			if _, start, ok := strings.Cut(b.URL, "/table?startapp="); ok {
				g.id = start
			}
		}
		return g.id != ""
	})
	if err != nil {
		t.Fatal("the table has no button to the Mini App: ", err)
	}
	return g
}

func telegramKnock(data, start string) map[string]string {
	return map[string]string{"door": "telegram", "data": data, "start": start}
}

func TestTelegramOpensTheTable(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	g := newGroup(t, "")
	now := time.Now()
	mine := cookies(t)
	knock := telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, now, g.id)), "")
	p := g.open(mine, knock)
	if p.live.Me != 0 || p.live.Table != g.id {
		t.Errorf("Ann's page: %+v", p.live)
	}
	p.play()
	g.open(mine, knock) // the same browser loads the page again
	g.refused("a copy in another browser", cookies(t), knock)

	// In a private chat, the page's address names the table.
	g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, now.Add(-time.Second), "")), g.id))
	guest := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, now, g.id)), ""))
	if guest.live.Me != game.Nobody || len(guest.live.Felt.Hand) > 0 {
		t.Errorf("Ben's page: %+v", guest.live)
	}
	g.refused("a stranger", cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.eve, now, g.id)), ""))
	g.refused("a stranger who names the table", cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.eve, now, "")), g.id))
	g.refused("a table that isn't there", cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, now.Add(-time.Minute), "0123456789abcdef")), ""))
}

// Some apps hand out the same data for a day. It opens the page once in each of its reader's browsers that has no session yet, and
// always where it has one. Nothing leads its reader back to the same data, and a wrong clock is the machine's fault.
func TestAnAppHandsOutOldData(t *testing.T) {
	t.Parallel()
	g := newGroup(t, "")
	knock := func(p *telegramtest.Person, age time.Duration) map[string]string {
		return telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(p, time.Now().Add(-age), g.id)), "")
	}
	browser, day := cookies(t), knock(g.ann, 20*time.Hour)
	g.open(browser, day)
	g.open(browser, day)
	g.refused("a copy in another browser", cookies(t), day)
	g.open(browser, knock(g.ann, 25*time.Hour))
	g.open(browser, knock(g.ann, 300*time.Hour))
	g.refused("too old for a new browser", cookies(t), knock(g.ann, 25*time.Hour))
	g.refused("somebody else's browser", browser, knock(g.ben, 25*time.Hour))
	g.refused("forged", browser, telegramKnock(strings.Replace(day["data"], "Ann", "Eve", 1), ""))
	if _, out := g.post(cookies(t), "/api/door", day); !strings.Contains(out["error"], "buttons in your chat") {
		t.Errorf("the advice is %q", out["error"])
	}
	if strings.Contains(g.log.String(), "clock is behind") {
		t.Errorf("the log blames the clock:\n%s", g.log)
	}
	g.open(cookies(t), knock(g.ann, -2*time.Minute))
	if !strings.Contains(g.log.String(), "clock is behind") {
		t.Error("the log doesn't say that the clock is behind")
	}
}

// Too many logins of a person at once are told to wait, and aren't taken for a stranger's.
func TestManyLoginsAtOnce(t *testing.T) {
	t.Parallel()
	g := newGroup(t, "")
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for i := range 50 {
		knock := telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, time.Now().Add(-time.Duration(i)*time.Second), g.id)), "")
		all.Go(func() {
			resp, _ := g.post(cookies(t), "/api/door", knock)
			mu.Lock()
			defer mu.Unlock()
			got[resp.StatusCode]++
		})
	}
	all.Wait()
	if got[http.StatusOK] == 0 || got[http.StatusTooManyRequests] == 0 || got[http.StatusOK]+got[http.StatusTooManyRequests] != 50 {
		t.Errorf("the answers: %v", got)
	}
}

// The page of a table in a chat where the bot isn't is played as any other. Nobody can say who is in that chat, so only those who
// sit at the table see it.
func TestThePageOfATableElsewhere(t *testing.T) {
	t.Parallel()
	g := groupOf(t, "", true)
	knock := func(p *telegramtest.Person) map[string]string {
		return telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(p, time.Now(), g.id)), "")
	}
	p := g.open(cookies(t), knock(g.ann))
	if p.live.Me != 0 || p.live.Table != g.id {
		t.Errorf("Ann's page: %+v", p.live)
	}
	g.refused("somebody without a seat", cookies(t), knock(g.ben))
	p.play()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := g.cards.Wait(ctx, telegramtest.Contains("the match is over")); err != nil {
		t.Error(err)
	}
}

// A login refuses whatever a platform didn't say; see the tests of miniapp and activity.
func TestTheDoorStaysShutWithoutProof(t *testing.T) {
	t.Parallel()
	g := newGroup(t, "")
	forged := strings.Replace(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, time.Now(), g.id)), "Ann", "Eve", 1)
	g.refused("forged", cookies(t), telegramKnock(forged, ""))
	g.refused("no such door", cookies(t), map[string]string{"door": "discord", "token": "x"})
	if resp, _ := g.post(cookies(t), "/api/token", map[string]string{"code": "x"}); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a token without Discord: %s", resp.Status)
	}
}

// channel is a table for two in a channel on Discord, where Ann plays against the AI.
type channel struct {
	*house
	*discordtest.Server
	ann, bob *discordtest.Person
	cards    *discordtest.Channel
	guild    *discordtest.Guild
}

func newChannel(t *testing.T, address string) channel {
	t.Helper()
	s := discordtest.New(t)
	secret := s.Activities()
	c := channel{Server: s, ann: s.NewPerson("Ann"), bob: s.NewPerson("Bob")}
	c.guild = s.NewGuild(c.ann)
	c.cards = c.guild.NewChannel("cards")
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: s.Token(), APIBase: s.URL(), Log: slog.New(slog.DiscardHandler), Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	door := &activity.Login{Token: s.Token(), Client: s.App(), Secret: secret, APIBase: s.URL(), HTTP: http.DefaultClient, Easel: easel}
	c.house = build(t, address, a, door, door.Exchange, s.Token(), secret, "access-", "code-")
	s.Until("the bot is connected", func() bool { return s.Connected() == 1 })
	c.ann.Slash(c.cards, "new", map[string]any{"players": 2}).Wait()
	c.press("Start")
	s.Until("the table has a button for the Activity", func() bool { return c.has("Play here") })
	return c
}

// has reports whether a message in the channel has a button.
func (c channel) has(label string) bool {
	return slices.ContainsFunc(c.ann.Sees(c.cards), func(m discordtest.Message) bool { _, ok := m.Button(label); return ok })
}

// press presses the button of a message in the channel, when there is one.
func (c channel) press(label string) {
	c.t.Helper()
	c.Until("a button "+label, func() bool { return c.has(label) })
	for _, m := range c.ann.Sees(c.cards) {
		if _, ok := m.Button(label); ok {
			c.ann.Click(m, label)
			return
		}
	}
}

// authorize returns the access token that a page gets for a person's code.
func (c channel) authorize(p *discordtest.Person) string {
	c.t.Helper()
	code := c.Authorize(p)
	resp, out := c.post(cookies(c.t), "/api/token", map[string]string{"code": code})
	if resp.StatusCode != http.StatusOK || out["access_token"] == "" {
		c.t.Fatalf("the code: %s %v", resp.Status, out)
	}
	if resp, out := c.post(cookies(c.t), "/api/token", map[string]string{"code": code}); resp.StatusCode != http.StatusForbidden || out["error"] == "" {
		c.t.Errorf("the same code again: %s %v", resp.Status, out)
	}
	return out["access_token"]
}

func discordKnock(token, instance string) map[string]string {
	return map[string]string{"door": "discord", "token": token, "instance": instance}
}

func TestDiscordOpensTheTable(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	c := newChannel(t, "")
	running := c.Launch(c.cards, c.ann, c.bob)
	p := c.open(cookies(t), discordKnock(c.authorize(c.ann), running.ID))
	if p.live.Me != 0 {
		t.Errorf("Ann's page: %+v", p.live)
	}
	guest := c.open(cookies(t), discordKnock(c.authorize(c.bob), running.ID))
	if guest.live.Me != game.Nobody || guest.live.Table != p.live.Table || len(guest.live.Felt.Hand) > 0 {
		t.Errorf("Bob's page: %+v", guest.live)
	}
	p.play()
}

func TestDiscordsDoorStaysShutWithoutProof(t *testing.T) {
	t.Parallel()
	c := newChannel(t, "")
	running, other := c.Launch(c.cards, c.ann), c.Launch(c.guild.NewChannel("other"), c.bob)
	bob := c.authorize(c.bob)
	c.refused("no token", cookies(t), discordKnock("", running.ID))
	// Bob has the Activity open in another channel, and the page asks for the table of this one.
	knock := discordKnock(bob, other.ID)
	knock["start"] = c.open(cookies(t), discordKnock(c.authorize(c.ann), running.ID)).live.Table
	c.refused("a table elsewhere", cookies(t), knock)
	if resp, _ := c.post(cookies(t), "/api/token", map[string]string{"code": "code-made-up"}); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a made-up code: %s", resp.Status)
	}
	if strings.Contains(c.log.String(), "level=ERROR") {
		t.Errorf("the log has an error:\n%s", c.log)
	}
}

// A login that opens Discord's door again and again soon has to wait, and hardly asks Discord.
func TestDiscordsDoorAsksSeldom(t *testing.T) {
	t.Parallel()
	c := newChannel(t, "")
	running := c.Launch(c.cards, c.ann, c.bob)
	ann, bob := discordKnock(c.authorize(c.ann), running.ID), discordKnock(c.authorize(c.bob), running.ID)
	before := len(c.Calls())
	got := map[int]int{}
	for range 40 {
		resp, _ := c.post(cookies(t), "/api/door", ann)
		got[resp.StatusCode]++
	}
	asked := 0
	for _, call := range c.Calls()[before:] {
		if strings.Contains(call.Path, "/oauth2/") || strings.Contains(call.Path, "/activity-instances/") {
			asked++
		}
	}
	if asked != 1 || got[http.StatusOK] != 30 || got[http.StatusTooManyRequests] != 10 {
		t.Errorf("%d calls to Discord; the answers: %v", asked, got)
	}
	c.open(cookies(t), bob)
}

// Only the platforms with a door may show the page in a frame, and the page may call only from their origins.
func TestOnlyPlatformsWithADoorFrameThePage(t *testing.T) {
	t.Parallel()
	ask := func(doors map[string]chat.Authenticator, origin string) (policy string, status int) {
		site, err := web.New(web.Config{URL: "https://cards.example.org/sedma", Apps: doors, Pages: func() chat.Pages { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/door", strings.NewReader("{}"))
		r.Header.Set("Origin", origin)
		asked := httptest.NewRecorder()
		site.ServeHTTP(asked, r)
		for name, want := range map[string]string{"Permissions-Policy": "camera=()", "Strict-Transport-Security": "max-age=31536000"} {
			if got := w.Header().Get(name); !strings.Contains(got, want) {
				t.Errorf("%s: %q", name, got)
			}
		}
		return w.Header().Get("Content-Security-Policy"), asked.Code
	}
	none, status := ask(nil, "https://123.discordsays.com")
	if !strings.HasSuffix(none, "frame-ancestors 'self'") || status != http.StatusForbidden {
		t.Errorf("without doors: %s, and Discord's origin gets %d", none, status)
	}
	doors := map[string]chat.Authenticator{"discord": &activity.Login{Client: "123"}, "telegram": miniapp.Login{}}
	both, status := ask(doors, "https://evil.example")
	if !strings.HasSuffix(both, "; frame-ancestors 'self' https://discord.com https://ptb.discord.com https://canary.discord.com https://123.discordsays.com"+
		" https://web.telegram.org https://webk.telegram.org https://webz.telegram.org") || !strings.Contains(both, "wss://123.discordsays.com") {
		t.Errorf("with both doors: %s", both)
	}
	if status != http.StatusForbidden {
		t.Errorf("another origin gets %d", status)
	}
	if _, status := ask(map[string]chat.Authenticator{"discord": &activity.Login{Client: "123"}}, "https://123.discordsays.com"); status != http.StatusForbidden {
		t.Errorf("an empty knock from Discord's origin gets %d", status)
	}
}

// The hand that a player opens in the channel has the personal link to their page. A link works once, and the next
// hand has a new one.
func TestAHandInTheChannelHasTheLink(t *testing.T) {
	t.Parallel()
	c := newChannel(t, "")
	c.ann.RefuseDMs(true)
	used := ""
	for range 2 {
		hand, ok := c.ann.Slash(c.cards, "hand", nil).Wait()
		button, there := hand.Button("Open the table")
		_, token, link := strings.Cut(button.URL, "#t=")
		if !ok || !there || !link || !hand.Ephemeral || token == used {
			t.Fatalf("the hand has no new link: %s", hand)
		}
		if p := c.open(cookies(t), map[string]string{"door": "link", "token": token}); p.live.Me != 0 {
			t.Errorf("the page of the link: %+v", p.live)
		}
		c.refused("the link once more", cookies(t), map[string]string{"door": "link", "token": token})
		used = token
	}
}

// If a chat's managers choose so, spectators see the table three seconds late.
func TestSpectatorsSeeTheTableLate(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	g := newGroup(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	home := screen.PressOf("cfg", "late", "on", "telegram:"+strconv.FormatInt(g.cards.ID, 10))
	if _, err := g.ann.PressData(ctx, g.cards.Messages()[0], home); err != nil {
		t.Fatal(err)
	}
	for try := 0; ; try++ { // the setting reaches the table by a job
		start := time.Now()
		p := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, start.Add(-time.Duration(try)*time.Second), g.id)), ""))
		_ = p.conn.CloseNow()
		if time.Since(start) >= 3*time.Second {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("spectators see the table at once")
		}
	}
}

// An address that was refused too often has to wait. Behind a proxy in this network, that is the address that the proxy
// reports.
func TestAnAddressMayBeRefusedOnlySoOften(t *testing.T) {
	t.Parallel()
	site, err := web.New(web.Config{Pages: func() chat.Pages { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	knock := func(from string, forwarded ...string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://cards.example.org/api/door", strings.NewReader(`{"door":"none"}`))
		r.RemoteAddr = from
		r.Header.Set("Origin", "http://cards.example.org")
		for _, f := range forwarded {
			r.Header.Add("X-Forwarded-For", f)
		}
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w.Code
	}
	for i := range 60 {
		// A browser may claim any address, but the proxy adds the true one at the end.
		if code := knock("127.0.0.1:1", fmt.Sprintf("198.51.100.%d, 203.0.113.9", i)); code != http.StatusForbidden {
			t.Fatalf("attempt %d: %d", i, code)
		}
		if code := knock(fmt.Sprintf("[2001:db8::%x]:1", i+1), fmt.Sprintf("198.51.100.%d", i)); code != http.StatusForbidden {
			t.Fatalf("attempt %d by IPv6: %d", i, code)
		}
	}
	for _, again := range []int{knock("127.0.0.1:2", "203.0.113.9"), knock("203.0.113.9:7", "198.51.100.99"), knock("[2001:db8::ffff]:1")} {
		if again != http.StatusTooManyRequests {
			t.Errorf("after 60 refusals: %d", again)
		}
	}
	for _, other := range []int{knock("127.0.0.1:2", "203.0.113.10"), knock("[2001:db8:0:1::1]:1")} {
		if other != http.StatusForbidden {
			t.Errorf("another address: %d", other)
		}
	}
}

func TestOnePersonHasFewPagesOpen(t *testing.T) {
	t.Parallel()
	g := newGroup(t, "")
	client := cookies(t)
	knock := telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, time.Now(), g.id)), "")
	for range 10 {
		g.open(client, knock)
	}
	_, out := g.post(client, "/api/door", knock)
	conn, _, err := websocket.Dial(t.Context(), strings.Replace(g.site.URL, "http", "ws", 1)+"/api/live?as="+out["as"],
		&websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"Origin": {g.site.URL}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if m := (&page{t: t, conn: conn}).next(); m.T != "gone" || !strings.Contains(m.Text, "too many pages") {
		t.Errorf("the eleventh page got %+v", m)
	}
	guest := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, time.Now(), g.id)), ""))
	if guest.live.Me != game.Nobody {
		t.Errorf("another person's page: %+v", guest.live)
	}
}
