package telegram

import (
	"cmp"
	"context"
	"encoding/json"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/lang"
)

// Spelling is the command with a slash, under the name that it has here.
func (*Adapter) Spelling(c bot.Command, _ string) string { return "/" + telegramName(c) }

// telegramName is what a command is called here.
func telegramName(c bot.Command) string { return cmp.Or(c.Other, c.Name) }

// descriptionLimit is the longest description of a command, in characters.
// https://core.telegram.org/bots/api#botcommand
const descriptionLimit = 256

// publishCommands tells Telegram the bot's commands in each of its languages,
// English for all others. Without it everything works but the menu.
// https://core.telegram.org/bots/api#setmycommands
func (a *Adapter) publishCommands(ctx context.Context) {
	for i, code := range lang.Languages() {
		words := lang.For(code)
		var list []map[string]string
		for _, c := range bot.Commands {
			list = append(list, map[string]string{
				"command":     telegramName(c),
				"description": cut(words.Text("cmd."+c.Name), descriptionLimit),
			})
		}
		data, err := json.Marshal(list)
		if err == nil {
			p := tgbotapi.Params{"commands": string(data)}
			if i > 0 {
				p["language_code"] = code
			}
			limited, cancel := context.WithTimeout(ctx, callTimeout)
			_, err = a.call(limited, "setMyCommands", p)
			cancel()
		}
		if err != nil {
			a.log.Warn("publish commands", "lang", code, "err", clean(err))
			return
		}
	}
}
