package bot

import (
	"math"
	"strings"
	"testing"
	"time"

	"sedmabot/game"
	"sedmabot/store"
)

// coachAll does the coach's work on all matches that wait for it, and tells how
// many parts it took.
func (w *shell) coachAll() (parts int) {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	for {
		jobs, _, err := w.store.Claim(w.t.Context(), w.now, lease, workers)
		if err != nil {
			w.t.Fatal(err)
		}
		worked := false
		for _, job := range jobs {
			if strings.HasPrefix(job.ID, "coach:") {
				w.work(w.t.Context(), job, w.now.Add(lease))
				worked = true
			} else if err := w.store.Release(w.t.Context(), job, w.now, time.Time{}); err != nil {
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

// The coach goes through every choice that people made in a match and no other,
// in any game, and its accuracy is what it says it is.
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
			over := w.play(r, 2)
			id := matchID(over.ID, 1)
			before := w.press("test:eva", here, w.replayed("test:eva", here, id), "Coach")
			if before.Screen != nil || !strings.Contains(before.Toast, "still going through") {
				t.Errorf("before it is done: %q", before.Toast)
			}
			for range thinkers() {
				w.room <- struct{}{} // everybody is thinking
			}
			w.work(t.Context(), w.claim(coachName(over.ID, 1)), w.now.Add(lease))
			if doc, _, _ := w.coachOf(t.Context(), over.ID, 1); doc.Done || len(doc.Deals) > 0 {
				t.Error("it thought without room for it")
			}
			for range thinkers() {
				<-w.room
			}
			w.coachAll()
			doc, _, err := w.coachOf(t.Context(), over.ID, 1)
			if err != nil || !doc.Done || len(doc.Deals) != len(over.Past) {
				t.Fatalf("%v, done: %v, %d deals of %d", err, doc.Done, len(doc.Deals), len(over.Past))
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
			if len(doc.Seats) != len(choices) {
				t.Errorf("%+v of %v", doc.Seats, choices)
			}
			for _, s := range doc.Seats {
				lost, stake := 0.0, 0.0
				for _, deal := range doc.Deals {
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

// claim waits for nothing: the job is due, or the test fails.
func (w *shell) claim(id string) store.Job {
	w.t.Helper()
	w.now = w.now.Add(time.Minute)
	jobs, _, err := w.store.Claim(w.t.Context(), w.now, lease, workers)
	if err != nil {
		w.t.Fatal(err)
	}
	var found store.Job
	for _, job := range jobs {
		if job.ID == id {
			found = job
		} else if err := w.store.Release(w.t.Context(), job, w.now, time.Time{}); err != nil {
			w.t.Fatal(err)
		}
	}
	if found.ID == "" {
		w.t.Fatalf("%s is not due", id)
	}
	return found
}
