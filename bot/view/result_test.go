package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/table"
)

// over plays a match of that many deals at a table of Eva, Petr and the AI, and returns it.
func over(t testing.TB, preset, language string, deals, seed int) *scene {
	t.Helper()
	s := open(t, preset, language)
	s.seeds = uint64(1000 * seed)
	s.think = func(v game.View) game.Move { return v.Legal[(len(v.Log)*7+seed)%len(v.Legal)] }
	s.do(petr, table.Join{Seat: -1})
	s.do(eva, table.Start{})
	s.until(func(p table.Public) bool {
		return len(p.Past) >= deals-1 && (p.Phase == table.Playing || p.Phase == table.Over)
	})
	if s.table.Phase != table.Over {
		s.do(eva, table.LastDeal{})
	}
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	return s
}

// The picture of a result, its description, and the words that take its place say the same, in every game: who won, the
// points of a single deal and what they count, the deciding trick, and each player's best trick, rating and streak.
func TestAResultsPictureAndWordsAgree(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	told := map[string]int{}
	for _, preset := range game.Presets() {
		for seed := range 12 {
			s := over(t, preset, "en", 1+seed%2, seed)
			o := *s.table.Public().Result
			for seat := range o.Seats {
				s.table.Gains = append(s.table.Gains, table.Gain{Seat: seat, Rating: 1200 + seat, By: seat - 1, Run: seat})
			}
			p := s.table.Public()
			o = *p.Result
			w := s.shown()
			r := w.Picture.Draw.Result
			screentest.Check(t, preset, w)
			noFace := strings.NewReplacer(OpponentFace("hard")+" ", "", OpponentFace("medium")+" ", "") // the picture draws it apart
			words, alt := noFace.Replace(w.WithoutPicture().String()), noFace.Replace(w.Picture.Alt)
			said := func(what, text string) {
				if told[what]++; !strings.Contains(words, text) || !strings.Contains(alt, text) && utf8.RuneCountInString(w.Picture.Alt) < screen.AltLimit {
					t.Errorf("%s, %s: %q isn't said:\n%s\n%s", preset, what, text, words, w.Picture.Alt)
				}
			}
			if r.Won {
				said("winner", r.Headline+" win")
			}
			if single := len(s.table.Past) == 1; single != (len(r.Large) > 0) {
				t.Fatalf("%s: %d deals, and %v large", preset, len(s.table.Past), r.Large)
			} else if single {
				if s.table.Rules.Sides() == 2 {
					said("points", against(r.Large))
				} else {
					said("points", lang.For("en").Text("points", "n", r.Large[0]))
				}
				said("why", strings.ToLower(r.Detail[:min(1, len(r.Detail))])+r.Detail[min(1, len(r.Detail)):])
				score := s.table.Past[0].Score
				if why := r.Detail; why != "" && !strings.Contains(why, lang.For("en").Text("stakes", "n", score.Stake)) {
					t.Errorf("%s: %q, but the stake is %d", preset, why, score.Stake)
				}
				if r.Won && s.table.Past[0].Result.End == game.EndPlayed && r.Large[0] != score.Points[score.Winners[0]] {
					t.Errorf("%s: %v, but side %d won %v", preset, r.Large, score.Winners, score.Points)
				}
			} else {
				said("story", strings.ToLower(r.Detail[:min(1, len(r.Detail))])+r.Detail[min(1, len(r.Detail)):])
			}
			if d := r.Decisive; d != nil {
				said("deciding trick", d.Title)
				said("who took it", d.Caption)
				if !strings.HasPrefix(d.Caption, d.Names[d.Winning]+" ") {
					t.Errorf("%s: %q, but %s has the winning card", preset, d.Caption, d.Names[d.Winning])
				}
			}
			people := 0
			for _, row := range r.Rows {
				for _, person := range row.People {
					people++
					line := ""
					for l := range strings.SplitSeq(words, "\n") {
						if strings.HasPrefix(l, person.Name+": ") && strings.Contains(l, "rating") {
							line = l
						}
					}
					for what, text := range map[string]string{"best trick": "best trick: " + strconv.Itoa(person.Points) + " points", "rating": "rating " + person.Rating + " (" + person.By + ")", "streak": "winning streak: " + person.Streak} {
						shown := map[string]bool{"best trick": person.Card != 0, "rating": true, "streak": person.Streak != ""}[what]
						if shown != strings.Contains(line, text) && person.Points != 1 {
							t.Errorf("%s: the picture says %+v, the words %q", preset, person, line)
						} else if shown {
							told[what]++
						}
					}
				}
			}
			if people != len(o.Seats) {
				t.Errorf("%s: the picture has %d of %d players", preset, people, len(o.Seats))
			}
		}
	}
	for what, least := range map[string]int{"winner": 100, "points": 100, "why": 100, "story": 100, "deciding trick": 100, "best trick": 100, "rating": 100, "streak": 100} {
		if told[what] < least {
			t.Errorf("%s was told %d times", what, told[what])
		}
	}
}

