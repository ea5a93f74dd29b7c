package view

import (
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
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

// Choices that bring next to nothing have the same score, even if one brings a little less than nothing.
func TestNothingHasOneSign(t *testing.T) {
	t.Parallel()
	seven, king := game.PlayCard(game.NewCard('7', 'a')), game.PlayCard(game.NewCard('K', 'l'))
	w := NewWriter(lang.For("en"), face.French)
	if got := AdviceText(w, []Advice{{seven, 0.5}, {king, 0.004}, {game.Stop, -0.004}}); got != "7♣ +0.50 · K♠, Stop +0.00" {
		t.Errorf("%q", got)
	}
}
