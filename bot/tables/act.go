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
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
)

// errUnsure reports that a player has to be asked before a command.
var errUnsure = errors.New("the player has to be asked first")

// Quit is table.Leave of a player whom Act has asked. It only ends a try that they don't get again.
type Quit struct{ table.Leave }

// Sure is a command of a player whom Act has asked.
type Sure struct{ table.Command }

// trait is all that Act has to know about a command, beside what table.Apply does.
type trait struct {
	seats  bool                           // it may give the player a seat, so their document is updated with the table
	leaves bool                           // it ends the player's try, where they get no other one
	quits  bool                           // it is Quit
	asks   string                         // first word of the press by which the player agrees, if a match is running; "": Act doesn't ask
	closes bool                           // it closes the table
	onHand bool                           // its button is on a player's hand; answers like More have the others
	moves  bool                           // it is a move, which names its decision and so can't be made twice
	as     func(admin bool) table.Command // the command with or without the rights of an administrator; nil: they don't matter
	seen   func(seen bool) table.Command  // the command of a person who may have seen a hand of the table; nil: that doesn't matter
	reply  func(a *act) chat.Reply        // nil: the table's messages say what has changed
}

// traitOf returns the trait of a command.
func traitOf(command table.Command) trait {
	switch command := command.(type) {
	case table.Join:
		seen := func(seen bool) table.Command { command.Seen = seen; return command }
		return trait{seats: true, seen: seen, reply: (*act).joined}
	case table.Rematch:
		return trait{seats: true, reply: (*act).rematch}
	case table.Back:
		return trait{seats: true, onHand: true, reply: says("reply.back")}
	case table.Play:
		return trait{onHand: true, moves: true}
	case table.PlayPlace:
		return trait{onHand: true, moves: true, reply: func(a *act) chat.Reply { return a.placed(command) }}
	case table.Choose:
		return trait{reply: func(a *act) chat.Reply { return a.chosen(command) }}
	case table.Leave:
		return trait{leaves: true, asks: view.ActLeave, reply: says("reply.left")}
	case Quit:
		return trait{leaves: true, quits: true, reply: (*act).quit}
	case table.Close:
		as := func(admin bool) table.Command { return table.Close{Admin: admin} }
		return trait{leaves: true, asks: view.ActClose, closes: true, as: as}
	case table.LastDeal:
		return trait{asks: view.ActLast}
	case table.Kick:
		as := func(admin bool) table.Command { command.Admin = admin; return command }
		return trait{as: as, reply: func(a *act) chat.Reply { return a.kicked(command.Seat) }}
	case table.Rest:
		return trait{reply: (*act).rests}
	case table.Resume:
		return trait{reply: says("reply.resumed")}
	}
	return trait{}
}

// act is a command that a person gives at a table.
type act struct {
	trait
	ts      *Tables
	in      chat.Input
	command table.Command
	agreed  bool         // the player was asked, and agreed
	unsure  bool         // the player has to be asked about asks
	ahead   bool         // the button shows a state that was undone
	before  *table.Table // the table before the command; nil for a command that is neither asked about nor replied to
	after   table.Table
	seat    int // the player's seat after the command, or -1
}

// Act applies one command to a table and replies to the person who sent it. It asks first if
// the command would end a match for somebody, or a try that the person doesn't get again.
func (ts *Tables) Act(ctx context.Context, in chat.Input, id string, command table.Command) chat.Reply {
	if command == nil {
		return in.Refuse(chat.ErrForged)
	}
	answer, agreed := command.(Sure)
	if agreed {
		command = answer.Command
	}
	a := &act{trait: traitOf(command), ts: ts, in: in, command: command, agreed: agreed}
	playerID := "" // player whose document is updated together with the table
	if a.seats {
		playerID = in.Player.ID
	}
	roomy := playerID == "" // the table limit was checked, or doesn't apply
	step := func(t table.Table, own doc.Player) (table.Table, []table.Event, error) {
		a.ahead = t.Ahead(in.Player.ID, command)
		if a.reply != nil || a.leaves || a.asks != "" {
			before := t
			a.before = &before
		}
		player := own.WithSettings(in.TablePlayer())
		if playerID != "" {
			a.in.Player.Lang = player.Lang
			if !roomy && ts.nearlyFull(own) {
				return t, nil, ErrPlayerFull
			}
		}
		if a.moves {
			return a.move(ctx, t, player)
		}
		return a.apply(ctx, t, player)
	}
	once := in.Once
	if a.moves {
		once = "" // the table itself says which event it was
	}
	var err error
	a.after, err = ts.UpdateWith(ctx, id, playerID, once, step)
	if a.moves {
		doc.Handled(ctx, err)
	}
	if errors.Is(err, ErrPlayerFull) { // some of the player's tables may have ended
		free, failed := ts.Reserve(ctx, playerID, id)
		if err = failed; err == nil {
			roomy = true
			if a.after, err = ts.UpdateWith(ctx, id, playerID, once, step); err != nil {
				free()
			}
		}
	}
	if exists := doc.TableExists(""); errors.As(err, &exists) {
		return ts.TableExists(ctx, a.in, string(exists))
	}
	if a.closes && doc.Unreadable(err) {
		return ts.closeDamaged(ctx, a.in, id, err)
	}
	if a.seat = a.after.SeatOf(in.Player.ID); a.seat >= 0 {
		a.in.Player.Lang = a.after.Seats[a.seat].Player.Lang
		err = ts.Suspect(ctx, a.after, a.ahead, err)
	}
	return a.answer(ctx, err)
}

