package telegramtest

import (
	"maps"
	"net/http"
	"unicode/utf8"
)

// createTopic runs createForumTopic, which this server has only for private chats.
// https://core.telegram.org/bots/api#createforumtopic
func (s *Server) createTopic(p map[string]string) (any, *refusal) {
	c, refused := s.reach(p)
	name := p["name"]
	switch {
	case !s.Topics:
		s.problem("createForumTopic: the bot's private chats have no topics")
		return nil, bad("the chat is not a forum")
	case s.NoCreate:
		return nil, refuse(http.StatusBadRequest, "Bad Request: the chat is not a forum")
	case refused != nil:
		return nil, refused
	case c.person == nil:
		s.problem("createForumTopic: in a group")
		return nil, bad("not enough rights to create a topic")
	case utf8.RuneCountInString(name) < 1 || utf8.RuneCountInString(name) > 128:
		s.problem("createForumTopic: the name %q", name)
		return nil, bad("TOPIC_TITLE_EMPTY")
	}
	c.lastID++
	if c.topics == nil {
		c.topics = map[int64]string{}
	}
	c.topics[c.lastID] = name
	c.touched()
	return map[string]any{"message_thread_id": c.lastID, "name": name, "icon_color": 7322096}, nil
}

// inTopic returns the refusal of a message to a topic of a private chat that doesn't exist. A private chat without topics
// has no threads.
func (s *Server) inTopic(c *Chat, m *Message) *refusal {
	switch {
	case c.person == nil || m.Thread == 0:
	case !s.Topics:
		m.Thread = 0
	case c.topics[m.Thread] == "":
		return bad("message thread not found")
	}
	return nil
}

// Topics returns the names of the topics of a private chat, by number.
func (c *Chat) Topics() map[int64]string {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return maps.Clone(c.topics)
}

// Topic creates a topic in a private chat, as a person would.
func (c *Chat) Topic(name string) int64 {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.lastID++
	if c.topics == nil {
		c.topics = map[int64]string{}
	}
	c.topics[c.lastID] = name
	return c.lastID
}

// DeleteTopic deletes a topic of a private chat with all its messages, as a person would.
func (c *Chat) DeleteTopic(topic int64) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	delete(c.topics, topic)
	for _, m := range c.messages {
		if m.Thread == topic {
			m.deleted = true
		}
	}
	c.touched()
	c.s.change()
}
