package discordtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Person is a user of Discord.
type Person struct {
	ID     string
	Name   string
	Locale string // "en-US" unless the test sets another before it starts

	s     *Server
	dm    *Channel
	noDMs bool
	// Avatar is the hash of the person's picture; "": none.
	Avatar string
}

// Guild is a server on Discord.
type Guild struct {
	ID     string
	Locale string

	s     *Server
	owner *Person
	may   uint64    // permissions of the bot
	told  bool      // Tell was called
	gone  bool      // the bot is not in the guild
	since time.Time // when the bot was added

	roles    []Role
	members  map[string][]string // ids of roles, by person
	left     map[string]bool     // people who have left
	features []string            // what the guild has beyond others
	rank     int                 // position of the bot's role
	mayRoles bool
}

// Permissions of a bot that nobody has restricted (https://discord.com/developers/docs/topics/permissions).
const (
	MayView    = 1 << 10
	MaySend    = 1 << 11
	MayAttach  = 1 << 15
	MayThreads = 1 << 38
	MayManage  = 1 << 4 // manage channels
	MayAll     = MayView | MaySend | MayAttach | MayThreads
)

// Permit sets the bot's permissions in the guild.
func (g *Guild) Permit(permissions uint64) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.may = permissions
}

// RemoveBot removes the bot from the guild. People who have installed the bot for themselves can still use it there.
func (g *Guild) RemoveBot() {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.gone = true
}

// Tell tells the bot that it was added to the guild or removed from it. With outage, it tells the bot that the guild is
// unavailable. From then on, the bot is also told of the guild at the start of each session, as Discord does.
func (g *Guild) Tell(added, outage bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	if !outage {
		if added && g.gone {
			g.since = time.Now()
		}
		g.gone = !added
	}
	g.told = true
	kind, event := "GUILD_DELETE", object{"id": g.ID}
	if added {
		kind, event = "GUILD_CREATE", g.event()
	}
	if outage {
		event = object{"id": g.ID, "unavailable": true}
	}
	g.s.dispatch(g.ID, kind, event)
}

// event returns the guild as Discord describes it. s.mu must be held.
// https://discord.com/developers/docs/events/gateway-events#guild-create
func (g *Guild) event() object {
	channels := []any{}
	for _, id := range slices.Sorted(maps.Keys(g.s.channels)) {
		if c := g.s.channels[id]; c.guild == g && !c.thread {
			channels = append(channels, object{"id": id, "type": 0, "name": c.Name, "position": len(channels), "permission_overwrites": []any{}})
		}
	}
	return object{
		"id": g.ID, "name": "Players", "preferred_locale": g.Locale, "system_channel_id": nil, "channels": channels,
		"joined_at": g.since.UTC().Format(time.RFC3339Nano),
		"roles":     []any{object{"id": g.ID, "name": "@everyone", "permissions": strconv.FormatUint(g.may, 10)}},
		"members":   []any{object{"user": object{"id": g.s.app}, "roles": []any{}}},
	}
}

// Channel is a guild's channel or thread, or one person's chat with the bot.
type Channel struct {
	ID   string
	Name string

	s        *Server
	guild    *Guild
	thread   bool
	archived bool
	locked   bool    // only people who manage threads can write there or reopen it
	private  bool    // a thread that only its members see
	invited  bool    // the bot is a member of the private thread
	person   *Person // Person whose direct messages with the bot these are
	messages []*message
}

// Message is a copy of a message at the time when the test looked.
type Message struct {
	ID        string
	Text      string // all texts, one per line, with markup as sent
	Beside    string // address of the picture beside its first texts
	Alt       string // the descriptions of its pictures, one per line
	Buttons   []Button
	Menus     []Menu
	Files     []File
	Ephemeral bool
	Loading   bool     // the bot is "thinking"
	Edits     int      // number of edits
	Called    []string // ids of the people whom it mentioned when it was new
	For       *Person  // the only person who sees it, or nil
	Tokens    []string // valid tokens of the interactions that it answers, by which it can be edited
	Nonce     string   // with which the bot sent it

	m *message
}