// move makes a move, and notes its event at the table: so most presses need no document of their own. Earlier events of
// the player can't move again either: the decisions that they name are over.
func (a *act) move(ctx context.Context, t table.Table, player table.Player) (table.Table, []table.Event, error) {
	if a.in.Once != "" && slices.Contains(t.Events, a.in.Once) {
		return t, nil, doc.ErrRepeated
	}
	then, events, err := a.apply(ctx, t, player)
	if seat := then.SeatOf(player.ID); err == nil && seat >= 0 && a.in.Once != "" {
		then.Events = append(make([]string, 0, len(then.Seats)), then.Events...)[:len(then.Seats)]
		then.Events[seat] = a.in.Once
	}
	return then, events, err
}

// apply applies the command as the table takes it from this person.
func (a *act) apply(ctx context.Context, t table.Table, player table.Player) (table.Table, []table.Event, error) {
	running := t.Phase == table.Playing || t.Phase == table.Pause
	seat := t.SeatOf(player.ID)
	tries := a.leaves && t.Policy.OneTry && running && seat >= 0 && !t.Seats[seat].Left
	command := a.command
	switch {
	case a.quits && !tries:
		return t, nil, table.ErrNotPlaying
	case a.quits:
		command = table.Leave{}
	case tries:
		return t, nil, errUnsure
	}
	if a.as != nil {
		var err error
		if command, err = a.asAdmin(ctx, t); err != nil {
			return t, nil, err
		}
	}
	if a.seen != nil {
		command = a.seen(len(t.Chats) > 1 && t.Chats[0].ID != a.in.Chat.ID) // hands of the first chat's people may be known elsewhere
	}
	then, events, err := table.Apply(t, player, command, a.ts.Env())
	if err == nil && traitOf(command).asks != "" && !a.agreed && !a.quits && running && t.Waits(player.ID) == table.NoWait {
		a.unsure = true
		return t, nil, errUnsure
	}
	return then, events, err
}

// answer returns the reply to the command. err says why it was not applied.
func (a *act) answer(ctx context.Context, err error) chat.Reply {
	c, reply := a.in.Catalogue(), chat.Reply{Edits: true}
	switch {
	case errors.Is(err, errUnsure):
		screen := view.DailyLeave(a.before.ID, c)
		if a.unsure {
			screen = view.Ask(a.before.PublicTo(a.in.Player.ID), a.asks, c)
		}
		return chat.Reply{Screen: &screen, Replace: a.in.OnAnswer}
	case err != nil:
		reply = a.in.Refuse(err)
	case a.reply != nil:
		reply = a.reply(a)
	}
	if a.onHand && a.in.OnAnswer && a.seat >= 0 { // the current hand replaces the one whose button was pressed
		private, _ := a.after.Private(a.in.Player.ID)
		hand := a.ts.handReply(ctx, private, a.in)
		if err != nil || reply.Toast != "" {
			hand.Toast, hand.Alert, hand.Echo, hand.Outcome = reply.Toast, false, reply.Echo, reply.Outcome
		}
		return hand
	}
	if err == nil && a.agreed && (a.in.OnAnswer || a.in.Message != "") { // the question is answered
		screen := view.Answered(a.asks, c)
		reply.Screen, reply.Replace = &screen, true
	}
	return reply
}

