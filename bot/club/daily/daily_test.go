package daily_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/daily"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

const (
	here      = "test:here"
	elsewhere = "test:elsewhere"
)

// alike makes the AI choose its moves like the people of these tests.
func alike(c *bot.Config) {
	c.Think = func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return town.Choose(v) }
}

// begins gives the command and returns the player's table.
func begins(t *testing.T, w *town.Town, player string) (chat.Reply, table.Table) {
	t.Helper()
	r := w.Command(player, here, "daily")
	var own league.Try
	w.Get(doc.InHome(here, league.TryName(today(w), player)), &own)
	return r, w.Load(own.Table)
}

// today names the day in a home without a time zone.
func today(w *town.Town) string {
	date, _ := league.CalendarOf(doc.Home{}).Today(w.Docs.Now())
	return league.Day(here, date)
}

// plays plays the deal of the day to its end.
func plays(t *testing.T, w *town.Town, player string, tab table.Table) table.Table {
	t.Helper()
	for tab.Phase == table.Playing {
		next, err := w.Tables.Update(t.Context(), tab.ID, func(tab table.Table) (table.Table, []table.Event, error) {
			if seat := tab.Deal.Turn(); tab.Seats[seat].Player.ID == player && !tab.Deal.Forced() {
				move := town.Choose(tab.Deal.View(seat))
				return table.Apply(tab, w.Input(player, here).TablePlayer(), table.Play{Deal: tab.DealNo, Decision: tab.Deal.Decisions(seat), Move: move}, w.Tables.Env())
			}
			return w.Tables.Next(t.Context(), tab)
		})
		if err != nil {
			t.Fatal(err)
		}
		tab = next
	}
	return tab
}

// picturedNames reports whether a picture in the posts of a table names the person.
func picturedNames(at table.Public, private func(player string) (table.Private, bool), name string) bool {
	for _, p := range view.PresentPosts(at, private, nil, nil) {
		if p.Screen.Picture == nil {
			continue
		}
		if f := p.Screen.Picture.Draw; f.Ranking != nil {
			return slices.ContainsFunc(f.Ranking.Rows, func(r face.Rank) bool { return r.Name == name })
		}
	}
	return false
}

// Everyone in a home has the same cards on the same seat. A player who plays like the
// AI gets the AI's result. Each player has one try, without any help.
func TestDailyIsTheSame(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		room := daily.New(w.Docs, w.Queue, w.Tables, w.Thinkers, nil, 0)
		_, eva := begins(t, w, town.Eva)
		again, same := begins(t, w, town.Eva)
		if same.ID != eva.ID || again.Screen == nil {
			t.Errorf("a second try: table %s, not %s; %+v", same.ID, eva.ID, again)
		}
		_, ota := begins(t, w, town.Ota)
		if ota.ID == eva.ID || ota.Seed != eva.Seed || !slices.Equal(ota.Deal.Deck(), eva.Deal.Deck()) || ota.Deal.Dealer() != eva.Deal.Dealer() || ota.Seats[0].Player.ID != town.Ota {
			t.Error("Ota has another deal")
		}
		for seat := 1; seat < len(eva.Seats); seat++ {
			if level := eva.Public().AILevel(seat); level != daily.Level {
				t.Errorf("seat %d plays at level %q", seat, level)
			}
		}
		in := w.Input(town.Eva, here)
		for _, c := range []table.Command{table.LastDeal{}, table.Rematch{}} {
			if r := w.Tables.Act(t.Context(), in, eva.ID, c); r.Outcome != chat.Refused {
				t.Errorf("%#v was done", c)
			}
		}
		in.Press = view.Press{Action: view.ActHint, Table: eva.ID}.String()
		if r := w.Handle(t.Context(), in); r.Outcome != chat.Refused || strings.Contains(r.Toast, "I would play") {
			t.Errorf("a hint: %q", r.Toast)
		}

		w.Crowded(func() { w.Works(league.DailyName(today(w))) })
		var d daily.Deal
		if w.Get(doc.InHome(here, league.DailyName(today(w))), &d); d.AI != nil || d.Ends.Sub(w.Docs.Now()) > 24*time.Hour {
			t.Errorf("without room to think it is %+v", d)
		}
		normal := w.Slow(time.Second)
		for parts := 0; d.AI == nil; parts++ {
			if len(d.Moves) == 0 && parts > 0 || parts > 100 {
				t.Fatalf("after %d parts there are %d moves", parts, len(d.Moves))
			}
			w.Works(league.DailyName(today(w)))
			w.Get(doc.InHome(here, league.DailyName(today(w))), &d)
		}
		normal()

		var finished []string // names of those who have finished before
		for player, at := range map[string]table.Table{town.Eva: eva, town.Ota: ota} {
			over := plays(t, w, player, at)
			var own league.Try
			w.Get(doc.InHome(here, league.TryName(today(w), player)), &own)
			if over.Phase != table.Over || own.Tally == nil || *own.Tally != *d.AI {
				t.Errorf("%s came to %+v, the AI to %+v", player, own.Tally, d.AI)
			}
			public := over.Public()
			if public.Past[0].Seed != (table.Seed{}) {
				t.Error("the seed is public")
			}
			compared, again, err := room.Compare(t.Context(), doc.Table{Table: over})
			if err != nil || !again.IsZero() || compared.Daily.AI == nil || *compared.Daily.AI != *d.AI {
				t.Errorf("the table was told %+v; %v, %v", compared.Daily, again, err)
			}
			var beside []string
			for _, other := range compared.Daily.Others {
				beside = append(beside, other.Name)
				if other.Tally != *d.AI || other.Marks != own.Marks {
					t.Errorf("%s is told %+v", player, other)
				}
			}
			if !slices.Equal(beside, finished) {
				t.Errorf("%s sees the results of %v beside their own, not of %v", player, beside, finished)
			}
			finished = append(finished, over.Seats[0].Player.Name)
			if pictured := beside == nil || picturedNames(compared.Public(), compared.Private, beside[0]); !pictured {
				t.Errorf("%s sees no picture with %s", player, beside)
			}
		}
	}, alike)
}