// Button is a button of a Message.
type Button struct {
	Label    string
	CustomID string
	URL      string // the address that the button opens; it has no CustomID then
	Style    int
	Off      bool
}

// Menu is a select menu of a Message.
type Menu struct {
	CustomID string
	Options  []Option
}

// Option is one choice of a Menu.
type Option struct {
	Label   string `json:"label"`
	Value   string `json:"value"`
	Default bool   `json:"default,omitempty"`
}

// String returns the message as a person sees it.
func (m Message) String() string {
	var b strings.Builder
	if m.Ephemeral {
		b.WriteString("(only you) ")
	}
	if m.Loading {
		b.WriteString("(thinking) ")
	}
	b.WriteString(m.Text)
	for _, menu := range m.Menus {
		for _, o := range menu.Options {
			if o.Default {
				fmt.Fprintf(&b, " <%s>", o.Label)
			} else {
				fmt.Fprintf(&b, " {%s}", o.Label)
			}
		}
	}
	for _, button := range m.Buttons {
		if button.Off {
			fmt.Fprintf(&b, " (%s)", button.Label)
		} else {
			fmt.Fprintf(&b, " [%s]", button.Label)
		}
	}
	return b.String()
}

// Delete deletes the message, like a moderator.
func (m Message) Delete() {
	s := m.m.channel.s
	s.mu.Lock()
	defer s.mu.Unlock()
	m.m.deleted = true
	s.wake()
}

// Button returns the message's button with that label. It returns false if there is none that can be pressed.
func (m Message) Button(label string) (Button, bool) {
	n := slices.IndexFunc(m.Buttons, func(b Button) bool { return b.Label == label && !b.Off })
	if n < 0 {
		return Button{}, false
	}
	return m.Buttons[n], true
}

// Interaction is one use of a command, a button or a menu.
type Interaction struct {
	s        *Server
	id       string
	token    string
	what     string
	person   *Person
	channel  *Channel
	message  *message      // message with the pressed button
	at       time.Time     // when it was made
	created  time.Duration // the same by the server's clock
	kind     int           // type of the first answer; 0 before
	original *message
	expired  bool
	late     bool     // the bot need not answer it, because it came too late
	choices  []Option // suggestions for a person who is typing
	modal    *Form    // the modal that it opened, or nil
	event    object   // as the gateway sent it
	capture  *signed  // as the endpoint received it
	replayed bool     // it was sent to two sessions, or capture again, so a second answer is not the bot's fault
}

// NewPerson returns a new person.
func (s *Server) NewPerson(name string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &Person{s: s, ID: s.id(), Name: name, Locale: "en-US"}
	p.dm = &Channel{s: s, ID: s.id(), Name: "direct messages of " + name, person: p}
	s.people[p.ID], s.channels[p.dm.ID] = p, p.dm
	return p
}

// NewGuild returns a guild that the bot has been in for a month. The bot learns of it when its next session begins. Only the owner may manage it.
func (s *Server) NewGuild(owner *Person) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	g := &Guild{s: s, ID: strconv.Itoa(s.last << 22), Locale: "en-US", owner: owner, may: MayAll, rank: 5, members: map[string][]string{}, left: map[string]bool{}, since: time.Now().AddDate(0, -1, 0)} // a large id like Discord's, because it determines the shard
	s.guilds = append(s.guilds, g)
	return g
}

// NewChannel adds a channel to the guild.
func (g *Guild) NewChannel(name string) *Channel {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	c := &Channel{s: g.s, ID: g.s.id(), Name: name, guild: g}
	g.s.channels[c.ID] = c
	return c
}

// NewThread adds a thread to the guild.
func (g *Guild) NewThread(name string) *Channel {
	c := g.NewChannel(name)
	c.thread = true
	return c
}

// NewPrivateThread adds a private thread, of which the bot is not a member.
func (g *Guild) NewPrivateThread(name string) *Channel {
	c := g.NewThread(name)
	c.private = true
	return c
}

