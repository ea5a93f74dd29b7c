// Package marks shows the season's ranks beside the names of a home's members, as the
// platform can: with a tag, or with a role for the champion. A home has no marks until its
// managers turn them on.
//
// The document of a home's marks lists those that the bot has set, because it may remove only
// those. A job changes the marks, some time after a result and at the end of a season.
package marks

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// Room sets marks. Its methods are safe for concurrent use.
type Room struct {
	docs    *doc.Docs
	queue   *work.Queue
	deliver *deliver.Deliverer
}

// New returns a room for marks.
func New(docs *doc.Docs, queue *work.Queue, d *deliver.Deliverer) *Room {
	return &Room{docs: docs, queue: queue, deliver: d}
}

// Feature returns the marks.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Kinds: []doc.Kind{{
			Name: "marks", Owner: doc.OfOne, New: func() any { return new(Marks) },
			Restore: doc.RestoreDue, Belongs: doc.OfItsHome, Forget: room.forget, About: doc.About(aboutMarks), Scan: true, Job: room.tend,
		}},
		HomeSettings: []doc.Setting[doc.Home]{{
			Name: "marks", Group: screen.GroupRecords, Order: 110, Choices: []string{doc.Off, doc.On}, Field: doc.Flag(doc.On, func(h *doc.Home) *bool { return &h.Marks }),
			Check: func(ctx context.Context, home, choice string) error {
				if choice != doc.On {
					return nil
				}
				return room.may(ctx, home)
			},
			Trouble: room.trouble, Changed: room.wake,
		}},
	}
}

// Marks is the document of a home's marks.
type Marks struct {
	Given map[string]chat.Mark `json:"given,omitempty"` // by player: the mark that the bot has set
	Role  string               `json:"role,omitempty"`  // id of the role that the bot gave last
	Why   chat.MarkFault       `json:"why,omitempty"`   // why the bot can't set marks here; "": it can
}

const (
	maxMarked     = 10               // ranks that get a mark
	marksAgain    = 24 * time.Hour   // delay before the bot tries again after a refusal
	marksSettled  = 2 * time.Minute  // delay after the end of a season: by then its boards are closed
	marksPatience = 20 * time.Second // how long one run of the job may make requests
)

func marksKey(home string) store.Key { return doc.InHome(home, league.MarksJob(home)) }

// Refusals of a manager who turns marks on.
var (
	errNoMarks     = chat.NewRefusal("marks_none")
	errMarksUnsure = chat.NewRefusal("trouble")
)

// may returns nil if the bot may set marks in the home. Otherwise it returns a refusal that
// tells a manager what to do.
func (room *Room) may(ctx context.Context, home string) error {
	m := room.deliver.Abilities(home).Marker
	if m == nil {
		return errNoMarks
	}
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return err
	}
	var d Marks
	if _, err := room.docs.Get(ctx, marksKey(home), &d); err != nil {
		return err
	}
	_, err = m.Mark(ctx, home, "", chat.Mark{}, chat.Mark{Role: roleName(h), Known: d.Role})
	var refused *chat.MarkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused) && refused.Why.Concerns():
		return &chat.Refusal{Key: refused.Why.Key(), Outcome: chat.Refused}
	}
	room.docs.Log.Warn("check whether marks can be set", "err", err)
	return errMarksUnsure
}

// trouble returns the key of a text that says why the bot can't set marks in the home although they are turned on, or "".
func (room *Room) trouble(ctx context.Context, home string, h doc.Home) string {
	var d Marks
	if _, err := room.docs.Get(ctx, marksKey(home), &d); err != nil || !h.Marks {
		return ""
	}
	return d.Why.Key()
}

// wake makes the job due, if the home has marks or wants them.
func (room *Room) wake(ctx context.Context, home string, h doc.Home) error {
	docs, err := room.docs.Store.Get(ctx, marksKey(home))
	if err != nil || docs[0].Version == 0 && !h.Marks {
		return err
	}
	now := room.docs.Now()
	return room.docs.Commit(ctx, "", store.Change{Partition: marksKey(home).Partition, Now: now, Due: []store.Mark{{ID: league.MarksJob(home), At: now}}})
}

// tend runs the job of a home's marks. It sets those of the season's best, and takes away
// those of all others. If marks were turned off, it takes away all.
func (room *Room) tend(ctx context.Context, home string, job store.Job, ends time.Time) error {
	m := room.deliver.Abilities(home).Marker
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return err
	}
	var d Marks
	version, err := room.docs.Get(ctx, marksKey(home), &d)
	if err != nil {
		return err
	}
	if m == nil {
		return room.docs.Store.Release(ctx, job, room.docs.Now(), time.Time{}) // the platform isn't configured now
	}
	now := room.docs.Now()
	calendar := league.CalendarOf(h)
	season := calendar.Key(league.Seasonal, now)
	next := time.Time{}
	wanted := map[string]chat.Mark{}
	if h.Marks {
		if wanted, err = room.wanted(ctx, home, h, season); err != nil {
			return err
		}
		next = calendar.End(season).Add(marksSettled)
	}
	steps := d.steps(wanted)
	if len(steps) > 0 {
		// Commit what may happen, so that after a crash the bot still knows its own marks.
		for _, s := range steps {
			if mark := wanted[s]; mark.Tag != "" {
				own := d.Given[s]
				own.Tried = mark.Tag
				d.give(s, own)
			}
		}
		change := store.Change{Partition: job.Partition, Now: now, Writes: []store.Write{{Name: league.MarksJob(home), Expect: version, Data: doc.Encode(d)}}}
		if err := room.docs.Store.Commit(ctx, change); err != nil {
			return err
		}
		if version, err = room.docs.Get(ctx, marksKey(home), &Marks{}); err != nil {
			return err
		}
	}
	d.Why = ""
	until := now.Add(marksPatience)
	if ends.Before(until) {
		until = ends
	}
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	var after time.Time
	for i, player := range steps {
		if after = room.setMark(limited, m, home, player, &d, wanted[player]); !after.IsZero() {
			for _, other := range steps[i+1:] {
				d.untried(other)
			}
			break
		}
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: work.Earlier(next, after)}
	w := store.Write{Name: league.MarksJob(home), Expect: version}
	if len(d.Given) > 0 || h.Marks && (d.Why != "" || d.Role != "") {
		w.Data = doc.Encode(d)
	}
	if version != 0 || w.Data != nil {
		c.Writes = []store.Write{w}
	}
	return room.queue.Complete(ctx, c, ends)
}

