package bot

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/view"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// journal collects a log that a timer may write while the test reads it.
type journal struct {
	mu sync.Mutex
	b  strings.Builder
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

// take returns what was written since the last call.
func (j *journal) take() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.b.Reset()
	return j.b.String()
}

// If a message is logged again and again, the log must have one line at once. After that it must have one line a minute
// with the number of repeats. Other messages must not be delayed, and those that tell of recoveries never. Nothing may be
// lost at the end.
func TestAFloodOfOneMessage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out journal
		untimed := func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}
		log, unheld := chat.Sparing(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: untimed})))
		wrote := func(when string, want ...string) {
			t.Helper()
			synctest.Wait()
			if got := strings.TrimSuffix(out.take(), "\n"); got != strings.Join(want, "\n") {
				t.Errorf("%s:\n%s\nwanted:\n%s", when, got, strings.Join(want, "\n"))
			}
		}
		for n := range 1000 {
			log.Warn("a press", "no", n)
			time.Sleep(time.Millisecond)
		}
		wrote("in the first second", `level=WARN msg="a press" no=0`)
		log.With("table", "a").Warn("a press")
		log.With("table", "b").Warn("a press")
		log.With("table", "b").Warn("a press")
		log.Error("a press")
		log.Debug("a detail")
		log.Debug("a detail")
		wrote("meanwhile", `level=WARN msg="a press" table=a`, `level=WARN msg="a press" table=b`,
			`level=ERROR msg="a press"`, `level=DEBUG msg="a detail"`, `level=DEBUG msg="a detail"`)
		time.Sleep(time.Minute)
		wrote("after a minute", `level=WARN msg="a press" no=999 times=999 last=00:00:00`, `level=WARN msg="a press" table=b times=1 last=00:00:01`)
		log.Warn("a press", "no", "later")
		wrote("in the second minute")
		time.Sleep(time.Minute)
		wrote("after the second minute", `level=WARN msg="a press" no=later times=1 last=00:01:01`)
		time.Sleep(time.Hour)
		log.Warn("a press", "no", "at last")
		wrote("when it has been quiet", `level=WARN msg="a press" no="at last"`)
		for range 2 {
			log.Info("connected", "again", true)
		}
		wrote("recoveries", `level=INFO msg=connected again=true`, `level=INFO msg=connected again=true`)
		log.Warn("a press", "no", "before")
		log.Info("connected", "again", true)
		wrote("the outage before the recovery", `level=WARN msg="a press" no=before times=1 last=01:02:01`, `level=INFO msg=connected again=true`)
		log.Warn("a press", "no", "last")
		unheld()
		wrote("the end", `level=WARN msg="a press" no=last times=1 last=01:02:01`)
		time.Sleep(time.Hour)
		wrote("after the end")
	})
}

// An error of something that was cancelled isn't logged as one, however it is wrapped. A warning and a timeout stay what they are.
func TestWhatIsCutOffIsNoError(t *testing.T) {
	t.Parallel()
	for level, want := range map[slog.Level]string{
		slog.LevelDebug: "ERROR late\nINFO cut off\nWARN cut off\n",
		slog.LevelWarn:  "ERROR late\nWARN cut off\n",
	} {
		var out journal
		log, unheld := chat.Sparing(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level})))
		cut := fmt.Errorf("get from redis: %w", context.Canceled)
		log.Error("late", "err", context.DeadlineExceeded)
		log.Error("cut off", "command", "new", "err", cut)
		log.Warn("cut off", "err", cut)
		unheld()
		got := ""
		for line := range strings.Lines(out.take()) {
			_, line, _ = strings.Cut(line, "level=")
			level, line, _ := strings.Cut(line, " msg=")
			text, _, _ := strings.Cut(line, " command=")
			text, _, _ = strings.Cut(text, " err=")
			got += level + " " + strings.Trim(text, `"`) + "\n"
		}
		if got != want {
			t.Errorf("at level %v:\n%s\nwanted:\n%s", level, got, want)
		}
	}
}

