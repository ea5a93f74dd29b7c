package tournaments_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/tournaments"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/game/tournament"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// plays plays two rounds of a tournament with that many entrants. Nobody ever moves, so the AI plays for all of
// them, and they have to come back after the first round. worn is called with true when faults may happen, and with false when they may not.
func plays(t *testing.T, w *town.Town, entrants int, worn func(bool)) {
	t.Helper()
	const home = "test:club"
	who := func(i int) string { return fmt.Sprintf("test:p%02d", i) }
	w.Asks(who(0), home, town.Press("cup:new:open:singles"))
	id := opened(t, w, home)
	press := func(player, what, value string) chat.Reply {
		return w.Asks(player, home, town.Press(screen.PressOf("cup", id, what, value)))
	}
	load := func() tournaments.Tournament { return load(t, w, id) }
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
	for range 360 {
		if w.Pass(10 * time.Second); load().Ended() {
			break
		}
		worn(false)
		d := load()
		for _, id := range d.Withdrawn { // they were absent for the first round
			if len(d.Swiss.Rounds) == 2 {
				break // nobody comes back in the last round
			}
			if r := press(id, "join", "new"); r.Outcome != chat.Done {
				t.Fatalf("%s comes back: %s", id, r.Toast)
			}
		}
		worn(true)
	}
	worn(false)
	w.Pass(time.Minute)
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
		var m doc.Match
		if w.Get(key, &m) == 0 {
			t.Fatalf("no match of table %d", i+1)
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
	if results := results(w, home); results != entrants {
		t.Errorf("%d results of %d matches", results, entrants)
	}
	standings := d.Swiss.Standings()
	if len(standings) != entrants || !slices.IsSortedFunc(standings, func(a, b tournament.Standing) int { return b.Points - a.Points }) {
		t.Errorf("standings: %+v", standings)
	}
}

// opened returns the id of a home's tournament.
func opened(t *testing.T, w *town.Town, home string) string {
	t.Helper()
	h, err := w.Docs.Home(t.Context(), home)
	if err != nil || h.Tournament == "" {
		t.Fatalf("no tournament: %v", err)
	}
	return h.Tournament
}

// load returns a tournament.
func load(t *testing.T, w *town.Town, id string) tournaments.Tournament {
	t.Helper()
	d, _, err := tournaments.New(w.Docs, w.Queue, w.Tables, nil, 0).Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// results returns the number of results in the home's ledger.
func results(w *town.Town, home string) (n int) {
	for name := range w.Stored() {
		if strings.HasPrefix(name, "result:"+home) {
			n++
		}
	}
	return n
}

// Four people are enough for a tournament of pairs, however they enter: before the AI is
// anybody's partner, those who entered alone are paired with each other.
func TestPairsOfFourPeople(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		for entries, home := range []string{1: "test:none", 2: "test:two", 3: "test:three", 4: "test:four"} {
			if home == "" {
				continue
			}
			who := func(i int) string { return fmt.Sprintf("%s:p%d", home, i) }
			w.Asks(who(0), home, town.Press("cup:new:open:pairs"))
			id := opened(t, w, home)
			press := func(player int, what, value string) chat.Reply {
				return w.Asks(who(player), home, town.Press(screen.PressOf("cup", id, what, value)))
			}
			press(0, "join", "new")
			if entries == 1 { // one person and no more
				if r := press(0, "start", "go"); r.Outcome != chat.Refused || !strings.Contains(r.Toast, "3") {
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
			load := func() tournaments.Tournament { return load(t, w, id) }
			if n := len(load().Entrants); n != entries {
				t.Fatalf("%d entries, want %d", n, entries)
			}
			if r := press(0, "start", "go"); r.Outcome != chat.Done {
				t.Fatalf("%d entries: %s", entries, r.Toast)
			}
			for range 60 {
				if w.Pass(time.Minute); load().Ended() {
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
			if got, want := results(w, home), len(d.Swiss.Rounds); got != want || want == 0 {
				t.Errorf("%d entries: %d results of %d rounds", entries, got, want)
			}
		}
	})
}

// A tournament of absent people is played to its end even if every third commit fails,
// half of them after they took effect. Nothing is lost, and nothing counts twice.
func TestTournamentOutlastsFaults(t *testing.T) {
	t.Parallel()
	town.InWorn(t, func(t *testing.T, w *town.Town, s *town.Worn) {
		plays(t, w, 8, func(on bool) { s.On = on })
	})
}

// A tournament with the most entrants must work in either store. It starts 32 tables in one commit.
func TestTournamentOfSixtyFour(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("64 whole matches take too long under the race detector")
	}
	bolt, redis, now := filepath.Join(t.TempDir(), "cup.db"), redistest.Start(t).URL(), time.Now().Round(0)
	for name, open := range map[string]func(ctx context.Context) (store.Store, error){
		"bolt": func(context.Context) (store.Store, error) { return boltstore.Open(bolt) },
		"redis": func(ctx context.Context) (store.Store, error) {
			return redisstore.Open(ctx, redis, redisstore.Options{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(now)) // Redis has no other clock
				s, err := open(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				plays(t, town.New(t, s), tournament.Most, func(bool) {})
			})
		})
	}
}

// If a tournament's group gets a new id, its tables must use it. They need it for asides to players without a private
// chat.
func TestTournamentTablesFollowTheirChat(t *testing.T) {
	t.Parallel()
	before := table.Table{Chats: []table.Chat{{ID: "test:ann"}}, Tournament: &table.Tournament{Chat: "test:old"}}
	before.Inherit()
	after := before
	if !tables.Follow(&after, "test:old", "test:new") || after.Tournament.Chat != "test:new" || deliver.EphemeralChat(after, "test:ann") != "test:new" {
		t.Errorf("after the move it is told of in %s", after.Tournament.Chat)
	}
	if before.Tournament.Chat != "test:old" {
		t.Error("the table was changed in place")
	}
	if tables.Follow(&after, "test:old", "test:new") {
		t.Error("it moved twice")
	}
}

// The command posts nothing: it says what it would post, and the button does it. If the words leave the kind open, it asks
// for whom the tournament is.
func TestATournamentIsAskedForFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words  []string
		button string
		asked  string
		pairs  bool
		family string
	}{
		"no words":           {nil, "Singles", "[Pairs] [Singles]", false, "sedma"},
		"singles":            {[]string{"kind", "singles"}, "Post it here", "Singles · Sedma, 2 players", false, "sedma"},
		"pairs of a game":    {[]string{"kind", "pairs", "game", "osmova"}, "Post it here", "Pairs · Sedma osmová, 4 players", true, "osmova"},
		"a game of one kind": {[]string{"game", "zsirozas"}, "Pairs", "[Pairs] [Singles]", true, "zsirozas"},
	} {
		t.Run(name, func(t *testing.T) {
			town.In(t, func(t *testing.T, w *town.Town) {
				const home = "test:club"
				r := w.Command("test:ann", home, "tournament", c.words...)
				w.Pass(time.Second)
				if r.Public || len(w.Chats.Deliveries()) > 0 {
					t.Fatalf("it doesn't ask: %+v", r)
				}
				w.Has(r, "I'll post a sign-up here for everyone", c.asked)
				w.PressButton("test:ann", home, r, c.button)
				w.Pass(time.Second)
				if sent := w.Chats.Sent(); !slices.Equal(sent, []string{home}) {
					t.Errorf("messages to %v", sent)
				}
				if d := load(t, w, opened(t, w, home)); d.Pairs != c.pairs || game.Family(d.Rules.Preset) != c.family {
					t.Errorf("opened: pairs %v, %s", d.Pairs, d.Rules.Preset)
				}
			})
		})
	}
}

