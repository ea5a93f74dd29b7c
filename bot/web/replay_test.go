package web_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A finished match is shown on the felt, card by card, with open hands. While a match runs, nobody is shown its replay or
// the coach's opinion, whatever their page asks for.
func TestTheReplayOnAPage(t *testing.T) {
	t.Parallel()
	r := open(t)
	if _, err := r.Command(t.Context(), playground.Ann, playground.Ann, "/solo 2"); err != nil {
		t.Fatal(err)
	}
	p := r.enter(t, r.link(t, playground.Ann, ""))
	p.until(func(l view.Live) bool { return l.Felt != nil && len(l.Felt.Hand) > 0 })
	id := p.live.Table
	none := "I have no record of such a match here."
	asked := []string{"replay:" + id + ":1:1:0:", "deals:" + id + ":1:1:0:", "coach:" + id + ":1:0:0:", "retry:" + id + ":1:1:0:x", "record:" + id + ":1:0:0:", "check:" + id + ":1:1:0:"}
	for _, press := range asked {
		if m := p.press(press); !strings.HasPrefix(m.Toast, none) || m.Screen != nil || m.Replay != nil {
			t.Errorf("during the match, the answer to %q: %+v", press, m)
		}
	}
	client, as := r.forged(t, fromChannel(playground.Ann))
	front := r.page(t, client, as+".@"+playground.Channel)
	front.send(`{"t":"table","table":"` + view.FrontDoor + `"}`)
	front.until(func(l view.Live) bool { return l.Phase == view.FrontDoor })
	for _, press := range asked {
		if m := front.press(press); !strings.HasPrefix(m.Toast, none) || m.Screen != nil || m.Replay != nil {
			t.Errorf("at the front door, the answer to %q: %+v", press, m)
		}
	}
	p.play()
	m := p.press(asked[0])
	if len(m.Replay) < 8 || m.Screen != nil {
		t.Fatalf("the replay has %d steps: %+v", len(m.Replay), m)
	}
	for i, s := range m.Replay {
		if len(s.Hands) != 2 || len(s.Seats) != 2 || s.Felt == nil || s.Line == "" {
			t.Errorf("step %d: %+v", i, s)
		}
	}
	if m := front.press(asked[0]); len(m.Replay) == 0 {
		t.Errorf("the replay at the front door: %+v", m)
	}
	stranger := r.door(t, playground.Eve)
	if m := stranger.press(asked[0]); m.Replay != nil || m.Screen != nil {
		t.Errorf("a stranger's answer: %+v", m)
	}
	checkFront(t, stranger.got)
}

// checkFront checks that no frame of a page at the front door has a card, but for the sevens that lie on its felt.
func checkFront(t *testing.T, frames [][]byte) {
	t.Helper()
	for _, data := range frames {
		var frame map[string]any
		if err := json.Unmarshal(data, &frame); err != nil {
			t.Fatal(err)
		}
		if cards := cardsOn(frame, map[string]string{}); len(cards) > 0 {
			t.Errorf("the front door has the cards %q:\n%s", cards, data)
		}
	}
}

// checkResult checks that the page tells its reader a result at one look: whether they won, the points, theirs first as in the
// bar, the deciding trick as cards, and three buttons besides More.
func checkResult(t *testing.T, ctx context.Context, live view.Live) {
	t.Helper()
	own := live.Seats[live.Me].Side
	numbers := fmt.Sprintf("%d\u00a0:\u00a0%d", live.Sides[own].Points, live.Sides[1-own].Points)
	title := browser.Eval(t, ctx, `document.querySelector(".panel h2").textContent`)
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll("#score .points")].map((e) => e.textContent).join("\u00a0:\u00a0")`); title != "You won "+numbers && title != "You lost "+numbers || got != numbers {
		t.Errorf("the result says %q, and the bar %q, want %q", title, got, numbers)
	}
	if got := browser.Eval(t, ctx, `document.querySelectorAll(".panel .trick .card").length % 4 + " " + document.querySelectorAll(".panel .trick .won").length`); got != "0 1" {
		t.Errorf("the deciding trick: %s", got)
	}
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll(".panel button")].map((e) => e.textContent).join()`); got != "Rematch,Replay,Share,More" {
		t.Errorf("the buttons of a result: %s", got)
	}
}

