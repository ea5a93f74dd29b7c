package deliver

import (
	"time"

	"sedmabot/bot/work"
)

// Limits on deliveries in progress.
const (
	inFlight = work.Workers * 3 / 4 // deliveries to one platform at once; if a platform hangs, the others still get workers
	crowded  = 2 * time.Second      // how long to wait for a platform that is at its limit
)
