package upkeep_test

import (
	"bytes"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/tournaments"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/upkeep"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// lasting lists the kinds whose documents don't expire by themselves, with the reason.
var lasting = map[string]string{
	"home": "a chat's settings", "hall": "results", "member": "results", "result": "results", "skill": "results", "streak": "results",
	"ladder": "results", "solver": "results", "apart": "until one of the two deletes their data", "chat": "the way to a chat's data",
	"tell": "people ask for it; the list loses them a month after their latest match", "marks": "until the bot takes the mark away",
	"welcome": "it is over, and names nobody", "heard": "it names nobody", "secret": "it names nobody", "puzzles": "it names nobody",
	"news": "what a chat asked for", "quiz": "what a chat asked for", "final": "what a chat asked for",
	"player": "what people have set", "table": "it is open, and has a job", "tournament": "it runs, and has a job", "shown": "its table or tournament is open",
	"evenings": "they have a job", "meet": "it has a job", "erase": "it has a job", "purge": "it has a job", "hold": "a process holds it",
	"puzzle": "those that come with the program",
	"budget": "processes that run write it again",
}

// ahead is longer than anything is kept that expires.
const ahead = 400 * 24 * time.Hour

// After a restore, each document of a kind that isn't lasting expires: from the samples of all kinds, and from others that can
// only expire.
func TestEachKindExpiresAfterARestore(t *testing.T) {
	t.Parallel()
	docs := slices.Collect(func(yield func(store.Doc) bool) {
		for schema := 1; schema <= doc.Schema; schema++ {
			for _, all := range samplesOf(t, schema) {
				for _, stored := range all {
					if !yield(stored) {
						return
					}
				}
			}
		}
	})
	add := func(key store.Key, v any) { docs = append(docs, store.Doc{Key: key, Data: doc.Encode(v)}) }
	player := func(name string, d doc.Player) { add(doc.PlayerKey("test:"+name), d) }
	player("asked", doc.Player{Asked: "test:one", AskedIn: "test:one"})
	player("default", doc.Player{PlayerSettings: table.PlayerSettings{Locale: "cs"}})
	player("last", doc.Player{Last: "2mtnh2set1t71-1"})
	player("reached", doc.Player{PrivateChat: "test:7", Threads: map[string]string{"x": "7"}})
	player("empty", doc.Player{})
	add(people.WelcomeKey("test:open"), people.Welcome{Event: "e", At: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), By: town.Ann})
	must := len(docs) - 6
	seen := map[store.Key]bool{}
	for i := 0; i < len(docs); {
		if seen[docs[i].Key] { // of two schemas
			docs = slices.Delete(docs, i, i+1)
			if i < must {
				must--
			}
			continue
		}
		seen[docs[i].Key] = true
		i++
	}
	gone := map[string]bool{}
	for _, stored := range docs[must:] {
		gone[stored.Key.Name] = true
	}
	text := backupText(t, docs...)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC))) // a month after the samples
		s := storetest.NewMemory()
		defer s.Close()
		if _, err := upkeep.Restore(t.Context(), s, bot.Kinds(), text, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(ahead)
		left := storedIn(t, s)
		if len(left) == 0 {
			t.Error("nothing lasts")
		}
		for _, name := range left {
			if lasting[doc.KindOf(name)] == "" || gone[name] {
				t.Errorf("%s is still there", name)
			}
		}
	})
}

