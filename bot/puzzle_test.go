package bot

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/puzzle"
	"sedmabot/bot/screen"
	"sedmabot/bot/tournaments"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/tournament"
	"sedmabot/store"
)

// puzzled sends the command, or a press if there is any.
func (w *shell) puzzled(player, home string, press string) chat.Reply {
	w.t.Helper()
	in := w.input(player, home)
	if in.Command = "puzzle"; press != "" {
		in.Command, in.Press = "", press
	}
	return w.Handle(w.t.Context(), in)
}

// asked returns the puzzle that a reply asks, with the number of choices; or "" if it asks none.
func (w *shell) asked(r chat.Reply) (name string, choices int) {
	w.t.Helper()
	if r.Screen == nil {
		w.t.Fatalf("no screen: %q", r.Toast)
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

var anotherPuzzle = screen.PressOf("puzzle", "next", "now", here)

// works does all due jobs of a kind until none is left, and returns how often it did one.
func (w *shell) works(kind string) (times int) {
	w.t.Helper()
	for ; times < 1000; times++ {
		w.now = w.now.Add(work.NewerFor)
		ids := w.dueOf(kind)
		if len(ids) == 0 {
			return times
		}
		w.queue.Work(w.t.Context(), w.claim(ids[0]), w.now.Add(work.Lease))
	}
	w.t.Fatalf("the jobs %s don't come to an end", kind)
	return times
}

// wants sets whether the home has puzzles from its own matches.
func (w *shell) wants(value string) {
	w.t.Helper()
	in := w.input("test:eva", here)
	in.Admin = true
	in.Press = homeSetting("puzzles", value, here).String()
	if r := w.Handle(w.t.Context(), in); r.Screen == nil {
		w.t.Fatalf("%q", r.Toast)
	}
}

// Everyone gets the same puzzle of the day. People may answer as many more as they like, each once, until only those of
// the coming days are left.
func TestEachSolverGetsAPuzzleOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one person answers all puzzles")
	}
	w := newShell(t)
	today, _ := w.asked(w.puzzled("test:eva", here, ""))
	if other, _ := w.asked(w.puzzled("test:ota", elsewhere, "")); other != today || today == "" {
		t.Errorf("Ota is asked %q, and Eva %q", other, today)
	}
	seen := map[string]bool{}
	name := today
	for name != "" {
		if seen[name] {
			t.Fatalf("puzzle %d is asked twice", len(seen)+1)
		}
		seen[name] = true
		r := w.puzzled("test:eva", here, screen.PressOf("puzzle", name, "1", here))
		if r.Screen == nil || !strings.Contains(r.Screen.String(), "Your puzzle rating") {
			t.Fatalf("no answer: %+v", r)
		}
		next := w.puzzled("test:eva", here, anotherPuzzle)
		if again := w.puzzled("test:eva", here, anotherPuzzle); again.Screen.String() != next.Screen.String() {
			t.Error("asked twice without an answer, it asks two puzzles")
		}
		name, _ = w.asked(next)
	}
	if len(seen) < 160 || len(seen) > 200-30 {
		t.Errorf("there were %d puzzles", len(seen))
	}
	for range 30 {
		w.now = w.now.AddDate(0, 0, 1)
		name, _ := w.asked(w.puzzled("test:eva", here, ""))
		if name == "" || seen[name] {
			t.Fatal("the puzzle of a later day was asked before")
		}
	}
}

// A puzzle is for its reader alone. If they want words only, they get no picture, in any chat, and the words say what
// lies on the table.
func TestPuzzleInWords(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	in := w.input("test:eva", here)
	in.Press = ownSetting("pictures", "off", here).String()
	w.Handle(t.Context(), in)
	ask := w.puzzled("test:eva", here, "")
	name, _ := w.asked(ask)
	for _, r := range []chat.Reply{ask, w.puzzled("test:eva", here, screen.PressOf("puzzle", name, "1", here)), w.puzzled("test:eva", here, "")} {
		if r.Screen.Picture != nil || strings.Contains(r.Screen.String(), "On the table") == strings.Contains(r.Screen.String(), "You lead") {
			t.Errorf("in words only: %v", r.Screen)
		}
	}
	if r := w.puzzled("test:ota", here, ""); r.Screen.Picture == nil {
		t.Error("Ota gets no picture")
	}
}

// A press can name any day. A day without a puzzle is refused.
func TestDaysWithoutAPuzzle(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	for _, day := range []string{"0000-01-01", "1969-12-31", "2026-02-30", "9999-12-31", "now", "-"} {
		if r := w.puzzled("test:eva", here, screen.PressOf("puzzle", "day", day, here)); r.Outcome != chat.Refused {
			t.Errorf("%s: %+v", day, r)
		}
	}
}

