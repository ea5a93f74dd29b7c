package web_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/playground"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// doorAddress prepares a browser for a person who came from the channel, and returns the address of the front door.
func (r *room) doorAddress(t *testing.T, ctx context.Context, person string) string {
	t.Helper()
	return r.tableAddress(t, ctx, person, "")
}

// tableAddress is doorAddress for a page that shows a table.
func (r *room) tableAddress(t *testing.T, ctx context.Context, person, id string) string {
	t.Helper()
	client, as := r.forged(t, fromChannel(person))
	u, err := url.Parse(r.site.URL)
	if err != nil {
		t.Fatal(err)
	}
	cookie := client.Jar.Cookies(u)[0]
	browser.Do(t, ctx, chromedp.Navigate(r.site.URL), chromedp.WaitVisible(".panel p"))
	browser.Eval(t, ctx, fmt.Sprintf("document.cookie = %q", cookie.Name+"="+cookie.Value))
	browser.Do(t, ctx, chromedp.Navigate("about:blank")) // another fragment alone would load nothing
	return r.site.URL + "/#as=" + as + "." + id + "@" + playground.Channel
}

// fromChannel returns a person in the playground's channel, as the app of a platform would prove it.
func fromChannel(person string) chat.Visitor {
	_, name, _ := strings.Cut(person, ":")
	return chat.Visitor{Player: chat.Player{ID: person, Name: name, Lang: "en"}, Chats: []string{playground.Channel}}
}

// door opens a page at the front door, for a person who came from the channel.
func (r *room) door(t *testing.T, person string) *page {
	t.Helper()
	client, as := r.forged(t, fromChannel(person))
	p := r.page(t, client, as+".@"+playground.Channel)
	if p.next(); p.live.Phase != view.FrontDoor {
		t.Fatalf("the page got %+v", p.live)
	}
	return p
}

// offers returns the presses that a page offers: those of its panel, and those of its seats.
func offers(l view.Live) (all []string) {
	if l.Panel != nil {
		for _, b := range slices.Concat(l.Panel.Rows...) {
			all = append(all, b.Press)
		}
	}
	for _, s := range l.Seats {
		if s.Press != "" {
			all = append(all, s.Press)
		}
	}
	return all
}

// until reads messages until the page shows what cond wants.
func (p *page) until(cond func(view.Live) bool) {
	p.t.Helper()
	stop := time.AfterFunc(30*time.Second, func() { _ = p.conn.CloseNow() }) // pings would keep it waiting
	defer stop.Stop()
	for !cond(p.live) {
		p.next()
	}
}

// From the front door, one press begins each game, and the page shows it. Its cards can be played there: the first one
// is the second touch.
func TestTheFrontDoorBeginsGames(t *testing.T) {
	t.Parallel()
	r := open(t)
	plays := func(l view.Live) bool { return l.Me == 0 && l.Felt != nil && len(l.Felt.Hand) > 0 }
	for person, c := range map[string]struct {
		press string
		want  func(view.Live) bool
	}{
		playground.Ann: {"solo:", plays},
		playground.Ben: {"lesson:", plays},
		playground.Cat: {view.DailyNow, plays},
		playground.Dan: {"new:", func(l view.Live) bool { return l.Phase == table.Lobby && l.Me == 0 }},
	} {
		p := r.door(t, person)
		if c.press == "lesson:" { // one press away
			if m := p.press("courses:"); m.Screen == nil || !strings.Contains(m.Screen.Rows[0][0].Press, c.press) {
				t.Fatalf("the way to learn offers %+v", m.Screen)
			}
		} else if !slices.Contains(offers(p.live), c.press) {
			t.Fatalf("the front door offers %s only %q", c.press, offers(p.live))
		}
		if m := p.press(c.press); m.Screen != nil {
			t.Errorf("%s: the answer has a screen: %+v", c.press, m)
		}
		p.until(c.want)
		for c.press != "new:" && p.choice() == "" {
			p.next()
		}
		if c.press != "new:" {
			if m := p.press(p.choice()); m.Toast != "" {
				t.Errorf("%s: the first card: %s", c.press, m.Toast)
			}
		}
	}
}

// Everybody who comes from one chat meets at one table: when a table opens there, the front doors that were open before
// lead to it.
func TestTheFrontDoorsOfAChatLeadToItsTable(t *testing.T) {
	t.Parallel()
	r := open(t)
	ann, ben := r.door(t, playground.Ann), r.door(t, playground.Ben)
	ann.press("new:")
	ann.until(func(l view.Live) bool { return l.Phase == table.Lobby })
	show := view.Show + ":" + ann.live.Table
	ben.until(func(l view.Live) bool { return slices.Contains(offers(l), show) })
	if slices.Contains(offers(ben.live), "new:") {
		t.Errorf("the front door still offers a second table: %q", offers(ben.live))
	}
	ben.send(`{"t":"table","table":"` + ann.live.Table + `"}`)
	ben.until(func(l view.Live) bool { return l.Table == ann.live.Table })
	ben.press("join:" + ann.live.Table)
	ann.until(func(l view.Live) bool { return l.Seats[1].Name == "Ben" || l.Seats[1].Name == "ben" })
	ben.send(`{"t":"table","table":"` + view.FrontDoor + `"}`)
	ben.until(func(l view.Live) bool { return l.Phase == view.FrontDoor && slices.Contains(offers(l), show) })
}

