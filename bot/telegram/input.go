package telegram

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// wanted returns the kinds of updates that the bot asks for. A server refuses those that it doesn't know.
func (c *client) wanted() string {
	kinds := []string{"message", "callback_query", "my_chat_member"}
	if c.inline() {
		kinds = append(kinds, "inline_query", "chosen_inline_result")
	}
	if c.guests.Load() {
		kinds = append(kinds, "guest_message")
	}
	return `["` + strings.Join(kinds, `","`) + `"]`
}

// update is an Update, with the fields that the bot reads. The library's type has no
// topics. https://core.telegram.org/bots/api#update
type update struct {
	ID       int64         `json:"update_id"`
	Message  *message      `json:"message"`
	Callback *callback     `json:"callback_query"`
	Mine     *memberUpdate `json:"my_chat_member"`
	Inline   *inlineQuery  `json:"inline_query"`
	Chosen   *inlineChoice `json:"chosen_inline_result"`
	Guest    *message      `json:"guest_message"`

	waited bool // a press may have been made while the bot was away
}

// memberUpdate is a ChatMemberUpdated: the bot's status in a chat has changed. In a
// private chat, the status is "kicked" if the person has blocked the bot.
// https://core.telegram.org/bots/api#chatmemberupdated
type memberUpdate struct {
	Chat apiChat    `json:"chat"`
	From user       `json:"from"`
	Date int64      `json:"date"`
	Was  chatMember `json:"old_chat_member"`
	Now  chatMember `json:"new_chat_member"`
}

// input converts the update to the shell's input: the bot was removed from the chat, or
// added to it, or it is there with other rights. A person who unblocks the bot in their
// private chat hasn't added it to anything.
func (m memberUpdate) input() chat.Input {
	at := chatID(m.Chat.ID, 0)
	in := chat.Input{Chat: chat.Chat{ID: at, Home: at}, Presence: chat.Back}
	switch group := m.Chat.Type == "group" || m.Chat.Type == "supergroup"; {
	case m.Now.absent():
		in.Presence = chat.Removed
	case group && m.Was.absent():
		in.Presence, in.Places, in.Chat.Lang = chat.Added, []string{at}, m.From.Lang
		in.Once = fmt.Sprintf("%s added %d", at, m.Date)
		if !m.From.Bot {
			in.Player = m.From.player()
		}
	}
	return in
}

type message struct {
	ID        int64   `json:"message_id"`
	Ephemeral int64   `json:"ephemeral_message_id"` // number of an ephemeral message, which has no ID
	Thread    int64   `json:"message_thread_id"`
	Topic     bool    `json:"is_topic_message"` // if false, Thread is only a thread of replies
	Date      int64   `json:"date"`
	From      *user   `json:"from"`
	Chat      apiChat `json:"chat"`
	Text      string  `json:"text"`
	Caption   string  `json:"caption"`
	Photo     []any   `json:"photo"` // sizes of the photo, if there is one
	Query     string  `json:"guest_query_id"`

	As        *apiChat `json:"sender_chat"`          // the group or channel as which a person writes; From is a bot then
	Forwarded bool     `json:"is_automatic_forward"` // a post of the channel that is linked to the group

	// The group became a supergroup: To is the new id, sent in the group, and Came the
	// former id, sent in the supergroup. https://core.telegram.org/bots/api#message
	To   int64 `json:"migrate_to_chat_id"`
	Came int64 `json:"migrate_from_chat_id"`
}

type callback struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Inline  string   `json:"inline_message_id"` // set if the button is on an inline message, in place of Message
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
	ID    int64  `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`
}

// sender returns who wrote the message. If a person writes as a group or a channel, Telegram doesn't say who they
// are: sender returns that chat, in the form of a user, and masked is true.
// https://core.telegram.org/bots/api#message
func (m *message) sender() (who *user, masked bool) {
	if m.As != nil {
		return &user{ID: m.As.ID, First: m.As.Title}, true
	}
	return m.From, false
}

// by returns the id of the message's sender, or 0.
func (m *message) by() int64 {
	if who, _ := m.sender(); who != nil {
		return who.ID
	}
	return 0
}

