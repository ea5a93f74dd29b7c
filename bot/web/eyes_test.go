package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/bottest/eyes"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
)

// listening is a script that keeps in window.heard what the page's live regions say: what is added to one that a screen reader
// knows already. Beside an open dialog, nothing is read aloud.
const listening = `(() => {
	window.heard = [];
	const words = (n) => n.nodeType === Node.TEXT_NODE ? n.data
		: n.nodeType !== Node.ELEMENT_NODE || n.ariaHidden === "true" ? ""
		: n.ariaLabel ?? [...n.childNodes].map(words).join("");
	new MutationObserver((changes) => {
		const modal = document.querySelector("dialog[open]");
		for (const { target, addedNodes } of changes) {
			const region = target.closest?.("[aria-live=polite], [aria-live=assertive], [role=status]");
			if (!region?.checkVisibility() || modal && !modal.contains(region)) continue;
			for (const n of addedNodes) {
				const text = words(n).trim();
				if (text) heard.push(text);
			}
		}
	}).observe(document, { childList: true, subtree: true });
})()`

// blind is a player who reads only the accessibility tree and the live regions of a page, and presses only keys.
type blind struct {
	t     *testing.T
	ctx   context.Context
	heard []string // since the player last acted

	trick eyes.Trick  // the open one
	hand  []eyes.Card // by place
	fresh bool        // nothing was drawn since the hand was heard
	figures
}

// figures are what whole matches took.
type figures struct{ matches, wins, words, others, keys, own, stops int }

func (f figures) String() string {
	return fmt.Sprintf("%d matches, %d won; %.1f spoken words for each card of others; %.2f keys for each own card, and one for each of %d stops",
		f.matches, f.wins, float64(f.words)/float64(f.others), float64(f.keys)/float64(f.own), f.stops)
}

// element is a node of the accessibility tree.
type element struct {
	role, name        string
	focused, disabled bool
	focusable         bool
}

// tree returns what a screen reader can read, in order.
func (b *blind) tree() (all []element) {
	b.t.Helper()
	got, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	nodes := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range got.Nodes {
		nodes[n.NodeID] = n
	}
	text := func(v *accessibility.Value) string {
		if v == nil || len(v.Value) == 0 {
			return ""
		}
		var s any
		if err := json.Unmarshal(v.Value, &s); err != nil {
			b.t.Fatal(err)
		}
		return fmt.Sprint(s)
	}
	var walk func(*accessibility.Node)
	walk = func(n *accessibility.Node) {
		if !n.Ignored {
			e := element{role: text(n.Role), name: text(n.Name)}
			for _, p := range n.Properties {
				is := text(p.Value) == "true"
				switch p.Name { //nolint:exhaustive // the others don't matter to a reader of names
				case accessibility.PropertyNameFocused:
					e.focused = is
				case accessibility.PropertyNameFocusable:
					e.focusable = is
				case accessibility.PropertyNameDisabled:
					e.disabled = is
				}
			}
			all = append(all, e)
		}
		for _, id := range n.ChildIDs {
			if c := nodes[id]; c != nil {
				walk(c)
			}
		}
	}
	walk(got.Nodes[0])
	return all
}

// type presses a key.
func (b *blind) key(key string) {
	b.t.Helper()
	browser.Do(b.t, b.ctx, chromedp.KeyEvent(key))
}

// listen waits until the page has said something that begins with one of the words, and returns it. b.heard keeps all that was
// heard until then.
func (b *blind) listen(wanted ...string) string {
	b.t.Helper()
	return b.typed("", wanted...)
}

// typed presses a key of a letter or a digit, if there is one, and then listens. Both take one request, so that a match is quick.
func (b *blind) typed(key string, wanted ...string) string {
	b.t.Helper()
	list, err := json.Marshal(wanted)
	if err != nil {
		b.t.Fatal(err)
	}
	said, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf(`new Promise((done) => {
		if (%q) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: %[1]q, bubbles: true, cancelable: true }));
		const until = performance.now() + 60000, look = () => {
			const last = heard.findIndex((text) => %s.some((word) => text.startsWith(word)));
			if (last >= 0 || performance.now() > until) done(heard.splice(0, last + 1));
			else setTimeout(look, 10);
		};
		setTimeout(look);
	})`, key, list), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	if len(said) == 0 {
		b.t.Fatalf("%q isn't said, but %s:\n%s", wanted, browser.Eval(b.t, b.ctx, `JSON.stringify(heard)`), b.dump())
	}
	b.heard = append(b.heard, said...)
	return said[len(said)-1]
}

