package web_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/activity"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/miniapp"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// Four friends play one match, each in another way: Ann on the Mini App, Ben by buttons in Telegram, Dan by buttons in Discord, and Cat on
// the Activity. Ann opens the table and starts the match on the page; a code shares it with the channel. Cat comes after the second
// deal, touches the AI's seat, and plays. The first two deals are played as quickly as the bot takes moves.
func TestOneMatchInFourWays(t *testing.T) {
	clocktest.Whole(t)
	t.Parallel()
	w := newWays(t)
	w.open(t)
	w.share(t)

	ben := w.channelMessage(t, w.group, "Join")
	if a, err := w.ben.Press(step(t), ben, "Join"); err != nil {
		t.Fatal(a, err)
	}
	w.discord.Until("the channel shows the lobby", func() bool { return w.pressed(w.dan, w.cards, "Join") })
	w.until(t, func(p table.Public) bool { return p.People() == 3 })
	ann := w.page["ann"]
	atOnce(t, ann)
	browser.Do(t, ann, chromedp.WaitVisible("#below [data-press^='start:']"))
	browser.Eval(t, ann, `document.querySelector("#below [data-press^='start:']").click()`)
	w.quick = true
	w.play(t, func(p table.Public) bool { return p.DealNo == 3 })
	w.quick = false

	cat := w.activity(t)
	browser.Do(t, cat, chromedp.WaitVisible(".sit"))
	atOnce(t, cat)
	browser.Eval(t, cat, `document.querySelector(".sit").click()`)
	w.play(t, func(p table.Public) bool { return p.People() == 4 })
	browser.Do(t, cat, chromedp.WaitVisible(".slot .card"))
	for _, button := range []string{`[data-tool=more]`, `dialog [data-press^="last:"]`, `dialog .danger:not([data-press])`} {
		browser.Do(t, ann, chromedp.WaitVisible(button))
		browser.Eval(t, ann, "document.querySelector('"+button+"').click()")
	}
	w.play(t, func(p table.Public) bool { return p.Phase == table.Over })
	if len(w.moves) != 4 {
		t.Errorf("only these people have moved: %v", w.moves)
	}
	for name, page := range w.page {
		browser.Until(t, page, `!document.querySelector(".panel").hidden && !!document.querySelector('.panel [data-press^="rematch:"]')`)
		browser.Shot(t, w.tabs[name], "table-ways-"+name)
	}
	w.channelMessage(t, w.group, "Rematch")
	w.discord.Until("the channel shows the result", func() bool { return w.has(w.dan, w.cards, "Rematch") })
}

// ways is a bot on both platforms, with one server of pages, and a browser for each platform's app.
type ways struct {
	bot      *bot.Bot
	telegram *telegramtest.Server
	discord  *discordtest.Server
	ann, ben *telegramtest.Person
	cat, dan *discordtest.Person
	group    *telegramtest.Chat
	cards    *discordtest.Channel
	id       string                     // of the table
	tabs     map[string]context.Context // the platforms' apps, by their person
	page     map[string]context.Context // the pages in them
	quick    bool                       // people move without their apps
	moves    map[string]int             // how often each person has moved in their own way
	seen     [2]int                     // the number of the deal and of its moves at which somebody moved last
}

