package telegram

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

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
		if c.Spare {
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
	{"setMyDescription", "description", "about.long", 512},
	{"setMyShortDescription", "short_description", "about.short", 120},
}

// fact is a call that tells Telegram something about the bot.
type fact struct {
	Method string
	Params tgbotapi.Params
}

// facts returns the bot's descriptions and its command menus in each of its languages, with English as the default.
// https://core.telegram.org/bots/api#setmycommands
func (a *Adapter) facts() (all []fact) {
	for i, code := range lang.Languages() {
		add := func(method string, p tgbotapi.Params) {
			if i > 0 {
				p["language_code"] = code
			}
			all = append(all, fact{method, p})
		}
		for _, each := range profile {
			add(each.method, tgbotapi.Params{each.param: cut(lang.For(code).Text(each.key), each.limit)})
		}
		for _, scope := range scopes {
			list, _ := json.Marshal(menu(a.commands, scope, code)) // strings can always be marshalled
			p := tgbotapi.Params{"commands": string(list)}
			if scope != "default" { // Telegram uses this scope if none is named
				p["scope"] = fmt.Sprintf(`{"type":%q}`, scope)
			}
			add("setMyCommands", p)
		}
	}
	return all
}

// publish tells Telegram the facts one after the other, English first, unless they are those that it was told last. No update
// waits for that. A call that fails is repeated with growing waits, unless Telegram refuses it.
func (a *Adapter) publish(ctx context.Context) {
	if !a.limits.Off() { // reading the texts of nine languages takes a tenth of a second, which belongs to the presses that wait
		chat.Pause(ctx, askEvery)
	}
	all := a.facts()
	text, _ := json.Marshal(all) // strings can always be marshalled
	sum := sha256.Sum256(text)
	now := int(binary.BigEndian.Uint32(sum[:]))
	name := fmt.Sprintf("telegram facts %d", a.client.api.Load().Self.ID)
	if told, err := a.agree(ctx, name, func(told int) int { return told }); err == nil && told == now {
		return
	}
	for _, f := range all {
		a.repeat(ctx, f)
		if !a.limits.Off() {
			chat.Pause(ctx, askEvery)
		}
	}
	if ctx.Err() == nil {
		_, _ = a.agree(ctx, name, func(int) int { return now }) // if it fails, the next start tells them again
	}
}

// repeat makes a call until it succeeds, Telegram refuses for good, or ctx ends.
func (a *Adapter) repeat(ctx context.Context, f fact) {
	var pause backOff
	for ctx.Err() == nil {
		limited, cancel := context.WithTimeout(ctx, callTimeout)
		_, err := a.client.call(limited, f.Method, f.Params)
		cancel()
		if err == nil || ctx.Err() != nil {
			return
		}
		a.log.Warn("tell telegram about the bot", "method", f.Method, "err", clean(err))
		if deliveryError(err, 0).Fault != chat.Retry {
			return
		}
		pause.wait(ctx, retryAfter(err))
	}
}
