package playground

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store/storetest"
)

// TestTheFirstDeal plays a person's first minute with the real bot behind the page. They
// open it, are welcomed, press New table and Start, and have a card to play. The test logs the time
// since the first byte, which depends on the machine.
func TestTheFirstDeal(t *testing.T) {
	clocktest.Whole(t)
	p, err := New(Config{Commands: bot.Commands(), Listen: "127.0.0.1:0", Looks: []Look{{"discord", discord.Preview}, {"telegram", telegram.Preview}}})
	if err != nil {
		t.Fatal(err)
	}
	file := storetest.NewMemory()
	defer file.Close()
	think := func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
		return ai.Beginner.Try(context.Background(), v, 0, 0)
	}
	b := bot.New(bot.Config{Store: file, Platforms: []chat.Platform{p}, Think: think, Log: slog.New(slog.DiscardHandler), Pace: time.Second})
	run(t, p, b)
	working, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = b.Run(working)
	}()
	defer func() { stop(); <-done }()
	ctx := browser.Open(t, 1360, 850)

	began := time.Now()
	since := func() time.Duration { return time.Since(began).Round(time.Millisecond) }
	browser.Do(t, ctx, chromedp.Navigate(p.URL()), chromedp.WaitVisible("body[data-ready]"))
	ready := since()
	browser.Until(t, ctx, `document.querySelector("#channel").textContent.includes("I deal cards")`) // the welcome
	browser.Do(t, ctx, chromedp.Click("#new"), chromedp.WaitVisible(`#channel [data-press^="start"]`))
	lobby := since()
	browser.Do(t, ctx, chromedp.Click(`#channel [data-press^="start"]`), chromedp.WaitVisible(`[data-panel="`+Ann+`"] [data-card]:not([disabled])`))
	hand := since()
	browser.Until(t, ctx, `[...document.querySelectorAll('[data-panel="`+Ann+`"] img, #channel img')].some((i) => i.complete && i.naturalWidth > 0)`)
	t.Logf("the page stands after %v, the lobby after %v, a hand to play after %v, its pictures after %v", ready, lobby, hand, since())
	browser.Shot(t, ctx, "0-first")
	browser.Until(t, ctx, `document.querySelectorAll('[data-panel="`+Ann+`"] button[data-card]:enabled').length === 4`) // on Ann's turn
	browser.Shot(t, ctx, "0-turn")

	// The looks of the platforms show the same picture.
	for _, look := range []string{"discord", "telegram"} {
		browser.Eval(t, ctx, `(() => { const e = document.getElementById("look"); e.value = "`+look+`"; e.dispatchEvent(new Event("change")); })()`)
		browser.Until(t, ctx, `[...document.querySelectorAll("#channel .container img")].some((i) => i.complete && i.naturalWidth > 0)`)
		browser.Shot(t, ctx, "0-first-"+look)
	}
}

// TestAResultCanBeKept checks that pictures made for sharing can be saved as files.
func TestAResultCanBeKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		draw face.Picture
		save bool
	}{{face.Picture{Result: &face.Result{}}, true}, {face.Picture{Hand: &face.Hand{}}, false}, {face.Picture{Table: &face.Table{}}, false}} {
		m := onPage(&message{Message: Message{Screen: screen.Screen{Picture: &screen.Picture{Draw: c.draw, Alt: "a picture"}}}})
		if m.Image == nil || m.Image.Save != c.save || len(m.Image.Name) != 16 {
			t.Errorf("%+v: %+v", c.draw, m.Image)
		}
	}
}
