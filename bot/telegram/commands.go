package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
)

// Spelling is the command with a slash, under the name that it has here.
func (*Adapter) Spelling(c chat.Command, _ string) string { return "/" + telegramName(c) }

// telegramName is what a command is called here.
func telegramName(c chat.Command) string { return cmp.Or(c.Other, c.Name) }

// descriptionLimit is the longest description of a command, in characters.
// https://core.telegram.org/bots/api#botcommand
const descriptionLimit = 256

// menuEntry is a BotCommand.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
	Ephemeral   bool   `json:"is_ephemeral,omitempty"` // in a group the bot alone sees it
}

// whispered are the commands whose answer is for the asker alone.
var whispered = []string{"daily", "hand", "solo", "tutorial", "stats", "rules", "replay", "settings", "share", "privacy", "mydata", "kick", "pause", "help"}

// scopes are where there are menus of their own. Nothing is for administrators
// alone: the host of a table may be anybody.
// https://core.telegram.org/bots/api#botcommandscope
var scopes = []string{"default", "all_private_chats", "all_group_chats"}

// menu is the menu of a scope in a language.
func menu(scope, code string) []menuEntry {
	says := lang.For(code)
	var list []menuEntry
	for _, c := range chat.Commands {
		if scope == "all_private_chats" && c.Name == "join" {
			continue // nobody else opens a table there
		}
		list = append(list, menuEntry{
			Command:     telegramName(c),
			Description: cut(says.Text("cmd."+c.Name), descriptionLimit),
			Ephemeral:   scope == "all_group_chats" && slices.Contains(whispered, c.Name),
		})
	}
	return list
}

// publishCommands tells Telegram the bot's commands in each of its languages,
// English for all others, where they are not what Telegram has. Without it
// everything works but the menu.
// https://core.telegram.org/bots/api#setmycommands
func publishCommands(ctx context.Context, a *Adapter) {
	for i, code := range lang.Languages() {
		for _, scope := range scopes {
			p := tgbotapi.Params{}
			if scope != "default" { // which it is where none is named
				p["scope"] = fmt.Sprintf(`{"type":%q}`, scope)
			}
			if i > 0 {
				p["language_code"] = code
			}
			if err := publish(ctx, a, p, menu(scope, code)); err != nil {
				a.log.Warn("publish commands", "lang", code, "err", clean(err))
				return
			}
		}
	}
}

// publish sets the menu of a scope and a language if it is another one. What a
// server does not know of an entry it does not give back, and takes no notice of.
func publish(ctx context.Context, a *Adapter, p tgbotapi.Params, want []menuEntry) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, err := a.call(ctx, "getMyCommands", p)
	if err != nil {
		return err
	}
	var has []menuEntry
	if err := json.Unmarshal(result, &has); err == nil && slices.Equal(has, want) {
		return nil
	}
	data, err := json.Marshal(want)
	if err != nil {
		return err
	}
	p["commands"] = string(data)
	_, err = a.call(ctx, "setMyCommands", p)
	return err
}
