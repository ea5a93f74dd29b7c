package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptrace"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot"
	"sedmabot/bot/lang"
)

// How the bot polls. https://core.telegram.org/bots/api#getupdates
const (
	pollTime     = 30 * time.Second       // how long Telegram keeps a poll open that has nothing to tell
	batchLimit   = 100                    // updates in one answer
	pollSeen     = 250 * time.Millisecond // after which Telegram has noticed that a poll began, or ended
	handleTime   = 10 * time.Second       // how long the shell may take for one input
	rememberOnes = 1024                   // updates remembered, to drop one that comes twice; and invitations
)

// Two processes on one token end each other's polls. The newcomer is to give
// way: it waits longer, and gives up sooner, than one that has polled before.
const (
	newcomerConflicts, newcomerWait       = 2, time.Second
	establishedConflicts, establishedWait = 5, 200 * time.Millisecond
)

// poll receives until ctx ends. Handlers get work, which ends some time later.
// A batch is acknowledged when all of it was handled.
func (a *Adapter) poll(ctx, work context.Context, h bot.Handler) error {
	var (
		offset      int64                      // the next poll acknowledges all updates before it
		told        int64                      // the offset of a poll that Telegram answered
		open        *atomic.Pointer[time.Time] // when the poll that tells the offset was sent, if it was yet; nil: there is none
		known       = newRecent[int64](rememberOnes)
		pause       backoff
		conflicts   int
		established bool
	)
	defer func() {
		// A poll that was open for a while has told the offset. Else what was
		// handled last is acknowledged here, once Telegram saw that poll end.
		if ctx.Err() == nil || told == offset {
			return
		}
		if open != nil {
			if at := open.Load(); at != nil && time.Since(*at) > pollSeen {
				return
			}
			sleep(work, pollSeen)
		}
		if _, err := a.updates(work, offset, 0); err != nil {
			a.log.Warn("acknowledge the last updates", "err", clean(err))
		}
	}()
	for ctx.Err() == nil {
		long := pollTime
		if !established {
			long = time.Second
		}
		sent := new(atomic.Pointer[time.Time])
		open = sent
		updates, err := a.updates(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
			if now := time.Now(); info.Err == nil {
				sent.Store(&now)
			}
		}}), offset, long)
		turned := turnedAway(err)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(turned, ErrConflict):
			conflicts++
			limit, wait := newcomerConflicts, newcomerWait
			if established {
				limit, wait = establishedConflicts, establishedWait
			}
			if conflicts >= limit {
				return turned
			}
			sleep(ctx, wait)
			continue
		case errors.Is(turned, ErrWebhook) && a.unhook(ctx):
			continue
		case turned != nil:
			return turned
		case err != nil:
			open = nil
			a.apart.Store(true)
			a.log.Warn("poll telegram", "err", clean(err))
			pause.wait(ctx, retryAfter(err))
			continue
		}
		a.apart.Store(false)
		told, established, conflicts, pause = offset, true, 0, backoff{}
		if len(updates) == 0 {
			continue
		}
		var fresh []update
		for _, u := range updates {
			offset = max(offset, u.ID+1)
			if known.add(u.ID) {
				fresh = append(fresh, u)
			}
		}
		open = nil
		a.batch(work, fresh, h)
	}
	return nil
}

