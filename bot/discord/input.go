package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
)

// Types of interactions
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-type).
const (
	kindPing      = 1
	kindCommand   = 2
	kindComponent = 3
	kindTyping    = 4 // a person types an option for which the bot makes suggestions
	kindModal     = 5 // a person has submitted a modal
)

// commandOnPerson is the type of a command in the menu of a person
// (https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-types).
const commandOnPerson = 2

// Types of a command's options
// (https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-option-type).
const (
	optionSubcommand = 1
	optionGroup      = 2
	optionUser       = 6
)

// manager is the set of permissions of which a person who manages a chat has at least one
// (https://discord.com/developers/docs/topics/permissions).
const manager = 1<<3 | 1<<4 | 1<<5 // administrator, manage channels, manage server

// Permissions that the bot needs to keep a table in a channel (see the same page). To
// write, it needs mayThreads in a thread, and maySend in other channels.
const (
	mayAll     = 1 << 3 // administrator
	mayView    = 1 << 10
	maySend    = 1 << 11
	mayManage  = 1 << 34 // manage threads, which includes locked ones
	mayThreads = 1 << 38
)

// Types of channels
// (https://discord.com/developers/docs/resources/channel#channel-object-channel-types).
const (
	channelDM     = 1
	threadFirst   = 10 // threads are 10 to 12: in an announcement channel, public, private
	threadPrivate = 12
)

// contextElsewhere is the context of an interaction in direct messages between other people
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-context-types).
const contextElsewhere = 2

// byServer is the key in interaction.Owners of the server that installed the bot. Without
// that key, only a person has installed it.
const byServer = "0"

// answerTime is how long the bot edits an answer. The interaction's token expires after
// 15 minutes
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object-interaction-structure).
const answerTime = 14 * time.Minute

// interaction has the fields of an interaction that the bot reads. The library's type
// isn't used: it can't be decoded if the message has a component that the library doesn't know.
type interaction struct {
	ID          string `json:"id"`
	App         string `json:"application_id"`
	Token       string `json:"token"`
	Type        int    `json:"type"`
	Guild       string `json:"guild_id"`
	ChannelID   string `json:"channel_id"`
	Context     int    `json:"context"`
	Locale      string `json:"locale"`
	GuildLocale string `json:"guild_locale"`
	Channel     struct {
		Type   int `json:"type"`
		Thread struct {
			Locked bool `json:"locked"`
		} `json:"thread_metadata"`
	} `json:"channel"`
	Owners         map[string]string `json:"authorizing_integration_owners"`
	AppPermissions string            `json:"app_permissions"`

	User   *user `json:"user"` // set in direct messages; else see Member
	Member *struct {
		User        *user  `json:"user"`
		Nick        string `json:"nick"`
		Permissions string `json:"permissions"`
	} `json:"member"`
	Message *struct {
		ID     string `json:"id"`
		Flags  int    `json:"flags"`
		Origin struct {
			ID string `json:"id"` // id of the interaction that the message answers
		} `json:"interaction_metadata"`
	} `json:"message"`
	Data struct {
		Name     string   `json:"name"`
		Type     int      `json:"type"` // of the command
		CustomID string   `json:"custom_id"`
		Values   []string `json:"values"` // the values selected in a menu

		Components []message.Answered `json:"components"` // of a modal
		Options    []option           `json:"options"`
		Target     string             `json:"target_id"` // the person of a command on a person
		Resolved   struct {
			Users   map[string]user `json:"users"`
			Members map[string]struct {
				Nick string `json:"nick"`
			} `json:"members"`
		} `json:"resolved"`
	} `json:"data"`

	response *response // HTTP response to answer on; nil: answer with a request
}

type user struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
	Bot        bool   `json:"bot"`
	Avatar     string `json:"avatar"` // a hash of their picture; "": none
}

type option struct {
	Name    string   `json:"name"`
	Type    int      `json:"type"`
	Value   value    `json:"value"`
	Focused bool     `json:"focused"`
	Options []option `json:"options"`
}

