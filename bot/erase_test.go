package bot

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/play"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/storetest"
)

// season is longer than any season.
const season = 100 * 24 * time.Hour

// town is a bot whose jobs run only when a test runs them.
type town struct {
	*Bot
	t     *testing.T
	chats *chats
	clock time.Time // fixed clock, for a time before the store's; zero: the bubble's clock
}

func newTown(t *testing.T, s store.Store) *town {
	w := &town{t: t, chats: &chats{}}
	var deals atomic.Uint32
	w.Bot = New(Config{
		Store: s, Platforms: []chat.Platform{w.chats}, Think: easy, Worlds: 2, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return cmp.Or(w.clock, time.Now()) },
		Seed: func() (seed table.Seed) { binary.BigEndian.PutUint32(seed[:], deals.Add(1)); return seed },
	})
	return w
}

// pass lets time pass, and runs the jobs that become due.
func (w *town) pass(d time.Duration) {
	w.t.Helper()
	until := w.docs.Now().Add(d)
	to := func(at time.Time) {
		if w.clock.IsZero() {
			time.Sleep(time.Until(at))
		} else {
			w.clock = at
		}
	}
	for range 20_000 {
		now := w.docs.Now()
		jobs, next, err := w.docs.Store.Claim(w.t.Context(), now, work.Lease, work.Workers)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, job := range jobs {
			w.queue.Work(w.t.Context(), job, now.Add(work.Lease))
		}
		switch {
		case len(jobs) > 0:
		case next.IsZero() || next.After(until):
			to(until)
			return
		case next.After(now):
			to(next)
		}
	}
	w.t.Fatal("there is no end of work")
}

// inTown runs f with a town on an empty store, in a synctest bubble.
func inTown(t *testing.T, f func(t *testing.T, w *town)) {
	inMemory(t, func(t *testing.T, file *storetest.Memory) { f(t, newTown(t, file)) })
}

const (
	ann     = "test:ann4711" // the person whose data is deleted
	annName = "Anežka Žampachová"
)

func (w *town) in(player, home string) chat.Input {
	in := chat.Input{Player: chat.Player{ID: player, Name: strings.TrimPrefix(player, "test:"), Lang: "en"}, Chat: chat.Chat{ID: home, Home: home, Private: home == player}}
	if player == ann {
		in.Player.Name = annName
	}
	return in
}

