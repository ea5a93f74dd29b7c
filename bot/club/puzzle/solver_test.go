package puzzle_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/puzzle"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	book "sedmabot/game/puzzle"
	"sedmabot/store"
)

const (
	here      = "test:here"
	elsewhere = "test:elsewhere"
)

// puzzled sends the command, or a press if there is any.
func puzzled(w *town.Town, player, home string, press string) chat.Reply {
	if press == "" {
		return w.Command(player, home, "puzzle")
	}
	return w.Asks(player, home, town.Press(press))
}

// asked returns the puzzle that a reply asks, with the number of choices; or "" if it asks none.
func asked(t *testing.T, r chat.Reply) (name string, choices int) {
	t.Helper()
	if r.Screen == nil {
		t.Fatalf("no screen: %q", r.Toast)
	}
	for _, row := range r.Screen.Rows {
		for _, b := range row {
			_, f := screen.FieldsOf(b.Press)
			if what := f.Word(); what != "day" && what != "next" {
				name = what
				choices++
			}
		}
	}
	return name, choices
}

// seed returns the rating that a puzzle begins with.
func seed(t *testing.T, name string) float64 {
	t.Helper()
	all, err := book.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(p book.Puzzle) bool { return p.ID() == name })
	return puzzle.Seeded(&all[i]).Mu
}

// firstChoice returns the press of the first button.
func firstChoice(r chat.Reply) string { return r.Screen.Rows[0][0].Press }

var anotherPuzzle = screen.PressOf("puzzle", "next", "now", here)

// Everyone gets the same puzzle of the day. People may answer as many more as they like, each once, until only those of
// the coming days are left.
func TestEachSolverGetsAPuzzleOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one person answers all puzzles")
	}
	town.In(t, func(t *testing.T, w *town.Town) {
		today, _ := asked(t, puzzled(w, "test:eva", here, ""))
		if other, _ := asked(t, puzzled(w, "test:ota", elsewhere, "")); other != today || today == "" {
			t.Errorf("Ota is asked %q, and Eva %q", other, today)
		}
		seen := map[string]bool{}
		name := today
		for name != "" {
			if seen[name] {
				t.Fatalf("puzzle %d is asked twice", len(seen)+1)
			}
			seen[name] = true
			r := puzzled(w, "test:eva", here, screen.PressOf("puzzle", name, "1", here))
			for steps := 0; r.Screen != nil && steps < 4 && !strings.Contains(r.Screen.String(), "Your puzzle rating"); steps++ {
				r = puzzled(w, "test:eva", here, firstChoice(r))
			}
			if r.Screen == nil || !strings.Contains(r.Screen.String(), "Your puzzle rating") {
				t.Fatalf("no answer: %+v", r)
			}
			next := puzzled(w, "test:eva", here, anotherPuzzle)
			if again := puzzled(w, "test:eva", here, anotherPuzzle); again.Screen.String() != next.Screen.String() {
				t.Error("asked twice without an answer, it asks two puzzles")
			}
			name, _ = asked(t, next)
		}
		if len(seen) < 45 || len(seen) > 80-30 {
			t.Errorf("there were %d puzzles", len(seen))
		}
		for range 30 {
			time.Sleep(24 * time.Hour)
			name, _ := asked(t, puzzled(w, "test:eva", here, ""))
			if name == "" || seen[name] {
				t.Fatal("the puzzle of a later day was asked before")
			}
		}
	})
}

// A person reads once that cards of the same rank are equal, whether they answer or not.
func TestEqualCardsAreExplainedOnce(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		for _, player := range []string{"test:eva", "test:ota"} {
			for i, press := range []string{"", "", anotherPuzzle} {
				r := puzzled(w, player, here, press)
				if said := strings.Contains(r.Screen.String(), "same rank are equal"); said != (i == 0) {
					t.Errorf("%s asks %d. and reads\n%s", player, i+1, r.Screen)
				}
			}
		}
	})
}

