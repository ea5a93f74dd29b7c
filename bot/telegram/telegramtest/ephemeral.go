package telegramtest

import (
	"encoding/json"
	"strconv"
	"time"
)

// Ephemerals says which version of ephemeral messages the server supports.
type Ephemerals int

// The versions of the Bot API.
const (
	EphemeralsNow     Ephemerals = iota // 10.3: with ephemeral_message_parameters
	EphemeralsEarlier                   // 10.2: the methods exist, but the parameter has another name
	EphemeralsNever                     // before 10.2: no ephemeral messages
)

// ephemeralWindow is how long after a press a bot may send an ephemeral message if it is not an administrator.
const ephemeralWindow = 15 * time.Second

// ephemeral returns the only person who will see the message of a call, or nil if everybody will.
// https://core.telegram.org/bots/api#ephemeral-messages-and-commands
func (s *Server) ephemeral(c *Chat, p map[string]string) (*Person, *refusal) {
	data := p["ephemeral_message_parameters"]
	if data == "" || s.Ephemerals != EphemeralsNow {
		return nil, nil
	}
	var given struct {
		Receiver int64  `json:"receiver_user_id"`
		Query    string `json:"callback_query_id"`
	}
	if err := json.Unmarshal([]byte(data), &given); err != nil {
		s.problem("sendMessage: ephemeral_message_parameters %s", data)
		return nil, bad("can't parse ephemeral message parameters JSON object")
	}
	to := s.people[given.Receiver]
	switch q := s.queries[given.Query]; {
	case c.person != nil:
		return nil, bad("PEER_ID_INVALID")
	case to == nil || c.gone[to.ID]:
		return nil, bad("USER_NOT_PARTICIPANT")
	case c.manager, q != nil && q.by == to && time.Since(q.at) <= ephemeralWindow:
		return to, nil
	}
	var reply struct {
		To int64 `json:"ephemeral_message_id"`
	}
	if data := p["reply_parameters"]; data != "" && json.Unmarshal([]byte(data), &reply) == nil && c.commands[reply.To] == to {
		return to, nil
	}
	return nil, bad("CHAT_ADMIN_REQUIRED")
}

// findEphemeral returns the ephemeral message that a call names.
func (s *Server) findEphemeral(p map[string]string) (*Message, *refusal) {
	c, refused := s.reach(p)
	if refused != nil {
		return nil, refused
	}
	for _, m := range c.messages {
		if m.Ephemeral != 0 && strconv.FormatInt(m.Ephemeral, 10) == p["ephemeral_message_id"] && strconv.FormatInt(m.For, 10) == p["receiver_user_id"] && !m.deleted {
			return m, nil
		}
	}
	return nil, bad("MESSAGE_ID_INVALID")
}

// Whisper sends an ephemeral command in a group. Only the bot sees it.
func (p *Person) Whisper(c *Chat, text string) {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	c.lastEphemeral++
	c.commands[c.lastEphemeral] = p
	s.push("message", map[string]any{
		"message_id": 0, "ephemeral_message_id": c.lastEphemeral, "date": time.Now().Unix(), "chat": c.body(), "from": p.body(), "text": text,
	})
}

// Ephemerals returns the ephemeral messages that the person sees in the group, oldest first.
func (p *Person) Ephemerals(c *Chat) []Message {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	var out []Message
	for _, m := range c.messages {
		if m.For == p.ID && !m.deleted {
			out = append(out, *m)
		}
	}
	return out
}

// Lose makes an ephemeral message vanish, like a restart of the app.
func (c *Chat) Lose(m Message) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, other := range c.messages {
		if other.Ephemeral == m.Ephemeral && other.ID == m.ID {
			other.deleted = true
		}
	}
	c.s.change()
}

// Promote sets whether the bot is an administrator of the group.
func (c *Chat) Promote(manager bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.manager = manager
}

// CloseTopic closes a topic of the forum. Only administrators can write there.
func (c *Chat) CloseTopic(topic int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.closed[topic] = true
}

// OpenTopic opens it again.
func (c *Chat) OpenTopic(topic int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.closed[topic] = false
}
