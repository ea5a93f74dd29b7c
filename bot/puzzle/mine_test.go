package puzzle_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/puzzle"
	"sedmabot/bot/screen"
	"sedmabot/bot/tournaments"
	"sedmabot/game/gametest"
	"sedmabot/store"
)

// If its managers want it, a home gets puzzles from its own finished matches. They have no names, and not the true hidden
// cards. The search uses idle capacity, in short parts. Only people in that home get the puzzles.
func TestPuzzlesFromOwnMatches(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("solving puzzles takes too long under the race detector")
	}
	town.In(t, func(t *testing.T, w *town.Town) {
		r := gametest.Preset(t, "sedma-2p")
		over := w.PlayOut(here, r, 0)
		puzzled(w, town.Eva, here, "")
		if jobs := w.Due("puzzles", time.Hour); len(jobs) > 0 {
			t.Errorf("without the setting, %v are due", jobs)
		}
		w.Manages(town.Eva, here, "puzzles", "on")
		puzzled(w, town.Eva, here, "")
		key := doc.InHome(here, "puzzles:"+here)
		w.Does(puzzle.New(w.Docs, w.Queue, w.Tables, w.Thinkers, tournaments.New(w.Docs, w.Queue, w.Tables, nil, 0)).Feature().Kinds)
		w.Occupied(func() { w.Works(key.Name) })
		var mine puzzle.Mine
		if w.Get(key, &mine); len(mine.Names) > 0 || mine.At.Parts > 0 {
			t.Error("it searched without room for it")
		}
		parts, normal := 0, w.Slow(time.Second/50)
		for ; len(w.Due("puzzles", time.Minute)) > 0; parts++ {
			w.Works(key.Name)
		}
		normal()
		mine = puzzle.Mine{}
		if w.Get(key, &mine); len(mine.Names) == 0 || parts < 2 || !slices.Equal(mine.Done, []string{doc.MatchID(over.ID, 1)}) {
			t.Fatalf("after %d parts: %+v", parts, mine)
		}
		for _, name := range mine.Names {
			var sheet puzzle.Sheet
			w.Get(doc.InHome(here, "puzzle:"+here+"|"+name), &sheet)
			text, err := json.Marshal(sheet)
			if err != nil || sheet.Puzzle == nil || !sheet.Until.After(w.Docs.Now()) {
				t.Fatalf("%s, %v", text, err)
			}
			if bytes.Contains(text, []byte("eva")) || bytes.Contains(text, []byte("ota")) || bytes.Contains(text, []byte(over.ID)) {
				t.Errorf("a puzzle says where it comes from: %s", text)
			}
			if sheet.Puzzle.ID() != name {
				t.Errorf("puzzle %s is stored as %s", sheet.Puzzle.ID(), name)
			}
		}
		first, _ := asked(t, puzzled(w, "test:zoe", here, anotherPuzzle))
		if !slices.Contains(mine.Names, first) {
			t.Errorf("Zoe is asked %s, which isn't from a match", first)
		}
		// Eva has played in the home, so she may answer from her private chat. Zoe may not.
		if name, _ := asked(t, puzzled(w, town.Eva, town.Eva, anotherPuzzle)); !slices.Contains(mine.Names, name) {
			t.Errorf("in her private chat, Eva is asked %s", name)
		}
		if name, _ := asked(t, puzzled(w, "test:zoe", "test:zoe", anotherPuzzle)); slices.Contains(mine.Names, name) {
			t.Error("in her private chat, Zoe is asked a puzzle of the home")
		}
		if r := puzzled(w, "test:zoe", "test:zoe", screen.PressOf("puzzle", first, "1", here)); r.Outcome != chat.Refused {
			t.Errorf("Zoe answers a puzzle of the home: %+v", r)
		}
		w.Manages(town.Eva, here, "puzzles", "off")
		if name, _ := asked(t, puzzled(w, "test:zoe", here, anotherPuzzle)); slices.Contains(mine.Names, name) {
			t.Error("a home that doesn't want them still has puzzles")
		}
		puzzled(w, "test:zoe", here, "")
		w.Pass(time.Hour)
		for _, k := range []store.Key{key, doc.InHome(here, "puzzle:"+here+"|"+first)} {
			if w.Get(k, new(json.RawMessage)) != 0 {
				t.Errorf("%s is still stored", k.Name)
			}
		}
	})
}
