package play

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/league"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Solo starts a game against the AI in the player's private chat. If that game is
// already running, Solo posts it again at the bottom of the chat. Unless the person names a level, the opponent is the next one
// to beat, in a short match. A partner plays as well as the opponents.
func (room *Room) Solo(ctx context.Context, in chat.Input) chat.Reply {
	begin, err := room.tables.Beginning(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	var ladder league.Ladder
	if _, err := room.docs.Get(ctx, league.LadderKey(in.Player.ID), &ladder); err != nil {
		return in.Refuse(err)
	}
	next := ""
	if begin.Level == "" {
		begin.Level = cmp.Or(ladder.Next(), table.StandInLevel)
		next = offer(in, ladder, begin.Rules) + " "
		if short, err := game.WithLength(begin.Rules, table.FirstLength); err == nil && ladder.Next() != "" {
			begin.Rules = short
		}
	}
	next = strings.TrimSpace(next + partner(in, begin.Level, begin.Rules))
	return room.alone(ctx, in, alone{
		startKey: "reply.solo",
		offer:    next,
		is: func(t table.Table) bool {
			same := t.Rules.Preset == begin.Rules.Preset && cmp.Or(t.Level, table.DefaultLevel) == cmp.Or(begin.Level, table.DefaultLevel)
			return !t.Policy.Coached && (same || len(chat.ArgWords(in, tables.GameOptions())) == 0)
		},
		open: func(id string, here table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error) {
			t := table.New(id, p.ID, here, p, begin.Rules, room.pace, tables.SoloLimit, env.Now)
			t.Level, t.Policy.Equals = begin.Level, true
			return table.Apply(t, p, table.Start{}, env)
		},
	})
}

// offer says to a new person where to begin, and to others which opponent is next.
func offer(in chat.Input, d league.Ladder, r game.Rules) string {
	switch level := d.Next(); {
	case !d.Tutorial:
		return in.Text("ladder.offer_tutorial")
	case level != "":
		return beat(in, level, r)
	}
	return in.Text("ladder.top")
}

// beat says which opponent is next, and how they play.
func beat(in chat.Input, level string, r game.Rules) string {
	w := view.NewWriter(in.Catalogue(), face.French)
	return in.Text("ladder.beat", "opponent", view.OpponentName(w, level), "is", view.OpponentIs(w, level, r))
}

// partner says who the person's partner is against the AI at that level, in a game of partners.
func partner(in chat.Input, level string, r game.Rules) string {
	if r.Sides() == r.Players {
		return ""
	}
	return in.Text("ladder.partner", "opponent", view.OpponentName(view.NewWriter(in.Catalogue(), face.French), level))
}

// WarmUp starts one deal against the AI in the private chat of a player who waits for people from other chats. It is
// closed when their match begins: see closeWarmUps.
func (room *Room) WarmUp(ctx context.Context, in chat.Input, id string) chat.Reply {
	wait, err := room.tables.Load(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	switch _, waits := wait.Private(in.Player.ID); {
	case !waits || !wait.Policy.Masked:
		return in.Refuse(table.ErrStranger)
	case wait.Phase != table.Lobby:
		return in.Refuse(table.ErrNotLobby)
	}
	rules := wait.Rules
	if one, err := game.WithLength(rules, "h1"); err == nil {
		rules = one
	}
	return room.alone(ctx, in, alone{
		startKey: "reply.warm",
		is:       func(t table.Table) bool { return t.Warm == id },
		open: func(own string, here table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error) {
			t := table.New(own, p.ID, here, p, rules, room.pace, tables.SoloLimit, env.Now)
			t.Level, t.Warm = wait.Level, id
			return table.Apply(t, p, table.Start{}, env)
		},
	})
}

// closeWarmUps closes the games that the players of a table of strangers began while they waited, once their match has begun.
func (room *Room) closeWarmUps(ctx context.Context, t table.Table, shown *deliver.Shown) error {
	if !t.Policy.Masked || t.Phase == table.Lobby || shown.Cooled {
		return nil
	}
	for _, s := range t.Seats {
		if s.Player.ID == "" {
			continue
		}
		open, err := room.tables.OpenTable(ctx, chat.Chat{ID: s.Player.ID, Home: s.Player.ID})
		if err == nil && open != "" {
			err = room.tables.Bring(ctx, open, func(own table.Table) (table.Player, table.Command, bool) {
				return s.Player, table.Close{}, own.Warm == t.ID
			})
		}
		if err != nil {
			return err
		}
	}
	shown.Cooled = true
	return nil
}

// Lesson starts the tutorial deal in the player's private chat, with step-by-step explanations.
func (room *Room) Lesson(ctx context.Context, in chat.Input) chat.Reply {
	return room.alone(ctx, in, alone{
		startKey: "reply.lesson",
		is:       func(t table.Table) bool { return t.Policy.Coached },
		open: func(id string, here table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error) {
			t, err := table.NewLesson(id, p.ID, here, p, room.pace, tables.SoloLimit, env.Now)
			return t, nil, err
		},
	})
}

// alone is a kind of game that one person plays in their private chat.
type alone struct {
	offer    string                 // the next step on the player's ladder, for the reply when a new game starts
	startKey string                 // Text key of the reply when a new game starts
	is       func(table.Table) bool // reports whether a running game is the requested one
	open     func(id string, chat table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error)
}

// alone opens a game in the player's private chat. If the requested game is already
// running there, alone posts it again at the bottom. Another table there
// is closed when that loses no progress (see untouched), and posted again otherwise.
func (room *Room) alone(ctx context.Context, in chat.Input, game alone) chat.Reply {
	person, err := room.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	player := person.WithSettings(in.TablePlayer())
	private := table.Chat{ID: player.ID, ChatSettings: player.InPrivate()}
	private.Quiet = true // a private chat has no other players who wait
	var reply chat.Reply
	err = doc.Retry(func() error {
		open, err := room.tables.OpenTable(ctx, chat.Chat{ID: player.ID, Home: player.ID})
		if err != nil {
			return err
		}
		if open != "" {
			t, err := room.tables.Load(ctx, open)
			if doc.Unreadable(err) {
				if _, err := room.tables.Free(ctx, player.ID, open); err != nil {
					return err
				}
				return store.ErrConflict // the chat has room now, so retry
			}
			if err != nil {
				return err
			}
			solo := t.Phase != table.Lobby && t.Public().Alone()
			if is := solo && game.is(t); is || !untouched(t, player.ID) {
				switch reply = room.tables.Act(ctx, in, open, table.Bump{Chat: player.ID}); {
				case reply.Outcome != chat.Done:
				case is:
					reply = room.aloneReply(in, open, "reply.solo_stands")
				case solo:
					reply = room.aloneReply(in, open, "reply.solo_busy")
				default:
					reply = room.aloneReply(in, open, "reply.solo_others")
				}
				return nil
			}
			end := in
			end.Once = "" // the commit that opens the new game records the event
			if reply = room.tables.Act(ctx, end, open, tables.Sure{Command: table.Close{}}); reply.Outcome != chat.Done {
				return nil
			}
		}
		if err := room.tables.RoomFor(ctx, person, player.ID, ""); err != nil {
			return err
		}
		env := room.tables.Env()
		t, events, err := game.open(doc.NewTableID(player.ID), private, player, env)
		if err != nil {
			return err
		}
		c, err := room.tables.Opening(ctx, &t, events)
		if exists := doc.TableExists(""); errors.As(err, &exists) {
			return store.ErrConflict // another game was opened meanwhile, so retry
		}
		if err != nil {
			return err
		}
		reply = room.aloneReply(in, t.ID, game.startKey)
		if reply.Toast != "" && game.offer != "" {
			reply.Toast += " " + game.offer
		}
		return room.docs.Commit(ctx, in.Once, c)
	})
	if err != nil {
		return in.Refuse(err)
	}
	return reply
}

// untouched reports whether the table in a player's private chat can be closed without losing progress: nobody else sits
// at it, it isn't shown elsewhere, and the player has not played a card.
func untouched(t table.Table, player string) bool {
	private, ok := t.Private(player)
	switch {
	case t.Policy.Coached:
		return true
	case !ok || t.Policy.OneTry || !private.Alone():
		return false
	case t.Phase == table.Lobby:
		return t.Host == player && len(t.Chats) == 1
	}
	return t.DealNo == 1 && private.View.Decisions[private.Seat] == 0
}

// aloneReply returns a reply about the game in the private chat. Elsewhere, it shows how to get there.
func (room *Room) aloneReply(in chat.Input, id, key string) chat.Reply {
	toast := in.Text(key)
	refused := key == "reply.solo_others"
	if key == "reply.solo_busy" {
		screen := soloBusy(id, in.Chat.Private, in.Catalogue())
		return chat.Reply{Screen: &screen, Table: id}
	}
	if in.Chat.Private {
		return chat.Reply{Toast: toast, Echo: !refused, Table: id}
	}
	if key == "reply.solo_others" {
		screen := view.TableRuns("", "", toast, in.Catalogue())
		return chat.Reply{Screen: &screen, Table: id}
	}
	if key == "reply.solo" || key == "reply.solo_stands" {
		toast = "" // the screen says the same
	}
	screen := soloElsewhere(id, toast, in.Catalogue())
	return chat.Reply{Screen: &screen, Leads: !refused, Table: id}
}
