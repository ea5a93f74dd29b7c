package face

import (
	"testing"
	"unicode/utf8"

	"sedmabot/game"
)

func TestTextTellsEveryCardOfAPackFromEveryOther(t *testing.T) {
	t.Parallel()
	for _, deck := range []game.Deck{game.German32, game.French52, game.French104} {
		for _, f := range []Face{"", French, German, Czech, Plain} {
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
		card                         string
		french, german, czech, plain string
	}{
		{"7h", "7♥", "7❤️", "7❤️", "7h"},
		{"Ts", "10♠", "10🍃", "10🍃", "10s"},
		{"Tl", "10♠", "10🍃", "10🍃", "10l"},
		{"Ua", "J♣", "U🌰", "Sp🌰", "Ua"},
		{"Ob", "Q♦", "O🔔", "Sv🔔", "Ob"},
		{"Qd", "Q♦", "O🔔", "Sv🔔", "Qd"},
		{"Kc", "K♣", "K🌰", "K🌰", "Kc"},
		{"Al", "A♠", "A🍃", "E🍃", "Al"},
		{"2d", "2♦", "2🔔", "2🔔", "2d"},
	} {
		card, err := game.ParseCard(c.card)
		if err != nil {
			t.Fatal(err)
		}
		for f, want := range map[Face]string{French: c.french, "": c.french, German: c.german, Czech: c.czech, Plain: c.plain} {
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
		{"", "hu", game.German32, German},
		{"", "cs", game.French52, French},
		{German, "cs", game.French52, Czech},
		{German, "en", game.German32, German},
		{French, "cs", game.German32, French},
		{Plain, "cs", game.German32, Plain},
	} {
		if got := For(c.choice, c.language, c.deck); got != c.want {
			t.Errorf("For(%q, %q, %v) is %q, want %q", c.choice, c.language, c.deck, got, c.want)
		}
	}
}