// untried records that no call has tried to set the player's mark.
func (d *Marks) untried(player string) {
	own := d.Given[player]
	own.Tried = ""
	if own.ID == "" && own.Rank == 0 {
		delete(d.Given, player)
		return
	}
	d.give(player, own)
}

// wanted returns the marks that the members should have.
func (room *Room) wanted(ctx context.Context, home string, h doc.Home, season string) (map[string]chat.Mark, error) {
	places, err := league.Places(ctx, room.docs, store.Partition(home), league.BoardName(home, league.AllGames, season), maxMarked)
	if err != nil {
		return nil, err
	}
	c := lang.For(h.Lang, h.Locale)
	wanted := map[string]chat.Mark{}
	for _, p := range places {
		if !league.IsGone(p.Player) {
			wanted[p.Player] = chat.Mark{Rank: p.Rank, Tag: c.Text("marks.tag", "n", strconv.Itoa(p.Rank)), Role: roleName(h)}
		}
	}
	return wanted, nil
}

// roleName returns the name of the champion's role in a home.
func roleName(h doc.Home) string { return lang.For(h.Lang, h.Locale).Text("marks.role") }

func (d *Marks) give(player string, m chat.Mark) {
	if d.Given == nil {
		d.Given = map[string]chat.Mark{}
	}
	d.Given[player] = m
}

// steps returns the players whose marks change. Those who lose a mark come first, so that a
// role is taken before it is given.
func (d *Marks) steps(wanted map[string]chat.Mark) []string {
	var lose, get []string
	for _, player := range slices.Sorted(maps.Keys(d.Given)) {
		if was, next := d.Given[player], wanted[player]; next.Rank == 0 || was.Rank != 0 && next.Rank > was.Rank {
			lose = append(lose, player)
		}
	}
	for _, player := range slices.Sorted(maps.Keys(wanted)) {
		was, next := d.Given[player], wanted[player]
		if (was.Rank != next.Rank || was.Tag != next.Tag || was.Tried != "") && !slices.Contains(lose, player) {
			get = append(get, player)
		}
	}
	return append(lose, get...)
}

// setMark changes the mark of one player. If the platform is busy, or refuses all marks, it returns
// when to try again, for this player and for the others.
func (room *Room) setMark(ctx context.Context, m chat.Marker, home, player string, d *Marks, next chat.Mark) (retry time.Time) {
	was := d.Given[player]
	if next.Rank == 0 && was.ID == "" && was.Tried == "" {
		delete(d.Given, player)
		return time.Time{}
	}
	next.Known = d.Role
	mark, err := m.Mark(ctx, home, player, was, next)
	var refused *chat.MarkError
	fault, wait := deliver.FaultOf(err)
	switch {
	case err == nil && mark.ID != "" && mark.Rank == 1:
		d.Role = mark.ID
	case err == nil:
	case errors.As(err, &refused) && !refused.Why.Concerns():
		mark = next
		mark.ID = "" // the bot set nothing, and doesn't try again while the rank stays the same
	case refused != nil:
		d.Why = refused.Why
		d.untried(player)
		return room.docs.Now().Add(marksAgain)
	case fault == chat.Retry:
		return room.docs.Now().Add(max(wait, time.Minute))
	default:
		room.docs.Log.Warn("set a member's mark", "err", err)
		mark = next
	}
	mark.Tried = ""
	if next.Rank == 0 {
		delete(d.Given, player)
	} else {
		d.give(player, mark)
	}
	return time.Time{}
}

// forget takes the person's mark away, as far as the platform allows, and forgets it.
func (room *Room) forget(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	_, home := doc.KindAndRest(stored.Key.Name)
	var d Marks
	if err := doc.Decode(stored, &d); err != nil {
		return false, err
	}
	was, marked := d.Given[s.Player]
	if !marked {
		return false, nil
	}
	if m := room.deliver.Abilities(home).Marker; m != nil && (was.ID != "" || was.Tried != "") && !s.Forced() {
		if _, err := m.Mark(ctx, home, s.Player, was, chat.Mark{}); err != nil {
			room.docs.Log.Warn("take away a deleted person's mark", "err", err)
			if fault, _ := deliver.FaultOf(err); fault == chat.Retry && !errors.As(err, new(*chat.MarkError)) {
				return true, nil // it is tried again in the next pass
			}
		}
	}
	return doc.Amend(ctx, room.docs, stored, func(d *Marks, _ *store.Write) bool {
		delete(d.Given, s.Player)
		return true
	})
}

func aboutMarks(d Marks, x *doc.Export, home string) {
	if mark, ok := d.Given[x.Player]; ok {
		x.Put("marks", home, mark)
	}
}
