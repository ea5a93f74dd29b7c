package league

import "time"

// Streak is how many days in a row a player has finished a home's deal of the day. One missed
// day a week is free: it doesn't count, and it doesn't end the streak.
type Streak struct {
	Days int    `json:"days"`           // days of the streak on which the player finished the deal
	Best int    `json:"best"`           // the highest value of Days so far
	Last string `json:"last"`           // the latest of these days, in the home's calendar
	Free string `json:"free,omitempty"` // the latest missed day that was free
	Zone string `json:"zone,omitempty"` // time zone of Last
}

// freeEvery is the shortest time between two free days, in days.
const freeEvery = 7

// StreakName returns the name of the document with a player's streak in a home.
func StreakName(home, player string) string { return "streak:" + home + "|" + player }

// Add counts a day on which the player finished the deal. A day that isn't later than the
// latest one changes nothing: it was counted, or the clock went back with a new time zone.
func (s Streak) Add(date, zone string) Streak {
	if s.Last != "" && date <= s.Last {
		return s
	}
	kept, free := s.bridges(date, zone)
	if !kept {
		s.Days = 0
	}
	if free != "" {
		s.Free = free
	}
	s.Days, s.Last, s.Zone = s.Days+1, date, zone
	s.Best = max(s.Best, s.Days)
	return s
}

// At returns how many days the streak has on a date, whether or not the player has finished
// that day's deal yet. It is 0 if the streak has ended.
func (s Streak) At(date, zone string) int {
	if kept, _ := s.bridges(date, zone); s.Last == "" || date > s.Last && !kept {
		return 0
	}
	return s.Days
}

// bridges reports whether the streak continues on a later date, and returns the missed day
// that has to be free for that, or "". A day that was shorter because the home changed its
// time zone doesn't count as missed.
func (s Streak) bridges(date, zone string) (kept bool, free string) {
	last, err := time.Parse(time.DateOnly, s.Last)
	if err != nil {
		return false, ""
	}
	missed := days(s.Last, date) - 1
	switch {
	case missed <= 0 || missed == 1 && zone != s.Zone:
		return true, ""
	case missed > 1:
		return false, ""
	}
	free = last.AddDate(0, 0, 1).Format(time.DateOnly)
	return s.Free == "" || days(s.Free, free) >= freeEvery, free
}

// days returns the number of days from one date to another.
func days(from, to string) int {
	a, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return 0
	}
	b, err := time.Parse(time.DateOnly, to)
	if err != nil {
		return 0
	}
	return int(b.Sub(a).Hours()+12) / 24
}
