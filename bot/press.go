package bot

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Handle does what one person asked for and returns what only they see of it
// at once. It never fails: what goes wrong is a sentence in the reply.
func (b *Bot) Handle(ctx context.Context, in Input) Reply {
	reply := b.handle(ctx, in)
	if reply.Err != nil {
		b.docs.Log.Error("answer a player", "command", in.Command, "err", reply.Err)
	}
	return reply
}

func (b *Bot) handle(ctx context.Context, in Input) Reply {
	if in.Former != "" {
		return b.moved(ctx, in)
	}
	if in.Presence != 0 {
		return b.presence(ctx, in)
	}
	if ok, tell := b.throttle.pass(in.Player.ID, b.docs.Now()); tell {
		return Reply{Toast: in.Text("reply.too_fast"), Outcome: Limited}
	} else if !ok {
		return Reply{Outcome: Limited}
	}
	if in.Command != "" {
		in, err := b.docs.Settled(ctx, in)
		if err != nil {
			return in.Refuse(err)
		}
		return b.command(ctx, b.docs.Known(ctx, in))
	}
	p, err := view.ParsePress(in.Press)
	if err != nil {
		return in.Refuse(errForged)
	}
	switch p.Action {
	case view.ActMine, view.ActHome, view.ActData, view.ActDefault, view.ActBoard, view.ActLadder, view.ActHall, view.ActDaily, view.ActReplay, view.ActDeals, view.ActRecord, view.ActLesson, view.ActCup, // what is not the table's own
		view.ActClose, view.ActKick: // and what asks for the right of the home
		if in, err = b.docs.Settled(ctx, in); err != nil {
			return in.Refuse(err)
		}
	}
	switch p.Action {
	case view.ActCards:
		return b.cards(ctx, in, p.Table)
	case view.ActHint:
		return b.hint(ctx, in, p.Table)
	case view.ActMine, view.ActHome:
		return b.pref(ctx, in, p)
	case view.ActRules:
		return b.rules(ctx, b.docs.Known(ctx, in), p.Table)
	case view.ActDefault:
		return b.setDefault(ctx, b.docs.Known(ctx, in), p.Table)
	case view.ActBoard:
		return b.boardCommand(ctx, b.docs.Known(ctx, in))
	case view.ActLadder:
		return b.ladder(ctx, b.docs.Known(ctx, in), p)
	case view.ActDaily:
		return b.dailyPress(ctx, b.docs.Known(ctx, in), p)
	case view.ActCup:
		return b.cup(ctx, b.docs.Known(ctx, in), p)
	case view.ActHall:
		return b.hall(ctx, b.docs.Known(ctx, in), p)
	case view.ActLesson:
		return b.lesson(ctx, b.docs.Known(ctx, in))
	case view.ActData:
		return b.mydata(ctx, b.docs.Known(ctx, in), p.What)
	case view.ActCoach:
		return b.coach(ctx, b.docs.Known(ctx, in), p)
	case view.ActReplay, view.ActDeals, view.ActRecord:
		return b.replayStep(ctx, b.docs.Known(ctx, in), p)
	}
	return b.act(ctx, in, p.Table, commandOf(p))
}

// errForged refuses the data of a button that this bot never made.
var errForged = NewRefusal("forged")

// commandOf is what a press asks of the table.
func commandOf(p view.Press) table.Command {
	switch p.Action {
	case view.ActJoin:
		return table.Join{Seat: -1}
	case view.ActLeave:
		return table.Leave{}
	case view.ActAI:
		return table.AddAI{}
	case view.ActUnAI:
		return table.RemoveAI{}
	case view.ActStart:
		return table.Start{}
	case view.ActPlay:
		return table.Play{Deal: p.Deal, Decision: p.Turn, Move: p.Move}
	case view.ActPlace:
		return table.PlayPlace{Deal: p.Deal, Ply: p.Turn, Place: p.Place, Move: p.Move}
	case view.ActBack:
		return table.Back{}
	case view.ActRematch:
		return table.Rematch{}
	case view.ActSet:
		return table.Choose{What: p.What, Value: p.Value}
	case view.ActLast:
		return table.LastDeal{}
	case view.ActKick:
		return table.Kick{Seat: p.Place}
	case view.ActRest:
		return table.Rest{}
	case view.ActResume:
		return table.Resume{}
	case view.ActClose:
		return table.Close{}
	}
	return nil
}

