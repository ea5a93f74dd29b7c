package tables

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// errUnsure reports a command that would end the player's only try at the deal of the day.
var errUnsure = errors.New("the player has to be asked first")

// Quit is table.Leave of a player whom Act has asked. It only ends their try at the deal of the
// day.
type Quit struct{ table.Leave }

// Sure is a command of a player whom Act has asked.
type Sure struct{ table.Command }

// asks reports whether Act asks before a command: it ends a match for somebody, and table.Apply would accept it.
func asks(t table.Table, player table.Player, command table.Command, env table.Env) bool {
	if wordOf(command) == "" || t.Phase != table.Playing && t.Phase != table.Pause {
		return false
	}
	_, _, err := table.Apply(t, player, command, env)
	return err == nil && t.Waits(player.ID) == table.NoWait
}

// wordOf returns the first word of the press of a command that Act may ask about, or "".
func wordOf(command table.Command) string {
	switch command.(type) {
	case table.Leave:
		return view.ActLeave
	case table.Close:
		return view.ActClose
	case table.LastDeal:
		return view.ActLast
	}
	return ""
}

// sure returns the command as table.Apply takes it. The error is errUnsure if the player has to
// be asked first.
func sure(t table.Table, player string, command table.Command) (table.Command, error) {
	_, quits := command.(Quit)
	switch command.(type) {
	case Quit, table.Leave, table.Close:
	default:
		return command, nil
	}
	own, seated := t.Private(player)
	tries := t.Policy.OneTry && (t.Phase == table.Playing || t.Phase == table.Pause) && seated && !own.Seats[own.Seat].Left
	switch {
	case quits && tries:
		return table.Leave{}, nil
	case quits:
		return nil, table.ErrNotPlaying
	case tries:
		return nil, errUnsure
	}
	return command, nil
}

// Act applies one command to a table and replies to the person who sent it. It asks first if
// the command would end their only try at the deal of the day.
func (ts *Tables) Act(ctx context.Context, in chat.Input, id string, command table.Command) chat.Reply {
	if command == nil {
		return in.Refuse(chat.ErrForged)
	}
	playerID := "" // player whose document is updated together with the table
	switch command.(type) {
	case table.Join, table.Back, table.Rematch:
		playerID = in.Player.ID
	}
	var before table.Table // the table before the command
	ahead := false         // the button shows a state that was undone
	question := ""         // the command to ask about first
	answer, agreed := command.(Sure)
	if agreed {
		command = answer.Command
	}
	roomy := playerID == "" // the table limit was checked, or doesn't apply
	step := func(t table.Table, own doc.Player) (table.Table, []table.Event, error) {
		before = t
		ahead = t.Ahead(in.Player.ID, command)
		player := own.WithSettings(in.TablePlayer())
		if playerID != "" {
			in.Player.Lang = player.Lang
			if !roomy && ts.nearlyFull(own) {
				return t, nil, ErrPlayerFull
			}
		}
		was := command
		command, err := sure(t, in.Player.ID, command)
		if err == nil {
			command, err = asAdmin(ctx, in, t, command)
		}
		if err != nil {
			return t, nil, err
		}
		if join, ok := command.(table.Join); ok {
			join.Seen = len(t.Chats) > 1 && t.Chats[0].ID != in.Chat.ID // hands of the first chat's people may be known elsewhere
			command = join
		}
		env := ts.Env()
		if _, quits := was.(Quit); !agreed && !quits && asks(t, player, command, env) {
			question = wordOf(command)
			return t, nil, errUnsure
		}
		return table.Apply(t, player, command, env)
	}
	t, err := ts.UpdateWith(ctx, id, playerID, in.Once, step)
	if errors.Is(err, ErrPlayerFull) { // some of the player's tables may have ended
		free, failed := ts.Reserve(ctx, playerID, id)
		if err = failed; err == nil {
			roomy = true
			if t, err = ts.UpdateWith(ctx, id, playerID, in.Once, step); err != nil {
				free()
			}
		}
	}
	if exists := doc.TableExists(""); errors.As(err, &exists) {
		return ts.TableExists(ctx, in, string(exists))
	}
	if _, closes := command.(table.Close); closes && doc.Unreadable(err) {
		return ts.closeDamaged(ctx, in, id, err)
	}
	seat := t.SeatOf(in.Player.ID)
	if seat >= 0 {
		in.Player.Lang = t.Seats[seat].Player.Lang
		err = ts.Suspect(ctx, t, ahead, err)
	}
	if errors.Is(err, errUnsure) {
		screen := view.DailyLeave(id, in.Catalogue())
		if question != "" {
			screen = view.Ask(t.PublicTo(in.Player.ID), question, in.Catalogue())
		}
		return chat.Reply{Screen: &screen, Replace: in.OnAnswer}
	}
	currentHand := func() chat.Reply { // for a player with a seat
		private, _ := t.Private(in.Player.ID)
		return ts.handReply(ctx, private, in)
	}
	if err != nil {
		refused := in.Refuse(err)
		if in.OnAnswer && seat >= 0 && onHand(command) {
			// The hand whose button was pressed is out of date, so reply with the current one.
			hand := currentHand()
			hand.Toast, hand.Alert, hand.Outcome = refused.Toast, false, refused.Outcome
			return hand
		}
		return refused
	}
	reply := acted(in, currentHand, before, t, seat, command)
	if agreed && (in.OnAnswer || in.Message != "") { // the question is answered
		screen := view.Answered(wordOf(command), in.Catalogue())
		reply.Screen, reply.Replace = &screen, true
	}
	return reply
}

