package playground

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// window is a browser that shows a playground, which the test fills with messages.
type window struct {
	*testing.T
	p   *Playground
	ctx context.Context
}

func newWindow(t *testing.T) window {
	p, _, url := page(t)
	r := window{t, p, browser.Open(t, 1360, 850)}
	r.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(url), chromedp.WaitVisible("body[data-ready]"))
	return r
}

func (r window) do(actions ...chromedp.Action[chromedp.Void]) {
	r.Helper()
	browser.Do(r.T, r.ctx, actions...)
}

// eval evaluates a script, in which list is the channel or the panel of direct messages
// that the message is in, e is the message, and box returns the place of an element.
func (r window) eval(a chat.Address, script string) string {
	r.Helper()
	return browser.Eval(r.T, r.ctx, onMessage(a, script))
}

// until waits until a script for eval returns true.
func (r window) until(a chat.Address, script string) {
	r.Helper()
	browser.Until(r.T, r.ctx, onMessage(a, script))
}

func onMessage(a chat.Address, script string) string {
	return fmt.Sprintf(`(() => {
		const e = document.querySelector('[data-message="%s"]'), list = e?.closest(".list"), box = (e) => e.getBoundingClientRect();
		return %s;
	})()`, a, script)
}

// topInView is true if a reader sees the top of the message e.
const topInView = `Math.abs(box(e).top - box(list).top) < 16`

// endInView is true if a reader sees the end of the message e.
const endInView = `box(e).bottom <= box(list).bottom && box(e).bottom > box(list).top + 20`

// send sends a screen and waits until the page has it.
func (r window) send(to chat.Target, s screen.Screen) chat.Address {
	r.Helper()
	a, err := r.p.Send(r.Context(), to, s, "")
	if err != nil {
		r.Fatal(err)
	}
	r.until(a, `e !== null`)
	return a
}

// edit changes a message and waits until the page shows the word.
func (r window) edit(a chat.Address, s screen.Screen, word string) {
	r.Helper()
	if err := r.p.Edit(r.Context(), a, s); err != nil {
		r.Fatal(err)
	}
	r.until(a, `e.textContent.includes("`+word+`")`)
}

// drop deletes a message and waits until it is gone.
func (r window) drop(a chat.Address) {
	r.Helper()
	if err := r.p.Delete(r.Context(), a); err != nil {
		r.Fatal(err)
	}
	r.until(a, `e === null`)
}

// stays checks that what happens doesn't move the message, except by the rounding of a pixel.
func (r window) stays(a chat.Address, what string, happens func()) {
	r.Helper()
	before := r.eval(a, `box(e).bottom`)
	happens()
	if moved := r.eval(a, `box(e).bottom - `+before); r.eval(a, `Math.abs(`+moved+`) < 1.5`) != "true" {
		r.Errorf("%s moves a message by %s pixels", what, moved)
	}
}

// lines is a screen of n lines, which begin with a word.
func lines(word string, n int) screen.Screen {
	s := textScreen(word)
	for range n - 1 {
		s.Blocks = append(s.Blocks, screen.Block{Spans: []screen.Span{{Text: "a line"}}})
	}
	return s
}

// A list shows the end of its newest message, however tall that is, on each size of
// screen, after edits too. If nobody plays with it, a tall one opens at its top.
func TestTheEndOfANewMessageIsShown(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := newWindow(t)
	channel := chat.Target{Chat: Channel}
	r.send(channel, lines("first", 3))
	table := lines("tall", 60)
	table.Rows = [][]screen.Button{{button("My cards", "cards:t1")}}
	tall := r.send(channel, table)
	for _, size := range [][2]int64{{1280, 800}, {390, 844}, {844, 390}} {
		r.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.WaitVisible("#line"))
		r.until(tall, `list.clientHeight > 130`)
		r.until(tall, endInView)
	}
	browser.Shot(t, r.ctx, "9-landscape")
	rows := table.Rows
	table = lines("taller", 70)
	table.Rows = rows
	r.edit(tall, table, "taller")
	if r.eval(tall, endInView) != "true" {
		t.Error("an edit hides the end of the newest message")
	}

	// The next deal's message takes the place of this one's.
	next := r.send(channel, lines("next", 5))
	r.stays(next, "the end of the deal before", func() { r.drop(tall) })
	if r.eval(next, endInView) != "true" {
		t.Error("the next deal's message isn't in view")
	}
	long := r.send(channel, lines("rules", 60))
	r.until(long, topInView)
	r.do(chromedp.EmulateViewport(390, 844))
	r.until(long, topInView)
	r.do(chromedp.Reload(), chromedp.WaitVisible("body[data-ready]"))
	r.until(long, topInView)
}

