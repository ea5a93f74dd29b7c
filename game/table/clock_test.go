package table_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// untilForced continues until it is that person's turn with a forced stop.
func (w *world) untilForced(who int) {
	w.Helper()
	for range 2000 {
		seat := w.turn()
		if seat >= 0 && w.who(seat) == who && w.Deal.Forced() {
			return
		}
		w.step()
	}
	w.Fatalf("%s never has to stop", people[who].Name)
}

func TestTheAITakesItsTime(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, table.DefaultLimit)
	short, long := false, false
	for w.MatchNo == 1 && w.Phase != table.Over {
		if seat := w.turn(); seat < 0 || w.Seats[seat].AI == "" {
			w.step()
			continue
		}
		wait := w.Due().Sub(w.now)
		if wait < pace*6/10 || wait > pace*16/10 {
			t.Fatalf("a pause of %s at a pace of %s", wait, pace)
		}
		short, long = short || wait < pace*8/10, long || wait > pace*14/10
		ply := len(w.Deal.Moves())
		w.after(wait - 1)
		if len(w.Deal.Moves()) != ply {
			t.Fatal("the AI moved before its time")
		}
		w.after(1)
		if w.DealNo == len(w.Past) {
			continue
		}
		if got := len(w.Deal.Moves()); got != ply+1 {
			t.Fatalf("the AI made %d moves at once", got-ply)
		}
	}
	if !short || !long {
		t.Error("all pauses are alike")
	}
}

// One person with the AI chooses how fast it plays. Its cards then come at nearly equal distances.
func TestOnePersonChoosesTheSpeed(t *testing.T) {
	t.Parallel()
	for speed, paces := range map[table.Speed][2]float64{
		table.Slow: {1.3, 1.7}, table.Normal: {0.65, 0.85}, table.Fast: {0.35, 0.45}, table.AtOnce: {0, 0},
	} {
		w := started(t, gametest.Preset(t, "sedma-4p"), 1, pace, table.DefaultLimit)
		quick := people[0]
		quick.Speed = speed
		w.Seats[0].Player = quick
		for w.MatchNo == 1 && w.Phase != table.Over {
			if seat := w.turn(); seat >= 0 && w.Seats[seat].AI != "" {
				wait := float64(w.Due().Sub(w.now)) / float64(pace)
				if wait < paces[0] || wait > paces[1] {
					t.Fatalf("speed %q: a pause of %.2f paces", speed, wait)
				}
			}
			w.step()
		}
		// Another person has a speed too, so it is nobody's.
		w = started(t, gametest.Preset(t, "sedma-4p"), 2, pace, table.DefaultLimit)
		w.Seats[0].Player = quick
		for w.turn() < 0 || w.Seats[w.turn()].AI == "" {
			w.step()
		}
		if wait := w.Due().Sub(w.now); wait < pace*6/10 || wait > pace*16/10 {
			t.Fatalf("speed %q of one of two: a pause of %v", speed, wait)
		}
	}
}

// A process that was down for an hour must not rush through what it missed.
func TestNothingIsMadeUpForInARush(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 1, pace, table.DefaultLimit)
	w.do(0, w.pressOrWait(0))
	ply := len(w.Deal.Moves())
	w.after(time.Hour)
	if got := len(w.Deal.Moves()); got != ply+1 {
		t.Fatalf("%d moves at once", got-ply)
	}
}

// pressOrWait returns the person's first legal move, after waiting until it is their turn.
func (w *world) pressOrWait(who int) table.Command {
	w.Helper()
	w.untilTurn(who)
	return w.press(who)
}

func TestWithoutPaceNobodyWaits(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 1, 0, 0)
	deal := 0
	for range 30 {
		for due := w.Due(); !due.IsZero() && !due.After(w.now); due = w.Due() {
			w.after(0)
			if w.DealNo > deal+1 {
				t.Fatal("two deals began in one step, of one seed")
			}
			deal = w.DealNo
		}
		if w.Phase == table.Over {
			break
		}
		if w.who(w.turn()) != 0 || w.Deal.Forced() {
			t.Fatalf("seat %d waits", w.turn())
		}
		if !w.Due().IsZero() {
			t.Fatalf("due %s where nobody is called or limited", w.Due())
		}
		w.do(0, w.press(0))
	}
	if w.now != noon {
		t.Fatal("time has passed")
	}
}