// step limits the time of one step of a match. A whole match may take longer on a busy machine.
func step(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func newWays(t *testing.T) *ways {
	t.Helper()
	w := &ways{telegram: telegramtest.New(t), discord: discordtest.New(t), tabs: map[string]context.Context{}, page: map[string]context.Context{}, moves: map[string]int{}}
	tg, dc := w.telegram, w.discord
	secret := dc.Activities()
	w.ann, w.ben, w.cat, w.dan = tg.Person("Ann"), tg.Person("Ben"), dc.NewPerson("Cat"), dc.NewPerson("Dan")
	w.group, w.cards = tg.Group("Cards", w.ann, w.ben), dc.NewGuild(w.cat).NewChannel("cards")
	one, err := telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: tg.Token, Base: tg.URL, Log: slog.New(slog.DiscardHandler), Eager: true, Pages: cardsURL + "/", App: "table"})
	if err != nil {
		t.Fatal(err)
	}
	two, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: dc.Token(), APIBase: dc.URL(), Log: slog.New(slog.DiscardHandler), Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	door := &activity.Login{Token: dc.Token(), Client: dc.App(), Secret: secret, APIBase: dc.URL(), HTTP: http.DefaultClient, Easel: easel}
	h := buildWith(t, cardsURL, bot.Config{Store: storetest.NewMemory(), Platforms: []chat.Platform{one, two}},
		map[string]chat.Authenticator{one.Name(): miniapp.Login{Token: tg.Token, Member: one.Member, Link: one.AppLink, Prepare: one.Prepare}, two.Name(): door}, door.Exchange, tg.Token, dc.Token(), secret, "access-", "code-")
	w.bot = h.bot
	dc.Until("the bot is connected", func() bool { return dc.Connected() == 1 })

	data := telegramtest.Sign(tg.Token, telegramtest.InitData(w.ann, time.Now(), chat.StartIn(fmt.Sprintf("telegram:%d", w.group.ID))))
	w.tabs["ann"] = internet(t, map[string]http.Handler{
		"cards.example.org": http.StripPrefix("/sedma", h.pages),
		"web.telegram.org": app(cardsURL+"/#tgWebAppData="+url.QueryEscape(data)+"&tgWebAppVersion=9.1&tgWebAppPlatform=weba",
			"allow-scripts allow-same-origin allow-popups allow-forms allow-modals", ""),
	})
	host, running := dc.App()+".discordsays.com", dc.Launch(w.cards, w.cat)
	w.tabs["cat"] = internet(t, map[string]http.Handler{
		host:          proxied(t, h.pages),
		"discord.com": discordApp("https://"+host, running.ID, func(scopes ...string) string { return dc.Authorize(w.cat, scopes...) }),
	})
	return w
}

// open lets Ann open a table in her group on the page.
func (w *ways) open(t *testing.T) {
	t.Helper()
	ann := openApp(t, w.tabs["ann"], "https://web.telegram.org/", cardsURL)
	w.page["ann"] = ann
	browser.Prefer(t, ann, "prefers-reduced-motion", "reduce")
	for _, button := range []string{"#below [data-press='new:']", "#below [data-press$=':length:t10']"} { // four deals or more
		browser.Do(t, ann, chromedp.WaitVisible(button))
		browser.Eval(t, ann, `document.querySelector("`+button+`").click()`)
	}
	browser.Do(t, ann, chromedp.WaitVisible("#below [data-press$=':length:t10'].primary"))
	id, err := w.bot.Pages().OpenIn(step(t), w.home())
	if err != nil || id == "" {
		t.Fatalf("the group has no table: %v", err)
	}
	w.id = id
}

// home returns Ann's group.
func (w *ways) home() chat.Chat {
	id := fmt.Sprintf("telegram:%d", w.group.ID)
	return chat.Chat{ID: id, Home: id}
}

// share shows the table in the channel, too.
func (w *ways) share(t *testing.T) {
	t.Helper()
	w.ann.Start("")
	w.ben.Start("")
	w.ann.Say(w.group, "/share")
	code := regexp.MustCompile(`share ([A-Z2-9]{8})`)
	given := ""
	if err := w.telegram.Until(step(t), func() bool {
		for _, m := range slices.Concat(w.ann.Private().Messages(), w.group.Messages(), w.ann.Ephemerals(w.group)) {
			if found := code.FindStringSubmatch(m.Text); found != nil {
				given = found[1]
			}
		}
		return given != ""
	}); err != nil {
		t.Fatal("no code: ", err)
	}
	asked, ok := w.dan.Slash(w.cards, "share", map[string]any{"code": given}).Wait()
	if !ok || len(asked.Buttons) == 0 {
		t.Fatalf("the channel wasn't asked: %v", asked)
	}
	w.dan.Press(asked, asked.Buttons[0].CustomID)
}

// activity opens the Activity for Cat, and returns its page.
func (w *ways) activity(t *testing.T) context.Context {
	t.Helper()
	cat := openApp(t, w.tabs["cat"], "https://discord.com/", "https://"+w.discord.App()+".discordsays.com")
	w.page["cat"] = cat
	browser.Prefer(t, cat, "prefers-reduced-motion", "reduce")
	return cat
}

// channelMessage returns the message with that button in the group, when there is one.
func (w *ways) channelMessage(t *testing.T, c *telegramtest.Chat, label string) telegramtest.Message {
	t.Helper()
	m, err := c.Wait(step(t), func(m telegramtest.Message) bool { return m.Has(label) })
	if err != nil {
		t.Fatalf("no button %s: %v", label, err)
	}
	return m
}

