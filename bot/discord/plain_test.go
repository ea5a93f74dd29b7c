package discord

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestAChannelWithoutPicturesIsAskedAgain checks that a picture is tried again soon, since
// nothing else may show that the bot has the permission again. All channels together
// try seldom enough for Discord's limit of refused requests.
func TestAChannelWithoutPicturesIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p textOnly
		if !p.add("discord:1") || !p.has("discord:1") || p.add("discord:1") {
			t.Error("a channel is new once, and then known")
		}
		time.Sleep(10 * time.Second)
		if p.has("discord:1") {
			t.Error("after ten seconds no picture is tried")
		}
		const channels, period = 300, 10 * time.Minute
		refused := 0
		for began := time.Now(); time.Since(began) < period; time.Sleep(time.Second) {
			for i := range channels {
				if place := fmt.Sprint("discord:", i); !p.has(place) {
					refused++
					p.add(place)
				}
			}
		}
		if refused > 1200 {
			t.Errorf("%d requests were refused in %v", refused, period)
		}
		p.add("discord:2")
		p.forget("discord:2")
		if p.has("discord:2") || !p.add("discord:2") {
			t.Error("the channel is still without pictures")
		}
	})
}