// act applies one command to a table.
func (b *Bot) act(ctx context.Context, in Input, id string, command table.Command) Reply {
	if command == nil {
		return in.Refuse(errForged)
	}
	whole := "" // who is to be kept as a whole
	switch command.(type) {
	case table.Join, table.Back, table.Rematch:
		whole = in.Player.ID
	}
	var before table.Private // the presser's, as the command found it
	var known playerDoc
	ahead := false       // the press is on what was undone
	roomy := whole == "" // he may have one more table
	step := func(t table.Table, own playerDoc) (table.Table, []table.Event, error) {
		before, _ = t.Private(in.Player.ID)
		ahead = t.Ahead(in.Player.ID, command)
		player := own.dress(in.TablePlayer())
		if whole != "" {
			in.Player.Lang, known = player.Lang, own
			if !roomy && b.manyTables(own) {
				return t, nil, errPlayerFull
			}
		}
		command, err := asAdmin(ctx, in, t, command)
		if err != nil {
			return t, nil, err
		}
		return table.Apply(t, player, command, b.env())
	}
	t, err := b.updateWith(ctx, id, whole, in.Once, step)
	if errors.Is(err, errPlayerFull) { // some of them may be over
		if err = b.roomFor(ctx, known, whole, id); err == nil {
			roomy = true
			t, err = b.updateWith(ctx, id, whole, in.Once, step)
		}
	}
	if exists := tableExists(""); errors.As(err, &exists) {
		return b.tableStands(ctx, in, string(exists))
	}
	private, seated := t.Private(in.Player.ID)
	if seated {
		in.Player.Lang = private.Seats[private.Seat].Player.Lang
		err = b.suspect(ctx, t, ahead, err)
	}
	if err != nil {
		refused := in.Refuse(err)
		if in.OnAnswer && seated && !errors.Is(err, errRepeated) {
			// The hand that he pressed is out of date: he gets the one that he has.
			hand := b.handReply(private, in)
			hand.Toast, hand.Alert, hand.Outcome = refused.Toast, false, refused.Outcome
			return hand
		}
		return refused
	}
	switch command := command.(type) {
	case table.Play:
		if in.OnAnswer && seated {
			return b.handReply(private, in)
		}
	case table.PlayPlace:
		// One who was away has his seat back by this press, and has played nothing.
		if in.OnAnswer && seated {
			return b.handReply(private, in)
		}
		if seated && !before.Seats[before.Seat].Away {
			return Reply{Toast: view.Played(private, cardAt(before, command.Place))}
		}
	case table.Join:
		c := in.Catalogue()
		return Reply{Toast: c.Text("reply.joined", "game", view.GameName(c, t.Rules)), Echo: true}
	case table.Leave:
		return Reply{Toast: in.Text("reply.left"), Echo: true}
	case table.Kick:
		key := "reply.kicked"
		if s := t.Seats[command.Seat]; s.Player.ID != "" && !s.Away {
			key = "reply.voted"
		}
		return Reply{Toast: in.Text(key)}
	case table.Rest:
		key := "reply.rest"
		if t.Resting {
			key = "pause.now"
		}
		return Reply{Toast: in.Text(key), Echo: true}
	case table.Resume:
		return Reply{Toast: in.Text("reply.resumed"), Echo: true}
	case table.Back:
		said := Reply{Toast: in.Text("reply.back"), Echo: true}
		if in.OnAnswer && seated {
			hand := b.handReply(private, in)
			said.Screen, said.Replace, said.Stands = hand.Screen, hand.Replace, hand.Stands
		}
		return said
	}
	return Reply{}
}

// asAdmin returns the command with an administrator's right, if that makes a difference
// and the person manages a chat of the table's.
func asAdmin(ctx context.Context, in Input, t table.Table, command table.Command) (table.Command, error) {
	switch command.(type) {
	case table.Close, table.Kick:
	default:
		return command, nil
	}
	here := slices.ContainsFunc(t.Chats, func(c table.Chat) bool { return cmp.Or(c.Home, t.Home) == in.Chat.Home })
	host := t.Host == in.Player.ID && slices.ContainsFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID == in.Player.ID })
	if !here || host || t.Phase == table.Closed {
		return command, nil
	}
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if kick, ok := command.(table.Kick); ok {
		kick.Admin = manages
		return kick, err
	}
	return table.Close{Admin: manages}, err
}

// cardAt is the card at a place of a hand, counted from 1; zero for place 0.
func cardAt(p table.Private, place int) game.Card {
	if place < 1 || place > len(p.View.Hand) {
		return 0
	}
	return p.View.Hand[place-1]
}

// relearn brings the language of a player's app to his seat, if it is another one
// than it was; what he chose himself stays.
func (b *Bot) relearn(ctx context.Context, in Input, id string) error {
	now := in.TablePlayer()
	own, err := b.docs.Own(ctx, in.Player.ID)
	if err != nil || now.Locale == "" {
		return err
	}
	return b.bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
		private, seated := t.Private(in.Player.ID)
		return own.dress(now), table.Know{}, seated && private.Seats[private.Seat].Player.Locale != now.Locale
	})
}