// again tries another end of the deal from a step of the replay: on the felt, with the hand to touch, up to the verdict. Then the
// replay is where it was.
func again(t *testing.T, ctx context.Context) {
	t.Helper()
	const step, move = `document.querySelector(".scrub input").value`, `[...document.querySelectorAll(".slot[aria-disabled=false], #moves button:enabled")][0]`
	at := browser.Eval(t, ctx, step)
	atOnce(t, ctx)
	touch(t, ctx, ctx, `document.querySelector("#below [data-press^='retry:']")`)
	browser.Until(t, ctx, `document.body.dataset.phase === "puzzle" && !!`+move)
	for browser.Eval(t, ctx, "!!"+move) == "true" {
		before := browser.Eval(t, ctx, `document.getElementById("hand").innerHTML + document.getElementById("below").innerText`)
		touch(t, ctx, ctx, move)
		browser.Until(t, ctx, `!document.querySelector(".sent") && document.getElementById("hand").innerHTML + document.getElementById("below").innerText !== `+strconv.Quote(before))
	}
	shots(t, ctx, "again-end", `document.querySelector("[data-tool=back]")`)
	if got := browser.Eval(t, ctx, `document.getElementById("below").innerText`); !strings.Contains(got, "In the match: ") {
		t.Errorf("the end of another try: %s", got)
	}
	touch(t, ctx, ctx, `document.querySelector("[data-tool=back]")`)
	browser.Do(t, ctx, chromedp.WaitVisible(".scrub input"))
	if got := browser.Eval(t, ctx, step); got != at {
		t.Errorf("after another try, the replay shows card %s, not %s", got, at)
	}
}

// neighbours is a script that lets the coach say of two cards in a row that they were dear, as it does where somebody wins a trick
// with its last card and leads the next one.
const neighbours = `(() => {
	const on = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
	Object.defineProperty(WebSocket.prototype, "onmessage", { ...on, set(hear) {
		on.set.call(this, (event) => {
			const m = JSON.parse(event.data), first = m.replay?.findIndex((step) => step.choices) ?? -1;
			if (first >= 0) m.replay[first + 1].choices = m.replay[first].choices;
			hear({ data: JSON.stringify(m) });
		});
	} });
})()`

// The slider, the arrow keys, a button that plays all, and the dots of the coach lead to each card of a match, and Close back to its result.
func TestTheReplayInABrowser(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	link := r.short(t, 4)
	p := r.enter(t, strings.TrimPrefix(link, r.site.URL+"/#t="))
	p.play()
	if p.live.Phase != table.Over {
		t.Fatal("the match isn't over")
	}
	r.judge(t, p)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	onEach(t, ctx, neighbours)
	onEach(t, ctx, cutting)
	address := strings.Replace(r.doorAddress(t, ctx, playground.Ann), ".@", "."+p.live.Table+"@", 1)
	browser.Do(t, ctx, chromedp.Navigate(address), chromedp.WaitVisible(".panel [data-press^='replay:']"))
	checkResult(t, ctx, p.live)
	const replay, next, shut = `document.querySelector(".panel [data-press^='replay:']")`, `document.querySelector(".scrub .next")`, `document.querySelector(".shut-replay")`
	shots(t, ctx, "over")
	touch(t, ctx, ctx, replay)
	browser.Do(t, ctx, chromedp.WaitVisible(".scrub input"))
	const step = `document.querySelector(".scrub input").value`
	for _, at := range []struct{ key, want string }{{kb.ArrowRight, "1"}, {kb.ArrowRight, "2"}, {kb.ArrowLeft, "1"}, {kb.ArrowLeft, "0"}} {
		browser.Do(t, ctx, chromedp.KeyEvent(at.key))
		if got := browser.Eval(t, ctx, step); got != at.want {
			t.Errorf("an arrow key leads to card %s, want %s", got, at.want)
		}
	}
	touch(t, ctx, ctx, `document.querySelector(".scrub .play")`)
	browser.Until(t, ctx, step+" > 1")
	touch(t, ctx, ctx, `document.querySelector(".scrub .play")`)
	// A dot is a button with a name for keys and screen readers, and a finger touches the curve beside it.
	const dot, plot, costly = `document.querySelector(".dot")`, `document.querySelector(".plot")`, `!!document.querySelector("#below [data-press^='retry:']")`
	for _, lead := range []func(){
		func() { browser.Do(t, ctx, chromedp.Focus(".dot"), chromedp.KeyEvent(kb.Enter)) },
		func() {
			touch(t, ctx, ctx, `({ getBoundingClientRect: () => { const { left, width } = `+dot+`.getBoundingClientRect(), { bottom } = `+plot+`.getBoundingClientRect(); return { left: left + 9, width, top: bottom - 4, height: 2 }; } })`)
		},
	} {
		browser.Eval(t, ctx, `(() => { const e = document.querySelector(".scrub input"); e.value = 0; e.dispatchEvent(new Event("input")); })()`)
		if browser.Eval(t, ctx, costly) == "true" {
			t.Fatal("the first card cost something")
		}
		lead()
		browser.Until(t, ctx, costly)
	}
	if got := browser.Eval(t, ctx, `[...document.querySelectorAll(".dot")].every((e) => e.ariaLabel.startsWith("your choice: ")) && `+plot+`.offsetHeight >= 44 && `+plot+`.offsetWidth >= 200`); got != "true" {
		t.Error("a dot has no name, or its curve is too small for a finger")
	}
	again(t, ctx)
	browser.Eval(t, ctx, `(() => { const e = document.querySelector(".scrub input"); e.value = 0; e.dispatchEvent(new Event("input")); })()`)
	for range 4 {
		touch(t, ctx, ctx, next)
	}
	browser.Until(t, ctx, `document.querySelectorAll(".pile .card").length >= 4 && document.querySelectorAll(".open").length === 4 && [...document.querySelectorAll(".open")].every((e) => e.offsetWidth > 0 && e.checkVisibility({ visibilityProperty: true })) && document.querySelectorAll(".open .card:not(.dark)").length > 0`)
	shots(t, ctx, "replay", next, shut)
	browser.Eval(t, ctx, `(() => { const e = document.querySelector(".scrub input"); e.value = e.max; e.dispatchEvent(new Event("input")); })()`)
	browser.Until(t, ctx, `document.querySelector(".scrub .next").disabled`)
	shots(t, ctx, "replay-end", shut)
	touch(t, ctx, ctx, shut)
	browser.Do(t, ctx, chromedp.WaitVisible(".panel [data-press^='rematch:']"))
	coached(t, ctx)
}

