package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// chatMember is what a person or the bot is in a chat, with what the client library doesn't
// know of them. https://core.telegram.org/bots/api#chatmember
type chatMember struct {
	Status  string `json:"status"`
	Present bool   `json:"is_member"` // set only for a restricted member
	Tag     string `json:"tag"`
	MayTag  bool   `json:"can_manage_tags"` // set only for an administrator
}

// manages reports whether the person is an administrator.
func (m chatMember) manages() bool { return m.Status == "creator" || m.Status == "administrator" }

// absent reports whether the member has left the chat, or was removed.
func (m chatMember) absent() bool {
	return m.Status == "left" || m.Status == "kicked" || m.Status == "restricted" && !m.Present
}

// Member asks Telegram whether a person is a member of a chat, or of the chat of a topic.
func (a *Adapter) Member(ctx context.Context, chat, player string) (bool, error) {
	peer, _, ok := parseChat(chat)
	person, _, ok2 := parseChat(player)
	if !ok || !ok2 || peer == person {
		return ok && ok2, nil // a private chat has one member
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	m, err := a.client.knownMember(ctx, peer, person)
	return m.Status == "member" || m.manages() || m.Status == "restricted" && m.Present, err
}

// knownMember works like member, but follows a group to its new id, and if Telegram refuses
// to say, the answer is empty. It returns an error only if a retry may work.
func (c *client) knownMember(ctx context.Context, chat, person int64) (chatMember, error) {
	m, err := c.member(ctx, chat, person)
	if err == nil {
		return m, err
	}
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.MigrateToChatID != 0 {
		return c.knownMember(ctx, refused.MigrateToChatID, person)
	}
	c.log.Debug("ask what someone is in a chat", "err", clean(err))
	if refused != nil && (refused.Code == http.StatusBadRequest || refused.Code == http.StatusForbidden) {
		return m, nil
	}
	return m, err
}

// member asks Telegram what a person is in a chat.
// https://core.telegram.org/bots/api#getchatmember
func (c *client) member(ctx context.Context, chat, person int64) (m chatMember, err error) {
	result, err := c.call(ctx, "getChatMember", tgbotapi.Params{
		"chat_id": strconv.FormatInt(chat, 10),
		"user_id": strconv.FormatInt(person, 10),
	})
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(result, &m); err != nil {
		return chatMember{}, errNoJSON
	}
	return m, nil
}