func TestAForcedStopIsMadeQuietly(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 4, pace, time.Second) // the limit is shorter than any pause
	w.untilForced(1)
	seat, ply := w.turn(), len(w.Deal.Moves())
	wait := w.Due().Sub(w.now)
	if wait < pace*6/10 || wait > pace*16/10 {
		t.Fatalf("a forced stop comes after %s", wait)
	}
	private, _ := w.Private(people[1].ID)
	if !private.View.Forced || w.Public().View.Forced {
		t.Fatal("who knows that the stop is forced?")
	}
	// The AI's own move would come at the same time, so the pause reveals nothing.
	away := w.Table
	away.Seats = append([]table.Seat(nil), away.Seats...)
	away.Seats[seat].Away = true
	if !away.Due().Equal(w.Due()) {
		t.Fatalf("forced stop at %s, the AI's move at %s", w.Due(), away.Due())
	}
	w.after(wait - 1)
	if p := w.Public(); p.Called || p.Warned || len(p.View.Log) != ply {
		t.Fatalf("before the stop: called %t, warned %t, %d moves", p.Called, p.Warned, len(p.View.Log)-ply)
	}
	w.after(1)
	log := w.Public().View.Log
	if len(log) != ply+1 || log[ply] != (game.Entry{Seat: seat, Move: game.Stop}) || w.Seats[seat].Away {
		t.Fatalf("after the pause: %v, seat %+v", log[ply:], w.Seats[seat])
	}
}

func TestAPlayerMayMakeHisForcedStop(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 4, pace, table.DefaultLimit)
	w.untilForced(2)
	press := w.press(2)
	w.do(2, press)
	w.refused(2, press, table.ErrAlready)

	w.untilForced(2)
	press = w.press(2)
	w.untilDue()
	w.refused(2, press, table.ErrAlready)
}

func TestASlowPlayerIsCalledWarnedAndReplaced(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Minute
	w := started(t, gametest.Preset(t, "sedma-4p"), 3, pace, limit)
	w.untilTurn(0)
	began, seat, ply := w.now, w.turn(), len(w.Deal.Moves())
	at := func(after time.Duration, called, warned, away bool) {
		t.Helper()
		if got := w.now.Sub(began); got != after {
			t.Fatalf("something happened after %s, not %s", got, after)
		}
		p := w.Public()
		if p.Called != called || p.Warned != warned || p.Seats[seat].Away != away || len(p.View.Log) != ply {
			t.Fatalf("after %s: called %t, warned %t, away %t, %d moves", after, p.Called, p.Warned, p.Seats[seat].Away, len(p.View.Log)-ply)
		}
	}
	at(0, false, false, false)
	w.untilDue()
	at(table.CallAfter, true, false, false)
	w.untilDue()
	at(limit*3/4, true, true, false)
	w.untilDue()
	at(limit, false, false, true)
	if w.Host != people[1].ID {
		t.Fatalf("the host is away, and %s is the host", w.Host)
	}
	level := ""
	w.think = func(l string, v game.View, _ game.Match) game.Move { level = l; return v.Legal[0] }
	wait := w.Due().Sub(w.now)
	if wait < pace*6/10 || wait > pace*16/10 {
		t.Fatalf("the AI plays for the absent after %s", wait)
	}
	w.untilDue()
	if log := w.Public().View.Log; len(log) != ply+1 || log[ply].Seat != seat || level != table.StandInLevel {
		t.Fatalf("the AI %q plays %v", level, log[ply:])
	}
	w.do(0, table.Back{})
	if w.Seats[seat].Away {
		t.Fatal("still away")
	}
}

// If the bot was down and a warning comes late, the player must still have time to act on it.
func TestALateWarningLeavesTime(t *testing.T) {
	t.Parallel()
	const limit = 2 * time.Minute
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, limit)
	w.untilTurn(0)
	seat := w.turn()
	w.after(time.Hour)
	if s := w.Seats[seat]; !s.Warned || s.Away {
		t.Fatalf("after an hour: %+v", s)
	}
	if left := w.Due().Sub(w.now); left != limit/4 {
		t.Fatalf("%s left", left)
	}
	w.do(0, w.press(0))
	if w.Seats[seat].Warned {
		t.Fatal("still warned after his move")
	}
}