// shown returns the result that a chat of the table shows.
func (s *scene) shown() screen.Screen {
	p := s.table.Public()
	return channelOf(p, p.Chats[0]).result(*p.Result)
}

// A result says why a single deal counts 1, 2 or 3 in every language, and everything fits.
func TestAResultSaysWhyItCounts(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	seen := map[string]map[string]bool{} // by language
	for _, preset := range game.Presets() {
		for seed := range 6 {
			s := over(t, preset, "en", 1, seed)
			past := s.table.Past[0]
			for _, language := range lang.Languages() {
				s.table.Chats[0].Lang = language
				shown := s.shown()
				screentest.Check(t, language, shown)
				first, _, _ := strings.Cut(shown.String(), "\n")
				if n := utf8.RuneCountInString(first); n > 110 {
					t.Errorf("%s, %s: a first line of %d characters: %q", language, preset, n, first)
				}
				if scoring := s.table.Rules.Scoring; scoring != game.ByStakes || len(past.Score.Winners) == 0 {
					continue
				}
				if seen[language] == nil {
					seen[language] = map[string]bool{}
				}
				seen[language][reason(s.table.Rules, past.Score, past.Result)] = true
				if stakes := lang.For(language).Text("stakes", "n", past.Score.Stake); !strings.Contains(first, stakes) {
					t.Errorf("%s, %s: %q doesn't say %q", language, preset, first, stakes)
				}
			}
		}
	}
	for _, language := range lang.Languages() {
		if len(seen[language]) < 2 {
			t.Errorf("%s: only these reasons were met: %v", language, seen[language])
		}
	}
}

// The result of a match can be shown elsewhere without its buttons, also while the next match runs. Nobody can show a
// match that isn't over, or a lesson.
func TestAResultCanBeShownElsewhere(t *testing.T) {
	t.Parallel()
	s := over(t, "sedma-4p", "cs", 2, 1)
	want := s.shown()
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, next := range []bool{false, true} {
		if next {
			s.do(eva, table.Rematch{})
		}
		got, ok := SharedResult(s.table.Public(), 1, day, nil)
		if !ok || len(got.Rows) > 0 || got.Picture.Name() != want.Picture.Name() {
			t.Fatalf("the result can be shown: %v, with %d rows:\n%s", ok, len(got.Rows), got)
		}
	}
	if _, ok := SharedResult(s.table.Public(), 2, day, nil); ok {
		t.Error("a match that hasn't begun has a result")
	}
	for _, c := range []struct {
		o    table.Outcome
		want string
	}{
		{table.Outcome{Winners: []int{1, 3}, Curve: [][]int{{1, 1, 1}, {0, 2, 3}}}, "-xx"},
		{table.Outcome{Winners: []int{1, 3}, Curve: [][]int{{1, 1}, {1, 2}}}, "-x"},
		{table.Outcome{Winners: []int{0, 2}, Single: &table.Past{}}, "seat 0"},
		{table.Outcome{Curve: [][]int{{1}, {0}}}, ""},
	} {
		c.o.Match.Rules = s.table.Rules
		if got := dealMarks(c.o, func(seat int) string { return fmt.Sprint("seat ", seat) }); got != c.want {
			t.Errorf("%v: %q, not %q", c.o.Curve, got, c.want)
		}
	}
}

// The best trick of each player is the one with most points that they took in the match.
func TestBestTricks(t *testing.T) {
	t.Parallel()
	for _, preset := range game.Presets() {
		s := open(t, preset, "en")
		s.think = func(v game.View) game.Move { return v.Legal[len(v.Log)%len(v.Legal)] }
		s.do(eva, table.Start{})
		most := map[int]int{}
		for deal := range 3 {
			s.until(func(p table.Public) bool { return len(p.Past) > deal || p.Phase == table.Over })
			past := s.table.Past[len(s.table.Past)-1]
			for i, trick := range past.Tricks {
				n := pointsTaken(s.table.Public(), trick, i == len(past.Tricks)-1 && past.Result.LastTrick >= 0)
				most[trick.Winner] = max(most[trick.Winner], n)
			}
			if s.table.Phase == table.Over {
				break
			}
		}
		got := map[int]int{}
		for _, h := range s.table.Hauls {
			got[h.Seat] = h.Points
			if !slices.Contains(s.table.Rules.Pack(), h.Card) {
				t.Errorf("%s: %+v", preset, h)
			}
		}
		for seat, n := range most {
			if n == 0 {
				delete(most, seat)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(most) {
			t.Errorf("%s: best tricks %v, want %v", preset, got, most)
		}
	}
}
