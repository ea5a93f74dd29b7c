package league

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Try is one player's try at it.
type Try struct {
	Table string       `json:"table"`
	Name  string       `json:"name"`
	Tally *table.Tally `json:"tally,omitempty"` // what he came to in time
}

// DailyRow is what a row of a day's board carries.
type DailyRow struct {
	Name  string      `json:"name"`
	Tally table.Tally `json:"tally"`
}

const (
	KeepDaily = 8 * 24 * time.Hour // after its day a deal's board, but for the row of who plays on, is kept so long
)

// Day names a day of a home: in the names of documents, jobs and boards.
func Day(home, date string) string { return home + "|" + date }

// DailyName returns the name of a day's deal: of its document, its job and its board.
func DailyName(day string) string { return "daily:" + day }

// TryName returns the name of a player's try at a day's deal.
func TryName(day, player string) string { return "try:" + day + "|" + player }

// Today is the day of the calendar in which now lies, and when it ends.
func (c calendar) Today(now time.Time) (date string, ends time.Time) {
	now = now.In(c.Zone)
	return now.Format(time.DateOnly), time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, c.Zone)
}

// Row is the try's row on the board of its day, if it counts.
func (d Try) Row(day, player string) ([]store.Row, error) {
	if d.Tally == nil {
		return nil, nil
	}
	data, err := json.Marshal(DailyRow{Name: d.Name, Tally: *d.Tally})
	if err != nil {
		return nil, fmt.Errorf("write a board row: %w", err)
	}
	return []store.Row{{Board: DailyName(day), Member: player, Score: d.Tally.Score*1000 + float64(d.Tally.Points), Data: data}}, nil
}

// EndDaily adds to the commit that begins or ends a table with the deal of the day
// what a home's index is for other tables: with its result the try counts, if it
// came in time.
func EndDaily(c *store.Change, t table.Table, finished bool) error {
	c.Rows = append(c.Rows, doc.OpenRow(t))
	if !finished || t.Daily.Late {
		return nil
	}
	seat := slices.IndexFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID != "" && !s.Left && !s.Away })
	if seat < 0 {
		return nil
	}
	tally := table.TallyOf(t.Match.Rules, seat, t.Past[len(t.Past)-1].Score)
	today, player := Day(t.Home, t.Daily.Date), t.Seats[seat].Player
	own := Try{Table: t.ID, Name: player.Name, Tally: &tally}
	rows, err := own.Row(today, player.ID)
	c.Rows = append(c.Rows, rows...)
	c.Writes = append(c.Writes, store.Write{Name: TryName(today, player.ID), Expect: store.Any, Data: doc.Encode(own), Expires: t.Daily.Ends.Add(KeepDaily)})
	return err
}