func TestPlayingTakesTheSeatBack(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 2, pace, time.Minute)
	away := func() int {
		w.untilTurn(0)
		seat := w.turn()
		w.untilDue()
		w.untilDue()
		w.untilDue()
		if !w.Seats[seat].Away {
			t.Fatal("not away")
		}
		return seat
	}

	seat := away()
	w.do(0, w.press(0))
	if w.Seats[seat].Away {
		t.Fatal("played, and still away")
	}

	// Too late: the AI has just played. The press must take the seat back all the same, without playing. A second press
	// is refused as usual.
	seat = away()
	late := w.press(0)
	w.untilDue()
	before := len(w.Deal.Moves())
	w.do(0, late)
	if w.Seats[seat].Away || len(w.Deal.Moves()) != before {
		t.Fatalf("away %t, %d moves more", w.Seats[seat].Away, len(w.Deal.Moves())-before)
	}
	w.refused(0, late, table.ErrAlready)

	// An illegal move must not take the seat back.
	seat = away()
	wrong := w.press(0)
	wrong.Move = game.Pass
	if err := w.apply(0, wrong); err == nil || !w.Seats[seat].Away {
		t.Fatal("a wrong move is taken")
	}
	w.do(0, table.PlayPlace{Deal: w.DealNo, Ply: len(w.Deal.Moves()), Move: w.anyButCard(0)})
	if w.Seats[seat].Away {
		t.Fatal("still away")
	}
}

// anyButCard returns a legal move that plays no card. If there is none, it lets the AI play and returns stop, which is
// then too late.
func (w *world) anyButCard(who int) game.Move {
	w.Helper()
	for _, m := range w.view(who).Legal {
		if _, card := m.Card(); !card {
			return m
		}
	}
	w.untilDue() // the AI plays for the person, so the person's press is late
	return game.Stop
}

func TestAnAbandonedMatchCloses(t *testing.T) {
	t.Parallel()
	rules := gametest.Preset(t, "sedma-2p")
	rules.Target = 1000
	w := started(t, rules, 2, 10*time.Second, time.Hour)
	var gone time.Time // when the last of the two was set away
	for w.Phase != table.Closed {
		there := w.Seats[0].Away && w.Seats[1].Away
		w.untilDue()
		if !there && w.Seats[0].Away && w.Seats[1].Away {
			gone = w.now
		}
	}
	if w.now.Sub(gone) != max(table.AwayLife, time.Hour) || count[table.TableClosed](w) != 1 { // AwayLife, or the turn limit of an hour if that is longer
		t.Fatalf("closed %s after the last one went away", w.now.Sub(gone))
	}
}

// If nobody moves and the table has no pace, the match must run to its end at once, each deal with a seed of its own.
func TestWithoutPaceTheAbsentFinishAtOnce(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 1, 0, time.Minute)
	for w.Phase == table.Playing || w.Phase == table.Pause {
		w.untilDue()
	}
	if w.Phase != table.Over || w.now.Sub(noon) != time.Minute {
		t.Fatalf("phase %s after %s", w.Phase, w.now.Sub(noon))
	}
}

// Without pace nobody is called, but a warning must still come.
func TestWithoutPaceNobodyIsCalled(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, 0, 2*time.Minute)
	began := w.now
	w.untilDue()
	if p := w.Public(); !p.Warned || p.Called || w.now.Sub(began) != 90*time.Second {
		t.Fatalf("after %s: called %t, warned %t", w.now.Sub(began), p.Called, p.Warned)
	}
}

// The time that people spent in the lobby must not count for the first player.
func TestTheFirstTurnBeginsWithTheDeal(t *testing.T) {
	t.Parallel()
	w := open(t, gametest.Preset(t, "sedma-2p"), pace, table.DefaultLimit)
	w.do(1, table.Join{Seat: -1})
	w.after(10 * time.Minute)
	w.do(0, table.Start{})
	if wait := w.Due().Sub(w.now); wait != table.CallAfter {
		t.Fatalf("the first call comes after %s", wait)
	}
}

// With a limit, a match must end even if no person moves at all.
func TestAMatchEndsWithoutPeople(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-3p"), 2, pace, table.DefaultLimit)
	for w.Phase == table.Playing || w.Phase == table.Pause {
		w.untilDue()
	}
	if w.Phase != table.Over {
		t.Fatalf("phase %s after %s", w.Phase, w.now.Sub(noon))
	}
	w.untilDue()
	if w.Phase != table.Closed || !w.now.Equal(w.Since) {
		t.Fatalf("phase %s", w.Phase)
	}
}

func TestABrokenAIDoesNotStopTheTable(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 1, 0, 0)
	w.think = func(string, game.View, game.Match) game.Move { return 255 }
	w.untilPhase(table.Over)
}

