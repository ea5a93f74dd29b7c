package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/doc"
	"sedmabot/bot/review"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// coachAll runs the coach's jobs for all matches that wait for it, and returns the
// number of parts that it took.
func (w *shell) coachAll() (parts int) {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	for {
		w.now = w.now.Add(time.Second)
		jobs, _, err := w.docs.Store.Claim(w.t.Context(), w.now, work.Lease, work.Workers)
		if err != nil {
			w.t.Fatal(err)
		}
		worked := false
		for _, job := range jobs {
			if strings.HasPrefix(job.ID, "verdict:") {
				w.queue.Work(w.t.Context(), job, w.now.Add(work.Lease))
				worked = true
			} else if err := w.docs.Store.Release(w.t.Context(), job, w.now, time.Time{}); err != nil {
				w.t.Fatal(err)
			}
		}
		if !worked {
			return parts
		}
		parts++
		if parts > 100 {
			w.t.Fatal("the coach does not come to an end")
		}
	}
}

// crowded runs f while all turns to think are taken.
func (w *shell) crowded(f func()) {
	w.t.Helper()
	done := make(chan struct{})
	var group sync.WaitGroup
	for range work.Most() {
		began := make(chan struct{})
		group.Go(func() {
			if err := w.thinkers.Turns.Take(w.t.Context(), time.Minute, func(context.Context) { close(began); <-done }); err != nil {
				w.t.Error(err)
			}
		})
		<-began
	}
	f()
	close(done)
	group.Wait()
}

// occupied runs f while another computation takes all idle capacity.
func (w *shell) occupied(f func()) {
	w.t.Helper()
	began, done := make(chan struct{}), make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		if err := w.queue.Idle.Take(w.t.Context(), func() { close(began); <-done }); err != nil {
			w.t.Error(err)
		}
	})
	<-began
	f()
	close(done)
	other.Wait()
}

