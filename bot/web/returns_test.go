package web_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/chat"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Four people who never wrote to the bot in private meet on the page, where they see their cards. So they stay, whoever came first.
func TestPlayNowWithoutAPrivateChat(t *testing.T) {
	t.Parallel()
	clock.Waits(t)
	g := newGroup(t, "")
	var four []*page
	for _, p := range []*telegramtest.Person{g.ben, g.eve, g.Person("Dan"), g.Person("Fay")} {
		here := g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(p, time.Now(), view.FrontDoor)), ""))
		if m := here.press(screen.PressOf(view.ActNow)); m.Toast != "" {
			t.Fatalf("the answer: %+v", m)
		}
		here.until(func(l view.Live) bool { return l.Me >= 0 })
		four = append(four, here)
	}
	id := four[0].live.Table
	for _, p := range four {
		p.until(func(l view.Live) bool { return l.Table == id && l.Phase == table.Playing })
	}
	var all sync.WaitGroup
	for _, p := range four {
		all.Go(func() {
			p.until(func(view.Live) bool { return p.choice() != "" })
			if m := p.press(p.choice()); m.Toast != "" {
				t.Errorf("a card of seat %d: %+v", p.live.Me, m)
			}
		})
	}
	all.Wait()
}

// playAll plays on all pages until the match is over.
func playAll(t *testing.T, pages ...*page) {
	t.Helper()
	var all sync.WaitGroup
	for _, p := range pages {
		all.Go(p.play)
	}
	all.Wait()
}

// A rematch frees the seats of those who haven't pressed yet. Their pages show its lobby, where they take their seats, also after
// they have connected again, and in a series.
func TestARematchKeepsThePages(t *testing.T) {
	t.Parallel()
	r := open(t)
	for _, c := range [][2]string{{playground.Ann, "/new 2"}, {playground.Ben, "/join"}} {
		if _, err := r.Command(t.Context(), c[0], playground.Channel, c[1]); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{":page:length", ":length:h1", "start:"} {
		r.tap(t, part)
	}
	ann, ben := r.enter(t, r.link(t, playground.Ann, "")), r.enter(t, r.link(t, playground.Ben, ""))
	ann.next()
	ben.next()
	for _, press := range []string{view.ActRematch + ":" + ann.live.Table, view.Press{Action: view.ActSeries, Table: ann.live.Table, Place: 3}.String()} {
		playAll(t, ann, ben)
		if m := ann.press(press); m.Toast != "" {
			t.Fatalf("%s: %+v", press, m)
		}
		inLobby := func(l view.Live) bool { return l.Phase == table.Lobby }
		ben.until(inLobby)
		if ben.live.Me != game.Nobody || !slices.Contains(offers(ben.live), view.ActJoin+":"+ben.live.Table) {
			t.Fatalf("%s: Ben's page: %+v, with %q", press, ben.live, offers(ben.live))
		}
		_ = ben.conn.CloseNow()
		ben.conn = ben.dial(t)
		ben.live = view.Live{}
		ben.until(inLobby)
		r.pages.Guard(t.Context())
		ben.press(view.ActJoin + ":" + ben.live.Table)
		for _, p := range []*page{ann, ben} {
			p.until(func(l view.Live) bool { return l.Phase == table.Playing && l.Me >= 0 })
		}
	}
}

// Somebody who leaves by themselves is told so, and reads what they can play instead if their page has a front door.
func TestAfterLeaveThePageShowsTheFrontDoor(t *testing.T) {
	t.Parallel()
	r := open(t)
	id := r.lobby(t)
	client, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Ben, Lang: "en"}})
	p := r.page(t, client, as+"."+id)
	p.until(func(l view.Live) bool { return l.Table == id })
	p.send(`{"t":"press","id":1,"press":"leave:` + id + `","at":"` + id + `"}`)
	told := false
	for p.live.Phase != view.FrontDoor || !told {
		switch m := p.next(); {
		case m.T == "gone":
			t.Fatalf("the page got %+v", m)
		case m.T == "answer" && strings.Contains(m.Toast, "You left this table"):
			told = true
		}
	}
	if m := p.press("solo:"); m.Toast != "" {
		t.Errorf("the front door: %+v", m)
	}
	p.until(func(l view.Live) bool { return l.Felt != nil && l.Me == 0 })
}
