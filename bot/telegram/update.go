package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/view"
)

// allowedUpdates are the kinds of updates that the bot asks for.
const allowedUpdates = `["message","callback_query","my_chat_member"]`

// update is an Update, with the fields that the bot reads. The library's type
// is older than topics. https://core.telegram.org/bots/api#update
type update struct {
	ID       int64     `json:"update_id"`
	Message  *message  `json:"message"`
	Callback *callback `json:"callback_query"`
	Mine     *member   `json:"my_chat_member"`
}

// member is a ChatMemberUpdated: what the bot is in a chat has changed. In a
// private chat it is "kicked" when the person has blocked it.
// https://core.telegram.org/bots/api#chatmemberupdated
type member struct {
	Chat chat `json:"chat"`
	Now  struct {
		Status string `json:"status"`
		There  bool   `json:"is_member"` // of one who is "restricted"
	} `json:"new_chat_member"`
}

// presence is what it means for the bot.
func (m member) presence() bot.Presence {
	if s := m.Now.Status; s == "left" || s == "kicked" || s == "restricted" && !m.Now.There {
		return bot.Removed
	}
	return bot.Back
}

type message struct {
	ID     int64  `json:"message_id"`
	Aside  int64  `json:"ephemeral_message_id"` // of an ephemeral message, which has no ID
	Thread int64  `json:"message_thread_id"`
	Topic  bool   `json:"is_topic_message"` // else Thread is only a thread of replies
	From   *user  `json:"from"`
	Chat   chat   `json:"chat"`
	Text   string `json:"text"`
	Photo  []any  `json:"photo"` // its sizes, if it is one

	// The group became a supergroup: its new id, told in the group, and its former
	// one, told in the supergroup. https://core.telegram.org/bots/api#message
	To   int64 `json:"migrate_to_chat_id"`
	Came int64 `json:"migrate_from_chat_id"`
}

type callback struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

