package bot

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// Handle processes the action of one person and returns the reply to them. It never
// fails: the reply's text reports any error.
func (b *Bot) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if in.Presence == chat.Reported { // which may take hours
		return b.people.Reported(ctx, in)
	}
	if p := b.deliver.PlatformOf(chat.Address(in.Player.ID)); p != nil {
		in.Spelling = func(name, language string) string {
			return p.Spelling(b.commands[name].Command, language)
		}
	}
	chat.Deep()
	b.queue.Idle.Begin()
	defer b.queue.Idle.End()
	began, end := b.docs.Now(), b.docs.Observe.Input(in)
	handling, repeated := b.docs.Handling(ctx, in.Once)
	reply := b.answer(handling, in)
	if !in.Unattended() && (reply.Outcome == chat.Done || reply.Outcome == chat.Refused) && repeated() {
		reply = chat.Reply{Repeat: true, Outcome: chat.Refused}
	}
	if reply.Screen != nil {
		*reply.Screen = reply.Screen.Without(b.hides)
	}
	end(reply)
	if reply.Err != nil {
		b.docs.Log.Error("answer a player", "command", in.Command, "err", reply.Err)
	}
	b.trace(ctx, in, reply, b.docs.Now().Sub(began))
	return reply
}

// trace logs an input at the level debug: its platform, what it asked for, its table and how it ended. It logs no names, no
// cards and no words that a person wrote.
func (b *Bot) trace(ctx context.Context, in chat.Input, reply chat.Reply, took time.Duration) {
	if in.Former != "" || in.Presence != 0 || !b.docs.Log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	platform, _, _ := strings.Cut(in.Player.ID, ":")
	table := ""
	if press, err := view.ParsePress(in.Press); err == nil {
		table = press.Table
	}
	b.docs.Log.Debug("input", "platform", platform, "action", cmp.Or(b.actionOf(in), "unknown"), "table", table,
		"outcome", observe.Outcomes[reply.Outcome], "ms", took.Milliseconds())
}

// actionOf returns the command's name or the press's first word, or "" if the bot knows neither.
func (b *Bot) actionOf(in chat.Input) string {
	if _, ok := b.commands[in.Command]; ok {
		return in.Command
	}
	if word := screen.PressWord(in.Press); b.buttons[word].Read != nil {
		return word
	}
	return ""
}

func (b *Bot) answer(ctx context.Context, in chat.Input) chat.Reply {
	if in.Former != "" {
		return b.upkeep.Moved(ctx, in)
	}
	if in.Presence != 0 {
		reply := b.upkeep.Presence(ctx, in)
		if in.Presence != chat.Removed && reply.Outcome == chat.Done {
			reply = b.people.Present(ctx, in)
		}
		return reply
	}
	if ok, notify := b.throttle.pass(in.Player.ID, in.Command != "", posts(in), b.docs.Now()); notify {
		return chat.Reply{Toast: in.Text("reply.too_fast"), Outcome: chat.Limited}
	} else if !ok {
		return chat.Reply{Outcome: chat.Limited}
	}
	if in.Command != "" {
		return b.command(ctx, in)
	}
	button, do, err := b.read(in.Press)
	if err != nil {
		return in.Refuse(chat.ErrForged)
	}
	if in.Chat.Private && !in.Page {
		b.deliver.Heard(in.Player.ID) // without the store, as there are many presses
	}
	if button.Begins && in.Old != nil && in.Old(ctx) {
		return in.Refuse(errLate)
	}
	if button.Know&doc.Settle != 0 {
		if in, err = b.docs.Settled(ctx, in); err != nil {
			return in.Refuse(err)
		}
	}
	if button.Know&doc.Settings != 0 {
		in = b.docs.Known(ctx, in)
	}
	return in.Pictured(do(ctx, in))
}

// posts reports whether an input posts a table in a chat where the bot isn't.
func posts(in chat.Input) bool {
	return in.Command == "offer" && in.Args["post"] != "" || in.Chat.Single && screen.PressWord(in.Press) == view.ActNew
}

