package telegramtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Person returns a new person whose app is in English.
func (s *Server) Person(first string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	p := &Person{ID: s.next, First: first, Lang: "en", s: s}
	s.people[p.ID] = p
	s.chats[p.ID] = &Chat{ID: p.ID, s: s, person: p, reacted: map[int64]string{}}
	return p
}

// Group returns a new supergroup. Its first member is an administrator.
func (s *Server) Group(title string, members ...*Person) *Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.supergroup(title)
	for i, p := range members {
		c.admins[p.ID] = i == 0
	}
	return c
}

// supergroup returns an empty supergroup. s.mu must be held.
func (s *Server) supergroup(title string) *Chat {
	s.next++
	c := &Chat{ID: -1000000000000 - s.next, Title: title, s: s, bot: "member", admins: map[int64]bool{}, gone: map[int64]bool{},
		closed: map[int64]bool{}, tags: map[int64]string{}, reacted: map[int64]string{}, commands: map[int64]*Person{}}
	s.chats[c.ID] = c
	return c
}

// Leave ends a person's membership of a group. The bot isn't told.
func (p *Person) Leave(c *Chat) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	c.gone[p.ID] = true
}

// Upgrade turns a group into a supergroup. It doesn't tell the bot; TellUpgrade does.
func (c *Chat) Upgrade() *Chat {
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.supergroup(c.Title)
	now.admins = c.admins
	c.became = now.ID
	return now
}

// TellUpgrade sends one of the two service messages about the upgrade: the group's or the supergroup's.
// https://core.telegram.org/bots/api#message
func (c *Chat) TellUpgrade(inGroup bool) {
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if inGroup {
		s.push("message", map[string]any{"message_id": 1, "date": time.Now().Unix(), "chat": c.body(), "migrate_to_chat_id": c.became})
		return
	}
	now := s.chats[c.became]
	s.push("message", map[string]any{"message_id": 1, "date": time.Now().Unix(), "chat": now.body(), "migrate_from_chat_id": c.ID})
}

// BotIs tells the bot its new status in the chat: "member", "left" or "kicked". The person made it so.
// https://core.telegram.org/bots/api#chatmemberupdated
func (c *Chat) BotIs(status string, by *Person) {
	s := c.s
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	s.push("my_chat_member", map[string]any{
		"chat": c.body(), "date": 1700000000 + s.changes, "from": by.body(),
		"old_chat_member": map[string]any{"status": c.bot}, "new_chat_member": map[string]any{"status": status},
	})
	c.bot = status
}

// Mute takes or gives back the bot's right to write in the chat.
func (c *Chat) Mute(mute bool) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.mute = mute
}

// Private returns the person's private chat with the bot.
func (p *Person) Private() *Chat {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	return p.s.chats[p.ID]
}

// Start starts the private chat with the bot, with a deep link's payload or "".
func (p *Person) Start(payload string) {
	p.Say(p.Private(), strings.TrimSpace("/start "+payload))
}

// Rename gives the person another name.
func (p *Person) Rename(first string) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.First = first
}

// Block makes the person block the bot.
func (p *Person) Block() {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	p.blocked = true
}

// Say writes a text in a chat and returns the message's id.
func (p *Person) Say(c *Chat, text string) int64 { return p.SayIn(c, 0, text) }

// SayIn is like Say, but in a topic of a forum.
func (p *Person) SayIn(c *Chat, topic int64, text string) int64 {
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.person == p {
		p.started, p.blocked = true, false
	}
	c.lastID++
	body := map[string]any{"message_id": c.lastID, "date": time.Now().Unix(), "chat": c.body(), "from": p.body(), "text": text}
	if topic != 0 {
		body["message_thread_id"], body["is_topic_message"] = topic, true
	}
	if c.person != nil || strings.HasPrefix(text, "/") { // in privacy mode, the bot sees only commands of a group
		s.push("message", body)
	}
	return c.lastID
}