// The question may come to the person's private chat. Its button opens the tournament where they asked for it.
func TestATournamentConfirmedInPrivate(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		r := w.Command("test:ann", home, "tournament", "kind", "singles")
		w.PressButton("test:ann", "test:ann", r, "Post it here")
		w.Pass(time.Second)
		if sent := w.Chats.Sent(); !slices.Equal(sent, []string{home}) {
			t.Errorf("messages to %v", sent)
		}
	})
}

// A home's settings must apply to its open tournament, but not to one that has ended.
func TestSettingsReachATournament(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		w.Asks("test:ann", home, town.Press("cup:new:open:pairs"))
		id := opened(t, w, home)
		for name, value := range map[string]string{"lang": "cs", "calls": "off", "face": "german", "pictures": "off"} {
			w.Manages("test:ann", home, name, value)
			w.Pass(0)
		}
		want := table.Chat{ID: home, ChatSettings: table.ChatSettings{Lang: "cs", Quiet: true, Face: "german", NoPictures: true}}
		if diff := cmp.Diff(want, load(t, w, id).Chat); diff != "" {
			t.Errorf("the tournament's chat (-want +got):\n%s", diff)
		}
		w.Presses("test:ann", home, town.Press(screen.PressOf("cup", id, "off", "yes")))
		w.Manages("test:ann", home, "lang", "de")
		w.Pass(0)
		if diff := cmp.Diff(want, load(t, w, id).Chat); diff != "" {
			t.Errorf("after its end (-want +got):\n%s", diff)
		}
	})
}

