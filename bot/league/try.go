package league

import (
	"encoding/json"
	"fmt"
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// Try is one player's try at a deal of the day.
type Try struct {
	Table string       `json:"table"`
	Name  string       `json:"name"`
	Tally *table.Tally `json:"tally,omitempty"` // the player's result; nil if the deal wasn't finished in time
	Marks string       `json:"marks,omitempty"` // who took each trick: see table.Marks
	Ends  time.Time    `json:"ends,omitzero"`   // when the day ends; zero: an earlier version wrote it
}

// Expiry implements doc.Expiring.
func (d Try) Expiry(now time.Time) (time.Time, bool) {
	if d.Ends.IsZero() {
		return now.Add(KeepDaily), true
	}
	return d.Ends.Add(KeepDaily), true
}

// DailyRow is the data of a row on a day's board.
type DailyRow struct {
	Name  string      `json:"name"`
	Tally table.Tally `json:"tally"`
	Marks string      `json:"marks,omitempty"` // who took each trick: see table.Marks
}

const (
	KeepDaily = 8 * 24 * time.Hour // how long a deal's documents are kept after its day; its board is cleared a day earlier
)

// Day returns the name of a day in a home, as used in the names of documents, jobs and boards.
func Day(home, date string) string { return home + "|" + date }

// DailyName returns the name of a day's deal, which its document, its job and its board share.
func DailyName(day string) string { return "daily:" + day }

// TryName returns the name of the document with a player's try at a day's deal.
func TryName(day, player string) string { return "try:" + day + "|" + player }

// Today returns the calendar's date at the time now, and when that day ends.
func (c calendar) Today(now time.Time) (date string, ends time.Time) {
	now = now.In(c.Zone)
	return now.Format(time.DateOnly), time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, c.Zone)
}

// Row returns the try's row on the board of its day, or nothing if the try doesn't count.
func (d Try) Row(day, player string) ([]store.Row, error) {
	if d.Tally == nil {
		return nil, nil
	}
	data, err := json.Marshal(DailyRow{Name: d.Name, Tally: *d.Tally, Marks: d.Marks})
	if err != nil {
		return nil, fmt.Errorf("write a board row: %w", err)
	}
	return []store.Row{{Board: DailyName(day), Member: player, Score: d.Tally.Score*1000 + float64(d.Tally.Points), Data: data}}, nil
}
