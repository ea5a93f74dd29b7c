package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
)

// Mark sets the tag beside a regular member's name in a group, or takes it away. The bot must
// be an administrator with the right can_manage_tags. The library doesn't know the method
// (https://core.telegram.org/bots/api#setchatmembertag).
func (a *Adapter) Mark(ctx context.Context, home, player string, was, next chat.Mark) (chat.Mark, error) {
	if err := a.unconnected(); err != nil {
		return was, err
	}
	group, _, ok := parseChat(home)
	if !ok || group > 0 {
		return was, &chat.MarkError{Why: chat.MarkRights}
	}
	mark, err := marker{a, group}.mark(ctx, player, was, next)
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.MigrateToChatID != 0 {
		mark, err = marker{a, refused.MigrateToChatID}.mark(ctx, player, was, next) // the home keeps the group's former id
	}
	var why *chat.MarkError
	switch {
	case err == nil || errors.As(err, &why):
		return mark, err
	case refusedWith(err, "not enough rights") || refusedWith(err, "CHAT_ADMIN_REQUIRED") || refusedWith(err, "CHAT_CREATOR_REQUIRED"):
		return was, &chat.MarkError{Why: chat.MarkRights}
	case refusedWith(err, "user not found") || refusedWith(err, "member not found") || refusedWith(err, "USER_NOT_PARTICIPANT") || refusedWith(err, "PARTICIPANT_ID_INVALID"):
		return was, &chat.MarkError{Why: chat.MarkMember}
	}
	return was, fault(err, group)
}

// marker sets the tags of a group's members.
type marker struct {
	a     *Adapter
	group int64
}

// tagged is a member of a group. The tag isn't in the library's type
// (https://core.telegram.org/bots/api#chatmember).
type tagged struct {
	Status  string `json:"status"`
	Present bool   `json:"is_member"` // of a restricted member
	Tag     string `json:"tag"`
	MayTag  bool   `json:"can_manage_tags"` // of an administrator
}

func (m marker) member(ctx context.Context, person int64) (tagged, error) {
	result, err := m.a.call(ctx, "getChatMember", tgbotapi.Params{"chat_id": strconv.FormatInt(m.group, 10), "user_id": strconv.FormatInt(person, 10)})
	if err != nil {
		return tagged{}, err
	}
	var found tagged
	if json.Unmarshal(result, &found) != nil {
		return tagged{}, errNoJSON
	}
	return found, nil
}

func (m marker) mark(ctx context.Context, player string, was, next chat.Mark) (chat.Mark, error) {
	self, err := m.member(ctx, m.a.api.Load().Self.ID)
	if err != nil {
		return was, err
	}
	if self.Status != "administrator" || !self.MayTag {
		return was, &chat.MarkError{Why: chat.MarkRights}
	}
	if player == "" {
		return was, nil
	}
	person, _, ok := parseChat(player)
	if !ok {
		return was, &chat.MarkError{Why: chat.MarkMember} // someone from another platform, at a shared table
	}
	now, err := m.member(ctx, person)
	switch {
	case err != nil:
		return was, err
	case now.Status != "member" && (now.Status != "restricted" || !now.Present):
		return was, &chat.MarkError{Why: chat.MarkMember}
	case now.Tag != "" && now.Tag != was.ID && now.Tag != was.Tried:
		return was, &chat.MarkError{Why: chat.MarkTaken}
	}
	if next.ID = next.Tag; now.Tag == next.Tag {
		return next, nil
	}
	_, err = m.a.call(ctx, "setChatMemberTag", tgbotapi.Params{
		"chat_id": strconv.FormatInt(m.group, 10), "user_id": strconv.FormatInt(person, 10), "tag": next.Tag,
	})
	if err != nil {
		return was, err
	}
	return next, nil
}
