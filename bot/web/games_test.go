package web_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// wordsOf returns the text of blocks.
func wordsOf(blocks []view.LiveBlock) string {
	var b strings.Builder
	for _, block := range blocks {
		for _, s := range block.Spans {
			b.WriteString(s.Text)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// replies returns what the bot answers to a person's command in the chat, as text.
func (r *room) replies(t *testing.T, person, line string) string {
	t.Helper()
	reply, err := r.Command(t.Context(), person, playground.Channel, line)
	if err != nil {
		t.Fatal(err)
	}
	if reply.Screen == nil {
		return reply.Toast
	}
	return reply.Screen.WithoutPicture().String()
}

// The tutorial is played on the page from beginning to end, with its remarks, and counts as in the chat.
func TestTheTutorialOnThePage(t *testing.T) {
	t.Parallel()
	r := open(t)
	p := r.door(t, playground.Ann)
	p.press("lesson:")
	p.until(func(l view.Live) bool { return l.Felt != nil })
	remarks, pressed := map[string]bool{}, ""
	for p.live.Phase != table.Over {
		if p.live.Felt.Turn >= 0 && len(p.live.Remark) == 0 {
			t.Fatalf("a state has no remark: %+v", p.live)
		}
		if c := p.choice(); c != "" && c != pressed { // a page always gets such a state, while others may be left out
			remarks[wordsOf(p.live.Remark)] = true
			p.press(c) // meanwhile, the next state may have come
			pressed = c
		} else {
			p.next()
		}
	}
	if len(remarks) < 6 {
		t.Errorf("the tutorial has only %d remarks at the player's turns: %v", len(remarks), remarks)
	}
	if p.live.Panel == nil || !strings.Contains(wordsOf(p.live.Panel.Blocks), "Your first deal is over") {
		t.Errorf("the end of the tutorial: %+v", p.live.Panel)
	}
}

// The deal of the day is played on the page from beginning to end. It counts as in the chat: the board has the result, and
// there is no second try.
func TestTheDealOfTheDayOnThePage(t *testing.T) {
	t.Parallel()
	r := open(t)
	p := r.door(t, playground.Ann)
	p.press(view.DailyNow)
	p.until(func(l view.Live) bool { return l.Felt != nil })
	p.play()
	if p.live.Panel == nil {
		t.Fatalf("the end of the deal: %+v", p.live)
	}
	board := slices.IndexFunc(offers(p.live), func(press string) bool { return strings.HasPrefix(press, "daily:") || strings.HasPrefix(press, "day:") })
	if board < 0 {
		t.Fatalf("the page offers no board: %q", offers(p.live))
	}
	m := p.press(offers(p.live)[board])
	if m.Screen == nil || !strings.Contains(wordsOf(m.Screen.Blocks), "ann") {
		t.Errorf("the board: %+v", m)
	}
	again := r.door(t, playground.Ann)
	if m := again.press(view.DailyNow); m.Screen == nil || again.live.Phase != view.FrontDoor {
		t.Errorf("a second try: %+v", m)
	}
}

// The puzzle of the day is a position on the felt, whose cards and moves are touched. The answer marks the best move. It
// counts as in the chat, and the next puzzle follows.
func TestThePuzzleOnThePage(t *testing.T) {
	t.Parallel()
	r := open(t)
	p := r.door(t, playground.Ann)
	moves := func() (all []string) {
		for _, c := range p.live.Felt.Hand {
			if c.Press != "" && !c.Off {
				all = append(all, c.Press)
			}
		}
		for _, b := range p.live.Felt.Moves {
			if b.Press != "" {
				all = append(all, b.Press)
			}
		}
		return all
	}
	if m := p.press(view.PuzzleNow); m.Screen != nil || p.live.Phase != view.Puzzled || len(moves()) < 2 {
		t.Fatalf("the puzzle: %+v %+v", m, p.live)
	}
	for range 5 { // a puzzle has up to four choices
		if len(moves()) == 0 {
			break
		}
		p.press(moves()[0])
	}
	marks := map[string]int{}
	for _, c := range p.live.Felt.Hand {
		marks[c.Mark]++
	}
	for _, b := range p.live.Felt.Moves {
		marks[b.Mark]++
	}
	if marks[view.MarkBest] == 0 || p.live.Felt.Turn >= 0 {
		t.Errorf("the answer marks no best move: %+v", p.live.Felt)
	}
	solved := wordsOf(p.live.Panel.Blocks)
	if got := r.replies(t, playground.Ann, "/puzzle"); !strings.Contains(got, "You've already answered this puzzle.") {
		t.Errorf("after %q, the chat asks it again: %s", solved, got)
	}
	name := p.live.Felt.Deal
	i := slices.IndexFunc(offers(p.live), func(press string) bool { return strings.HasPrefix(press, "puzzle:next:") })
	if i < 0 {
		t.Fatalf("the page offers no other puzzle: %q", offers(p.live))
	}
	if p.press(offers(p.live)[i]); p.live.Phase != view.Puzzled || p.live.Felt.Deal == name || len(moves()) < 2 {
		t.Errorf("the next puzzle: %+v", p.live)
	}
	p.send(`{"t":"table","table":"` + view.FrontDoor + `"}`)
	p.until(func(l view.Live) bool { return l.Phase == view.FrontDoor })
}

// A puzzle and the tutorial are played by touch, on every screen.
func TestTheFrontDoorsGamesByTouch(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Prefer(t, ctx, "prefers-reduced-motion", "reduce")
	browser.Do(t, ctx, chromedp.Navigate(r.doorAddress(t, ctx, playground.Ann)), chromedp.WaitVisible("#below [data-press='"+view.PuzzleNow+"']"))
	browser.Eval(t, ctx, `document.querySelector("#below [data-press='`+view.PuzzleNow+`']").click()`)
	const (
		open = `document.body.dataset.phase === "puzzle" && document.querySelectorAll(".slot[aria-disabled=false], #moves button:enabled").length > 1`
		move = `[...document.querySelectorAll(".slot[aria-disabled=false], #moves button:enabled")][0]`
		home = `document.querySelector("[data-tool=home]")`
	)
	browser.Until(t, ctx, open)
	shots(t, ctx, "puzzle", move)
	if got := browser.Eval(t, ctx, `document.getElementById("felt").offsetHeight >= 200`); got != "true" {
		t.Error("the felt of a puzzle is lower than 200 px")
	}
	for browser.Eval(t, ctx, open) == "true" {
		ply := browser.Eval(t, ctx, `document.querySelector("#below").innerText`)
		touch(t, ctx, ctx, move)
		browser.Until(t, ctx, `document.querySelector("#below").innerText !== `+strconv.Quote(ply))
	}
	browser.Until(t, ctx, `!!document.querySelector(".slot.best, #moves .best")`)
	shots(t, ctx, "puzzle-answer", home)
	touch(t, ctx, ctx, home)
	browser.Do(t, ctx, chromedp.WaitVisible("#below [data-press='courses:']"))
	browser.Eval(t, ctx, `document.querySelector("#below [data-press='courses:']").click()`)
	browser.Do(t, ctx, chromedp.WaitVisible("dialog [data-press='lesson:']"))
	shots(t, ctx, "learn", `document.querySelector("dialog [data-press='lesson:']")`)
	browser.Eval(t, ctx, `document.querySelector("dialog [data-press='lesson:']").click()`)
	browser.Do(t, ctx, chromedp.WaitVisible("#remark p"))
	browser.Until(t, ctx, myTurn)
	shots(t, ctx, "tutorial", choices+"[0]")
	said := browser.Eval(t, ctx, `document.querySelector("#remark").innerText`)
	touch(t, ctx, ctx, choices+"[0]")
	browser.Until(t, ctx, `document.querySelector("#remark").innerText !== `+strconv.Quote(said)+` && `+myTurn)
	shots(t, ctx, "tutorial-second", choices+"[0]")
}
