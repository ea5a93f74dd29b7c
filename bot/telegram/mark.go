package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/tag"
)

// tagger sets the tags of groups' members.
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
	in := tag.Group{ID: group, Self: t.a.api.Load().Self.ID, Call: func(ctx context.Context, method string, params map[string]string) (json.RawMessage, error) {
		return t.a.call(ctx, method, params)
	}}
	mark, err := in.Set(ctx, person, was, next)
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.MigrateToChatID != 0 {
		in.ID = refused.MigrateToChatID // the home keeps the group's former id
		mark, err = in.Set(ctx, person, was, next)
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
