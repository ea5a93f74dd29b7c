package bot

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/tournaments"
	"sedmabot/game/table"
	"sedmabot/game/tournament"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/storetest"
)

// tournament plays two rounds of a tournament with that many entrants. Nobody ever moves, so the AI plays for all of
// them. worn is called with true when faults may happen, and with false when they may not.
func (w *town) tournament(entrants int, worn func(bool)) {
	t := w.t
	t.Helper()
	const home = "test:club"
	who := func(i int) string { return fmt.Sprintf("test:p%02d", i) }
	w.command(who(0), home, "tournament", "kind", "singles")
	var h doc.Home
	docs, err := w.docs.Store.Get(t.Context(), doc.HomeKey(home))
	if err != nil || doc.Decode(docs[0], &h) != nil || h.Cup == "" {
		t.Fatalf("no tournament: %v", err)
	}
	press := func(player, what, value string) chat.Reply {
		in := w.in(player, home)
		in.Press = screen.PressOf("cup", h.Cup, what, value)
		return w.Handle(t.Context(), in)
	}
	load := func() tournaments.Tournament {
		d, _, err := w.cup.Load(t.Context(), h.Cup)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	press(who(0), "rounds", "2")
	press(who(0), "deals", "2")
	for i := range entrants {
		if r := press(who(i), "join", "new"); r.Outcome != chat.Done {
			t.Fatalf("entrant %d: %s", i, r.Toast)
		}
	}
	if entrants == tournament.Most {
		if r := press("test:late", "join", "new"); r.Outcome != chat.Refused {
			t.Fatalf("one more than %d: %s", entrants, r.Toast)
		}
	}
	if r := press(who(0), "start", "go"); r.Outcome != chat.Done {
		t.Fatal(r.Toast)
	}
	worn(true)
	for range 60 {
		if w.pass(time.Minute); load().Ended() {
			break
		}
	}
	worn(false)
	w.pass(time.Minute)
	d := load()
	if d.Stage != tournaments.StageOver || len(d.Swiss.Rounds) != 2 || len(d.Absent) != entrants {
		t.Fatalf("stage %s after %d rounds, %d were away", d.Stage, len(d.Swiss.Rounds), len(d.Absent))
	}
	met := map[[2]int]bool{}
	for _, r := range d.Swiss.Rounds {
		if !r.Over || len(r.Tables) != entrants/2 {
			t.Fatalf("a round has %d tables", len(r.Tables))
		}
		for _, at := range r.Tables {
			pair := [2]int{min(at.Sides[0], at.Sides[1]), max(at.Sides[0], at.Sides[1])}
			if met[pair] || at.Void {
				t.Errorf("%v met again, or not to the end: %+v", pair, at)
			}
			met[pair] = true
		}
	}
	// By their records, the tables of the last round had the same decks for the same dealers.
	var first []table.Seed
	for i, id := range d.Tables {
		key, _ := doc.MatchKey(id, 1)
		docs, err := w.docs.Store.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		var m doc.Match
		if err := doc.Decode(docs[0], &m); err != nil || docs[0].Version == 0 {
			t.Fatalf("no match of table %d: %v", i+1, err)
		}
		if i == 0 {
			first = m.Seeds
		}
		if diff := cmp.Diff(first, m.Seeds); diff != "" || len(m.Seeds) != 2 {
			t.Errorf("table %d has other decks: %s", i+1, diff)
		}
		if got := m.Scores[0] - m.Scores[1]; got != d.Swiss.Rounds[1].Tables[i].Margin {
			t.Errorf("table %d: margin %d, the match says %d", i+1, d.Swiss.Rounds[1].Tables[i].Margin, got)
		}
	}
	// Every match is in the ledger, once.
	if results := w.results(home); results != entrants {
		t.Errorf("%d results of %d matches", results, entrants)
	}
	standings := d.Swiss.Standings()
	if len(standings) != entrants || !slices.IsSortedFunc(standings, func(a, b tournament.Standing) int { return b.Points - a.Points }) {
		t.Errorf("standings: %+v", standings)
	}
}

// results returns the number of results in the home's ledger.
func (w *town) results(home string) (n int) {
	w.t.Helper()
	for cursor := ""; ; {
		docs, next, err := w.docs.Store.Scan(w.t.Context(), store.Partition(home), "result:"+home, cursor)
		if err != nil {
			w.t.Fatal(err)
		}
		n += len(docs)
		if cursor = next; cursor == "" {
			return n
		}
	}
}

// Four people are enough for a tournament of pairs, however they enter: before the AI is
// anybody's partner, those who entered alone are paired with each other.
func TestPairsOfFourPeople(t *testing.T) {
	t.Parallel()
	inTown(t, func(t *testing.T, w *town) {
		for entries, home := range []string{1: "test:none", 2: "test:two", 3: "test:three", 4: "test:four"} {
			if home == "" {
				continue
			}
			who := func(i int) string { return fmt.Sprintf("%s:p%d", home, i) }
			w.command(who(0), home, "tournament", "kind", "pairs")
			var h doc.Home
			docs, err := w.docs.Store.Get(t.Context(), doc.HomeKey(home))
			if err != nil || doc.Decode(docs[0], &h) != nil {
				t.Fatal(err)
			}
			press := func(player int, what, value string) chat.Reply {
				in := w.in(who(player), home)
				in.Press = screen.PressOf("cup", h.Cup, what, value)
				return w.Handle(t.Context(), in)
			}
			press(0, "join", "new")
			if entries == 1 { // one person and no more
				if r := press(0, "start", "go"); r.Outcome != chat.Refused || !strings.Contains(r.Toast, "4") {
					t.Errorf("one person: %+v", r)
				}
				continue
			}
			press(0, "deals", "1")
			joined := 1
			for i := 1; i < 4; i++ {
				if i%2 == 1 && i/2 < 4-entries { // the partner of the person before
					press(i, "partner", fmt.Sprint(joined))
				} else {
					press(i, "join", "new")
					joined++
				}
			}
			load := func() tournaments.Tournament {
				d, _, err := w.cup.Load(t.Context(), h.Cup)
				if err != nil {
					t.Fatal(err)
				}
				return d
			}
			if n := len(load().Entrants); n != entries {
				t.Fatalf("%d entries, want %d", n, entries)
			}
			if r := press(0, "start", "go"); r.Outcome != chat.Done {
				t.Fatalf("%d entries: %s", entries, r.Toast)
			}
			for range 60 {
				if w.pass(time.Minute); load().Ended() {
					break
				}
			}
			d := load()
			if d.Stage != tournaments.StageOver || len(d.Entrants) != 2 {
				t.Fatalf("%d entries: stage %s, %+v", entries, d.Stage, d.Entrants)
			}
			for _, e := range d.Entrants {
				if len(e.Players) != 2 {
					t.Errorf("%d entries: the pair %+v", entries, e)
				}
			}
			if got, want := w.results(home), len(d.Swiss.Rounds); got != want || want == 0 {
				t.Errorf("%d entries: %d results of %d rounds", entries, got, want)
			}
		}
	})
}

// A tournament of absent people is played to its end even if every third commit fails,
// half of them after they took effect. Nothing is lost, and nothing counts twice.
func TestTournamentOutlastsFaults(t *testing.T) {
	t.Parallel()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		s := &worn{Store: file}
		newTown(t, s).tournament(8, func(on bool) { s.on = on })
	})
}

