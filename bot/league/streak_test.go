package league

import "testing"

// A streak lasts over one missed day a week, and over a change of the time zone. A second
// missed day within a week ends it.
func TestStreak(t *testing.T) {
	t.Parallel()
	type day struct {
		date, zone string
		days       int
	}
	for name, played := range map[string][]day{
		"every day":       {{"2026-11-01", "UTC", 1}, {"2026-11-02", "UTC", 2}, {"2026-11-03", "UTC", 3}},
		"a missed day":    {{"2026-11-01", "UTC", 1}, {"2026-11-03", "UTC", 2}, {"2026-11-04", "UTC", 3}},
		"two in a row":    {{"2026-11-01", "UTC", 1}, {"2026-11-04", "UTC", 1}},
		"two in a week":   {{"2026-11-01", "UTC", 1}, {"2026-11-03", "UTC", 2}, {"2026-11-04", "UTC", 3}, {"2026-11-08", "UTC", 1}},
		"two in six days": {{"2026-11-01", "UTC", 1}, {"2026-11-03", "UTC", 2}, {"2026-11-04", "UTC", 3}, {"2026-11-05", "UTC", 4}, {"2026-11-06", "UTC", 5}, {"2026-11-07", "UTC", 6}, {"2026-11-09", "UTC", 1}},
		"two in two weeks": {
			{"2026-11-01", "UTC", 1}, {"2026-11-03", "UTC", 2}, {"2026-11-04", "UTC", 3}, {"2026-11-05", "UTC", 4},
			{"2026-11-06", "UTC", 5}, {"2026-11-07", "UTC", 6}, {"2026-11-08", "UTC", 7}, {"2026-11-10", "UTC", 8},
		},
		"the same day again":                       {{"2026-11-01", "UTC", 1}, {"2026-11-01", "UTC", 1}, {"2026-11-02", "UTC", 2}},
		"a zone further west: the day comes twice": {{"2026-11-01", "Europe/Kyiv", 1}, {"2026-11-02", "Europe/Kyiv", 2}, {"2026-11-02", "UTC", 2}, {"2026-11-03", "UTC", 3}},
		"a zone further east: a day was too short, and the free one remains": {
			{"2026-11-01", "UTC", 1}, {"2026-11-03", "Europe/Kyiv", 2}, {"2026-11-05", "Europe/Kyiv", 3}, {"2026-11-06", "Europe/Kyiv", 4},
		},
	} {
		var s Streak
		best := 0
		for _, d := range played {
			s = s.Add(d.date, d.zone)
			best = max(best, d.days)
			if s.Days != d.days || s.Best != best {
				t.Errorf("%s: on %s %+v, want %d days", name, d.date, s, d.days)
			}
		}
	}
	s := Streak{}.Add("2026-11-01", "UTC").Add("2026-11-02", "UTC")
	for date, want := range map[string]int{"2026-11-02": 2, "2026-11-03": 2, "2026-11-04": 2, "2026-11-05": 0} {
		if got := s.At(date, "UTC"); got != want {
			t.Errorf("on %s the streak has %d days, want %d", date, got, want)
		}
	}
	if got := (Streak{}).At("2026-11-02", "UTC"); got != 0 {
		t.Errorf("a player without a streak has %d days", got)
	}
}