// read returns the button that has a press, and what the press does.
func (b *Bot) read(press string) (doc.Button, doc.Do, error) {
	switch {
	case isWithdrawn(press):
		return doc.Button{Know: doc.Settings}, refuseWithdrawn, nil
	case b.hides(press):
		return doc.Button{Know: doc.Settings}, refuseLeft, nil
	}
	button, ok := b.buttons[screen.PressWord(press)]
	if !ok || len(press) > screen.PressLimit {
		return button, nil, screen.ErrPress
	}
	do, err := button.Read(press)
	return button, do, err
}

// Commands that are not carried out.
var (
	errLate   = chat.NewRefusal("late")
	errMasked = chat.NewRefusal("masked")
)

// command answers a command. A command about a table applies to the table that is
// open in this chat. In a private chat without one, it applies to the latest table at
// which the person has a seat.
func (b *Bot) command(ctx context.Context, in chat.Input) chat.Reply {
	in, err := b.docs.Settled(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	in = b.docs.Known(ctx, in)
	if in.Chat.Private {
		if err := b.play.Reached(ctx, in); err != nil {
			b.docs.Log.Warn("note that a person takes private messages", "err", err)
		}
	}
	command := b.commands[in.Command]
	switch {
	case in.Late:
		return in.Refuse(errLate)
	case in.Masked && !command.Masked:
		return in.Refuse(errMasked)
	}
	if command.Do != nil {
		return in.Pictured(command.Do(ctx, in))
	}
	home, err := b.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return in.Refuse(err)
	}
	at := doc.Place{Table: home.Open[in.Chat.ID], Chat: in.Chat.ID}
	if at.Table == "" && in.Chat.Private {
		ids, err := b.tables.TablesOf(ctx, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if len(ids) > 0 {
			at.Table, at.Chat = ids[len(ids)-1], in.Player.ID
		}
	}
	switch {
	case at.Table == "" && !command.Bare:
		return chat.Reply{Toast: in.Text("reply.no_table")}
	case command.At == nil:
		return chat.Reply{Toast: in.Text("reply.unknown_command")}
	}
	return in.Pictured(command.At(ctx, in, at))
}

// Complete suggests values for the option that the person is typing.
func (b *Bot) Complete(ctx context.Context, in chat.Input) []chat.Suggestion {
	if complete := b.commands[in.Command].Complete; complete != nil {
		return complete(ctx, in)
	}
	return nil
}

// help shows the help.
func (b *Bot) help(_ context.Context, in chat.Input) chat.Reply {
	c := in.Catalogue()
	help := HelpScreen(c)
	if in.Chat.Private {
		help = view.WithInvite(help, b.deliver.Invite(in.Player.ID), b.deliver.Posts(in.Player.ID), c)
	}
	return chat.Reply{Screen: &help}
}

// helpPressed gives a command of the help. Buttons of earlier versions name pages that the help no longer has.
func (b *Bot) helpPressed(ctx context.Context, in chat.Input, name string) chat.Reply {
	if !slices.Contains(helpCommands, name) {
		reply := b.help(ctx, in)
		reply.Replace = true
		return reply
	}
	in.Press, in.Command = "", name
	return b.command(ctx, in)
}

// learn shows how far the person has learned the game, and the next step.
func (b *Bot) learn(ctx context.Context, in chat.Input) chat.Reply {
	courses, err := b.courses(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	screen := LearnScreen(courses, in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// atDoor reports whether the front door of the pages may make a press. It may show finished matches and boards, too.
func (b *Bot) atDoor(press string) bool {
	button, _, err := b.read(press)
	return err == nil && (button.Front || button.Page != nil && button.Page(table.Public{}, press))
}

// allows reports whether the page of a table may make a press.
func (b *Bot) allows(t table.Public, press string) bool {
	button, _, err := b.read(press)
	return err == nil && button.Page != nil && button.Page(t, press)
}