// judge stores the coach's opinion of all of Ann's choices in the match that she has played: each time, the last move on her page
// was best, and the first one, which she chose, cost a stake.
func (r *room) judge(t *testing.T, p *page) {
	t.Helper()
	var remarks []byte // as a verdict has them
	n := 0
	for action := range 32 {
		m := p.press(fmt.Sprintf("retry:%s:1:1:%d:x", p.live.Table, action))
		if m.Position == nil || m.Position.Felt.Ply != action { // not Ann's choice
			continue
		}
		presses := []string{}
		for _, c := range m.Position.Felt.Hand {
			presses = append(presses, c.Press)
		}
		for _, b := range m.Position.Felt.Moves {
			presses = append(presses, b.Press)
		}
		presses = slices.DeleteFunc(presses, func(press string) bool { return press == "" })
		if len(presses) > 1 {
			best := presses[len(presses)-1]
			at, cost := strings.IndexByte("8gowEMU", best[len(best)-1]), 100
			if at == 0 {
				cost = 0 // she chose the first one
			}
			remarks = binary.AppendVarint(binary.AppendUvarint(remarks, uint64(len(presses))), 100)
			for i := range presses {
				less := uint64(100)
				if i == at {
					less = 0
				}
				remarks = binary.AppendUvarint(remarks, less)
			}
			remarks = append(binary.AppendUvarint(remarks, uint64(cost)), 0)
			n++
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = w.Write(append(binary.AppendUvarint(nil, uint64(n)), remarks...))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	opinion := map[string]any{"choices": n, "lost": 100 * n, "stake": 100 * n, "remarks": packed.Bytes(), "done": true}
	partition, _ := doc.TablePartition(p.live.Table)
	change := store.Change{Partition: partition, Writes: []store.Write{{Name: doc.VerdictName(p.live.Table, 1, playground.Ann), Expect: store.Any, Data: doc.Encode(opinion)}}}
	if err := r.kept.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	m := p.press(screen.PressOf("coach", p.live.Table, "1", "1", "0", ""))
	if m.Position == nil {
		t.Fatalf("the coach's answer: %+v", m)
	}
}

// moment checks that the page shows a moment of the coach on the felt, with the better move and the reader's own one marked.
func moment(t *testing.T, ctx context.Context, no int) (name string) {
	t.Helper()
	name = fmt.Sprintf("Moment %d of 3", no)
	browser.Until(t, ctx, `document.body.dataset.phase === "puzzle" && document.querySelector("#below h2")?.textContent.startsWith(`+strconv.Quote(name)+`)`)
	if got := browser.Eval(t, ctx, `document.querySelectorAll(":is(.slot, #moves button).best").length + " " + document.querySelectorAll(":is(.slot, #moves button).wrong").length + " " + document.querySelector("dialog").open`); got != "1 1 false" {
		t.Errorf("%s: %s (better moves, wrong ones, and whether a dialog is open)", name, got)
	}
	return name
}

// saidOnce checks that the page shows a moment of the coach, and that a screen reader was told once.
func saidOnce(t *testing.T, ctx context.Context, no int) {
	t.Helper()
	name := moment(t, ctx, no)
	const said = `document.getElementById("news").textContent`
	if got := browser.Eval(t, ctx, said+`.split("`+name+`").length`); got != "2" {
		t.Errorf("%s is said %s times less one: %s", name, got, browser.Eval(t, ctx, said))
	}
}

// toMoment leads from one moment of the coach to another by an arrow key.
func toMoment(t *testing.T, ctx context.Context, key string, no int) {
	t.Helper()
	browser.Eval(t, ctx, `document.getElementById("news").replaceChildren()`)
	browser.Do(t, ctx, chromedp.KeyEvent(key))
	saidOnce(t, ctx, no)
}

// coached looks at the moments of the coach. The arrow keys lead from one to the next, the last one has the verdict, and a card plays
// on from there.
func coached(t *testing.T, ctx context.Context) {
	t.Helper()
	browser.Do(t, ctx, chromedp.Click(".panel [data-press^='more:']"), chromedp.WaitVisible("dialog [data-press^='coach:']"), chromedp.Click("dialog [data-press^='coach:']"))
	saidOnce(t, ctx, 1)
	toMoment(t, ctx, kb.ArrowRight, 2)
	toMoment(t, ctx, kb.ArrowRight, 3)
	toMoment(t, ctx, kb.ArrowLeft, 2)
	holds(t, ctx, 2)
	toMoment(t, ctx, kb.ArrowRight, 3)
	shots(t, ctx, "coach", `document.querySelector("#below [data-press^='coach:']")`, `document.querySelector(".best")`)
	if got := browser.Eval(t, ctx, `document.getElementById("below").innerText`); !strings.Contains(got, "Your accuracy: ") {
		t.Errorf("the last moment has no verdict: %s", got)
	}
	touch(t, ctx, ctx, `document.querySelector(":is(.slot, #moves button).best")`)
	browser.Until(t, ctx, `document.querySelector("#below h2")?.textContent.startsWith("Try again: ")`)
	touch(t, ctx, ctx, `document.querySelector("[data-tool=back]")`)
	browser.Do(t, ctx, chromedp.WaitVisible(".panel [data-press^='rematch:']"))
}

// holds checks that a moment of the coach stays where it is when the connection is lost, and when the page is loaded again.
func holds(t *testing.T, ctx context.Context, no int) {
	t.Helper()
	browser.Eval(t, ctx, `(document.getElementById("news").replaceChildren(), window.phases = new Set([document.body.dataset.phase]), window.seen?.disconnect(),
		window.seen = new MutationObserver(() => phases.add(document.body.dataset.phase)), seen.observe(document.body, { attributeFilter: ["data-phase"] }), cut())`)
	browser.Until(t, ctx, `document.body.classList.contains("lost")`)
	browser.Until(t, ctx, `!document.body.classList.contains("lost") && sockets() === 1`)
	toMoment(t, ctx, kb.ArrowRight, no+1)
	if got := browser.Eval(t, ctx, `[...phases].join()`); got != "puzzle" {
		t.Errorf("after a lost connection, the page shows %s", got)
	}
	browser.Do(t, ctx, chromedp.Reload(), chromedp.WaitVisible("body[data-ready]"))
	moment(t, ctx, no+1)
	toMoment(t, ctx, kb.ArrowLeft, no)
}

// The coach's moments are the same at the front door, whose deal of the day leads to them.
func TestTheCoachAtTheFrontDoor(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	p := r.door(t, playground.Ann)
	p.press(view.DailyNow)
	p.until(func(l view.Live) bool { return l.Felt != nil })
	p.play()
	r.judge(t, p)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	onEach(t, ctx, cutting)
	browser.Do(t, ctx, chromedp.Navigate(r.tableAddress(t, ctx, playground.Ann, view.FrontDoor)), chromedp.WaitVisible("#below [data-press='"+view.DailyNow+"']"),
		chromedp.Click("#below [data-press='"+view.DailyNow+"']"), chromedp.WaitVisible("dialog [data-press^='coach:']"), chromedp.Click("dialog [data-press^='coach:']"))
	saidOnce(t, ctx, 1)
	toMoment(t, ctx, kb.ArrowRight, 2)
	holds(t, ctx, 2)
	touch(t, ctx, ctx, `document.querySelector(":is(.slot, #moves button).best")`)
	browser.Until(t, ctx, `document.querySelector("#below h2")?.textContent.startsWith("Try again: ")`)
	touch(t, ctx, ctx, `document.querySelector("[data-tool=home]")`)
	browser.Do(t, ctx, chromedp.WaitVisible("#below [data-press='"+view.DailyNow+"']"), chromedp.Reload(), chromedp.WaitVisible("#below [data-press='"+view.DailyNow+"']"))
}
