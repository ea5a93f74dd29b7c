package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// soloLimit is how long somebody who plays alone may think: then he has gone.
const soloLimit = 24 * time.Hour

// solo deals a game against the AI in the player's private chat. Where he plays
// one already, it is brought to the bottom there.
func (b *Bot) solo(ctx context.Context, in Input) Reply {
	begin, err := b.soloRules(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	return b.alone(ctx, in, alone{
		said: "reply.solo",
		is: func(t table.Table) bool {
			same := t.Rules.Preset == begin.Rules.Preset && cmp.Or(t.Level, table.DefaultLevel) == cmp.Or(begin.Level, table.DefaultLevel)
			return !t.Lesson && (same || len(words(in)) == 0)
		},
		open: func(id string, chat table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error) {
			t := table.New(id, p.ID, chat, p, begin.Rules, b.pace, soloLimit, env.Now)
			t.Level = begin.Level
			return table.Apply(t, p, table.Start{}, env)
		},
	})
}

// lesson deals the player his first deal, which is told step by step.
func (b *Bot) lesson(ctx context.Context, in Input) Reply {
	return b.alone(ctx, in, alone{
		said: "reply.lesson",
		is:   func(t table.Table) bool { return t.Lesson },
		open: func(id string, chat table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error) {
			t, err := table.NewLesson(id, p.ID, chat, p, b.pace, soloLimit, env.Now)
			return t, nil, err
		},
	})
}

// alone is a kind of game that one person plays in his private chat.
type alone struct {
	said string                 // the key of what is said of a new one
	is   func(table.Table) bool // whether a game is what was asked for
	open func(id string, chat table.Chat, p table.Player, env table.Env) (table.Table, []table.Event, error)
}

// alone opens a game in the player's private chat. One that runs there is brought
// to the bottom; if it is another than he asked for, it goes on unless nothing
// would be lost: he has not played a card yet, or it is a lesson.
func (b *Bot) alone(ctx context.Context, in Input, game alone) Reply {
	doc, err := b.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	player := doc.dress(in.TablePlayer())
	private := table.Chat{ID: player.ID, Lang: player.Lang, Face: player.Face, Quiet: true, Words: player.Words}
	for range attempts {
		open, err := b.openTable(ctx, Chat{ID: player.ID, Home: player.ID})
		if err != nil {
			return in.Refuse(err)
		}
		if open != "" {
			t, err := b.table(ctx, open)
			if err != nil {
				return in.Refuse(err)
			}
			if is := game.is(t); is || !untouched(t, player.ID) {
				if r := b.act(ctx, in, open, table.Bump{Chat: player.ID}); r.Outcome != Done {
					return r
				}
				if is {
					return b.aloneReply(in, open, "reply.solo_stands")
				}
				return b.aloneReply(in, open, "reply.solo_busy")
			}
			end := in
			end.Once = "" // the game that takes its place is what the event changes
			if r := b.act(ctx, end, open, table.Close{}); r.Outcome != Done {
				return r
			}
		}
		if err := b.roomFor(ctx, doc, player.ID, ""); err != nil {
			return in.Refuse(err)
		}
		env := b.env()
		t, events, err := game.open(newTableID(player.ID), private, player, env)
		if err != nil {
			return in.Refuse(err)
		}
		c, err := b.change(ctx, loaded{Table: table.Table{Phase: table.Closed}}, &t, events)
		if err == nil {
			c.Due = append(c.Due, store.Mark{ID: tableName(t.ID), At: env.Now})
			err = b.docs.CommitOnce(ctx, in.Once, c)
		}
		exists := tableExists("")
		switch {
		case err == nil:
			b.docs.Nudge()
			return b.aloneReply(in, t.ID, game.said)
		case !errors.Is(err, store.ErrConflict) && !errors.As(err, &exists):
			return in.Refuse(err)
		}
	}
	return in.Refuse(errBusy)
}

// untouched tells that a game alone can end without a loss.
func untouched(t table.Table, player string) bool {
	private, ok := t.Private(player)
	return t.Lesson || ok && t.Daily == nil && t.Contest == nil && t.DealNo == 1 && private.View.Decisions[private.Seat] == 0
}

// soloRules are the rules that the command asks for, or those with which tables begin there.
func (b *Bot) soloRules(ctx context.Context, in Input) (homeDefault, error) {
	home, err := b.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return homeDefault{}, err
	}
	begin, err := home.beginning()
	if err != nil {
		return begin, err
	}
	return asked(words(in), begin, in.Catalogue())
}

// aloneReply says that the game goes on in the private chat, and how to get there.
func (b *Bot) aloneReply(in Input, id, key string) Reply {
	said := in.Text(key)
	if in.Chat.Private {
		return Reply{Toast: said, Echo: key != "reply.solo_busy"}
	}
	if key == "reply.solo" || key == "reply.solo_stands" {
		said = "" // the screen says that too
	}
	screen := view.Solo(id, said, in.Catalogue())
	return Reply{Screen: &screen}
}

// hintWithin is how long somebody waits for a hint.
const hintWithin = 2 * time.Second

// hint tells somebody who plays alone which move the AI would make in his place.
func (b *Bot) hint(ctx context.Context, in Input, id string) Reply {
	t, err := b.table(ctx, id)
	if err != nil {
		return in.Refuse(err)
	}
	private, seated := t.Private(in.Player.ID)
	switch {
	case !seated:
		return in.Refuse(table.ErrStranger)
	case t.Daily != nil:
		return in.Refuse(table.ErrDaily)
	case !private.Alone():
		return in.Refuse(errForged)
	case t.Phase != table.Playing:
		return in.Refuse(table.ErrNotPlaying)
	case private.Turn != private.Seat:
		return in.Refuse(table.ErrNotTurn)
	}
	ctx, cancel := context.WithTimeout(ctx, hintWithin)
	defer cancel()
	var choices []ai.Choice
	thought := b.thinking(ctx, func(context.Context) { choices, err = ai.Values(ctx, private.View, t.Before(), b.worlds) })
	if thought != nil || err != nil {
		return in.Refuse(errBusy)
	}
	best := slices.MaxFunc(choices, func(a, b ai.Choice) int { return cmp.Compare(a.Score, b.Score) })
	return Reply{Toast: view.Hint(private, best.Move, advice(choices)), Alert: true}
}

// advice is what screens know of the AI's choices.
func advice(choices []ai.Choice) []view.Advice {
	out := make([]view.Advice, len(choices))
	for i, c := range choices {
		out[i] = view.Advice(c)
	}
	return out
}
