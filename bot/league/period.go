package league

import (
	"fmt"
	"strings"
	"time"

	"sedmabot/bot/doc"
)

// The periods of leaderboards.
const (
	Weekly   = "week"
	Monthly  = "month"
	Seasonal = "season"
	AllTime  = "all"
)

// Periods lists all periods, as the values of the command's option.
var Periods = []string{Weekly, Monthly, Seasonal, AllTime}

// DefaultSeason is the length of a season in months, unless the home chooses another.
const DefaultSeason = 3

// calendar is a home's time zone and the length of its seasons.
type calendar struct {
	Zone   *time.Location
	months int // length of a season; a divisor of 12
}

// CalendarOf returns a home's calendar. An unknown zone becomes UTC, and an unusable season
// length DefaultSeason.
func CalendarOf(h doc.Home) calendar {
	c := calendar{Zone: time.UTC, months: DefaultSeason}
	if zone, err := time.LoadLocation(h.Zone); err == nil && h.Zone != "" {
		c.Zone = zone
	}
	if h.Season > 0 && 12%h.Season == 0 {
		c.months = h.Season
	}
	return c
}

// Key returns the key of the period of that kind that contains now: "2026-W47", "2026-11",
// "2026-10+3" (the season of three months that began in October), or AllTime. Keys of
// one kind and length sort by time.
func (c calendar) Key(kind string, now time.Time) string {
	now = now.In(c.Zone)
	switch kind {
	case Weekly:
		year, week := now.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case Monthly:
		return now.Format("2006-01")
	case Seasonal:
		first := (int(now.Month())-1)/c.months*c.months + 1
		return fmt.Sprintf("%04d-%02d+%d", now.Year(), first, c.months)
	}
	return AllTime
}

// End returns when the period with that key ends, or zero if it never ends.
func (c calendar) End(key string) time.Time {
	var year, n, months int
	switch {
	case strings.Contains(key, "W"):
		if _, err := fmt.Sscanf(key, "%d-W%d", &year, &n); err == nil {
			fourth := time.Date(year, 1, 4, 0, 0, 0, 0, c.Zone) // January 4 is always in the first ISO week
			monday := 1 - (int(fourth.Weekday())+6)%7
			return time.Date(year, 1, 4+monday-1+7*n, 0, 0, 0, 0, c.Zone)
		}
	case strings.Contains(key, "+"):
		if _, err := fmt.Sscanf(key, "%d-%d+%d", &year, &n, &months); err == nil {
			return time.Date(year, time.Month(n+months), 1, 0, 0, 0, 0, c.Zone)
		}
	case key != AllTime:
		if _, err := fmt.Sscanf(key, "%d-%d", &year, &n); err == nil {
			return time.Date(year, time.Month(n+1), 1, 0, 0, 0, 0, c.Zone)
		}
	}
	return time.Time{}
}

// seasonsBetween returns how many seasons lie between the starts of two seasons, given by
// their keys. It counts in seasons of b's length. The result is at least one if the keys
// differ, and zero if a is "".
func seasonsBetween(a, b string) int {
	if a == b || a == "" {
		return 0
	}
	var year, month, length [2]int
	for i, key := range []string{a, b} {
		if _, err := fmt.Sscanf(key, "%d-%d+%d", &year[i], &month[i], &length[i]); err != nil {
			return 1
		}
	}
	months := 12*(year[1]-year[0]) + month[1] - month[0]
	return max(1, months/max(1, length[1]))
}
