package town

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Requests counts the requests of a match by what they are for, and measures how soon a press is shown. The places are
// the table's and those of the people's hands.
type Requests struct {
	Table string // the table's place

	mu      sync.Mutex
	kinds   map[string]int
	presses []seen
	shown   []seen
}

// seen is a press in a place, or a text that the place shows.
type seen struct {
	at          time.Time
	place, text string
}

// Begin forgets what came before.
func (r *Requests) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds, r.presses, r.shown = map[string]int{}, nil, nil
}

// Press notes a press on the hand in a place.
func (r *Requests) Press(place string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.presses = append(r.presses, seen{time.Now(), place, ""})
}

// Count counts a request that shows nothing.
func (r *Requests) Count(kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kinds == nil {
		r.kinds = map[string]int{}
	}
	r.kinds[kind]++
}

// Show counts a request that shows a text in a place. Without a kind, its kind follows from both.
func (r *Requests) Show(kind, place, text string) {
	r.mu.Lock()
	latest := ""
	if n := len(r.presses); n > 0 {
		latest = r.presses[n-1].place
	}
	r.shown = append(r.shown, seen{time.Now(), place, text})
	r.mu.Unlock()
	switch {
	case kind != "":
	case place == r.Table:
		kind = "table"
	case strings.Contains(text, "Your turn"):
		kind = "hand on turn"
	case place == latest:
		kind = "own hand"
	default:
		kind = "other hand"
	}
	r.Count(kind)
}

// Waits is how long it took until a press was shown: the median, and the longest but one of a hundred.
type Waits struct{ Median, Long time.Duration }

// Soon returns Waits of so many seconds.
func Soon(median, long float64) Waits {
	return Waits{time.Duration(median * float64(time.Second)), time.Duration(long * float64(time.Second))}
}

func (w Waits) String() string { return fmt.Sprintf("%v, %v", w.Median, w.Long) }

// within reports whether none is longer than in other, but for what the machine takes.
func (w Waits) within(other Waits) bool {
	return w.Median <= other.Median+100*time.Millisecond && w.Long <= other.Long+100*time.Millisecond
}

// Check logs what each press took, and fails if it took more requests than most, or was shown later at the table, in the
// person's hand, or in that of the next one, who reads that it is their turn. Ends of deals count, too.
func (r *Requests) Check(t *testing.T, most float64, table, hand, turn Waits) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	all, n := 0., float64(len(r.presses))
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		all += float64(r.kinds[kind]) / n
		t.Logf("%-20s %.2f", kind, float64(r.kinds[kind])/n)
	}
	var toTable, toHand, toTurn []time.Duration
	for i, p := range r.presses {
		toTable = r.wait(toTable, r.Table, p.at, "")
		toHand = r.wait(toHand, p.place, p.at, "")
		if i+1 < len(r.presses) {
			toTurn = r.wait(toTurn, r.presses[i+1].place, p.at, "Your turn")
		}
	}
	atTable, atHand, atTurn := waitsOf(toTable), waitsOf(toHand), waitsOf(toTurn)
	t.Logf("%v presses, %.2f requests a press; shown at the table after %v, in the own hand after %v, in the next one's after %v", n, all, atTable, atHand, atTurn)
	if all > most || !atTable.within(table) || !atHand.within(hand) || !atTurn.within(turn) {
		t.Error("too many requests, or too late")
	}
}

// wait adds how long it took until a place showed a text. It adds nothing if that never happened: a match is over, and its hands
// are deleted.
func (r *Requests) wait(to []time.Duration, place string, since time.Time, text string) []time.Duration {
	from, _ := slices.BinarySearchFunc(r.shown, since, func(s seen, at time.Time) int { return cmp.Or(s.at.Compare(at), 1) })
	for _, s := range r.shown[from:] {
		if s.place == place && strings.Contains(s.text, text) {
			return append(to, s.at.Sub(since))
		}
	}
	return to
}

func waitsOf(all []time.Duration) Waits {
	slices.Sort(all)
	if len(all) == 0 {
		return Waits{}
	}
	nth := func(percent int) time.Duration { return all[len(all)*percent/100].Round(time.Millisecond) }
	return Waits{nth(50), nth(99)}
}
