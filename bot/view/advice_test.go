package view

import (
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

// A reason says what can still take the trick and which cards the pack lacks. Where there is no room, it leaves these out, the
// last first, but never says half a sentence.
func TestReasonsAreCutAtSentences(t *testing.T) {
	t.Parallel()
	card := func(rank game.Rank, suit game.Suit) game.Card { return game.NewCard(rank, suit) }
	r := Reason{
		Cause: "over", Better: game.PlayCard(card('8', 'a')), Other: game.PlayCard(card('9', 'l')), Points: 10,
		Cards: []game.Card{card('7', 'a'), card('7', 'l')}, Missing: []game.Card{card('8', 'h'), card('8', 'b')},
	}
	w := NewWriter(lang.For("en"), face.French)
	sentences := r.sentences(w)
	if len(sentences) != 3 || !strings.Contains(sentences[1], "7♣ 7♠") || !strings.Contains(sentences[2], "8♥ 8♦") {
		t.Fatalf("%q", sentences)
	}
	all := r.Text(w)
	for n := 3; n > 0; n-- {
		want := strings.Join(sentences[:n], " ")
		if got := r.Brief(w, len([]rune(want))); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if all != strings.Join(sentences, " ") {
		t.Errorf("%q", all)
	}
	r.Sure = true
	if got := r.Text(w); !strings.Contains(got, "for certain") || strings.Contains(got, "Still able") {
		t.Errorf("%q", got)
	}
}

// A choice says what it costs: deals of a hundred that are lost, or points. No mistake costs nothing.
func TestWhatChoicesCost(t *testing.T) {
	t.Parallel()
	w := NewWriter(lang.For("en"), face.French)
	for preset, want := range map[string][3]string{
		"sedma-4p": {"costs 25 wins in 100 deals", "costs 1 win in 100 deals", "costs 100 wins in 100 deals"},
		"sedma-3p": {"costs 33 wins in 100 deals", "costs 1 win in 100 deals", "costs 100 wins in 100 deals"},
		"hola-4p":  {"costs 1 point", "costs 1 point", "costs 3 points"},
	} {
		r := gametest.Preset(t, preset)
		if got := [3]string{Cost(w, r, 0.496), Cost(w, r, 0.002), Cost(w, r, 2.9)}; got != want {
			t.Errorf("%s: %q, not %q", preset, got, want)
		}
	}
}

// With two players, a reason is about the reader's only opponent. A card that takes nothing isn't called worth keeping, and nobody is
// certain of no points.
func TestReasonsFitTheirReader(t *testing.T) {
	t.Parallel()
	w := NewWriter(lang.For("en"), face.French)
	better, other := game.PlayCard(game.NewCard('7', 'a')), game.PlayCard(game.NewCard('9', 'l'))
	two := game.NewCard('2', 'a')
	for _, c := range []struct {
		r    Reason
		want string
	}{
		{Reason{Cause: "low", Points: 10}, "Your opponent is winning this trick: 9♠ gives them 10 points more."},
		{Reason{Cause: "low", Points: 10, Several: true}, "An opponent is winning this trick: 9♠ gives them 10 points more."},
		{Reason{Cause: "low", Points: 10, Than: 50}, "Your opponent is winning this trick: 9♠ gives them 10 points more. The other side would then have 50 points: enough to win the deal."},
		{Reason{Cause: "feed", Points: 10, Than: 50, Sure: true}, "This trick can't be lost any more: 7♣ brings it 10 points more. With 7♣, this trick brings your side to 50 points: enough to win the deal."},
		{Reason{Cause: "feed", Points: 10, Cards: []game.Card{two}, Lead: true}, "7♣ brings this trick 10 points more, and only 2♣ could beat it."},
		{Reason{Cause: "spare", Own: true}, "Keep 9♠ for later: it takes any trick."},
		{Reason{Cause: "bank", Cards: []game.Card{two}}, "If you stop, this trick is safe; in another round, it could still be lost. Still able to take the trick: 2♣."},
		{Reason{Cause: "over", Cards: []game.Card{two}, Then: []game.Card{game.NewCard('J', 'h')}}, "Your opponent is winning this trick: with 7♣, you can take it and lead next. Then nobody can beat J♥. Still able to take the trick: 2♣."},
		{Reason{Cause: "ends", Own: true, Points: 30}, "You need 30 points more to win the deal. With 7♣, this trick gives you that many so far; with 9♠, it doesn't."},
		{Reason{Cause: "bank", Points: 20, Cards: []game.Card{two}}, "If you stop, you take 20 points; in another round, they could still be lost. Still able to take the trick: 2♣."},
		{Reason{Cause: "dead", Points: 10, Cards: []game.Card{two}}, "Already played: 2♣. So 7♣ can't take the last trick if another player leads it; 9♠ still can."},
		{Reason{Cause: "equal"}, "7♣ and 9♠ are about equally good."},
		{Reason{Cause: "equal", Advice: "lead.low"}, "7♣ and 9♠ are about equally good. Lead a card worth nothing, and keep aces, tens and sevens for later."},
		{Reason{Cause: "equal", Advice: "leave"}, "7♣ and 9♠ are about equally good. Don't take it over: play the card that you need least."},
		{Reason{Cause: "open", Points: 30, Cards: []game.Card{two}}, "You know what your opponent has: 2♣. Points you are certain of in this deal: 30 with 7♣, none with 9♠."},
	} {
		if c.r.Better, c.r.Other = better, other; c.r.Text(w) != c.want {
			t.Errorf("%+v: %q", c.r, c.r.Text(w))
		}
	}
}
