// Package chat is the contract between the shell and a chat platform. An adapter,
// such as package telegram, implements [Platform]. It turns each action of a person
// into an [Input], passes it to a [Handler], and shows the [Reply]. It also sends,
// edits and deletes messages when the shell asks it to, and reports failures as a
// [DeliveryError].
//
// The package holds no state and knows nothing about tables or storage. Start with
// Platform, Input and Reply in platform.go. refusal.go has the errors that a room
// answers with, and words.go helps to parse commands.
package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/screen"
)

// Election runs a task that only one process may run at a time, such as polling
// Telegram for updates. It waits until no other process holds that name, then calls
// run. If the hold is lost, it cancels run's ctx and waits for the hold again.
// Otherwise it returns run's error. If ctx ends while it waits, it returns nil.
type Election func(ctx context.Context, name string, run func(ctx context.Context) error) error

// Alone is the election of a process that doesn't share its store: it calls run at once.
func Alone(ctx context.Context, _ string, run func(ctx context.Context) error) error { return run(ctx) }

// Agree changes a number that is the same in all processes that share a store, and returns it. change gets the number as it is,
// or 0. It may be called several times.
type Agree func(ctx context.Context, name string, change func(now int) int) (int, error)

// AgreeAlone returns the Agree of a process without a store: it forgets the numbers when the process ends.
func AgreeAlone() Agree {
	numbers := map[string]int{}
	return func(_ context.Context, name string, change func(now int) int) (int, error) {
		numbers[name] = change(numbers[name])
		return numbers[name], nil
	}
}

// Platform is one chat platform. It passes people's actions to a Handler and
// shows screens to people. All methods except Run are safe for concurrent use.
//
// Ids are opaque outside the adapter and begin with its name and a colon. For
// example, "telegram:-1009" is a chat and "discord:4211" is a person.
type Platform interface {
	// Name returns the platform's name, which is the prefix of its ids, before the colon.
	Name() string
	// Run receives inputs until ctx ends, and passes each to h. It returns nil
	// when ctx has ended. If the platform rejects the bot for good, such as its token,
	// it returns an error that says what to do, and Ready another one from then on.
	Run(ctx context.Context, h Handler) error
	// Send posts a new message and returns its address. A retry of the same
	// message has the same nonce, for platforms that drop duplicates.
	Send(ctx context.Context, to Target, s screen.Screen, nonce string) (Address, error)
	// Edit makes the message at a show s. It is no error if nothing changes.
	Edit(ctx context.Context, a Address, s screen.Screen) error
	// Delete removes the message at a. It is no error if the message is missing.
	Delete(ctx context.Context, a Address) error
	// Reach checks whether Send could reach a target, without showing anything to
	// anyone. It returns nil or a *DeliveryError; nil if the platform doesn't say.
	Reach(ctx context.Context, to Target) error
	// PrivateChat returns the address of a person's private chat, if the platform reveals it
	// only when asked to open that chat; otherwise it returns "". known returns the
	// result of an earlier call, perhaps in another process, or "". Its errors are
	// those of Send.
	PrivateChat(ctx context.Context, player string, known func() Address) (Address, error)
	// Link returns the web address of the message at a, which is in a chat of that
	// home, or "" if it has none.
	Link(home string, a Address) string
	// Spelling returns a command as people type it here in that language, such as "/sedma new".
	Spelling(c Command, language string) string
	// Ready returns the reason why the platform can't receive inputs. It is nil once
	// it is connected, and also while Run isn't running, because another process receives.
	Ready() error
	// Gap returns how long to wait after a delivery before the next one to the same place.
	// The shell may edit a lobby that was quiet a little sooner.
	Gap(to Target) time.Duration
	// Lasts returns how long after it was sent a message can be edited as often as a
	// game needs. After that the message is sent again, and the old one is deleted.
	// 0 means no limit.
	Lasts() time.Duration
	// Abilities returns the platform's optional abilities. It is always the same.
	Abilities() Abilities
}

// Abilities are what only some platforms can do. A nil field is an ability that the platform lacks.
type Abilities struct {
	Marker Marker // shows marks beside names
	// Invite returns a link by which people add the bot to a chat of theirs, or "" if it
	// isn't known yet.
	Invite func() string
	// Posts reports whether people can post what the bot offers in chats where it isn't.
	Posts func() bool
	// Pressed reports whether an edit of the message at a would be the answer to a press on
	// it. The chat's limits don't count such an edit, so it needn't wait for the gap after
	// other deliveries. Pressed waits while a press on the message is being handled.
	Pressed func(ctx context.Context, a Address) bool
	// Pictured reports whether the message at a, which this process has just sent or edited, shows the picture of its
	// screen. nil: it always does.
	Pictured func(a Address) bool
	// Refused returns how many answers of the last minutes the platform counts against this
	// process's address, because it refused the requests. After too many, it would refuse all.
	Refused func() int
}

