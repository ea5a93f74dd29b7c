package telegram

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sedmabot/bot/chat"
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
	Chat apiChat `json:"chat"`
	Now  struct {
		Status string `json:"status"`
		There  bool   `json:"is_member"` // of one who is "restricted"
	} `json:"new_chat_member"`
}

// presence is what it means for the bot.
func (m member) presence() chat.Presence {
	if s := m.Now.Status; s == "left" || s == "kicked" || s == "restricted" && !m.Now.There {
		return chat.Removed
	}
	return chat.Back
}

type message struct {
	ID     int64   `json:"message_id"`
	Aside  int64   `json:"ephemeral_message_id"` // of an ephemeral message, which has no ID
	Thread int64   `json:"message_thread_id"`
	Topic  bool    `json:"is_topic_message"` // else Thread is only a thread of replies
	From   *user   `json:"from"`
	Chat   apiChat `json:"chat"`
	Text   string  `json:"text"`
	Photo  []any   `json:"photo"` // its sizes, if it is one

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

type apiChat struct {
	ID   int64  `json:"id"`
	Type string `json:"type"`
}

// spot is a chat, or a topic of it: where a table is.
type spot struct{ chat, topic int64 }

// keys returns what an update belongs to, the person and the spots: updates that
// share one are handled in order. What nobody did is the chat's own.
func (u update) keys() (person int64, spots []spot) {
	m := u.Message
	switch {
	case u.Callback != nil:
		person, m = u.Callback.From.ID, u.Callback.Message
	case m != nil && m.From != nil:
		person = m.From.ID
	}
	if u.Mine != nil {
		spots = append(spots, spot{chat: u.Mine.Chat.ID})
	}
	if m != nil {
		here := spot{chat: m.Chat.ID}
		if m.Topic {
			here.topic = m.Thread
		}
		spots = append(spots, here)
		if other := m.To + m.Came; other != 0 {
			spots = append(spots, spot{chat: other})
		}
	}
	if person == 0 && len(spots) > 0 {
		person = spots[0].chat
	}
	return person, spots
}

// input is what the update tells the shell. It reports false for what isn't
// for the bot: talk, other bots' commands, messages of bots. It calls nobody: the
// shell may ask who manages a chat, and apart is called if Telegram has to be asked.
func (a *Adapter) input(u update, apart func()) (chat.Input, bool) {
	if c := u.Callback; c != nil {
		if c.Message == nil {
			return chat.Input{}, false
		}
		in := chat.Input{
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
		in.Admin, in.Manages = in.Chat.Private, a.managesOf(c.From.ID, apart)
		return in, true
	}
	if mine := u.Mine; mine != nil {
		at := chatID(mine.Chat.ID, 0)
		return chat.Input{Chat: chat.Chat{ID: at, Home: at}, Presence: mine.presence()}, mine.Chat.ID != 0
	}
	m := u.Message
	if m != nil && (m.To < 0 || m.Came < 0) {
		old, now := m.Chat.ID, m.To
		if m.Came != 0 {
			old, now = m.Came, m.Chat.ID
		}
		at := chatID(now, 0)
		return chat.Input{Chat: chat.Chat{ID: at, Home: at}, Former: chatID(old, 0)}, true
	}
	if m == nil || m.From == nil || m.From.Bot || m.Chat.Type == "channel" {
		return chat.Input{}, false
	}
	in := chat.Input{Player: m.From.player(), Chat: m.place(*m.From)}
	var ok bool
	if in.Command, in.Args, ok = parseCommand(m.Text, a.username(), in.Chat.Private); !ok {
		return chat.Input{}, false
	}
	in.Admin, in.Manages = in.Chat.Private, a.managesOf(m.From.ID, apart)
	return in, true
}

// managesOf is what the shell may ask about the person: whether they manage a chat.
func (a *Adapter) managesOf(person int64, apart func()) func(context.Context, string) (bool, error) {
	return func(ctx context.Context, chatID string) (bool, error) {
		id, _, ok := parseChat(chatID)
		if !ok || id > 0 {
			return false, nil // no group of Telegram's
		}
		return a.mayManage(ctx, id, person, apart)
	}
}

// player is the person as the bot knows him.
func (u user) player() chat.Player {
	name := strings.TrimSpace(flat(u.First + " " + u.Last))
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }) {
		name = u.Username
	}
	if name == "" {
		name = "#" + strconv.FormatInt(u.ID, 10)
	}
	return chat.Player{ID: chatID(u.ID, 0), Name: cut(name, nameLimit), Lang: u.Lang}
}

// place is where the message stands. by is who wrote it or pressed it.
func (m *message) place(by user) chat.Chat {
	c := chat.Chat{ID: chatID(m.Chat.ID, 0), Home: chatID(m.Chat.ID, 0)}
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
	i := slices.IndexFunc(chat.Commands, func(c chat.Command) bool { return word == telegramName(c) })
	if i < 0 {
		return "help", nil, private
	}
	if chat.Commands[i].AnyOrder {
		return chat.Commands[i].Name, chat.Commands[i].Sort(words), true
	}
	for j, option := range chat.Commands[i].Options {
		if j >= len(words) {
			break
		}
		if args == nil {
			args = map[string]string{}
		}
		args[option.Name] = words[j]
		if last := j == len(chat.Commands[i].Options)-1; last && option.Kind == chat.OptionText {
			args[option.Name] = strings.Join(words[j:], " ")
		}
	}
	return chat.Commands[i].Name, args, true
}