type user struct {
	ID       int64  `json:"id"`
	Bot      bool   `json:"is_bot"`
	First    string `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
	Lang     string `json:"language_code"`
}

type chat struct {
	ID   int64  `json:"id"`
	Type string `json:"type"`
}

// keys name what an update belongs to: updates that share one are handled in order.
func (u update) keys() []int64 {
	var keys []int64
	m := u.Message
	if c := u.Callback; c != nil {
		keys, m = append(keys, c.From.ID), c.Message
	}
	if u.Mine != nil {
		keys = append(keys, u.Mine.Chat.ID)
	}
	if m != nil {
		keys = append(keys, m.Chat.ID)
		if other := m.To + m.Came; other != 0 {
			keys = append(keys, other)
		}
		if m.From != nil && u.Message != nil {
			keys = append(keys, m.From.ID)
		}
	}
	return keys
}

// input is what the update tells the shell. It reports false for what isn't
// for the bot: talk, other bots' commands, messages of bots.
func (a *Adapter) input(ctx context.Context, u update) (bot.Input, bool) {
	if c := u.Callback; c != nil {
		if c.Message == nil {
			return bot.Input{}, false
		}
		in := bot.Input{
			Player:  c.From.player(),
			Chat:    c.Message.place(c.From),
			Press:   c.Data,
			Message: address(c.Message.Chat.ID, c.Message.ID),
		}
		if len(c.Message.Photo) > 0 {
			in.Message = photoAddress(c.Message.Chat.ID, c.Message.ID)
		}
		if c.Message.Aside != 0 {
			in.Message = asideAddress(c.Message.Chat.ID, c.Message.Aside, c.From.ID)
			in.OnAnswer, in.Answer, in.Origin, in.Until = true, in.Message, string(in.Message), time.Now().Add(asideKept)
		}
		press, err := view.ParsePress(c.Data)
		in.Admin = in.Chat.Private || err == nil && press.Admin() && a.manages(ctx, c.Message.Chat.ID, c.From.ID)
		// The settings of a group may stand in the private chat of somebody who manages it.
		if home, _, ok := parseChat(press.Home); ok && home < 0 && press.Home != in.Chat.Home && press.Admin() && a.manages(ctx, home, c.From.ID) {
			in.Manages = press.Home
		}
		return in, true
	}
	if mine := u.Mine; mine != nil {
		at := chatID(mine.Chat.ID, 0)
		return bot.Input{Chat: bot.Chat{ID: at, Home: at}, Presence: mine.presence()}, mine.Chat.ID != 0
	}
	m := u.Message
	if m != nil && (m.To < 0 || m.Came < 0) {
		old, now := m.Chat.ID, m.To
		if m.Came != 0 {
			old, now = m.Came, m.Chat.ID
		}
		at := chatID(now, 0)
		return bot.Input{Chat: bot.Chat{ID: at, Home: at}, Former: chatID(old, 0)}, true
	}
	if m == nil || m.From == nil || m.From.Bot || m.Chat.Type == "channel" {
		return bot.Input{}, false
	}
	in := bot.Input{Player: m.From.player(), Chat: m.place(*m.From)}
	var ok bool
	if in.Command, in.Args, ok = parseCommand(m.Text, a.username(), in.Chat.Private); !ok {
		return bot.Input{}, false
	}
	asks := slices.ContainsFunc(bot.Commands, func(c bot.Command) bool { return c.Name == in.Command && c.Admin })
	in.Admin = in.Chat.Private || asks && a.manages(ctx, m.Chat.ID, m.From.ID)
	return in, true
}

// player is the person as the bot knows him.
func (u user) player() bot.Player {
	name := strings.TrimSpace(flat(u.First + " " + u.Last))
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }) {
		name = u.Username
	}
	if name == "" {
		name = "#" + strconv.FormatInt(u.ID, 10)
	}
	return bot.Player{ID: chatID(u.ID, 0), Name: cut(name, nameLimit), Lang: u.Lang}
}

// place is where the message stands. by is who wrote it or pressed it.
func (m *message) place(by user) bot.Chat {
	c := bot.Chat{ID: chatID(m.Chat.ID, 0), Home: chatID(m.Chat.ID, 0)}
	if m.Chat.Type == "private" {
		c.Private, c.Lang = true, by.Lang
	} else if m.Topic {
		c.ID = chatID(m.Chat.ID, m.Thread)
	}
	return c
}

// startCommand is Telegram's own: the button under an empty private chat, and
// a deep link's payload after it.
const startCommand = "start"

// parseCommand reads "/name@bot word word". In a private chat everything is
// meant for the bot, so what it doesn't understand asks for help.
func parseCommand(text, username string, private bool) (name string, args map[string]string, ok bool) {
	words := strings.Fields(text)
	if len(words) == 0 || !strings.HasPrefix(words[0], "/") {
		return "help", nil, private && text != ""
	}
	word, to, addressed := strings.Cut(words[0][1:], "@")
	if addressed && !strings.EqualFold(to, username) {
		return "", nil, false
	}
	word, words = strings.ToLower(word), words[1:]
	if word == startCommand {
		if !private {
			return "help", nil, true
		}
		if len(words) > 0 && payload(words[0]) {
			args = map[string]string{"payload": words[0]}
		}
		return "hello", args, true
	}
	i := slices.IndexFunc(bot.Commands, func(c bot.Command) bool { return word == telegramName(c) })
	if i < 0 {
		return "help", nil, private
	}
	if bot.Commands[i].Words {
		return bot.Commands[i].Name, bot.Commands[i].Sort(words), true
	}
	for j, option := range bot.Commands[i].Options {
		if j >= len(words) {
			break
		}
		if args == nil {
			args = map[string]string{}
		}
		args[option.Name] = words[j]
		if last := j == len(bot.Commands[i].Options)-1; last && option.Kind == bot.OptionText {
			args[option.Name] = strings.Join(words[j:], " ")
		}
	}
	return bot.Commands[i].Name, args, true
}

// manages asks whether a person is an administrator of the chat. When Telegram
// doesn't say, he is not.
func (a *Adapter) manages(ctx context.Context, chat, person int64) bool {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, err := a.call(ctx, "getChatMember", tgbotapi.Params{
		"chat_id": strconv.FormatInt(chat, 10),
		"user_id": strconv.FormatInt(person, 10),
	})
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.MigrateToChatID != 0 {
		return a.manages(ctx, refused.MigrateToChatID, person)
	}
	var member struct {
		Status string `json:"status"`
	}
	if err == nil {
		err = json.Unmarshal(result, &member)
	}
	if err != nil {
		a.log.Warn("ask who manages a chat", "err", clean(err))
	}
	return member.Status == "creator" || member.Status == "administrator"
}
