package gateway

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"sedmabot/bot/chat"
)

// Membership is what the gateway says about one server, or with chat.Reported about all of a shard.
type Membership struct {
	Guild  string
	What   chat.Presence
	Joined string             // when the bot joined; "" with chat.Removed
	Check  func(guild string) // set with chat.Reported: reports chat.Removed if that server of the shard doesn't have the bot
	// The rest is set with chat.Added, and if the bot joined less than chat.MissedFor ago.
	Lang     string   // the server's language
	Channels []string // channels where the bot may write, the best for a welcome first
}

// maxChannels is the maximum number of channels in Membership.
const maxChannels = 3

// ready is the data of the first event of a session. It lists all servers that the bot
// is in.
// https://discord.com/developers/docs/events/gateway-events#ready
type ready struct {
	User struct {
		ID string `json:"id"`
	} `json:"user"`
	Guilds []guild `json:"guilds"`
	ID     string  `json:"session_id"`
	Resume string  `json:"resume_gateway_url"` // where the session can be resumed
}

// guild is the data of an event of a server.
type guild struct {
	ID          string `json:"id"`
	Unavailable bool   `json:"unavailable"`
	Joined      string `json:"joined_at"`
}

// servers knows the servers that the bot is in. Discord sends the same event when the bot
// joins a server, when it connects, and when an outage of the server is over. Only a server
// that the session didn't know before has been joined.
// https://discord.com/developers/docs/events/gateway-events#guild-create
type servers struct {
	notify        Notify
	shard, shards int // the session has the servers of that shard

	mu    sync.Mutex
	self  string          // id of the bot
	known map[string]bool // nil before the session begins
}

// begin sets the servers at the start of a session. The list has all servers of the shard, also those that have an outage.
func (all *servers) begin(r ready) {
	all.mu.Lock()
	all.self, all.known = r.User.ID, map[string]bool{}
	for _, g := range r.Guilds {
		all.known[g.ID] = true
	}
	all.mu.Unlock()
	if r.Guilds != nil {
		all.notify(Membership{What: chat.Reported, Check: all.check})
	}
}

// check calls notify if a server of the shard doesn't have the bot: the server removed it while no session could hear of that.
// While the lock is held, the bot isn't added there.
func (all *servers) check(guild string) {
	id, err := strconv.ParseUint(guild, 10, 64)
	all.mu.Lock()
	defer all.mu.Unlock()
	if err == nil && int(id>>22%uint64(all.shards)) == all.shard && !all.known[guild] {
		all.notify(Membership{Guild: guild, What: chat.Removed})
	}
}

// report calls notify for an event that a server joined or left. It ignores servers that are unavailable: they have an
// outage, and the bot may still be a member
// (https://discord.com/developers/docs/events/gateway-events#guild-delete).
func (all *servers) report(kind string, data []byte) {
	var g guild
	if json.Unmarshal(data, &g) != nil || g.ID == "" || g.Unavailable {
		return
	}
	news := Membership{Guild: g.ID, What: chat.Back, Joined: g.Joined}
	all.mu.Lock()
	switch {
	case kind == "GUILD_DELETE":
		delete(all.known, g.ID)
		news = Membership{Guild: g.ID, What: chat.Removed}
	case all.known != nil && !all.known[g.ID]:
		all.known[g.ID] = true
		news.What = chat.Added
	}
	self := all.self
	all.mu.Unlock()
	if news.What == chat.Added || news.What == chat.Back && recent(g.Joined) {
		var s server
		if json.Unmarshal(data, &s) == nil {
			news.Lang, news.Channels = s.Lang, s.writable(self)
		}
	}
	all.notify(news)
}

// recent reports whether the time that Discord sent is less than chat.MissedFor ago.
func recent(joined string) bool {
	at, err := time.Parse(time.RFC3339, joined)
	return err == nil && time.Since(at) < chat.MissedFor
}

// server is a server that the bot has recently joined.
// https://discord.com/developers/docs/resources/guild#guild-object
type server struct {
	ID       string    `json:"id"`
	Lang     string    `json:"preferred_locale"`
	System   string    `json:"system_channel_id"` // where Discord welcomes new members
	Channels []channel `json:"channels"`
	Roles    []struct {
		ID   string      `json:"id"`
		Bits permissions `json:"permissions"`
	} `json:"roles"`
	Members []struct {
		User struct {
			ID string `json:"id"`
		} `json:"user"`
		Roles []string `json:"roles"`
	} `json:"members"`
}

// channel is a channel of a server.
type channel struct {
	ID         string      `json:"id"`
	Type       int         `json:"type"`
	Position   int         `json:"position"`
	Overwrites []overwrite `json:"permission_overwrites"`
}

// overwrite changes the permissions of a role or a member in a channel.
type overwrite struct {
	ID    string      `json:"id"`
	Allow permissions `json:"allow"`
	Deny  permissions `json:"deny"`
}

// permissions is a set of permissions, which Discord sends as a number in a string
// (https://discord.com/developers/docs/topics/permissions).
type permissions uint64

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *permissions) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	*p = permissions(n)
	return err
}

// Permissions that decide whether the bot may write in a channel.
const (
	mayAll   permissions = 1 << 3 // administrator
	mayWrite permissions = 1<<10 | 1<<11
)

// textChannel is the type of a channel for texts
// (https://discord.com/developers/docs/resources/channel#channel-object-channel-types).
const textChannel = 0

// writable returns the channels where the bot, whose id is self, may write. The first is
// the one where Discord welcomes new members, then the topmost ones follow.
func (s server) writable(self string) (ids []string) {
	roles := []string{s.ID} // the role of everyone has the server's id
	for _, m := range s.Members {
		if m.User.ID == self {
			roles = append(roles, m.Roles...)
		}
	}
	var base permissions
	for _, r := range s.Roles {
		if slices.Contains(roles, r.ID) {
			base |= r.Bits
		}
	}
	slices.SortStableFunc(s.Channels, func(a, b channel) int {
		first := func(c channel) int {
			if c.ID == s.System {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(a.Position, b.Position))
	})
	for _, c := range s.Channels {
		write := base&mayAll != 0 || c.permit(base, s.ID, roles[1:], self)&mayWrite == mayWrite
		if c.Type == textChannel && write && len(ids) < maxChannels {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// permit applies the channel's overwrites to a member's permissions: first that of
// everyone, then those of the member's roles, then the member's own.
// https://discord.com/developers/docs/topics/permissions#permission-overwrites
func (c channel) permit(p permissions, everyone string, roles []string, member string) permissions {
	apply := func(whose func(id string) bool) {
		var allow, deny permissions
		for _, o := range c.Overwrites {
			if whose(o.ID) {
				allow, deny = allow|o.Allow, deny|o.Deny
			}
		}
		p = p&^deny | allow
	}
	apply(func(id string) bool { return id == everyone })
	apply(func(id string) bool { return slices.Contains(roles, id) })
	apply(func(id string) bool { return id == member })
	return p
}
