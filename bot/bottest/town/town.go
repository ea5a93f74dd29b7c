// Package town is the world of a room's tests: the bot on a store in memory, with people who press and give commands.
// It sends its messages to a platform that only records them. It must be made in a synctest bubble:
//
//	town.In(t, func(t *testing.T, w *town.Town) {
//		tab := w.Match("test:one", "2", "test:ann", "test:ben")
//		w.Pass(time.Hour)
//		w.Has(w.Command("test:ann", "test:one", "stats"), "1 match")
//	})
//
// Background work is done only while a test lets time pass. Because this package imports package bot, which imports the rooms,
// tests that use it are in an external package, such as review_test.
package town

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// Ann is the person whose name contains letters that other names don't have.
const (
	Ann     = "test:ann4711"
	AnnName = "Anežka Žampachová"
)

// Season is longer than any season.
const Season = 100 * 24 * time.Hour

// Town is a bot and its people.
type Town struct {
	*bot.Bot
	bot.Ground // the bot's
	Chats      *Chats

	t   testing.TB
	due *dueStore
}

// In runs f with a town on an empty store, in a synctest bubble. Changes are applied to the bot's configuration.
func In(t *testing.T, f func(t *testing.T, w *Town), changes ...func(*bot.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		memory := storetest.NewMemory()
		defer memory.Close()
		f(t, New(t, memory, changes...))
	})
}

// New returns a town whose bot is a new process on a store. Changes are applied to the bot's configuration.
func New(t testing.TB, s store.Store, changes ...func(*bot.Config)) *Town {
	w := &Town{t: t, Chats: &Chats{}, due: &dueStore{Store: s}}
	var deals atomic.Uint32
	c := bot.Config{
		Store: w.due, Platforms: []chat.Platform{w.Chats}, Worlds: 2, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
		Seed: func() (seed table.Seed) { binary.BigEndian.PutUint32(seed[:], deals.Add(1)); return seed },
	}
	for _, change := range changes {
		change(&c)
	}
	w.Bot = bot.New(c)
	w.Ground = w.Bot.Ground()
	return w
}

// dueStore remembers when the next job is due, as its latest claim said.
type dueStore struct {
	store.Store
	mu   sync.Mutex
	next time.Time
}

func (s *dueStore) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := s.Store.Claim(ctx, now, lease, limit)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = next
	return jobs, next, err
}

// Pass lets time pass. The bot does the jobs that become due.
func (w *Town) Pass(d time.Duration) {
	w.t.Helper()
	until := time.Now().Add(d)
	for time.Now().Before(until) || d == 0 {
		w.work(until)
		w.due.mu.Lock()
		next := w.due.next
		w.due.mu.Unlock()
		if next.IsZero() || next.After(until) {
			next = until
		}
		time.Sleep(time.Until(next)) // nothing is due before
		if d == 0 {
			return
		}
	}
}

// work runs the bot while jobs are due soon, but not after until.
func (w *Town) work(until time.Time) {
	const soon = time.Minute
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	for {
		synctest.Wait()
		w.due.mu.Lock()
		next := w.due.next
		w.due.mu.Unlock()
		if next.IsZero() || next.After(until) || time.Until(next) > soon {
			break
		}
		time.Sleep(max(time.Millisecond, time.Until(next)))
	}
	cancel()
	if err := <-ended; err != nil {
		w.t.Error(err)
	}
}

// Input is what a person does in a chat. A person's id is also the id of their private chat.
func (w *Town) Input(player, home string) chat.Input {
	in := chat.Input{Player: chat.Player{ID: player, Name: strings.TrimPrefix(player, "test:"), Lang: "en"}, Chat: chat.Chat{ID: home, Home: home, Private: home == player}}
	if player == Ann {
		in.Player.Name = AnnName
	}
	return in
}

// Command gives a command with the names and values of its options.
func (w *Town) Command(player, home, name string, args ...string) chat.Reply {
	w.t.Helper()
	in := w.Input(player, home)
	in.Command, in.Args = name, map[string]string{}
	for i := 0; i+1 < len(args); i += 2 {
		in.Args[args[i]] = args[i+1]
	}
	r := w.Handle(w.t.Context(), in)
	if r.Outcome == chat.Failed {
		w.t.Fatalf("%s: /%s: %s", player, name, r.Toast)
	}
	return r
}