// An open front door shows that the table of its chat fills and ends, and has one main button.
func TestTheFrontDoorLives(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/new 2"); err != nil {
		t.Fatal(err)
	}
	eve := r.door(t, playground.Eve)
	id := eve.live.Open
	shows := func(key string) {
		t.Helper()
		eve.until(func(l view.Live) bool {
			return strings.HasPrefix(l.Panel.Rows[0][0].Label, strings.TrimSuffix(lang.For("en").Text(key, "game", ""), " "))
		})
		main := 0
		for _, b := range slices.Concat(eve.live.Panel.Rows...) {
			if b.Tone != "" {
				main++
			}
		}
		if main != 1 || eve.live.Panel.Rows[0][0].Tone == "" {
			t.Errorf("%d main buttons: %+v", main, eve.live.Panel.Rows)
		}
	}
	shows("front.seat")
	if _, err := r.Command(t.Context(), playground.Ben, playground.Channel, "/join"); err != nil {
		t.Fatal(err)
	}
	shows("front.watch")
	ann := r.at(t, id, fromChannel(playground.Ann))
	ann.press("sure:" + id + ":close")
	eve.until(func(l view.Live) bool {
		return l.Open == "" && l.Panel.Rows[0][0].Press == "lesson:" && l.Panel.Rows[1][0].Press == "new:"
	}) // Eve is new
}

// Whoever waits at the door of a launch comes to the table that opens there, and stays at the door after the way back.
func TestTheDoorOfALaunchLeadsToItsTable(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(r.doorAddress(t, ctx, playground.Ben)), chromedp.WaitVisible("#below [data-press='new:']"))
	say := func(person, line string) {
		t.Helper()
		if _, err := r.Command(t.Context(), person, playground.Channel, line); err != nil {
			t.Fatal(err)
		}
	}
	say(playground.Ann, "/new 2")
	browser.Until(t, ctx, `document.body.dataset.phase === "lobby"`)
	browser.Do(t, ctx, chromedp.Click("[data-tool=home]"), chromedp.WaitVisible("#below [data-press^='show:']"))
	say(playground.Cat, "/join")
	browser.Until(t, ctx, `document.querySelector("#below [data-press^='show:']").textContent.startsWith("Watch")`)
	if got := browser.Eval(t, ctx, `document.body.dataset.phase`); got != "front" {
		t.Errorf("after the way back, the page shows: %s", got)
	}
}

// The front door makes no press that concerns a table, or a person's settings and data.
func TestTheFrontDoorRefusesOtherPresses(t *testing.T) {
	t.Parallel()
	r := open(t)
	ann, eve := r.door(t, playground.Ann), r.door(t, playground.Eve)
	ann.press("new:")
	ann.until(func(l view.Live) bool { return l.Phase == table.Lobby })
	for _, press := range []string{"join:" + ann.live.Table, "close:" + ann.live.Table, "data:all", "mine:lang:cs", "cfg:0:x", "tell:x", "nonsense", ""} {
		if m := eve.press(press); m.Toast != lang.For("en").Text("reply.forged") {
			t.Errorf("the answer to %q: %+v", press, m)
		}
	}
}

// From the front door to the first card, a person touches the page twice. They can go back to it, open a table by touching
// a seat, choose its length, and play the match.
func TestAMatchFromTheFrontDoor(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	const solo, home, sit = `document.querySelector("#below [data-press='solo:']")`, `document.querySelector("[data-tool=home]")`, `document.querySelector(".sit")`
	browser.Do(t, ctx, chromedp.Navigate(r.doorAddress(t, ctx, playground.Ann)), chromedp.WaitVisible("#below [data-press='solo:']"))
	shots(t, ctx, "front", solo)
	touch(t, ctx, ctx, solo)
	browser.Do(t, ctx, chromedp.WaitVisible(".slot .card"))
	browser.Until(t, ctx, myTurn)
	touch(t, ctx, ctx, choices+"[0]")
	browser.Until(t, ctx, `document.querySelectorAll(".slot .card").length === 3 || document.querySelector("#news").textContent.includes("ann: ")`)

	shots(t, ctx, "front-leaving", home)
	touch(t, ctx, ctx, home)
	browser.Do(t, ctx, chromedp.WaitVisible("#below [data-press^='show:']"))
	shots(t, ctx, "front-back", sit)
	touch(t, ctx, ctx, sit)
	browser.Do(t, ctx, chromedp.WaitVisible("#below [data-press^='start:']"))
	shots(t, ctx, "front-lobby")
}

