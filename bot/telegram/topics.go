package telegram

import (
	"fmt"
	"strconv"

	"sedmabot/bot/chat"
)

// A person may have topics in their private chat. The bot answers in the topic where they write.

// threadOf returns the number of a topic in a private chat, or 0.
func threadOf(topic string) int64 {
	thread, err := strconv.ParseInt(topic, 10, 64)
	if err != nil || thread < 0 {
		return 0
	}
	return thread
}

// topic returns the topic of the private chat that the message is in, or "".
func (m *message) topic() string {
	if m == nil || !m.Topic || m.Chat.Type != "private" {
		return ""
	}
	return strconv.FormatInt(m.Thread, 10)
}

// topicGone returns the error of a message to a topic that its reader has deleted or closed. For other errors it returns nil.
func topicGone(to chat.Target, err error) error {
	if to.Topic == "" {
		return nil
	}
	for _, why := range []string{"thread not found", "TOPIC_DELETED", "TOPIC_CLOSED", "TOPIC_ID_INVALID"} {
		if refusedWith(err, why) {
			return &chat.DeliveryError{Fault: chat.Gone, Err: fmt.Errorf("%w: %w", chat.ErrNoTopic, err)}
		}
	}
	return nil
}