// find waits for an element whose role and the beginning of whose name are these.
func (b *blind) find(role, name string) element {
	b.t.Helper()
	for range 200 {
		for _, e := range b.tree() {
			if e.role == role && strings.HasPrefix(e.name, name) && !e.disabled {
				return e
			}
		}
		browser.Until(b.t, b.ctx, `new Promise((done) => setTimeout(() => done(true), 50))`)
	}
	b.t.Fatalf("no %s %q in the tree:\n%s", role, name, b.dump())
	return element{}
}

// dump returns the tree, for errors.
func (b *blind) dump() string {
	var s strings.Builder
	for _, e := range b.tree() {
		fmt.Fprintf(&s, "%s %q", e.role, e.name)
		if e.focused {
			s.WriteString(" (focused)")
		}
		s.WriteString("\n")
	}
	return s.String()
}

// press goes to a button by the Tab key, and presses it by Enter.
func (b *blind) press(name string) {
	b.t.Helper()
	b.find("button", name)
	for range 5 {
		at, to, n := 0, -1, 0
		for _, e := range b.tree() {
			if !e.focusable || e.disabled || e.role == "RootWebArea" {
				continue
			}
			n++
			if e.focused {
				at = n
			}
			if to < 0 && e.role == "button" && strings.HasPrefix(e.name, name) {
				to = n
			}
		}
		if at == to {
			b.heard = nil
			browser.Eval(b.t, b.ctx, `heard.length = 0`)
			b.key(kb.Enter)
			return
		}
		if to < at {
			at -= n
		}
		for range to - at {
			b.key(kb.Tab)
		}
	}
	b.t.Fatalf("the Tab key doesn't reach %q:\n%s", name, b.dump())
}

var (
	cardSaid = regexp.MustCompile(`^(?:([^:]+): )?(\w+) of (clubs|spades|hearts|diamonds)$`)
	handSaid = regexp.MustCompile(`(\d): (\w+) of (clubs|spades|hearts|diamonds)`)
)

// follow reads what was heard, and keeps the open trick.
func (b *blind) follow() {
	b.t.Helper()
	for _, said := range b.heard {
		b.words += len(strings.Fields(said))
		if m := cardSaid.FindStringSubmatch(said); m != nil {
			c := eyes.Card{Rank: m[2], Suit: m[3]}
			b.trick.Cards = append(b.trick.Cards, c)
			if m[1] != "" {
				b.others++
			}
		} else if strings.Contains(said, " took ") {
			b.trick.Cards, b.fresh = nil, false
		}
	}
	b.heard = nil
}

// look hears the hand.
func (b *blind) look() {
	b.t.Helper()
	said := b.typed("h", "1: ", "2: ", "3: ", "4: ")
	b.heard = slices.DeleteFunc(b.heard, func(text string) bool { return text == said })
	b.keys++
	b.hand = make([]eyes.Card, 9)
	for _, m := range handSaid.FindAllStringSubmatch(said, -1) {
		place, _ := strconv.Atoi(m[1])
		b.hand[place-1] = eyes.Card{Rank: m[2], Suit: m[3]}
	}
	b.fresh = true
}

// play plays until one of these is said, and returns what was said.
func (b *blind) play(ends ...string) string {
	b.t.Helper()
	b.trick, b.fresh = eyes.Trick{}, false
	for key := ""; ; {
		said := b.typed(key, append([]string{"Your turn."}, ends...)...)
		b.follow()
		if said != "Your turn." {
			return said
		}
		if b.trick.Players == 0 {
			b.trick.Players = 1
			for _, e := range b.tree() {
				if strings.HasPrefix(e.name, "Cards in hand: ") {
					b.trick.Players++
				}
			}
		}
		if !b.fresh {
			b.look()
		}
		place := eyes.Choose(b.hand, b.trick)
		if place < 0 {
			b.stops++
			key = "5" // the button behind the four cards
			continue
		}
		b.own++
		b.keys++
		b.trick.Cards = append(b.trick.Cards, b.hand[place])
		b.hand[place] = eyes.Card{}
		key = strconv.Itoa(place + 1)
	}
}