// value is the value of an option: the content of a string, or the JSON of anything else.
type value string

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(v))
	}
	*v = value(data)
	return nil
}

// check returns an error if the interaction can't be answered.
func (it *interaction) check() error {
	_, hasID := message.Snowflake(it.ID, "")
	_, hasApp := message.Snowflake(it.App, "")
	if !hasID || !hasApp || it.Token == "" {
		return errors.New("read an interaction: it cannot be answered")
	}
	return nil
}

// who returns the person who caused the interaction, or nil.
func (it *interaction) who() *user {
	if it.Member != nil && it.Member.User != nil {
		return it.Member.User
	}
	return it.User
}

// private reports whether the interaction happened in direct messages with the bot.
func (it *interaction) private() bool {
	return it.Guild == "" && it.Channel.Type == channelDM && it.Context != contextElsewhere
}

// visit reports whether the bot is not a member of the place. It was called then by a
// person who installed it for themselves.
func (it *interaction) visit() bool {
	_, member := it.Owners[byServer]
	return it.Context == contextElsewhere || it.Guild != "" && len(it.Owners) > 0 && !member
}

// lacks returns the permissions that the bot is missing for a table in the channel.
func (it *interaction) lacks() []string {
	have, err := strconv.ParseUint(it.AppPermissions, 10, 64)
	if err != nil || it.Guild == "" || have&mayAll != 0 {
		return nil
	}
	thread := it.Channel.Type >= threadFirst && it.Channel.Type <= threadPrivate
	if thread && it.Channel.Thread.Locked && have&mayManage == 0 {
		return []string{chat.Locked} // https://discord.com/developers/docs/topics/threads#locked-threads
	}
	var out []string
	if have&mayView == 0 {
		out = append(out, "view")
	}
	switch {
	case thread && have&mayThreads == 0:
		out = append(out, "threads")
	case !thread && have&maySend == 0:
		out = append(out, "send")
	}
	return out
}

// joinThread lets the bot join a private thread if the input asks for a table there. The bot
// can write only in threads that it is in. Unless it may manage threads, it has to be
// invited. If it cannot join, Lacks of the returned input says so. If it is in the thread
// already, joining changes nothing.
// https://discord.com/developers/docs/resources/channel#join-thread
func (p *replier) joinThread(ctx context.Context, it interaction, in chat.Input) chat.Input {
	asks := in.Command == "new" || in.Command == "share" || in.Command == "table"
	if !asks || it.Channel.Type != threadPrivate || in.Chat.Visit || len(in.Lacks) > 0 {
		return in
	}
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	err := p.outbox.client.call(ctx, request{method: http.MethodPut, path: "/channels/" + it.ChannelID + "/thread-members/@me", limit: "join " + it.ChannelID}, nil)
	if hasCode(err, codeNoAccess) || hasCode(err, codeNoPermission) || hasCode(err, codeUnknownChannel) {
		in.Lacks = []string{chat.Uninvited}
	}
	return in
}

// launches reports whether the person asks for the Activity.
func (it *interaction) launches() bool {
	return it.Type == kindComponent && it.Data.CustomID == message.LaunchPress || it.Type == kindCommand && it.Data.Type == entryPoint
}

// pressed reports whether a button was pressed, or the modal submitted that a button had opened.
func (it *interaction) pressed() bool {
	return it.Type == kindComponent || it.Type == kindModal && it.Message != nil
}

// onAnswer reports whether a button was pressed on a message that only one person sees.
func (it *interaction) onAnswer() bool {
	return it.pressed() && it.Message != nil && it.Message.Flags&message.Ephemeral != 0
}

