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
	"strconv"
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
	"sedmabot/store"
)

// step is one delivery that a place needs: a message to send, edit or delete, or a question.
type step struct {
	kind    stepKind
	key     string // key of the message in Shown.Posts
	post    screen.Post
	hash    string
	at      chat.Address // address of the message to edit or delete
	once    bool         // for remove: remember this deletion, so that it isn't repeated
	refused bool         // for send: the place refused a message before
	free    bool         // for edit and mend: it is the answer to a press, so no limit of the place counts it
}

type stepKind uint8

// The kinds of steps, the most urgent first. A place may allow only one message every
// few seconds, so news comes before cleanup.
const (
	send stepKind = iota
	edit
	mend   // edit a message about the past, which only has to be right in the end
	remove // delete a message that is no longer wanted
	ask    // ask whether the place accepts messages
)

// place returns the place of a post: a chat's id, a player's id, or an ephemeralPlace.
func place(p screen.Post) string {
	if p.Chat != "" && p.Player != "" {
		return ephemeralPlace(p.Chat, p.Player)
	}
	return cmp.Or(p.Chat, p.Player)
}

// target returns where to send a post. If a player plays alone, the table's chat has the
// player's own id: it is their private chat.
func target(t table.Table, p screen.Post) chat.Target {
	own := func(s table.Seat) bool { return s.Player.ID == p.Chat }
	if p.Player == "" && slices.ContainsFunc(t.Seats, own) {
		return chat.Target{Player: p.Chat}
	}
	return chat.Target{Chat: p.Chat, Player: p.Player}
}

func postKey(p screen.Post) string { return place(p) + " " + p.Key }

// answerPlace returns the place of a hand that a player opened in the chat. It is a place
// of its own, so that edits of the hand don't wait for other deliveries.
func answerPlace(player string) string { return "answer " + player }

// answerKey returns the key in Shown.Posts of the hand that a player opened in the chat.
func answerKey(player string) string { return player + " answer" }

// olderKey returns the key of a hand that the player opened earlier. Once that message is
// deleted, the entry has a Hash.
func olderKey(player string, at chat.Address) string {
	return answerKey(player) + " older " + Nonce(string(at), player, ShownPost{})
}

// Show updates the messages in the table's chats, and records in shown what it did.
// It returns when to continue, or zero if everything is up to date. It serves all places
// concurrently, so one that is rate-limited doesn't delay the others.
func (d *Deliverer) Show(ctx context.Context, t table.Table, shown *Shown, notes doc.Notes) time.Time {
	now := d.docs.Now()
	shown.Prepare(t, notes, now)
	again := shown.again(t, notes)
	posts := d.pages(ctx, t, shown, notes, d.posts(t, shown))
	if again {
		shown.doubt(posts)
	}
	shown.adopt(posts, notes, now)
	plans := Plan(posts, shown, Stage(t), func(p *ShownPost) bool { return d.Old(p, now) })
	d.planAnswers(ctx, plans, t, shown, notes, now)
	planAsks(plans, t, shown)
	return work.Earlier(d.CarryOut(ctx, t, plans, shown), pagesEnd(notes, now))
}

// CarryOut performs the steps of all places, as far as their limits allow. It returns
// when to continue, or zero if everything is done.
func (d *Deliverer) CarryOut(ctx context.Context, t table.Table, plans map[string][]step, shown *Shown) time.Time {
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
		at := d.deliver(ctx, edits, t, where, plans[where], shown, &mu)
		mu.Lock()
		defer mu.Unlock()
		next = work.Earlier(next, at)
	}
	for where := range plans {
		if len(plans) == 1 {
			serve(where)
		} else {
			wg.Add(1)
			d.Workers.Go(func() { defer wg.Done(); serve(where) })
		}
	}
	wg.Wait()
	return next
}

