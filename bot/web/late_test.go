package web_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// A spectator touches the AI's seat on the felt. Their page is at the table at once, with the hand, and they play on.
func TestASpectatorTakesTheSeatOfTheAI(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	g := newGroup(t, "")
	knock := func(p *telegramtest.Person) map[string]string {
		return telegramKnock(telegramtest.Sign(g.Token, telegramtest.InitData(p, time.Now(), g.id)), "")
	}
	ann, ben := g.open(cookies(t), knock(g.ann)), g.open(cookies(t), knock(g.ben))
	seatOf := func(l view.Live) int {
		return slices.IndexFunc(l.Seats, func(s view.LiveSeat) bool { return s.Press != "" })
	}
	if seatOf(ann.live) >= 0 {
		t.Errorf("Ann could take another seat: %+v", ann.live.Seats)
	}
	seat := seatOf(ben.live)
	if ben.live.Me != game.Nobody || seat < 0 || !ben.live.Seats[seat].AI {
		t.Fatalf("Ben's page: %+v", ben.live)
	}
	before := ben.live.Seats[seat].Name
	if m := ben.press(ben.live.Seats[seat].Press); m.Toast == "" {
		t.Fatalf("the answer: %+v", m)
	}
	ben.until(func(l view.Live) bool { return l.Me == seat && len(l.Felt.Hand) > 0 })
	ann.until(func(l view.Live) bool { return l.Seats[seat].Name == "Ben" })
	if marks := strings.Join(ann.live.Seats[seat].Marks, ", "); !strings.HasPrefix(marks, "until now ") || !strings.HasSuffix(before, marks[len("until now"):]) {
		t.Errorf("Ann's page says of Ben: %q, who came for %s", marks, before)
	}
	playAll(t, ann, ben)
	for _, p := range []*page{ann, ben} {
		p.until(func(l view.Live) bool { return l.Phase == table.Over })
	}
}

// In a browser, the seats that the AI has in a running match can be touched. The front door leads there.
func TestASeatOfTheAIIsTouched(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(r.doorAddress(t, ctx, playground.Eve)), chromedp.WaitVisible("#below [data-press^='show:']"))
	if got := browser.Eval(t, ctx, `document.querySelector("#below [data-press^='show:']").textContent`); !strings.Contains(got, "Free seat") {
		t.Errorf("the front door says %q", got)
	}
	browser.Eval(t, ctx, `document.querySelector("#below [data-press^='show:']").click()`)
	browser.Do(t, ctx, chromedp.WaitVisible(".sit"))
	browser.Until(t, ctx, `document.querySelector(".plate.turn .name")?.textContent.toLowerCase() === "ann"`) // no AI has the turn
	if got := browser.Eval(t, ctx, `document.querySelectorAll(".sit").length`); got != "3" {
		t.Errorf("%s seats can be touched", got)
	}
	shots(t, ctx, "late")
	browser.Do(t, ctx, chromedp.Click(".sit"), chromedp.WaitVisible(".slot .card"))
	browser.Until(t, ctx, `!document.querySelector(".sit")`)

	// A reader who can't see the plates hears who else has come.
	id, err := r.bot.Pages().OpenIn(t.Context(), chat.Chat{ID: playground.Channel, Home: playground.Home})
	if err != nil {
		t.Fatal(err)
	}
	dan := r.at(t, id, fromChannel(playground.Dan))
	seat := slices.IndexFunc(dan.live.Seats, func(s view.LiveSeat) bool { return s.Press != "" })
	dan.press(dan.live.Seats[seat].Press)
	browser.Until(t, ctx, `document.getElementById("news").textContent.toLowerCase().includes("dan: until now ")`)
}