// verdict returns the coach's analysis of a player's choices in a match, and the size of
// its document.
func (w *shell) verdict(t table.Table, player string) (v review.Verdict, size int) {
	w.t.Helper()
	key := doc.InHome(here, doc.VerdictName(t.ID, 1, player))
	docs, err := w.docs.Store.Get(w.t.Context(), key)
	if err == nil {
		err = doc.Decode(docs[0], &v)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	if docs[0].Version == 0 {
		return v, 0
	}
	return v, len(key.Name) + len(docs[0].Data)
}

// dueOf returns the due jobs of a kind, without claiming them for longer than a moment.
func (w *shell) dueOf(kind string) (ids []string) {
	w.t.Helper()
	w.now = w.now.Add(time.Hour)
	jobs, _, err := w.docs.Store.Claim(w.t.Context(), w.now, work.Lease, work.Workers)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, job := range jobs {
		if doc.KindOf(job.ID) == kind {
			ids = append(ids, job.ID)
		}
		if err := w.docs.Store.Release(w.t.Context(), job, w.now, w.now); err != nil {
			w.t.Fatal(err)
		}
	}
	return ids
}

// A match is not coached when it ends. It is coached when one of its players opens it:
// then the coach analyses exactly the choices that this player made. The replay is shown
// at once, and says so until the coach has finished. The results about all players
// together take at most 4 kB.
func TestCoach(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-4p", "sedma-2p-kase1", "ristikontra", "sedma-3p-hartmann", "sedma-3p-solo-hearts", "hola-2p"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r, err := game.Preset(preset)
			if err != nil {
				t.Fatal(err)
			}
			w := newShell(t)
			over := w.playOut(r, 2)
			id := doc.MatchID(over.ID, 1)
			if jobs := slices.Concat(w.dueOf("verdict"), w.dueOf("coach")); len(jobs) > 0 {
				t.Errorf("when the match has ended, %v are due", jobs)
			}
			w.replayed("test:zoe", here, id)
			if jobs := w.dueOf("verdict"); len(jobs) > 0 {
				t.Errorf("when somebody else opens it, %v are due", jobs)
			}
			first := w.replayed("test:eva", here, id)
			if jobs := w.dueOf("verdict"); !slices.Equal(jobs, []string{doc.VerdictName(over.ID, 1, "test:eva")}) {
				t.Errorf("when Eva opens it, %v are due", jobs)
			}
			const soon = "The coach is still going through your choices"
			if next := w.press("test:eva", here, first, "Trick ›"); !strings.Contains(next.Screen.String(), soon) {
				t.Errorf("before it is done:\n%s", next.Screen)
			}
			if before := w.press("test:eva", here, first, "Coach"); before.Screen != nil || !strings.Contains(before.Toast, "still going through") {
				t.Errorf("before it is done: %q", before.Toast)
			}
			w.occupied(func() {
				w.queue.Work(t.Context(), w.claim(doc.VerdictName(over.ID, 1, "test:eva")), w.now.Add(work.Lease))
			})
			if v, _ := w.verdict(over, "test:eva"); v.Done || v.Choices > 0 {
				t.Error("it thought without room for it")
			}
			w.coachAll()
			v, _ := w.verdict(over, "test:eva")
			if !v.Done || len(v.Remarks) != len(over.Past) {
				t.Fatalf("done: %v, %d deals of %d", v.Done, len(v.Remarks), len(over.Past))
			}
			if _, size := w.verdict(over, "test:ota"); size > 0 {
				t.Error("Ota's choices were analysed too")
			}
			seat := slices.IndexFunc(over.Seats, func(s table.Seat) bool { return s.Player.ID == "test:eva" })
			choices := 0
			for no := range over.Past {
				s := w.dealt(over, no+1)
				at, err := game.Deal(s.Rules, game.Shuffle(s.Rules.Pack(), over.Past[no].Seed), s.Dealer)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range s.Log {
					if len(at.Legal()) > 1 && e.Seat == seat {
						choices++
					}
					if at, err = game.Apply(at, e.Seat, e.Move); err != nil {
						t.Fatal(err)
					}
				}
			}
			kept, lost, stake := 0, 0, 0
			for _, deal := range v.Remarks {
				for _, c := range deal {
					kept, lost, stake = kept+1, lost+c.Cost, stake+slices.Max(c.Scores)-slices.Min(c.Scores)
				}
			}
			if v.Choices != choices || kept != choices || v.Lost != lost || v.Stake != stake {
				t.Errorf("%d choices, %d of %d; %d choices kept, %d of %d; want %d", v.Choices, v.Lost, v.Stake, kept, lost, stake, choices)
			}

			seen := w.press("test:eva", here, first, "Coach")
			if seen.Screen == nil || seen.Screen.Picture == nil || !strings.Contains(seen.Screen.String(), "Moment 1 of 3") || !strings.Contains(seen.Screen.String(), "You played ") ||
				strings.Contains(seen.Screen.String(), "%") {
				t.Fatalf("the coach says %+v", seen)
			}
			numbers := w.press("test:eva", here, seen, "Numbers")
			if got := numbers.Screen.String(); !numbers.Replace || !strings.Contains(got, fmt.Sprintf("Your accuracy: %d%%", 100-(100*lost+stake-1)/stake)) || !strings.Contains(got, "1. Deal ") {
				t.Fatalf("the numbers are %+v", numbers)
			}
			if third := w.press("test:eva", here, numbers, "Moment 3"); !third.Replace || !strings.Contains(third.Screen.String(), "Moment 3 of 3") {
				t.Errorf("the third moment is %+v", third)
			}
			step := w.press("test:eva", here, seen, "Replay")
			if got := step.Screen.String(); !strings.Contains(got, "The coach on your choices") || strings.Contains(got, soon) {
				t.Errorf("at the costliest choice:\n%s", got)
			}
			if other := w.replayed("test:zoe", here, id); can(other, "Coach") {
				t.Error("somebody who did not play has a coach")
			}

			w.replayed("test:ota", here, id)
			w.coachAll()
			_, eva := w.verdict(over, "test:eva")
			if _, ota := w.verdict(over, "test:ota"); ota == 0 || eva+ota > 4096 {
				t.Errorf("%d and %d bytes are kept", eva, ota)
			}
		})
	}
}

