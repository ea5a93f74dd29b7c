package clocktest

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestAClockWaitsForTheMachine(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := Start(t)
		time.Sleep(time.Second)
		synctest.Wait()
		if got := c.Now(); got != time.Second {
			t.Errorf("on a quiet machine %v have passed in a second", got)
		}
		c.tick(time.Hour)
		if got := c.Now(); got != time.Second+2*beat {
			t.Errorf("after an hour in which nothing could be done it is %v", got)
		}
	})
}
