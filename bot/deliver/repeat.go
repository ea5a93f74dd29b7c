package deliver

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A hand has two parts: the player's own cards and buttons, and what the table's message says to everybody, such as
// whose turn it is. Whoever has played or has the turn sees their hand change at once. For everybody else an edit repeats what
// they can read in the chat, or shows the cards that they have drawn. It waits until the moment has lasted for a while, and mostly
// the next moment comes first, so that one edit shows both. A turn that soon ends by itself waits, too.

// repeatAfter is how long a moment has lasted before it is repeated in hands. If the table's message can't show it for twice as
// long, it is repeated after the gap between two deliveries.
const repeatAfter = 3 * time.Second

// isHand reports whether a post is a hand in a message of its own.
func isHand(p screen.Post) bool {
	return p.Player != "" && strings.HasPrefix(p.Key, "hand:")
}

// waiting begins the ownPart of a hand in which nothing can be pressed now. The number of cards follows, as one byte.
const waiting = "~"

// ownPart returns a hash of a hand's buttons, which name the player's cards and what may be played.
func ownPart(s screen.Screen) string {
	w, start, cards := make(spelled, 0, 512), waiting, byte('0')
	for _, row := range s.Rows {
		w.buttons(row)
		for _, b := range row {
			if !b.Off {
				start = ""
			}
			cards++
		}
	}
	if start != "" {
		start += string(cards)
	}
	sum := sha256.Sum256(w)
	return start + hex.EncodeToString(sum[:4])
}

// mayWait reports whether a hand may wait that shows one own part and should show another. It may not if the player has played
// or has the turn, unless that passes: it soon ends by itself.
func mayWait(was, own string, passes bool) bool {
	switch {
	case was == own:
		return true
	case !strings.HasPrefix(was, waiting):
		return false
	case !strings.HasPrefix(own, waiting):
		return passes
	}
	return own[1] >= was[1]
}

// passes reports whether the turn ends by itself before it is repeated.
func passes(t table.Table) bool {
	return t.Phase == table.Playing && t.Awaits() == "" && t.Due().Before(t.Since.Add(repeatAfter))
}

// repeat is an edit of a hand that was put off.
type repeat struct {
	gap    time.Duration
	tables []string // keys of the table's messages on the hand's platform
}

// putOff takes out of the plans the edits of hands that only repeat what the table's messages say, and that may still wait.
func (d *Deliverer) putOff(plans map[string][]step, posts []Post, t table.Table, m Messages, shown *Shown, now time.Time) (later []repeat) {
	var tables []string
	for where, steps := range plans {
		rest := slices.DeleteFunc(steps, func(s step) bool {
			gap := d.handGap(s, m)
			if gap == 0 {
				return false
			}
			if tables == nil {
				tables = tablesShown(posts)
			}
			r, ok := d.repeatOf(s, gap, tables, shown, passes(t))
			if ok = ok && r.due(t, shown, now).After(now); ok {
				later = append(later, r)
			}
			return ok
		})
		if plans[where] = rest; len(rest) == 0 {
			delete(plans, where)
		}
	}
	return later
}

// handGap returns the gap between two deliveries of a step that edits a hand, or 0 for another step.
func (d *Deliverer) handGap(s step, m Messages) time.Duration {
	if s.kind != edit || !isHand(s.post) || s.post.OldOnly {
		return 0
	}
	if platform := d.PlatformOf(s.at); platform != nil {
		return platform.Gap(m.target(s.post))
	}
	return 0
}

// tablesShown returns the keys of the table's messages in chats.
func tablesShown(posts []Post) (keys []string) {
	for _, p := range posts {
		if p.Player == "" && strings.HasPrefix(p.Key, "deal:") {
			keys = append(keys, postKey(p.Post))
		}
	}
	return keys
}

// repeatOf reports whether the edit of a hand may wait, because a table's message on the same platform says what its player has
// to know.
func (d *Deliverer) repeatOf(s step, gap time.Duration, tables []string, shown *Shown, passes bool) (r repeat, ok bool) {
	was := shown.Posts[s.key]
	if was == nil || was.Hash == "" || !mayWait(was.Own, ownPart(s.post.Screen), passes) {
		return r, false
	}
	r.gap = gap
	for _, key := range tables {
		if nameOf(chat.Address(key)) == nameOf(s.at) {
			r.tables = append(r.tables, key)
		}
	}
	return r, len(r.tables) > 0
}

// due returns when to make the edit.
func (r repeat) due(t table.Table, shown *Shown, now time.Time) time.Time {
	after := repeatAfter
	for _, key := range r.tables {
		where, _, _ := strings.Cut(key, " ")
		p, place := shown.Posts[key], shown.Places[where]
		if p == nil || p.Address == "" || place != nil && place.NotBefore.After(t.Since.Add(2*repeatAfter)) {
			after = r.gap
		}
	}
	return store.Believe(t.Since.Add(after), now, after)
}

// dueRepeats returns when to make the first of the edits that were put off, or zero.
func dueRepeats(later []repeat, t table.Table, shown *Shown, now time.Time) (next time.Time) {
	for _, r := range later {
		next = work.Earlier(next, r.due(t, shown, now))
	}
	return next
}
