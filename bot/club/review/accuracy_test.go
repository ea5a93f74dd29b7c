package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/club/review"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/store"
)

// verdicts returns the coach's analyses of a player's choices, by match.
func verdicts(t *testing.T, w *town.Town, home, player string) map[string]review.Verdict {
	t.Helper()
	found := map[string]review.Verdict{}
	docs, _, err := w.Docs.Store.Scan(t.Context(), store.Partition(home), "verdict:", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, stored := range docs {
		_, rest := doc.KindAndRest(stored.Key.Name)
		name, whose, _ := strings.Cut(rest, "|")
		var v review.Verdict
		if err := doc.Decode(stored, &v); err != nil {
			t.Fatal(err)
		}
		if whose == player {
			found[strings.Replace(name, ":", "-", 1)] = v
		}
	}
	return found
}

// accuracy returns the words of /stats about analyses that add up to this.
func accuracy(matches, choices, lost, stake int) string {
	return fmt.Sprintf("Recent accuracy (coach): %d%% (%d matches, %d choices)", (100*(stake-lost))/stake, matches, choices)
}

// /stats coaches its player's last ten matches, and says how many it covers. Each match
// counts once, however often somebody asks. The sums that an earlier version kept for the home, and what it said about a
// match, count for nothing.
func TestStatsCoversTheLatestMatches(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		var ids []string // ann's matches
		for i := range 13 {
			tab := w.Match(home, "2", town.Ann, "test:ben")
			ids = append(ids, doc.MatchID(tab.ID, tab.MatchNo))
			w.Match(home, "2", "test:ben", "test:cat") // pushes hers out of the home's list
			if i == 5 {
				w.Older(tab, town.Ann)
			}
		}
		w.Pass(time.Hour)
		if found := verdicts(t, w, home, town.Ann); len(found) > 0 {
			t.Fatalf("%d matches were coached when they ended", len(found))
		}

		asked := w.Command(town.Ann, home, "stats").Screen.String()
		if !strings.Contains(asked, "The coach is still going through 10 matches.") {
			t.Errorf("while the coach is busy:\n%s", asked)
		}
		w.Pass(time.Minute)
		found := verdicts(t, w, home, town.Ann)
		choices, lost, stake := 0, 0, 0
		for id, v := range found {
			if !slices.Contains(ids[3:], id) || !v.Done {
				t.Errorf("%s was coached: %+v", id, v)
			}
			choices, lost, stake = choices+v.Choices, lost+v.Lost, stake+v.Stake
		}
		want := accuracy(10, choices, lost, stake)
		for range 2 {
			if got := w.Command(town.Ann, home, "stats").Screen.String(); len(found) != 10 || !strings.Contains(got, want) || strings.Contains(got, "still going through") {
				t.Errorf("%d were coached, want %q:\n%s", len(found), want, got)
			}
			w.Pass(time.Minute)
		}
		if others := verdicts(t, w, home, "test:ben"); len(others) > 0 {
			t.Errorf("%d matches were coached for ben", len(others))
		}

		export := w.Command(town.Ann, town.Ann, "mydata", "what", "export").Screen
		if n := strings.Count(string(export.File.Data), `"accuracy"`); n != 11 { // that of the earlier version, too
			t.Errorf("her data has %d matches of the coach:\n%s", n, export.File.Data)
		}
	})
}

// For a player whose list of matches an earlier version dropped, /stats finds those that
// the home lists.
func TestStatsWithoutTheList(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		for range 12 {
			w.Match(home, "2", town.Ann, "test:ben")
		}
		for range doc.Listed - 3 {
			w.Match(home, "2", "test:ben", "test:cat")
		}
		w.Pass(time.Minute)
		key := doc.InHome(home, league.SkillName(home, town.Ann))
		var skill league.Skill
		if _, err := w.Docs.Get(t.Context(), key, &skill); err != nil || len(skill.Latest) != league.MaxLatest {
			t.Fatalf("her list is %v, %v", skill.Latest, err)
		}
		skill.Latest = nil
		if err := w.Docs.Store.Commit(t.Context(), store.Change{Partition: key.Partition, Now: w.Docs.Now(), Writes: []store.Write{{Name: key.Name, Expect: store.Any, Data: doc.Encode(skill)}}}); err != nil {
			t.Fatal(err)
		}
		w.Command("test:ben", home, "stats", "player", "Anežka") // whoever asks
		w.Pass(time.Minute)
		if n := len(verdicts(t, w, home, town.Ann)); n != 3 {
			t.Errorf("%d matches were coached", n)
		}
	})
}

// The job with which an earlier version coaches a match is accepted, and does nothing.
func TestOlderCoachJob(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		const home = "test:one"
		tab := w.Match(home, "2", town.Ann, "test:ben")
		key := doc.InHome(home, doc.CoachName(tab.ID, 1))
		if err := w.Docs.Store.Commit(t.Context(), store.Change{Partition: key.Partition, Now: w.Docs.Now(), Due: []store.Mark{{ID: key.Name, At: w.Docs.Now()}}}); err != nil {
			t.Fatal(err)
		}
		w.Pass(time.Minute)
		docs, err := w.Docs.Store.Get(t.Context(), key)
		if jobs, next, failed := w.Docs.Store.Claim(t.Context(), w.Docs.Now().Add(time.Hour), time.Second, 1); err != nil || failed != nil || docs[0].Version != 0 || slices.ContainsFunc(jobs, func(j store.Job) bool { return j.ID == key.Name }) {
			t.Errorf("version %d, due are %v, then %v: %v, %v", docs[0].Version, jobs, next, err, failed)
		}
		// A match that an earlier version has gone through is coached when it is opened.
		w.Older(tab, town.Ann)
		w.Command(town.Ann, home, "replay", "id", doc.MatchID(tab.ID, 1))
		w.Pass(time.Minute)
		if found := verdicts(t, w, home, town.Ann); len(found) != 1 {
			t.Errorf("%d matches were coached", len(found))
		}
	})
}
