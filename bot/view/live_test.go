package view

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// TestNoPageShowsAHiddenCard plays matches of one deal in all presets: a thousand in the long form. After
// each move it checks the pages of all players and of a spectator: every card on a page is
// in the reader's hand or was played, and the deal's seed isn't there before the deal is over.
func TestNoPageShowsAHiddenCard(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	presets := game.Presets()
	matches := len(presets)
	if os.Getenv("SEDMABOT_TEST_LONG") == "1" {
		matches = 1000
	}
	for i := range matches {
		random := rand.New(rand.NewPCG(20, uint64(i)))
		tb := liveMatch(t, presets[i%len(presets)], random)
		for tb.Phase == table.Playing {
			checkPages(t, tb)
			seat := tb.Public().Turn
			legal := tb.Deal.View(seat).Legal
			env := table.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
			binary.BigEndian.PutUint64(env.Seed[:], random.Uint64())
			next, _, err := table.Apply(tb, tb.Seats[seat].Player, table.Play{Deal: tb.DealNo, Decision: tb.Deal.Decisions(seat), Move: legal[random.IntN(len(legal))]}, env)
			if err != nil {
				t.Fatal(err)
			}
			tb = next
		}
		checkPages(t, tb)
	}
}

// When a deal of Sedma is over, the points on the page are those that decided it, with the ten
// points of the last trick. The page says in words what the picture in the chat shows.
func TestAPageAtTheEndOfADeal(t *testing.T) {
	t.Parallel()
	s := prettyMatch(t)
	s.until(dealOver)
	live := GuestLive(s.table.Public(), lang.For("en"))
	sum, words := 0, ""
	for side, points := range s.table.Past[0].Score.Points {
		if got := live.Sides[side].Points; got != points {
			t.Errorf("side %d has %d points on the page, want %d", side, got, points)
		}
		sum += live.Sides[side].Points
	}
	if sum != 90 {
		t.Errorf("the sides have %d points on the page, want 90", sum)
	}
	for _, b := range live.Panel.Blocks {
		for _, span := range b.Spans {
			words += span.Text
		}
	}
	if !strings.Contains(words, "tricks") {
		t.Errorf("the panel doesn't say how many tricks each side took: %s", words)
	}
}

// The page says what a deal is played for besides its own stake.
func TestThePageShowsThePool(t *testing.T) {
	t.Parallel()
	s := prettyMatch(t)
	p := s.table.Public()
	p.Pool, p.Abeyance = 40, 2
	if got, want := GuestLive(p, lang.For("en")).Detail, "pool: 40 points · carried over: 2 · "; !strings.HasPrefix(got, want) {
		t.Errorf("%q doesn't begin with %q", got, want)
	}
}

// The page of a player who left says whose turn it is as it does to everyone. It has no cards,
// and one button: to come back.
func TestAPageOfAPlayerWhoLeft(t *testing.T) {
	t.Parallel()
	tb := liveMatch(t, "sedma-2p", rand.New(rand.NewPCG(24, 2)))
	seat := tb.Public().Turn
	tb, _, err := table.Apply(tb, tb.Seats[seat].Player, table.Leave{}, table.Env{})
	if err != nil {
		t.Fatal(err)
	}
	own, _ := tb.Private(tb.Seats[seat].Player.ID)
	live := SeatLive(own)
	if want := GuestLive(tb.Public(), lang.For(live.Lang)).Line; live.Line != want || len(live.Felt.Hand) > 0 {
		t.Errorf("the page says %q and has %d cards, want %q and none", live.Line, len(live.Felt.Hand), want)
	}
	c := lang.For(live.Lang)
	if got, short, long := live.Seats[seat], c.Text("turn.away"), c.Text("mark.left"); got.Short != short || !slices.Equal(got.Marks, []string{long}) {
		t.Errorf("the plate says %q and %q, want %q and %q", got.Short, got.Marks, short, long)
	}
	if len(live.Felt.Moves) != 1 || live.Felt.Moves[0].Press != "back:"+tb.ID {
		t.Errorf("the page has the buttons %v", live.Felt.Moves)
	}
}

