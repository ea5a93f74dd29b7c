package discordtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Person is somebody on Discord.
type Person struct {
	ID     string
	Name   string
	Locale string // "en-US" unless the test sets another before it starts

	s     *Server
	dm    *Channel
	noDMs bool
}

// Guild is a server of Discord's.
type Guild struct {
	ID     string
	Locale string

	s     *Server
	owner *Person
	may   uint64 // what the bot may do there
	gone  bool   // the bot is not there
}

// What a bot may do where nobody has forbidden it anything
// (https://discord.com/developers/docs/topics/permissions).
const (
	MayView    = 1 << 10
	MaySend    = 1 << 11
	MayAttach  = 1 << 15
	MayThreads = 1 << 38
	MayAll     = MayView | MaySend | MayAttach | MayThreads
)

// Permit makes permissions all that the bot has in the guild.
func (g *Guild) Permit(permissions uint64) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.may = permissions
}

// RemoveBot makes the guild one in which the bot is not. People can call it there
// all the same, as they can who have installed it for themselves.
func (g *Guild) RemoveBot() {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.gone = true
}

// Tell tells the bot that it was added to the guild or removed from it; or, with
// outage, that the guild cannot be reached.
func (g *Guild) Tell(added, outage bool) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	kind, event := "GUILD_DELETE", object{"id": g.ID}
	if added {
		kind = "GUILD_CREATE"
	}
	if outage {
		event["unavailable"] = true
	}
	g.s.dispatch(g.ID, kind, event)
}

// Channel is a place for messages: of a guild, or of one person and the bot.
type Channel struct {
	ID   string
	Name string

	s        *Server
	guild    *Guild
	thread   bool
	archived bool
	locked   bool    // only its managers can write there, and open it again
	private  bool    // a thread that only those see who are in it
	invited  bool    // so is the bot
	person   *Person // whose direct messages with the bot they are
	messages []*message
}

// Message is what stood in a channel when the test looked.
type Message struct {
	ID        string
	Text      string // all texts, a line each; markup as it was sent
	Buttons   []Button
	Menus     []Menu
	Files     []File
	Ephemeral bool
	Loading   bool     // the bot is thinking
	Edits     int      // how often it was changed
	Called    []string // the ids of the people whom it called when it was new

	m *message
}

// Button is a button of a Message.
type Button struct {
	Label    string
	CustomID string
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

// String is the message as a person sees it.
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

// Delete deletes the message, as a moderator does.
func (m Message) Delete() {
	s := m.m.channel.s
	s.mu.Lock()
	defer s.mu.Unlock()
	m.m.deleted = true
	s.wake()
}

// Button is the message's button with that label, and whether there is one that can be pressed.
func (m Message) Button(label string) (Button, bool) {
	n := slices.IndexFunc(m.Buttons, func(b Button) bool { return b.Label == label && !b.Off })
	if n < 0 {
		return Button{}, false
	}
	return m.Buttons[n], true
}

// Interaction is one use of a command or a button.
type Interaction struct {
	s        *Server
	id       string
	token    string
	what     string
	person   *Person
	channel  *Channel
	message  *message      // that was pressed
	created  time.Duration // on the server's clock
	kind     int           // of the first answer; 0 until then
	original *message
	expired  bool
	late     bool     // it reached the bot when nobody waited any more
	choices  []Option // the answer to somebody who types
	event    object   // as the bot got it
	capture  *signed  // as the endpoint got it
	replayed bool     // capture was sent again: Discord refuses a second answer, which is no error of the bot
}

// NewPerson makes a person.
func (s *Server) NewPerson(name string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &Person{s: s, ID: s.id(), Name: name, Locale: "en-US"}
	p.dm = &Channel{s: s, ID: s.id(), Name: "direct messages of " + name, person: p}
	s.people[p.ID], s.channels[p.dm.ID] = p, p.dm
	return p
}

// NewGuild makes a guild that the bot is in. Its owner may manage it, all others may not.
func (s *Server) NewGuild(owner *Person) *Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return &Guild{s: s, ID: strconv.Itoa(s.last << 22), Locale: "en-US", owner: owner, may: MayAll} // as large as Discord's: it says the shard
}

// NewChannel makes a channel.
func (g *Guild) NewChannel(name string) *Channel {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	c := &Channel{s: g.s, ID: g.s.id(), Name: name, guild: g}
	g.s.channels[c.ID] = c
	return c
}

// NewThread makes a thread.
func (g *Guild) NewThread(name string) *Channel {
	c := g.NewChannel(name)
	c.thread = true
	return c
}

// NewPrivateThread makes a thread that only those see who were brought into it, of
// whom the bot is none.
func (g *Guild) NewPrivateThread(name string) *Channel {
	c := g.NewThread(name)
	c.private = true
	return c
}

