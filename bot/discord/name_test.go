package discord

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// TestAPersonIsCalledByAVisibleName checks the name of a person who acts, and of one whom another person invites.
func TestAPersonIsCalledByAVisibleName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ nick, global, username, want string }{
		{"Nick", "Ann", "ann", "Nick"},
		{"  ", "Ann", "ann", "Ann"},
		{"\u3164", "\u202e", "ann", "ann"},
		{"", " \u2800 ", "", "7"},
		{"", "\u202eeve", "ann", "eve"},
	} {
		data, err := json.Marshal(c.global)
		if err != nil {
			t.Fatal(err)
		}
		nick, err := json.Marshal(c.nick)
		if err != nil {
			t.Fatal(err)
		}
		user := fmt.Sprintf(`{"id": "7", "username": %q, "global_name": %s}`, c.username, data)
		member := fmt.Sprintf(`"channel_id": "5", "guild_id": "4", "member": {"nick": %s, "user": %s}`, nick, user)
		for _, event := range []string{
			fmt.Sprintf(`{"type": 3, %s, "data": {"custom_id": "join:t1"}}`, member),
			fmt.Sprintf(`{"type": 2, "channel_id": "5", "user": {"id": "8", "username": "ben"}, "data": {"type": 2, "target_id": "7",
				"resolved": {"users": {"7": %s}, "members": {"7": {"nick": %s}}}}}`, user, nick),
		} {
			var it interaction
			if err := json.Unmarshal([]byte(event), &it); err != nil {
				t.Fatal(err)
			}
			in, err := it.input(time.Now(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := in.Player.Name
			if in.Command == "invite" {
				got = in.Args["name"]
			}
			if got != c.want {
				t.Errorf("%q, %q, %q: called %q, want %q", c.nick, c.global, c.username, got, c.want)
			}
		}
	}
}