// If the AI played for somebody, the coach says so, instead of that they had nothing to choose.
func TestCoachOfAStandIn(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w := newShell(t)
	over := w.playOut(r, 1)
	key, _ := doc.MatchKey(over.ID, 1)
	if err := w.docs.Update(t.Context(), "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var m doc.Match
		if err := doc.Decode(docs[0], &m); err != nil {
			return err
		}
		m.Auto = [][]int{nil}
		for i, e := range w.dealt(over, 1).Log {
			if m.Seats[e.Seat].Player.ID == "test:eva" {
				m.Auto[0] = append(m.Auto[0], i)
			}
		}
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(m)}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	const want = "The AI played for you in this match. The coach rates only the choices that you made yourself."
	for player, played := range map[string]bool{"test:eva": true, "test:ota": false} {
		in := w.input(player, here)
		in.Press = screen.PressOf("coach", over.ID, "1", "0", "0", "")
		w.Handle(t.Context(), in)
		w.coachAll()
		got := w.Handle(t.Context(), in)
		if got.Screen == nil || strings.Contains(got.Screen.String(), want) != played || strings.Contains(got.Screen.String(), "You played ") == played {
			t.Errorf("%s: %q\n%s", player, got.Toast, got.Screen)
		}
	}
}

// If the coach runs out of time, or there is no idle capacity, its progress in a deal is
// kept. The result is the same as in one go.
func TestCoachGoesOn(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	at := func(slow bool) review.Verdict {
		w := newShell(t)
		over := w.playOut(r, 1)
		w.replayed("test:eva", here, doc.MatchID(over.ID, 1))
		name := doc.VerdictName(over.ID, 1, "test:eva")
		if slow {
			w.Bot.docs.Now = func() time.Time { w.now = w.now.Add(review.CoachPart / 3); return w.now } // a slow machine
			w.queue.Work(t.Context(), w.claim(name), w.now.Add(work.Lease))
			first, _ := w.verdict(over, "test:eva")
			if first.Done || first.Deal > 0 || first.Choices == 0 || first.From == 0 {
				t.Errorf("after a part: %+v", first)
			}
			w.occupied(func() { w.queue.Work(t.Context(), w.claim(name), w.now.Add(work.Lease)) })
			if second, _ := w.verdict(over, "test:eva"); second.Choices != first.Choices || !cmp.Equal(first.Remarks, second.Remarks) {
				t.Errorf("without room to think %s", cmp.Diff(first, second))
			}
			if jobs, next, err := w.docs.Store.Claim(t.Context(), w.now, work.Lease, work.Workers); err != nil || len(jobs) > 0 || next.Sub(w.now) < review.CoachRest/2 {
				t.Errorf("it comes back at once: %v, next %v, %v", jobs, next.Sub(w.now), err)
			}
		}
		parts := w.coachAll()
		if slow && parts < 2 {
			t.Errorf("the rest took %d parts", parts)
		}
		v, _ := w.verdict(over, "test:eva")
		if !v.Done {
			t.Fatalf("%+v", v)
		}
		return v
	}
	if diff := cmp.Diff(at(false), at(true)); diff != "" {
		t.Errorf("in parts it is another: %s", diff)
	}
}

