package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
)

// tagger sets the tags beside the names of groups' members
// (https://core.telegram.org/bots/api#setchatmembertag).
type tagger struct{ a *Adapter }

// Mark sets the tag beside a regular member's name in a group, or takes it away. The bot must
// be an administrator with the right can_manage_tags.
func (t tagger) Mark(ctx context.Context, home, player string, was, next chat.Mark) (chat.Mark, error) {
	if err := t.a.unconnected(); err != nil {
		return was, err
	}
	group, _, ok := parseChat(home)
	if !ok || group > 0 {
		return was, &chat.MarkError{Why: chat.MarkRights}
	}
	person, _, ok := parseChat(player)
	if !ok && player != "" {
		return was, &chat.MarkError{Why: chat.MarkMember} // someone from another platform, at a shared table
	}
	mark, err := t.set(ctx, group, person, was, next)
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.MigrateToChatID != 0 {
		// The home keeps the group's former id.
		mark, err = t.set(ctx, refused.MigrateToChatID, person, was, next)
	}
	with := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(s string) bool { return refusedWith(err, s) })
	}
	var why *chat.MarkError
	switch {
	case err == nil || errors.As(err, &why):
		return mark, err
	case with("not enough rights", "CHAT_ADMIN_REQUIRED", "CHAT_CREATOR_REQUIRED"):
		return was, &chat.MarkError{Why: chat.MarkRights}
	case with("user not found", "member not found", "USER_NOT_PARTICIPANT", "PARTICIPANT_ID_INVALID"):
		return was, &chat.MarkError{Why: chat.MarkMember}
	}
	return was, fault(err, group)
}

// tagged is a member of a group, with what the client library doesn't know of them (https://core.telegram.org/bots/api#chatmember).
type tagged struct {
	Status  string `json:"status"`
	Present bool   `json:"is_member"` // set only for a restricted member
	Tag     string `json:"tag"`
	MayTag  bool   `json:"can_manage_tags"` // set only for an administrator
}

func (t tagger) member(ctx context.Context, group, person int64) (found tagged, err error) {
	result, err := t.a.call(ctx, "getChatMember", map[string]string{"chat_id": strconv.FormatInt(group, 10), "user_id": strconv.FormatInt(person, 10)})
	if err == nil && json.Unmarshal(result, &found) != nil {
		err = errors.New("read a member of a group: not the JSON that was expected")
	}
	return found, err
}

// set changes a member's tag from was to next, as chat.Marker says. A tag that someone else set is
// left unchanged. Without a person, set only checks whether the bot may set tags. Its errors are
// *chat.MarkError and those of call.
func (t tagger) set(ctx context.Context, group, person int64, was, next chat.Mark) (chat.Mark, error) {
	self, err := t.member(ctx, group, t.a.api.Load().Self.ID)
	switch {
	case err != nil:
		return was, err
	case self.Status != "administrator" || !self.MayTag:
		return was, &chat.MarkError{Why: chat.MarkRights}
	case person == 0:
		return was, nil
	}
	now, err := t.member(ctx, group, person)
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
	_, err = t.a.call(ctx, "setChatMemberTag", map[string]string{"chat_id": strconv.FormatInt(group, 10), "user_id": strconv.FormatInt(person, 10), "tag": next.Tag})
	if err != nil {
		return was, err
	}
	return next, nil
}