// spot is the place of a table: a chat, or a topic of it.
type spot struct{ chat, topic int64 }

// keys returns the person and the spots of an update. Updates that share one are
// handled in order. If no person caused the update, the chat's id is used.
func (u update) keys() (person int64, spots []spot) {
	m := u.Message
	switch {
	case u.Inline != nil:
		person = u.Inline.From.ID
	case u.Chosen != nil:
		person = u.Chosen.From.ID
	case u.Guest != nil:
		person = u.Guest.by()
	case u.Callback != nil:
		person, m = u.Callback.From.ID, u.Callback.Message
	case m != nil:
		person = m.by()
	}
	if c := u.Callback; c != nil && c.Message == nil && c.Inline != "" {
		spots = append(spots, spot{chat: inlinePeer(c.Inline)})
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

// input converts an update to the shell's input. It returns false for updates that
// aren't for the bot: talk, other bots' commands, messages from bots. It makes no
// calls itself. If the shell asks who manages a chat and Telegram has to be asked,
// yield is called.
func (a *Adapter) input(u update, yield func()) (chat.Input, bool) {
	if c := u.Callback; c != nil {
		if c.Message == nil {
			in := chat.Input{Player: c.From.player(), Chat: inlinePlace(c.Inline, c.From), Press: c.Data, Message: chat.Address(inlineChat(c.Inline))}
			if c.Data == screen.PressOf(chat.OfferTable) {
				a.posted(c.Inline, c.From.ID)
			}
			in.Manages = a.managesOf(c.From.ID, yield)
			return in, in.Chat.ID != ""
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
		if c.Message.Ephemeral != 0 {
			in.Message = ephemeralAddress(c.Message.Chat.ID, c.Message.Ephemeral, c.From.ID)
			if len(c.Message.Photo) > 0 {
				in.Message = ephemeralPhoto(in.Message)
			}
			in.OnAnswer, in.Answer, in.Origin, in.Until = true, in.Message, string(in.Message), time.Now().Add(ephemeralKept)
		}
		in.Admin, in.Manages = in.Chat.Private, a.managesOf(c.From.ID, yield)
		return in, true
	}
	if q := u.Inline; q != nil {
		return q.input(), true
	}
	if c := u.Chosen; c != nil {
		in := chat.Input{Player: c.From.player(), Chat: inlinePlace(c.Inline, c.From), Press: screen.PressOf(chat.OfferTable)}
		a.posted(c.Inline, c.From.ID)
		return in, c.ID == chat.OfferTable && in.Chat.ID != ""
	}
	if g := u.Guest; g != nil {
		return a.guestInput(*g)
	}
	if mine := u.Mine; mine != nil {
		return mine.input(), mine.Chat.ID != 0
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
	if m == nil || m.Forwarded || m.Chat.Type == "channel" {
		return chat.Input{}, false
	}
	who, masked := m.sender()
	if who == nil || who.Bot {
		return chat.Input{}, false
	}
	in := chat.Input{Player: who.player(), Chat: m.place(*who), Masked: masked}
	var ok bool
	if in.Command, in.Args, ok = parseCommand(a.commands, cmp.Or(m.Text, m.Caption), a.client.username(), in.Chat.Private); !ok {
		return chat.Input{}, false
	}
	if in.Late = a.client.late(m.Date); in.Late && !a.excuse(m.Chat.ID) {
		return chat.Input{}, false
	}
	if masked {
		in.Admin = who.ID == m.Chat.ID // only administrators can write as their group
		return in, true
	}
	in.Admin, in.Manages, in.Belongs = in.Chat.Private, a.managesOf(who.ID, yield), belongsOf(a, who.ID, yield)
	return in, true
}

// excuse reports whether a chat may be told again that the bot was away.
func (a *Adapter) excuse(chat int64) bool {
	now := time.Now()
	if told, _ := a.excused.Get(chat); now.Sub(told) < excuseEvery {
		return false
	}
	a.excused.Put(chat, now, maxChats)
	return true
}

// managesOf returns the function that tells the shell whether the person manages a chat.
func (a *Adapter) managesOf(person int64, yield func()) func(context.Context, string) (bool, error) {
	return func(ctx context.Context, chatID string) (bool, error) {
		id, _, ok := parseChat(chatID)
		if !ok || id > 0 {
			return false, nil // not a Telegram group
		}
		return a.rights.mayManage(ctx, id, person, yield)
	}
}

// belongsOf returns the function that tells the shell whether the person is a member of a chat.
func belongsOf(a *Adapter, person int64, yield func()) func(context.Context, string) (bool, error) {
	return func(ctx context.Context, home string) (bool, error) {
		id, _, ok := parseChat(home)
		if !ok || id > 0 {
			return false, nil // not a Telegram group
		}
		yield()
		ctx, cancel := context.WithTimeout(ctx, rightPatience)
		defer cancel()
		return a.Member(ctx, home, chatID(person, 0))
	}
}

// player converts a Telegram user to the bot's player.
func (u user) player() chat.Player {
	return chat.Player{ID: chatID(u.ID, 0), Name: chat.CleanName(u.First+" "+u.Last, u.Username, "#"+strconv.FormatInt(u.ID, 10)), Lang: u.Lang}
}

// place returns the chat of the message. by is the person who wrote or pressed it.
func (m *message) place(by user) chat.Chat {
	c := chat.Chat{ID: chatID(m.Chat.ID, 0), Home: chatID(m.Chat.ID, 0)}
	if m.Chat.Type == "private" {
		c.Private, c.Lang = true, by.Lang
	} else if m.Topic {
		c.ID = chatID(m.Chat.ID, m.Thread)
	}
	return c
}

// startCommand is Telegram's own command. The start button of an empty private chat
// sends it, and a deep link adds its payload.
const startCommand = "start"

// gameCommand is what people write who know the bot from Discord, where all of its commands begin with this word.
const gameCommand = "sedma"

// wordsFor returns the words of a text without mentions of the bot, and without the emojis before them.
func wordsFor(username, text string) []string {
	words := slices.DeleteFunc(strings.Fields(text), func(word string) bool {
		return strings.EqualFold(strings.Trim(word, ",:"), "@"+username)
	})
	for len(words) > 0 {
		first := strings.TrimLeftFunc(words[0], func(r rune) bool {
			return r > unicode.MaxASCII && unicode.In(r, unicode.S, unicode.M, unicode.Cf)
		})
		if first != "" && !strings.EqualFold(first, "@"+username) {
			words[0] = first
			break
		}
		words = words[1:]
	}
	return words
}

// parseCommand parses "/name@bot word word". A mention of the bot or emojis may come before it. In a private chat
// every message is meant for the bot, so a message that it doesn't understand becomes "help".
func parseCommand(commands []chat.Command, text, username string, private bool) (name string, args map[string]string, ok bool) {
	words := wordsFor(username, text)
	if len(words) == 0 || !strings.HasPrefix(words[0], "/") {
		return "help", nil, private && text != ""
	}
	word, to, addressed := strings.Cut(words[0][1:], "@")
	if addressed && !strings.EqualFold(to, username) {
		return "", nil, false
	}
	word, words = strings.ToLower(word), words[1:]
	if word == startCommand || word == gameCommand {
		if !private {
			return "help", nil, true
		}
		if len(words) > 0 && payload(words[0]) {
			args = map[string]string{"payload": words[0]}
		}
		return "hello", args, true
	}
	i := slices.IndexFunc(commands, func(c chat.Command) bool { return word == telegramName(c) })
	if i < 0 {
		return "help", nil, private
	}
	if commands[i].AnyOrder {
		return commands[i].Name, commands[i].Sort(words), true
	}
	for j, option := range commands[i].Options {
		if j >= len(words) {
			break
		}
		if args == nil {
			args = map[string]string{}
		}
		args[option.Name] = words[j]
		if last := j == len(commands[i].Options)-1; last && option.Kind == chat.OptionText {
			args[option.Name] = strings.Join(words[j:], " ")
		}
	}
	return commands[i].Name, args, true
}
