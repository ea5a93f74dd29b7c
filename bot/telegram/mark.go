package telegram

import (
	"context"
	"errors"
	"slices"
	"strconv"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
)

// Mark sets the tag beside a regular member's name in a group, or takes it away. The bot must
// be an administrator with the right can_manage_tags.
// https://core.telegram.org/bots/api#setchatmembertag
func (a *Adapter) Mark(ctx context.Context, home, player string, was, next chat.Mark) (chat.Mark, error) {
	if err := a.client.unconnected(); err != nil {
		return was, err
	}
	group, _, ok := parseChat(home)
	if !ok || group > 0 {
		return was, &chat.MarkError{Why: chat.MarkTags}
	}
	person, _, ok := parseChat(player)
	if !ok && player != "" {
		return was, &chat.MarkError{Why: chat.MarkMember} // someone from another platform, at a shared table
	}
	mark, err := a.client.setTag(ctx, group, person, was, next)
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.MigrateToChatID != 0 {
		// The home keeps the group's former id.
		mark, err = a.client.setTag(ctx, refused.MigrateToChatID, person, was, next)
	}
	with := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(s string) bool { return refusedWith(err, s) })
	}
	var why *chat.MarkError
	switch {
	case err == nil || errors.As(err, &why):
		return mark, err
	case with("not enough rights", "CHAT_ADMIN_REQUIRED", "CHAT_CREATOR_REQUIRED"):
		return was, &chat.MarkError{Why: chat.MarkTags}
	case with("user not found", "member not found", "USER_NOT_PARTICIPANT", "PARTICIPANT_ID_INVALID"):
		return was, &chat.MarkError{Why: chat.MarkMember}
	}
	return was, deliveryError(err, group)
}

// setTag changes a member's tag from was to next, as chat.Marker says. A tag that someone else set is
// left unchanged. Without a person, setTag only checks whether the bot may set tags. Its errors are
// *chat.MarkError and those of call.
func (c *client) setTag(ctx context.Context, group, person int64, was, next chat.Mark) (chat.Mark, error) {
	self, err := c.member(ctx, group, c.api.Load().Self.ID)
	switch {
	case err != nil:
		return was, err
	case self.Status != "administrator" || !self.MayTag:
		return was, &chat.MarkError{Why: chat.MarkTags}
	case person == 0:
		return was, nil
	}
	now, err := c.member(ctx, group, person)
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
	_, err = c.call(ctx, "setChatMemberTag", map[string]string{"chat_id": strconv.FormatInt(group, 10), "user_id": strconv.FormatInt(person, 10), "tag": next.Tag})
	if err != nil {
		return was, err
	}
	return next, nil
}
