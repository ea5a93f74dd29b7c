package league

import (
	"cmp"
	"slices"
)

// Week is what a week's results in a home say about its players, by id.
type Week struct {
	Matches  int
	Champion string // most stakes won minus stakes lost, then most wins, in matches between people; someone who finished one
	Stakes   int
	Most     string // most matches
	Played   int
	Names    map[string]string
}

// WeekOf returns the page of a week from its results. Matches with an AI in a seat of its own
// count for Most only. It returns false if there were no matches between people.
func WeekOf(results []Result) (w Week, ok bool) {
	all := map[string]*Totals{}
	w.Names = map[string]string{}
	for _, r := range results {
		w.Matches++
		for _, s := range r.Seats {
			if s.Player == "" || IsGone(s.Player) {
				continue
			}
			if all[s.Player] == nil {
				all[s.Player] = &Totals{}
			}
			w.Names[s.Player] = s.Name
			all[s.Player].add(s, r.between())
		}
	}
	var ids []string
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	first := func(by func(t *Totals) float64) string {
		return slices.MaxFunc(ids, func(a, b string) int {
			return cmp.Or(cmp.Compare(by(all[a]), by(all[b])), cmp.Compare(b, a))
		})
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return all[id].Matches == 0 })
	if len(ids) == 0 {
		return w, false
	}
	w.Champion = first(func(t *Totals) float64 { return BoardRow{Totals: *t}.score(Weekly, "") })
	w.Stakes = all[w.Champion].Stakes
	w.Most = first(func(t *Totals) float64 { return float64(t.Matches + t.AIMatches) })
	w.Played = all[w.Most].Matches + all[w.Most].AIMatches
	return w, true
}