// input converts the interaction to the bot's input. commands are all commands that people type.
func (it *interaction) input(now time.Time, commands []chat.Command) (chat.Input, error) {
	who := it.who()
	if who == nil || who.ID == "" || it.ChannelID == "" {
		return chat.Input{}, errors.New("read an interaction: nobody did it, or nowhere")
	}
	in := chat.Input{
		Player: chat.Player{
			ID:   prefix + who.ID,
			Name: chat.CleanName(who.GlobalName, who.Username, who.ID),
			Lang: it.Locale,
		},
		Chat: chat.Chat{
			ID:      prefix + it.ChannelID,
			Home:    prefix + cmp.Or(it.Guild, it.ChannelID),
			Private: it.private(),
			Lang:    cmp.Or(it.GuildLocale, it.Locale),
			Visit:   it.visit(),
		},
		Lacks:    it.lacks(),
		Admin:    it.private(),
		Answer:   answerAddress(it.App, it.Token),
		Until:    now.Add(answerTime),
		Origin:   it.ID,
		Once:     prefix + it.ID, // another process may get it, too, and an HTTP request can be recorded and sent again
		OnAnswer: it.onAnswer(),
	}
	if in.OnAnswer {
		in.Origin = it.Message.Origin.ID
	}
	if in.Chat.Private {
		in.Chat.ID, in.Chat.Home = in.Player.ID, in.Player.ID // the id of the channel is known only to this adapter
	}
	if m := it.Member; m != nil {
		in.Player.Name = chat.CleanName(m.Nick, in.Player.Name)
		bits, _ := strconv.ParseUint(m.Permissions, 10, 64)
		in.Admin = bits&manager != 0
	}
	if it.Type == kindComponent || it.Type == kindModal {
		in.Press = it.Data.CustomID
		if it.Type == kindModal {
			in.Fields = message.Answers(it.Data.Components)
		}
		if len(it.Data.Values) == 1 {
			in.Press = it.Data.Values[0]
		}
		if it.Message != nil {
			in.Message = messageAddress(it.ChannelID, it.Message.ID)
		}
		if in.Press == "" {
			return in, errors.New("read an interaction: a press without data")
		}
		return in, nil
	}
	if it.Data.Type == commandOnPerson && it.Data.Target != "" {
		who := it.Data.Resolved.Users[it.Data.Target]
		name := chat.CleanName(it.Data.Resolved.Members[it.Data.Target].Nick, who.GlobalName, who.Username, it.Data.Target)
		in.Command = "invite"
		in.Args = map[string]string{"player": prefix + it.Data.Target, "name": name}
		if who.Bot {
			in.Args["bot"] = "yes"
		}
		return in, nil
	}
	sub, name, ok := it.subcommand(commands)
	if !ok {
		return in, errors.New("read an interaction: a command that is not the bot's")
	}
	in.Command = name
	for _, o := range sub.Options {
		if in.Args == nil {
			in.Args = map[string]string{}
		}
		value := string(o.Value)
		if o.Type == optionUser {
			value = prefix + value
		}
		in.Args[o.Name] = value
		if o.Focused {
			in.Focus = o.Name
		}
	}
	return in, nil
}

// subcommand returns the subcommand of /sedma, with its options, and the name of the bot's command. An app of Discord
// that still has an older list of commands sends one of them in another group or in none, under its own name, or the
// group "tournament", which is one command now.
func (it *interaction) subcommand(commands []chat.Command) (sub option, name string, ok bool) {
	if it.Data.Name != rootCommand || len(it.Data.Options) != 1 {
		return sub, "", false
	}
	sub = it.Data.Options[0]
	if sub.Type == optionGroup && len(sub.Options) == 1 {
		group := sub.Name
		sub = sub.Options[0]
		for _, is := range []func(chat.Command) bool{
			func(c chat.Command) bool { return c.Group == group && cmp.Or(c.In, c.Name) == sub.Name },
			func(c chat.Command) bool { return c.Name == sub.Name },
			func(c chat.Command) bool { return c.Name == group && c.Group == "" },
		} {
			if i := slices.IndexFunc(commands, is); i >= 0 {
				return sub, commands[i].Name, sub.Type == optionSubcommand
			}
		}
		return sub, "", false
	}
	return sub, sub.Name, sub.Type == optionSubcommand
}
