// Package chat is the contract between the shell and a chat platform. An adapter,
// such as package telegram, implements [Platform]: it turns what people do into
// values of type [Input], hands them to a [Handler], and shows the [Reply]. It also
// sends, edits and deletes messages when the shell asks it to, and reports failures
// as a [DeliveryError].
//
// The package holds no state and knows nothing of tables or storage. Start with
// Platform, Input and Reply in platform.go. refusal.go is how a room says no, and
// words.go how commands are understood.
package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Holder runs what only one of all processes may do at a time, such as asking
// Telegram for its updates. It waits until nobody else does what has that name,
// calls run, and goes back to waiting if the hold is lost, for which run's ctx
// ends. It returns what run returns otherwise, or nil when ctx has ended.
type Holder func(ctx context.Context, name string, run func(ctx context.Context) error) error

// Alone is the Holder of a process that shares its store with no other.
func Alone(ctx context.Context, _ string, run func(ctx context.Context) error) error { return run(ctx) }

// Platform is one chat platform: it takes what people do to a Handler, and
// shows them screens. Every method but Run may be called from many goroutines.
//
// Ids are opaque outside the adapter and begin with its name and a colon:
// "telegram:-1009" a chat, "discord:4211" a person.
type Platform interface {
	// Name is what stands before the colon in this platform's ids.
	Name() string
	// Run receives until ctx ends, and hands each input to h. It returns nil
	// when ctx ended, and an error that says what to do when the platform
	// turned the bot away for good (a wrong token, another process on it).
	Run(ctx context.Context, h Handler) error
	// Send posts a new message and tells its address. nonce is the same
	// whenever the same message is sent again, for platforms that drop repeats.
	Send(ctx context.Context, to Target, s view.Screen, nonce string) (Address, error)
	// Edit makes the message at a show s. An unchanged message is no error.
	Edit(ctx context.Context, a Address, s view.Screen) error
	// Delete removes the message at a. A missing message is no error.
	Delete(ctx context.Context, a Address) error
	// Reach tells what Send to a target would meet, and shows nothing to
	// anybody: nil, or a *DeliveryError. Where the platform doesn't say, it is nil.
	Reach(ctx context.Context, to Target) error
	// Door returns where a person's private chat is, on a platform that tells so only
	// when it is asked to open that chat, and "" elsewhere. known returns what Door
	// returned before, perhaps in another process, or "". Its errors are those of Send.
	Door(ctx context.Context, player string, known func() Address) (Address, error)
	// Link is a web address that leads a person to the message at a, which
	// stands in a chat of that home; "" where there is none.
	Link(home string, a Address) string
	// Spelling is a command as people of that language type it here, such as "/sedma new".
	Spelling(c Command, language string) string
	// Ready tells what keeps the platform from receiving: nil once it is
	// connected, and nil while Run does not run, because somebody else receives.
	Ready() error
	// Gap is how long to leave the place alone to which something was just delivered.
	Gap(to Target) time.Duration
	// Lasts is for how long after it was sent a message can be edited as often as
	// a game needs; later it is sent anew instead, and goes from where it stood.
	// 0 is for ever.
	Lasts() time.Duration
}

// Handler is the bot as an adapter sees it: every input gets one reply.
type Handler interface {
	Handle(ctx context.Context, in Input) Reply
	// Complete suggests values for an option that somebody is typing, for
	// platforms that ask: the one that Input.Focus names.
	Complete(ctx context.Context, in Input) []Suggestion
}

// Target is where a new message goes: a chat, one person in private, or with
// both set one person in a chat, where nobody else sees it. What is for one
// person and cannot be delivered to him alone is an error of kind Unreachable
// and never goes anywhere else.
type Target struct {
	Chat   string
	Player string
	// Door is what Platform.Door returned, or "". For Gap it is the address of the
	// message that was delivered.
	Door Address
}

// Address is where a message stands: the platform's name, a colon and what the
// adapter needs to find it again. It is kept in the store and never logged.
type Address string

// What Input.Lacks names beside permissions, alone.
const (
	Locked    = "locked"    // the thread is locked
	Uninvited = "uninvited" // the thread is private, and the bot is not in it
)