// A reader who scrolled up keeps their place, whatever comes, goes or grows. A button
// says that there is something new, and leads there.
func TestAReaderKeepsTheirPlace(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := newWindow(t)
	const newBelow = `box(list.parentElement.querySelector(".below button")).height > 0`
	for name, to := range map[string]chat.Target{"the channel": {Chat: Channel}, "direct messages": {Player: Ann}} {
		first := r.send(to, lines("first", 4))
		second := r.send(to, lines("second", 4))
		middle := r.send(to, lines("middle", 20))
		last := r.send(to, lines("last", 20))
		if r.eval(last, newBelow) != "false" {
			t.Errorf("%s: something new, for a reader who sees it", name)
		}
		r.eval(middle, `list.scrollTop += box(e).top - box(list).top`)
		r.until(middle, `!followed.has(list)`)

		r.stays(middle, "an edit below", func() { r.edit(last, lines("last, edited", 30), "edited") })
		r.stays(middle, "a new message", func() { last = r.send(to, lines("newest", 3)) })
		r.stays(middle, "an edit above", func() { r.edit(second, lines("second, edited", 9), "edited") })
		r.stays(middle, "a deletion above", func() { r.drop(first) })
		if r.eval(last, newBelow) != "true" {
			t.Errorf("%s: nothing says that there is something new below", name)
		}
		browser.Shot(t, r.ctx, "10-new-below")
		r.eval(last, `list.parentElement.querySelector(".below button").click()`)
		r.until(last, endInView)
		if r.eval(last, newBelow) != "false" {
			t.Errorf("%s: something new, for a reader who went there", name)
		}
		r.stays(last, "a deletion above the end", func() { r.drop(second) })
	}
}

// A picture has its place before it is loaded. The picture of an edited message is shown
// until the new one is loaded, so a message never shrinks and grows.
func TestPicturesDoNotShift(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	p, _, _ := page(t)
	gate := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if strings.HasPrefix(q.URL.Path, "/picture") {
			select {
			case <-gate:
			case <-q.Context().Done():
			}
		}
		p.Page().ServeHTTP(w, q)
	}))
	t.Cleanup(site.Close)
	r := window{t, p, browser.Open(t, 1360, 850)}
	r.do(chromedp.Navigate(site.URL), chromedp.WaitVisible("body[data-ready]"))

	s := lines("hand", 2)
	s.Picture = &screen.Picture{Draw: face.Picture{Hand: &face.Hand{}}, Alt: "no cards"}
	hand := r.send(chat.Target{Player: Ann}, s)
	const height = `Math.round(box(e).height)`
	before := r.eval(hand, height)
	if r.eval(hand, `e.querySelector("img").naturalWidth`) != "0" {
		t.Fatal("the picture was loaded at once")
	}
	close(gate)
	r.until(hand, `e.querySelector("img").naturalWidth > 0`)
	if after := r.eval(hand, height); after != before {
		t.Errorf("a picture changes the height of its message from %s to %s", before, after)
	}

	r.eval(hand, `(window.shown = e.querySelector("img")) && 0`)
	r.edit(hand, func() screen.Screen { s.Blocks = lines("edited", 2).Blocks; return s }(), "edited")
	if r.eval(hand, `e.querySelector("img") === shown && shown.naturalWidth > 0`) != "true" {
		t.Error("an edit of the words takes the picture away")
	}
}