// Players who do nothing for a whole round are out until they press, and the chat is told. Those who play, or come back to
// their seat, stay.
func TestAbsentForARound(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		people := []string{"test:ann", "test:ben", "test:cat", "test:dan"}
		w.Asks(people[0], home, town.Press("cup:new:open:singles"))
		id := opened(t, w, home)
		press := func(player, what, value string) chat.Reply {
			return w.Asks(player, home, town.Press(screen.PressOf("cup", id, what, value)))
		}
		press(people[0], "rounds", "3")
		press(people[0], "deals", "1")
		for _, p := range people {
			press(p, "join", "new")
		}
		press(people[0], "start", "go")
		w.Pass(time.Minute / 2)
		for _, table := range load(t, w, id).Tables {
			tab := w.Load(table)
			if seat := tab.SeatOf("test:ann"); seat >= 0 {
				for !w.Load(table).Seats[seat].Away {
					w.Pass(time.Second)
				}
				w.Presses("test:ann", "test:ann", view.Press{Action: view.ActBack, Table: table})
			}
		}
		for load(t, w, id).Stage == tournaments.StageRound {
			w.Pass(time.Minute / 2)
		}
		d := load(t, w, id)
		if slices.Sort(d.Withdrawn); !slices.Equal(d.Withdrawn, people[1:]) {
			t.Fatalf("absent: %v", d.Withdrawn)
		}
		press("test:ben", "join", "new")
		d = load(t, w, id)
		if slices.Sort(d.Withdrawn); !slices.Equal(d.Withdrawn, people[2:]) || len(d.Swiss.Playing()) != 2 {
			t.Errorf("after Ben's press: %v, playing %v", d.Withdrawn, d.Swiss.Playing())
		}
		w.Pass(time.Second)
	})
}

// A player who has withdrawn from a pair may become the partner of somebody else who needs one.
func TestAnotherPartner(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		w.Asks("test:ann", home, town.Press("cup:new:open:pairs"))
		id := opened(t, w, home)
		press := func(player, what, value string) {
			t.Helper()
			if r := w.Asks(player, home, town.Press(screen.PressOf("cup", id, what, value))); r.Outcome != chat.Done {
				t.Fatalf("%s %s: %s", player, what, r.Toast)
			}
		}
		press("test:ann", "join", "new")
		press("test:ben", "partner", "1")
		press("test:cat", "join", "new")
		press("test:dan", "partner", "2")
		press("test:eve", "join", "new")
		press("test:ann", "start", "go")
		w.Pass(time.Second)
		press("test:ann", "leave", "me")
		press("test:dan", "leave", "me")
		press("test:ann", "partner", "list")
		press("test:ann", "partner", "3")
		press("test:dan", "partner", "1")
		d := load(t, w, id)
		var pairs [][]string
		for _, e := range d.Entrants {
			var names []string
			for _, p := range e.Players {
				if !slices.Contains(e.Out, p.ID) {
					names = append(names, p.ID)
				}
			}
			pairs = append(pairs, names)
		}
		if diff := cmp.Diff([][]string{{"test:ben", "test:dan"}, {"test:cat"}, {"test:eve", "test:ann"}}, pairs); diff != "" {
			t.Error(diff)
		}
	})
}

// A tournament of pairs with more people than there may be entrants can't become one of singles.
func TestTooManyPeopleForSingles(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		w.Asks("test:p0", home, town.Press("cup:new:open:pairs"))
		id := opened(t, w, home)
		press := func(player int, what, value string) chat.Reply {
			return w.Asks(fmt.Sprint("test:p", player), home, town.Press(screen.PressOf("cup", id, what, value)))
		}
		for i := range tournament.Most/2 + 1 {
			press(2*i, "join", "new")
			press(2*i+1, "partner", fmt.Sprint(i+1))
		}
		if r := press(0, "kind", "singles"); r.Outcome != chat.Refused || len(load(t, w, id).Entrants) != tournament.Most/2+1 {
			t.Errorf("%+v: %d entrants", r, len(load(t, w, id).Entrants))
		}
	})
}

