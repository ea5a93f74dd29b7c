package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// SetDefault saves a table's rules, time limit and AI level as the default for new tables of the current home.
func (room *Room) SetDefault(ctx context.Context, in chat.Input, id string) chat.Reply {
	t, err := room.tables.Load(ctx, id)
	switch {
	case err != nil:
		return in.Refuse(err)
	case !slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return cmp.Or(c.Home, t.Home) == in.Chat.Home }):
		return in.Refuse(chat.ErrForged)
	}
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if err == nil && !manages {
		err = chat.ErrAdmin
	}
	if err != nil {
		return in.Refuse(err)
	}
	var home doc.Home
	err = doc.Set(ctx, room.docs, in.Once, doc.HomeKey(in.Chat.Home), &home, func() error {
		home.Default = &doc.Default{Rules: t.Rules, Limit: t.Limit, Level: t.Level}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	c := in.Catalogue()
	return chat.Reply{Toast: c.Text("reply.default", "game", view.GameName(c, t.Rules))}
}

// maxSuggestions is how many suggestions a platform can show. This is Discord's limit
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-autocomplete).
const maxSuggestions = 25

// Complete suggests values for the option that in.Focus names. in.Args contains the
// text typed so far and the values of the other options.
func (room *Room) Complete(_ context.Context, in chat.Input) []chat.Suggestion {
	c := in.Catalogue()
	var out []chat.Suggestion
	if in.Focus == "game" {
		for _, family := range game.Families() {
			name, typed := view.FamilyName(c, family), chat.Plain(in.Args["game"])
			if strings.Contains(chat.Plain(name), typed) || strings.Contains(family, typed) {
				out = append(out, chat.Suggestion{Name: chat.CutTo(name, 100), Value: family})
			}
		}
		return out[:min(len(out), maxSuggestions)]
	}
	if in.Focus != "rules" {
		return nil
	}
	for _, preset := range game.Presets() {
		r, err := game.Preset(preset)
		name := view.GameName(c, r)
		family, players := in.Args["game"], in.Args["players"]
		if err != nil || family != "" && game.Family(preset) != family || players != "" && fmt.Sprint(r.Players) != players {
			continue
		}
		if typed := chat.Plain(in.Args["rules"]); !strings.Contains(chat.Plain(name), typed) && !strings.Contains(preset, typed) {
			continue
		}
		if out = append(out, chat.Suggestion{Name: chat.CutTo(name, 100), Value: preset}); len(out) == maxSuggestions {
			break
		}
	}
	return out
}