// cleanName is a name without line breaks and other control characters, of 64 characters at most.
func cleanName(name string) string {
	clean := []rune(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' }), " "))
	if len(clean) > 64 {
		clean = clean[:64]
	}
	return string(clean)
}

// noteAnswer notes the hand that this input called up, so that it is edited as the game goes on.
func noteAnswer(in Input, now time.Time) func(*notesDoc) {
	return func(n *notesDoc) {
		if n.Answers == nil {
			n.Answers = map[string]answer{}
		}
		maps.DeleteFunc(n.Answers, func(_ string, a answer) bool { return a.Until.Before(now) })
		n.Answers[in.Player.ID] = called(n.Answers[in.Player.ID], answer{Address: in.Answer, Until: in.Until, Origin: in.Origin}, in.OnAnswer, now)
	}
}

// mostOlder is how many hands of one player wait to be taken away at most.
const mostOlder = 16

// called is what is known of a player's hands after he called up one more, or
// pressed on one of them: only the newest stays.
func called(before, a answer, onAnswer bool, now time.Time) answer {
	same := func(o answer) bool { return o.Origin != "" && o.Origin == a.Origin }
	if slices.ContainsFunc(before.Older, same) {
		return before // he pressed on one that is about to go
	}
	a.Older = slices.DeleteFunc(slices.Clone(before.Older), func(o answer) bool { return !o.Until.After(now) })
	if replaced := same(before) || onAnswer && before.Origin == ""; before.Address != "" && !replaced {
		before.Older = nil
		a.Older = append(a.Older, before)
	}
	a.Older = a.Older[max(0, len(a.Older)-mostOlder):]
	return a
}

// cards shows the presser his hand.
func (b *Bot) cards(ctx context.Context, in Input, id string) Reply {
	keys, ok := tableKeys(id)
	if !ok {
		return in.Refuse(errNoTable)
	}
	docs, err := b.docs.Store.Get(ctx, keys[0])
	if err != nil {
		return in.Refuse(err)
	}
	if docs[0].Version == 0 {
		return in.Refuse(errNoTable)
	}
	t, err := b.readTable(docs[0])
	if err != nil {
		return in.Refuse(err)
	}
	private, ok := t.Private(in.Player.ID)
	if !ok {
		return in.Refuse(table.ErrStranger)
	}
	if said := in.TablePlayer().Locale; said != "" && said != private.Seats[private.Seat].Player.Locale {
		if err := b.relearn(ctx, in, id); err != nil {
			return in.Refuse(err)
		}
		if t.Table, err = b.table(ctx, id); err != nil {
			return in.Refuse(err)
		}
		if private, ok = t.Private(in.Player.ID); !ok {
			return in.Refuse(table.ErrStranger)
		}
	}
	hand := b.handReply(private, in)
	if t.Phase != table.Playing {
		hand.Stands = nil
	}
	return hand
}

// handReply is the player's hand, which is kept up to date from when it is there.
func (b *Bot) handReply(private table.Private, in Input) Reply {
	screen := view.Hand(private)
	return Reply{
		Toast: view.Alert(private), Alert: true, Screen: &screen, Replace: in.OnAnswer,
		Stands: func(ctx context.Context, at Address) {
			if at != in.Answer { // it is a message of its own, and not the answer to a press on another
				in.Answer, in.Until, in.Origin, in.OnAnswer = at, b.docs.Now().Add(keepClosed), string(at), false
			}
			if err := b.note(ctx, private.ID, noteAnswer(in, b.docs.Now())); err != nil {
				b.docs.Log.Warn("note where a hand stands", "table", private.ID, "err", err)
			}
		},
	}
}

// table loads one table.
func (b *Bot) table(ctx context.Context, id string) (table.Table, error) {
	keys, ok := tableKeys(id)
	if !ok {
		return table.Table{}, errNoTable
	}
	docs, err := b.docs.Store.Get(ctx, keys[0])
	if err != nil {
		return table.Table{}, err
	}
	if docs[0].Version == 0 {
		return table.Table{}, errNoTable
	}
	t, err := b.readTable(docs[0])
	return t.Table, err
}

// note tells whoever shows the table something, without touching the table.
func (b *Bot) note(ctx context.Context, id string, f func(*notesDoc)) error {
	keys, ok := tableKeys(id)
	if !ok {
		return errNoTable
	}
	for range attempts {
		docs, err := b.docs.Store.Get(ctx, keys[2])
		if err != nil {
			return err
		}
		var notes notesDoc
		if err := decode(docs[0], &notes); err != nil {
			return err
		}
		f(&notes)
		now := b.docs.Now()
		err = b.docs.Store.Commit(ctx, store.Change{
			Partition: keys[2].Partition,
			Writes:    []store.Write{{Name: keys[2].Name, Expect: docs[0].Version, Data: encode(notes), Expires: now.Add(keepClosed)}},
			Due:       []store.Mark{{ID: tableName(id), At: now}},
			Now:       now,
		})
		if err == nil {
			b.docs.Nudge()
			return nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return errBusy
}

// rules are the exact rules of a table.
func (b *Bot) rules(ctx context.Context, in Input, id string) Reply {
	t, err := b.table(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	if t.Daily != nil {
		t.Rules.Target, t.Rules.Hands = 0, 1 // it is that one deal
	}
	return b.rulesReply(in, t.Rules)
}

func (b *Bot) rulesReply(in Input, r game.Rules) Reply {
	screen := view.Rules(r, in.Catalogue())
	return Reply{Screen: &screen}
}