// A player who wants no pictures gets none with the deal of the day, even when it is over.
func TestDailyWithoutPictures(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Presses(town.Eva, here, town.OwnSetting("pictures", "off", here))
		_, eva := begins(t, w, town.Eva)
		over := plays(t, w, town.Eva, eva)
		posts := view.PresentPosts(over.Public(), over.Private, nil, nil)
		if over.Phase != table.Over || len(posts) == 0 {
			t.Fatalf("%s, %d posts", over.Phase, len(posts))
		}
		for _, p := range posts {
			if p.Screen.Picture != nil {
				t.Errorf("%s has a picture", p.Key)
			}
		}
	})
}

// If others wait for their turn to think, the AI gets a share of the time. In the deal
// of the day it gets its full time, so that it plays the same for everyone.
func TestDailyIsThoughtAboutInFull(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Command(town.Eva, town.Eva, "solo")
		solo := w.At(town.Eva)
		_, daily := begins(t, w, town.Ota)
		for at, limited := range map[*table.Table]bool{&solo: true, &daily: false} {
			calls := 0
			w.Thinkers.Move = func(ctx context.Context, _ string, v game.View, _ game.Match) game.Move {
				if calls++; calls == 1 {
					if _, is := ctx.Deadline(); is != limited {
						t.Errorf("deal of the day: %v; its time is limited: %v", at.Daily != nil, is)
					}
				}
				return v.Legal[0]
			}
			if p := at.Public(); p.Turn == 0 {
				next, _, err := table.Apply(*at, p.Seats[0].Player, table.Play{Deal: at.DealNo, Move: at.Deal.Legal()[0]}, w.Tables.Env())
				if err != nil {
					t.Fatal(err)
				}
				*at = next
			}
			var group sync.WaitGroup
			w.Crowded(func() {
				group.Go(func() {
					if _, _, err := w.Tables.Next(t.Context(), *at); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
				for range 3 {
					group.Go(func() {
						if err := w.Thinkers.Turns.Take(t.Context(), time.Minute, func(context.Context) {}); err != nil {
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
	town.In(t, func(t *testing.T, w *town.Town) {
		_, at := begins(t, w, town.Eva)
		over := plays(t, w, town.Eva, at)
		ask := func(player, home, press string) chat.Reply { return w.Asks(player, home, town.Press(press)) }
		presses := map[string]string{}
		coach := screen.PressOf("coach", over.ID, "1", "1", "0", "")
		for _, a := range []string{"replay", "deals", "record"} {
			presses[string(a)] = screen.PressOf(a, over.ID, "1", "1", "0", "")
		}
		for name, press := range presses {
			if r := ask(town.Eva, here, press); r.Screen != nil || !strings.Contains(r.Toast, "closed until midnight (UTC)") {
				t.Errorf("%s before midnight: %+v", name, r)
			}
		}
		ask(town.Eva, here, coach)
		w.Pass(time.Minute)
		own := ask(town.Eva, here, coach)
		if own.Screen == nil || own.Public || strings.Contains(own.Screen.String(), "[Replay]") {
			t.Errorf("the coach of a player who has finished: %+v", own)
		}
		for _, row := range own.Screen.Rows {
			for _, b := range row {
				if r := ask(town.Eva, here, b.Press); r.Screen == nil || r.Public {
					t.Errorf("%s below the coach: %+v", b.Label, r)
				}
				if r := ask(town.Ota, here, b.Press); r.Screen != nil {
					t.Errorf("%s for somebody else: %s", b.Label, r.Screen)
				}
			}
		}
		if r := ask(town.Ota, here, coach); r.Screen != nil {
			t.Errorf("her coach for somebody else: %s", r.Screen)
		}
		if r := w.Command(town.Eva, here, "replay", "id", doc.MatchID(over.ID, 1)); r.Screen != nil {
			t.Errorf("by its id: %s", r.Screen)
		}
		date := over.Daily.Date
		board := screen.PressOf("daily", date, here)
		if r := ask(town.Eva, town.Eva, board); r.Screen == nil || !strings.Contains(r.Screen.String(), "1. eva") || r.Replace {
			t.Errorf("the board in her private chat, below the result: %+v", r)
		}
		if r := ask(town.Eva, town.Eva, screen.PressOf("day", date, here)); r.Screen == nil || !r.Replace {
			t.Errorf("the board of another day, in place of a board: %+v", r)
		}
		if r := ask("test:zoe", elsewhere, board); r.Screen != nil {
			t.Errorf("the board of another home: %s", r.Screen)
		}
		for _, forged := range []string{"daily:2000-13-99:" + here, "daily:1999-01-01:" + here, "daily:now:" + here} {
			if r := ask(town.Eva, here, forged); r.Outcome != chat.Refused {
				t.Errorf("%s: %+v", forged, r)
			}
		}
		time.Sleep(time.Until(over.Daily.Ends) - time.Nanosecond)
		if r := ask(town.Eva, here, presses["replay"]); r.Screen != nil {
			t.Error("open before midnight")
		}
		time.Sleep(time.Nanosecond)
		ask(town.Eva, here, presses["replay"])
		w.Pass(time.Minute)
		for name, press := range presses {
			if r := ask(town.Eva, here, press); r.Screen == nil {
				t.Errorf("%s after midnight: %q", name, r.Toast)
			}
		}
		if r := ask("test:zoe", here, board); r.Screen == nil || !strings.Contains(r.Screen.String(), "1. eva") {
			t.Errorf("the board the day after, for who has not played: %+v", r)
		}
		if a, err := upkeep.CheckBoards(t.Context(), w.Docs.Store); err != nil || len(a.Wrong) > 0 || a.Rows > 0 {
			t.Errorf("it counts elsewhere: %+v, %v", a, err)
		}
	})
}

// A backup restores the day's deal with its board. Long after, the board is deleted.
func TestDailyIsKept(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		for _, player := range []string{town.Eva, town.Ota} {
			_, at := begins(t, w, player)
			plays(t, w, player, at)
		}
		_, unfinished := begins(t, w, "test:jan")
		rows := func(s store.Store) []store.Standing {
			standings, _, err := s.Board(t.Context(), store.Partition(here), league.DailyName(today(w)), 0, 10, "")
			if err != nil {
				t.Fatal(err)
			}
			return standings
		}
		before := rows(w.Docs.Store)
		if len(before) != 2 || unfinished.Phase != table.Playing {
			t.Fatalf("the board has %d rows", len(before))
		}
		var text bytes.Buffer
		if _, err := upkeep.WriteBackup(t.Context(), w.Docs.Store, bot.Kinds(), &text, time.Now()); err != nil {
			t.Fatal(err)
		}
		other := storetest.NewMemory()
		defer other.Close()
		if _, err := upkeep.Restore(t.Context(), other, bot.Kinds(), bytes.NewReader(text.Bytes()), w.Docs.Now()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, rows(other)); diff != "" {
			t.Error(diff)
		}
		name := league.DailyName(today(w))
		again := town.New(t, other)
		again.Pass(time.Until(unfinished.Daily.Ends.Add(league.KeepDaily + time.Minute)))
		if standings, _, err := other.Board(t.Context(), store.Partition(here), name, 0, 10, ""); err != nil || len(standings) > 0 {
			t.Errorf("%d rows are left, %v", len(standings), err)
		}
	})
}

// A deal of the day that is over when it is dealt has its result at once: it uses up no try without one.
func TestADealThatIsOverWhenDealt(t *testing.T) {
	t.Parallel()
	rules, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	rules.BurnedGame = 4
	seed := table.Seed{}
	for n := 0; ; n++ {
		binary.BigEndian.PutUint64(seed[:], uint64(n))
		deal, err := game.Deal(rules, game.Shuffle(rules.Pack(), seed), table.SeedDealer(seed, rules.Players))
		if err != nil {
			t.Fatal(err)
		}
		if deal.Over() {
			break
		}
	}
	town.In(t, func(t *testing.T, w *town.Town) {
		w.Put(doc.HomeKey(here).Partition, map[string]any{doc.HomeName(here): doc.Home{Default: &doc.Default{Rules: rules}}})
		for _, player := range []string{"test:ann", "test:ben"} {
			r, tab := begins(t, w, player)
			if r.Outcome != chat.Done || tab.Phase != table.Over {
				t.Fatalf("%s: %+v, %s", player, r, tab.Phase)
			}
			w.Pass(time.Minute)
			var own league.Try
			if w.Get(doc.InHome(here, league.TryName(today(w), player)), &own); own.Tally == nil {
				t.Errorf("%s has no result", player)
			}
		}
		if _, n, err := w.Docs.Store.Board(t.Context(), store.Partition(here), league.DailyName(today(w)), 0, 10, ""); err != nil || n != 2 {
			t.Errorf("%d rows, %v", n, err)
		}
		if _, n, err := w.Docs.Store.Board(t.Context(), store.Partition(here), doc.OpenBoard, 0, 10, ""); err != nil || n != 0 {
			t.Errorf("%d open tables, %v", n, err)
		}
		// The same for a rematch of one deal.
		tab := w.Match("test:other", "2", "test:ann", "test:ben")
		w.Pass(time.Minute)
		before := w.Load(tab.ID)
		next, err := w.Tables.Update(t.Context(), tab.ID, func(tab table.Table) (table.Table, []table.Event, error) {
			tab.Rules = rules
			tab.Rules.Target, tab.Rules.Deals = 0, 1
			tab.Seats = []table.Seat{tab.Seats[0], {AI: "easy"}, {AI: "easy"}, {AI: "easy"}}
			tab.Match.Rules = tab.Rules
			tab.Match.Dealer = table.SeedDealer(seed, rules.Players)
			tab.Match.Winner = -1
			return table.Apply(tab, tab.Seats[0].Player, table.Rematch{}, table.Env{Now: w.Docs.Now(), Seed: seed})
		})
		if err != nil || next.Phase != table.Over || next.MatchNo != before.MatchNo+1 {
			t.Fatalf("%v, match %d, %s", err, next.MatchNo, next.Phase)
		}
		w.Pass(time.Minute)
		var result league.Result
		if w.Get(doc.InHome("test:other", league.ResultName("test:other", doc.MatchID(tab.ID, next.MatchNo))), &result) == 0 {
			t.Error("the rematch isn't in the ledger")
		}
	}, func(c *bot.Config) { c.Seed = func() table.Seed { return seed } })
}
