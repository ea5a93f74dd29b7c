package deliver

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
)

// Show updates the messages in the table's chats, and records in shown what it did.
// It returns when to continue, or zero if everything is up to date. It serves all places
// concurrently, so one that is rate-limited doesn't delay the others.
func (d *Deliverer) Show(ctx context.Context, t table.Table, shown *Shown, notes doc.Notes) time.Time {
	now := d.docs.Now()
	m := messagesOf(t)
	shown.prepare(m, notes, now)
	d.reopen(shown, notes, now)
	if t.Phase == table.Closed && !t.Since.IsZero() {
		shown.Until = t.Since.Add(doc.KeepClosed)
	}
	again := shown.again(t, notes)
	posts := d.pages(ctx, t, shown, notes, d.posts(t, m, shown))
	if again {
		shown.doubt(posts)
	}
	shown.adoptReplies(posts, notes, now)
	posts = d.opened(ctx, t, m, shown, notes, posts, now)
	plans := Plan(posts, shown, m.Stage, func(p *ShownPost) bool { return d.Old(p, now) })
	planAsks(plans, m, shown)
	later := d.putOff(plans, posts, t, m, shown, now)
	for where, at := range shown.Places {
		if len(plans[where]) == 0 {
			at.Fails = 0
		}
	}
	next := d.carryOut(ctx, m, plans, shown)
	return work.Earlier(work.Earlier(next, dueRepeats(later, t, shown, now)), pagesEnd(notes, now))
}

// carryOut performs the steps of all places, as far as their limits allow. It returns
// when to continue, or zero if everything is done.
func (d *Deliverer) carryOut(ctx context.Context, m Messages, plans map[string][]step, shown *Shown) time.Time {
	var next time.Time
	var wg sync.WaitGroup
	var mu sync.Mutex // guards next and shown
	for where := range plans {
		if shown.Places[where] == nil {
			shown.Places[where] = &ShownPlace{}
		}
	}
	if len(plans) == 0 {
		return next
	}
	// An edit is safe to cancel and repeat. Its time limit keeps a chat that hangs from blocking the table's others. All
	// edits that begin soon share one.
	edits, cancel := context.WithTimeout(ctx, work.Showing/2)
	defer cancel()
	serve := func(where string) {
		at := d.deliver(ctx, edits, m, where, plans[where], shown, &mu)
		mu.Lock()
		defer mu.Unlock()
		next = work.Earlier(next, at)
		if at.IsZero() {
			shown.Places[where].Fails = 0
		}
	}
	places := slices.Sorted(maps.Keys(plans))
	for i, where := range places {
		if i < len(places)-1 {
			wg.Go(func() { chat.Roomy(); serve(where) })
		} else {
			serve(where) // here, where the stack has grown already
		}
	}
	wg.Wait()
	return next
}

// prepare applies the notes, corrects the times that a wrong clock has set, and drops the places that are no longer needed.
func (s *Shown) prepare(m Messages, notes doc.Notes, now time.Time) {
	if s.Posts == nil {
		s.Posts = map[string]*ShownPost{}
	}
	if s.Places == nil {
		s.Places = map[string]*ShownPlace{}
	}
	for _, p := range s.Places {
		p.believe(now)
	}
	if s.Doubts != notes.Doubts || news(notes.Undone, s.Undone) { // even a message about the past may show what is undone
		for _, p := range s.Posts {
			p.Hash, p.Picture = "", ""
		}
		s.Doubts = notes.Doubts
	}
	here := map[string]bool{}
	for _, chat := range m.Chats {
		here[chat.ID] = true
	}
	for _, r := range m.people {
		here[r.id], here[ephemeralPlace("", r.id)], here[ephemeralPlace(r.aside, r.id)] = true, true, true
	}
	for key := range s.Posts {
		where, _, _ := strings.Cut(key, " ")
		here[where] = true // a message may have to be deleted there
	}
	maps.DeleteFunc(s.Places, func(where string, _ *ShownPlace) bool { return !here[where] })
	s.Ended = false
}

