package web_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
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
	clocktest.Waits(t)
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

// The same holds for somebody who came from a second chat, with which the table is shared.
func TestARematchKeepsThePagesOfASecondChat(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	g := newGroup(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	bob, fay := g.Person("Bob"), g.Person("Fay")
	one, two := g.Group("One", bob), g.Group("Two", fay)
	for _, p := range []*telegramtest.Person{bob, fay} {
		p.Start("")
	}
	wait := func(in *telegramtest.Chat, words string) telegramtest.Message {
		t.Helper()
		m, err := in.Wait(ctx, telegramtest.Contains(words))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	bob.Say(one, "/new sedma-2p")
	wait(one, "who plays?")
	home := fmt.Sprintf("telegram:%d", one.ID)
	id, err := g.bot.Pages().OpenIn(ctx, chat.Chat{ID: home, Home: home})
	if err != nil || id == "" {
		t.Fatal(id, err)
	}
	enter := func(p *telegramtest.Person) *page {
		return g.open(cookies(t), telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(p, time.Now(), id)), ""))
	}
	host := enter(bob)
	host.press(view.Press{Action: view.ActSet, Table: id, What: "length", Value: "h1"}.String())
	bob.Say(one, "/share")
	code := regexp.MustCompile(`share ([A-Z2-9]{8})`)
	given := ""
	if err := g.Until(ctx, func() bool {
		for _, m := range slices.Concat(bob.Private().Messages(), one.Messages(), bob.Ephemerals(one)) {
			if found := code.FindStringSubmatch(m.Text); found != nil {
				given = found[1]
			}
		}
		return given != ""
	}); err != nil {
		t.Fatal("no code: ", err)
	}
	fay.Say(two, "/share "+given)
	var asked telegramtest.Message
	if err := g.Until(ctx, func() bool {
		for _, m := range slices.Concat(fay.Private().Messages(), two.Messages(), fay.Ephemerals(two)) {
			if len(m.Buttons) > 0 && strings.HasPrefix(m.Buttons[0][0].Data, view.ActPost+":") {
				asked = m
			}
		}
		return asked.ID != 0
	}); err != nil {
		t.Fatal("nobody asks whether to show the table: ", err)
	}
	if _, err := fay.PressData(ctx, asked, asked.Buttons[0][0].Data); err != nil {
		t.Fatal(err)
	}
	wait(two, "who plays?")
	for _, m := range two.Messages() {
		if m.Has("Join") {
			if _, err := fay.Press(ctx, m, "Join"); err != nil {
				t.Fatal(err)
			}
		}
	}
	fay.Leave(two) // only her seat lets her in
	guest := enter(fay)
	guest.until(func(l view.Live) bool { return l.Me >= 0 })
	host.until(func(l view.Live) bool { return slices.Contains(offers(l), view.ActStart+":"+id) })
	host.press(view.ActStart + ":" + id)
	playAll(t, host, guest)
	if m := host.press(view.ActRematch + ":" + id); m.Toast != "" {
		t.Fatalf("the rematch: %+v", m)
	}
	guest.until(func(l view.Live) bool { return slices.Contains(offers(l), view.ActJoin+":"+id) })
	guest.press(view.ActJoin + ":" + id)
	for _, p := range []*page{host, guest} {
		p.until(func(l view.Live) bool { return l.Phase == table.Playing && l.Me >= 0 })
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