// A clock counts down, in the words of its text.
func TestAClockCountsDown(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := newWindow(t)
	s := textScreen("the AI plays ")
	s.Blocks[0].Spans = append(s.Blocks[0].Spans, screen.Span{Kind: screen.SpanTime, Text: "in 90 s", At: time.Now().Add(90 * time.Second).Unix()})
	a := r.send(chat.Target{Chat: Channel}, s)
	shown := r.eval(a, `e.querySelector(".body").textContent`)
	if !strings.HasPrefix(shown, "the AI plays in 1:") {
		t.Errorf("the clock begins with %q", shown)
	}
	r.until(a, `/in 1:\d\d$/.test(e.querySelector(".body").textContent) && !e.textContent.includes("`+shown+`")`)
}

// A card that can't be played doesn't look or act as if it could. The keyboard waits on
// the hand, and is on a card again when one can be played. The hand comes into view then,
// even from behind a later answer.
func TestAHandThatWaits(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := newWindow(t)
	r.do(chromedp.EmulateViewport(390, 844))
	hand := func(line string, off bool) screen.Screen {
		s := textScreen(line)
		s.Face = face.French
		var row []screen.Button
		for _, name := range []string{"7h", "Ta", "Kl", "Ab"} {
			c, err := game.ParseCard(name)
			if err != nil {
				t.Fatal(err)
			}
			row = append(row, screen.Button{Label: face.Text(s.Face, c), Card: c, Press: "play:" + name, Off: off})
		}
		s.Rows = [][]screen.Button{row, {button("Hint", "hint")}}
		return s
	}
	mine := r.send(chat.Target{Player: Ann}, hand("your turn", false))
	const card = `e.querySelector("[data-card=Ta]")`
	style := `(({ opacity, borderStyle, boxShadow, cursor }) => [opacity < 1, borderStyle, boxShadow, cursor].join())(getComputedStyle(` + card + `))`
	can := r.eval(mine, style)
	r.do(chromedp.Focus(`[data-card="Ta"]`))

	r.edit(mine, hand("wait", true), "wait")
	for _, colours := range []string{"dark", "light"} {
		browser.Prefer(t, r.ctx, "prefers-color-scheme", colours)
		browser.Shot(t, r.ctx, "11-waits-"+colours)
	}
	if cannot := r.eval(mine, style); strings.HasPrefix(can, "true,") || cannot != "true,dashed,none,not-allowed" {
		t.Errorf("a card that can be played looks like %s, another like %s", can, cannot)
	}
	if got := r.eval(mine, `[e.querySelectorAll("[data-card]:disabled").length, document.activeElement === e].join()`); got != "4,true" {
		t.Errorf("cards that can't be played, and whether the keyboard waits on the hand: %s", got)
	}
	r.do(chromedp.KeyEvent(kb.Tab))
	if got := r.eval(mine, `document.activeElement.textContent`); got != "Hint" {
		t.Errorf("the keyboard goes from the hand to %q", got)
	}
	r.eval(mine, `e.focus()`)

	answer := r.send(chat.Target{Player: Ann}, lines("rules", 30))
	if r.eval(answer, topInView) != "true" {
		t.Error("an answer below the hand isn't shown from its top")
	}
	r.edit(mine, hand("your turn", false), "your turn")
	if got := r.eval(mine, `document.activeElement.dataset.card`); got != "7h" {
		t.Errorf("on their turn the keyboard is on %q", got)
	}
	if r.eval(mine, endInView+` && box(`+card+`).top >= box(list).top`) != "true" {
		t.Error("on their turn a player doesn't see their cards")
	}
}

// A text to copy is shown whole on a phone: its lines wrap, also without a space.
func TestATextToCopyWraps(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := newWindow(t)
	r.do(chromedp.EmulateViewport(390, 844))
	mine := r.send(chat.Target{Player: Ann}, screen.Screen{Blocks: []screen.Block{{Look: screen.Code, Spans: screen.Text("Ann + Ben: 60 points, 4 tricks · Cat + Dan: 30 points, 2 tricks" + strings.Repeat("🟩⬜", 40))}}})
	if cut := r.eval(mine, `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(e.querySelector("pre"))`); cut != "false" {
		t.Error("the text is cut at the edge")
	}
}
