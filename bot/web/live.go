package web

import (
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// Live returns the table as the visitor's page shows it. The caller has checked Admits.
func Live(t chat.PageTable, v chat.Visitor) view.Live {
	p, ok := t.Private(v.Player.ID)
	if !ok {
		return guestLive(t, lang.For(v.Player.Lang))
	}
	return pageOf(t, view.SeatLive(p))
}

// guestLive returns the table as the pages of all spectators who speak a language show it.
func guestLive(t chat.PageTable, c *lang.Catalogue) view.Live {
	return pageOf(t, view.GuestLive(t.Public, c))
}

// pageOf returns the table with its version and its people, without buttons that a page may not press.
func pageOf(t chat.PageTable, l view.Live) view.Live {
	l.Version = t.Version
	for seat, p := range t.People {
		l.Seats[seat].Who, l.Seats[seat].Photo = p.Mark, photoPath(t.Public.ID, p)
	}
	if l.Panel != nil {
		confine(t, l.Panel)
	}
	return l
}

// screenOf returns the answer to a press on the table's page as the page shows it.
func screenOf(t chat.PageTable, s screen.Screen) view.LiveScreen {
	panel := view.ScreenLive(s)
	confine(t, &panel)
	return panel
}

// confine leaves out the buttons that a page may not press.
func confine(t chat.PageTable, s *view.LiveScreen) {
	var rows [][]view.LiveButton
	for _, row := range s.Rows {
		row = slices.DeleteFunc(row, func(b view.LiveButton) bool { return !t.Allows(b.Press) })
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	s.Rows = rows
}
