package table_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
	"sedmabot/game/table"
)

// noon is the time at which every test begins.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const pace = 1500 * time.Millisecond

// people are the persons who may come to a table.
var people = []table.Player{
	{ID: "discord:1", Name: "Anna", PlayerSettings: table.PlayerSettings{Lang: "cs"}},
	{ID: "discord:2", Name: "Béla", PlayerSettings: table.PlayerSettings{Lang: "hu"}},
	{ID: "telegram:3", Name: "Cyril"},
	{ID: "telegram:4", Name: "Dana"},
	{ID: "discord:5", Name: "Emil"},
	{ID: "discord:6", Name: "Fero"},
}

// long reports whether the tests take their long form.
var long = os.Getenv("SEDMABOT_TEST_LONG") == "1"

func seedOf(n int) table.Seed {
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte("test"), uint64(n)))
}

// think chooses a move for the AI.
type think func(level string, v game.View, m game.Match) game.Move

// firstLegal is an AI that always plays the first legal move.
func firstLegal(_ string, v game.View, _ game.Match) game.Move { return v.Legal[0] }

// fataler is the part of testing.T and rapid.T that these tests use.
type fataler interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// world is a table with its clock and its past events. After every change, it checks everything that must be true of
// any table.
type world struct {
	fataler
	table.Table
	now    time.Time
	think  think
	seeds  int
	steps  int
	light  bool              // for long matches: do the costly checks only at every tenth step
	held   map[string][2]int // the latest hand that a person held: deal and seat
	events []table.Event
}

// open returns a lobby for that game, with the first of people as its host.
func open(t fataler, rules game.Rules, pace, limit time.Duration) *world {
	t.Helper()
	w := &world{fataler: t, now: noon, think: firstLegal}
	w.Table = table.New("t1", "discord:99", table.Chat{ID: "discord:100"}, people[0], rules, pace, limit, noon)
	w.check()
	return w
}

// started returns a match of that game with that many people, and the AI on the other seats.
func started(t fataler, rules game.Rules, persons int, pace, limit time.Duration) *world {
	t.Helper()
	w := open(t, rules, pace, limit)
	for i := 1; i < persons; i++ {
		w.do(i, table.Join{Seat: -1})
	}
	w.do(0, table.Start{})
	return w
}

func (w *world) env() table.Env {
	w.seeds++
	return table.Env{Now: w.now, Seed: seedOf(w.seeds)}
}

// apply gives a command as people[who].
func (w *world) apply(who int, c table.Command) error {
	w.Helper()
	before := w.image(w.Table)
	next, events, err := table.Apply(w.Table, people[who], c, w.env())
	if got := w.image(w.Table); got != before {
		w.Fatalf("%T changed the table that it was given:\n%s", c, cmp.Diff(before, got))
	}
	if err != nil {
		if got := w.image(next); got != before || events != nil {
			w.Fatalf("refused %T changed the table:\n%s", c, cmp.Diff(before, got))
		}
		return err
	}
	w.Table = next
	w.happened(events)
	return nil
}

// image returns the whole table as text, to see whether it changes. It is empty in steps without the costly checks.
func (w *world) image(t table.Table) string {
	w.Helper()
	if w.light && w.steps%10 != 0 {
		return ""
	}
	return marshal(w, t)
}

// do gives a command that must be accepted.
func (w *world) do(who int, c table.Command) {
	w.Helper()
	if err := w.apply(who, c); err != nil {
		w.Fatalf("%T %+v by %s in phase %s: %v", c, c, people[who].Name, w.Phase, err)
	}
}

// refused gives a command that must be refused with this error.
func (w *world) refused(who int, c table.Command, want error) {
	w.Helper()
	if err := w.apply(who, c); !errors.Is(err, want) {
		w.Fatalf("%T %+v by %s in phase %s: error %v, want %v", c, c, people[who].Name, w.Phase, err, want)
	}
}

// advance advances a table, with think choosing the AI's moves.
func advance(t table.Table, env table.Env, think think) (table.Table, []table.Event) {
	t, events, wanted := table.Advance(t, env)
	for wanted != nil {
		var more []table.Event
		t, more, wanted = table.Answer(t, env, think(wanted.Level, wanted.View, wanted.Match))
		events = append(events, more...)
	}
	return t, events
}

// after lets that much time pass and then runs what is due.
func (w *world) after(d time.Duration) {
	w.Helper()
	w.now = w.now.Add(d)
	before, doubted := w.image(w.Table), w.Doubted(w.now)
	next, events := advance(w.Table, w.env(), w.think)
	if got := w.image(w.Table); got != before {
		w.Fatalf("Advance changed the table that it was given:\n%s", cmp.Diff(before, got))
	}
	due := w.Due()
	if idle := (due.IsZero() || due.After(w.now)) && !doubted; before != "" && idle != (w.image(next) == before) {
		w.Fatalf("at %s with Due %s: Advance changes the table: %t", w.now, due, idle)
	}
	w.Table = next
	w.happened(events)
}

