package deliver

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Players get their hands in the best way that works for them. The first choice is a
// private message. The second is an ephemeral message: one in the table's chat that only the
// player sees. The last is the button under the table, or the numbers there. A refused way
// is tried again in the next deal, and when the player does something in the private chat. A lobby
// asks the platforms which players can be reached, without sending anything.

// maxHeard is the maximum number of people of whom is known when they last pressed something in private.
const maxHeard = 10_000

// Heard remembers that a person pressed something in private. If a private message was refused before, the next change of their
// table tries it again.
func (d *Deliverer) Heard(player string) { d.heard.Put(player, d.docs.Now(), maxHeard) }

// Refused returns those of the tables whose private messages a player refused.
func (d *Deliverer) Refused(ctx context.Context, player string, ids []string) (refused []string, err error) {
	var keys []store.Key
	for _, id := range ids {
		own, _ := doc.TableKeys(id)
		keys = append(keys, own[1])
	}
	docs, err := d.docs.Store.Get(ctx, keys...)
	for i, stored := range docs {
		var shown Shown
		if doc.Decode(stored, &shown) == nil && shown.Closed(player) {
			refused = append(refused, ids[i])
		}
	}
	return refused, err
}

// reopen opens the private places again whose people have done something in private since they refused a message.
func (d *Deliverer) reopen(s *Shown, notes doc.Notes, now time.Time) {
	for where, p := range s.Places {
		if p.Closed.IsZero() {
			continue
		}
		player := strings.TrimPrefix(where, ephemeralPlace("", ""))
		pressed, _ := d.heard.Get(player)
		for _, at := range []time.Time{notes.Reached[player], pressed} {
			if at.After(p.Closed) && store.Believed(at, now, 0) {
				p.Closed, p.Mute = time.Time{}, false
				break
			}
		}
	}
}

// ephemeralPlace returns the place of the messages in a chat that only one player sees.
func ephemeralPlace(chat, player string) string { return chat + "@" + player }

// EphemeralChat returns the chat in which a player of the table can get ephemeral messages, or "". It is
// the table's first chat on the player's platform, other than their private one.
func EphemeralChat(t table.Table, player string) string {
	if t.Policy.Private {
		return t.Policy.Aside // the table's own chats belong to its players
	}
	name, _, _ := strings.Cut(player, ":")
	for _, c := range t.Chats {
		if platform, _, _ := strings.Cut(c.ID, ":"); platform == name && c.ID != player && !c.Single {
			return c.ID
		}
	}
	return ""
}

// Closed reports whether a place is known to refuse messages.
func (s *Shown) Closed(where string) bool {
	p := s.Places[where]
	return p != nil && !p.Closed.IsZero()
}

// Fails reports whether a platform takes no messages at present where a player follows the table. They are tried again, so
// the player can't know that it is their turn, or that their time runs out.
func (d *Deliverer) Fails(t table.Table, player string, shown *Shown) bool {
	fails := func(where string) bool {
		at := shown.Places[where]
		return at != nil && at.Fails > 0 && at.Closed.IsZero() && d.PlatformOf(chat.Address(where)) != nil
	}
	if fails(player) || fails(ephemeralPlace(EphemeralChat(t, player), player)) {
		return true
	}
	return slices.ContainsFunc(t.Chats, func(c table.Chat) bool {
		return t.SeatOf(c.ID) < 0 && nameOf(chat.Address(c.ID)) == nameOf(chat.Address(player)) && fails(c.ID)
	})
}

// ways returns how screens should say that players without private messages get their hands.
func ways(m Messages, shown *Shown) view.Reach {
	reach := view.Reach{}
	for _, r := range m.people {
		if r.id == "" || !shown.Closed(r.id) {
			continue
		}
		reach[r.id] = view.ByButton
		if p := shown.Places[ephemeralPlace(r.aside, r.id)]; p != nil && p.Asked && p.Closed.IsZero() {
			reach[r.id] = view.Aside
		}
	}
	return reach
}

// ephemeralPosts returns posts with the hands of players whose private chats are closed.
func ephemeralPosts(m Messages, public table.Public, private func(player string) (table.Private, bool), shown *Shown, idle func(screen.Post) bool) []screen.Post {
	var posts []screen.Post
	for no, r := range m.people {
		if r.id == "" || r.aside == "" || !shown.Closed(r.id) {
			continue
		}
		where := ephemeralPlace(r.aside, r.id)
		shut := shown.Closed(where) && shown.Places[where].Stage == m.Stage
		post, ok := view.HandAside(public, no, private, r.aside, func(p screen.Post) bool {
			p.OldOnly = p.OldOnly || shut
			return idle(p)
		})
		if !ok {
			continue
		}
		post.OldOnly = post.OldOnly || shut
		posts = append(posts, post)
	}
	return posts
}

// planAsks plans for a lobby to ask which of its players can be reached.
func planAsks(plans map[string][]step, m Messages, shown *Shown) {
	if !m.lobby {
		return
	}
	ask := func(where string, p screen.Post) {
		if at := shown.Places[where]; at == nil || !at.Asked {
			plans[where] = append(plans[where], step{kind: ask, post: p})
		}
	}
	for _, r := range m.people {
		if r.id == "" {
			continue
		}
		ask(r.id, screen.Post{Player: r.id})
		if r.aside != "" && shown.Closed(r.id) {
			ask(ephemeralPlace(r.aside, r.id), screen.Post{Chat: r.aside, Player: r.id})
		}
	}
}

// ask asks a platform whether a place accepts messages. It returns when to continue,
// or zero if nothing is left to do there.
func (d *Deliverer) ask(ctx context.Context, m Messages, where string, s step, shown *Shown, mu *sync.Mutex) time.Time {
	p := d.PlatformOf(chat.Address(where))
	if p == nil {
		return time.Time{}
	}
	mu.Lock()
	notBefore := shown.Places[where].NotBefore
	mu.Unlock()
	if notBefore.After(d.docs.Now()) {
		return notBefore
	}
	queue := d.queues[p.Name()]
	if !queue.acquire(ctx, showWait(ctx, m, p)) {
		return d.docs.Now().Add(fullWait)
	}
	asked := d.docs.Now()
	_, err := d.call(ctx, p, s, chat.Target{Chat: s.post.Chat, Player: s.post.Player}, "")
	queue.release()
	fault, after := FaultOf(err)
	mu.Lock()
	defer mu.Unlock()
	at := shown.Places[where]
	switch {
	case err == nil:
		at.Asked, at.Fails = true, 0
		if s.post.Chat != "" {
			return d.docs.Now() // the lobby must show that the player gets their hand in the channel, as an ephemeral message
		}
	case fault == chat.Retry:
		at.Fails++
		at.wait(d.docs.Now(), max(after, BackOff(at.Fails)))
		return at.NotBefore
	default:
		at.Asked, at.Closed, at.Stage = true, asked, m.Stage
		return d.docs.Now() // the lobby must show that the player can't be reached here
	}
	return time.Time{}
}