// Prepare applies the notes, corrects the times that a wrong clock has set, and drops the places that are no longer needed.
func (s *Shown) Prepare(t table.Table, notes doc.Notes, now time.Time) {
	if s.Posts == nil {
		s.Posts = map[string]*ShownPost{}
	}
	if s.Places == nil {
		s.Places = map[string]*ShownPlace{}
	}
	for _, p := range s.Places {
		p.believe(now)
	}
	for player, at := range notes.Reached {
		if p := s.Places[player]; p != nil && at.After(p.Closed) && store.Believed(at, now, 0) {
			p.Closed, p.Mute = time.Time{}, false
		}
	}
	if s.Doubts != notes.Doubts {
		for _, p := range s.Posts {
			p.Hash, p.Picture = "", ""
		}
		s.Doubts = notes.Doubts
	}
	here := map[string]bool{}
	for _, chat := range t.Chats {
		here[chat.ID] = true
	}
	for _, seat := range t.Seats {
		here[seat.Player.ID], here[answerPlace(seat.Player.ID)] = true, true
		here[ephemeralPlace(EphemeralChat(t, seat.Player.ID), seat.Player.ID)] = true
	}
	for key := range s.Posts {
		where, _, _ := strings.Cut(key, " ")
		here[where] = true // a message may have to be deleted there
	}
	maps.DeleteFunc(s.Places, func(where string, _ *ShownPlace) bool { return !here[where] })
	s.Ended = t.Phase == table.Closed
}

// Stage returns a name for the table's phase and deal. A place that refused messages is
// tried again at the next stage.
func Stage(t table.Table) string { return string(t.Phase) + " " + strconv.Itoa(t.DealNo) }

// posts returns the posts that should exist now.
func (d *Deliverer) posts(t table.Table, shown *Shown) []Post {
	public, private := t.Readers()
	stage := Stage(t)
	idle := func(p screen.Post) bool { return shown.idle(p, stage) }
	var past []Post
	var present []screen.Post
	if t.Strangers == nil {
		past, present = d.past(public), view.PresentPosts(public, private, ways(t, shown), idle)
		present = append(present, ephemeralPosts(t, stage, public, private, shown, idle)...)
	} else {
		for _, own := range t.Chats { // each is the private chat of a player, who knows the others in another way
			if p, sits := private(own.ID); sits {
				past = append(past, d.past(p.Public)...)
				present = append(present, view.PresentPosts(p.Public, private, nil, idle)...)
			}
		}
	}
	posts := append(make([]Post, 0, len(past)+len(present)), past...)
	for _, p := range present {
		posts = append(posts, Post{Post: p})
		shown.announceUndone(t, &posts[len(posts)-1].Post)
	}
	return posts
}

// Old reports whether a message is so old that it should be sent again instead of edited.
func (d *Deliverer) Old(p *ShownPost, now time.Time) bool {
	platform := d.PlatformOf(p.Address)
	return platform != nil && platform.Lasts() > 0 && !p.Sent.IsZero() && now.Sub(p.Sent) >= platform.Lasts()
}

