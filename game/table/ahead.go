package table

// Ahead reports whether a player's move names a decision that is yet to come. The table offers no such button now. It
// may come from a later state of the table whose last moves were undone. After a deal, no decision of that deal is yet to
// come, but somebody may press a button of an old hand after they have taken another seat.
func (t *Table) Ahead(player string, cmd Command) bool {
	seat := t.SeatOf(player)
	if seat < 0 {
		return false
	}
	switch c := cmd.(type) {
	case Play:
		return c.Deal > t.DealNo || c.Deal == t.DealNo && t.Phase == Playing && c.Decision > t.Deal.Decisions(seat)
	case PlayPlace:
		return c.Deal > t.DealNo || c.Deal == t.DealNo && t.Phase == Playing && c.Ply > t.Deal.Plies()
	}
	return false
}