// Lines are in the order of their times, also those that were held.
func TestHeldLinesAreInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out journal
		log, unheld := chat.Sparing(slog.New(slog.NewJSONHandler(&out, nil)))
		for n := range 200 {
			log.Warn("a press")
			log.Warn("another press")
			if n%17 == 0 {
				log.Info("connected")
			}
			if n%13 == 0 {
				log.Error("a fault", "no", n)
			}
			time.Sleep(time.Duration(n) * 50 * time.Millisecond)
		}
		unheld()
		synctest.Wait()
		last := ""
		for line := range strings.Lines(out.take()) {
			at, _, _ := strings.Cut(strings.TrimPrefix(line, `{"time":"`), `"`)
			if at = (at + strings.Repeat("0", 9))[:len("2006-01-02T15:04:05")]; at < last {
				t.Errorf("a line of %s follows one of %s", at, last)
			}
			last = at
		}
	})
}

// At the level debug, each press and each command has a line that says what it was and how it ended, without a name, a card or
// a person's words.
func TestDebugFollowsAPress(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		var log journal
		b := New(Config{Store: file, Platforms: []chat.Platform{&chats{}}, Think: easy, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		in := by("ann")
		in.Command, in.Args = "new", map[string]string{"game": "2"}
		b.Handle(t.Context(), in)
		home, err := b.docs.Home(t.Context(), in.Chat.Home)
		if err != nil || len(home.Open) != 1 {
			t.Fatal(home, err)
		}
		open := slices.Collect(maps.Values(home.Open))[0]
		press := by("ann")
		press.Press = view.Press{Action: view.ActStart, Table: open}.String()
		b.Handle(t.Context(), press)
		press.Press = "Ann's own words"
		b.Handle(t.Context(), press)
		var got []string
		for line := range strings.Lines(log.take()) {
			if _, rest, ok := strings.Cut(line, "msg=input "); ok {
				rest, _, _ = strings.Cut(rest, " ms=")
				got = append(got, rest)
			}
		}
		want := []string{
			"platform=test action=new table=\"\" outcome=done",
			"platform=test action=" + view.ActStart + " table=" + open + " outcome=done",
			"platform=test action=unknown table=\"\" outcome=refused",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// A person keeps pressing at a damaged table, and asks for their data while much of it is
// unreadable. Each fault is logged once a minute.
func TestAFloodOfPressesFillsNoLog(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		var log journal
		limited, _ := chat.Sparing(slog.New(slog.NewTextHandler(&log, nil)))
		b := New(Config{Store: file, Platforms: []chat.Platform{&chats{}}, Think: easy, Log: limited})
		for i := range 5 {
			in := by("ann")
			in.Command, in.Chat.ID = "new", "test:chat"+string(rune('a'+i))
			b.Handle(t.Context(), in)
		}
		home, err := b.docs.Home(t.Context(), by("ann").Chat.Home)
		if err != nil || len(home.Open) != 5 {
			t.Fatal(home, err)
		}
		press := by("ann")
		for _, id := range home.Open {
			keys, _ := doc.TableKeys(id)
			docs, err := file.Get(t.Context(), keys[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := file.Commit(t.Context(), store.Change{Partition: keys[0].Partition, Writes: []store.Write{
				{Name: keys[0].Name, Expect: docs[0].Version, Data: docs[0].Data[:len(docs[0].Data)-1]},
			}}); err != nil {
				t.Fatal(err)
			}
			press.Press = view.Press{Action: view.ActJoin, Table: id}.String()
		}
		export := by("ann")
		export.Command, export.Chat = "mydata", chat.Chat{ID: "test:ann", Home: "test:ann", Private: true}
		export.Args = map[string]string{"what": people.DataExport}
		for range 50 {
			if r := b.Handle(t.Context(), press); r.Outcome != chat.Failed {
				t.Fatalf("the press on a damaged table: %+v", r)
			}
			b.Handle(t.Context(), export)
			time.Sleep(time.Second)
		}
		lines := log.take()
		for _, line := range []string{"answer a player", "gather a person's data"} {
			if n := strings.Count(lines, line); n != 1 {
				t.Errorf("%d lines of %q", n, line)
			}
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if lines = log.take(); !strings.Contains(lines, "times=49") {
			t.Errorf("no count:\n%s", lines)
		}
	})
}