// right returns the numbers of the best choices of a puzzle, one after the other.
func right(p *book.Puzzle) (numbers string) {
	for i := range len(p.Then) + 1 {
		var moves []game.Move
		for _, c := range p.ChoicesAt(i) {
			moves = append(moves, c.Move)
		}
		best := moves[0]
		slices.Sort(moves)
		numbers += strconv.Itoa(slices.Index(moves, best) + 1)
	}
	return numbers
}

// After a right choice, the puzzle goes on with the solver's next one. It counts as found only if all are right, and as
// answered at the first wrong one. Nobody can skip a choice.
func TestAPuzzleGoesOn(t *testing.T) {
	t.Parallel()
	all, err := book.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(all, func(p book.Puzzle) bool { return len(p.Then) > 0 && len(p.Moves) > 2*p.Rules.Players }) // with earlier tricks
	p := &all[at]
	name, numbers := p.ID(), right(p)
	town.In(t, func(t *testing.T, w *town.Town) {
		press := func(player, value string) chat.Reply {
			return puzzled(w, player, here, screen.PressOf("puzzle", name, value, here))
		}
		solver := func(player string) (s puzzle.Solver) {
			w.Get(store.Key{Partition: store.Partition(player), Name: "solver:" + player}, &s)
			return s
		}
		wrong := "1"
		if numbers[1] == '1' {
			wrong = "2"
		}
		first := "1"
		if numbers[0] == '1' {
			first = "2"
		}
		if r := press("test:eva", first+numbers[1:]); r.Outcome != chat.Refused {
			t.Errorf("a choice was skipped: %+v", r)
		}
		for i := range numbers {
			r := press("test:eva", numbers[:i+1])
			if over := strings.Contains(r.Screen.String(), "Your puzzle rating"); over != (i == len(numbers)-1) || !strings.Contains(r.Screen.String(), "Correct: ") {
				t.Fatalf("after %s of %s:\n%s", numbers[:i+1], numbers, r.Screen)
			}
			text, _, _ := strings.Cut(r.Screen.String(), "<picture")
			if strings.Count(text, " in 100 deals · ") != len(p.ChoicesAt(i))-1 {
				t.Errorf("not every other choice has its cost and its reason:\n%s", text)
			} else if over := i == len(numbers)-1; over != strings.Contains(text, "(the last trick: 10)") {
				t.Errorf("the line of play doesn't go to the end:\n%s", text)
			}
		}
		press("test:ota", numbers[:1])
		if r := press("test:ota", numbers[:1]+wrong); !strings.Contains(r.Screen.String(), "Best is") {
			t.Errorf("Ota is wrong and reads\n%s", r.Screen)
		}
		if r := press("test:ota", numbers[:1]); !strings.Contains(r.Screen.String(), "You've already answered") {
			t.Errorf("Ota tries again and reads\n%s", r.Screen)
		}
		if r := press("test:iva", "t"); !strings.Contains(r.Screen.String(), "\n1. ") {
			t.Errorf("the earlier tricks aren't shown:\n%s", r.Screen)
		}
		eva, ota := solver("test:eva"), solver("test:ota")
		if eva.Found != 1 || ota.Tried != 1 || ota.Found != 0 || ota.Answers[0].Step != 1 {
			t.Errorf("stored: %+v, %+v", eva, ota)
		}
	})
}

