package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// ended returns a chat's view of a match of sedma-4p that Eva and her partner won.
func ended(t *testing.T, language string, o table.Outcome) screen.Screen {
	t.Helper()
	p := endedTable(t, o)
	return channelOf(p, table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: language}}).result(*p.Result)
}

// endedTable returns the table of that match.
func endedTable(t *testing.T, o table.Outcome) table.Public {
	t.Helper()
	r := gametest.Preset(t, "sedma-4p")
	seats := []table.Seat{{Player: eva}, {Player: petr}, {AI: "normal"}, {AI: "normal"}}
	if o.Seats == nil {
		o.Seats = seats
	}
	o.MatchNo = 1
	o.Match = game.Match{Rules: r, Scores: []int{9, 10}, Deals: 15, Over: true, Winner: 1}
	o.Winners = []int{1, 3}
	return table.Public{Lasting: table.Lasting{ID: "k3", Rules: r, Seats: seats, Phase: table.Over, MatchNo: 1, Result: &o}}
}

// The first line of a result tells the match's story in every language, the winner's
// score first. Matches that ended before there were stories have their score.
func TestAResultBeginsWithItsStory(t *testing.T) {
	t.Parallel()
	for _, language := range lang.Languages() {
		seen := map[string]table.StoryKind{}
		for _, kind := range append([]table.StoryKind{""}, table.Stories...) {
			s := ended(t, language, table.Outcome{Story: table.Story{Kind: kind, Low: []int{0, 6}, N: 2}})
			check(t, language, s)
			first, _, _ := strings.Cut(s.String(), "\n")
			if s.Blocks[0].Look != screen.Title || !strings.Contains(first, "10\u00a0:\u00a09") || strings.Contains(first, "story.") {
				t.Errorf("%s, %s: the first line is %q", language, kind, first)
			}
			if low := kind == table.StoryComeback || kind == table.StoryLevel; low != strings.Contains(first, "0\u00a0:\u00a06") {
				t.Errorf("%s, %s: the first line is %q", language, kind, first)
			}
			if other, used := seen[first]; used && (kind != table.StoryPlain || other != "") {
				t.Errorf("%s: %s is told as %s: %q", language, kind, other, first)
			}
			seen[first] = kind
			if n := len([]rune(first)); n > 85 {
				t.Errorf("%s, %s: a first line of %d characters: %q", language, kind, n, first)
			}
		}
	}
	if got := ended(t, "en", table.Outcome{Story: table.Story{Kind: table.StoryComeback, Low: []int{0, 6}}}).String(); !strings.HasPrefix(got, "Petr + 🦉 Owl 2 win 10\u00a0:\u00a09, from 0\u00a0:\u00a06 down\n") {
		t.Error(got)
	}
}

// The page's result has no button of the coach, so More has it for those who played, at whatever table.
func TestMoreOnThePageHasTheCoach(t *testing.T) {
	t.Parallel()
	coach := CoachPress("k3", 1)
	for name, change := range map[string]func(*table.Public){
		"a table of a chat": func(*table.Public) {},
		"a tournament":      func(p *table.Public) { p.Round = 1 },
		"strangers":         func(p *table.Public) { p.Policy.Phrases, p.Policy.Once = true, true },
	} {
		p := endedTable(t, table.Outcome{})
		change(&p)
		for who, want := range map[Presser]bool{{ID: eva.ID, Page: true}: true, {ID: eva.ID}: false, {ID: "test:9", Page: true}: false} {
			got := slices.ContainsFunc(slices.Concat(More(p, who, lang.For("en")).Rows...), func(b screen.Button) bool { return b.Press == coach })
			if got != want {
				t.Errorf("%s, %+v: whether More has the coach: %t", name, who, got)
			}
		}
	}
}

// A result names at most one achievement of each player, the rarest, and a button
// of More explains them.
func TestAResultNamesOneAchievementEach(t *testing.T) {
	t.Parallel()
	o := table.Outcome{Firsts: []table.First{{Seat: 0, Feat: "sweep"}, {Seat: 0, Feat: "burn"}, {Seat: 1, Feat: "sixty"}}}
	s := ended(t, "en", o)
	if !slices.Contains(strings.Split(s.String(), "\n"), "First time: Eva: spálená kaše · Petr: exactly sixty") {
		t.Error(s)
	}
	press := ""
	for _, row := range More(endedTable(t, o), Presser{ID: "test:dan"}, lang.For("en")).Rows {
		for _, b := range row {
			if b.Label == "Achievements" {
				press = b.Press
			}
		}
	}
	word, f := screen.FieldsOf(press)
	if words := f.Words(); word != ActFeats || words != "burn-sixty" {
		t.Fatalf("no button explains them, but %q with %q:\n%s", word, words, s)
	}
	if s := ended(t, "en", table.Outcome{}); strings.Contains(s.String(), "First time") {
		t.Error(s)
	}
}

