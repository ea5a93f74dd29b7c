package doc

import (
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// How long documents are kept after their last change.
const (
	KeepClosed = 48 * time.Hour       // closed tables, which still answer presses on old messages
	KeepRecord = 180 * 24 * time.Hour // finished deals, unless the home's settings say otherwise
)

// OpenBoard is the name of a board that has a row for each table of a partition that is
// not over. It serves to count them.
const OpenBoard = "open"

// OpenRow returns the change to a table's row in OpenBoard. It sets the row, or deletes
// it if the table is over.
func OpenRow(t table.Table) store.Row {
	return store.Row{Board: OpenBoard, Member: t.ID, Delete: Ended(t.Phase)}
}

// Ended reports whether a table in that phase no longer occupies its chats.
func Ended(p table.Phase) bool { return p == table.Over || p == table.Closed }

// TableExists reports that a chat already has an open table. Its value is the table's id.
type TableExists string

// Error returns a fixed text, without the id.
func (e TableExists) Error() string { return "this chat has a table" }