// A tournament with the most entrants must work in either store. It starts 32 tables in one commit.
func TestTournamentOfSixtyFour(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("64 whole matches take too long under the race detector")
	}
	path := filepath.Join(t.TempDir(), "cup.db")
	t.Run("bolt", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s, err := boltstore.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			newTown(t, s).tournament(tournament.Most, func(bool) {})
		})
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		server := storetest.Redis(t)
		s, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w := newTown(t, s)
		w.clock = comingNoon(time.Now().Add(-season))
		w.tournament(tournament.Most, func(bool) {})
	})
}

// If a tournament's group gets a new id, its tables must use it. They need it for asides to players without a private
// chat.
func TestTournamentTablesFollowTheirChat(t *testing.T) {
	t.Parallel()
	before := table.Table{Chats: []table.Chat{{ID: "test:ann"}}, Contest: &table.Contest{Chat: "test:old"}}
	after := before
	if !tables.Follow(&after, "test:old", "test:new") || after.Contest.Chat != "test:new" || deliver.EphemeralChat(after, "test:ann") != "test:new" {
		t.Errorf("after the move it is told of in %s", after.Contest.Chat)
	}
	if before.Contest.Chat != "test:old" {
		t.Error("the table was changed in place")
	}
	if tables.Follow(&after, "test:old", "test:new") {
		t.Error("it moved twice")
	}
}

// Without words, the command posts nothing: it asks the person for whom the tournament is. Its text is true of a single
// table, too.
func TestATournamentIsAskedForFirst(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		r := command(b, "ann", "tournament")
		running(t, b, func() { time.Sleep(time.Second) })
		if r.Screen == nil || r.Public || !strings.Contains(r.Screen.String(), "[Pairs] [Singles]") || !strings.Contains(r.Screen.String(), "!tournament-en pairs") {
			t.Fatalf("it doesn't ask: %+v", r)
		}
		p.expect(t)
		in := by("ann")
		in.Press = r.Screen.Rows[0][1].Press
		b.Handle(t.Context(), in)
		running(t, b, func() { time.Sleep(time.Second) })
		p.expect(t, "send")
		home, err := b.docs.Home(t.Context(), in.Chat.Home)
		if err != nil {
			t.Fatal(err)
		}
		if d, _, err := b.cup.Load(t.Context(), home.Cup); err != nil || d.Pairs {
			t.Errorf("singles are pairs, or %v", err)
		}
	})
}

// A home's settings must apply to its open tournament, but not to one that has ended.
func TestSettingsReachATournament(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		open := by("ann")
		open.Command, open.Args = "tournament", map[string]string{"kind": "pairs"}
		b.Handle(t.Context(), open)
		home, err := b.docs.Home(t.Context(), by("ann").Chat.Home)
		if err != nil || home.Cup == "" {
			t.Fatal(home, err)
		}
		press := func(data string) {
			t.Helper()
			in := by("ann")
			in.Admin, in.Press = true, data
			if r := b.Handle(t.Context(), in); r.Outcome != chat.Done {
				t.Errorf("%s: %+v", data, r)
			}
			running(t, b, func() {})
		}
		chat0 := func() table.Chat {
			d, _, err := b.cup.Load(t.Context(), home.Cup)
			if err != nil {
				t.Fatal(err)
			}
			return d.Chat
		}
		for _, data := range []string{"cfg:lang:cs:test:home", "cfg:calls:off:test:home", "cfg:face:german:test:home", "cfg:pictures:off:test:home"} {
			press(data)
		}
		want := table.Chat{ID: "test:chat", ChatSettings: table.ChatSettings{Lang: "cs", Quiet: true, Face: "german", NoPictures: true}}
		if diff := cmp.Diff(want, chat0()); diff != "" {
			t.Errorf("the tournament's chat (-want +got):\n%s", diff)
		}
		press(screen.PressOf("cup", home.Cup, "off", "yes"))
		press("cfg:lang:de:test:home")
		if diff := cmp.Diff(want, chat0()); diff != "" {
			t.Errorf("after its end (-want +got):\n%s", diff)
		}
	})
}