// liveMatch returns a table whose only deal has begun. People sit on all seats.
func liveMatch(t *testing.T, preset string, random *rand.Rand) table.Table {
	t.Helper()
	rules := gametest.Preset(t, preset)
	player := func(i int) table.Player {
		return table.Player{ID: fmt.Sprintf("test:%d", i), Name: fmt.Sprintf("Player %d", i+1), PlayerSettings: table.PlayerSettings{Lang: lang.Languages()[i]}}
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tb := table.New("0123456789abcdef", "test:home", table.Chat{ID: "test:chat"}, player(0), rules, 0, 0, now)
	env := table.Env{Now: now}
	binary.BigEndian.PutUint64(env.Seed[:], random.Uint64())
	do := func(i int, c table.Command) {
		next, _, err := table.Apply(tb, player(i), c, env)
		if err != nil {
			t.Fatal(err)
		}
		tb = next
	}
	for i := 1; i < rules.Players; i++ {
		do(i, table.Join{Seat: -1})
	}
	do(0, table.Start{})
	do(0, table.LastDeal{})
	return tb
}

// A leader who has to stop may press Stop, and only the leader's own page says that it is forced.
func TestAForcedStopOnThePage(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 1))
	env := table.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for tb := liveMatch(t, "sedma-2p", random); ; {
		seat := tb.Public().Turn
		own, _ := tb.Private(tb.Seats[seat].Player.ID)
		if !own.View.Forced {
			next, _, err := table.Apply(tb, tb.Seats[seat].Player, table.Play{Deal: tb.DealNo, Decision: tb.Deal.Decisions(seat), Move: own.View.Legal[0]}, env)
			if err != nil {
				t.Fatal("no forced stop in this deal: ", err)
			}
			tb = next
			continue
		}
		other, _ := tb.Private(tb.Seats[1-seat].Player.ID)
		words := lang.For(own.Seats[seat].Player.Lang).Text("hand.turn.forced")
		mine, theirs, guests := SeatLive(own), SeatLive(other), GuestLive(tb.Public(), lang.For("en"))
		if mine.Line != words || len(mine.Felt.Moves) == 0 || mine.Felt.Moves[0].Off {
			t.Errorf("the leader's page: %q, %+v", mine.Line, mine.Felt.Moves)
		}
		if theirs.Line == lang.For(other.Seats[1-seat].Player.Lang).Text("hand.turn.forced") || guests.Line == lang.For("en").Text("hand.turn.forced") {
			t.Errorf("others read %q and %q", theirs.Line, guests.Line)
		}
		stop, err := ParsePress(mine.Felt.Moves[0].Press)
		if err == nil {
			_, _, err = table.Apply(tb, tb.Seats[seat].Player, table.Play{Deal: stop.Deal, Decision: stop.Turn, Move: stop.Move}, env)
		}
		if err != nil {
			t.Errorf("the leader's Stop: %v", err)
		}
		return
	}
}