// A result names the people of the winning side who didn't win, because the AI finished the match for them.
func TestAResultNamesWhoseMatchTheAIFinished(t *testing.T) {
	t.Parallel()
	seats := []table.Seat{{Player: eva, Left: true}, {Player: petr, Away: true}, {AI: "normal"}, {AI: "normal"}}
	const want = "Petr: no win, the AI played too much."
	if s := ended(t, "en", table.Outcome{Seats: seats}); !slices.Contains(strings.Split(s.String(), "\n"), want) {
		t.Error(s)
	}
	if s := ended(t, "en", table.Outcome{}); strings.Contains(s.String(), "no win") {
		t.Error(s)
	}
}

// From the first match on, a result says in one line how the people of two sides stand, the leader first.
func TestAResultSaysHowPeopleStand(t *testing.T) {
	t.Parallel()
	long := table.Player{ID: "test:long", Name: strings.Repeat("Long", 8)}
	pair := func(won, lost int, seats ...int) table.Gain {
		return table.Gain{Seat: seats[0], Scores: []table.Score{{Ours: seats[:1], Theirs: seats[1:], Won: won, Lost: lost}}}
	}
	four := []table.Seat{{Player: eva}, {Player: petr}, {Player: table.Player{ID: "test:dan", Name: "Dan"}}, {Player: long}}
	for want, o := range map[string]table.Outcome{
		"Head-to-head: Eva – Petr 1 : 0":                    {Gains: []table.Gain{pair(1, 0, 0, 1)}},
		"Head-to-head: Petr – Eva 4 : 3":                    {Gains: []table.Gain{pair(3, 4, 0, 1)}},
		"Head-to-head: Petr – Eva 2 : 1 · Petr – Dan 1 : 0": {Seats: four, Gains: []table.Gain{pair(1, 2, 0, 1), pair(1, 0, 1, 2), pair(3, 0, 0, 3), pair(0, 0, 2, 3)}},
		"Eva + Petr together against the AI (🐶 Dog): 0 : 3": {
			Seats: []table.Seat{{Player: eva}, {AI: "medium"}, {Player: petr}, {AI: "medium"}},
			Gains: []table.Gain{{Scores: []table.Score{{Ours: []int{0, 2}, Theirs: []int{1, 3}, Lost: 3}}}},
		},
	} {
		p := endedTable(t, o)
		p.Seats = p.Result.Seats
		s := channelOf(p, table.Chat{ID: "test:chat"}).result(*p.Result)
		check(t, want, s)
		if lines := strings.Split(strings.ReplaceAll(s.String(), "\u00a0", " "), "\n"); !slices.Contains(lines, want) {
			t.Errorf("%q lacks %q", lines, want)
		}
	}
}

// Every set of achievements of six players fits a button.
func TestAchievementsFitAButton(t *testing.T) {
	t.Parallel()
	all := []string{"sweep", "seven", "sixty", "burn", "shutout", "alone", "comeback"}
	if press := screen.PressOf(ActFeats, strings.Join(all, "-")); len(press) > screen.PressLimit {
		t.Errorf("%q has %d bytes", press, len(press))
	}
}

// A result has at most five buttons. The other matches are under More, for people who played: a shorter one as long as there is a
// shorter length, a series, and one with others.
func TestMoreOffersOtherMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target int
		want   string
	}{{10, "[Shorter rematch] [Best of 3] [Best of 5]\n[Play with others]\n"}, {3, "[Shorter rematch] [Best of 3] [Best of 5]\n[Play with others]\n"}} {
		r := gametest.Preset(t, "sedma-2p")
		r.Target = c.target
		o := table.Outcome{MatchNo: 1, Match: game.Match{Rules: r, Scores: []int{0, c.target}, Deals: 1, Over: true, Winner: 1}, Winners: []int{1}, Seats: []table.Seat{{Player: eva}, {Player: petr}}}
		p := table.Public{Lasting: table.Lasting{ID: "k3", Rules: r, Seats: o.Seats, Phase: table.Over, MatchNo: 1, Result: &o}}
		show := func() string {
			return channelOf(p, table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: "en"}}).result(o).String()
		}
		more := func(who string) string { return More(p, Presser{ID: who}, lang.For("en")).String() }
		if got := show(); !strings.Contains(got, "[Rematch]") {
			t.Errorf("first to %d:\n%s", c.target, got)
		}
		if got := more(petr.ID); !strings.Contains(got, c.want) {
			t.Errorf("first to %d:\n%s", c.target, got)
		}
		if got := more("test:dan"); strings.Contains(got, "ematch]") || strings.Contains(got, "Best of") {
			t.Errorf("somebody who didn't play sees\n%s", got)
		}
		p.MatchNo = 2
		if got := show(); strings.Contains(got, "ematch]") || !strings.Contains(got, "[Replay] [Coach]\n") {
			t.Errorf("when the next match has begun:\n%s", got)
		}
		p.MatchNo, p.Rules.Target, p.Rules.Deals = 1, 0, 1
		if got := more(petr.ID); strings.Contains(got, "Shorter rematch") {
			t.Errorf("after one deal:\n%s", got)
		}
	}
}

