package doc_test

import (
	"errors"
	"testing"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// A document is read in any form of JSON. One that is cut off or of a newer schema isn't, and leaves the value as it was.
func TestFormsOfADocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		data string
		want error
	}{
		{`{"v":2,"d":{"lang":"cs"}}`, nil},
		{`{"d":{"lang":"cs"},"v":2}`, nil},
		{"{ \"v\": 2, \"d\": {\"lang\": \"cs\"} }\n", nil},
		{`{"v":99,"d":{"lang":7}}`, doc.ErrNewer},
		{`{"d":{"lang":"cs"},"v":99}`, doc.ErrNewer},
		{`{"v":2,"d":{"lang":"cs"}`, doc.ErrUnreadable},
		{`{"v":2,"d":{"lang":"cs"}}}`, doc.ErrUnreadable},
		{`{"v":2,"d":}`, doc.ErrUnreadable},
		{`{"v":2}`, doc.ErrUnreadable},
		{``, doc.ErrUnreadable},
	} {
		var own doc.Player
		if err := doc.Decode(store.Doc{Version: 1, Data: []byte(c.data)}, &own); !errors.Is(err, c.want) || (own.Lang == "cs") != (c.want == nil) {
			t.Errorf("%s: %q, %v", c.data, own.Lang, err)
		}
	}
}