func (w *town) command(player, home, name string, args ...string) chat.Reply {
	w.t.Helper()
	in := w.in(player, home)
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

func (w *town) presses(player, home string, p fmt.Stringer) chat.Reply {
	w.t.Helper()
	in := w.in(player, home)
	in.Press = p.String()
	if player == ann && screen.PressWord(in.Press) == view.ActCards {
		in.Answer, in.Origin, in.Until = "test:answer", "test:"+ann+"/1", w.docs.Now().Add(time.Hour)
	}
	r := w.Handle(w.t.Context(), in)
	if r.Outcome != chat.Done {
		w.t.Fatalf("%s: %s: %s", player, p, r.Toast)
	}
	if in.Answer != "" && r.Stands != nil {
		r.Stands(w.t.Context(), in.Answer)
	}
	return r
}

// manages is an input of a person who manages a home and sets something there.
func (w *town) manages(player, home, what, value string) {
	w.t.Helper()
	in := w.in(player, home)
	in.Admin, in.Press = true, homeSetting(what, value, home).String()
	if r := w.Handle(w.t.Context(), in); r.Outcome != chat.Done {
		w.t.Fatalf("%s: %s", in.Press, r.Toast)
	}
}

// has checks what a reply shows.
func (w *town) has(r chat.Reply, words ...string) {
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

// at returns the open table of a chat.
func (w *town) at(home string) table.Table {
	w.t.Helper()
	id, err := w.tables.OpenTable(w.t.Context(), chat.Chat{ID: home, Home: home})
	if err != nil || id == "" {
		w.t.Fatalf("no table in %s: %v", home, err)
	}
	tab, err := w.tables.Load(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	return tab
}

// sit opens a table and seats people there.
func (w *town) sit(home, rules string, who ...string) table.Table {
	w.t.Helper()
	w.command(who[0], home, "new", "rules", rules)
	tab := w.at(home)
	for _, player := range who[1:] {
		w.presses(player, home, view.Press{Action: view.ActJoin, Table: tab.ID})
	}
	w.pass(0)
	return w.at(home)
}

// playOn lets people play until the match is over or that many moves are made.
func (w *town) playOn(id string, moves int) table.Table {
	w.t.Helper()
	for {
		tab, err := w.tables.Load(w.t.Context(), id)
		if err != nil {
			w.t.Fatal(err)
		}
		if moves--; moves < 0 || tab.Phase == table.Over || tab.Phase == table.Closed {
			return tab
		}
		seat := tab.Public().Turn
		if tab.Phase != table.Playing || tab.Seats[seat].Player.ID == "" || tab.Deal.Forced() {
			w.pass(time.Minute / 4)
			continue
		}
		v := tab.Deal.View(seat)
		w.presses(tab.Seats[seat].Player.ID, tab.Home, view.Press{Action: view.ActPlay, Table: id, Deal: tab.DealNo, Turn: v.Decisions[seat], Move: easy(w.t.Context(), "", v, game.Match{})})
	}
}

// tableIDs waits a second and returns the ids of ann's tables that were opened in her private chat.
func (w *town) tableIDs() []string {
	w.t.Helper()
	w.pass(time.Second)
	all, err := w.tables.TablesOf(w.t.Context(), ann)
	if err != nil {
		w.t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(id string) bool {
		tab, err := w.tables.Load(w.t.Context(), id)
		return err != nil || tab.Chats[0].ID != ann
	})
}

// match plays a match of one deal.
func (w *town) match(home, rules string, who ...string) table.Table {
	w.t.Helper()
	tab := w.sit(home, rules, who...)
	w.presses(who[0], home, view.Press{Action: view.ActStart, Table: tab.ID})
	w.presses(who[0], home, view.Press{Action: view.ActLast, Table: tab.ID})
	return w.playOn(tab.ID, 1000)
}

// traces returns the kinds of the documents in a full backup that contain one of the words.
func (w *town) traces(words ...string) []string {
	w.t.Helper()
	var backup bytes.Buffer
	if _, err := upkeep.WriteBackup(w.t.Context(), w.docs.Store, Kinds(), &backup); err != nil {
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

func (w *town) accounts(when string) {
	w.t.Helper()
	a, err := upkeep.CheckBoards(w.t.Context(), w.docs.Store)
	if err != nil || len(a.Wrong) > 0 || a.Replayed == 0 {
		w.t.Errorf("%s: %v\n%s", when, err, strings.Join(a.Wrong, "\n"))
	}
}

// older writes what an earlier version kept about a player's choices in a table's match.
func (w *town) older(tab table.Table, player string) {
	w.t.Helper()
	coached := fmt.Sprintf(`{"v":2,"d":{"deals":[[{"seat":0,"step":1,"chosen":1,"moves":["7a","8a"],"scores":[50,20]}]],"done":true,"seats":[{"seat":0,"player":%q,"choices":1,"accuracy":0}]}}`, player)
	home := doc.HomeKey(tab.Home)
	skill := league.Skill{Choices: 1, Lost: 30, Stake: 30}
	var now league.Skill
	if _, err := w.docs.Get(w.t.Context(), doc.InHome(tab.Home, league.SkillName(tab.Home, player)), &now); err != nil {
		w.t.Fatal(err)
	}
	skill.Latest = now.Latest
	err := w.docs.Store.Commit(w.t.Context(), store.Change{Partition: home.Partition, Now: w.docs.Now(), Writes: []store.Write{
		{Name: doc.CoachName(tab.ID, 1), Expect: store.Any, Data: []byte(coached)},
		{Name: league.SkillName(tab.Home, player), Expect: store.Any, Data: doc.Encode(skill)},
	}})
	if err != nil {
		w.t.Fatal(err)
	}
}

// live makes ann leave traces of every kind. It returns one of her running tables.
func (w *town) live() string {
	const one, two = "test:one", "test:two"
	w.presses(ann, two, ownSetting("lang", "cs", two))
	w.chats.failing(func(call string) error { // her private chat is closed for a while
		if call == "send "+ann {
			return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("closed")}
		}
		return nil
	})
	for range league.HallMatches {
		w.match(one, "2", ann, "test:ben")
	}
	w.chats.failing(nil)
	w.command(ann, ann, "hello")
	w.pass(season) // the season ends, and she enters the hall of fame
	w.presses(ann, "test:five", ownSetting("tell", "on", "test:five"))
	w.match(one, "", ann, "test:ben", "test:cat", "test:dan")

	// A table of one home is also shown in another, where a rematch is then offered.
	shared := w.sit(one, "2", ann, "test:ben")
	code := w.command(ann, one, "share").Screen.String()
	_, code, _ = strings.Cut(code, "!share") // the command, in ann's language
	_, code, _ = strings.Cut(code, " ")
	if r := w.command("test:cat", two, "share", "code", code[:play.CodeLength]); r.Outcome != chat.Done || r.Screen == nil {
		w.t.Fatalf("the table isn't shared: %s", r.Toast)
	}
	w.presses("test:cat", two, view.Press{Action: view.ActPost, Table: code[:play.CodeLength]})
	w.pass(time.Second)
	w.presses(ann, one, view.Press{Action: view.ActStart, Table: shared.ID})
	w.presses(ann, one, view.Press{Action: view.ActLast, Table: shared.ID})
	w.playOn(shared.ID, 1000)
	w.pass(time.Minute)
	w.presses(ann, one, view.Press{Action: view.ActRematch, Table: shared.ID})
	w.pass(time.Second)

	w.older(shared, ann)
	w.command(ann, one, "stats")
	w.pass(time.Minute)

	w.command(ann, two, "daily")
	w.command(ann, "test:five", "daily")
	for _, id := range w.tableIDs() {
		w.playOn(id, 1000)
	}

	// One running game against the AI, and one that is over.
	w.match(ann, "2", ann)
	w.command(ann, ann, "solo")
	w.playOn(w.at(ann).ID, 6)

	// Lobbies where she is expected or sits, and a running table of four with her as host.
	w.sit("test:five", "", "test:eve")
	w.sit("test:six", "", "test:eve", ann)
	runs := w.sit("test:three", "", ann, "test:ben", "test:cat", "test:dan")
	w.presses(ann, "test:three", view.Press{Action: view.ActStart, Table: runs.ID})
	w.presses("test:ben", "test:three", view.Press{Action: view.ActKick, Table: runs.ID, Place: 0})
	w.presses(ann, "test:three", view.Press{Action: view.ActRest, Table: runs.ID})
	w.presses(ann, "test:three", view.Press{Action: view.ActCards, Table: runs.ID})
	w.playOn(runs.ID, 20)
	w.command(ann, ann, "hello")
	w.pass(time.Minute)
	return runs.ID
}

// erased deletes ann's data, and checks that it is gone.
func (w *town) erased(runs string, meanwhile func()) {
	everywhereThere := []string{"coach", "hall", "home", "match", "member", "notes", "player", "result", "shown", "skill", "streak", "table", "tell", "try", "verdict"}
	if got := w.traces(ann, annName); !slices.Equal(got, everywhereThere) {
		w.t.Fatalf("before, there are traces in %v, want %v", got, everywhereThere)
	}
	w.accounts("before")
	sure := w.command(ann, ann, "mydata", "what", "delete")
	w.presses(ann, ann, mustPress(w.t, sure, "Ano, smazat všechno"))
	if got := w.command(ann, "test:four", "new").Toast; !strings.Contains(got, "právě mažou") {
		w.t.Errorf("she may open a table meanwhile: %q", got)
	}
	w.chats.count("")
	if meanwhile != nil {
		meanwhile()
	}
	w.pass(5 * time.Minute)
	if docs, _ := w.docs.Store.Get(w.t.Context(), store.Key{Partition: store.Partition(ann), Name: upkeep.EraseName(ann)}); docs[0].Version != 0 {
		w.t.Fatalf("it does not end: %s; left are %v", docs[0].Data, w.traces(ann))
	}
	if n := w.chats.count("send " + ann); n != 1 {
		w.t.Errorf("she was told %d times that it is done", n)
	}
	if got := w.traces(ann, annName, "Anežka"); len(got) > 0 {
		w.t.Errorf("there are traces in %v", got)
	}
	w.accounts("afterwards")
	for _, home := range []string{"test:one", "test:two", "test:three", ann, league.Everywhere} {
		h, err := w.docs.Home(w.t.Context(), home)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, board := range league.BoardNames(h, home) {
			if rows, _, err := w.docs.Store.Board(w.t.Context(), store.Partition(home), board, 0, 1, ann); err != nil || len(rows) > 0 {
				w.t.Errorf("she is on %s: %v", board, err)
			}
		}
	}
	// The other players continue, and their results are still counted.
	tab := w.playOn(runs, 5000)
	if tab.Phase != table.Over || tab.Seats[0].AI == "" {
		w.t.Errorf("the table that ran is %s, with %+v on her seat", tab.Phase, tab.Seats[0])
	}
	w.match("test:one", "2", "test:ben", "test:cat")
	w.pass(time.Minute)
	w.accounts("later")
	if a, err := upkeep.RebuildBoards(w.t.Context(), w.docs.Store, w.docs.Now()); err != nil || len(a.Wrong) > 0 || len(w.traces(ann, annName)) > 0 {
		w.t.Errorf("rebuilt: %v, %v", a.Wrong, err)
	}
	jobs, _, err := w.docs.Store.Claim(w.t.Context(), w.docs.Now().Add(10*365*24*time.Hour), work.Lease, 1000)
	if err != nil || slices.ContainsFunc(jobs, func(j store.Job) bool { return strings.Contains(j.ID, ann) }) {
		w.t.Errorf("work is left for her: %v, %v", jobs, err)
	}
}

// pressText is a press as it stands on a button.
type pressText string

func (p pressText) String() string { return string(p) }

// ownSetting is a person's choice in their settings, which they opened in a chat of the home, or with "" in their private chat.
func ownSetting(name, choice, home string) pressText {
	return pressText(screen.PressOf("mine", name, choice, home))
}

// homeSetting is a choice in the settings of a home.
func homeSetting(name, choice, home string) pressText {
	return pressText(screen.PressOf("cfg", name, choice, home))
}

func mustPress(t *testing.T, r chat.Reply, label string) pressText {
	t.Helper()
	for _, row := range r.Screen.Rows {
		for _, b := range row {
			if b.Label == label {
				return pressText(b.Press)
			}
		}
	}
	t.Fatalf("no button %q:\n%s", label, r.Screen)
	return ""
}

// worn is a store whose commits sometimes fail, before or after they take effect.
type worn struct {
	store.Store
	commits int
	on      bool
}

func (s *worn) Commit(ctx context.Context, c store.Change) error {
	if s.commits++; !s.on || s.commits%3 > 0 {
		return s.Store.Commit(ctx, c)
	}
	if s.commits%2 == 0 {
		if err := s.Store.Commit(ctx, c); err != nil {
			return err
		}
	}
	return fmt.Errorf("commit %d: the line is cut", s.commits)
}

// A person whose data is deleted leaves no trace in a full backup, whatever they did
// before. The results of others don't change, and running matches continue. That holds
// even if every third commit fails, half of them after they took effect.
func TestDeletedDataLeavesNoTrace(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		s := &worn{Store: file}
		w := newTown(t, s)
		runs := w.live()
		w.erased(runs, func() {
			s.on = true
			w.pass(5 * time.Minute)
			s.on = false
		})
		// If the person returns, the bot treats them as a new one.
		if r := w.command(ann, "test:four", "new"); r.Outcome != chat.Done {
			t.Error(r.Toast)
		}
	})
}

func TestDeletedDataLeavesNoTraceInRedis(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("TestDeletedDataLeavesNoTrace does the same with a store in memory")
	}
	server := storetest.Redis(t, "--rdbcompression", "no")
	s, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newTown(t, s)
	w.clock = comingNoon(time.Now().Add(-season))
	w.erased(w.live(), nil)
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer client.Close()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) == 0 {
		t.Fatal(keys, err)
	}
	for _, key := range keys {
		data, err := client.Dump(t.Context(), key).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			t.Fatal(err)
		}
		if strings.Contains(key+data, ann) || strings.Contains(key+data, annName) {
			t.Errorf("a trace in %s", key)
		}
	}
}