// Invite adds the bot to a private thread.
func (c *Channel) Invite() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.invited = true
}

// Lock locks or unlocks a thread. Only people who manage threads can write in a locked one.
func (c *Channel) Lock(locked bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.locked = locked
}

// Archive closes a thread, like Discord does when nobody has written for a while. A new message reopens it, unless it
// is locked.
func (c *Channel) Archive(locked bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.archived, c.locked = true, locked
}

// Archived reports whether the thread is closed.
func (c *Channel) Archived() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.archived
}

// NewPrivate returns a private chat between people, without the bot.
func (s *Server) NewPrivate() *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &Channel{s: s, ID: s.id()}
	s.channels[c.ID] = c
	return c
}

// Remove removes a channel.
func (s *Server) Remove(c *Channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.channels, c.ID)
}

// DM returns the person's private chat with the bot.
func (p *Person) DM() *Channel { return p.dm }

// Rename gives the person another name.
func (p *Person) Rename(name string) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.Name = name
}

// RefuseDMs sets whether the person accepts no direct messages from the bot.
func (p *Person) RefuseDMs(no bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.noDMs = no
}

// Sees returns the messages that the person sees in the channel, oldest first.
func (p *Person) Sees(c *Channel) []Message {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	var out []Message
	for _, m := range c.messages {
		if !m.deleted && (m.only == nil || m.only == p) && (c.person == nil || c.person == p) {
			out = append(out, m.snapshot())
		}
	}
	return out
}

// Messages returns the messages in the channel, also those that only one person sees, oldest first.
func (c *Channel) Messages() (all []Message) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, m := range c.messages {
		if !m.deleted {
			all = append(all, m.snapshot())
		}
	}
	return all
}

// Does presses the button with that data, or chooses the option, even if the message has neither.
func (p *Person) Does(m Message, data string) *Interaction {
	for _, menu := range m.Menus {
		for _, o := range menu.Options {
			if o.Value == data {
				return p.Choose(m, o.Label)
			}
		}
	}
	return p.Press(m, data)
}

// Slash uses /sedma with a subcommand, as "name" or "group name", and its options, which are strings or whole numbers. It waits
// until the bot has registered commands, since people don't see any before.
func (p *Person) Slash(c *Channel, name string, options map[string]any) *Interaction {
	p.s.tb.Helper()
	given := []any{}
	for option, value := range options {
		kind := 3
		if _, ok := value.(int); ok {
			kind = 4
		}
		given = append(given, object{"name": option, "type": kind, "value": value})
	}
	p.s.Until("/sedma is registered", func() bool { return len(p.s.Commands()) > 0 })
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	i := &Interaction{person: p, channel: c, what: "/sedma " + name}
	group, in, grouped := strings.Cut(name, " ")
	sub := object{"name": group, "type": 1, "options": given}
	if grouped {
		sub = object{"name": group, "type": 2, "options": []any{object{"name": in, "type": 1, "options": given}}}
	}
	p.s.begin(i, object{"type": 2, "data": object{"id": "1", "type": 1, "name": "sedma", "options": []any{sub}}})
	return i
}

// avatar returns the hash of the person's picture as Discord sends it.
func (p *Person) avatar() any {
	if p.Avatar == "" {
		return nil
	}
	return p.Avatar
}

// user returns what Discord says about a person, or about the bot. s.mu must be held.
func (s *Server) user(id string) (any, *refusal) {
	if id == "@me" {
		return object{"id": s.app, "username": "sedmabot", "bot": true}, nil
	}
	p := s.people[id]
	if p == nil {
		return nil, &refusal{status: 404, code: 10013, text: "Unknown User"}
	}
	return object{"id": p.ID, "username": strings.ToLower(p.Name), "global_name": p.Name, "discriminator": "0", "avatar": p.avatar()}, nil
}

