package doc

import (
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// How long documents stay when nothing happens to them any more.
const (
	KeepClosed = 48 * time.Hour       // a closed table still answers presses on its old messages
	KeepRecord = 180 * 24 * time.Hour // a finished deal, unless the home's settings say otherwise
)

// OpenBoard has a row for each table of a partition that is not over, so that
// they can be counted.
const OpenBoard = "open"

// OpenRow is the row of a table, to be set while it is open and deleted after.
func OpenRow(t table.Table) store.Row {
	return store.Row{Board: OpenBoard, Member: t.ID, Delete: Ended(t.Phase)}
}

// Ended tells whether a table in that phase no longer holds its chats.
func Ended(p table.Phase) bool { return p == table.Over || p == table.Closed }

// TableExists is the error of opening a table where there is one: its id.
type TableExists string

// Error says that there is a table.
func (e TableExists) Error() string { return "this chat has a table" }
