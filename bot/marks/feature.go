package marks

import (
	"sedmabot/bot/doc"
)

// Feature returns the marks beside names.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Kinds: room.kinds(),
	}
}
