package review

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/game/table"
	"sedmabot/store"
)

// kinds returns the kinds of documents that are stored about finished matches.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{Name: "record", Owner: doc.OfTable, New: func() any { return new(json.RawMessage) }, Restore: restoreRecord},
		{
			Name: "match", Owner: doc.OfTable, New: func() any { return new(doc.Match) }, Restore: restoreRecord,
			Forget: room.forgetMatch, Scan: true, Lead: leadMatch,
		},
		{
			Name: "verdict", Owner: doc.OfTable, New: func() any { return new(Verdict) }, Restore: restoreVerdict,
			Belongs: verdictOf, About: doc.About(Verdict.about), Job: room.tendVerdict, Idle: true,
		},
		{
			Name: "coach", Owner: doc.OfTable, New: func() any { return new(Coach) }, Restore: restoreRecord,
			Forget: room.forgetCoach, About: doc.About(Coach.about), Job: dropCoach,
		},
		{
			Name: "skill", Owner: doc.OfHome(1), New: func() any { return new(league.Skill) }, Belongs: doc.OfItsMember,
			About: doc.About(func(d league.Skill, x *doc.Export, rest string) {
				x.Put("skill", strings.TrimSuffix(rest, "|"+x.Player), d)
			}),
		},
	}
}

// restoreRecord sets a match document's expiry to what its home has chosen.
func restoreRecord(r *doc.Restored, stored store.Doc) error {
	r.Write.Expires = r.Until(stored.Key)
	return nil
}

// forgetMatch replaces the person in a finished match with a tombstone. If the match
// belongs to the home, it is deleted together with the records of its deals.
func (room *Room) forgetMatch(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var m doc.Match
	if err := doc.Decode(stored, &m); err != nil {
		return false, err
	}
	_, rest := doc.KindAndRest(stored.Key.Name)
	id, no, _ := strings.Cut(rest, ":")
	if m.Home == s.Home {
		c := store.Change{Partition: stored.Key.Partition, Now: room.docs.Now(), Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}}}
		c.Writes = append(c.Writes, store.Write{Name: "coach:" + id + ":" + no, Expect: store.Any})
		for _, seat := range m.Seats {
			if seat.Player.ID != "" {
				c.Writes = append(c.Writes, store.Write{Name: "verdict:" + id + ":" + no + "|" + seat.Player.ID, Expect: store.Any})
			}
		}
		for i := range m.Seeds {
			c.Writes = append(c.Writes, store.Write{Name: doc.RecordName(id, m.First+i), Expect: store.Any})
		}
		return true, room.docs.Store.Commit(ctx, c)
	}
	expires, err := room.docs.Expires(ctx, m)
	if err != nil {
		return false, err
	}
	return doc.Amend(ctx, room.docs, stored, func(d *doc.Match, w *store.Write) bool {
		found := slices.Contains(d.Guests, s.Home)
		d.Guests = slices.DeleteFunc(d.Guests, func(home string) bool { return home == s.Home })
		for i := range d.Seats {
			if d.Seats[i].Player.ID == s.Player && s.Player != "" {
				d.Seats[i].Player, found = table.Tombstone(s.Gone(d.Home), i), true
			}
		}
		w.Expires = expires
		return found
	})
}

// dropCoach runs the job with which an earlier version coaches a match that has ended. Now
// a match is coached when it is opened, so there is nothing to do.
func dropCoach(context.Context, string, store.Job, time.Time) error { return doc.ErrNoTable }

// restoreVerdict sets a verdict's expiry. If it isn't complete, its job continues.
func restoreVerdict(r *doc.Restored, stored store.Doc) error {
	return errors.Join(doc.RestoreDueIf(func(v Verdict) bool { return !v.Done })(r, stored), restoreRecord(r, stored))
}

// verdictOf is the Belongs of verdicts. With its home, the match of a verdict deletes it.
func verdictOf(rest string) (home string, people []string) {
	_, _, player, _ := parseVerdict(rest)
	return "", []string{player}
}

func (room *Room) forgetCoach(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var m doc.Match // it expires with its match
	var expires time.Time
	_, rest := doc.KindAndRest(stored.Key.Name)
	version, err := room.docs.Get(ctx, store.Key{Partition: stored.Key.Partition, Name: "match:" + rest}, &m)
	if err == nil {
		expires, err = room.docs.Expires(ctx, m)
	}
	if err != nil {
		return false, err
	}
	if version == 0 {
		return true, room.docs.Drop(ctx, stored)
	}
	return doc.Amend(ctx, room.docs, stored, func(d *Coach, w *store.Write) bool {
		found := false
		for i := range d.Seats {
			if d.Seats[i].Player == s.Player && s.Player != "" {
				d.Seats[i].Player, found = table.Gone, true
			}
		}
		w.Expires = expires
		return found
	})
}

// coachExport is the coach's result for a person in one match, as their data export shows it.
type coachExport struct {
	Match    string         `json:"match"`
	Choices  int            `json:"choices"`
	Accuracy float64        `json:"accuracy"`
	Habits   map[string]int `json:"habits,omitempty"` // what the choices with each habit cost, in hundredths of a stake
}

// leadMatch finds what the coach found out about the person in a match that they played. No ledger has a deal of the day.
func leadMatch(x *doc.Export, stored store.Doc) {
	_, rest := doc.KindAndRest(stored.Key.Name)
	id, number, _ := strings.Cut(rest, ":")
	if no, err := strconv.Atoi(number); err == nil && (stored.Data == nil || x.Mentions(stored)) {
		x.FollowMatch(id, no)
	}
}

func (v Verdict) about(x *doc.Export, rest string) {
	if v.Done && v.Choices > 0 {
		x.Add("coach", coachExport{Match: strings.TrimSuffix(rest, "|"+x.Player), Choices: v.Choices, Accuracy: v.accuracy(), Habits: v.Habits.lost()})
	}
}

func (c Coach) about(x *doc.Export, match string) {
	for _, s := range c.Seats {
		if s.Player == x.Player {
			x.Add("coach", coachExport{Match: match, Choices: s.Choices, Accuracy: s.Accuracy})
		}
	}
}