// Plan compares the posts with the known messages, and returns the steps by place. A
// message is sent again instead of edited if it is old, or if it must lose its picture.
// Platforms can't take a picture out of a message.
func Plan(posts []Post, shown *Shown, stage string, old func(*ShownPost) bool) map[string][]step {
	plans := map[string][]step{}
	wanted := make(map[string]bool, len(posts))
	for _, post := range posts {
		wanted[postKey(post.Post)] = true
	}
	hashes := newHasher()
	for _, post := range posts {
		p, key, where := post.Post, postKey(post.Post), place(post.Post)
		shown.reuse(p, stage, wanted)
		was := shown.Posts[key]
		if shown.idle(p, stage) {
			continue
		}
		hash := post.hash
		if hash == "" {
			hash = hashes.screen(p.Screen)
		}
		switch sent := was != nil && was.Address != ""; {
		case !sent && was != nil && was.Hash == hash: // this screen was refused, and would be refused again
		case !sent:
			plans[where] = append(plans[where], step{kind: send, key: key, post: p, hash: hash})
		case !p.OldOnly && (was.Seq < p.Seq || was.Hash != hash && (old(was) || was.Picture != "" && p.Screen.Picture == nil)):
			plans[where] = append(plans[where], step{kind: send, key: key, post: p, hash: hash})
		case was.Hash != hash && p.OldOnly:
			plans[where] = append(plans[where], step{kind: mend, key: key, post: p, hash: hash, at: was.Address})
		case was.Hash != hash:
			plans[where] = append(plans[where], step{kind: edit, key: key, post: p, hash: hash, at: was.Address})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(shown.Posts)) {
		was := shown.Posts[key]
		where, name, _ := strings.Cut(key, " ")
		switch {
		case wanted[key], strings.HasPrefix(name, "answer"):
		case was.Passing && was.Stuck && was.Hash != retired:
			plans[where] = append(plans[where], step{kind: mend, key: key, post: screen.Post{OldOnly: true, Passing: true}, hash: retired, at: was.Address})
		case was.Passing && was.Address != "" && !was.Stuck:
			plans[where] = append(plans[where], step{kind: remove, key: key, at: was.Address})
		default:
			delete(shown.Posts, key) // final: the message stays as it is, and no step will change it again
		}
	}
	for where, steps := range plans {
		order(steps, shown, shown.Places[where])
	}
	return plans
}

// retired is the Hash of a message that should have been deleted, but can't be: it keeps
// one line, and no buttons.
const retired = "retired"

// idle reports whether a post needs no step, whatever its screen. That is so if it has no
// message yet, and sending one is unnecessary or impossible.
func (s *Shown) idle(p screen.Post, stage string) bool {
	if was := s.Posts[postKey(p)]; was != nil && was.Address != "" {
		return false
	}
	return p.OldOnly || s.Places[place(p)].refuses(stage, p)
}

// reuse gives a public post that the place refuses to take as a new message, for example in a closed topic, the message
// of a post that is no longer wanted there. That message is edited instead of deleted.
func (s *Shown) reuse(p screen.Post, stage string, wanted map[string]bool) {
	at, key := s.Places[place(p)], postKey(p)
	if was := s.Posts[key]; was != nil && was.Address != "" || p.Player != "" || p.OldOnly || !at.refuses(stage, p) || at.Mute {
		return
	}
	for _, old := range slices.Sorted(maps.Keys(s.Posts)) {
		was := s.Posts[old]
		if where, _, _ := strings.Cut(old, " "); where == place(p) && !wanted[old] && was.Passing && was.Address != "" && !was.Stuck {
			delete(s.Posts, old)
			taken := *was
			taken.Seq, taken.Hash, taken.Passing = p.Seq, "", p.Passing
			s.Posts[key] = &taken
			return
		}
	}
}

// tidyEvery is the cleanup interval: in a busy place, one delivery in this many may be
// cleanup instead of news.
const tidyEvery = 4

// order sorts the steps of a place by urgency: first how the previous deal ended, then
// the news. Messages that change all the time take turns, so the rest doesn't wait
// forever.
func order(steps []step, shown *Shown, at *ShownPlace) {
	tidy := at != nil && at.Count%tidyEvery == tidyEvery-1
	rank := func(s step) int {
		if s.kind == mend && s.post.First {
			return -1
		}
		if tidy && s.kind > edit {
			return 2*int(edit) - 1
		}
		return 2 * int(s.kind)
	}
	last := func(s step) int {
		if p := shown.Posts[s.key]; p != nil {
			return p.Count
		}
		return 0
	}
	slices.SortStableFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(last(a), last(b)))
	})
}