func TestThereIsTimeToReadBetweenDeals(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 1, pace, table.DefaultLimit)
	w.untilPhase(table.Pause)
	if wait := w.Due().Sub(w.now); wait != 6*pace {
		t.Fatalf("the next deal comes after %s", wait)
	}
	w.untilDue()
	if w.Phase != table.Playing || w.DealNo != 2 || last[table.DealStarted](w).No != 2 {
		t.Fatalf("phase %s, deal %d", w.Phase, w.DealNo)
	}
}

// Moves that the AI chose for an absent player must be recorded as such.
func TestMovesForTheAbsentAreKnown(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-4p"), 1, pace, table.DefaultLimit)
	for w.Phase == table.Playing {
		w.untilDue()
	}
	past := w.Past[0]
	log := last[table.DealOver](w).Log
	if len(past.Auto) == 0 {
		t.Fatal("the AI chose nothing for Anna, who was away")
	}
	for _, ply := range past.Auto {
		if log[ply].Seat != 0 {
			t.Errorf("move %d is seat %d's", ply, log[ply].Seat)
		}
	}
	w.untilPhase(table.Playing)
	if w.Auto != nil {
		t.Error("moves of the deal before")
	}
}

// If the clock jumps by a minute, nobody may lose their turn without a warning and a quarter of their time. Nobody may
// gain more than that minute.
func TestTurnLimitWithAClockThatJumps(t *testing.T) {
	t.Parallel()
	const limit = 30 * time.Second
	w := started(t, gametest.Preset(t, "sedma-2p"), 2, pace, limit)
	away := func(who int) bool { return w.Seats[w.turn()].Away && w.who(w.turn()) == who }

	w.untilTurn(0)
	w.after(time.Minute)
	if seat := w.Seats[w.turn()]; seat.Away || !seat.Warned {
		t.Fatalf("a minute forth: away %t, warned %t", seat.Away, seat.Warned)
	}
	w.after(limit/4 - 1)
	if away(0) {
		t.Fatal("away before a quarter of the time was left to him")
	}
	w.do(0, w.press(0))

	w.untilTurn(1)
	due := w.Due()
	w.after(-time.Minute)
	if want := due.Add(-time.Minute); w.Due() != want {
		t.Fatalf("a minute back: due %s, want %s", w.Due(), want)
	}
	w.do(1, w.press(1)) // by the clock that is a minute behind
	w.untilTurn(0)
	began := w.now
	w.after(time.Minute) // the clock is right again
	if away(0) {
		t.Fatal("away without a warning")
	}
	for range 10 {
		if seat := w.Seats[0]; seat.Away {
			break
		}
		w.untilDue()
	}
	if took := w.now.Sub(began); !w.Seats[0].Away || took > limit+time.Minute {
		t.Fatalf("away %t after %s", w.Seats[0].Away, took)
	}
}

// The table must ask for the AI's moves one at a time, and make each answer once.
func TestTheAIIsAskedForEachMove(t *testing.T) {
	t.Parallel()
	w := started(t, gametest.Preset(t, "sedma-2p"), 1, 0, 0)
	v := w.Deal.View(w.Deal.Turn())
	if v.Seat == 0 {
		w.do(0, table.Play{Deal: w.DealNo, Decision: v.Decisions[0], Move: v.Legal[0]})
	}
	env := w.env()
	asked, events, wanted := table.Advance(w.Table, env)
	if wanted == nil || wanted.View.Seat != 1 || wanted.Level != table.DefaultLevel || len(events) > 0 {
		t.Fatalf("%d events, wanted %+v", len(events), wanted)
	}
	if diff := cmp.Diff(w.Deal.View(1), wanted.View) + cmp.Diff(w.Before(), wanted.Match); diff != "" {
		t.Fatal(diff)
	}
	if _, _, again := table.Advance(asked, env); !cmp.Equal(again, wanted) {
		t.Errorf("asked again, it wants %+v", again)
	}
	moves := 0
	for wanted != nil {
		ply := len(wanted.View.Log)
		move := wanted.View.Legal[len(wanted.View.Legal)-1]
		asked, _, wanted = table.Answer(asked, env, move)
		if log := asked.Deal.Moves(); len(log) <= ply || log[ply] != move {
			t.Fatalf("%v was answered at %d, and the moves are %v", move, ply, log)
		}
		moves++
	}
	if moves == 0 || asked.Deal.Turn() != 0 {
		t.Fatalf("after %d answers seat %d is on turn", moves, asked.Deal.Turn())
	}
	if next, events, wanted := table.Answer(asked, env, v.Legal[0]); marshal(w, next) != marshal(w, asked) || len(events) > 0 || wanted != nil {
		t.Error("an answer that nobody asked for was made")
	}
}
