package telegram

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A tournament at a set time is planned with words after the command, in any order. Apps show
// its time in each reader's own zone.
func TestAnEveningIsShownInEachReadersZone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		m.ann.SayIn(m.group, 0, "/tournament singles "+time.Now().UTC().Add(3*time.Hour).Format("2006-01-02 15:04"))
		// The bot can't ask in the group without everyone seeing it, so it asks in private. It posts in the group.
		m.tap(m.ann, m.see(m.ann.Private(), "I'll post a sign-up"), "Post it here")
		list := m.see(m.group, "Begins: ")
		m.tap(m.ann, list, "Sign up")
		m.see(m.group, "Entries: 1")
		found := false
		for _, c := range m.Calls("sendMessage") {
			found = found || strings.Contains(c.Params["text"], `<tg-time unix="`) && strings.Contains(c.Params["text"], `format="wDt"`)
		}
		if !found {
			t.Error("no message has its time as an entity")
		}
		m.tap(m.ann, list, "Call off")
	})
}
