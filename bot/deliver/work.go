package deliver

import (
	"time"

	"sedmabot/bot/work"
)

// How tables are worked on.
const (
	inFlight = work.Workers * 3 / 4 // deliveries to one platform at once: one that hangs leaves workers for the others
	crowded  = 2 * time.Second      // when to come back to a platform that has that many
)