// InviteTo uses the command in the menu of another person.
func (p *Person) InviteTo(c *Channel, other *Person, bot bool) *Interaction {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	i := &Interaction{person: p, channel: c, what: "Play Sedma on " + other.Name}
	p.s.begin(i, object{"type": 2, "data": object{
		"id": "2", "type": 2, "name": "Play Sedma", "target_id": other.ID,
		"resolved": object{"users": object{other.ID: object{"id": other.ID, "username": strings.ToLower(other.Name), "global_name": other.Name, "bot": bot, "avatar": other.avatar()}}},
	}})
	return i
}

// Click presses the button with that label. If the message has none, the test fails.
func (p *Person) Click(m Message, label string) *Interaction {
	p.s.tb.Helper()
	b, ok := m.Button(label)
	if !ok {
		p.s.tb.Fatalf("discord: there is no button %q to press on: %v", label, m)
	}
	return p.Press(m, b.CustomID)
}

// Press presses a button with that custom id, even if the message has no such button.
func (p *Person) Press(m Message, customID string) *Interaction {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	i := &Interaction{person: p, channel: m.m.channel, message: m.m, what: "a press of " + customID}
	p.s.begin(i, object{
		"type":    3,
		"data":    object{"custom_id": customID, "component_type": 2},
		"message": m.m.event(),
	})
	return i
}

// Choose chooses the option with that label in a menu of the message. If there is none, the test fails.
func (p *Person) Choose(m Message, label string) *Interaction {
	p.s.tb.Helper()
	for _, menu := range m.Menus {
		for _, o := range menu.Options {
			if o.Label != label {
				continue
			}
			p.s.mu.Lock()
			defer p.s.mu.Unlock()
			i := &Interaction{person: p, channel: m.m.channel, message: m.m, what: "the choice of " + label}
			p.s.begin(i, object{
				"type":    3,
				"data":    object{"custom_id": menu.CustomID, "component_type": typeSelect, "values": []any{o.Value}},
				"message": m.m.event(),
			})
			return i
		}
	}
	p.s.tb.Fatalf("discord: there is no option %q to choose on: %v", label, m)
	return nil
}

// Type types in an option of a subcommand of /sedma, with the given values of the other options. It returns the bot's
// suggestions.
func (p *Person) Type(c *Channel, name, option, typed string, others map[string]any) []Option {
	p.s.tb.Helper()
	given := []any{object{"name": option, "type": 3, "value": typed, "focused": true}}
	for other, value := range others {
		kind := 3
		if _, ok := value.(int); ok {
			kind = 4
		}
		given = append(given, object{"name": other, "type": kind, "value": value})
	}
	i := &Interaction{person: p, channel: c, what: "typing " + option}
	p.s.mu.Lock()
	p.s.begin(i, object{"type": 4, "data": object{
		"id": "1", "type": 1, "name": "sedma",
		"options": []any{object{"name": name, "type": 1, "options": given}},
	}})
	p.s.mu.Unlock()
	p.s.Until("suggestions for "+option, func() bool {
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		return i.kind != 0
	})
	return i.choices
}