// Invite brings the bot into a private thread.
func (c *Channel) Invite() {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.invited = true
}

// Lock lets only those write in a thread who manage threads.
func (c *Channel) Lock(locked bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.locked = locked
}

// Archive closes a thread, as Discord does when nobody has written for a while.
// Who writes opens it again, unless it is locked.
func (c *Channel) Archive(locked bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.archived, c.locked = true, locked
}

// Archived tells whether the thread is closed.
func (c *Channel) Archived() bool {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.archived
}

// NewPrivate makes direct messages between people, without the bot.
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

// DM is where the person and the bot are alone.
func (p *Person) DM() *Channel { return p.dm }

// RefuseDMs closes the person's direct messages to the bot, or opens them.
func (p *Person) RefuseDMs(no bool) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.noDMs = no
}

// Sees are the messages that the person sees in the channel, oldest first.
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

// Slash uses /sedma with a subcommand and its options: strings and whole numbers.
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
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	if len(p.s.commands) == 0 {
		p.s.tb.Fatalf("discord: /sedma %s: no command is registered", name)
	}
	i := &Interaction{person: p, channel: c, what: "/sedma " + name}
	p.s.begin(i, object{"type": 2, "data": object{
		"id": "1", "type": 1, "name": "sedma",
		"options": []any{object{"name": name, "type": 1, "options": given}},
	}})
	return i
}

// Click presses the button with that label. The test fails if the message has none.
func (p *Person) Click(m Message, label string) *Interaction {
	p.s.tb.Helper()
	b, ok := m.Button(label)
	if !ok {
		p.s.tb.Fatalf("discord: there is no button %q to press on: %v", label, m)
	}
	return p.Press(m, b.CustomID)
}

// Press presses a button by its data, be it on the message or made up.
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

// Choose takes the option with that label from a menu of the message. The test
// fails if there is none.
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

// Type types an option of /sedma with a subcommand, with what is said of the
// others, and returns what the bot suggests.
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

// begin delivers an interaction. The lock is held.
func (s *Server) begin(i *Interaction, event object) {
	i.s, i.id, i.created, i.event = s, s.snowflake(s.now().Add(-s.late)), s.clock.Now()-s.late, event
	i.late = s.late > firstAnswer
	i.token = "interaction-token-" + i.id + "-that-nobody-may-see"
	s.interactions = append(s.interactions, i)
	event["id"], event["application_id"], event["token"], event["version"] = i.id, s.app, i.token, 1
	event["channel_id"], event["locale"] = i.channel.ID, i.person.Locale
	user := object{"id": i.person.ID, "username": strings.ToLower(i.person.Name), "global_name": i.person.Name, "discriminator": "0"}
	if g := i.channel.guild; g != nil {
		permissions := "2048"
		if g.owner == i.person {
			permissions = "2080"
		}
		event["guild_id"], event["guild_locale"] = g.ID, g.Locale
		channel := object{"id": i.channel.ID, "type": 0, "name": i.channel.Name}
		if i.channel.thread {
			channel["type"], channel["thread_metadata"] = 11, object{"archived": i.channel.archived, "locked": i.channel.locked}
		}
		if i.channel.private {
			channel["type"] = 12
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
		s.dispatch(guild, "INTERACTION_CREATE", event)
	}
	s.wake()
}

// Repeat has the bot get the interaction again, as after a session was resumed.
func (i *Interaction) Repeat() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	guild, _ := i.event["guild_id"].(string)
	i.s.dispatch(guild, "INTERACTION_CREATE", i.event)
}

// Replay sends the request that brought the interaction to the endpoint to an
// address, as somebody does who has recorded it. It returns the answer's status.
func (i *Interaction) Replay(url string) int {
	i.s.mu.Lock()
	capture := i.capture
	i.replayed = true
	i.s.mu.Unlock()
	status, _ := capture.send(url)
	return status
}

// onlyIf is the person of an ephemeral message, or nil.
func (i *Interaction) onlyIf(flags int) *Person {
	if flags&flagEphemeral != 0 {
		return i.person
	}
	return nil
}

// Expire ends the life of the interaction's token.
func (i *Interaction) Expire() {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.expired = true
}

// Wait waits for the answer, not for being told to wait. It returns the message
// that the answer is, and whether it is one: a press may be answered silently.
func (i *Interaction) Wait() (Message, bool) {
	i.s.tb.Helper()
	i.s.Until("the answer to "+i.what+" of "+i.person.Name, func() bool {
		i.s.mu.Lock()
		defer i.s.mu.Unlock()
		return i.kind != 0 && (i.original == nil || !i.original.loading || i.original.deleted)
	})
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	if i.kind == 6 || i.original.deleted {
		return Message{}, false
	}
	return i.original.snapshot(), true
}