// A lobby that was quiet shows at once who joins. For that, a few edits may be delivered
// before the usual gap is over.
const (
	earlyEdits = 2
	earlyGap   = 500 * time.Millisecond // shorter gap before an early edit
	longGap    = time.Second            // early edits are only for places with a gap longer than this
	quietFor   = 3                      // number of gaps without a delivery after which a place counts as quiet
)

// briefGap is the longest gap with which a place shows also the cards that the AI plays in a row one by one. Another
// place shows them together: it would only be late for what comes after them.
const briefGap = time.Second

// next returns the earliest time at which a step may be delivered to the place.
func (at *ShownPlace) next(m Messages, s step, gap time.Duration) time.Time {
	if s.kind != edit || !m.lobby || gap <= longGap || at.Fails > 0 || at.Early >= earlyEdits {
		return at.NotBefore
	}
	return at.NotBefore.Add(earlyGap - gap)
}

// delivered records a delivery to the place, and sets the time of the next one.
func (at *ShownPlace) delivered(begun, now time.Time, gap time.Duration) {
	switch {
	case begun.Before(at.NotBefore):
		at.Early++
	case !begun.Before(at.NotBefore.Add(quietFor * gap)):
		at.Early = 0
	}
	at.wait(now, gap)
}

// deliver performs the steps of one place, as many as its limits allow. It returns when
// to continue with the rest, or zero if nothing is left.
func (d *Deliverer) deliver(ctx, edits context.Context, m Messages, where string, steps []step, shown *Shown, mu *sync.Mutex) (wait time.Time) {
	skipped := false // the place would have refused a step
	for _, s := range d.freeFirst(edits, steps) {
		if !wait.IsZero() && !s.free {
			continue
		}
		if s.kind == ask {
			return d.ask(ctx, m, where, s, shown, mu)
		}
		platform := d.PlatformOf(cmp.Or(s.at, chat.Address(where)))
		if platform == nil {
			continue // the platform is no longer configured
		}
		mu.Lock()
		state := *shown.Places[where]
		old := shown.Posts[s.key]
		mu.Unlock()
		now := d.docs.Now()
		if !state.Closed.IsZero() && (s.kind == send || state.Mute && s.kind != remove) {
			if state.refuses(m.Stage, s.post) {
				skipped = true
				continue // the place would refuse it again
			}
			state.Closed, state.Mute = time.Time{}, false
			s.refused = true
		}
		to := m.target(s.post)
		gap := platform.Gap(to)
		if s.kind == edit && s.post.Brief && gap > briefGap && !s.free {
			continue
		}
		if next := state.next(m, s, gap); next.After(now) && !s.free {
			wait = next
			continue
		}
		left := showWait(ctx, m, platform)
		if left < 0 {
			return now
		}

		queue := d.queues[platform.Name()]
		if !queue.acquire(ctx, left) {
			return now.Add(fullWait)
		}
		now = d.docs.Now()

		if s.hash == retired {
			s.post.Screen = view.Retired(m.readers(where, where))
		}
		state.Count++
		did := delivery{step: s, of: m, platform: platform, began: now, state: state, old: old}
		did.prepare(shown)
		limited, cancel := edits, context.CancelFunc(func() {})
		if s.kind == send {
			limited = ctx
		} else if timeLeft(edits) < work.Delivery {
			limited, cancel = context.WithTimeout(ctx, work.Showing/2)
		}
		address, err := d.call(limited, platform, did.step, to, did.nonce)
		cancel()
		queue.release()
		to.PrivateChat = cmp.Or(address, s.at)
		if !s.free {
			did.state.delivered(now, d.docs.Now(), platform.Gap(to))
		}
		mu.Lock()
		again := d.note(&did, address, err, shown)
		*shown.Places[where] = did.state
		mu.Unlock()
		if !again.IsZero() {
			return work.Earlier(wait, again)
		}
		person := slices.ContainsFunc(m.people, func(r reader) bool { return r.id == where })
		if s.refused && err == nil && (skipped || person) {
			return did.state.NotBefore // the place is open again; screens say that a person's is not
		}
	}
	return wait
}

