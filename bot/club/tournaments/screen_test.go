package tournaments

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// cup returns a tournament of pairs with the given number of entrants.
func cup(t testing.TB, entrants int) TournamentView {
	t.Helper()
	r, err := table.TournamentRules(gametest.Preset(t, "sedma-4p"), 4)
	if err != nil {
		t.Fatal(err)
	}
	cup := TournamentView{
		ID: "0123456789abc", Stage: StageLobby, Rules: r, Games: game.Families(), Pairs: true, Rounds: 3, Deals: 4,
		Limit: table.DefaultLimit, Break: 2 * time.Minute, Host: screen.Person{ID: "test:1", Name: "Eva"}, Least: 4, Most: 64,
	}
	for i := range entrants {
		e := Entrant{No: i + 1, People: []screen.Person{{ID: fmt.Sprintf("test:%d", 2*i), Name: fmt.Sprintf("Eva %d", i+1)}}}
		if e.Waiting = i%3 == 2; !e.Waiting {
			e.People = append(e.People, screen.Person{ID: fmt.Sprintf("test:%d", 2*i+1), Name: fmt.Sprintf("Petr %d", i+1)})
		}
		cup.Entrants = append(cup.Entrants, e)
	}
	return cup
}

// start starts the tournament's first round, in which one entrant has no match.
func (t *TournamentView) start() {
	t.Stage = StageRound
	for i := range t.Entrants {
		t.Entrants[i].AI = t.Entrants[i].Waiting
	}
	t.Played = []Round{{Bye: 4, Tables: []RoundTable{{Sides: [2]int{0, 1}, Done: true}, {Sides: [2]int{3, 2}}}}}
}

// finish ends the first round.
func (t *TournamentView) finish(stage Stage) {
	t.Stage = stage
	t.Played = []Round{{
		Bye: 4, Over: true,
		Tables: []RoundTable{
			{Sides: [2]int{0, 1}, Done: true, Margin: 3, Difference: 150, Points: [2]int{2, 0}},
			{Sides: [2]int{3, 2}, Done: true, Void: true, Points: [2]int{1, 1}},
		},
		Standings: []Standing{
			{Entrant: 0, Rank: 1, Points: 2, Difference: 150}, {Entrant: 4, Rank: 2, Points: 2},
			{Entrant: 2, Rank: 3, Points: 1, Buchholz: 1}, {Entrant: 3, Rank: 3, Points: 1, Buchholz: 1},
			{Entrant: 1, Rank: 5, Difference: -133, Buchholz: 2},
		},
	}}
}

func screens(t testing.TB, posts []screen.Post) string {
	t.Helper()
	var b strings.Builder
	for _, p := range posts {
		fmt.Fprintf(&b, "== %s", p.Key)
		if p.OldOnly {
			b.WriteString(", if it stands")
		}
		b.WriteString("\n" + screentest.Words(t, p.Screen))
	}
	return b.String()
}

// TestTournamentScreens shows the screens of a tournament from start to end.
func TestTournamentScreens(t *testing.T) {
	screentest.Each(t, func(t *testing.T, language string) {
		chat, c := table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: language}}, lang.For(language)
		at := cup(t, 5)
		screentest.Golden(t, language, "tournament-lobby", screens(t, Posts(at, chat)))
		at.Stage = StageSettings
		screentest.Golden(t, language, "tournament-settings", screens(t, Posts(at, chat)))
		evening := EveningView{TournamentView: at, Number: 2, At: time.Date(2026, 11, 27, 20, 0, 0, 0, time.UTC), Weekly: true}
		evening.Stage = StageLobby
		screentest.Golden(t, language, "evening", screens(t, eveningPosts(evening, chat, true)))
		screentest.Golden(t, language, "evening-ask", screentest.Words(t, evening.ask("fnu5o0-so-sedma", lang.For(language))))
		screentest.Golden(t, language, "evening-asked", screentest.Words(t, eveningList([]EveningView{evening}, "", c), eveningList(nil, "", c), askEveningPartners(evening, c), askEveningOff(evening, c)))
		past := evening
		past.Signed, past.Next = 3, past.At.AddDate(0, 0, 7)
		for _, past.Result = range []string{EveningBegun, EveningFew, EveningBusy, EveningLate, EveningOffResult} {
			screentest.Golden(t, language, "evening-"+past.Result, screens(t, eveningPosts(past, chat, false)))
		}
		screentest.Golden(t, language, "tournament-asked", screentest.Words(t, AskPartners(at, c), AskOff(at, c)))
		at.start()
		screentest.Golden(t, language, "tournament-round", screens(t, Posts(at, chat)))
		at.finish(StageBreak)
		screentest.Golden(t, language, "tournament-break", screens(t, Posts(at, chat)))
		screentest.Golden(t, language, "tournament-mine", screentest.Words(t, EntrantsPage(at, "places", 0, func(e int) bool { return e == 3 }, c)))
		at.finish(StageOver)
		screentest.Golden(t, language, "tournament-over", screens(t, Posts(at, chat)))
		at.start()
		at.Stage = StageOff
		screentest.Golden(t, language, "tournament-off", screens(t, Posts(at, chat)))
	})
}

