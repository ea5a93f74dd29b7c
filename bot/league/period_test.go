package league

import (
	"testing"
	"time"

	"sedmabot/bot/doc"
)

// A day lasts from midnight to midnight in the home's time zone, even if clocks change.
func TestToday(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, now, date, ends string }{
		{"", "2026-11-21T23:59:59Z", "2026-11-21", "2026-11-22T00:00:00Z"},
		{"Europe/Prague", "2026-11-21T23:59:59Z", "2026-11-22", "2026-11-22T23:00:00Z"},
		{"Europe/Prague", "2026-03-29T00:30:00Z", "2026-03-29", "2026-03-29T22:00:00Z"}, // a day of 23 hours
		{"Europe/Prague", "2026-10-25T12:00:00Z", "2026-10-25", "2026-10-25T23:00:00Z"}, // a day of 25 hours
		{"nowhere", "2026-12-31T12:00:00Z", "2026-12-31", "2027-01-01T00:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		date, ends := CalendarOf(doc.Home{Zone: c.zone}).Today(now)
		if date != c.date || ends.UTC().Format(time.RFC3339) != c.ends {
			t.Errorf("%s at %s: %s until %s", c.zone, c.now, date, ends.UTC().Format(time.RFC3339))
		}
	}
}
