package upkeep

import (
	"context"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Withdrawn is the document of a regular post that no longer exists. This release keeps such documents as they are, because
// a process of the release before may run beside it. The purge of a later release deletes them.
type Withdrawn struct {
	ID   string     `json:"id"` // shown:<id> has the message
	Home string     `json:"home"`
	Chat table.Chat `json:"chat"`
	Due  time.Time  `json:"due,omitzero"`
	Date string     `json:"date,omitempty"`

	// The puzzle of the day as a message to a chat.
	Hour  string         `json:"hour,omitempty"`
	Why   string         `json:"why,omitempty"`
	Votes map[string]int `json:"votes,omitempty"` // by player: the number of their choice

	// A match on Sundays.
	On     bool           `json:"on,omitempty"`
	At     time.Time      `json:"at,omitzero"`
	In     []table.Player `json:"in,omitempty"` // who signed up
	Result string         `json:"result,omitempty"`
}

// withdrawn returns the kinds of documents of features that no longer exist.
func (room *Room) withdrawn() []doc.Kind {
	post := doc.Kind{
		Owner: doc.OfOne, New: func() any { return new(Withdrawn) },
		Belongs: doc.OfItsHome, Goes: doc.MessagesGo, Without: doc.Without((*Withdrawn).without), About: doc.About(Withdrawn.about), Scan: true, Job: endWithdrawn,
	}
	final, quiz := post, post
	final.Name, quiz.Name = "final", "quiz"
	return []doc.Kind{
		final, quiz,
		{Name: "puzzles", Owner: doc.OfOne, New: func() any { return new(struct{}) }, Belongs: doc.OfItsHome, Job: endWithdrawn}, // those from a home's matches
		{Name: "voice", Owner: doc.OfOne, New: func() any { return new(struct{}) }, Belongs: doc.OfItsHome},                      // channels that refused to show a score
	}
}

// endWithdrawn ends a job that an earlier release has made due.
func endWithdrawn(context.Context, string, store.Job, time.Time) error { return doc.ErrNoTable }

// without takes a person out of a post.
func (d *Withdrawn) without(s doc.Sweep, _ string) bool {
	was := len(d.In) + len(d.Votes)
	d.In = slices.DeleteFunc(d.In, func(p table.Player) bool { return s.Player != "" && p.ID == s.Player })
	delete(d.Votes, s.Player)
	return len(d.In)+len(d.Votes) < was
}

func (d Withdrawn) about(x *doc.Export, _ string) {
	if slices.ContainsFunc(d.In, func(p table.Player) bool { return p.ID == x.Player }) {
		x.Put("finals", d.Home, map[string]string{"date": d.Date})
	}
	if n, voted := d.Votes[x.Player]; voted {
		x.Put("quiz", d.Home, map[string]any{"date": d.Date, "choice": n})
	}
}
