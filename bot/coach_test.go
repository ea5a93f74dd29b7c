package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/doc"
	"sedmabot/bot/review"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/record"
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
			if strings.HasPrefix(job.ID, "coach:") {
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

// In any game, the coach analyses exactly the choices that people made in a match. Its
// accuracy is as it states.
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
			before := w.press("test:eva", here, w.replayed("test:eva", here, id), "Coach")
			if before.Screen != nil || !strings.Contains(before.Toast, "still going through") {
				t.Errorf("before it is done: %q", before.Toast)
			}
			w.crowded(func() { w.queue.Work(t.Context(), w.claim(doc.CoachName(over.ID, 1)), w.now.Add(work.Lease)) })
			if coached, _, _ := w.review.Coached(t.Context(), over.ID, 1); coached.Done || len(coached.Deals) > 0 {
				t.Error("it thought without room for it")
			}
			w.coachAll()
			coached, _, err := w.review.Coached(t.Context(), over.ID, 1)
			if err != nil || !coached.Done || len(coached.Deals) != len(over.Past) {
				t.Fatalf("%v, done: %v, %d deals of %d", err, coached.Done, len(coached.Deals), len(over.Past))
			}
			choices := map[int]int{}
			for no := range over.Past {
				s := w.dealt(over, no+1)
				at, err := game.Deal(s.Rules, game.Shuffle(s.Rules.Pack(), over.Past[no].Seed), s.Dealer)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range s.Log {
					if len(at.Legal()) > 1 && over.Seats[e.Seat].Player.ID != "" {
						choices[e.Seat]++
					}
					if at, err = game.Apply(at, e.Seat, e.Move); err != nil {
						t.Fatal(err)
					}
				}
			}
			if len(coached.Seats) != len(choices) {
				t.Errorf("%+v of %v", coached.Seats, choices)
			}
			for _, s := range coached.Seats {
				lost, stake := 0.0, 0.0
				for _, deal := range coached.Deals {
					for _, c := range deal {
						if c.Seat != s.Seat {
							continue
						}
						best, worst := -math.MaxInt, math.MaxInt
						for _, score := range c.Scores {
							best, worst = max(best, score), min(worst, score)
						}
						lost, stake = lost+float64(best-c.Scores[c.Chosen]), stake+float64(best-worst)
					}
				}
				if s.Choices != choices[s.Seat] || s.Player != over.Seats[s.Seat].Player.ID || math.Abs(s.Accuracy-(1-lost/stake)) > 1e-9 {
					t.Errorf("%+v: %d choices, accuracy %f", s, choices[s.Seat], 1-lost/stake)
				}
			}

			first := w.replayed("test:eva", here, id)
			seen := w.press("test:eva", here, first, "Coach")
			if seen.Screen == nil || !strings.Contains(seen.Screen.String(), "Your accuracy: ") || !strings.Contains(seen.Screen.String(), "1. Deal ") {
				t.Fatalf("the coach says %+v", seen)
			}
			step := w.press("test:eva", here, seen, "1")
			if !strings.Contains(step.Screen.String(), "The coach on your choices") {
				t.Errorf("nothing at the costliest choice:\n%s", step.Screen)
			}
			if other := w.replayed("test:zoe", here, id); can(other, "Coach") {
				t.Error("somebody who did not play has a coach")
			}
		})
	}
}

// If the coach runs out of time, or gets no turn to think, its progress in a deal is
// kept. The result is the same as in one go.
func TestCoachGoesOn(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-4p")
	if err != nil {
		t.Fatal(err)
	}
	at := func(slow bool) review.Coach {
		w := newShell(t)
		over := w.playOut(r, 1)
		name := doc.CoachName(over.ID, 1)
		if slow {
			w.Bot.docs.Now = func() time.Time { w.now = w.now.Add(review.CoachPart / 3); return w.now } // a slow machine
			w.queue.Work(t.Context(), w.claim(name), w.now.Add(work.Lease))
			first, _, _ := w.review.Coached(t.Context(), over.ID, 1)
			if first.Done || len(first.Deals) > 0 || len(first.Part) == 0 || first.From == 0 {
				t.Errorf("after a part: %+v", first)
			}
			w.crowded(func() { w.queue.Work(t.Context(), w.claim(name), w.now.Add(work.Lease)) })
			if second, _, _ := w.review.Coached(t.Context(), over.ID, 1); !cmp.Equal(first, second) {
				t.Errorf("without room to think %s", cmp.Diff(first, second))
			}
			if jobs, next, err := w.docs.Store.Claim(t.Context(), w.now, work.Lease, work.Workers); err != nil || len(jobs) > 0 || next.Sub(w.now) < review.CoachRest/2 {
				t.Errorf("it comes back at once: %v, next %v, %v", jobs, next.Sub(w.now), err)
			}
		}
		parts := w.coachAll()
		if slow && parts < 3 {
			t.Errorf("the rest took %d parts", parts)
		}
		coached, _, err := w.review.Coached(t.Context(), over.ID, 1)
		if err != nil || !coached.Done {
			t.Fatalf("%v, done: %v", err, coached.Done)
		}
		return coached
	}
	if diff := cmp.Diff(at(false), at(true)); diff != "" {
		t.Errorf("in parts it is another: %s", diff)
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
	m, text, err := w.review.Record(t.Context(), w.input("test:eva", here), view.Press{Table: over.ID, Match: 1})
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
	if parts := w.coachAll(); parts != 1 {
		t.Errorf("it was tried %d times", parts)
	}
	coached, _, err := w.review.Coached(t.Context(), over.ID, 1)
	if err != nil || !coached.Done || len(coached.Seats) > 0 {
		t.Errorf("%+v, %v", coached, err)
	}
	key, _ := review.CoachKey(over.ID, 1)
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