// A single table can't be compared with others.
func TestASingleTableIsComparedWithNone(t *testing.T) {
	t.Parallel()
	one := cup(t, 2)
	chat := table.Chat{ID: "test:chat"}
	if lobby := screens(t, Posts(one, chat)); !strings.Contains(lobby, "With two or more tables") || !strings.Contains(lobby, "At a single table") {
		t.Errorf("the lobby promises too much:\n%s", lobby)
	}
	one.Stage, one.Played = StageBreak, []Round{{Bye: -1, Over: true, Tables: []RoundTable{{Sides: [2]int{0, 1}, Done: true, Margin: 3, Difference: 300, Points: [2]int{2, 0}}}}}
	if shown := screens(t, Posts(one, chat)); strings.Contains(shown, "average of all tables. Better") {
		t.Errorf("one table is compared with all:\n%s", shown)
	}
}

// TestTournamentPages checks that each message lists some of many entrants, and the
// pages list all of them.
func TestTournamentPages(t *testing.T) {
	t.Parallel()
	c := lang.For("en")
	at := cup(t, 64)
	at.Stage = StageBreak
	r := Round{Bye: -1, Over: true}
	for i := range at.Entrants {
		at.Entrants[i].AI = at.Entrants[i].Waiting
		r.Standings = append(r.Standings, Standing{Entrant: i, Rank: i + 1})
		if i%2 == 1 {
			r.Tables = append(r.Tables, RoundTable{Sides: [2]int{i - 1, i}})
		}
	}
	at.Played = []Round{r}
	for _, p := range Posts(at, table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: "en"}}) {
		if p.Key != "lobby" && !strings.Contains(p.Screen.String(), "more") {
			t.Errorf("%s does not say that there are more:\n%s", p.Key, p.Screen)
		}
	}
	for _, what := range []string{"places", "tables"} {
		seen := map[int]bool{}
		for from := 0; ; {
			s := EntrantsPage(at, what, from, func(e int) bool { return e == 60 }, c)
			for i := range at.Entrants {
				if strings.Contains(s.String(), fmt.Sprintf("Eva %d ", i+1)) {
					seen[i] = true
				}
			}
			if what == "places" && !strings.Contains(s.String(), "▸ 61. ") {
				t.Errorf("the page from %d does not show the reader:\n%s", from, s)
			}
			next := -1
			for _, row := range s.Rows {
				for _, b := range row {
					if p, err := parsePress(b.Press); err == nil && p.what == what && b.Label == c.Text("button.down") {
						next, _ = strconv.Atoi(p.value)
					}
				}
			}
			if next <= from {
				break
			}
			from = next
		}
		if len(seen) != 64 {
			t.Errorf("the pages of %s show %d of 64 entrants", what, len(seen))
		}
	}
}

// TestHundredths checks how differences are written.
func TestHundredths(t *testing.T) {
	t.Parallel()
	w := view.NewWriter(lang.For("en"), face.French)
	for n, want := range map[int]string{0: "0", 100: "+1", -50: "−0.5", 133: "+1.33", -1000: "−10", 5: "+0.05"} {
		if got := hundredths(w, n); got != want {
			t.Errorf("%d hundredths are %s, want %s", n, got, want)
		}
	}
}
