package gateway

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
)

// TestAnInvalidSessionEnds checks that an invalid session ends the connection, and
// that the session isn't resumed. Discord may also invalidate a session that can be
// resumed: then the connection ends, and the session remains.
func TestAnInvalidSessionEnds(t *testing.T) {
	t.Parallel()
	const hello = `{"op":10,"d":{"heartbeat_interval":45000}}`
	for message, c := range map[string]struct {
		ends    error
		invalid bool
	}{
		`{"op":9,"d":false}`:                     {errInvalid, true},
		`{"op":9,"d":null}`:                      {errInvalid, true},
		`{"op":9,"d":true}`:                      {errInvalid, false},
		`{"op":7,"d":null}`:                      {nil, false},
		`{"op":0,"t":"READY","s":9,"d":{"x":9}}`: {nil, false},
	} {
		var invalid atomic.Bool
		fit := filter(&invalid, new(pulse), func([]byte) (int64, bool) { return 0, false })
		if _, err := fit([]byte(hello)); err != nil {
			t.Fatal(err)
		}
		if _, err := fit([]byte(message)); !errors.Is(err, c.ends) || invalid.Load() != c.invalid {
			t.Errorf("%s: %v, the session is invalid: %v", message, err, invalid.Load())
		}
	}
}

// TestTheLibraryGetsOnlyTheNumberOfAnEventThatTheBotReads checks that the library can
// still resume the session after the last event.
func TestTheLibraryGetsOnlyTheNumberOfAnEventThatTheBotReads(t *testing.T) {
	t.Parallel()
	var got []string
	take := func(it struct{ ID string }, err error) { got = append(got, fmt.Sprint(it.ID, " ", err)) }
	notify := func(n Membership) { got = append(got, fmt.Sprint(n.Guild, " ", n.What)) }
	fit := filter(new(atomic.Bool), new(pulse), newHandler(take, &servers{notify: notify}))
	for _, m := range [][2]string{
		{`{"op":10,"d":{"heartbeat_interval":45000}}`, `{"op":10,"d":{"heartbeat_interval":15000}}`},
		{`{"op":0,"t":"READY","s":1,"d":{"session_id":"x"}}`, ""},
		{`{"t":"INTERACTION_CREATE","s":7,"op":0,"d":{"id":"1"}}`, `{"op":0,"s":7}`},
		{`{"op":0,"d":{"id":"2"},"s":8,"t":"GUILD_CREATE"}`, `{"op":0,"s":8}`},
		{`{"op":0,"d":{"id":"2","unavailable":true},"s":9,"t":"GUILD_DELETE"}`, `{"op":0,"s":9}`},
		{`{"op":0,"d":{"id":"2"},"s":10,"t":"GUILD_DELETE"}`, `{"op":0,"s":10}`},
		{`{"op":0,"d":{"id":"2"},"s":11,"t":"GUILD_UPDATE"}`, ""},
		{`{"op":11,"d":"INTERACTION_CREATE"}`, ""},
	} {
		if got, err := fit([]byte(m[0])); err != nil || string(got) != cmp.Or(m[1], m[0]) {
			t.Errorf("of %s, the library gets %s, %v", m[0], got, err)
		}
	}
	if want := []string{"1 <nil>", fmt.Sprint("2 ", chat.Added), fmt.Sprint("2 ", chat.Removed)}; !slices.Equal(got, want) {
		t.Errorf("the bot got %q", got)
	}
}

// TestAMissedHeartbeat checks that only a heartbeat that stays without an acknowledgement ends the connection.
func TestAMissedHeartbeat(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p pulse
		fit := filter(new(atomic.Bool), &p, func([]byte) (int64, bool) { return 0, false })
		if _, err := fit([]byte(`{"op":10,"d":{"heartbeat_interval":41250}}`)); err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			after time.Duration
			acked bool
			ends  error
		}{
			{0, true, nil},
			{maxPace, false, nil},
			{time.Second, true, nil}, // Discord asked for it, and acknowledges both
			{maxPace, false, nil},
			{maxPace, true, errSilent},
		} {
			time.Sleep(step.after)
			if _, err := p.beat([]byte(`{"op":1,"d":7}`)); !errors.Is(err, step.ends) {
				t.Errorf("heartbeat %d: %v", i, err)
			}
			if _, err := p.beat([]byte(`{"op":6,"d":{}}`)); err != nil {
				t.Errorf("another message: %v", err)
			}
			if step.acked {
				_, _ = fit([]byte(`{"op":11,"d":null}`))
			}
		}
	})
}
