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

// Spelling returns the command with a slash, under its Telegram name.
func (*Adapter) Spelling(c chat.Command, _ string) string { return "/" + telegramName(c) }

// telegramName returns a command's name on Telegram.
func telegramName(c chat.Command) string { return cmp.Or(c.Other, c.Name) }

// descriptionLimit is the longest description of a command, in characters.
// https://core.telegram.org/bots/api#botcommand
const descriptionLimit = 256

// menuEntry is a BotCommand.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
	Ephemeral   bool   `json:"is_ephemeral,omitempty"` // in a group, only the bot sees the command
}

// scopes lists the kinds of chat that have their own menu. Administrators have
// none, since anybody may host a table.
// https://core.telegram.org/bots/api#botcommandscope
var scopes = []string{"default", "all_private_chats", "all_group_chats"}

// menu returns the command menu of a scope in a language.
func menu(commands []chat.Command, scope, code string) []menuEntry {
	texts := lang.For(code)
	var list []menuEntry
	for _, c := range commands {
		if scope == "all_private_chats" && c.Crowd {
			continue
		}
		list = append(list, menuEntry{
			Command:     telegramName(c),
			Description: cut(texts.Text("cmd."+c.Name), descriptionLimit),
			Ephemeral:   scope == "all_group_chats" && c.Ephemeral,
		})
	}
	return list
}

// publishCommands updates the command menus on Telegram in each of the bot's
// languages, with English as the default. If it fails, only the menus are affected.
// https://core.telegram.org/bots/api#setmycommands
func publishCommands(ctx context.Context, a *Adapter) {
	for i, code := range lang.Languages() {
		for _, scope := range scopes {
			p := tgbotapi.Params{}
			if scope != "default" { // Telegram uses this scope if none is named
				p["scope"] = fmt.Sprintf(`{"type":%q}`, scope)
			}
			if i > 0 {
				p["language_code"] = code
			}
			if err := publish(ctx, a, p, menu(a.commands, scope, code)); err != nil {
				if ctx.Err() == nil {
					a.log.Warn("publish commands", "lang", code, "err", clean(err))
				}
				return
			}
		}
	}
}

// profile lists what Telegram shows about the bot: where a private chat with it begins,
// and on its profile page.
// https://core.telegram.org/bots/api#setmydescription
// https://core.telegram.org/bots/api#setmyshortdescription
var profile = []struct {
	method, param, key string
	limit              int
}{
	{"MyDescription", "description", "about.long", 512},
	{"MyShortDescription", "short_description", "about.short", 120},
}

// publishProfile updates the bot's descriptions on Telegram in each of its languages, with
// English as the default, unless Telegram already has them.
func publishProfile(ctx context.Context, a *Adapter) {
	for i, code := range lang.Languages() {
		for _, each := range profile {
			p := tgbotapi.Params{}
			if i > 0 {
				p["language_code"] = code
			}
			want := cut(lang.For(code).Text(each.key), each.limit)
			if err := describe(ctx, a, each.method, each.param, p, want); err != nil {
				if ctx.Err() == nil {
					a.log.Warn("publish descriptions", "lang", code, "err", clean(err))
				}
				return
			}
		}
	}
}

// describe sets a description, unless Telegram already has it.
func describe(ctx context.Context, a *Adapter, method, param string, p tgbotapi.Params, want string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, err := a.client.call(ctx, "get"+method, p)
	if err != nil {
		return err
	}
	var has map[string]string
	if err := json.Unmarshal(result, &has); err == nil && has[param] == want {
		return nil
	}
	p[param] = want
	_, err = a.client.call(ctx, "set"+method, p)
	return err
}

// publish sets the menu of a scope and a language, unless Telegram already has it.
// A server ignores the fields that it doesn't know, and doesn't return them.
func publish(ctx context.Context, a *Adapter, p tgbotapi.Params, want []menuEntry) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, err := a.client.call(ctx, "getMyCommands", p)
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
	_, err = a.client.call(ctx, "setMyCommands", p)
	return err
}