// The coach simulates enough worlds for what it says: with eight times as many, the same
// choices are mistakes, and they cost the same.
func TestCoachSeesEnoughWorlds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it thinks long")
	}
	r, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	judged := func(worlds int) review.Verdict {
		w := newShell(t)
		w.thinkers.Worlds = worlds
		over := w.playOut(r, 4)
		w.replayed("test:eva", here, doc.MatchID(over.ID, 1))
		w.coachAll()
		v, _ := w.verdict(over, "test:eva")
		return v
	}
	usual, many := judged(enoughWorlds), judged(8*enoughWorlds)
	differ := 0
	for i, deal := range usual.Remarks {
		for j, c := range deal {
			if d := c.Cost - many.Remarks[i][j].Cost; d < -10 || d > 10 { // a tenth of a stake
				differ++
			}
		}
	}
	if 20*differ > usual.Choices || usual.Choices < 20 {
		t.Errorf("%d of %d choices cost more or less by a tenth", differ, usual.Choices)
	}
	share := func(v review.Verdict) float64 { return float64(v.Lost) / float64(v.Stake) }
	if d := share(usual) - share(many); d < -0.02 || d > 0.02 {
		t.Errorf("the accuracy is %.3f, with more worlds %.3f", 1-share(usual), 1-share(many))
	}
}

// A record that can't be replayed is dropped. The coach's analysis is kept as long as the
// home keeps its records.
func TestCoachLetsGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, letsGo)
}

func letsGo(t *testing.T) {
	r, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	w := newShell(t)
	home := doc.HomeKey(here)
	err = w.docs.Store.Commit(t.Context(), store.Change{Partition: home.Partition, Now: w.now, Writes: []store.Write{
		{Name: home.Name, Expect: store.Any, Data: doc.Encode(doc.Home{Keep: 30})},
	}})
	if err != nil {
		t.Fatal(err)
	}
	over := w.playOut(r, 1)
	m, text, err := w.review.Record(t.Context(), w.input("test:eva", here), over.ID, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	actions := text.Deals[0].Actions
	actions[0].Move, actions[1].Move = actions[1].Move, actions[0].Move // cards of others
	var out bytes.Buffer
	if err := record.Write(&out, text); err != nil {
		t.Fatal(err)
	}
	err = w.docs.Store.Commit(t.Context(), store.Change{Partition: home.Partition, Now: w.now, Writes: []store.Write{
		{Name: doc.RecordName(over.ID, 1), Expect: store.Any, Data: doc.Encode(json.RawMessage(out.Bytes()))},
	}})
	if err != nil {
		t.Fatal(err)
	}
	in := w.input("test:eva", here)
	in.Press = screen.PressOf("coach", over.ID, "1", "0", "0", "")
	w.Handle(t.Context(), in)
	if parts := w.coachAll(); parts != 1 {
		t.Errorf("it was tried %d times", parts)
	}
	if v, _ := w.verdict(over, "test:eva"); !v.Done || v.Choices > 0 {
		t.Errorf("%+v", v)
	}
	key := doc.InHome(here, doc.VerdictName(over.ID, 1, "test:eva"))
	for days, want := range []bool{true, false} { // after 29 and 30 days
		time.Sleep(time.Until(m.At.Add(time.Duration(29+days)*24*time.Hour + time.Second)))
		docs, err := w.docs.Store.Get(t.Context(), key)
		if err != nil || (docs[0].Version != 0) != want {
			t.Errorf("after %d days it is version %d, %v", 29+days, docs[0].Version, err)
		}
	}
}

// claim claims a job without waiting. If the job isn't due, the test fails.
func (w *shell) claim(id string) store.Job {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	jobs, _, err := w.docs.Store.Claim(w.t.Context(), w.now, work.Lease, work.Workers)
	if err != nil {
		w.t.Fatal(err)
	}
	var found store.Job
	for _, job := range jobs {
		if job.ID == id {
			found = job
		} else if err := w.docs.Store.Release(w.t.Context(), job, w.now, time.Time{}); err != nil {
			w.t.Fatal(err)
		}
	}
	if found.ID == "" {
		w.t.Fatalf("%s is not due", id)
	}
	return found
}