// A page says why a card can't be played now: whose turn it is, or which cards can be played
// instead. It says nothing if every card can be played.
func TestWhyACardCannotBePlayed(t *testing.T) {
	t.Parallel()
	en, seen := lang.For("en"), map[game.Phase]bool{}
	for _, deal := range []struct {
		preset string
		seed   uint64
	}{{"sedma-4p", 0}, {"hola-2p", 1}, {"ristikontra", 83}} { // in the last one, someone leads a rank three times
		tb := liveMatch(t, deal.preset, rand.New(rand.NewPCG(26, deal.seed)))
		for i := range tb.Seats {
			tb.Seats[i].Player.Lang = "en"
		}
		for tb.Phase == table.Playing {
			turn := tb.Public().Turn
			for seat := range tb.Seats {
				own, _ := tb.Private(tb.Seats[seat].Player.ID)
				live, off := SeatLive(own), 0
				var can []string
				for _, c := range live.Felt.Hand {
					switch {
					case c.Card != "" && c.Off:
						off++
					case c.Card != "":
						card, err := game.ParseCard(c.Card)
						if err != nil {
							t.Fatal(err)
						}
						can = append(can, face.Text(face.French, card))
					}
				}
				cards := strings.Join(can, " / ")
				want := ""
				switch phase := own.View.Phase; {
				case off == 0:
				case seat != turn:
					want = "It isn't your turn yet. " + tb.Seats[turn].Player.Name + " is to play."
				case own.View.Forced:
					want = en.Text("hand.turn.forced")
				case phase == game.Decide:
					want = "You can continue with " + cards + ", or press “" + StopLabel(NewWriter(en, face.French), own.View) + "”."
					seen[phase] = true
				default:
					want = "You may not lead this rank again now. You can lead " + cards + "."
					seen[phase] = true
				}
				if live.Felt.Why != want {
					t.Fatalf("%s: %q, want %q", deal.preset, live.Felt.Why, want)
				}
			}
			v := tb.Deal.View(turn)
			same := func(m game.Move) int { // how many cards of the hand have its rank
				c, ok := m.Card()
				n := 0
				for _, other := range v.Hand {
					if ok && other != 0 && other.Rank() == c.Rank() {
						n++
					}
				}
				return n
			}
			move := slices.MaxFunc(v.Legal, func(a, b game.Move) int { return same(a) - same(b) })
			if v.Phase == game.Follow { // lets the leader lead that rank again
				move = slices.MinFunc(v.Legal, func(a, b game.Move) int { return same(a) - same(b) })
			}
			env := table.Env{Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
			next, _, err := table.Apply(tb, tb.Seats[turn].Player, table.Play{Deal: tb.DealNo, Decision: tb.Deal.Decisions(turn), Move: move}, env)
			if err != nil {
				t.Fatal(err)
			}
			tb = next
		}
	}
	if !seen[game.Decide] || !seen[game.Lead] {
		t.Errorf("the matches had such cards only in these phases: %v", seen)
	}
}

// checkPages checks the pages of all readers of a table.
func checkPages(t *testing.T, tb table.Table) {
	t.Helper()
	played := map[string]bool{}
	for _, e := range tb.Deal.View(game.Nobody).Log {
		if e.Card != 0 {
			played[e.Card.String()] = true
		}
	}
	over := dealOver(tb.Public())
	for seat := -1; seat < len(tb.Seats); seat++ {
		live := GuestLive(tb.Public(), lang.For("en"))
		known := map[string]bool{}
		for c := range played {
			known[c] = true
		}
		if seat >= 0 {
			own, _ := tb.Private(tb.Seats[seat].Player.ID)
			live = SeatLive(own)
			for _, c := range own.View.Hand {
				if c != 0 {
					known[c.String()] = true
				}
			}
		}
		data, err := json.Marshal(live)
		if err != nil {
			t.Fatal(err)
		}
		seed := tb.Seed
		for _, secret := range []string{fmt.Sprintf("%x", seed), fmt.Sprintf("%x", seed[:8])} {
			if !over && strings.Contains(string(data), secret) {
				t.Fatalf("the seed is on the page of seat %d", seat)
			}
		}
		var page any
		if err := json.Unmarshal(data, &page); err != nil {
			t.Fatal(err)
		}
		for _, c := range cardsOn(page) {
			if !known[c] {
				t.Fatalf("%d players, deal %x: the page of seat %d has the card %s, which its reader doesn't know:\n%s", tb.Rules.Players, sha256.Sum256(seed[:]), seat, c, data)
			}
		}
	}
}

// cardsOn returns the cards in the fields of a page: as cards, and as moves of buttons.
func cardsOn(v any) (cards []string) {
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			cards = append(cards, cardsOn(each)...)
		}
	case map[string]any:
		for name, each := range v {
			text, _ := each.(string)
			switch {
			case name == "card" && text != "":
				cards = append(cards, text)
			case name == "press":
				p, err := ParsePress(text)
				if c, ok := p.Move.Card(); err == nil && ok && p.Action == ActPlay {
					cards = append(cards, c.String())
				}
			default:
				cards = append(cards, cardsOn(each)...)
			}
		}
	}
	return cards
}

