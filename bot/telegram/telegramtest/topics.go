package telegramtest

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