// Asks makes a press and returns the reply, which may be a refusal.
func (w *Town) Asks(player, home string, press fmt.Stringer) chat.Reply {
	w.t.Helper()
	in := w.Input(player, home)
	in.Press = press.String()
	return w.Handle(w.t.Context(), in)
}

// Presses makes a press. If it is refused, the test fails.
func (w *Town) Presses(player, home string, press fmt.Stringer) chat.Reply {
	w.t.Helper()
	in := w.Input(player, home)
	in.Press = press.String()
	if player == Ann && screen.PressWord(in.Press) == view.ActCards {
		in.Answer, in.Origin, in.Until = "test:answer", "test:"+Ann+"/1", time.Now().Add(time.Hour)
	}
	r := w.Handle(w.t.Context(), in)
	if r.Outcome != chat.Done {
		w.t.Fatalf("%s: %s: %s", player, press, r.Toast)
	}
	if in.Answer != "" && r.Shown != nil {
		r.Shown(w.t.Context(), in.Answer, in.Aside())
	}
	return r
}

// Manages makes a choice in the settings of a home, which the person manages.
func (w *Town) Manages(player, home, setting, value string) {
	w.t.Helper()
	in := w.Input(player, home)
	in.Admin, in.Press = true, HomeSetting(setting, value, home).String()
	if r := w.Handle(w.t.Context(), in); r.Outcome != chat.Done {
		w.t.Fatalf("%s: %s", in.Press, r.Toast)
	}
}

// Has checks that a reply shows these words, and doesn't show those after a "!".
func (w *Town) Has(r chat.Reply, words ...string) {
	w.t.Helper()
	if r.Screen == nil {
		w.t.Fatalf("no screen: %q", r.Toast)
	}
	for _, word := range words {
		lacks := strings.HasPrefix(word, "!")
		if strings.Contains(r.Screen.String(), strings.TrimPrefix(word, "!")) == lacks {
			w.t.Errorf("%q:\n%s", word, r.Screen)
		}
	}
}