// presses returns the actions of all buttons on a page's panel.
func presses(l Live) (out []string) {
	for _, row := range l.Panel.Rows {
		for _, b := range row {
			action, _, _ := strings.Cut(b.Press, ":")
			out = append(out, action)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A lobby's page offers nobody what only others may use, and shows the settings only to the host. Both of two people choose
// whether they play together.
func TestTheLobbyOnAPage(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-4p")
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	players := []table.Player{{ID: "test:0", Name: "Ann"}, {ID: "test:1", Name: "Ben"}}
	tb := table.New("0123456789abcdef", "test:home", table.Chat{ID: "test:chat"}, players[0], rules, 0, 0, now)
	do := func(i int, c table.Command) {
		next, _, err := table.Apply(tb, players[i], c, table.Env{Now: now})
		if err != nil {
			t.Fatal(err)
		}
		tb = next
	}
	check := func(when string, want ...[]string) {
		t.Helper()
		for i, player := range players {
			own, _ := tb.Private(player.ID)
			if got := presses(SeatLive(own)); !slices.Equal(got, want[i]) {
				t.Errorf("%s: %s is offered %q, want %q", when, player.Name, got, want[i])
			}
		}
		if got := presses(GuestLive(tb.Public(), lang.For("en"))); !slices.Equal(got, want[2]) {
			t.Errorf("%s: a guest is offered %q, want %q", when, got, want[2])
		}
	}
	do(1, table.Join{Seat: -1})
	do(0, table.AddAI{})
	sits, guest := []string{"more", "set"}, []string{"join", "more"}
	check("seats", []string{"more", "set", "start"}, sits, guest)
	do(0, table.Choose{What: "page", Value: string(table.SettingsPage)})
	check("settings", []string{"default", "set"}, sits, guest)
}

// After a match, the page offers a rematch to its players only, and any of them may start it. A player who left isn't asked back.
func TestARematchOnAPage(t *testing.T) {
	t.Parallel()
	s := prettyMatch(t)
	en, host := lang.For("en"), s.table.Seats[0].Player
	s.do(host, table.LastDeal{})
	if got := GuestLive(s.table.Public(), en).Detail; !strings.Contains(got, en.Text("table.last")) {
		t.Errorf("after Last deal, the page says %q", got)
	}
	s.until(func(p table.Public) bool { return p.Phase == table.Over })
	s.table.Seats[0].Left = true
	own, _ := s.table.Private(host.ID)
	if live := SeatLive(own); !slices.Contains(presses(live), "rematch") || len(live.Felt.Moves) > 0 {
		t.Errorf("a player is offered %q and %v", presses(live), live.Felt.Moves)
	}
	if got := presses(GuestLive(s.table.Public(), en)); !slices.Equal(got, []string{"more", "replay"}) {
		t.Errorf("a guest is offered %q", got)
	}
	s.do(host, table.Rematch{})
	for seat, player := range s.table.Seats {
		if player.Player.ID == "" {
			continue
		}
		own, _ := s.table.Private(player.Player.ID)
		if got := presses(SeatLive(own)); !slices.Contains(got, "start") || slices.Contains(got, "set") != (seat == 0) {
			t.Errorf("in the rematch's lobby, seat %d is offered %q", seat, got)
		}
	}
	if got := presses(GuestLive(s.table.Public(), en)); slices.Contains(got, "start") {
		t.Errorf("in the rematch's lobby, a guest is offered %q", got)
	}
}

// A closed table's page says so, and how to play again. It is nobody's turn.
func TestAClosedTableOnAPage(t *testing.T) {
	t.Parallel()
	s := prettyMatch(t)
	s.table, _, _ = table.Apply(s.table, s.table.Seats[0].Player, table.Close{Admin: true}, table.Env{})
	daily := s.table
	daily.Daily = &table.Daily{Date: "2026-03-01"}
	daily.Inherit()
	if live := GuestLive(daily.Public(), lang.For("en")); !slices.Equal(presses(live), []string{"meet"}) {
		t.Errorf("the page of a deal of the day offers %q", presses(live))
	}
	own, _ := s.table.Private(s.table.Seats[0].Player.ID)
	for _, live := range []Live{SeatLive(own), GuestLive(s.table.Public(), lang.For("en"))} {
		if live.Phase != table.Closed || live.Line != "" || live.Felt.Turn != game.Nobody || live.Felt.Clock != 0 {
			t.Errorf("the page says %q, and it is the turn of %d", live.Line, live.Felt.Turn)
		}
		if slices.ContainsFunc(live.Seats, func(s LiveSeat) bool { return s.Turn }) {
			t.Error("a plate shows whose turn it is")
		}
		if got := presses(live); !slices.Equal(got, []string{"meet"}) {
			t.Errorf("the page offers %q", got)
		}
	}
}