// ErrNoTopic is the cause of a Send's error if the private chat doesn't have the topic, because the person deleted it.
var ErrNoTopic = errors.New("the private chat doesn't have this topic")

// Handler is the bot as an adapter sees it. It gives one reply to every input.
type Handler interface {
	Handle(ctx context.Context, in Input) Reply
	// Complete suggests values for the option that a person is typing, which
	// Input.Focus names. Only some platforms ask for that.
	Complete(ctx context.Context, in Input) []Suggestion
}

// Target is the destination of a new message: a chat, or one person's private
// chat. With both set it is one person in a chat, where nobody else sees the
// message. If a message for one person can't be delivered to them alone, that is
// an error of kind Unreachable. It is never sent anywhere else.
type Target struct {
	Chat   string
	Player string
	// PrivateChat is the result of Platform.PrivateChat, or "". For Gap it is the address of the
	// message that was just delivered.
	PrivateChat Address
	Topic       string // the topic of the private chat where the person wrote; "": the chat itself
}

// Address is the location of a message: the platform's name, a colon, and the data
// that the adapter needs to find it again. It is kept in the store and never logged.
type Address string

// Locked and Uninvited are the values of Input.Lacks that are no permissions. Such
// a value is the only one in the list.
const (
	Locked    = "locked"    // the thread is locked
	Uninvited = "uninvited" // the thread is private, and the bot is not in it
)

// Input is one action of one person.
type Input struct {
	Player Player // the person who acted
	Chat   Chat   // the chat they acted in
	Admin  bool   // they manage this chat, if the platform says so with the input
	// Masked is set if the person writes as a group or a channel, so that nobody knows who they are. Player is that
	// chat then, and the reply is shown in the chat. Only commands with Command.Masked are answered.
	Masked bool
	// Late is set if a command was given long before it arrived, because the bot was away. It only gets the answer that
	// the bot was away.
	Late bool
	// Old asks the platform whether a press was made so long ago that nobody expects its effect. It is nil if the press
	// surely isn't old. Its answer may take the place of the reply's toast, so only buttons that begin something ask.
	Old func(ctx context.Context) bool
	// Lacks lists the permissions that the bot needs for a table in this chat but
	// doesn't have, by their names under "permission." in the catalogues. Or it is
	// Locked or Uninvited.
	Lacks []string
	// Manages asks the platform whether the person manages a chat: this one, or the one
	// of a home that the press names. It may need a request to the platform, so it is
	// called only if the answer matters, after the rate limit. It is nil if Admin is
	// the whole answer.
	Manages func(ctx context.Context, chat string) (bool, error)

	// Belongs asks the platform whether the person is a member of a home. It may need a
	// request to the platform. It is nil if the platform doesn't say.
	Belongs func(ctx context.Context, home string) (bool, error)

	// Spelling returns a command as the person types it, in that language; set by the shell.
	Spelling func(name, language string) string

	// Former is the chat's previous id. It is set when the platform reports that the
	// chat's id has changed. Such an input has no Player and gets no reply.
	Former string

	// Presence is set when the platform reports that the bot was removed from Chat's
	// home, or that it is there, or that such reports arrive. Such an input gets no reply. It has no Player, except
	// that of Added has the person who added the bot, if the platform says who.
	Presence Presence
	// Places lists the chats where the bot may welcome the people of a home, the best
	// first. It is set with Added, and Once then identifies the addition. With Back, both
	// are set if Joined is less than MissedFor ago.
	Places []string
	// Joined is when the bot was added to the home. It is set with Added and Back, if the
	// platform says so.
	Joined time.Time

	// Missed is set with Reported, whose Chat.Home is only the platform's prefix. It is called with each home whose removal may have
	// got lost, and reports it if the home has removed the bot. group is set if the home is surely no private chat.
	Missed func(ctx context.Context, home string, group bool) error
	// Kept is how long the platform keeps reports for a bot that is away. It is set with Reported. 0: it keeps none.
	Kept time.Duration

	// Once identifies the event if it could be repeated in another process. The change
	// that it makes is committed only once. An adapter accepts repeats of an event for
	// less than OnceFor. It is "" if the adapter drops repeats itself.
	Once string

	// Command is a name from Commands with its arguments, or "" for a press.
	Command string
	Args    map[string]string
	Focus   string // the option that is being typed, in a call of Handler.Complete

	// Press is the pressed button's data, as package view made it. It is untrusted.
	Press   string
	Message Address // the message with the pressed button
	Page    bool    // the button is on a web page of the bot, which the person has open
	// Fields are the answers of a form, by the names of its fields. Press is the form's then. They are untrusted.
	Fields map[string]string

	// Answer is the future address of the reply's screen, if the screen can be edited
	// there until Until; otherwise it is "". No message is there until the adapter calls
	// Reply.Shown, or has shown the toast as a message.
	Answer Address
	Until  time.Time
	// Origin identifies the message at Answer as long as it exists. Each press on that
	// message has another Answer but the same Origin.
	Origin string
	// OnAnswer is set if the pressed button is on such an answer, so the reply can
	// replace it.
	OnAnswer bool
}

