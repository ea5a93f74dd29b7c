package deliver

import (
	"fmt"
	"strings"
	"time"

	"sedmabot/bot/chat"
)

// note records the outcome of a step in shown. If the place's other steps must wait, it
// returns when to continue; otherwise zero. The caller holds the lock of shown.
func (d *Deliverer) note(s *delivery, address chat.Address, err error, shown *Shown) (again time.Time) {
	state, old := &s.state, s.old
	fails := state.Fails
	state.Fails = 0
	fault, after := FaultOf(err)
	if chatID := movedTo(err); chatID != "" && s.post.Chat != "" {
		if shown.Moved == nil {
			shown.Moved = map[string]string{}
		}
		shown.Moved[s.post.Chat] = chatID
		fault, after = chat.Retry, 0 // retry until the table uses the new chat id; then this place is dropped
	}
	switch {
	case err == nil && s.kind == remove:
		s.noteGone(shown)
	case err == nil:
		if fails > 0 && isHand(s.post) && (old == nil || old.Own != s.entry.Own) {
			if shown.Late == nil {
				shown.Late = map[string]bool{}
			}
			shown.Late[s.post.Player] = true
		}
		return d.noteShown(s, address, shown)
	case fault == chat.Retry:
		state.Fails = fails + 1
		return d.noteRetry(s, after, shown)
	case s.kind == remove:
		return s.noteRemains(fault, shown)
	case fault == chat.Gone && s.kind != send:
		// Somebody deleted the message. If it is still wanted, it is sent as a new message.
		shown.Posts[s.key] = &ShownPost{Lost: old.Lost + 1, Origin: old.Origin}
		return state.NotBefore
	case fault == chat.Gone, fault == chat.Unreachable:
		seq := s.post.Seq
		if !state.Closed.IsZero() && state.Stage == s.of.Stage {
			seq = max(seq, state.ClosedSeq) // else a send with a higher Seq would be tried again, and then this edit, and so on
		}
		state.Closed, state.Stage, state.ClosedSeq, state.Mute = s.began, s.of.Stage, seq, s.kind != send
		d.docs.Log.Info("a place cannot be written to", "table", s.of.ID, "platform", s.platform.Name(), "private", s.post.Player != "")
		return d.docs.Now() // other players' screens may have to show this
	default:
		// The same screen would be refused again, so wait for the next change.
		if s.kind == send && old != nil {
			s.entry.Address = old.Address
		}
		s.entry.Picture = ""
		shown.Posts[s.key] = s.entry
		d.docs.Log.Error("delivery refused", "table", s.of.ID, "platform", s.platform.Name(), "post", s.post.Key, "err", err)
		if s.kind == send && (s.post.Player == "" || s.post.Key == silentKey && s.post.Chat == "") {
			return d.docs.Now() // the players are told why nothing appears there
		}
	}
	return again
}

// noteShown records a message that was sent or edited. Its result is that of note.
func (d *Deliverer) noteShown(s *delivery, address chat.Address, shown *Shown) (again time.Time) {
	state, old := &s.state, s.old
	shown.Posts[s.key] = s.entry
	if s.kind == send {
		s.entry.Address, s.entry.Sent = address, s.began
	}
	if pictured := s.platform.Abilities().Pictured; pictured != nil && !pictured(s.entry.Address) {
		s.entry.Picture = ""
	}
	if s.post.Player == "" && shown.tellsSilence() {
		again = d.docs.Now() // the chat may have ended its silence
	}
	if s.kind != send {
		return again
	}
	if s.post.Chat != "" && s.post.Player != "" && !state.Asked {
		again = d.docs.Now() // the table must show that the player can be reached here
	}
	state.Asked = true
	if shown.Doubts > 0 && (old == nil || old.Address == "") {
		// A process that lost the table may have sent it before, and a platform that drops repeats has kept that screen.
		s.entry.Hash, s.entry.Picture, again = "", "", state.NotBefore
	}
	if old == nil {
		return again
	}
	if tried := tryOf(s.nonce, s.hash); old.Tried != "" && sameName(old.Tried, tried) && old.Tried != tried {
		// The platform may have kept the message of an earlier try, so edit it once more.
		s.entry.Hash, s.entry.Picture, again = "", "", state.NotBefore
	}
	if old.Address != "" {
		// The message moved to the bottom of the chat, so the old one must be deleted.
		shown.Posts[fmt.Sprintf("%s moved %d %d", s.key, old.Seq, old.Lost)] = &ShownPost{Address: old.Address, Passing: true}
		again = state.NotBefore
	}
	return again
}

// noteRetry records a step that must be tried again, and returns when.
func (d *Deliverer) noteRetry(s *delivery, after time.Duration, shown *Shown) (again time.Time) {
	if after <= 0 && s.kind != send && s.old != nil {
		unsure := *s.old // the edit may have succeeded, so even the screen from before has to be shown again
		unsure.Hash, unsure.Picture = "", ""
		shown.Posts[s.key] = &unsure
	}
	if after <= 0 {
		after = BackOff(s.state.Fails)
	}
	s.state.wait(d.docs.Now(), after)
	if s.kind == send {
		shown.Posts[s.key] = s.tried()
	}
	d.docs.Log.Debug("delivery put off", "table", s.of.ID, "platform", s.platform.Name(), "after", after)
	return s.state.NotBefore
}

// noteGone records that a message is gone. If it is sent again, it needs another nonce: Discord keeps a nonce for some minutes,
// also that of a message that was deleted.
func (s *delivery) noteGone(shown *Shown) {
	if s.returns && s.old != nil {
		shown.Posts[s.key] = &ShownPost{Seq: s.old.Seq, Lost: s.old.Lost + 1}
	} else {
		delete(shown.Posts, s.key)
	}
}

// noteRemains records a deletion that the platform refused. A message that remains is edited to one line.
func (s *delivery) noteRemains(fault chat.Fault, shown *Shown) (again time.Time) {
	if fault == chat.Gone || s.old == nil {
		s.noteGone(shown)
		return again
	}
	kept := *s.old
	kept.Stuck = true
	shown.Posts[s.key] = &kept
	return s.state.NotBefore
}

// tried returns the record of a message whose send may have arrived.
func (s *delivery) tried() *ShownPost {
	tried := ShownPost{Lost: s.entry.Lost, Seq: s.entry.Seq}
	if s.old != nil {
		tried = *s.old
	}
	tried.Tried = tryAgain(tried.Tried, tryOf(s.nonce, s.hash))
	return &tried
}

// tryOf returns a name for one try to send a screen under a nonce. If the outcome of a
// send is unknown, the message may have arrived. A platform that drops duplicates then
// keeps the first screen.
func tryOf(nonce, hash string) string { return nonce + " " + hash }

// sameName reports whether two tries had the same nonce, of which an earlier version recorded only eight digits.
func sameName(a, b string) bool { return a[:8] == b[:8] }

// tryAgain returns the record of the tries after one more; "?" means several screens.
func tryAgain(before, try string) string {
	if before == "" || before == try || !sameName(before, try) {
		return try
	}
	nonce, _, _ := strings.Cut(try, " ")
	return tryOf(nonce, "?")
}
