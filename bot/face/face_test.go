package face

import (
	"maps"
	"slices"
	"testing"
	"unicode/utf8"

	"sedmabot/game"
)

func TestTextTellsEveryCardOfAPackFromEveryOther(t *testing.T) {
	t.Parallel()
	for _, deck := range []game.Deck{game.German32, game.French52, game.French104} {
		for _, f := range append(slices.Collect(maps.Keys(styles)), "") {
			seen := map[string]game.Card{}
			for _, c := range (game.Rules{Deck: deck}).Pack() {
				label := Text(f, c)
				if n := utf8.RuneCountInString(label); n < 2 || n > 34 {
					t.Errorf("%s in face %q is %q: %d characters", c, f, label, n)
				}
				if other, ok := seen[label]; ok && other != c {
					t.Errorf("%s and %s are both %q in face %q", c, other, label, f)
				}
				seen[label] = c
			}
		}
	}
}

func TestTextNamesRankAndSuit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		card string
		want map[Face]string
	}{
		{"7h", map[Face]string{French: "7♥", Skat: "7♥", German: "7❤️", Czech: "7❤️", Slovak: "7❤️", Hungarian: "7❤️", Plain: "7h", PlainGerman: "7h"}},
		{"Ts", map[Face]string{French: "10♠", German: "10🍃", Czech: "10🍃", Plain: "10s", PlainGerman: "10l"}},
		{"Tl", map[Face]string{French: "10♠", German: "10🍃", Czech: "10🍃", Plain: "10s", PlainGerman: "10l"}},
		{"Ua", map[Face]string{French: "J♣", Skat: "B♣", German: "U🌰", Czech: "Sp🌰", Slovak: "D🌰", Hungarian: "Al🌰", Plain: "Jc", PlainGerman: "Ua", PlainCzech: "Spa", PlainSkat: "Bc"}},
		{"Ob", map[Face]string{French: "Q♦", Skat: "D♦", German: "O🔔", Czech: "Sv🔔", Slovak: "H🔔", Hungarian: "Fe🔔", Plain: "Qd", PlainGerman: "Ob"}},
		{"Qd", map[Face]string{French: "Q♦", Skat: "D♦", German: "O🔔", Czech: "Sv🔔", Slovak: "H🔔", Hungarian: "Fe🔔", Plain: "Qd", PlainGerman: "Ob"}},
		{"Kc", map[Face]string{French: "K♣", Skat: "K♣", German: "K🌰", Czech: "K🌰", Slovak: "K🌰", Hungarian: "K🌰", Plain: "Kc", PlainGerman: "Ka"}},
		{"Al", map[Face]string{French: "A♠", Skat: "A♠", German: "A🍃", Czech: "E🍃", Slovak: "E🍃", Hungarian: "A🍃", Plain: "As", PlainGerman: "Al"}},
		{"2d", map[Face]string{French: "2♦", German: "2🔔", Czech: "2🔔", Plain: "2d", PlainGerman: "2b"}},
	} {
		card, err := game.ParseCard(c.card)
		if err != nil {
			t.Fatal(err)
		}
		c.want[""] = c.want[French]
		for f, want := range c.want {
			if got := Text(f, card); got != want {
				t.Errorf("%s in face %q is %q, want %q", c.card, f, got, want)
			}
		}
	}
	if got := Text(French, 0); got != "" {
		t.Errorf("no card is %q", got)
	}
}

func TestForFollowsTheReader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		choice   Face
		language string
		deck     game.Deck
		want     Face
	}{
		{"", "en", game.German32, French},
		{"", "", game.German32, French},
		{"", "cs", game.German32, Czech},
		{"", "sk", game.German32, Slovak},
		{"", "hu", game.German32, Hungarian},
		{"", "de", game.German32, German},
		{"", "de", game.French52, Skat},
		{French, "de", game.German32, Skat},
		{"", "cs", game.French52, French},
		{German, "cs", game.French52, Czech},
		{German, "en", game.German32, German},
		{French, "cs", game.German32, French},
		{Plain, "en", game.German32, Plain},
		{Plain, "cs", game.German32, PlainCzech},
		{Plain, "sk", game.German32, PlainSlovak},
		{Plain, "hu", game.German32, PlainHungarian},
		{Plain, "de", game.German32, PlainGerman},
		{Plain, "de", game.French52, PlainSkat},
		{Plain, "cs", game.French52, Plain},
	} {
		if got := For(c.choice, c.language, c.deck); got != c.want {
			t.Errorf("For(%q, %q, %v) is %q, want %q", c.choice, c.language, c.deck, got, c.want)
		}
	}
}

func TestShownRankIsTheOneOnTheCard(t *testing.T) {
	t.Parallel()
	for f := range styles {
		for _, deck := range []game.Deck{game.German32, game.French52} {
			for _, c := range (game.Rules{Deck: deck}).Pack() {
				r := ShownRank(f, c.Rank())
				shown := game.NewCard(r, c.Suit())
				if Text(f, shown) != Text(f, c) {
					t.Errorf("%s in face %q is %s, and its rank is shown as %s", c, f, Text(f, c), r)
				}
				if (f.Suits() == German && (r == 'J' || r == 'Q')) || (f.Suits() == French && (r == 'U' || r == 'O')) {
					t.Errorf("%s in face %q: a rank of the other pack", c, f)
				}
			}
		}
	}
}
