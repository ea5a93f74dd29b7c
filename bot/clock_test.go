package bot

import (
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// wallClock lists the files that may ask the time package for the time, and
// what for. All others use the clock of Config.
var wallClock = map[string]string{
	"chat/sparing.go":  "lines of a log have this machine's time",
	"bot.go":           "the default clock",
	"work/brake.go":    "how long a process rests",
	"work/election.go": "how long a leader was not renewed",
	"work/exchange.go": "when a document that only running processes need expires",
	"work/idle.go":     "how long people wait and computations take",
	"work/think.go":    "how long the AI thinks",
	"deliver/show.go":  "how much time a context leaves",
}

// TestOneClock checks that the shell uses only the clock it was given.
func TestOneClock(t *testing.T) {
	t.Parallel()
	var names []string
	for _, room := range []string{".", "chat", "doc", "work", "league", "tables", "deliver", "play", "club/review", "club/daily", "club/puzzle", "club/tournaments", "club/meet", "club/marks", "boards", "people", "upkeep", "pages"} {
		more, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(more) == 0 {
			t.Fatal(room, err)
		}
		names = append(names, more...)
	}
	used := map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			p, ok := s.X.(*ast.Ident)
			if ok && p.Name == "time" && (s.Sel.Name == "Now" || s.Sel.Name == "Since" || s.Sel.Name == "Until") {
				used[name] = true
				if wallClock[name] == "" {
					t.Errorf("%s: time.%s instead of the clock of Config", files.Position(n.Pos()), s.Sel.Name)
				}
			}
			return true
		})
	}
	for name := range wallClock {
		if !used[name] {
			t.Errorf("%s does not ask for the time: remove it from wallClock", name)
		}
	}
}

func openStore(t *testing.T) store.Store {
	t.Helper()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestAnswersExpireByTheGivenClock runs a bot whose clock is ten years ahead.
func TestAnswersExpireByTheGivenClock(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	now := time.Now().AddDate(10, 0, 0)
	b := New(Config{Store: s, Platforms: []chat.Platform{&chats{}}, Think: easy, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now }})
	command(b, "ann", "new")
	command(b, "ben", "join")
	command(b, "ann", "start")
	answers := func() map[string]doc.Hands {
		t.Helper()
		keys, _ := doc.TableKeys(theTable(t, b).ID)
		docs, err := s.Get(t.Context(), keys[2])
		if err != nil {
			t.Fatal(err)
		}
		var notes doc.Notes
		if err := doc.Decode(docs[0], &notes); err != nil {
			t.Fatal(err)
		}
		return notes.Hands
	}
	hand := func(player string) {
		in := by(player)
		in.Command, in.Answer, in.Until = "hand", chat.Address("test:"+player), now.Add(15*time.Minute)
		if r := b.Handle(t.Context(), in); r.Shown != nil {
			r.Shown(t.Context(), in.Answer, in.Aside())
		}
	}
	hand("ann")
	if _, ok := answers()["test:ann"]; !ok {
		t.Fatal("Ann's hand is not noted")
	}
	now = now.Add(time.Hour)
	hand("ben")
	if got := answers(); len(got) != 1 || len(got["test:ben"]) != 1 {
		t.Errorf("after an hour the hands are %v, want only Ben's", got)
	}
}