// Each lesson is the end of a deal, played card by card to its end. A mistake is explained, and leads back to the same choice.
// A choice that is about as good as the best is correct.
// Lessons count for no rating, and are noted on the ladder once they are done. A button of a lesson as it was before, a puzzle
// whose choices were digits, leads to its beginning.
func TestLessonsClimbTheLadder(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		ask := func(press string) chat.Reply {
			r := puzzled(w, "test:eva", here, press)
			if r.Screen == nil || r.Position == nil {
				t.Fatalf("%s: %+v", press, r)
			}
			return r
		}
		lesson := func(value string) string { return screen.PressOf("puzzle", "lesson", value, here) }
		mistakes := 0
		for no := 1; no <= league.AllLessons; no++ {
			at := ask(lesson("next"))
			for _, made := range []string{"-12", "-ab"} {
				if earlier := ask(lesson(strconv.Itoa(no) + made)); earlier.Screen.String() != at.Screen.String() {
					t.Errorf("a button of an earlier version leads to\n%s", earlier.Screen)
				}
			}
			choices := 0
			for !strings.Contains(at.Screen.String(), "Remember: ") {
				if choices++; choices > 10 || !strings.Contains(at.Screen.String(), "Lesson "+strconv.Itoa(no)+" of 5") {
					t.Fatalf("lesson %d, choice %d:\n%s", no, choices, at.Screen)
				}
				buttons := slices.Concat(at.Screen.Rows...)
				offered := 0
				for _, b := range buttons {
					if _, f := screen.FieldsOf(b.Press); f.Word() == "lesson" && !strings.Contains(f.Word(), "_t") {
						offered++
					}
				}
				if offered < 2 {
					t.Errorf("lesson %d, choice %d: %d cards are offered:\n%s", no, choices, offered, at.Screen)
				}
				here := at
				right := false
				for _, b := range buttons[:offered] {
					next := ask(b.Press)
					right = right || strings.Contains(next.Screen.String(), "Correct: ")
					if !strings.Contains(next.Screen.String(), "You chose ") {
						at = next
						continue
					}
					mistakes++
					if again := ask(next.Screen.Rows[0][0].Press); again.Screen.String() != here.Screen.String() {
						t.Errorf("after a mistake in\n%s\nthe lesson goes on with\n%s", here.Screen, again.Screen)
					}
				}
				if !right {
					t.Errorf("no choice is correct in\n%s", here.Screen)
				}
			}
			if live := view.LivePosition(*at.Position).Live(); live.Phase != view.Puzzled || live.Felt.Turn != game.Nobody || slices.ContainsFunc(live.Felt.Hand, func(c view.LiveCard) bool { return c.Card != "" }) {
				t.Errorf("at the end of lesson %d, a page shows %+v", no, live.Felt)
			}
			if text := at.Screen.String(); choices < 2 || !strings.Contains(text, "Deal 1 goes to ") {
				t.Errorf("lesson %d ends after %d choices with\n%s", no, choices, text)
			}
		}
		if mistakes < league.AllLessons {
			t.Errorf("there were %d mistakes to make", mistakes)
		}
		var ladder league.Ladder
		if w.Get(league.LadderKey("test:eva"), &ladder); len(ladder.Lessons) != league.AllLessons {
			t.Errorf("the ladder is %+v", ladder)
		}
		var solver puzzle.Solver
		if w.Get(store.Key{Partition: store.Partition("test:eva"), Name: "solver:test:eva"}, &solver); solver.Tried != 0 {
			t.Errorf("lessons count: %+v", solver)
		}
		for _, value := range []string{"0", "6", "1_z", "1_1", "1_aaaaaaaaaaaaaa"} {
			if r := puzzled(w, "test:eva", here, lesson(value)); r.Outcome != chat.Refused {
				t.Errorf("%s: %+v", value, r)
			}
		}
	})
}

// A puzzle is for its reader alone. If they want words only, they get no picture, in any chat, and the words say what
// lies on the table.
func TestPuzzleInWords(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Presses("test:eva", here, town.OwnSetting("pictures", "off", here))
		ask := puzzled(w, "test:eva", here, "")
		name, _ := asked(t, ask)
		for _, r := range []chat.Reply{ask, puzzled(w, "test:eva", here, screen.PressOf("puzzle", name, "1", here)), puzzled(w, "test:eva", here, "")} {
			if r.Screen.Picture != nil || strings.Contains(r.Screen.String(), "On the table") == strings.Contains(r.Screen.String(), "You lead") {
				t.Errorf("in words only: %v", r.Screen)
			}
		}
		if r := puzzled(w, "test:ota", here, ""); r.Screen.Picture == nil {
			t.Error("Ota gets no picture")
		}
	})
}