// says returns a reply that is only a text.
func says(key string) func(*act) chat.Reply {
	return func(a *act) chat.Reply { return chat.Reply{Toast: a.in.Text(key), Echo: true} }
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

// placed replies to a move by a place of the hand. If the player was away, the press only returned them to their seat, and
// played no card.
func (a *act) placed(command table.PlayPlace) chat.Reply {
	if a.in.OnAnswer || a.seat < 0 || a.before.Seats[a.seat].Away {
		return chat.Reply{Edits: true}
	}
	move := command.Move
	if hand := a.before.Deal.Hand(a.seat); command.Place > 0 && command.Place <= len(hand) {
		move = game.PlayCard(hand[command.Place-1])
	}
	return chat.Reply{Toast: view.Played(a.in.Catalogue(), a.after.Seats[a.seat].Player.Face, a.after.Rules.Deck, move)}
}

// chosen replies to a choice in the settings.
func (a *act) chosen(command table.Choose) chat.Reply {
	reply := chat.Reply{Edits: true}
	if command.What == "page" {
		reply.Form = view.HouseForm(a.after.Public(), command.Value, a.in.Catalogue())
	}
	return reply
}

// quit replies to a player who has ended a try that they don't get again.
func (a *act) quit() chat.Reply {
	screen := view.DailyLeft(a.in.Catalogue())
	return chat.Reply{Toast: a.in.Text("reply.left"), Screen: &screen, Replace: true}
}

// kicked replies to a person who wants the AI to play somebody else's seat.
func (a *act) kicked(seat int) chat.Reply {
	key := "reply.kicked"
	if s := a.after.Seats[seat]; s.Player.ID != "" && !s.Away {
		key = "reply.voted"
	}
	return chat.Reply{Toast: a.in.Text(key)}
}

// rests replies to a player who wants to halt the game.
func (a *act) rests() chat.Reply {
	if a.after.Resting {
		return says("pause.now")(a)
	}
	return says("reply.rest")(a)
}

// rematch replies to a person who wants a rematch.
func (a *act) rematch() chat.Reply {
	if a.before.Phase == table.Over {
		return chat.Reply{Edits: true}
	}
	return a.arrived()
}

// joined replies to a person who takes a seat, or another one.
func (a *act) joined() chat.Reply {
	if a.before.SeatOf(a.in.Player.ID) >= 0 && a.before.Phase == table.Lobby {
		return chat.Reply{Edits: true}
	}
	return a.arrived()
}

// arrived replies to a person who has got a seat, or waits for one.
func (a *act) arrived() chat.Reply {
	if wait := a.after.Waits(a.in.Player.ID); wait != table.NoWait {
		return chat.Reply{Toast: a.in.Text("coming." + string(wait))}
	}
	return chat.Reply{Toast: a.in.Text("reply.joined", "game", screen.GameName(a.in.Catalogue(), a.after.Rules)), Echo: true}
}

// asAdmin returns the command with administrator rights if the person manages the table's home and is there. For someone
// who manages another home that shows the table, closing it means taking it out of that chat.
func (a *act) asAdmin(ctx context.Context, t table.Table) (table.Command, error) {
	in := a.in
	here := slices.IndexFunc(t.Chats, func(c table.Chat) bool { return cmp.Or(c.Home, t.Home) == in.Chat.Home })
	if here < 0 || t.Host == in.Player.ID && t.SeatOf(in.Player.ID) >= 0 || t.Phase == table.Closed {
		return a.command, nil
	}
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if chat := t.Chats[here]; chat.Home != "" {
		if a.closes && manages && err == nil {
			return table.Unshare{Chat: chat.ID}, nil
		}
		return a.command, err
	}
	return a.as(manages), err
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

// noteHand returns an update that records a hand that a player opened, so that it is edited during the game.
func noteHand(player string, hand doc.Answer, now time.Time) func(*doc.Notes) {
	return func(n *doc.Notes) {
		if n.Hands == nil {
			n.Hands = map[string]doc.Hands{}
		}
		maps.DeleteFunc(n.Hands, func(_ string, h doc.Hands) bool { return h.Newest().Until.Before(now) })
		n.Hands[player] = opened(n.Hands[player], hand, now)
	}
}

// maxHands is the maximum number of a player's hands that are recorded.
const maxHands = 17

// opened returns a player's hands after they opened another one, or pressed a button on one.
func opened(hands doc.Hands, hand doc.Answer, now time.Time) doc.Hands {
	same := func(o doc.Answer) bool { return o.Origin != "" && o.Origin == hand.Origin }
	if i := slices.IndexFunc(hands, same); i >= 0 && i < len(hands)-1 {
		return hands // the button was on a hand that is about to be deleted
	}
	hands = slices.DeleteFunc(slices.Clone(hands), func(o doc.Answer) bool { return same(o) || !o.Until.After(now) })
	return append(hands[max(0, len(hands)+1-maxHands):], hand)
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

// noteTimeout is how long to try to record where a hand is. Its owner's next press waits for that.
const noteTimeout = 6 * time.Second

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
		Shown: func(ctx context.Context, at chat.Address, aside string) {
			hand, now := doc.Answer{Address: in.Answer, Until: in.Until, Origin: in.Origin, Aside: aside}, ts.docs.Now()
			if at != in.Answer { // a new message, not an answer to a press on another one
				hand.Address, hand.Until, hand.Origin = at, now.Add(doc.KeepClosed), string(at)
			}
			few, cancel := context.WithTimeout(ctx, noteTimeout)
			defer cancel()
			err := work.Insist(few, func(ctx context.Context) error { // nothing else knows where the hand is
				return ts.Note(ctx, private.ID, noteHand(in.Player.ID, hand, now))
			})
			if err != nil {
				ts.docs.Log.Warn("note where a hand stands", "table", private.ID, "err", err)
			}
		},
	}
}