// updates asks for what happened from offset on, and waits for long. With 0 it only
// acknowledges what came before offset.
func (a *Adapter) updates(ctx context.Context, offset int64, long time.Duration) ([]update, error) {
	ctx, cancel := context.WithTimeout(ctx, long+callTimeout)
	defer cancel()
	limit := batchLimit
	if long == 0 {
		limit = 1
	}
	p := tgbotapi.Params{
		"timeout":         strconv.Itoa(int(long / time.Second)),
		"limit":           strconv.Itoa(limit),
		"allowed_updates": allowedUpdates,
	}
	p.AddNonZero64("offset", offset)
	result, err := a.call(ctx, "getUpdates", p)
	if err != nil {
		return nil, err
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(result, &raw); err != nil {
		return nil, err
	}
	var all []update
	for _, data := range raw {
		var u update
		if err := json.Unmarshal(data, &u); err != nil {
			// One that cannot be read must not hold up those behind it.
			var id struct {
				ID int64 `json:"update_id"`
			}
			if json.Unmarshal(data, &id) != nil {
				return nil, errNoJSON
			}
			a.log.Error("an update that cannot be read", "update", id.ID)
			u = update{ID: id.ID}
		}
		all = append(all, u)
	}
	return all, nil
}

// batch handles updates, those of one chat and those of one person in their
// order, all others side by side: at most batchLimit goroutines.
func (a *Adapter) batch(work context.Context, updates []update, h bot.Handler) {
	var wg sync.WaitGroup
	defer wg.Wait()
	last := map[int64]chan struct{}{}
	for _, u := range updates {
		var before []chan struct{}
		done := make(chan struct{})
		for _, key := range u.keys() {
			if earlier := last[key]; earlier != nil && earlier != done {
				before = append(before, earlier)
			}
			last[key] = done
		}
		wg.Go(func() {
			defer close(done)
			for _, earlier := range before {
				<-earlier
			}
			a.handle(work, u, h, false)
		})
	}
}

// handle takes one update to the shell. The reply is on its way when it
// returns; the next update needn't wait for it. But if the caller can say a word
// himself, and that is all there is to answer a press with, it is returned.
func (a *Adapter) handle(work context.Context, u update, h bot.Handler, canSay bool) *said {
	var asked *question
	if u.Callback != nil {
		asked = a.question(work, u.Callback.ID)
	}
	ctx, cancel := context.WithTimeout(work, handleTime)
	defer cancel()
	in, ok := a.input(ctx, u)
	var reply bot.Reply
	var to *message
	answered := func() {}
	if in.OnAnswer {
		answered = a.pressed.begin(in.Message)
	}
	if ok {
		reply, to = a.ask(ctx, in, h), u.Message
	}
	if canSay && asked != nil && reply.Screen == nil {
		return asked.say(reply)
	}
	a.slots <- struct{}{}
	a.replying.Go(func() {
		defer func() { <-a.slots }()
		defer answered()
		switch {
		case asked != nil:
			a.answer(work, asked, in, reply)
		case to != nil:
			a.reply(work, to, in, reply)
		}
	})
	return nil
}

// ask hands an input to the shell. A panic there costs one person one press, not
// everybody the bot.
func (a *Adapter) ask(ctx context.Context, in bot.Input, h bot.Handler) (reply bot.Reply) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		what := fmt.Sprintf("%T", r)
		if err, isRuntime := r.(runtime.Error); isRuntime {
			what = err.Error()
		}
		a.log.Error("panic at an input", "what", what, "stack", string(debug.Stack()))
		reply = bot.Reply{Toast: lang.For(in.Player.Lang).Text("reply.trouble")}
	}()
	return h.Handle(ctx, in)
}

// recent remembers the last few things.
type recent[T comparable] struct {
	mu   sync.Mutex
	ring []T
	next int
	set  map[T]bool
}

func newRecent[T comparable](n int) *recent[T] {
	return &recent[T]{ring: make([]T, 0, n), set: make(map[T]bool, n)}
}

// add reports whether v is new.
func (r *recent[T]) add(v T) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.set[v] {
		return false
	}
	r.set[v] = true
	if len(r.ring) < cap(r.ring) {
		r.ring = append(r.ring, v)
		return true
	}
	delete(r.set, r.ring[r.next])
	r.ring[r.next] = v
	r.next = (r.next + 1) % len(r.ring)
	return true
}

// has reports whether v is remembered.
func (r *recent[T]) has(v T) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.set[v]
}

// backoff is the pause between attempts: a quarter of a second, twice as long
// each time up to half a minute, and a little at random.
type backoff struct{ last time.Duration }

// wait pauses, for at least as long as asked, or until ctx ends.
func (b *backoff) wait(ctx context.Context, asked time.Duration) {
	b.last = min(max(2*b.last, 250*time.Millisecond), 30*time.Second)
	sleep(ctx, max(asked, b.last+rand.N(b.last/4)))
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