// untilDue waits until something happens.
func (w *world) untilDue() {
	w.Helper()
	due := w.Due()
	if due.IsZero() {
		w.Fatalf("nothing will ever happen in phase %s", w.Phase)
	}
	w.after(max(0, due.Sub(w.now)))
}

// turn returns the seat whose turn it is, or -1.
func (w *world) turn() int { return w.Public().Turn }

// who returns the index in people of the seat's player, or -1.
func (w *world) who(seat int) int {
	for i, p := range people {
		if p.ID == w.Seats[seat].Player.ID {
			return i
		}
	}
	return -1
}

// view returns what the person sees.
func (w *world) view(who int) game.View {
	w.Helper()
	p, ok := w.Private(people[who].ID)
	if !ok {
		w.Fatalf("%s sees no hand", people[who].Name)
	}
	return p.View
}

// press returns the person's first legal move as a press.
func (w *world) press(who int) table.Play {
	w.Helper()
	v := w.view(who)
	move := game.Stop
	if len(v.Legal) > 0 {
		move = v.Legal[0]
	}
	return table.Play{Deal: w.DealNo, Decision: v.Decisions[v.Seat], Move: move}
}

// untilTurn makes first legal moves and lets time pass until the person can choose.
func (w *world) untilTurn(who int) {
	w.Helper()
	for range 1000 {
		seat := w.turn()
		switch {
		case seat >= 0 && w.who(seat) == who && !w.view(who).Forced:
			return
		case seat >= 0 && w.who(seat) >= 0 && !w.Deal.Forced() && !w.Seats[seat].Away && !w.Seats[seat].Left:
			w.do(w.who(seat), w.press(w.who(seat)))
		default:
			w.untilDue()
		}
	}
	w.Fatalf("%s never comes on turn", people[who].Name)
}

// untilPhase makes first legal moves and lets time pass until the table is in that phase.
func (w *world) untilPhase(p table.Phase) {
	w.Helper()
	for range 100_000 {
		if w.Phase == p {
			return
		}
		w.step()
	}
	w.Fatalf("phase %s never comes", p)
}

// step makes one first legal move, or runs what is due next.
func (w *world) step() {
	w.Helper()
	seat := w.turn()
	if seat >= 0 && w.who(seat) >= 0 && !w.Deal.Forced() && !w.Seats[seat].Away && !w.Seats[seat].Left {
		w.do(w.who(seat), w.press(w.who(seat)))
		return
	}
	w.untilDue()
}

// happened records events and checks the table.
func (w *world) happened(events []table.Event) {
	w.Helper()
	w.events = append(w.events, events...)
	dealt := 0
	for _, e := range events {
		switch e := e.(type) {
		case table.DealStarted:
			dealt++
		case table.DealOver:
			w.checkDealOver(e)
		}
	}
	if dealt > 1 {
		w.Fatalf("%d deals of one seed", dealt)
	}
	w.check()
}

// count returns how many events of that type have happened.
func count[E table.Event](w *world) (n int) {
	for _, e := range w.events {
		if _, ok := e.(E); ok {
			n++
		}
	}
	return n
}

// last returns the latest event of that type.
func last[E table.Event](w *world) (found E) {
	w.Helper()
	n := 0
	for _, e := range w.events {
		if e, ok := e.(E); ok {
			found = e
			n++
		}
	}
	if n == 0 {
		w.Fatalf("no event %T", found)
	}
	return found
}

