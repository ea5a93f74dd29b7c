package pages

import (
	"sedmabot/bot/doc"
)

// Feature returns the documents of pages.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Kinds: room.kinds(),
	}
}