// onHand reports whether the button of a command is on a player's hand. Answers like More have the others.
func onHand(command table.Command) bool {
	switch command.(type) {
	case table.Play, table.PlayPlace, table.Back:
		return true
	}
	return false
}

// closeDamaged frees the chats of a table that can't be read, because of damage, for a person who manages this chat. It
// refuses anyone else.
func (ts *Tables) closeDamaged(ctx context.Context, in chat.Input, id string, damage error) chat.Reply {
	manages, err := in.MayManage(ctx, in.Chat.Home)
	freed := false
	if err == nil && manages {
		freed, err = ts.Free(ctx, in.Chat.Home, id)
	}
	if err != nil || !freed {
		return in.Refuse(cmp.Or(err, damage))
	}
	return chat.Reply{Toast: in.Text("reply.freed"), Echo: true}
}

// acted returns the reply to a command that was applied. before is the table before it, and t the
// table after it. seat is the player's seat after it, or -1. If they have one, currentHand replies
// with their hand.
func acted(in chat.Input, currentHand func() chat.Reply, before, t table.Table, seat int, command table.Command) chat.Reply {
	switch command := command.(type) {
	case table.Play:
		if in.OnAnswer && seat >= 0 {
			return currentHand()
		}
	case table.PlayPlace:
		// If the player was away, this press only returns them to their seat. It plays no card.
		if in.OnAnswer && seat >= 0 {
			return currentHand()
		}
		if seat >= 0 && !before.Seats[seat].Away {
			move := command.Move
			if hand := before.Deal.Hand(seat); command.Place > 0 && command.Place <= len(hand) {
				move = game.PlayCard(hand[command.Place-1])
			}
			return chat.Reply{Toast: view.Played(in.Catalogue(), t.Seats[seat].Player.Face, t.Rules.Deck, move)}
		}
	case table.Choose:
		reply := chat.Reply{Edits: true}
		if command.What == "page" {
			reply.Form = view.HouseForm(t.Public(), command.Value, in.Catalogue())
		}
		return reply
	case table.Join:
		if before.SeatOf(in.Player.ID) >= 0 && before.Phase == table.Lobby {
			return chat.Reply{Edits: true} // they have changed their seat
		}
		return joined(in, t)
	case table.Rematch:
		if before.Phase != table.Over {
			return joined(in, t)
		}
	case table.Leave:
		return chat.Reply{Toast: in.Text("reply.left"), Echo: true}
	case Quit:
		screen := view.DailyLeft(in.Catalogue())
		return chat.Reply{Toast: in.Text("reply.left"), Screen: &screen, Replace: true}
	case table.Kick:
		key := "reply.kicked"
		if s := t.Seats[command.Seat]; s.Player.ID != "" && !s.Away {
			key = "reply.voted"
		}
		return chat.Reply{Toast: in.Text(key)}
	case table.Rest:
		key := "reply.rest"
		if t.Resting {
			key = "pause.now"
		}
		return chat.Reply{Toast: in.Text(key), Echo: true}
	case table.Resume:
		return chat.Reply{Toast: in.Text("reply.resumed"), Echo: true}
	case table.Back:
		reply := chat.Reply{Toast: in.Text("reply.back"), Echo: true}
		if in.OnAnswer && seat >= 0 {
			hand := currentHand()
			reply.Screen, reply.Replace, reply.Shown = hand.Screen, hand.Replace, hand.Shown
		}
		return reply
	}
	return chat.Reply{Edits: true}
}

// joined returns the reply to a person who has got a seat, or waits for one.
func joined(in chat.Input, t table.Table) chat.Reply {
	if wait := t.Waits(in.Player.ID); wait != table.NoWait {
		return chat.Reply{Toast: in.Text("coming." + string(wait))}
	}
	return chat.Reply{Toast: in.Text("reply.joined", "game", screen.GameName(in.Catalogue(), t.Rules)), Echo: true}
}

// asAdmin returns the command with administrator rights if the person manages the table's home and is there. For someone
// who manages another home that shows the table, closing it means taking it out of that chat. It leaves commands that don't
// need these rights unchanged.
func asAdmin(ctx context.Context, in chat.Input, t table.Table, command table.Command) (table.Command, error) {
	switch command.(type) {
	case table.Close, table.Kick:
	default:
		return command, nil
	}
	here := slices.IndexFunc(t.Chats, func(c table.Chat) bool { return cmp.Or(c.Home, t.Home) == in.Chat.Home })
	host := t.Host == in.Player.ID && slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == in.Player.ID })
	if here < 0 || host || t.Phase == table.Closed {
		return command, nil
	}
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if chat := t.Chats[here]; chat.Home != "" {
		if _, closes := command.(table.Close); closes && manages && err == nil {
			return table.Unshare{Chat: chat.ID}, nil
		}
		return command, err
	}
	if kick, ok := command.(table.Kick); ok {
		kick.Admin = manages
		return kick, err
	}
	return table.Close{Admin: manages}, err
}