// match plays a match to its end.
func (b *blind) match() {
	b.t.Helper()
	if strings.HasPrefix(b.play("You won", "You lost", "draw"), "You won") {
		b.wins++
	}
	b.matches++
	b.find("heading", "You")
}

// sit opens a table for two in the channel, whose match is one deal long, and starts it from the lobby on the page.
func sit(t *testing.T, r *room) *blind {
	t.Helper()
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, "/new 2"); err != nil {
		t.Fatal(err)
	}
	ctx := browser.Open(t, 320, 480) // nobody looks at it
	onEach(t, ctx, listening)
	onEach(t, ctx, `try { localStorage.setItem("sedma-speed", "off"); } catch { /* a page without an address */ }`)
	browser.Do(t, ctx, chromedp.Navigate(r.doorAddress(t, ctx, playground.Ann)), chromedp.WaitVisible("body[data-ready]"))
	b := &blind{t: t, ctx: ctx}
	b.press("All games")
	b.press("To your table: Sedma, 2 players")
	b.press("1 deal")
	// Nobody sees the drawings of the cards' marks, which the browser styles again with each change.
	browser.Eval(t, ctx, `document.querySelector("#sprite svg").remove()`)
	b.press("Start")
	return b
}

// playMatches plays some matches, each one by a press on the result of the one before.
func (b *blind) playMatches(n int) {
	b.t.Helper()
	for b.match(); b.matches < n; b.match() {
		b.press("Rematch")
	}
}

// check fails the test if too much is said, or too many keys are needed.
func (f figures) check(t *testing.T) {
	t.Helper()
	t.Log(f)
	if f.words > 12*f.others {
		t.Error("more than 12 words are said for each card of the others")
	}
	if f.keys > 2*f.own {
		t.Error("a card takes more than two keys")
	}
}

// A robot that reads only the accessibility tree and the live regions of the page, and presses only keys, opens a table and plays
// whole matches, and then the deal and the puzzle of the day, and a lesson. So what isn't said can't be needed.
func TestAPlayerWhoSeesNothing(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	t.Run("matches", func(t *testing.T) {
		t.Parallel()
		b := sit(t, open(t))
		b.playMatches(4)
		b.check(t)
	})
	t.Run("the rest", func(t *testing.T) {
		t.Parallel()
		b := sit(t, open(t))
		b.listen("Your turn.") // from now on, this table says nothing
		b.press("All games")
		b.press("Deal of the day")
		b.play("Deal of the day")
		if said := b.listen("You: "); !strings.Contains(said, " points") {
			t.Errorf("of the deal of the day, only %q is said", said)
		}

		b.press("All games")
		b.press("Puzzle of the day")
		b.listen("Your turn: what do you play?")
		b.listen("Your turn.")
		key := browser.Eval(t, b.ctx, `1 + [...document.querySelectorAll(".slot")].findIndex((e) => e.getAttribute("aria-disabled") === "false")`)
		b.typed(key, "Right", "You chose") // the hand may have gaps, and cards that can't be played now

		b.press("All games")
		b.press("Learn")
		b.press("Tutorial")
		b.play("Your first deal is over")
	})
}

// In its long form, the robot wins at least 40 % of 200 matches against the Bear, which plays for all AIs of this test.
func TestAPlayerWhoSeesNothingWins(t *testing.T) {
	t.Parallel()
	if !long() {
		t.Skip("it plays two hundred matches")
	}
	var all figures
	t.Run("matches", func(t *testing.T) {
		for range 40 {
			t.Run("", func(t *testing.T) {
				b := sit(t, open(t))
				b.playMatches(5)
				t.Log(b.figures)
				all = figures{all.matches + b.matches, all.wins + b.wins, all.words + b.words, all.others + b.others, all.keys + b.keys, all.own + b.own, all.stops + b.stops}
			})
		}
	})
	all.check(t)
	if all.matches < 200 || all.wins < 80 {
		t.Errorf("the robot won %d of %d matches", all.wins, all.matches)
	}
}