// In a rematch, all texts count the deals from 1 again, and the account is that of this match.
func TestARematchCountsAnew(t *testing.T) {
	t.Parallel()
	s := open(t, "sedma-3p", "en")
	s.do(petr, table.Join{Seat: -1})
	s.do(eva, table.Start{})
	s.do(eva, table.LastDeal{})
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	s.do(eva, table.Rematch{})
	s.do(petr, table.Rematch{})
	shown := s.show(nil) + screentest.Words(t, More(s.table.Public(), Presser{}, lang.For("en")))
	s.until(func(p table.Public) bool { return p.Phase == table.Pause })
	shown += s.show(nil) + screentest.Words(t, Proof(s.table.Public(), lang.For("en")))
	if !strings.Contains(shown, "deal 1\n") || !strings.Contains(shown, "Seed of deal 1") {
		t.Errorf("the first deal isn't deal 1:\n%s", shown)
	}
	s.do(eva, table.LastDeal{})
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	shown += s.show(nil)
	if strings.Contains(strings.ToLower(shown), "deal 3") {
		t.Errorf("the second match has a deal 3:\n%s", shown)
	}
	var sums []string
	past := s.table.Past
	for seat, name := range []string{"Eva", "Petr", "Dog"} {
		sums = append(sums, name+": "+screen.Signed(past[0].Score.Payments[seat]+past[1].Score.Payments[seat]))
	}
	if want := "Won and lost in this match: " + strings.Join(sums, " · "); !strings.Contains(shown, want) {
		t.Errorf("without %q:\n%s", want, shown)
	}
}

// The picture of a result has the score after each deal and the trick that decided the
// match, and its description says the same.
func TestAResultsPictureTellsTheMatch(t *testing.T) {
	t.Parallel()
	trick := game.Trick{Leader: 1, Winner: 3, Rounds: 1}
	for i, c := range []string{"Ks", "Kh", "7d", "As"} {
		card, err := game.ParseCard(c)
		if err != nil {
			t.Fatal(err)
		}
		trick.Plays = append(trick.Plays, game.Play{Seat: (1 + i) % 4, Card: card})
	}
	curve := [][]int{{0, 1, 9}, {1, 3, 10}}
	for _, c := range []struct {
		no   int
		want string
	}{{7, "Decided by the last trick, deal 15"}, {5, "Decided by trick 5 of 7, deal 15"}} {
		s := ended(t, "en", table.Outcome{Curve: curve, Decisive: &table.Decisive{Deal: 15, No: c.no, Of: 7, Trick: trick}})
		d := s.Picture.Draw.Result.Decisive
		if d == nil || d.Title != c.want || d.Winning != 2 || !slices.Equal(d.Names, []string{"Petr", "Owl", "Owl 2", "Eva"}) {
			t.Errorf("%+v", d)
		}
		if got := fmt.Sprint(s.Picture.Draw.Result.Progress); got != fmt.Sprint(curve) {
			t.Errorf("the curve is %s", got)
		}
		for _, say := range []string{c.want + ": Petr K♠, Owl K♥, Owl 2 7♦, Eva A♠ – Owl 2 took ", "Score after each deal: 0\u00a0:\u00a01, 1\u00a0:\u00a03, 9\u00a0:\u00a010"} {
			if !strings.Contains(s.Picture.Alt, say) || !strings.Contains(s.WithoutPicture().String(), say) {
				t.Errorf("%q isn't said: %s", say, s.Picture.Alt)
			}
		}
	}
}

// In Kováč's game, nobody wins a deal in which one side has all the points and both took tricks.
// Then the screen doesn't say what "they" took.
func TestNobodyTookAllThePoints(t *testing.T) {
	t.Parallel()
	past := table.Past{Result: game.Result{End: game.EndPlayed, TricksWon: []int{1, 5}}, Score: game.Settlement{Points: []int{0, 80}, Winners: []int{1}}}
	w := NewWriter(lang.For("en"), face.For("", "en", game.German32))
	if got := verdict(w, past); len(got) != 1 || got[0] == nil {
		t.Errorf("the winners took all the points, and the screen says %v", got)
	}
	past.Score.Winners = nil
	if got := verdict(w, past); len(screen.Dots(got...)) > 0 {
		t.Errorf("nobody won, and the screen says %v", got)
	}
}