// has reports whether a person sees a button in a channel.
func (w *ways) has(p *discordtest.Person, c *discordtest.Channel, label string) bool {
	return slices.ContainsFunc(p.Sees(c), func(m discordtest.Message) bool { _, ok := m.Button(label); return ok })
}

// pressed presses a button in a channel, if there is one.
func (w *ways) pressed(p *discordtest.Person, c *discordtest.Channel, label string) bool {
	for _, m := range p.Sees(c) {
		if b, ok := m.Button(label); ok {
			p.Press(m, b.CustomID)
			return true
		}
	}
	return false
}

// until waits until the table is as wanted, and returns it.
func (w *ways) until(t *testing.T, want func(table.Public) bool) chat.PageTable {
	t.Helper()
	changes, err := w.bot.Pages().Changes(step(t), w.id)
	if err != nil {
		t.Fatal(err)
	}
	var now chat.PageTable
	for range changes {
		if now, err = w.bot.Pages().Table(step(t), w.id); err != nil {
			t.Fatal(err)
		}
		if want(now.Public) {
			return now
		}
	}
	t.Fatalf("the table stays as it is: %+v", now.Public.Lasting)
	return now
}

// play plays until the table is as wanted, each person in their own way.
func (w *ways) play(t *testing.T, want func(table.Public) bool) {
	t.Helper()
	for {
		now := w.until(t, func(p table.Public) bool {
			return want(p) || p.Phase == table.Playing && p.Turn >= 0 && w.seen != [2]int{p.DealNo, len(p.View.Log)}
		})
		if want(now.Public) {
			return
		}
		w.seen = [2]int{now.Public.DealNo, len(now.Public.View.Log)}
		player := now.Public.Seats[now.Public.Turn].Player
		if player.ID == "" {
			continue // the AI moves
		}
		own, _ := now.Private(player.ID)
		if own.View.Forced || len(own.View.Legal) == 1 && own.View.Legal[0] == game.Stop {
			continue // the bot makes it
		}
		name := strings.ToLower(player.Name)
		press := view.PressFor(own, own.View.Legal[0])
		if w.quick {
			in, err := now.Input(chat.Visitor{Player: chat.Player{ID: player.ID, Lang: "en"}}, press)
			if err != nil {
				t.Fatal(err)
			}
			w.bot.Handle(step(t), in)
			continue
		}
		w.moves[name]++
		switch name {
		case "ann", "cat":
			w.touch(t, name, own)
		case "ben":
			if err := w.telegram.Until(step(t), func() bool {
				for _, m := range w.ben.Private().Messages() {
					for _, b := range slices.Concat(m.Buttons...) {
						if b.Data == press {
							_, err := w.ben.PressData(step(t), m, press)
							return err == nil
						}
					}
				}
				return false
			}); err != nil {
				t.Fatalf("Ben has no button %s: %v", press, err)
			}
		case "dan":
			w.discord.Until("Dan's button for "+press, func() bool {
				for _, m := range w.dan.Sees(w.dan.DM()) {
					for _, b := range m.Buttons {
						if b.CustomID == press {
							w.dan.Press(m, press)
							return true
						}
					}
				}
				return false
			})
		}
	}
}

// touch touches the first card or button that plays on a person's page. The page may still show an earlier state, and a touch that
// meets it does nothing: then it touches again.
func (w *ways) touch(t *testing.T, name string, own table.Private) {
	t.Helper()
	page, hand := w.page[name], ""
	for _, c := range own.View.Hand {
		hand += c.String() + " "
	}
	newest := fmt.Sprintf(`[...document.querySelectorAll(".slot")].map((e) => e.dataset.card + " ").join("") === %q && document.querySelectorAll(".pile .card").length === %d`, hand, len(own.View.Trick))
	for {
		browser.Until(t, page, newest+" && "+myTurn)
		touch(t, w.tabs[name], page, choices+"[0]")
		_, err := chromedp.Run(page, chromedp.Poll[bool]("!("+newest+" && "+myTurn+")", chromedp.WithPollingTimeout(2*time.Second)))
		if err == nil {
			return
		}
		if !errors.Is(err, chromedp.ErrPollingTimeout) {
			t.Fatal(err)
		}
	}
}
