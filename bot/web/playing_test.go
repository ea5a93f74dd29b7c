package web_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
)

// short opens a table for Ann and AIs in the channel, whose match is one deal long, and
// returns the link to its page.
func (r *room) short(t *testing.T, players int) string {
	t.Helper()
	line := fmt.Sprintf("/new %d", players)
	if players == 6 {
		line = "/new hola 6" // only Hola is for six, and nobody plays it by mistake
	}
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, line); err != nil {
		t.Fatal(err)
	}
	start, lobby := r.button(t, "start:")
	set := strings.Replace(start, "start:", "set:", 1)
	for _, press := range []string{set + ":length:h1", set + ":limit:3600", start} {
		r.presses(t, lobby, press)
	}
	return r.site.URL + "/#t=" + r.link(t, playground.Ann, "")
}

// tap waits until a message in the channel has a button whose press contains part, and
// presses it.
func (r *room) tap(t *testing.T, part string) {
	t.Helper()
	press, at := r.button(t, part)
	r.presses(t, at, press)
}

// button waits until a message in the channel has a button whose press contains part. It returns the press and the message.
func (r *room) button(t *testing.T, part string) (press string, at chat.Address) {
	t.Helper()
	if err := r.Wait(t.Context(), func() bool {
		for _, m := range r.Channel() {
			for _, b := range slices.Concat(append(m.Screen.MenuRows(), m.Screen.Rows...)...) {
				if strings.Contains(b.Press, part) {
					press, at = b.Press, m.Address
				}
			}
		}
		return press != ""
	}); err != nil {
		t.Fatalf("no button for %q: %v", part, err)
	}
	return press, at
}

// presses lets Ann press what a message has, or what the pages of its settings have.
func (r *room) presses(t *testing.T, at chat.Address, press string) {
	t.Helper()
	if reply, err := r.PressData(t.Context(), playground.Ann, at, press); err != nil || reply.Outcome != chat.Done {
		t.Fatalf("%s: %v, %v", press, reply.Outcome, err)
	}
}

// These scripts see what the reader can do now.
const (
	over    = `document.body.dataset.phase === "over"`
	choices = `[...document.querySelectorAll(".slot[aria-disabled=false], #moves [data-press^='play:']")]`
	myTurn  = `document.body.dataset.turn === "mine" && !document.querySelector(".sent") && ` + choices + `.length > 0`
)

// playOn calls touch at each turn, until the match is over. After the first turn the page shows each state at once.
func playOn(t *testing.T, ctx context.Context, touch func()) {
	t.Helper()
	for turn := 0; ; turn++ {
		browser.Until(t, ctx, over+" || "+myTurn)
		if browser.Eval(t, ctx, over) == "true" {
			return
		}
		if turn == 1 {
			atOnce(t, ctx)
		}
		touch()
	}
}

// atOnce makes the page show each state of the table at once, without the pauses in which its reader sees what happened.
func atOnce(t *testing.T, ctx context.Context) {
	t.Helper()
	browser.Eval(t, ctx, `import(document.querySelector("link[href$='look.js']").href).then(({ setLook }) => setLook("speed", "off"))`)
}

