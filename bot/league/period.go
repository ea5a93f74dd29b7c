package league

import (
	"fmt"
	"slices"
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

// calendar is a home's time zone and the lengths of its seasons.
type calendar struct {
	Zone   *time.Location
	months int      // chosen length of a season; a divisor of 12
	firsts []season // the first season of each length so far, and of one that is yet to begin; none: all have the chosen length
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
	for _, key := range h.Lengths {
		if s, ok := seasonOf(key); ok {
			c.firsts = append(c.firsts, s)
		}
	}
	if s, open := openSeason(h); open && len(c.firsts) == 0 {
		c.firsts = []season{s}
	}
	return c
}

// season is a season as its key says: the month in which it begins, counted from year 0, and its length in months.
type season struct{ first, months int }

// seasonOf parses the key of a season.
func seasonOf(key string) (s season, ok bool) {
	var year, month int
	if _, err := fmt.Sscanf(key, "%d-%d+%d", &year, &month, &s.months); err != nil || s.months < 1 || month < 1 {
		return season{}, false
	}
	s.first = 12*year + month - 1
	return s, true
}

func (s season) key() string {
	return fmt.Sprintf("%04d-%02d+%d", s.first/12, s.first%12+1, s.months)
}

// monthOf returns the month of a time, counted from year 0.
func (c calendar) monthOf(at time.Time) int {
	at = at.In(c.Zone)
	return 12*at.Year() + int(at.Month()) - 1
}

// openSeason returns the season of the home's boards that began last.
func openSeason(h doc.Home) (last season, ok bool) {
	for _, key := range h.Periods {
		if s, is := seasonOf(key); is && s.first > last.first {
			last, ok = s, true
		}
	}
	return last, ok
}

// season returns the season of a month.
func (c calendar) season(month int) season {
	s := season{months: c.months}
	for i, first := range c.firsts {
		if i == 0 || month >= first.first {
			s.months = first.months
		}
	}
	s.first = month - month%s.months
	return s
}

// Turn makes the length of seasons that the home has chosen begin with the first boundary of that length that isn't within
// the season of now. It reports whether that changed h.
func Turn(h *doc.Home, now time.Time) bool {
	c := CalendarOf(*h)
	month := c.monthOf(now)
	c.firsts = slices.DeleteFunc(c.firsts, func(s season) bool { return s.first > month })
	running := c.season(month)
	if len(c.firsts) == 0 {
		c.firsts = []season{running}
	}
	if running.months != c.months {
		end := running.first + running.months
		c.firsts = append(c.firsts, season{first: (end + c.months - 1) / c.months * c.months, months: c.months})
	}
	var keys []string
	for _, s := range c.firsts[max(0, len(c.firsts)-maxLengths):] {
		keys = append(keys, s.key())
	}
	if slices.Equal(keys, h.Lengths) {
		return false
	}
	h.Lengths = keys
	return true
}

// maxLengths is the most changes of a season's length that a home remembers.
const maxLengths = 8

// Key returns the key of the period of that kind that contains now: "2026-W47", "2026-11",
// "2026-10+3" (the season of three months that began in October), or AllTime.
func (c calendar) Key(kind string, now time.Time) string {
	now = now.In(c.Zone)
	switch kind {
	case Weekly:
		year, week := now.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case Monthly:
		return now.Format("2006-01")
	case Seasonal:
		return c.season(c.monthOf(now)).key()
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

// later reports whether the period a began after b. Both are keys of the same kind.
func later(a, b string) bool {
	x, isSeason := seasonOf(a)
	y, _ := seasonOf(b)
	if isSeason {
		return x.first > y.first
	}
	return a > b
}

// seasonsBetween returns how many seasons begin after season a, until b has begun. It counts in seasons of b's length. The
// result is zero if b didn't begin after a.
func seasonsBetween(a, b string) int {
	x, known := seasonOf(a)
	y, ok := seasonOf(b)
	if !known || !ok || y.first <= x.first {
		return 0
	}
	return 1 + max(0, y.first-x.first-x.months)/y.months
}
