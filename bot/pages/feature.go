package pages

import (
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
)

// Feature returns the documents of pages.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Kinds: room.kinds(),
		HomeSettings: []doc.Setting[doc.Home]{{
			Name: "late", Group: screen.GroupMay, Order: 120, Choices: []string{doc.Off, doc.On}, Field: doc.Flag(doc.On, func(h *doc.Home) *bool { return &h.Late }),
			Offered: func(string) bool { return room.apps },
		}},
	}
}