// The documents of people who have set nothing expire, whatever wrote them last.
func TestAPersonWhoSetNothingIsForgotten(t *testing.T) {
	t.Parallel()
	const home = "test:one"
	for name, live := range map[string]func(w *town.Town){
		"settings in a group": func(w *town.Town) { w.Command(town.Ann, home, "settings") },
		"back to the default": func(w *town.Town) {
			w.Presses(town.Ann, home, town.OwnSetting("lang", "cs", home))
			w.Presses(town.Ann, home, town.OwnSetting("lang", "auto", home))
		},
		"a purged group": func(w *town.Town) {
			w.Command(town.Ann, home, "settings")
			w.Presence(home, chat.Removed)
			w.Pass(upkeep.PurgeAfter - time.Hour)
			w.Command(town.Ann, home, "settings")
			w.Presence(home, chat.Removed)
		},
		"a match": func(w *town.Town) { w.Match(home, "2", town.Ann, "test:ben") },
		"all, and a restore": func(w *town.Town) {
			w.Command(town.Ann, home, "settings")
			w.Match(home, "2", town.Ann, "test:ben")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			town.In(t, func(t *testing.T, w *town.Town) {
				live(w)
				if !slices.Contains(w.Traces(town.Ann), "player") {
					t.Fatal("she has no document")
				}
				w.Pass(2 * 24 * time.Hour) // her tables are closed
				var text bytes.Buffer
				if _, err := upkeep.WriteBackup(t.Context(), w.Docs.Store, bot.Kinds(), &text, time.Now()); err != nil {
					t.Fatal(err)
				}
				restored := storetest.NewMemory()
				defer restored.Close()
				if _, err := upkeep.Restore(t.Context(), restored, bot.Kinds(), bytes.NewReader(text.Bytes()), time.Now()); err != nil {
					t.Fatal(err)
				}
				w.Pass(doc.KeepPrivateChat + upkeep.PurgeAfter)
				if got := w.Stored()[doc.PlayerName(town.Ann)]; got != "" {
					t.Errorf("her document is still there: %s", got)
				}
				if slices.Contains(storedIn(t, restored), doc.PlayerName(town.Ann)) {
					t.Error("after a restore, her document is still there")
				}
			})
		})
	}
}

// After a restore, what had ended before the backup is kept only for the time that was left.
func TestARestoreKeepsWhatIsLeft(t *testing.T) {
	t.Parallel()
	const home = "test:one"
	town.In(t, func(t *testing.T, w *town.Town) {
		id := w.Match(home, "2", town.Ann, "test:ben").ID
		w.Pass(36 * time.Hour)
		keys, _ := doc.TableKeys(id)
		closed := w.Load(id)
		if closed.Phase != table.Closed {
			t.Fatal(closed.Phase)
		}
		cup := doc.NewTableID(home)
		ended := tournaments.Tournament{ID: cup, Home: home, Stage: tournaments.StageOver, Rules: gametest.Preset(t, "sedma-2p"), Over: time.Now().Add(-100 * 24 * time.Hour)}
		w.Put(keys[0].Partition, map[string]any{doc.TournamentName(cup): ended})
		var text bytes.Buffer
		if _, err := upkeep.WriteBackup(t.Context(), w.Docs.Store, bot.Kinds(), &text, time.Now()); err != nil {
			t.Fatal(err)
		}
		restored := storetest.NewMemory()
		defer restored.Close()
		if _, err := upkeep.Restore(t.Context(), restored, bot.Kinds(), bytes.NewReader(text.Bytes()), time.Now()); err != nil {
			t.Fatal(err)
		}
		for _, v := range []struct {
			name string
			ends time.Time
		}{
			{keys[0].Name, closed.Since.Add(doc.KeepClosed)},
			{keys[1].Name, closed.Since.Add(doc.KeepClosed)},
			{doc.TournamentName(cup), ended.Over.Add(doc.KeepRecord)},
		} {
			if time.Sleep(time.Until(v.ends) - time.Second); !slices.Contains(storedIn(t, restored), v.name) {
				t.Errorf("%s is gone too early", v.name)
			}
			if v.name == keys[0].Name {
				continue // the next one ends at the same time
			}
			if time.Sleep(time.Until(v.ends)); slices.Contains(storedIn(t, restored), v.name) {
				t.Errorf("%s is still there", v.name)
			}
		}
		if left := storedIn(t, restored); slices.Contains(left, keys[0].Name) {
			t.Errorf("%s is still there", keys[0].Name)
		}
	})
}
