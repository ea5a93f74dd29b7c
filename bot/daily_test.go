package bot

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/daily"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/review"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// asksDaily sends the command and returns the player's table.
func (w *shell) asksDaily(player string) (chat.Reply, table.Table) {
	w.t.Helper()
	in := w.input(player, here)
	in.Command = "daily"
	r := w.Handle(w.t.Context(), in)
	var own league.Try
	w.get(doc.InHome(here, league.TryName(w.today(), player)), &own)
	t, err := w.tables.Load(w.t.Context(), own.Table)
	if err != nil {
		w.t.Fatal(err)
	}
	return r, t
}

func (w *shell) today() string {
	date, _ := league.CalendarOf(doc.Home{}).Today(w.now)
	return league.Day(here, date)
}

func (w *shell) get(key store.Key, into any) (version int64) {
	w.t.Helper()
	docs, err := w.docs.Store.Get(w.t.Context(), key)
	if err == nil {
		err = doc.Decode(docs[0], into)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return docs[0].Version
}

// plays plays the deal of the day to its end. The player's moves come from the same AI.
func (w *shell) plays(player string, t table.Table) table.Table {
	w.t.Helper()
	for t.Phase == table.Playing {
		next, err := w.tables.Update(w.t.Context(), t.ID, func(t table.Table) (table.Table, []table.Event, error) {
			if seat := t.Deal.Turn(); t.Seats[seat].Player.ID == player && !t.Deal.Forced() {
				move := choose("", t.Deal.View(seat), t.Before())
				return table.Apply(t, w.input(player, here).TablePlayer(), table.Play{Deal: t.DealNo, Decision: t.Deal.Decisions(seat), Move: move}, w.tables.Env())
			}
			next, events, err := w.tables.Next(w.t.Context(), t)
			return next, events, err
		})
		if err != nil {
			w.t.Fatal(err)
		}
		t = next
	}
	return t
}

// Everyone in a home has the same cards on the same seat. A player who plays like the
// AI gets the AI's result. Each player has one try, without any help.
func TestDailyIsTheSame(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	_, eva := w.asksDaily("test:eva")
	again, same := w.asksDaily("test:eva")
	if same.ID != eva.ID || again.Screen == nil {
		t.Errorf("a second try: table %s, not %s; %+v", same.ID, eva.ID, again)
	}
	_, ota := w.asksDaily("test:ota")
	if ota.ID == eva.ID || ota.Seed != eva.Seed || !slices.Equal(ota.Deal.Deck(), eva.Deal.Deck()) || ota.Deal.Dealer() != eva.Deal.Dealer() || ota.Seats[0].Player.ID != "test:ota" {
		t.Error("Ota has another deal")
	}
	for seat := 1; seat < len(eva.Seats); seat++ {
		if level := eva.Public().AILevel(seat); level != daily.Level {
			t.Errorf("seat %d plays at level %q", seat, level)
		}
	}
	in := w.input("test:eva", here)
	for _, c := range []table.Command{table.LastDeal{}, table.Rematch{}} {
		if r := w.tables.Act(t.Context(), in, eva.ID, c); r.Outcome != chat.Refused {
			t.Errorf("%#v was done", c)
		}
	}
	in.Press = view.Press{Action: view.ActHint, Table: eva.ID}.String()
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Refused || strings.Contains(r.Toast, "I would play") {
		t.Errorf("a hint: %q", r.Toast)
	}

	w.crowded(func() { w.queue.Work(t.Context(), w.claim(league.DailyName(w.today())), w.now.Add(work.Lease)) })
	var d daily.Deal
	if w.get(doc.InHome(here, league.DailyName(w.today())), &d); d.AI != nil || d.Ends.Sub(w.now) > 24*time.Hour {
		t.Errorf("without room to think it is %+v", d)
	}
	ticks := w.Bot.docs.Now
	w.Bot.docs.Now = func() time.Time { w.now = w.now.Add(review.CoachPart / 3); return w.now } // a slow machine
	for parts := 0; d.AI == nil; parts++ {
		if len(d.Moves) == 0 && parts > 0 || parts > 100 {
			t.Fatalf("after %d parts there are %d moves", parts, len(d.Moves))
		}
		w.queue.Work(t.Context(), w.claim(league.DailyName(w.today())), w.now.Add(work.Lease))
		w.get(doc.InHome(here, league.DailyName(w.today())), &d)
	}
	w.Bot.docs.Now = ticks

	for player, at := range map[string]table.Table{"test:eva": eva, "test:ota": ota} {
		over := w.plays(player, at)
		var own league.Try
		w.get(doc.InHome(here, league.TryName(w.today(), player)), &own)
		if over.Phase != table.Over || own.Tally == nil || *own.Tally != *d.AI {
			t.Errorf("%s came to %+v, the AI to %+v", player, own.Tally, d.AI)
		}
		public := over.Public()
		if public.Past[0].Seed != (table.Seed{}) {
			t.Error("the seed is public")
		}
		compared, again, err := w.daily.Compare(t.Context(), doc.Table{Table: over})
		if err != nil || !again.IsZero() || compared.Daily.AI == nil || *compared.Daily.AI != *d.AI {
			t.Errorf("the table was told %+v; %v, %v", compared.Daily, again, err)
		}
	}
}

// A player who wants no pictures gets none with the deal of the day, even when it is over.
func TestDailyWithoutPictures(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	in := w.input("test:eva", here)
	in.Press = ownSetting("pictures", "off", here).String()
	if r := w.Handle(t.Context(), in); r.Outcome != chat.Done {
		t.Fatalf("%+v", r)
	}
	_, eva := w.asksDaily("test:eva")
	over := w.plays("test:eva", eva)
	posts := view.PresentPosts(over.Public(), over.Private, nil, nil)
	if over.Phase != table.Over || len(posts) == 0 {
		t.Fatalf("%s, %d posts", over.Phase, len(posts))
	}
	for _, p := range posts {
		if p.Screen.Picture != nil {
			t.Errorf("%s has a picture", p.Key)
		}
	}
}

// If others wait for their turn to think, the AI gets a share of the time. In the deal
// of the day it gets its full time, so that it plays the same for everyone.
func TestDailyIsThoughtAboutInFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newShell(t)
		in := w.input("test:eva", here)
		in.Command = "solo"
		w.Handle(t.Context(), in)
		open, err := w.tables.OpenTable(t.Context(), chat.Chat{ID: "test:eva", Home: "test:eva"})
		if err != nil {
			t.Fatal(err)
		}
		solo, err := w.tables.Load(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		_, daily := w.asksDaily("test:ota")
		for at, limited := range map[*table.Table]bool{&solo: true, &daily: false} {
			calls := 0
			w.thinkers.Move = func(ctx context.Context, _ string, v game.View, _ game.Match) game.Move {
				if calls++; calls == 1 {
					if _, is := ctx.Deadline(); is != limited {
						t.Errorf("deal of the day: %v; its time is limited: %v", at.Daily != nil, is)
					}
				}
				return v.Legal[0]
			}
			if p := at.Public(); p.Turn == 0 {
				next, _, err := table.Apply(*at, p.Seats[0].Player, table.Play{Deal: at.DealNo, Move: at.Deal.Legal()[0]}, w.tables.Env())
				if err != nil {
					t.Fatal(err)
				}
				*at = next
			}
			var group sync.WaitGroup
			w.crowded(func() {
				group.Go(func() {
					if _, _, err := w.tables.Next(t.Context(), *at); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
				for range 3 {
					group.Go(func() {
						if err := w.thinkers.Turns.Take(t.Context(), time.Minute, func(context.Context) {}); err != nil {
							t.Error(err)
						}
					})
				}
				synctest.Wait()
			})
			group.Wait()
			if calls == 0 {
				t.Error("nothing was thought about")
			}
		}
	})
}

// Nothing about the deal is shown to anyone before the day is over. Only people who have
// played and people of the home see the board.
func TestDailyIsSealed(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	_, at := w.asksDaily("test:eva")
	over := w.plays("test:eva", at)
	ask := func(player, home, press string) chat.Reply {
		in := w.input(player, home)
		in.Press = press
		return w.Handle(t.Context(), in)
	}
	presses := map[string]string{}
	for _, a := range []string{"replay", "deals", "record", "coach"} {
		presses[string(a)] = screen.PressOf(a, over.ID, "1", "1", "0", "")
	}
	for name, press := range presses {
		if r := ask("test:eva", here, press); r.Screen != nil || !strings.Contains(r.Toast, "closed until midnight (UTC)") {
			t.Errorf("%s before midnight: %+v", name, r)
		}
	}
	if w.coachAll(); w.get(doc.InHome(here, doc.VerdictName(over.ID, 1, "test:eva")), &review.Verdict{}) != 0 {
		t.Error("the coach has something to tell")
	}
	in := w.input("test:eva", here)
	in.Command, in.Args = "replay", map[string]string{"id": doc.MatchID(over.ID, 1)}
	if r := w.Handle(t.Context(), in); r.Screen != nil {
		t.Errorf("by its id: %s", r.Screen)
	}
	date := over.Daily.Date
	board := screen.PressOf("daily", date, here)
	if r := ask("test:eva", "test:eva", board); r.Screen == nil || !strings.Contains(r.Screen.String(), "1. test:eva") || r.Replace {
		t.Errorf("the board in her private chat, below the result: %+v", r)
	}
	if r := ask("test:eva", "test:eva", screen.PressOf("day", date, here)); r.Screen == nil || !r.Replace {
		t.Errorf("the board of another day, in place of a board: %+v", r)
	}
	if r := ask("test:zoe", elsewhere, board); r.Screen != nil {
		t.Errorf("the board of another home: %s", r.Screen)
	}
	for _, forged := range []string{"daily:2000-13-99:" + here, "daily:2000-01-01:" + here, "daily:now:" + here} {
		if r := ask("test:eva", here, forged); r.Outcome != chat.Refused {
			t.Errorf("%s: %+v", forged, r)
		}
	}
	w.now = over.Daily.Ends.Add(-time.Nanosecond)
	if r := ask("test:eva", here, presses["replay"]); r.Screen != nil {
		t.Error("open before midnight")
	}
	w.now = over.Daily.Ends
	ask("test:eva", here, presses["replay"])
	w.coachAll()
	for name, press := range presses {
		if r := ask("test:eva", here, press); r.Screen == nil {
			t.Errorf("%s after midnight: %q", name, r.Toast)
		}
	}
	if r := ask("test:zoe", here, board); r.Screen == nil || !strings.Contains(r.Screen.String(), "1. test:eva") {
		t.Errorf("the board the day after, for who has not played: %+v", r)
	}
	if a, err := upkeep.CheckBoards(t.Context(), w.docs.Store); err != nil || len(a.Wrong) > 0 || a.Rows > 0 {
		t.Errorf("it counts elsewhere: %+v, %v", a, err)
	}
}

// A backup restores the day's deal with its board. Long after, the board is deleted.
func TestDailyIsKept(t *testing.T) {
	t.Parallel()
	w := newShell(t)
	for _, player := range []string{"test:eva", "test:ota"} {
		_, at := w.asksDaily(player)
		w.plays(player, at)
	}
	_, unfinished := w.asksDaily("test:jan")
	rows := func(s store.Store) []store.Standing {
		standings, _, err := s.Board(t.Context(), store.Partition(here), league.DailyName(w.today()), 0, 10, "")
		if err != nil {
			t.Fatal(err)
		}
		return standings
	}
	before := rows(w.docs.Store)
	if len(before) != 2 || unfinished.Phase != table.Playing {
		t.Fatalf("the board has %d rows", len(before))
	}
	var text bytes.Buffer
	if _, err := upkeep.WriteBackup(t.Context(), w.docs.Store, Kinds(), &text); err != nil {
		t.Fatal(err)
	}
	other, err := boltstore.Open(filepath.Join(t.TempDir(), "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := upkeep.Restore(t.Context(), other, Kinds(), bytes.NewReader(text.Bytes()), w.now); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, rows(other)); diff != "" {
		t.Error(diff)
	}
	w.Bot.docs.Store = other
	job := w.claim(league.DailyName(w.today()))
	today := league.DailyName(w.today())
	w.now = unfinished.Daily.Ends.Add(league.KeepDaily)
	w.queue.Work(t.Context(), job, w.now.Add(work.Lease))
	if standings, _, err := other.Board(t.Context(), store.Partition(here), today, 0, 10, ""); err != nil || len(standings) > 0 {
		t.Errorf("%d rows are left, %v", len(standings), err)
	}
}

// A day lasts from midnight to midnight in the home's time zone, even if clocks change.
func TestToday(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, now, date, ends string }{
		{"", "2026-11-21T23:59:59Z", "2026-11-21", "2026-11-22T00:00:00Z"},
		{"Europe/Prague", "2026-11-21T23:59:59Z", "2026-11-22", "2026-11-22T23:00:00Z"},
		{"Europe/Prague", "2026-03-29T00:30:00Z", "2026-03-29", "2026-03-29T22:00:00Z"}, // a day of 23 hours
		{"Europe/Prague", "2026-10-25T12:00:00Z", "2026-10-25", "2026-10-25T23:00:00Z"}, // a day of 25 hours
		{"nowhere", "2026-12-31T12:00:00Z", "2026-12-31", "2027-01-01T00:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		date, ends := league.CalendarOf(doc.Home{Zone: c.zone}).Today(now)
		if date != c.date || ends.UTC().Format(time.RFC3339) != c.ends {
			t.Errorf("%s at %s: %s until %s", c.zone, c.now, date, ends.UTC().Format(time.RFC3339))
		}
	}
}