// Unattended reports whether no person waits for the reply, so that an adapter has to repeat the input itself if its
// outcome is Failed.
func (in Input) Unattended() bool { return in.Former != "" || in.Presence != 0 }

// Aside returns the chat where an answer is that only the person sees, or "" if that is their private chat.
func (in Input) Aside() string {
	if in.Chat.Private {
		return ""
	}
	return in.Chat.ID
}

// OnceFor is how long the shell remembers an event that Input.Once identifies. It
// allows for a difference of ten minutes between the clocks of processes.
const OnceFor = 15 * time.Minute

// MayManage reports whether the person manages the chats of a home.
func (in Input) MayManage(ctx context.Context, home string) (bool, error) {
	chat := home
	if home == in.Chat.Home {
		if in.Admin {
			return true, nil
		}
		chat = in.Chat.ID // the home's id may be this chat's former id
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

// errUnsure reports that the platform couldn't say whether the person manages a chat.
var errUnsure = NewRefusal("trouble")

// Player is a person, as the platform describes them.
type Player struct {
	ID   string
	Name string // as people see it, at most 64 characters
	Lang string // a language tag, or "" where the platform doesn't say
	App  string // the platform's value of Lang, after the shell has replaced Lang with the player's setting
	// NoPictures is set if the person wants words instead of pictures; set by the shell.
	NoPictures bool
}

// Chat is a place with messages: a channel, a group or a private chat.
type Chat struct {
	ID         string
	Home       string // the community that it belongs to: a server, a group, or the private chat itself
	Private    bool   // a private chat between one person and the bot
	Visit      bool   // the bot is no member of the chat: it can answer commands and presses, but not post
	Lang       string // a language tag, or ""
	NoPictures bool   // pictures are switched off here; set by the shell
	// Single is set if the place is one message that a person has posted for the bot in a chat where it isn't. A table
	// there has no other messages: to send one is to change it. The id and the home are those of the message.
	Single bool
}

// ToastLimit is the maximum length of a toast, in characters
// (https://core.telegram.org/bots/api#answercallbackquery).
const ToastLimit = 200

// Reply is the immediate answer to an input, which usually only its sender sees. An
// empty reply acknowledges a press and shows nothing: the table's messages show the
// result.
type Reply struct {
	// Toast is a line of plain text for the presser, at most ToastLimit characters.
	Toast string
	// Echo is set if the chat's messages already say the same as the toast. A
	// platform that need not answer commands then omits the toast.
	Echo bool
	// Alert makes the toast stay until the person dismisses it.
	Alert bool
	// About is the press of a button of a hand that the toast is about, which a page then marks. "": none.
	About string
	// Screen is shown instead of the toast after a command, and wherever the
	// platform can show a screen to one person in the chat. It is private unless
	// Public is set. A platform that can't show it privately in the chat shows
	// the toast, or sends the screen to the person's private chat. It never
	// shows it publicly.
	Screen *screen.Screen
	// Position is the position that Screen is about. A page shows it on its felt instead of Screen. nil: none.
	Position *Position
	// Form is asked of the presser. A platform without forms, or one that couldn't ask, shows the rest of the
	// reply: with buttons, the person can make the same choices.
	Form *screen.Form
	// Payload is the payload of a link that opens the private chat with this Screen, for
	// a person whom the bot can't show it otherwise; "": the link opens their hands.
	Payload string
	// Public lets everyone in the chat see Screen, such as a leaderboard or rules.
	Public bool
	// Replace makes Screen replace the answer that was pressed (see Input.OnAnswer),
	// or the pressed message in a private chat that has no answers.
	Replace bool
	// Offers are what the person may post in chats where the bot isn't: the reply to the command "offer".
	Offers []Offer
	// Table is the id of the table that the reply leads to, such as one that was just opened; "": none. A page shows
	// it instead of Screen.
	Table string
	// Leads is set if Screen only leads to the person's private chat, where their game is
	// shown. A platform that would show the screen there shows none, if it can reach them.
	Leads bool
	// Edits is set if the message with the pressed button is about to be edited, so that
	// the platform may show the edit as the answer.
	Edits bool
	// Shown, unless it is nil, is called with the address of Screen once the screen
	// is shown, if only the presser sees it and it can be edited later. The address
	// is Input.Answer, or one that can be edited for some days. aside is the chat where it
	// is, or "" if that is the presser's private chat. From then on the shell edits the
	// screen, in any process.
	Shown func(ctx context.Context, at Address, aside string)
	// Repeat is set if the event of Input.Once was handled before. Nothing else is set then: whoever handled it answers.
	Repeat bool
	// Outcome is the result of the input, for metrics. It doesn't affect what is shown.
	Outcome Outcome
	// Err is the error behind a Failed outcome, for the log. Adapters ignore it.
	Err error
}

// Offer is a screen that a person may post in another chat.
type Offer struct {
	ID     string // what asks for this offer alone, at most 64 bytes
	Title  string // its line in the list of offers
	Screen screen.Screen
}

// The ids of offers. Any other one is that of a result.
const (
	OfferTable = "new"   // a new table; also the word of the press that opens it at the posted message
	OfferDaily = "daily" // the deal of the day
)

// Fault is the kind of a failed delivery. It determines what the caller does next.
type Fault uint8

// The faults of a delivery.
const (
	Retry       Fault = iota // try the same again, not before After
	Unreachable              // the bot can't write to this person or chat; retry only after something has changed
	Gone                     // the message or the chat no longer exists
	Invalid                  // the platform will never accept this screen: a bug in the bot
)

// DeliveryError is a failed Send, Edit or Delete. Err never holds a token, an
// address or a screen.
type DeliveryError struct {
	Fault Fault
	After time.Duration // for Retry: how long the platform asks to wait; 0: the caller decides
	Held  bool          // for Retry: the adapter held the message back to stay within a rate limit, and sent no request
	Chat  string        // the chat's new id, if the platform says that it moved
	Err   error
}

// Error returns the fault and its cause.
func (e *DeliveryError) Error() string {
	return fmt.Sprintf("delivery: %s: %v", e.Fault, e.Err)
}

// Unwrap returns the error of the platform or the network.
func (e *DeliveryError) Unwrap() error { return e.Err }

// String returns the fault's name in logs.
func (f Fault) String() string {
	return [...]string{"retry", "unreachable", "gone", "invalid"}[f]
}

// Command is a command that every platform offers. Its descriptions are in
// the catalogues, under "cmd.<name>" and "cmd.<name>.<option>", if a list shows it.
//
// An adapter sends three commands that are unlisted. "hello" is sent when a person opens a private chat. "invite" is
// sent when a person asks another one to play, with their id under "player", their name under "name", and "bot" if it
// is a bot. "offer" is sent when a person asks the bot in a chat where it isn't. Under "id", it has a button's Share or
// what the person wrote, and under "post" a value if the table that it offers is posted at once.
type Command struct {
	Name      string   // the name on Discord: /sedma <name>
	Group     string   // the group that has the command on Discord: /sedma <group> <in>; "": none
	In        string   // the name in the group; "": Name
	Order     int      // its place in lists of commands, ascending
	Other     string   // the name on platforms that reserve Name, such as /start; "": Name
	Options   []Option // in order; on Telegram they are the words after the command
	Private   bool     // it is useful in a private chat too
	Ephemeral bool     // only its sender sees the answer
	AnyOrder  bool     // the words after it come in any order, and Sort assigns them to the options
	Masked    bool     // a person who writes as a group or a channel may give it, too: it needs no person
	Spare     bool     // a button or another command does the same: people may type it, but only the list of its Group on Discord shows it
	Unlisted  bool     // people don't type it: no list shows it
}

// Option is one argument of a command.
type Option struct {
	Name     string
	Kind     OptionKind
	Choices  []string // the values to choose from
	Names    string   // prefix of the catalogue keys with the names of Choices; "": the values are shown
	Complete bool     // the shell suggests values while the person types
	Required bool
}

// OptionKind is the type of an option's value.
type OptionKind uint8

// The kinds of options.
const (
	OptionText OptionKind = iota
	OptionNumber
	OptionPerson // a person's id
)

// Sort assigns the words after a command to its options, for commands with AnyOrder.
// Each word goes to the first unset option that has it among its choices. All
// remaining words together become the last option.
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
