// Package tag sets the tags beside the names of a group's members. The client library doesn't
// know them (https://core.telegram.org/bots/api#setchatmembertag). A tag that someone else set
// is left unchanged: [Group.Set] compares it with the tag that the bot set before.
package tag

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"sedmabot/bot/chat"
)

// Group is a group in which the bot sets tags.
type Group struct {
	ID   int64
	Self int64 // the bot's own id
	// Call makes one call of the Bot API.
	Call func(ctx context.Context, method string, params map[string]string) (json.RawMessage, error)
}

// tagged is a member of a group (https://core.telegram.org/bots/api#chatmember).
type tagged struct {
	Status  string `json:"status"`
	Present bool   `json:"is_member"` // set only for a restricted member
	Tag     string `json:"tag"`
	MayTag  bool   `json:"can_manage_tags"` // set only for an administrator
}

func (g Group) member(ctx context.Context, person int64) (found tagged, err error) {
	result, err := g.Call(ctx, "getChatMember", map[string]string{"chat_id": strconv.FormatInt(g.ID, 10), "user_id": strconv.FormatInt(person, 10)})
	if err == nil && json.Unmarshal(result, &found) != nil {
		err = errors.New("read a member of a group: not the JSON that was expected")
	}
	return found, err
}

// Set changes a member's tag from was to next, as chat.Marker says. Without a person, it only
// checks whether the bot may set tags. Its errors are *chat.MarkError and those of Call.
func (g Group) Set(ctx context.Context, person int64, was, next chat.Mark) (chat.Mark, error) {
	self, err := g.member(ctx, g.Self)
	switch {
	case err != nil:
		return was, err
	case self.Status != "administrator" || !self.MayTag:
		return was, &chat.MarkError{Why: chat.MarkRights}
	case person == 0:
		return was, nil
	}
	now, err := g.member(ctx, person)
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
	_, err = g.Call(ctx, "setChatMemberTag", map[string]string{"chat_id": strconv.FormatInt(g.ID, 10), "user_id": strconv.FormatInt(person, 10), "tag": next.Tag})
	if err != nil {
		return was, err
	}
	return next, nil
}
