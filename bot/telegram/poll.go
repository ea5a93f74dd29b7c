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
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
)

// How the bot polls. https://core.telegram.org/bots/api#getupdates
const (
	pollTime     = 30 * time.Second       // how long Telegram keeps a poll open that has nothing to tell
	batchLimit   = 100                    // updates in one answer
	pollSeen     = 250 * time.Millisecond // after which Telegram has noticed that a poll began, or ended
	handleTime   = 10 * time.Second       // how long the shell may take for one input
	rememberOnes = 1024                   // updates remembered, to drop one that comes twice; and invitations

	// repoll is how soon to poll again while something is in hand. For half a second
	// Telegram answers a second poll of the same offset with one update only, but
	// not one without an offset, which begins with the same update.
	// https://github.com/tdlib/telegram-bot-api/blob/01a3679/telegram-bot-api/Client.cpp#L15717
	repoll = 50 * time.Millisecond
)

// Two processes on one token end each other's polls. The newcomer is to give
// way: it waits longer, and gives up sooner, than one that has polled before.
const (
	newcomerConflicts, newcomerWait       = 2, time.Second
	establishedConflicts, establishedWait = 5, 200 * time.Millisecond
)

// poll receives until ctx ends. Handlers get work, which ends some time later.
// It doesn't wait for them: while something is in hand, it asks again and again for
// what came after that. Telegram may forget an update once it was handled; see intake.
func (a *Adapter) poll(ctx, work context.Context, h chat.Handler) error {
	var (
		told        int64                      // the offset of a poll that Telegram answered
		asked       int64                      // the offset of the last poll
		open        *atomic.Pointer[time.Time] // when that poll was sent, if it was yet; nil: it is over
		known       cache.Cache[int64, struct{}]
		pause       backoff
		conflicts   int
		established bool
	)
	hand := newIntake(func(u update, apart func()) { a.handle(work, u, h, false, apart) }, func(u update) {
		if u.Callback != nil {
			replier{a}.shrug(replier{a}.question(work, u.Callback.ID))
		}
	})
	defer func() {
		hand.all.Wait()
		// A poll that was open for a while has told the offset. Else what was
		// handled last is acknowledged here, once Telegram saw that poll end.
		offset := hand.offset()
		if ctx.Err() == nil || told == offset {
			return
		}
		if open != nil {
			if at := open.Load(); asked == offset && at != nil && time.Since(*at) > pollSeen {
				return
			}
			chat.Pause(work, pollSeen)
		}
		if _, err := a.updates(work, offset, 1, 0); err != nil {
			a.log.Warn("acknowledge the last updates", "err", clean(err))
		}
	}()
	for ctx.Err() == nil {
		long, offset := pollTime, hand.offset()
		if !established {
			long = time.Second
		}
		if hand.busy() {
			long = time.Second // it is answered at once, with what is in hand at least
			if asked == offset {
				offset = 0 // the same: see repoll
			}
		}
		sent := new(atomic.Pointer[time.Time])
		open, asked = sent, offset
		updates, err := a.updates(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
			if now := time.Now(); info.Err == nil {
				sent.Store(&now)
			}
		}}), offset, batchLimit, long)
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
			chat.Pause(ctx, wait)
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
		open, established, conflicts, pause = nil, true, 0, backoff{}
		if offset != 0 {
			told = offset
		}
		for _, u := range updates {
			if known.Add(u.ID, struct{}{}, rememberOnes) {
				hand.take(u)
			}
		}
		hand.rest(ctx)
	}
	return nil
}

// updates asks for what happened from offset on, or from the first update that was
// not acknowledged if offset is 0, and waits for long. It acknowledges what came before offset.
func (a *Adapter) updates(ctx context.Context, offset int64, limit int, long time.Duration) ([]update, error) {
	ctx, cancel := context.WithTimeout(ctx, long+callTimeout)
	defer cancel()
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

// handle takes one update to the shell. The reply is on its way when it
// returns; the next update needn't wait for it. But if the caller can say a word,
// and a press needs no more for an answer, handle returns that word. It calls apart
// when the update waits for Telegram, so that others needn't wait for it.
func (a *Adapter) handle(work context.Context, u update, h chat.Handler, canSay bool, apart func()) *said {
	var asked *question
	if u.Callback != nil {
		asked = replier{a}.question(work, u.Callback.ID)
	}
	ctx, cancel := context.WithTimeout(work, handleTime)
	defer cancel()
	in, ok := a.input(u, apart)
	var reply chat.Reply
	var to *message
	answered := func() {}
	if in.OnAnswer {
		answered = a.pressed.begin(in.Message)
	}
	if ok {
		reply, to = a.ask(ctx, in, h), u.Message
	}
	if canSay && asked != nil && reply.Screen == nil {
		answered()
		return asked.say(reply)
	}
	if reply.Outcome == chat.Limited && reply.Toast == "" {
		answered()
		replier{a}.shrug(asked)
		return nil
	}
	a.slots <- struct{}{}
	a.replying.Go(func() {
		defer func() { <-a.slots }()
		defer answered()
		switch {
		case asked != nil:
			replier{a}.answer(work, asked, in, reply)
		case to != nil:
			replier{a}.reply(work, to, in, reply)
		}
	})
	return nil
}

// ask hands an input to the shell. A panic there costs one person one press, not
// everybody the bot.
func (a *Adapter) ask(ctx context.Context, in chat.Input, h chat.Handler) (reply chat.Reply) {
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
		reply = chat.Reply{Toast: lang.For(in.Player.Lang).Text("reply.trouble")}
	}()
	return h.Handle(ctx, in)
}

// backoff is the pause between attempts: a quarter of a second, twice as long
// each time up to half a minute, and a little at random.
type backoff struct{ last time.Duration }

// wait pauses, for at least as long as asked, or until ctx ends.
func (b *backoff) wait(ctx context.Context, asked time.Duration) {
	b.last = chat.BackOff{First: 250 * time.Millisecond, Most: 30 * time.Second}.After(b.last)
	chat.Pause(ctx, max(asked, b.last+rand.N(b.last/4)))
}
