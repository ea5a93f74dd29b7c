package meet

import (
	"context"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/store"
)

// Queue is the document of the lobbies of strangers that wait for people, for one game
// and length. It names no people: their seats are in the tables. It may list lobbies that
// are full, or have started. Its job removes lobbies whose time is over.
type Queue struct {
	Waiting []Waiting `json:"waiting"` // the oldest first
}

// Waiting is a lobby that may wait for people.
type Waiting struct {
	Table string    `json:"table"`
	Until time.Time `json:"until"` // when its match starts
}

// queueKey returns the key of the queue for a game and length. It is in the partition of
// the tables of strangers, so that one commit can open a table and list it.
func queueKey(r game.Rules) store.Key {
	return doc.InHome(league.Strangers, fmt.Sprintf("meet:%s|%s.%d.%d", league.Strangers, r.Preset, r.Target, r.Deals))
}

// prune removes the lobbies whose time is over.
func (q *Queue) prune(now time.Time) {
	q.Waiting = slices.DeleteFunc(q.Waiting, func(w Waiting) bool { return !w.Until.After(now) })
}

// tend is the job of a queue.
func (room *Room) tend(ctx context.Context, rest string, job store.Job, ends time.Time) error {
	key := doc.InHome(league.Strangers, "meet:"+rest)
	docs, err := room.docs.Store.Get(ctx, key)
	if err != nil {
		return err
	}
	var q Queue
	if err := doc.Decode(docs[0], &q); err != nil {
		return err
	}
	c := store.Change{Partition: job.Partition, Done: &job}
	listed := len(q.Waiting)
	q.prune(room.docs.Now())
	w := store.Write{Name: key.Name, Expect: docs[0].Version}
	for _, waiting := range q.Waiting {
		w.Data, c.Next = doc.Encode(q), work.Earlier(c.Next, waiting.Until)
	}
	if docs[0].Version != 0 && len(q.Waiting) < listed {
		c.Writes = append(c.Writes, w)
	}
	return room.queue.Complete(ctx, c, ends)
}