// Message sends a message of a chat to the bot, with the given fields beside those of the chat.
// https://core.telegram.org/bots/api#message
func (c *Chat) Message(fields map[string]any) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.lastID++
	body := map[string]any{"message_id": c.lastID, "date": time.Now().Unix(), "chat": c.body()}
	maps.Copy(body, fields)
	c.s.push("message", body)
}

// Press presses m's first button whose label contains label, and waits for the answer. It uses m as it was when the
// test looked.
func (p *Person) Press(ctx context.Context, m Message, label string) (Answer, error) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Data != "" && strings.Contains(b.Label, label) {
				return p.PressData(ctx, m, b.Data)
			}
		}
	}
	return Answer{}, fmt.Errorf("no button %q under %q", label, m.Text)
}

// Ask writes "@bot text" in a chat where the bot isn't, and waits for the results, which are the answer's Text.
func (p *Person) Ask(ctx context.Context, text string) (Answer, error) {
	s := p.s
	s.mu.Lock()
	s.next++
	q := &query{id: strconv.FormatInt(s.next, 10), data: text, by: p, at: time.Now(), asks: true, done: make(chan struct{})}
	s.queries[q.id] = q
	s.push("inline_query", map[string]any{"id": q.id, "from": p.body(), "query": text, "offset": ""})
	s.mu.Unlock()
	select {
	case <-q.done:
		return q.answer, nil
	case <-ctx.Done():
		return Answer{}, fmt.Errorf("wait for the answer to %q: %w", text, ctx.Err())
	}
}

// PressData sends any data as if it came from a button of m, like a modified app can.
func (p *Person) PressData(ctx context.Context, m Message, data string) (Answer, error) {
	s := p.s
	s.mu.Lock()
	s.next++
	q := &query{id: strconv.FormatInt(s.next, 10), data: data, by: p, at: time.Now(), done: make(chan struct{})}
	s.queries[q.id] = q
	pressed := map[string]any{"id": q.id, "from": p.body(), "chat_instance": "1", "data": data}
	if c := s.chats[m.Chat]; c.inline != "" {
		pressed["inline_message_id"] = c.inline
	} else {
		pressed["message"] = m.body(c)
	}
	s.push("callback_query", pressed)
	s.mu.Unlock()
	select {
	case <-q.done:
		return q.answer, nil
	case <-ctx.Done():
		return Answer{}, fmt.Errorf("wait for the answer to %q: %w", data, ctx.Err())
	}
}

// Outdate makes all presses until now too old for an answer.
func (s *Server) Outdate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.queries {
		q.old = true
	}
}

// Reaction returns the bot's reaction to the message with that id, or "".
func (c *Chat) Reaction(id int64) string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return c.reacted[id]
}

// Messages returns the bot's messages that everybody in the chat sees, oldest first.
func (c *Chat) Messages() []Message {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	var out []Message
	for _, m := range c.messages {
		if !m.deleted && m.For == 0 {
			out = append(out, *m)
		}
	}
	return out
}

// Wait waits for a message of the bot for which ok returns true, and returns the newest one.
func (c *Chat) Wait(ctx context.Context, ok func(Message) bool) (Message, error) {
	var found Message
	err := c.s.Until(ctx, func() bool {
		for _, m := range c.Messages() {
			if ok(m) {
				found = m
			}
		}
		return found.ID != 0
	})
	if err != nil {
		var texts []string
		for _, m := range c.Messages() {
			texts = append(texts, fmt.Sprintf("%q", m.Text))
		}
		return found, fmt.Errorf("wait for a message in %d, which has %s: %w", c.ID, strings.Join(texts, ", "), err)
	}
	return found, nil
}

// Contains returns a condition for Wait: the text contains this one.
func Contains(text string) func(Message) bool {
	return func(m Message) bool { return strings.Contains(m.Text, text) }
}

// Has reports whether the message has a pressable button whose label contains this one.
func (m Message) Has(label string) bool {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Data != "" && strings.Contains(b.Label, label) {
				return true
			}
		}
	}
	return false
}

// Uploads returns the size in bytes of each photo that was uploaded to the chat.
func (c *Chat) Uploads() []int {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.uploads)
}
