package bot

import (
	"context"
	"errors"
	"slices"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A failover of Redis may undo the newest commits, and a restore undoes all since the backup. The chats still show
// them. What is noted of the messages goes back together with the tables, so that every message seems to be as it
// should, and nothing would be edited. Therefore all messages of a table that tell how it stands are edited again when
//
//   - a player presses a button for a decision that is yet to come,
//   - a player presses a button that does not fit the table, although nothing has happened for a while,
//   - this process has seen a later version of the table than the store now has (witness),
//   - the table was restored from a backup (restored).
//
// In all but the second case it is known that moves were undone, and the messages say so until somebody does something.

const (
	redrawEvery = 10 * time.Second // how often a table is drawn again at most
	atRest      = 5 * time.Second  // after so long without a change every message shows the table as it is
)

// errUndone: the press was on a decision that was undone.
var errUndone = NewRefusal("undone")

// misfits are the refusals of buttons that the messages of the table as it is do not have, or not for that player.
var misfits = []table.Refusal{
	table.ErrNotTurn, table.ErrAlready, table.ErrOldDeal, table.ErrNotPlaying, table.ErrNotOver, table.ErrNotLobby, table.ErrNotResting,
}

// suspect has the table drawn again if a seated player's press shows that its messages may be out of date. ahead is
// what Table.Ahead said of the press, and err what came of it. It returns the error to answer with.
func (b *Bot) suspect(ctx context.Context, t table.Table, ahead bool, err error) error {
	var refusal table.Refusal
	refused := errors.As(err, &refusal)
	changed := t.Since
	if t.Touched.After(changed) {
		changed = t.Touched
	}
	switch {
	case ahead && (err == nil || refused):
		err = errUndone
	case refused && slices.Contains(misfits, refusal) && b.docs.Now().Sub(changed) >= atRest:
	default:
		return err
	}
	if fault := b.redraw(ctx, t.ID, ahead); fault != nil {
		b.docs.Log.Debug("draw a table again", "table", t.ID, "err", fault)
	}
	return err
}

// redraw has the messages of a table edited, every 10 s at most. undone says that moves are known to be undone.
func (b *Bot) redraw(ctx context.Context, id string, undone bool) error {
	keys, ok := tableKeys(id)
	if !ok {
		return errNoTable
	}
	docs, err := b.docs.Store.Get(ctx, keys[2])
	if err != nil {
		return err
	}
	var notes notesDoc
	if err := decode(docs[0], &notes); err != nil {
		return err
	}
	if !notes.redraw(b.docs.Now(), undone) {
		return nil
	}
	return b.note(ctx, id, func(n *notesDoc) { n.redraw(b.docs.Now(), undone) })
}

// redraw notes that the messages are to be edited, and reports whether that is new.
func (n *notesDoc) redraw(now time.Time, undone bool) (changed bool) {
	now = now.Round(0)
	due := func(last time.Time) bool { return now.Sub(last).Abs() >= redrawEvery }
	if due(n.Redrawn) {
		n.Redrawn, changed = now, true
	}
	if undone && due(n.Undone) {
		n.Undone, changed = now, true
	}
	return changed
}

// again takes over what notes say of undone moves, and reports whether the table is to be drawn again.
func (s *shownDoc) again(t table.Table, notes notesDoc) bool {
	if news(notes.Undone, s.Undone) {
		s.Undone, s.UndoneAt = notes.Undone, t.Touched
	}
	again := news(notes.Redrawn, s.Redrawn)
	if again {
		s.Redrawn = notes.Redrawn
	}
	return again
}

// news reports whether a time that notes have is another one than what was shown has. An older version of this program
// drops it: then it is zero, and nothing new.
func news(noted, shown time.Time) bool { return !noted.IsZero() && !noted.Equal(shown) }

// doubt has all messages edited, but for those that look back: what was undone came after them.
func (s *shownDoc) doubt(posts []post) {
	past := map[string]bool{}
	for _, p := range posts {
		past[postKey(p.Post)] = p.hash != ""
	}
	for key, p := range s.Posts {
		if p.Address != "" && !past[key] {
			p.Hash, p.Picture = "", ""
		}
	}
}

// tells reports whether the messages of the table are to say that moves were undone: nobody has done anything since.
func (s *shownDoc) tells(t table.Table) bool {
	return !s.Undone.IsZero() && s.UndoneAt.Equal(t.Touched)
}

// tell adds to a post that moves were undone, in the language of those who read it.
func (s *shownDoc) tell(t table.Table, p *view.Post) {
	if !s.tells(t) || p.OldOnly || len(p.Screen.Blocks) == 0 || p.Passing && p.Player == "" {
		return
	}
	player, chat := "", ""
	for _, c := range slices.Backward(t.Chats) {
		if chat == "" || p.Chat == "" || c.ID == p.Chat {
			chat = c.Lang
		}
	}
	for _, seat := range t.Seats {
		if p.Player != "" && seat.Player.ID == p.Player {
			player = seat.Player.Lang
		}
	}
	p.Screen = view.Undone(p.Screen, lang.For(player, chat))
}

// history names the table for nonces. After an undoing it has another name: what is sent again is another message than
// the one that was sent before, which may still stand.
func (s *shownDoc) history(id string) string {
	if s.Undone.IsZero() {
		return id
	}
	return id + s.Undone.UTC().Format(time.RFC3339Nano)
}

// compareHistory has those tables drawn again that have lost commits, after an interruption of the store.
func (b *Bot) compareHistory() {
	versions, interruptions := b.witness.begin(b.docs.Now())
	if len(versions) == 0 {
		return
	}
	begun := b.spare(func(ctx context.Context) {
		n := 0
		err := b.witness.compare(ctx, versions, func(id string) error {
			n++
			err := b.redraw(ctx, id, true)
			if errors.Is(err, errNewer) || errors.Is(err, errUnreadable) {
				return nil // another process may be able to
			}
			return err
		})
		b.witness.end(interruptions, err == nil)
		if n > 0 {
			b.docs.Log.Warn("the store came back without its latest changes: the tables that lost some are drawn again", "tables", n)
		}
		if err != nil {
			b.docs.Log.Warn("look for changes that the store has lost", "err", err)
		}
	}, func() {})
	if !begun {
		b.witness.end(interruptions, false)
	}
}

// undoneJob is the id of the job that draws a table or a tournament again, by the name of its document.
func undoneJob(name string) string { return "undone:" + name }

// tendUndone draws again what was restored from a backup.
func (b *Bot) tendUndone(ctx context.Context, name string, job store.Job, _ time.Time) error {
	var err error
	switch kind, id := kindAndRest(name); kind {
	case "table":
		err = b.redraw(ctx, id, true)
	case "tournament":
		err = b.raiseCup(ctx, id)
	}
	if err != nil {
		return err
	}
	return b.docs.Store.Release(ctx, job, b.docs.Now(), time.Time{})
}
