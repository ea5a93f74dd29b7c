package gateway

import (
	"errors"
	"sync/atomic"
	"testing"
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
		fit := sieve(&invalid)
		if _, err := fit([]byte(hello)); err != nil {
			t.Fatal(err)
		}
		if _, err := fit([]byte(message)); !errors.Is(err, c.ends) || invalid.Load() != c.invalid {
			t.Errorf("%s: %v, the session is invalid: %v", message, err, invalid.Load())
		}
	}
}
