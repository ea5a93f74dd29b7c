package review

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
)

// These are the bounds of the text of a step. With its picture and two rows of buttons, it fits a phone.
const (
	stepLetters = 400
	stepLines   = 7
)

// Each step of a replay fits a phone, in every language. Its picture shows the cards that the words name: the trick, the
// hands before the card, and as dim the card that was played.
func TestAStepFitsAPhone(t *testing.T) {
	clocktest.Waits(t)
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		for _, preset := range []string{"sedma-2p", "sedma-4p", "sedma-4p-kase1", "sedma-3p-solo-hearts", "ristikontra", "hola-6p"} {
			s := played(t, preset, language)
			for step := 0; ; step++ {
				r := replayed(t, s, step)
				shown := r.Screen(c)
				screentest.Check(t, preset, shown)
				text := screen.Screen{Blocks: shown.Blocks, Face: shown.Face}.String()
				if n, lines := utf8.RuneCountInString(text), strings.Count(strings.TrimSpace(text), "\n")+1; n > stepLetters || lines > stepLines {
					t.Errorf("%s, step %d: %d characters in %d lines:\n%s", preset, step, n, lines, text)
				}
				drawn, words := shown.Picture.Draw.Table, shown.WithoutPicture().String()
				dim := 0
				for seat, hand := range drawn.Hands {
					for i, card := range hand.Cards {
						if card != r.Hands[seat][i] || card != 0 && !strings.Contains(words, face.Text(shown.Face, card)) {
							t.Errorf("%s, step %d: seat %d has %s, and the words are\n%s", preset, step, seat, card, words)
						}
						if hand.Dim[i] {
							dim++
						}
					}
				}
				inHand := 0 // the card that was played, if it didn't come from the stock
				for _, play := range drawn.Plays {
					if !strings.Contains(words, face.Text(shown.Face, play.Card)) {
						t.Errorf("%s, step %d: %s was played, and the words are\n%s", preset, step, play.Card, words)
					}
				}
				if plays := drawn.Plays; step > 0 && slices.Contains(r.Hands[plays[len(plays)-1].Seat], plays[len(plays)-1].Card) {
					inHand = 1
				}
				if dim != inHand {
					t.Errorf("%s, step %d: %d cards are dim, and %d were played from the hands", preset, step, dim, inHand)
				}
				if strings.Contains(words, strings.Repeat("0", 8)) {
					t.Errorf("%s, step %d shows hexadecimal", preset, step)
				}
				if step == r.Steps {
					break
				}
			}
		}
	})
}

// The button Check the cards shows the seed of the deal and its fingerprint.
func TestTheCardsOfAReplayCanBeChecked(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		c := lang.For(language)
		r := replayed(t, played(t, "sedma-2p", language), 0)
		screentest.Golden(t, language, "check", screentest.Words(t, r.Check(c)))
		if !strings.Contains(r.Screen(c).String(), "["+c.Text("button.proof")+"]") {
			t.Error("no button leads there")
		}
	})
}
