package pages

import (
	"context"
	"maps"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Sessions is the document of a person's sessions on pages. It says when each of them ends; one
// that isn't in it has ended.
type Sessions struct {
	Until map[string]time.Time `json:"until"`
}

// Expiry implements [doc.Expiring]: the document expires with the last session.
func (s Sessions) Expiry(time.Time) (time.Time, bool) {
	if len(s.Until) == 0 {
		return time.Time{}, false
	}
	return slices.MaxFunc(slices.Collect(maps.Values(s.Until)), time.Time.Compare), true
}

// maxSessions is the maximum number of sessions of a person. The one that would end first makes
// room.
const maxSessions = 20

// Begin lets a session of a person go on until a moment.
func (room *Room) Begin(ctx context.Context, player, session string, until time.Time) error {
	return room.changeSessions(ctx, player, func(s *Sessions) {
		s.Until[session] = until
		if len(s.Until) > maxSessions {
			delete(s.Until, slices.MinFunc(slices.Collect(maps.Keys(s.Until)), func(a, b string) int { return s.Until[a].Compare(s.Until[b]) }))
		}
	})
}

// End ends a session of a person.
func (room *Room) End(ctx context.Context, player, session string) error {
	return room.changeSessions(ctx, player, func(s *Sessions) { delete(s.Until, session) })
}

// Open reports whether a session of a person is still valid.
func (room *Room) Open(ctx context.Context, player, session string) (bool, error) {
	docs, err := room.docs.Store.Get(ctx, doc.SessionsKey(player))
	if err != nil {
		return false, err
	}
	var s Sessions
	err = doc.Decode(docs[0], &s)
	return room.docs.Now().Before(s.Until[session]), err
}

// changeSessions changes the list of a person's sessions, without those that are over.
func (room *Room) changeSessions(ctx context.Context, player string, change func(*Sessions)) error {
	key := doc.SessionsKey(player)
	return room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		s := Sessions{}
		if err := doc.Decode(docs[0], &s); err != nil {
			return err
		}
		if s.Until == nil {
			s.Until = map[string]time.Time{}
		}
		maps.DeleteFunc(s.Until, func(_ string, until time.Time) bool { return !c.Now.Before(until) })
		change(&s)
		if len(s.Until) == 0 && docs[0].Version == 0 {
			return doc.ErrSame
		}
		c.Writes = []store.Write{doc.WriteOf(docs[0], s, c.Now)}
		return nil
	})
}

// about tells when the person's sessions end.
func (s Sessions) about(x *doc.Export, _ string) {
	for _, until := range slices.SortedFunc(maps.Values(s.Until), time.Time.Compare) {
		x.Add("page_sessions", sessionExport{Until: until})
	}
}

// sessionExport is a session in the export of a person's data.
type sessionExport struct {
	Until time.Time `json:"until"`
}