// Input is one thing that one person did.
type Input struct {
	Player Player // who
	Chat   Chat   // where
	Admin  bool   // they manage this chat, where the platform says so with the input
	// Lacks are the permissions that the bot would need to keep a table in this
	// chat and does not have: their names under "permission." in the catalogues. Or
	// it is Locked or Uninvited.
	Lacks []string
	// Manages asks the platform whether they manage a chat: this one, or that of a home
	// that the press names. It may take a call, so it is asked only if the answer matters,
	// after the person's limit. It is nil where Admin says all.
	Manages func(ctx context.Context, chat string) (bool, error)

	// Former is the id that Chat had before, when the platform tells that it has
	// another one now. Nobody did anything then: there is no Player, and no reply.
	Former string

	// Presence is set when the platform tells that the bot was removed from Chat's
	// home, or is there. Nobody did anything then either.
	Presence Presence

	// Once names what happened, where somebody could tell of it again in another process:
	// what it changes is changed once. An adapter takes the same event for less than
	// OnceFor. "" where the adapter sees to that itself.
	Once string

	// Command is a name from Commands with its arguments, or "" for a press.
	Command string
	Args    map[string]string
	Focus   string // the option that is being typed, in a call of Handler.Complete

	// Press is a button's data as view made it; nothing in it is trusted.
	Press   string
	Message Address // the message that the button stands on

	// Answer is the address that the reply's screen will have, if it can be edited there
	// later, until Until; else "". Nothing is there before the adapter calls Reply.Stands.
	Answer Address
	Until  time.Time
	// Origin names the message at Answer for as long as it stands: presses on
	// it come with other Answers and the same Origin.
	Origin string
	// OnAnswer is set when the pressed button stands on such an answer, so that
	// the reply can replace it.
	OnAnswer bool
}

// OnceFor is how long the shell remembers what Input.Once named. It allows for clocks
// of processes that differ by ten minutes.
const OnceFor = 15 * time.Minute

// MayManage reports whether the person manages the chats of a home.
func (in Input) MayManage(ctx context.Context, home string) (bool, error) {
	chat := home
	if home == in.Chat.Home {
		if in.Admin {
			return true, nil
		}
		chat = in.Chat.ID // the home may have the id that this chat had before
	}
	if in.Manages == nil {
		return false, nil
	}
	manages, err := in.Manages(ctx, chat)
	if err != nil {
		return false, errUnsure
	}
	return manages, nil
}

// errUnsure means that the platform doesn't say yet whether somebody manages a chat.
var errUnsure = NewRefusal("trouble")

// Player is the person as his platform tells of him.
type Player struct {
	ID   string
	Name string // as people see it, at most 64 characters
	Lang string // a language tag, or "" where the platform doesn't say
	App  string // what Lang was, where the shell has put what he set in its place
}

// Chat is a place where messages stand: a channel, a group, a private chat.
type Chat struct {
	ID         string
	Home       string // the community that it belongs to: a server, a group, or the private chat itself
	Private    bool   // the person alone with the bot
	Visit      bool   // the bot is not there: it can answer who calls it, and post nothing
	Lang       string // a language tag, or ""
	NoPictures bool   // the shell finds it out
}

// Reply is what the presser alone sees at once. An empty reply acknowledges
// the press and shows nothing: the table's messages say the rest.
type Reply struct {
	// Toast is a line of plain text for the presser, at most 200 characters.
	Toast string
	// Echo says that the chat's own messages tell the same as the toast: a
	// platform that may leave a command unanswered leaves it out.
	Echo bool
	// Alert asks for the toast to stay until it is put away.
	Alert bool
	// Screen is shown instead of the toast where the platform can show a
	// screen to one person in the chat, and after a command. It is private
	// unless Public is set. A platform that cannot show it privately in the
	// chat shows the toast, or sends the screen to the person's private chat;
	// it never shows it publicly.
	Screen *view.Screen
	// Public lets everybody in the chat see Screen: a leaderboard, rules.
	Public bool
	// Replace puts Screen in the place of the answer that was pressed (see
	// Input.OnAnswer), or of the message in a private chat that has no answers.
	Replace bool
	// Stands, unless it is nil, is called with the address of Screen once the screen is
	// there, if only the presser sees it and it can be edited later: with Input.Answer,
	// or with another address that can be edited for some days. From then on the shell
	// edits it, in whatever process.
	Stands func(context.Context, Address)
	// Outcome says how it ended; nothing that is shown depends on it.
	Outcome Outcome
	// Err is what went wrong where Outcome is Failed, for the log. Adapters ignore it.
	Err error
}

// Fault says what a failed delivery asks for.
type Fault uint8

// The faults of a delivery.
const (
	Retry       Fault = iota // the same again, not before After
	Unreachable              // this person or chat cannot be written to; again only when something changed
	Gone                     // the message, or the chat, is not there any more
	Invalid                  // the platform will never take this screen: a fault of ours
)

// DeliveryError is a failed Send, Edit or Delete. Err never holds a token, an
// address or a screen.
type DeliveryError struct {
	Fault Fault
	After time.Duration // for Retry: how long the platform asks to wait; 0: as the caller likes
	Held  bool          // for Retry: the adapter kept it back so that the platform need not; nothing was asked of it
	Chat  string        // the chat's new id, where the platform says that it moved
	Err   error
}