// A press can name any day. A day without a puzzle is refused.
func TestDaysWithoutAPuzzle(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		for _, day := range []string{"0000-01-01", "1969-12-31", "2026-02-30", "9999-12-31", "now", "-"} {
			if r := puzzled(w, "test:eva", here, screen.PressOf("puzzle", "day", day, here)); r.Outcome != chat.Refused {
				t.Errorf("%s: %+v", day, r)
			}
		}
	})
}

// Answers change the ratings of the solver and of the puzzle. An answer counts once, even if it is sent several times or
// its job runs several times.
func TestAnswersAreCountedOnce(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		name, choices := asked(t, puzzled(w, "test:eva", here, ""))
		if choices < 2 {
			t.Fatalf("%d choices", choices)
		}
		press := func(player, value string) string {
			r := puzzled(w, player, here, screen.PressOf("puzzle", name, value, here))
			if r.Screen == nil {
				t.Fatalf("%s: %q", player, r.Toast)
			}
			return r.Screen.String()
		}
		var people sync.WaitGroup
		for range 4 {
			people.Go(func() { press("test:eva", "1") })
		}
		people.Wait()
		press("test:eva", "2")
		var solver puzzle.Solver
		key := store.Key{Partition: store.Partition("test:eva"), Name: "solver:test:eva"}
		if w.Get(key, &solver); solver.Tried != 1 || len(solver.Answers) != 1 || len(solver.Pending) != 1 {
			t.Errorf("Eva's document is %+v", solver)
		}
		pending := solver
		w.Pass(time.Minute)
		var sheet puzzle.Sheet
		at := doc.InHome("", "puzzle:|"+name)
		w.Get(at, &sheet)
		first := sheet
		right := 0
		if solver.Answers[0].Right {
			right = 1
		}
		if sheet.Tried != 1 || sheet.Found != right || (sheet.Rating.Mu > seed(t, name)) != (right == 0) || (solver.Rating.Mu > 25) != (right == 1) {
			t.Errorf("the puzzle's document is %+v, after %+v", sheet, solver)
		}
		// The process dies after it has counted the answer, but before it has recorded that.
		docs, err := w.Docs.Store.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Docs.Store.Commit(t.Context(), store.Change{
			Partition: key.Partition, Now: time.Now(), Due: []store.Mark{{ID: key.Name, At: time.Now()}},
			Writes: []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(pending)}},
		}); err != nil {
			t.Fatal(err)
		}
		w.Pass(time.Minute)
		if w.Get(at, &sheet); !reflect.DeepEqual(sheet, first) {
			t.Errorf("counted again, the puzzle's document is %+v", sheet)
		}
		solver = puzzle.Solver{}
		if w.Get(key, &solver); len(solver.Pending) > 0 {
			t.Error("the answer still waits to be counted")
		}
		shown := press("test:ota", "1")
		if !strings.Contains(shown, "Your puzzle rating") { // it is right, and the puzzle goes on
			shown = press("test:ota", "2")
		}
		if !strings.Contains(shown, "of 1 others found it") {
			t.Errorf("Ota reads:\n%s", shown)
		}
	})
}

// The coming days' puzzles, choices that don't exist and puzzles that came from a home's match are refused.
func TestMadeUpPuzzlesAreRefused(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		name, choices := asked(t, puzzled(w, "test:eva", here, ""))
		for _, p := range [][]string{
			{"day", time.Now().AddDate(0, 0, 1).Format(time.DateOnly), ""}, {"day", "tomorrow", ""},
			{name, "0", ""}, {name, string(rune('1' + choices)), ""}, {name, "best", ""}, {"aaaaaaaaaa", "1", here},
		} {
			if r := puzzled(w, "test:eva", here, screen.PressOf("puzzle", p...)); r.Outcome != chat.Refused || r.Screen != nil {
				t.Errorf("%+v: %+v", p, r)
			}
		}
	})
}