// planAnswers plans edits of the hands that players opened in the chat. They are edited
// along with the private ones for as long as the platform allows. Each player keeps only
// the latest; older ones are deleted.
func (d *Deliverer) planAnswers(ctx context.Context, plans map[string][]step, t table.Table, shown *Shown, notes doc.Notes, now time.Time) {
	older := map[string]bool{}
	for player, a := range notes.Answers {
		for _, o := range a.Older {
			key := olderKey(player, o.Address)
			older[key] = true
			if p := shown.Posts[key]; o.Until.After(now) && (p == nil || p.Hash == "") {
				where := answerPlace(player)
				plans[where] = append(plans[where], step{kind: remove, key: key, post: screen.Post{Player: player}, at: o.Address, once: true})
			}
		}
	}
	for key := range shown.Posts {
		player, name, _ := strings.Cut(key, " ")
		switch {
		case name == "answer" && !notes.Answers[player].Until.After(now),
			strings.HasPrefix(name, "answer older ") && !older[key]:
			delete(shown.Posts, key)
		}
	}
	for player, a := range notes.Answers {
		private, seated := t.Private(player)
		if !seated || !a.Until.After(now) {
			continue
		}
		if at := shown.Places[ephemeralPlace(EphemeralChat(t, player), player)]; at != nil && at.Adopted != "" && at.Adopted == a.Origin {
			continue // this hand was adopted as the player's ephemeral message
		}
		key := answerKey(player)
		old := shown.Posts[key]
		if old == nil || old.For != a.Address {
			old = &ShownPost{Address: a.Address, For: a.Address}
			shown.Posts[key] = old
		}
		post := screen.Post{Key: "answer", Player: player, Screen: view.WithPage(private, view.Hand(private), d.link(ctx, private, notes))}
		shown.announceUndone(t, &post)
		if hash := screenHash(post.Screen); old.Hash != hash && old.Address != "" {
			where := answerPlace(player)
			plans[where] = slices.Insert(plans[where], 0, step{kind: edit, key: key, post: post, hash: hash, at: a.Address})
		}
	}
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
func (at *ShownPlace) next(t table.Table, s step, gap time.Duration) time.Time {
	if s.kind != edit || t.Phase != table.Lobby || gap <= longGap || at.Fails > 0 || at.Early >= earlyEdits {
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
func (d *Deliverer) deliver(ctx, edits context.Context, t table.Table, where string, steps []step, shown *Shown, mu *sync.Mutex) time.Time {
	for _, s := range d.freeFirst(edits, steps) {
		if s.kind == ask {
			return d.ask(ctx, t, where, s, shown, mu)
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
			if state.refuses(Stage(t), s.post) {
				continue // the place would refuse it again
			}
			state.Closed, state.Mute = time.Time{}, false
			s.refused = true
		}
		to := target(t, s.post)
		gap := platform.Gap(to)
		if s.kind == edit && s.post.Brief && gap > briefGap && !s.free {
			continue
		}
		if next := state.next(t, s, gap); next.After(now) && !s.free {
			return next
		}
		left := patience(ctx, t, platform)
		if left < 0 {
			return now
		}

		queue := d.queues[platform.Name()]
		if !queue.acquire(ctx, left) {
			return now.Add(fullWait)
		}
		now = d.docs.Now()

		if s.hash == retired {
			s.post.Screen = view.Retired(readers(t, where, where))
		}
		state.Count++
		did := delivery{step: s, t: t, platform: platform, began: now, state: state, old: old}
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
		did.state.Fails++
		mu.Lock()
		again := d.note(&did, address, err, shown)
		*shown.Places[where] = did.state
		mu.Unlock()
		if !again.IsZero() {
			return again
		}
	}
	return time.Time{}
}

// freeFirst marks the edits that are answers to presses, and moves them to the front. The
// people who pressed are waiting for them.
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
	return steps
}

// patience returns how long the table may wait to begin a delivery. It is negative if too little time is left.
func patience(ctx context.Context, t table.Table, on chat.Platform) time.Duration {
	left := timeLeft(ctx) - work.Delivery
	if left > 0 && on.Name() != home(t) {
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
	t        table.Table
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
		s.entry.Lost, s.entry.For, s.entry.Sent, s.entry.Stuck = s.old.Lost, s.old.For, s.old.Sent, s.old.Stuck && s.kind != send
		if s.old.Seq > s.post.Seq || s.kind == send && s.old.Address != "" && s.old.Seq == s.post.Seq {
			s.entry.Lost++ // its next message needs another nonce than all before
		}
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
	s.nonce = Nonce(shown.history(s.t.ID), s.key, *s.entry)
	if s.old != nil && s.old.Address == "" && s.old.Tried != "" {
		s.nonce = Nonce(shown.history(s.t.ID), s.key, *s.old) // keep the nonce: if the first try arrived, the platform recognizes the repeat
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
		ctx, end := d.docs.Observe.Delivery(ctx, p, observe.Delete)
		err = p.Delete(ctx, s.at)
		end(err)
		return "", err
	case ask:
		return "", p.Reach(ctx, to)
	case edit, mend:
	}
	ctx, end := d.docs.Observe.Delivery(ctx, p, observe.Edit)
	err = p.Edit(ctx, s.at, s.post.Screen)
	end(err)
	return "", err
}

// Send sends a new message to a target whose PrivateChat is set if it needs one, as Platform.Send does.
func (d *Deliverer) Send(ctx context.Context, p chat.Platform, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	ctx, end := d.docs.Observe.Delivery(ctx, p, observe.Send)
	at, err := p.Send(ctx, to, s, nonce)
	end(err)
	return at, err
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
