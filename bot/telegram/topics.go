package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
)

// A private chat can have topics if the bot's owner has turned them on at BotFather, which getMe says since Bot API 9.3.
// Bots can create them since 9.4. If that is refused, the private chat gets no topics for absentFor.
// https://core.telegram.org/bots/api#createforumtopic

// maxTopicName is the maximum length of a topic's name, in characters.
const maxTopicName = 128

// errNoTopics reports a private chat that has just refused a topic.
var errNoTopics = errors.New("the private chat takes no topics")

// HasTopics reports whether private chats can have topics.
func (o *outbox) HasTopics() bool { return o.client.topics.Load() }

// OpenTopic creates a topic in a person's private chat.
func (o *outbox) OpenTopic(ctx context.Context, player, name string) (string, error) {
	peer, _, ok := targetChat(chat.Target{Player: player})
	if !ok {
		return "", invalid(errForeign)
	}
	if o.refused.has(peer, kindTopic) {
		return "", invalid(errNoTopics)
	}
	result, err := o.deliver(ctx, peer, "createForumTopic", tgbotapi.Params{
		"chat_id": strconv.FormatInt(peer, 10),
		"name":    cut(name, maxTopicName),
	})
	if d := new(chat.DeliveryError); errors.As(err, &d) && d.Fault == chat.Invalid || unknownMethod(err) {
		o.refused.note(peer, kindTopic, absentFor)
		o.log.Info("a private chat takes no topics")
	}
	if err != nil {
		return "", err
	}
	var made struct {
		Thread int64 `json:"message_thread_id"`
	}
	if err := json.Unmarshal(result, &made); err != nil || made.Thread <= 0 {
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: errNoJSON}
	}
	return strconv.FormatInt(made.Thread, 10), nil
}

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