// Answers change the ratings of the solver and of the puzzle. An answer counts once, even if it is sent several times or
// its job runs several times.
func TestAnswersAreCountedOnce(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	name, choices := w.asked(w.puzzled("test:eva", here, ""))
	if choices < 2 {
		t.Fatalf("%d choices", choices)
	}
	press := func(player, value string) string {
		r := w.puzzled(player, here, screen.PressOf("puzzle", name, value, here))
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
	if w.get(key, &solver); solver.Tried != 1 || len(solver.Answers) != 1 || len(solver.Pending) != 1 {
		t.Errorf("Eva's document is %+v", solver)
	}
	pending := solver
	w.works("solver")
	var sheet puzzle.Sheet
	at := doc.InHome("", "puzzle:|"+name)
	w.get(at, &sheet)
	first := sheet
	right := 0
	if solver.Answers[0].Right {
		right = 1
	}
	if sheet.Tried != 1 || sheet.Found != right || (sheet.Rating.Mu > 25) != (right == 0) || (solver.Rating.Mu > 25) != (right == 1) {
		t.Errorf("the puzzle's document is %+v, after %+v", sheet, solver)
	}
	// The process dies after it has counted the answer, but before it has recorded that.
	docs, err := w.docs.Store.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.docs.Store.Commit(t.Context(), store.Change{
		Partition: key.Partition, Now: w.now, Due: []store.Mark{{ID: key.Name, At: w.now}},
		Writes: []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(pending)}},
	}); err != nil {
		t.Fatal(err)
	}
	w.works("solver")
	if w.get(at, &sheet); !reflect.DeepEqual(sheet, first) {
		t.Errorf("counted again, the puzzle's document is %+v", sheet)
	}
	solver = puzzle.Solver{}
	if w.get(key, &solver); len(solver.Pending) > 0 {
		t.Error("the answer still waits to be counted")
	}
	if shown := press("test:ota", "1"); !strings.Contains(shown, "of 1 others found it") {
		t.Errorf("Ota reads:\n%s", shown)
	}
}

// The coming days' puzzles, choices that don't exist and puzzles of other homes are refused.
func TestMadeUpPuzzlesAreRefused(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	name, choices := w.asked(w.puzzled("test:eva", here, ""))
	for _, p := range [][]string{
		{"day", w.now.AddDate(0, 0, 1).Format(time.DateOnly), ""}, {"day", "tomorrow", ""},
		{name, "0", ""}, {name, string(rune('1' + choices)), ""}, {name, "best", ""}, {"aaaaaaaaaa", "1", here},
	} {
		if r := w.puzzled("test:eva", here, screen.PressOf("puzzle", p...)); r.Outcome != chat.Refused || r.Screen != nil {
			t.Errorf("%+v: %+v", p, r)
		}
	}
}