// freeFirst marks the edits that are answers to presses, and moves them to the front. The
// people who pressed are waiting for them. It also marks deletions of hands: no platform counts
// them with messages, and a hand that is over has cards that somebody could press. An old result, which still offers a
// rematch, doesn't wait for the gap either; the platform's own limits hold.
func (d *Deliverer) freeFirst(ctx context.Context, steps []step) []step {
	for i := range steps {
		if s := &steps[i]; s.kind == edit || s.kind == mend {
			pressed := d.Abilities(string(s.at)).Pressed
			s.free = pressed != nil && pressed(ctx, s.at)
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		switch {
		case a.free == b.free:
			return 0
		case a.free:
			return -1
		}
		return 1
	})
	for i := range steps {
		s := &steps[i]
		s.free = s.free || s.kind == remove && strings.Contains(s.key, " hand:") || s.kind == mend && isResult(s.key)
	}
	return steps
}

// showWait returns how long the table may wait to begin a delivery. It is negative if too little time is left.
func showWait(ctx context.Context, m Messages, on chat.Platform) time.Duration {
	left := timeLeft(ctx) - work.Delivery
	if left > 0 && on.Name() != m.home() {
		return min(left, otherWait)
	}
	return left
}

// timeLeft returns how much of a round's time is left.
func timeLeft(ctx context.Context) time.Duration {
	if ctx.Err() != nil {
		return 0
	}
	if end, ok := ctx.Deadline(); ok {
		return time.Until(end)
	}
	return work.Showing
}

// delivery is a step in progress.
type delivery struct {
	step
	of       Messages
	platform chat.Platform
	began    time.Time
	state    ShownPlace // copy of the place's record, updated by the step
	old      *ShownPost // the message's record before the step; nil: none
	entry    *ShownPost // the message's record if the step succeeds
	nonce    string
}

// prepare sets the record that the message gets if the step succeeds, and the nonce for a send.
func (s *delivery) prepare(shown *Shown) {
	s.entry = &ShownPost{Seq: s.post.Seq, Hash: s.hash, Address: s.at, Passing: s.post.Passing, Count: s.state.Count}
	if s.old != nil {
		s.entry.Lost, s.entry.Sent = s.old.Lost, s.old.Sent
		if s.kind != send {
			s.entry.Origin, s.entry.Stuck = s.old.Origin, s.old.Stuck
		}
		if s.old.Seq > s.post.Seq || s.kind == send && s.old.Address != "" && s.old.Seq == s.post.Seq {
			s.entry.Lost++ // its next message needs another nonce than all before
		}
	}
	if isHand(s.post) {
		s.entry.Own = ownPart(s.post.Screen)
	}
	if pic := s.post.Screen.Picture; pic != nil {
		s.entry.Picture = pic.Name()
		same := *pic
		same.Kept = s.kind != send && s.old != nil && s.old.Picture == s.entry.Picture
		s.post.Screen.Picture = &same
	}
	if s.kind != send {
		return
	}
	s.nonce = Nonce(shown.history(s.of.ID), s.key, *s.entry)
	if s.old == nil || s.old.Tried == "" {
		return
	}
	// Keep the nonce: if the first try arrived, the platform recognizes the repeat, even if the message should move once more.
	if nonce, _, _ := strings.Cut(s.old.Tried, " "); len(nonce) == len(s.nonce) {
		if nonce != s.nonce {
			s.nonce = nonce
			s.entry.Lost++ // no later message gets this nonce
		}
	} else if s.old.Address == "" { // an earlier version recorded only the beginning of the nonce
		s.nonce = Nonce(shown.history(s.of.ID), s.key, *s.old)
	}
}