// begin delivers an interaction. s.mu must be held.
func (s *Server) begin(i *Interaction, event object) {
	i.s, i.id, i.at, i.created, i.event = s, s.snowflake(s.now().Add(-s.late)), time.Now(), s.clock.Now()-s.late, event
	i.late = s.late > firstAnswer
	i.token = "interaction-token-" + i.id + "-that-nobody-may-see"
	if !slices.Contains(s.interactions, i) {
		s.interactions = append(s.interactions, i)
	}
	event["id"], event["application_id"], event["token"], event["version"] = i.id, s.app, i.token, 1
	event["channel_id"], event["locale"] = i.channel.ID, i.person.Locale
	user := object{"id": i.person.ID, "username": strings.ToLower(i.person.Name), "global_name": i.person.Name, "discriminator": "0", "avatar": i.person.avatar()}
	if g := i.channel.guild; g != nil {
		permissions := "2048"
		if g.owner == i.person {
			permissions = "2080"
		}
		event["guild_id"], event["guild_locale"] = g.ID, g.Locale
		channel := object{"id": i.channel.ID, "type": i.channel.kind(), "name": i.channel.Name}
		if i.channel.thread {
			channel["thread_metadata"] = object{"archived": i.channel.archived, "locked": i.channel.locked}
		}
		event["channel"] = channel
		event["context"], event["app_permissions"] = 0, strconv.FormatUint(g.may, 10)
		event["authorizing_integration_owners"] = object{"0": g.ID}
		if g.gone {
			event["authorizing_integration_owners"] = object{"1": i.person.ID}
		}
		event["member"] = object{"user": user, "nick": nil, "permissions": permissions, "roles": []any{}}
	} else {
		event["user"] = user
		event["channel"] = object{"id": i.channel.ID, "type": 1}
		event["context"], event["authorizing_integration_owners"] = 1, object{"0": "0"}
		if i.channel.person == nil {
			event["context"], event["authorizing_integration_owners"] = 2, object{"1": i.person.ID}
		}
	}
	guild, _ := event["guild_id"].(string)
	if s.endpoint != "" {
		body, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		i.capture = s.sign(body, body)
		go s.deliver(i, s.endpoint)
	} else {
		i.replayed = s.dispatch(guild, "INTERACTION_CREATE", event) > 1
	}
	s.wake()
}

// Repeat sends the interaction to the bot again, like after a resumed session.
func (i *Interaction) Repeat() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	guild, _ := i.event["guild_id"].(string)
	i.s.dispatch(guild, "INTERACTION_CREATE", i.event)
}

// Replay sends a recorded request of the interaction to a URL, like an attacker would. It returns the status of the
// answer.
func (i *Interaction) Replay(url string) int {
	i.s.mu.Lock()
	capture := i.capture
	i.replayed = true
	i.s.mu.Unlock()
	status, _ := capture.send(url)
	return status
}

// onlyIf returns the only person who sees the answer if its flags say ephemeral, or nil.
func (i *Interaction) onlyIf(flags int) *Person {
	if flags&flagEphemeral != 0 {
		return i.person
	}
	return nil
}

// Expire makes the interaction's token expire.
func (i *Interaction) Expire() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.expired = true
}

// lostAfter is a time after which nothing answers an interaction any more that the bot found too old.
const lostAfter = 3 * firstAnswer

// lost reports whether this machine was too busy to bring the interaction to the bot in time, so that nothing answers it. On an
// idle machine, a bot that doesn't answer is at fault. i.s.mu must be held.
func (i *Interaction) lost() bool {
	passed := time.Since(i.at)
	return i.kind == 0 && !i.late && passed > lostAfter && i.s.clock.Now()-i.created < passed*2/3
}

// First waits for the first answer, or returns an error when ctx ends.
func (i *Interaction) First(ctx context.Context) error {
	for {
		i.s.mu.Lock()
		changed, there := i.s.changed, i.kind != 0
		i.s.mu.Unlock()
		if there {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for the answer to %s: %w", i.what, ctx.Err())
		}
	}
}

// Wait waits for the final answer, not just a deferred one. It returns the answer's message, or false if there is none;
// a press may be answered without a message. Like people, it presses again if the interaction was lost.
func (i *Interaction) Wait() (Message, bool) {
	i.s.tb.Helper()
	look := time.AfterFunc(lostAfter, func() {
		i.s.mu.Lock()
		defer i.s.mu.Unlock()
		i.s.wake()
	})
	defer look.Stop()
	i.s.Until("the answer to "+i.what+" of "+i.person.Name, func() bool {
		i.s.mu.Lock()
		defer i.s.mu.Unlock()
		if i.lost() {
			i.s.begin(i, i.event)
			look.Reset(lostAfter)
		}
		return i.kind != 0 && (i.original == nil || !i.original.loading || i.original.deleted)
	})
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if i.original == nil || i.kind == 6 || i.original.deleted {
		return Message{}, false
	}
	return i.original.snapshot(), true
}