// If its managers want it, a home gets puzzles from its own finished matches. They have no names, and not the true hidden
// cards. The search uses idle capacity, in short parts. Only people in that home get the puzzles.
func TestPuzzlesFromOwnMatches(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("solving puzzles takes too long under the race detector")
	}
	w := newShell(t)
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	over := w.playOut(r, 0)
	w.puzzled("test:eva", here, "")
	if jobs := w.dueOf("puzzles"); len(jobs) > 0 {
		t.Errorf("without the setting, %v are due", jobs)
	}
	w.wants("on")
	w.puzzled("test:eva", here, "")
	key := doc.InHome(here, "puzzles:"+here)
	w.occupied(func() { w.queue.Work(t.Context(), w.claim(key.Name), w.now.Add(work.Lease)) })
	var mine puzzle.Mine
	if w.get(key, &mine); len(mine.Names) > 0 || mine.At.Parts > 0 {
		t.Error("it searched without room for it")
	}
	ticks := w.Bot.docs.Now
	w.Bot.docs.Now = func() time.Time { w.now = w.now.Add(time.Second / 50); return w.now } // a slow machine
	parts := w.works("puzzles")
	w.Bot.docs.Now = ticks
	mine = puzzle.Mine{}
	if w.get(key, &mine); len(mine.Names) == 0 || parts < 2 || !slices.Equal(mine.Done, []string{doc.MatchID(over.ID, 1)}) {
		t.Fatalf("after %d parts: %+v", parts, mine)
	}
	for _, name := range mine.Names {
		var sheet puzzle.Sheet
		w.get(doc.InHome(here, "puzzle:"+here+"|"+name), &sheet)
		text, err := json.Marshal(sheet)
		if err != nil || sheet.Puzzle == nil || !sheet.Until.After(w.now) {
			t.Fatalf("%s, %v", text, err)
		}
		if bytes.Contains(text, []byte("eva")) || bytes.Contains(text, []byte("ota")) || bytes.Contains(text, []byte(over.ID)) {
			t.Errorf("a puzzle says where it comes from: %s", text)
		}
		if sheet.Puzzle.ID() != name {
			t.Errorf("puzzle %s is stored as %s", sheet.Puzzle.ID(), name)
		}
	}
	first, _ := w.asked(w.puzzled("test:zoe", here, anotherPuzzle))
	if !slices.Contains(mine.Names, first) {
		t.Errorf("Zoe is asked %s, which isn't from a match", first)
	}
	// Eva has played in the home, so she may answer from her private chat. Zoe may not.
	if name, _ := w.asked(w.puzzled("test:eva", "test:eva", anotherPuzzle)); !slices.Contains(mine.Names, name) {
		t.Errorf("in her private chat, Eva is asked %s", name)
	}
	if name, _ := w.asked(w.puzzled("test:zoe", "test:zoe", anotherPuzzle)); slices.Contains(mine.Names, name) {
		t.Error("in her private chat, Zoe is asked a puzzle of the home")
	}
	if r := w.puzzled("test:zoe", "test:zoe", screen.PressOf("puzzle", first, "1", here)); r.Outcome != chat.Refused {
		t.Errorf("Zoe answers a puzzle of the home: %+v", r)
	}
	w.wants("off")
	if name, _ := w.asked(w.puzzled("test:zoe", here, anotherPuzzle)); slices.Contains(mine.Names, name) {
		t.Error("a home that doesn't want them still has puzzles")
	}
	w.puzzled("test:zoe", here, "")
	w.works("puzzles")
	for _, k := range []store.Key{key, doc.InHome(here, "puzzle:"+here+"|"+first)} {
		if w.get(k, new(json.RawMessage)) != 0 {
			t.Errorf("%s is still stored", k.Name)
		}
	}
}

// While others still play the cards of a match in a deal of the day or a tournament, no puzzle comes from it. No puzzle
// comes from matches that other chats watched, or from games that aren't scored in stakes. TestPuzzlesFromOwnMatches has the same
// match without any of this.
func TestSealedMatchesAreNoPuzzles(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rules   string
		sealed  func(w *shell, m *doc.Match)
		forever bool
	}{
		"daily": {rules: "sedma-2p", sealed: func(w *shell, m *doc.Match) { m.Sealed = w.now.AddDate(1, 0, 0) }},
		"tournament": {rules: "sedma-2p", sealed: func(w *shell, m *doc.Match) {
			id := doc.NewTableID(here)
			rules, _ := game.Preset("sedma-2p")
			running := tournaments.Tournament{ID: id, Home: here, Stage: tournaments.StageRound, Rules: rules}
			running.Swiss.Rounds = make([]tournament.Round, 1)
			partition, _ := doc.TablePartition(id)
			if err := w.docs.Store.Commit(t.Context(), store.Change{Partition: partition, Now: w.now, Writes: []store.Write{{Name: doc.CupName(id), Data: doc.Encode(running)}}}); err != nil {
				t.Error(err)
			}
			m.Cup, m.Round = id, 1
		}},
		"guests": {rules: "sedma-2p", sealed: func(_ *shell, m *doc.Match) { m.Guests = []string{elsewhere} }, forever: true},
		"points": {rules: "sedmice-2p", sealed: func(*shell, *doc.Match) {}, forever: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newShell(t)
			r, err := game.Preset(test.rules)
			if err != nil {
				t.Fatal(err)
			}
			over := w.playOut(r, 0)
			match, _ := doc.MatchKey(over.ID, 1)
			if err := w.docs.Update(t.Context(), "", []store.Key{match}, func(docs []store.Doc, c *store.Change) error {
				var m doc.Match
				if err := doc.Decode(docs[0], &m); err != nil {
					return err
				}
				test.sealed(w, &m)
				c.Writes = []store.Write{{Name: match.Name, Expect: docs[0].Version, Data: doc.Encode(m)}}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			w.wants("on")
			w.puzzled("test:eva", here, "")
			w.works("puzzles")
			var mine puzzle.Mine
			w.get(doc.InHome(here, "puzzles:"+here), &mine)
			if found := len(mine.Names) > 0; found {
				t.Errorf("it found %v", mine.Names)
			}
			if done := len(mine.Done) > 0; done != test.forever {
				t.Errorf("searched: %v", mine.Done)
			}
		})
	}
}