// call makes one delivery. If an adapter panics on a screen, the error is the same as
// for a screen that the platform refuses.
func (d *Deliverer) call(ctx context.Context, p chat.Platform, s step, to chat.Target, nonce string) (a chat.Address, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &chat.DeliveryError{Fault: chat.Invalid, Err: fmt.Errorf("panic: %T", r)}
			d.docs.Log.Error("panic in a delivery", "platform", p.Name(), "stack", string(debug.Stack()))
		}
	}()
	if to.Chat == "" && (s.kind == send || s.kind == ask) {
		if to.PrivateChat, err = d.PrivateChat(ctx, p, to.Player); err != nil {
			return "", err
		}
	}
	switch s.kind {
	case send:
		if s.refused && s.post.Screen.Picture != nil && to.Chat == "" { // the place probably refuses again, and a picture takes time to draw
			if err = p.Reach(ctx, to); err != nil {
				return "", err
			}
		}
		return d.Send(ctx, p, to, s.post.Screen, nonce)
	case remove:
		return "", d.Delete(ctx, p, s.at)
	case ask:
		return "", p.Reach(ctx, to)
	case edit, mend:
	}
	end := d.docs.Observe.Delivery(p, observe.Edit)
	err = p.Edit(ctx, s.at, s.post.Screen.Without(d.hides))
	end(err)
	return "", err
}

// Send sends a new message to a target whose PrivateChat is set if it needs one, as Platform.Send does.
func (d *Deliverer) Send(ctx context.Context, p chat.Platform, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	end := d.docs.Observe.Delivery(p, observe.Send)
	at, err := p.Send(ctx, to, s.Without(d.hides), nonce)
	end(err)
	return at, err
}

// Delete deletes a message.
func (d *Deliverer) Delete(ctx context.Context, p chat.Platform, at chat.Address) error {
	end := d.docs.Observe.Delivery(p, observe.Delete)
	err := p.Delete(ctx, at)
	end(err)
	return err
}

// longestBackOff is the longest wait that this program itself chooses. A platform may order a longer one.
const longestBackOff = 30 * time.Second

// BackOff returns how long to wait before the next try after a number of failures in a row.
func BackOff(fails int) time.Duration {
	return chat.BackOff{First: 500 * time.Millisecond, Max: longestBackOff}.Nth(fails)
}

// FaultOf returns the fault of a delivery's error, and how long to wait. An error that no
// adapter has classified is retried.
func FaultOf(err error) (chat.Fault, time.Duration) {
	if err == nil {
		return chat.Retry, 0
	}
	var d *chat.DeliveryError
	if errors.As(err, &d) {
		return d.Fault, d.After
	}
	return chat.Retry, 0
}

// movedTo returns the new id of the chat if the delivery failed because the chat moved, or "".
func movedTo(err error) string {
	if err == nil {
		return ""
	}
	var d *chat.DeliveryError
	if errors.As(err, &d) {
		return d.Chat
	}
	return ""
}

// PlatformOf returns the platform of an id or an address: its name comes before the colon.
// It returns nil if that platform isn't configured.
func (d *Deliverer) PlatformOf(a chat.Address) chat.Platform {
	return d.Platforms[nameOf(a)]
}

// Invite returns the link by which a person adds the bot to a chat, or "" if their
// platform has none.
func (d *Deliverer) Invite(player string) string {
	if invite := d.Abilities(player).Invite; invite != nil {
		return invite()
	}
	return ""
}

// Posts reports whether a person can post what the bot offers in chats where it isn't.
func (d *Deliverer) Posts(player string) bool {
	posts := d.Abilities(player).Posts
	return posts != nil && posts()
}

// Abilities returns the optional abilities of the platform of a person or a home.
func (d *Deliverer) Abilities(id string) chat.Abilities {
	if p := d.PlatformOf(chat.Address(id)); p != nil {
		return p.Abilities()
	}
	return chat.Abilities{}
}

// nameOf returns the name of the platform of an id or an address.
func nameOf(a chat.Address) string {
	name, _, _ := strings.Cut(string(a), ":")
	return name
}

// Nonce returns the permanent name of a message: 24 hexadecimal digits.
func Nonce(table, key string, p ShownPost) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d", table, key, p.Seq, p.Lost))
	return hex.EncodeToString(sum[:12])
}
