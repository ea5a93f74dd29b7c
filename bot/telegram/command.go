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

// publish updates the bot's descriptions and its command menus on Telegram in each of its languages, with English as
// the default. No update waits for that. A call that fails is repeated with growing waits, unless Telegram refuses it.
// https://core.telegram.org/bots/api#setmycommands
func (a *Adapter) publish(ctx context.Context) {
	for i, code := range lang.Languages() {
		params := func() tgbotapi.Params {
			p := tgbotapi.Params{}
			if i > 0 {
				p["language_code"] = code
			}
			return p
		}
		for _, each := range profile {
			want := cut(lang.For(code).Text(each.key), each.limit)
			a.repeat(ctx, "publish a description", func() error { return describe(ctx, a, each.method, each.param, params(), want) })
		}
		for _, scope := range scopes {
			a.repeat(ctx, "publish commands", func() error {
				p := params()
				if scope != "default" { // Telegram uses this scope if none is named
					p["scope"] = fmt.Sprintf(`{"type":%q}`, scope)
				}
				return publish(ctx, a, p, menu(a.commands, scope, code))
			})
		}
	}
}

// repeat calls try until it succeeds, Telegram refuses for good, or ctx ends.
func (a *Adapter) repeat(ctx context.Context, what string, try func() error) {
	var pause backOff
	for ctx.Err() == nil {
		err := try()
		if err == nil || ctx.Err() != nil {
			return
		}
		a.log.Warn(what, "err", clean(err))
		if deliveryError(err, 0).Fault != chat.Retry {
			return
		}
		pause.wait(ctx, retryAfter(err))
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
