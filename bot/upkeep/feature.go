package upkeep

import (
	"sedmabot/bot/doc"
)

// Feature returns the jobs and documents of upkeep.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Kinds: room.kinds(),
	}
}