// RefreshPlayer updates the player's seat if the language of their app has changed.
// A language from the player's own settings overrides it.
func (ts *Tables) RefreshPlayer(ctx context.Context, in chat.Input, id string) error {
	now := in.TablePlayer()
	own, err := ts.docs.Own(ctx, in.Player.ID)
	if err != nil || now.Locale == "" {
		return err
	}
	return ts.Bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
		private, seated := t.Private(in.Player.ID)
		return own.WithSettings(now), table.Know{}, seated && private.Seats[private.Seat].Player.Locale != now.Locale
	})
}

// noteAnswer returns an update that records the hand opened by this input, so that it is edited during the game.
func noteAnswer(in chat.Input, now time.Time) func(*doc.Notes) {
	return func(n *doc.Notes) {
		if n.Answers == nil {
			n.Answers = map[string]doc.Answer{}
		}
		maps.DeleteFunc(n.Answers, func(_ string, a doc.Answer) bool { return a.Until.Before(now) })
		n.Answers[in.Player.ID] = called(n.Answers[in.Player.ID], doc.Answer{Address: in.Answer, Until: in.Until, Origin: in.Origin}, in.OnAnswer, now)
	}
}

// maxOlder is the maximum number of a player's older hands that wait for deletion.
const maxOlder = 16

// called returns the record of a player's hands after they opened another one, or
// pressed a button on one. The newest hand is kept; the others are listed for deletion.
func called(before, a doc.Answer, onAnswer bool, now time.Time) doc.Answer {
	same := func(o doc.Answer) bool { return o.Origin != "" && o.Origin == a.Origin }
	if slices.ContainsFunc(before.Older, same) {
		return before // the button was on a hand that is about to be deleted
	}
	a.Older = slices.DeleteFunc(slices.Clone(before.Older), func(o doc.Answer) bool { return !o.Until.After(now) })
	if replaced := same(before) || onAnswer && before.Origin == ""; before.Address != "" && !replaced {
		before.Older = nil
		a.Older = append(a.Older, before)
	}
	a.Older = a.Older[max(0, len(a.Older)-maxOlder):]
	return a
}

// Cards shows a player their hand.
func (ts *Tables) Cards(ctx context.Context, in chat.Input, id string) chat.Reply {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return in.Refuse(doc.ErrNoTable)
	}
	docs, err := ts.docs.Store.Get(ctx, keys[0])
	if err != nil {
		return in.Refuse(err)
	}
	if docs[0].Version == 0 {
		return in.Refuse(doc.ErrNoTable)
	}
	t, err := ts.ReadTable(docs[0])
	if err != nil {
		return in.Refuse(err)
	}
	private, ok := t.Private(in.Player.ID)
	if !ok {
		return in.Refuse(table.ErrStranger)
	}
	if locale := in.TablePlayer().Locale; locale != "" && locale != private.Seats[private.Seat].Player.Locale {
		if err := ts.RefreshPlayer(ctx, in, id); err != nil {
			return in.Refuse(err)
		}
		if t.Table, err = ts.Load(ctx, id); err != nil {
			return in.Refuse(err)
		}
		if private, ok = t.Private(in.Player.ID); !ok {
			return in.Refuse(table.ErrStranger)
		}
	}
	hand := ts.handReply(ctx, private, in)
	if t.Phase != table.Playing {
		hand.Shown = nil
	}
	return hand
}

// handReply returns a reply with the player's hand. Once it is sent, it is recorded so that it stays up to date.
func (ts *Tables) handReply(ctx context.Context, private table.Private, in chat.Input) chat.Reply {
	screen := view.Hand(private)
	if view.HasPage(private) {
		link, err := ts.links.LinkNow(ctx, private)
		if err != nil {
			ts.docs.Log.Warn("sign a link to a page", "table", private.ID, "err", err)
		}
		screen = view.WithPage(private, screen, link)
	}
	return chat.Reply{
		Toast: view.Alert(private), Alert: true, Screen: &screen, Replace: in.OnAnswer,
		Shown: func(ctx context.Context, at chat.Address) {
			if at != in.Answer { // a new message, not an answer to a press on another one
				in.Answer, in.Until, in.Origin, in.OnAnswer = at, ts.docs.Now().Add(doc.KeepClosed), string(at), false
			}
			if err := ts.Note(ctx, private.ID, noteAnswer(in, ts.docs.Now())); err != nil {
				ts.docs.Log.Warn("note where a hand stands", "table", private.ID, "err", err)
			}
		},
	}
}