// The same launch is the same table: Telegram's link names a group, which the page passes on, and Discord says in which
// channel an Activity runs, also in a voice channel. Its people meet at its table. Others get a front door without it.
func TestAppsOpenTheTableOfTheirChat(t *testing.T) {
	t.Parallel()
	t.Run("telegram", func(t *testing.T) {
		t.Parallel()
		g := newGroup(t, "")
		now := time.Now()
		start := chat.StartIn(fmt.Sprintf("telegram:%d", g.cards.ID))
		if p := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, now, start)), start)); p.live.Table != g.id {
			t.Errorf("Ben's page: %+v", p.live)
		}
		p := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.eve, now, start)), start))
		if p.live.Phase != view.FrontDoor || len(p.live.Seats) > 0 || slices.ContainsFunc(offers(p.live), func(o string) bool { return strings.HasPrefix(o, view.Show) || o == "new:" }) {
			t.Errorf("Eve, who isn't a member, is offered %q", offers(p.live))
		}
		p = g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.eve, now.Add(-time.Second), view.FrontDoor)), view.FrontDoor))
		if p.live.Phase != view.FrontDoor {
			t.Errorf("Eve, who opened the front door from a private chat: %+v", p.live)
		}
		other := g.Group("Others", g.ann, g.ben)
		start = chat.StartIn(fmt.Sprintf("telegram:%d", other.ID))
		later := now.Add(-time.Second)
		data := telegramtest.InitData(g.ann, now.Add(-2*time.Second), start)
		if p := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, data), start)); p.live.Phase != view.FrontDoor || !slices.Contains(offers(p.live), view.Show+":"+g.id) || !slices.Contains(offers(p.live), "new:") {
			t.Errorf("Ann, who plays in another group, is shown %s, and offered %q", p.live.Phase, offers(p.live))
		}
		ben := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ben, later, start)), start))
		ben.press("new:")
		ben.until(func(l view.Live) bool { return l.Phase == table.Lobby && l.Me == 0 })
		if p := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(g.ann, later, start)), start)); p.live.Table != ben.live.Table || p.live.Me >= 0 {
			t.Errorf("Ann's page: %+v", p.live)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := other.Wait(ctx, telegramtest.Contains("who plays?")); err != nil {
			t.Error("the group doesn't show the table that was opened on the page: ", err)
		}
	})
	t.Run("discord", func(t *testing.T) {
		t.Parallel()
		c := newChannel(t, "")
		voice := c.guild.NewChannel("voice")
		running := c.Launch(voice, c.ann, c.bob)
		bob := c.open(cookies(t), discordKnock(c.authorize(c.bob), running.ID))
		bob.press("new:")
		bob.until(func(l view.Live) bool { return l.Phase == table.Lobby && l.Me == 0 })
		ann := c.open(cookies(t), discordKnock(c.authorize(c.ann), running.ID))
		if ann.live.Table != bob.live.Table {
			t.Fatalf("Ann's page: %+v", ann.live)
		}
		ann.press("sit:" + ann.live.Table + ":2")
		bob.until(func(l view.Live) bool { return l.Seats[2].Name == "Ann" })
		c.Until("the channel shows the lobby", func() bool { return len(c.ann.Sees(voice)) > 0 })
	})
}

// Spectators read that they watch, and how many do. All who speak one language get the same frame, which has no hand.
func TestSpectatorsShareAFrame(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 2)
	ann := r.enter(t, strings.TrimPrefix(link, r.site.URL+"/#t="))
	ann.until(func(l view.Live) bool { return l.Felt != nil })
	var guests []*page
	for _, person := range []string{playground.Ben, playground.Cat, playground.Dan} {
		client, as := r.forged(t, fromChannel(person))
		p := r.page(t, client, as+"."+ann.live.Table+"@"+playground.Channel)
		p.until(func(l view.Live) bool { return l.Table == ann.live.Table })
		guests = append(guests, p)
	}
	for ann.choice() == "" {
		ann.next()
	}
	ply := ann.live.Felt.Ply
	ann.press(ann.choice())
	frames := map[string]bool{}
	for _, p := range guests {
		p.until(func(l view.Live) bool { return l.Felt.Ply > ply })
		if p.live.Watching != len(guests) || len(p.live.Felt.Hand) > 0 || p.live.Me >= 0 {
			t.Errorf("a spectator's page: %+v", p.live)
		}
		frames[string(p.got[len(p.got)-1])] = true
	}
	if ann.live.Watching != 0 {
		t.Errorf("a player's page counts %d spectators", ann.live.Watching)
	}
	if len(frames) > 2 { // the AI may have played on meanwhile
		t.Errorf("the spectators got %d different frames", len(frames))
	}
}
