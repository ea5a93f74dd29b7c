package doc

import (
	"context"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// Feature is what a room gives to the bot: everything that the rest of the program has to know about the room. The bot
// joins the features of all rooms. A screen shows only buttons whose presses a feature has, so the links to a room vanish
// with it.
type Feature struct {
	Commands []Command
	Buttons  map[string]Button // by the first word of their presses
	Kinds    []Kind            // kinds of documents and jobs

	HomeSettings []Setting[Home]   // settings of a home, which its managers change
	OwnSettings  []Setting[Player] // settings that each person has for themselves

	// Courses returns what the room has for somebody who learns the game. nil: nothing.
	Courses func(ctx context.Context, in chat.Input) ([]Course, error)
}

// Course is a line of the Learn screen.
type Course struct {
	Order int           // place in the list; the first course with a next step has the screen's button
	Line  []screen.Span // how far the person is; empty: no line
	Next  screen.Button // the next step; without a press: none is left
	About string        // what the next step is, unless its button says it
	Daily bool          // there is another one every day, so the next step is offered beside other courses' steps
}

// Command is one command with its handler. Do or At is set, but not both.
type Command struct {
	chat.Command
	Do func(ctx context.Context, in chat.Input) chat.Reply
	At func(ctx context.Context, in chat.Input, at Place) chat.Reply // for commands about a table
	// Complete suggests values for the option that the person is typing. nil: the command has no such option.
	Complete func(ctx context.Context, in chat.Input) []chat.Suggestion
	// Bare: At is also called if there is no table. Otherwise the bot says that there is none.
	Bare bool
}

// Place is the table that a command is about.
type Place struct {
	Table string // the table's id; "": no table
	Chat  string // the chat with the table's messages: this one, or the person's private chat
}

// Button is the handler of one kind of button.
type Button struct {
	Know Know
	// Read reads a press and returns what it does. The error is screen.ErrPress if no button has such a press.
	Read func(press string) (Do, error)
	// Page reports whether the page of a table may make the press. nil: no page may.
	Page func(t table.Public, press string) bool
	// Begins is set if the press begins a match or opens a table. An old one does nothing; see chat.Input.Old.
	Begins bool
	// Front is set if the front door of the pages may make the press, where the reader isn't at a table.
	Front bool
}

// Beginning returns the button, whose press begins a match or opens a table.
func (b Button) Beginning() Button {
	b.Begins = true
	return b
}

// Do is what a press does.
type Do func(ctx context.Context, in chat.Input) chat.Reply

// Pressed is a button whose presses parse reads, and do handles.
func Pressed[P any](know Know, parse func(press string) (P, error), do func(ctx context.Context, in chat.Input, p P) chat.Reply) Button {
	return Button{Know: know, Read: func(press string) (Do, error) {
		p, err := parse(press)
		return func(ctx context.Context, in chat.Input) chat.Reply { return do(ctx, in, p) }, err
	}}
}

// OnPage returns the button, which the page of a table may press if the first field is the table's id.
func (b Button) OnPage() Button {
	b.Page = func(t table.Public, press string) bool {
		_, f := screen.FieldsOf(press)
		return f.Name() == t.ID
	}
	return b
}

// OnPages returns the button, which every page may press, because it only shows a finished match or a board.
func (b Button) OnPages() Button {
	b.Page = func(table.Public, string) bool { return true }
	return b
}

// AtDoor returns the button, which the front door of the pages may press.
func (b Button) AtDoor() Button {
	b.Front = true
	return b
}

// Know is a set of facts to look up about an input before a room handles it.
type Know uint8

// The facts to look up.
const (
	Settle     Know = 1 << iota // the home of the chat, which may be stored under a former id
	Settings                    // the settings of the person and the home
	Everything = Settle | Settings
)

// Plain is a button whose press has no fields.
func Plain(do func(ctx context.Context, in chat.Input) chat.Reply) Button {
	return Button{Know: Everything, Read: func(press string) (Do, error) {
		if screen.PressOf(screen.PressWord(press)) != press {
			return nil, screen.ErrPress
		}
		return do, nil
	}}
}

// Named is a button whose press has only one name, usually a table's id.
func Named(know Know, do func(ctx context.Context, in chat.Input, name string) chat.Reply) Button {
	return Pressed(know, func(press string) (string, error) {
		_, f := screen.FieldsOf(press)
		return f.Name(), f.End()
	}, do)
}