// touch touches an element with a finger once it stands still, if it is there: when the page gets another size, it arranges
// the felt a moment later. frame is where the element is: the page itself, or a frame in it that is as large as the page.
func touch(t *testing.T, page, frame context.Context, element string) {
	t.Helper()
	var x, y, width, height float64
	at, err := chromedp.Run(frame, chromedp.Evaluate[string](`new Promise((stands) => {
		let before, frames = 0;
		const look = () => {
			const r = `+element+`?.getBoundingClientRect(), now = !r ? "" : [r.left + r.width / 2, r.top + r.height / 2, innerWidth, innerHeight].join(" ");
			frames = now === before ? frames + 1 : 0;
			before = now;
			if (frames === 3) stands(now);
			else requestAnimationFrame(look);
		};
		look();
	})`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	if at == "" { // the bot has made a forced stop on its own
		return
	}
	if _, err := fmt.Sscan(at, &x, &y, &width, &height); err != nil {
		t.Fatal(err)
	}
	if x < 0 || x > width || y < 0 || y > height {
		t.Fatalf("a card is at %s, outside the screen", at)
	}
	for _, params := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}}, {Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		if _, err := chromedp.Call(page, input.DispatchTouchEvent, params); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAMatchByTouch(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	upright := true // the phone, which is turned before each card
	playOn(t, ctx, func() {
		upright = !upright
		width, height := int64(390), int64(844)
		if !upright {
			width, height = height, width
		}
		browser.Do(t, ctx, chromedp.EmulateViewport(width, height, chromedp.EmulateTouch))
		touch(t, ctx, ctx, choices+"[0]")
	})
	browser.Until(t, ctx, `!document.querySelector(".panel").hidden`)
	for name, size := range map[string][2]int64{"upright": {390, 844}, "sideways": {844, 390}} {
		browser.Do(t, ctx, chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateTouch))
		browser.Shot(t, ctx, "table-"+name+"-over")
		if got := browser.Eval(t, ctx, `document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight`); got != "false" {
			t.Errorf("the page is larger than the phone %s", name)
		}
	}
	browser.Eval(t, ctx, `(() => {
		window.said = "";
		new MutationObserver(() => said += document.getElementById("toasts").innerText).observe(document.getElementById("toasts"), { childList: true });
		for (let i = 0; i < 3; i++) document.querySelector(".panel [data-press^='rematch:']").click();
	})()`)
	browser.Until(t, ctx, myTurn)
	if got := browser.Eval(t, ctx, `said`); got != "" {
		t.Errorf("three quick presses on Rematch: %s", got)
	}
}

// A whole match can be played by keys, at first while cards fly. One key each tells what takes the trick, what is in it and who is
// winning, the hand with its places, the trick before, and the score. "?" says what the keys do, and the tab's title says whose turn it is.
func TestAMatchByKeys(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 1280, 800, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Shot(t, ctx, "table-desktop")
	browser.Until(t, ctx, myTurn+` && document.title === "Your turn · Sedma"`)
	browser.Do(t, ctx, chromedp.KeyEvent("?"))
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll("dialog[open] dt")].map((e) => e.textContent).join()`); got != "1–9,← →,H,T,L,S,I,Esc,?" {
		t.Errorf("the keys are %q", got)
	}
	browser.Do(t, ctx, chromedp.KeyEvent(kb.Escape))
	browser.Until(t, ctx, `!document.querySelector("dialog").open`)
	asked := map[string]*regexp.Regexp{
		"t": regexp.MustCompile(`^Your turn: (continue or stop\? )?.*Dog is winning with \w+ of \w+ .*\d+ points`),
		"h": regexp.MustCompile(`^\d: \w+ of \w+.*, \d: `),
		"l": regexp.MustCompile(`^(Dog|Ann): \w+ of \w+\. .* took `),
		"s": regexp.MustCompile(`^Points: .*\d.*\. Score: .*\d`),
	}
	playOn(t, ctx, func() {
		if browser.Eval(t, ctx, `document.querySelector(".pile .won")?.closest(".pile").ariaLabel === "Dog" && document.querySelectorAll(".taken").length > 0`) == "true" {
			for key, want := range asked {
				browser.Do(t, ctx, chromedp.KeyEvent(key))
				got := browser.Eval(t, ctx, `document.querySelector(".toast")?.textContent`)
				if !want.MatchString(got) || key == "t" && !strings.Contains(got, "continue or stop") && !strings.Contains(got, " take") {
					t.Errorf("%s tells %q", key, got)
				}
				delete(asked, key)
			}
		}
		browser.Do(t, ctx, chromedp.KeyEvent(browser.Eval(t, ctx, choices+`[0]?.getAttribute("aria-keyshortcuts") ?? "0"`)))
	})
	if len(asked) > 0 {
		t.Error("Dog was never winning at Ann's turn")
	}
	browser.Until(t, ctx, `!document.querySelector(".panel").hidden && !document.querySelector(".flying, .loose") && !document.title.includes("Your turn")`)
	for _, want := range []string{"Dog: ", " took ", "Your turn."} {
		if got := browser.Eval(t, ctx, `document.getElementById("news").textContent`); !strings.Contains(got, want) {
			t.Errorf("a screen reader was told %q, without %q", got, want)
		}
	}
	if got := browser.Eval(t, ctx, `location.hash`); !strings.HasPrefix(got, "#as=") {
		t.Errorf("the address still has %q", got)
	}
	browser.Do(t, ctx, chromedp.Reload(), chromedp.WaitVisible(".panel [data-press^='rematch:']"))
}

// A card that is touched before one's turn waits for it, unless it is touched again. Then it is played by itself.
func TestACardChosenBeforeTheTurn(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	var r *room
	var ben *page
	for ben == nil || ben.choice() == "" { // until Ben leads
		r = open(t)
		for _, c := range []struct{ person, line string }{{playground.Ann, "/new 2"}, {playground.Ben, "/join"}, {playground.Ann, "/begin"}} {
			if _, err := r.Command(t.Context(), c.person, playground.Channel, c.line); err != nil {
				t.Fatal(err)
			}
		}
		ben = r.enter(t, r.link(t, playground.Ben, ""))
		ben.next()
	}
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(r.site.URL+"/#t="+r.link(t, playground.Ann, "")), chromedp.WaitVisible("body[data-ready] .slot .card"))
	const card, next = `document.querySelector(".slot:has(.card)")`, `document.getElementById("next").textContent`
	name := browser.Eval(t, ctx, card+".ariaLabel")
	for _, want := range []string{"On your turn: " + name, "", "On your turn: " + name} {
		browser.Eval(t, ctx, card+".click()")
		if got := browser.Eval(t, ctx, next); got != want {
			t.Fatalf("after a touch: %q, want %q", got, want)
		}
	}
	browser.Shot(t, ctx, "table-chosen")
	if m := ben.press(ben.choice()); m.Toast != "" {
		t.Fatalf("Ben's card: %s", m.Toast)
	}
	browser.Until(t, ctx, `[...document.querySelectorAll("#news p")].some((p) => p.textContent === "`+name+`")`)
	if got := browser.Eval(t, ctx, next+` + document.getElementById("toasts").textContent`); got != "" {
		t.Errorf("the page says %q after Ann's card", got)
	}
}

// A card that is dragged onto the table is played. One that is let go before springs back. With two taps, the first one only
// raises a card.
func TestACardIsDragged(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	const cards = `document.querySelectorAll(".slot .card").length`
	drag := func(up float64) {
		t.Helper()
		browser.Until(t, ctx, myTurn+` && !!document.querySelector(".slot[aria-disabled=false]")`)
		var x, y float64
		if _, err := fmt.Sscan(browser.Eval(t, ctx, `(({ left, top }) => (left + 20) + " " + (top + 60))(document.querySelector(".slot[aria-disabled=false]").getBoundingClientRect())`), &x, &y); err != nil {
			t.Fatal(err)
		}
		for _, params := range []input.DispatchTouchEventParams{
			{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: x, Y: y - up/2}}},
			{Type: input.DispatchTouchEventTypeTouchMove, TouchPoints: []*input.TouchPoint{{X: x, Y: y - up}}},
			{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
		} {
			if _, err := chromedp.Call(ctx, input.DispatchTouchEvent, params); err != nil {
				t.Fatal(err)
			}
		}
	}
	drag(30)
	if got := browser.Eval(t, ctx, cards+` + document.body.dataset.turn + document.querySelectorAll(".sent").length + [...document.querySelectorAll(".slot")].map((e) => e.style.translate).join("")`); got != "4mine0" {
		t.Fatalf("a card that was let go: %s", got)
	}
	drag(200)
	browser.Until(t, ctx, `[...document.querySelectorAll("#news p")].some((p) => / of /.test(p.textContent))`)

	browser.Do(t, ctx, chromedp.Click("[data-tool=gear]"), chromedp.WaitVisible("dialog [value=two]"))
	browser.Eval(t, ctx, `document.querySelector("[name=set-taps][value=two]").click()`)
	browser.Do(t, ctx, chromedp.Click(".shut"))
	browser.Until(t, ctx, myTurn+` && !!document.querySelector(".slot[aria-disabled=false]")`)
	browser.Eval(t, ctx, `document.querySelector(".slot[aria-disabled=false]").click()`)
	if got := browser.Eval(t, ctx, `document.querySelectorAll(".raised").length + " " + document.querySelectorAll(".sent").length`); got != "1 0" {
		t.Errorf("raised cards, and cards that are played: %s", got)
	}
	browser.Eval(t, ctx, `document.querySelector(".raised").click()`)
	browser.Until(t, ctx, `!!document.querySelector(".sent") || !document.querySelector(".raised")`)
}

// A hint is a glow on a card or button with its reason beside it, until something is played.
func TestAHintGlows(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	link := r.short(t, 4)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	browser.Until(t, ctx, myTurn)
	browser.Do(t, ctx, chromedp.KeyEvent("i"))
	browser.Until(t, ctx, `document.querySelector(".glows")?.matches(".slot[aria-disabled=false], #moves button") && document.querySelector(".bubble")?.innerText.startsWith("I would play: ")`)
	browser.Shot(t, ctx, "hint")
	if got := browser.Eval(t, ctx, `(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= document.querySelector(".glows").getBoundingClientRect().top)(document.querySelector(".bubble").getBoundingClientRect())`); got != "true" {
		t.Error("the reason isn't above the card")
	}
	browser.Eval(t, ctx, `document.querySelector(".glows").click()`)
	browser.Until(t, ctx, `!document.querySelector(".glows, .bubble")`)
}
