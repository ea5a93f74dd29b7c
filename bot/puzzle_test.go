package bot

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/puzzle"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/game"
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