// TestATournamentEndsEarly calls off a tournament while one of its two tables has finished: the other one isn't marked as
// done. A lobby is called off when the data of its host is deleted and nobody has entered.
func TestATournamentEndsEarly(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		people := []string{"test:ann", "test:ben", "test:cat", "test:dan"}
		w.Asks(people[0], home, town.Press("cup:new:open:singles"))
		id := opened(t, w, home)
		press := func(player, what, value string) {
			if r := w.Asks(player, home, town.Press(screen.PressOf("cup", id, what, value))); r.Outcome != chat.Done {
				t.Fatalf("%s: %s", what, r.Toast)
			}
		}
		press(people[0], "deals", "1")
		for _, p := range people {
			press(p, "join", "new")
		}
		press(people[0], "start", "go")
		w.Pass(time.Second)
		w.PlayOn(load(t, w, id).Tables[0], 1000)
		w.Pass(time.Second)
		press(people[0], "off", "yes")
		w.Pass(time.Minute)
		at := load(t, w, id)
		if played := at.Swiss.Rounds[0].Tables; at.Stage != tournaments.StageOff || played[0].Void || !played[1].Void {
			t.Errorf("%s: %+v", at.Stage, played)
		}
		if w.Chats.Shows(" ✓\n2. ") == 0 || w.Chats.Shows(": not finished") == 0 {
			t.Errorf("the chats show %q", w.Chats.Standing())
		}

		const other = "test:other"
		w.Asks(people[0], other, town.Press("cup:new:open:singles"))
		id = opened(t, w, other)
		w.Asks(people[0], people[0], town.Press(screen.PressOf("data", "erase")))
		w.Pass(time.Hour)
		if at := load(t, w, id); at.Stage != tournaments.StageOff {
			t.Errorf("with neither a host nor an entrant: %s", at.Stage)
		}
	})
}

// TestATournamentWaitsForTheAbsence lets the bot be down for a night, in a round and in the break after it. Nobody loses by
// that: the tables wait until a player continues, and so does the break. If nobody continues a table for a week, it
// is a draw, and its players are absent.
func TestATournamentWaitsForTheAbsence(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:club"
		people := []string{"test:ann", "test:ben", "test:cat", "test:dan"}
		w.Asks(people[0], home, town.Press("cup:new:open:singles"))
		id := opened(t, w, home)
		press := func(player, what, value string) {
			w.Asks(player, home, town.Press(screen.PressOf("cup", id, what, value)))
		}
		press(people[0], "deals", "1")
		for _, p := range people {
			press(p, "join", "new")
		}
		time.Sleep(9*time.Hour + 24*time.Hour)
		w.Pass(time.Minute)
		if at := load(t, w, id); at.Stage != tournaments.StageLobby {
			t.Fatalf("the lobby of the night before: %s", at.Stage)
		}
		press(people[0], "start", "go")
		w.Pass(30 * time.Second)
		time.Sleep(9 * time.Hour)
		w.Pass(10 * time.Minute)
		round := load(t, w, id)
		for _, id := range round.Tables {
			if tab := w.Load(id); tab.Phase != table.Playing || !tab.Lapsed || tab.Seats[0].Away || tab.Seats[1].Away {
				t.Fatalf("%s, halted %v, %+v", tab.Phase, tab.Lapsed, tab.Seats)
			}
		}
		first := w.Load(round.Tables[0])
		player := first.Seats[0].Player.ID
		w.Presses(player, player, view.Press{Action: view.ActResume, Table: first.ID})
		w.PlayOn(first.ID, 1000)
		w.Pass(table.RestLife - time.Hour)
		for load(t, w, id).Stage == tournaments.StageRound {
			w.Pass(30 * time.Second)
		}
		at := load(t, w, id)
		if played := at.Swiss.Rounds[0].Tables; at.Stage != tournaments.StageBreak || played[0].Void || !played[1].Void || len(at.Withdrawn) != 2 {
			t.Fatalf("%s: %+v, withdrawn %v", at.Stage, played, at.Withdrawn)
		}
		time.Sleep(9 * time.Hour)
		w.Pass(2 * time.Hour)
		if at := load(t, w, id); at.Stage != tournaments.StageBreak || w.Chats.Shows("starts automatically after 12 h") != 1 {
			t.Errorf("the break of the night before: %s, %q", at.Stage, w.Chats.Standing())
		}
		press(people[0], "next", "1")
		w.Pass(time.Second)
		if at := load(t, w, id); at.Stage != tournaments.StageRound {
			t.Errorf("the host has begun the next round: %s", at.Stage)
		}
	})
}
