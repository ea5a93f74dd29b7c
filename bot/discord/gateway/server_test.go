package gateway

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
)

// Only a server that the session didn't know is one that the bot has joined. Discord sends
// the same event at the start, and after an outage of the server.
func TestAnAdditionIsToldApart(t *testing.T) {
	t.Parallel()
	var got []string
	all := &servers{notify: func(n Membership) { got = append(got, fmt.Sprint(n.Guild, n.What)) }}
	handle := hears(all)
	for _, m := range []struct{ event, want string }{
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"1"}}`, fmt.Sprint("1", chat.Back)}, // before the session's first event, nothing is known
		{`{"op":0,"t":"READY","d":{"user":{"id":"9"},"guilds":[{"id":"1","unavailable":true},{"id":"2","unavailable":true}]}}`, fmt.Sprint("", chat.Reported)},
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"1","name":"READY"}}`, fmt.Sprint("1", chat.Back)},
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"3"}}`, fmt.Sprint("3", chat.Added)},
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"3"}}`, fmt.Sprint("3", chat.Back)},
		{`{"op":0,"t":"GUILD_DELETE","d":{"id":"2","unavailable":true}}`, ""},
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"2"}}`, fmt.Sprint("2", chat.Back)},
		{`{"op":0,"t":"GUILD_DELETE","d":{"id":"2"}}`, fmt.Sprint("2", chat.Removed)},
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"2","unavailable":true}}`, ""},
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"2"}}`, fmt.Sprint("2", chat.Added)},
		{`{"op":0,"t":"READY","d":{"user":{"id":"9"},"guilds":[{"id":"2"},{"id":"4"}]}}`, fmt.Sprint("", chat.Reported)}, // a new session
		{`{"op":0,"t":"GUILD_CREATE","d":{"id":"4"}}`, fmt.Sprint("4", chat.Back)},
	} {
		got = nil
		handle([]byte(m.event))
		if got := fmt.Sprint(got); got != "["+m.want+"]" {
			t.Errorf("%s: %s, want %s", m.event, got, m.want)
		}
	}
}

// A server that a session of its shard doesn't have at the start has removed the bot, unless it has been added since.
func TestARemovalIsFoundOut(t *testing.T) {
	t.Parallel()
	var got []string
	var check func(string)
	all := &servers{shard: 1, shards: 3, notify: func(n Membership) {
		if n.What == chat.Reported {
			check = n.Check
		}
		if n.What == chat.Removed {
			got = append(got, n.Guild)
		}
	}}
	id := func(n uint64) string { return strconv.FormatUint(n<<22|5, 10) }
	handle := hears(all)
	handle([]byte(`{"op":0,"t":"READY","d":{"user":{"id":"9"}}}`))
	if check != nil {
		t.Error("without a list, nothing is known")
	}
	handle([]byte(`{"op":0,"t":"READY","d":{"user":{"id":"9"},"guilds":[{"id":"` + id(1) + `","unavailable":true}]}}`))
	handle([]byte(`{"op":0,"t":"GUILD_CREATE","d":{"id":"` + id(4) + `"}}`))
	for _, guild := range []string{id(1), id(2), id(3), id(4), id(7), "7", "", "x"} {
		check(guild)
	}
	if want := []string{id(7)}; !slices.Equal(got, want) {
		t.Errorf("removed: %v, want %v", got, want)
	}
}

// The bot welcomes people where it may write: in the channel where Discord welcomes new
// members, or in the topmost one.
func TestChannelsForAWelcome(t *testing.T) {
	t.Parallel()
	const channels = `"channels":[
		{"id":"11","type":0,"position":3},
		{"id":"12","type":2,"position":0},
		{"id":"13","type":0,"position":1,"permission_overwrites":[{"id":"1","type":0,"allow":"0","deny":"2048"}]},
		{"id":"14","type":0,"position":2,"permission_overwrites":[{"id":"1","type":0,"allow":"0","deny":"1024"},{"id":"5","type":0,"allow":"1024","deny":"0"}]},
		{"id":"15","type":0,"position":4,"permission_overwrites":[{"id":"1","type":0,"allow":"0","deny":"3072"},{"id":"9","type":1,"allow":"3072","deny":"0"}]},
		{"id":"16","type":0,"position":5}]`
	for _, c := range []struct {
		name, rest string
		want       []string
	}{
		{"everyone may write", `"roles":[{"id":"1","permissions":"3072"}],"members":[{"user":{"id":"9"},"roles":[]}]`, []string{"11", "15", "16"}},
		{"a role opens a channel", `"roles":[{"id":"1","permissions":"3072"},{"id":"5","permissions":"0"}],"members":[{"user":{"id":"9"},"roles":["5"]}]`, []string{"14", "11", "15"}},
		{"an administrator", `"roles":[{"id":"1","permissions":"0"},{"id":"6","permissions":"8"}],"members":[{"user":{"id":"9"},"roles":["6"]}]`, []string{"13", "14", "11"}},
		{"the system channel", `"system_channel_id":"16","roles":[{"id":"1","permissions":"3072"}],"members":[{"user":{"id":"9"},"roles":[]}]`, []string{"16", "11", "15"}},
		{"only there", `"roles":[{"id":"1","permissions":"0"}],"members":[{"user":{"id":"8"},"roles":["6"]},{"user":{"id":"9"},"roles":[]}]`, []string{"15"}},
	} {
		var got Membership
		all := &servers{notify: func(n Membership) { got = n }}
		all.begin(ready{User: struct {
			ID string `json:"id"`
		}{"9"}})
		handle := hears(all)
		handle([]byte(`{"op":0,"t":"GUILD_CREATE","d":{"id":"1","joined_at":"2026-11-22T20:00:00Z","preferred_locale":"cs",` + c.rest + `,` + channels + `}}`))
		want := Membership{Guild: "1", What: chat.Added, Joined: "2026-11-22T20:00:00Z", Lang: "cs", Channels: c.want}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