// Error says what went wrong.
func (e *DeliveryError) Error() string {
	return fmt.Sprintf("delivery: %s: %v", e.Fault, e.Err)
}

// Unwrap returns what the platform or the network said.
func (e *DeliveryError) Unwrap() error { return e.Err }

// String returns the fault's name in logs.
func (f Fault) String() string {
	return [...]string{"retry", "unreachable", "gone", "invalid"}[f]
}

// Command is a command as every platform offers it. Its descriptions are in
// the catalogues, under "cmd.<name>" and "cmd.<name>.<option>".
type Command struct {
	Name     string   // as on Discord: /sedma <name>
	Other    string   // as on platforms that have a /start of their own, or "" for the same
	Options  []Option // in order; on Telegram they are the words after the command
	Private  bool     // useful in a private chat too
	AnyOrder bool     // what is typed after it are words in any order, which Sort puts into the options
}

// Option is one argument of a command.
type Option struct {
	Name     string
	Kind     OptionKind
	Choices  []string // the values to choose from
	Names    string   // where the catalogues have the names of Choices: under this and the value; "": the value itself
	Complete bool     // the shell suggests values while it is typed
	Required bool
}

// OptionKind is what an option's value looks like.
type OptionKind uint8

// The kinds of options.
const (
	OptionText OptionKind = iota
	OptionNumber
	OptionPerson // a person's id
)

// Commands are the bot's commands, in the order in which help lists them. An
// adapter may add one of its own, "hello": somebody opened a private chat.
var Commands = []Command{
	{Name: "new", AnyOrder: true, Options: []Option{
		{Name: "game", Choices: game.Families(), Names: "game."},
		{Name: "players", Kind: OptionNumber, Choices: []string{"2", "3", "4", "6"}},
		{Name: "level", Choices: table.Levels, Names: "level."},
		{Name: "rules", Complete: true},
	}},
	{Name: "join"},
	{Name: "leave"},
	{Name: "start", Other: "begin"},
	{Name: "solo", AnyOrder: true, Private: true, Options: []Option{
		{Name: "game", Choices: game.Families(), Names: "game."},
		{Name: "players", Kind: OptionNumber, Choices: []string{"2", "3", "4", "6"}},
		{Name: "level", Choices: table.Levels, Names: "level."},
		{Name: "rules", Complete: true},
	}},
	{Name: "tutorial", Private: true},
	{Name: "daily", Private: true},
	{Name: "hand", Private: true},
	{Name: "table", Other: "refresh"},
	{Name: "leaderboard", AnyOrder: true, Private: true, Options: []Option{
		{Name: "period", Choices: Periods, Names: "period."},
		{Name: "where", Choices: []string{"here", "everywhere"}, Names: "where."},
		{Name: "game", Complete: true},
	}},
	{Name: "tournament", AnyOrder: true, Options: []Option{
		{Name: "kind", Choices: view.TournamentKinds, Names: "kind."},
		{Name: "game", Choices: table.ContestGames(), Names: "game."},
	}},
	{Name: "stats", Options: []Option{{Name: "player", Kind: OptionText}}, Private: true},
	{Name: "rules", Private: true},
	{Name: "replay", Options: []Option{{Name: "id", Kind: OptionText}}, Private: true},
	{Name: "settings", Private: true},
	{Name: "share", Options: []Option{{Name: "code", Kind: OptionText}}},
	{Name: "kick", Options: []Option{{Name: "player", Kind: OptionText}}},
	{Name: "pause"},
	{Name: "close"},
	{Name: "privacy", Private: true},
	{Name: "mydata", Private: true, Options: []Option{{Name: "what", Choices: []string{view.DataExport, view.DataDelete}, Names: "data."}}},
	{Name: "help", Private: true},
}

// Sort puts the words after a command into its options, in any order: each into
// the first free one that has it among its choices, and all others together
// into the last. It is for commands with AnyOrder.
func (c Command) Sort(words []string) map[string]string {
	var args map[string]string
	put := func(name, value string) {
		if args == nil {
			args = map[string]string{}
		}
		args[name] = value
	}
	var rest []string
	for _, word := range words {
		i := slices.IndexFunc(c.Options, func(o Option) bool {
			return args[o.Name] == "" && slices.Contains(o.Choices, strings.ToLower(word))
		})
		if i < 0 {
			rest = append(rest, word)
			continue
		}
		put(c.Options[i].Name, strings.ToLower(word))
	}
	if len(rest) > 0 {
		put(c.Options[len(c.Options)-1].Name, strings.Join(rest, " "))
	}
	return args
}