// check checks what must be true of every table.
func (w *world) check() {
	w.Helper()
	t := w.Table
	if len(t.Seats) != t.Rules.Players {
		w.Fatalf("%d seats in a game for %d", len(t.Seats), t.Rules.Players)
	}
	if err := t.Check(); err != nil {
		w.Fatalf("%v: %s", err, marshal(w, t))
	}
	hosts, seen := 0, map[string]bool{}
	for i, s := range t.Seats {
		if id := s.Player.ID; id != "" {
			if seen[id] || s.AI != "" || s.Left && s.Away && !s.After { // a person who leaves after the match may have been away in it
				w.Fatalf("seat %d is wrong: %+v", i, t.Seats)
			}
			seen[id] = true
			if id == t.Host && !s.Left {
				hosts++
			}
		} else if s.Away || s.Left || s.Warned || s.AI == "" && t.Phase != table.Lobby && t.Phase != table.Closed {
			w.Fatalf("seat %d is wrong in phase %s: %+v", i, t.Phase, t.Seats)
		}
	}
	deserted := t.Phase == table.Lobby && len(t.Awaited) > 0 && len(seen) == 0 // those who pressed have left again
	if t.Phase != table.Closed && hosts != 1 && !deserted {
		w.Fatalf("the host %s does not sit at the table: %+v", t.Host, t.Seats)
	}
	if t.Due().IsZero() != (t.Phase == table.Closed) && t.Limit > 0 {
		w.Fatalf("due %s in phase %s", t.Due(), t.Phase)
	}
	if w.held == nil {
		w.held = map[string][2]int{}
	}
	for i, s := range t.Seats {
		if id := s.Player.ID; id != "" && t.Phase == table.Playing {
			if was, now := w.held[id], [2]int{t.DealNo, i}; was[0] == now[0] && was != now {
				w.Fatalf("%s holds the hands of the seats %d and %d in one deal", s.Player.Name, was[1], i)
			} else {
				w.held[id] = now
			}
			if p, ok := t.Private(id); !ok || p.Seat != i || !slices.Equal(p.View.Hand, t.Deal.Hand(i)) {
				w.Fatalf("%s doesn't see the hand of seat %d", s.Player.Name, i)
			}
		}
	}
	public := t.Public()
	if (t.Phase == table.Playing) != (public.Turn >= 0) || t.Phase == table.Over && public.Result == nil {
		w.Fatalf("turn %d and result %v in phase %s", public.Turn, public.Result, t.Phase)
	}
	if w.steps++; w.steps%10 == 0 || t.Phase != table.Playing {
		w.checkStored()
		if public.HasDeal {
			w.checkDeal(public)
		}
	}
}

// checkStored stores the table, loads it again and compares.
func (w *world) checkStored() {
	w.Helper()
	stored := marshal(w, w.Table)
	var loaded table.Table
	if err := json.Unmarshal([]byte(stored), &loaded); err != nil {
		w.Fatalf("load a table: %v", err)
	}
	if again := marshal(w, loaded); again != stored {
		w.Fatalf("a stored table comes back another one:\n%s", cmp.Diff(stored, again))
	}
	if !loaded.Due().Equal(w.Due()) || !reflect.DeepEqual(loaded.Public().View, w.Public().View) {
		w.Fatalf("a stored table comes back another one: %s", stored)
	}
}

// checkDeal checks the hash of the deal's seed, shuffles and replays the deal, and counts its cards.
func (w *world) checkDeal(public table.Public) {
	w.Helper()
	t, v := w.Table, public.View
	if public.Hash != sha256.Sum256(t.Seed[:]) {
		w.Fatalf("the deal's hash is not that of its seed")
	}
	again, err := game.Replay(t.Match.Rules, game.Shuffle(t.Match.Rules.Pack(), t.Seed), v.Dealer, moves(v.Log))
	if err != nil {
		w.Fatalf("replay: %v", err)
	}
	if !again.Equal(t.Deal) {
		w.Fatalf("the deal is not its replay:\n%s", cmp.Diff(again.View(game.Nobody), v))
	}
	cards := v.Stock + len(v.Trick)
	for _, n := range v.Counts {
		cards += n
	}
	for _, trick := range v.Tricks {
		cards += len(trick.Plays)
	}
	if want := len(t.Match.Rules.Pack()); cards != want {
		w.Fatalf("%d of %d cards are left", cards, want)
	}
}

// checkDealOver checks that the event contains the whole deal.
func (w *world) checkDealOver(over table.DealOver) {
	w.Helper()
	r := over.Match.Rules
	s, err := game.Replay(r, over.Deck, over.Match.Dealer, moves(over.Log))
	if err != nil {
		w.Fatalf("replay the deal of an event: %v", err)
	}
	result, done := s.Result()
	if !done || !reflect.DeepEqual(result, over.Result) {
		w.Fatalf("the deal of an event gives %+v, not %+v", result, over.Result)
	}
	if _, score := over.Match.Settle(result); !reflect.DeepEqual(score, over.Score) {
		w.Fatalf("the deal of an event is settled as %+v, not %+v", score, over.Score)
	}
	if diff := cmp.Diff(game.Shuffle(r.Pack(), over.Seed), over.Deck); diff != "" {
		w.Fatalf("the deck is not the shuffled pack:\n%s", diff)
	}
	sum := 0
	for _, n := range over.Score.Payments {
		sum += n
	}
	if sum != 0 || len(over.Seats) != len(w.Seats) {
		w.Fatalf("payments %v of seats %v", over.Score.Payments, over.Seats)
	}
}

func moves(log []game.Entry) []game.Move {
	out := make([]game.Move, len(log))
	for i, e := range log {
		out[i] = e.Move
	}
	return out
}

func marshal(t fataler, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("marshal %T: %v", v, err)
	}
	return string(b)
}