// Get reads a document into a value, and returns its version. It is 0 if there is no such document.
func (w *Town) Get(key store.Key, into any) (version int64) {
	w.t.Helper()
	docs, err := w.Docs.Store.Get(w.t.Context(), key)
	if err == nil {
		err = doc.Decode(docs[0], into)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return docs[0].Version
}

// Put writes documents, whatever was there.
func (w *Town) Put(partition int, documents map[string]any) {
	w.t.Helper()
	c := store.Change{Partition: partition, Now: time.Now()}
	for name, value := range documents {
		c.Writes = append(c.Writes, store.Write{Name: name, Expect: store.Any, Data: doc.Encode(value)})
	}
	if err := w.Docs.Store.Commit(w.t.Context(), c); err != nil {
		w.t.Fatal(err)
	}
}

// At returns the open table of a chat.
func (w *Town) At(home string) table.Table {
	w.t.Helper()
	id, err := w.Tables.OpenTable(w.t.Context(), chat.Chat{ID: home, Home: home})
	if err != nil || id == "" {
		w.t.Fatalf("no table in %s: %v", home, err)
	}
	return w.Load(id)
}

// Load returns a table.
func (w *Town) Load(id string) table.Table {
	w.t.Helper()
	tab, err := w.Tables.Load(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return tab
}

// Sit opens a table and seats people there. The rules are as /new takes them.
func (w *Town) Sit(home, rules string, who ...string) table.Table {
	w.t.Helper()
	w.Command(who[0], home, "new", "rules", rules)
	tab := w.At(home)
	for _, player := range who[1:] {
		w.Presses(player, home, view.Press{Action: view.ActJoin, Table: tab.ID})
	}
	w.Pass(0)
	return w.At(home)
}

// Match plays a match of one deal.
func (w *Town) Match(home, rules string, who ...string) table.Table {
	w.t.Helper()
	tab := w.Sit(home, rules, who...)
	w.Presses(who[0], home, view.Press{Action: view.ActStart, Table: tab.ID})
	w.Presses(who[0], home, view.Press{Action: view.ActLast, Table: tab.ID})
	return w.PlayOn(tab.ID, 1000)
}

// PlayOn lets people play until the match is over or that many moves are made.
func (w *Town) PlayOn(id string, moves int) table.Table {
	w.t.Helper()
	for {
		page, err := w.Pages().Table(w.t.Context(), id) // from the bot's cache
		if err != nil {
			w.t.Fatal(err)
		}
		tab := page.Public
		if moves--; moves < 0 || tab.Phase == table.Over || tab.Phase == table.Closed {
			return w.Load(id)
		}
		seats := tab.Seats
		if tab.Policy.Masked { // the page doesn't know who they are
			seats = w.Load(id).Seats
		}
		player := ""
		if tab.Phase == table.Playing {
			player = seats[tab.Turn].Player.ID
		}
		own, _ := page.Private(player)
		if v := own.View; len(v.Legal) == 0 || v.Forced {
			w.Pass(time.Minute / 4)
		} else {
			w.Presses(player, tab.Home, view.Press{Action: view.ActPlay, Table: id, Deal: tab.DealNo, Turn: v.Decisions[v.Seat], Move: ai.Beginner.Try(context.Background(), v, 0, 0)})
		}
	}
}

// Stored returns the data of all documents by name, except those that only processes need.
func (w *Town) Stored() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for p := range store.Partitions {
		docs, err := upkeep.ScanAll(w.t.Context(), w.Docs.Store, p)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, stored := range docs {
			all[stored.Key.Name] = string(stored.Data)
		}
	}
	return all
}

// Traces returns the kinds of the documents in a full backup that contain one of the words.
func (w *Town) Traces(words ...string) []string {
	w.t.Helper()
	var backup bytes.Buffer
	if _, err := upkeep.WriteBackup(w.t.Context(), w.Docs.Store, bot.Kinds(), &backup, time.Now()); err != nil {
		w.t.Fatal(err)
	}
	kinds := map[string]bool{}
	for line := range strings.Lines(backup.String()) {
		for _, word := range words {
			if strings.Contains(line, word) {
				_, name, _ := strings.Cut(line, `"name":"`)
				kinds[doc.KindOf(name)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}

// Accounts checks that the boards agree with the results of all matches.
func (w *Town) Accounts(when string) {
	w.t.Helper()
	a, err := upkeep.CheckBoards(w.t.Context(), w.Docs.Store)
	if err != nil || len(a.Wrong) > 0 || a.Replayed == 0 {
		w.t.Errorf("%s: %+v, %v", when, a, err)
	}
}

// Older writes what an earlier version kept about a player's choices in a table's match.
func (w *Town) Older(tab table.Table, player string) {
	w.t.Helper()
	name := league.SkillName(tab.Home, player)
	var now league.Skill
	w.Get(doc.InHome(tab.Home, name), &now)
	coached := fmt.Sprintf(`{"deals":[[{"seat":0,"step":1,"chosen":1,"moves":["7a","8a"],"scores":[50,20]}]],"done":true,"seats":[{"seat":0,"player":%q,"choices":1,"accuracy":0}]}`, player)
	w.Put(doc.HomeKey(tab.Home).Partition, map[string]any{
		doc.CoachName(tab.ID, 1): json.RawMessage(coached),
		name:                     league.Skill{Choices: 1, Lost: 30, Stake: 30, Latest: now.Latest},
	})
}

// Presence tells the bot that it was added to a home or removed from it.
func (w *Town) Presence(home string, what chat.Presence) {
	w.t.Helper()
	if r := w.Handle(w.t.Context(), chat.Input{Chat: chat.Chat{ID: home, Home: home}, Presence: what}); r.Outcome != chat.Done {
		w.t.Fatalf("%+v", r)
	}
}

// Press is a press as it stands on a button.
type Press string

func (p Press) String() string { return string(p) }

// OwnSetting is a person's choice in their settings, which they opened in a chat of the home, or with "" in their private chat.
func OwnSetting(name, choice, home string) Press {
	return Press(screen.PressOf("mine", name, choice, home))
}

// HomeSetting is a choice in the settings of a home.
func HomeSetting(name, choice, home string) Press {
	return Press(screen.PressOf("cfg", name, choice, home))
}

// Button returns the press of the button with a label. If there is none that can be pressed, the test fails.
func (w *Town) Button(r chat.Reply, label string) Press {
	w.t.Helper()
	if r.Screen == nil {
		w.t.Fatalf("no screen with %q: %q", label, r.Toast)
	}
	for _, row := range r.Screen.Rows {
		for _, b := range row {
			if b.Label == label && !b.Off {
				return Press(b.Press)
			}
		}
	}
	w.t.Fatalf("no button %q:\n%s", label, r.Screen)
	return ""
}
