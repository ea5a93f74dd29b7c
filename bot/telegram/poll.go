package telegram

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
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

// Parameters of polling. https://core.telegram.org/bots/api#getupdates
const (
	pollTime      = 30 * time.Second       // how long Telegram keeps a poll open if there are no updates
	batchLimit    = 100                    // updates in one answer
	pollSeen      = 250 * time.Millisecond // time in which Telegram notices that a poll began or ended
	handleTimeout = 10 * time.Second       // how long the shell may take for one input
	maxKnown      = 1024                   // updates remembered to drop duplicates; also the invitations remembered
	pressWait     = 10 * time.Second       // how long a press waits at most while nothing is wrong
	excuseEvery   = time.Hour              // how often a chat is told at most that the bot was away

	// repoll is the pause before the next poll while updates are pending. For half a
	// second, Telegram answers a second poll of the same offset with only one update.
	// A poll without an offset begins with the same update, and isn't limited so.
	// https://github.com/tdlib/telegram-bot-api/blob/01a3679/telegram-bot-api/Client.cpp#L15717
	repoll = 20 * time.Millisecond
)

// Two processes with one token end each other's polls. The newcomer should give
// way, so it waits longer and gives up sooner than one that has polled before. From then on
// it polls seldom, until the other one has stopped.
const (
	newcomerConflicts, newcomerWait       = 2, time.Second
	establishedConflicts, establishedWait = 5, 200 * time.Millisecond
	rareConflict                          = 3 * time.Second // a poll that lasts longer was ended by a process that gives way
	firstElsewhere, maxElsewhere          = 5 * time.Second, time.Minute
)

// poll receives updates until ctx ends. Handlers get work, which ends some time
// later. poll doesn't wait for them: while updates are pending, it keeps polling for
// later ones. Telegram may forget an update once it was handled; see intake.
func (a *Adapter) poll(ctx, work context.Context, h chat.Handler) error {
	var (
		answered    int64 // offset of the last poll that Telegram answered
		gap         pollGap
		asked       int64                      // offset of the last poll
		open        *atomic.Pointer[time.Time] // when the open poll was sent, if it was; nil: no poll is open
		known       cache.Cache[int64, struct{}]
		pause       backOff
		conflicts   int
		elsewhere   time.Duration // the last pause because the updates go to another program
		established bool
	)
	hand := a.intake(ctx, work, h)
	defer func() {
		hand.all.Wait()
		// If the last poll was open for a while, Telegram already knows its offset.
		// Otherwise, acknowledge the last updates here, after Telegram has noticed
		// that the poll ended.
		offset := hand.offset()
		if ctx.Err() == nil || answered == offset {
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
			long = time.Second // Telegram answers at once, with at least the pending updates
			if asked == offset {
				offset = 0 // Telegram then returns the pending updates again; see repoll
			}
		}
		sent := new(atomic.Pointer[time.Time])
		open, asked = sent, offset
		began := time.Now()
		updates, err := a.updates(noting(ctx, sent), offset, batchLimit, long)
		refused := withheld(err)
		limit, wait := newcomerConflicts, newcomerWait
		if established {
			limit, wait = establishedConflicts, establishedWait
		}
		if time.Since(began) > rareConflict {
			conflicts = 0
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(refused, errConflict) && conflicts+1 < limit:
			conflicts++
			a.log.Warn("poll telegram", "err", refused)
			chat.Pause(ctx, wait)
			continue
		case errors.Is(refused, errWebhook) && a.removeWebhook(ctx):
			continue
		case errors.Is(refused, ErrToken) && a.token.Refuse(time.Now()):
			return ErrToken
		case errors.Is(refused, errConflict), errors.Is(refused, errWebhook):
			open, established = nil, false
			a.offline.Store(true)
			elsewhere = chat.BackOff{First: firstElsewhere, Max: maxElsewhere}.After(elsewhere)
			a.log.Error("telegram's updates go to another program", "again_in", elsewhere, "err", refused)
			chat.Pause(ctx, elsewhere)
			continue
		case err != nil:
			open = nil
			a.offline.Store(true)
			a.log.Warn("poll telegram", "err", clean(err))
			pause.wait(ctx, retryAfter(err))
			continue
		}
		a.token.Accept()
		a.offline.Store(false)
		open, established, conflicts, pause, elsewhere = nil, true, 0, backOff{}, 0
		if offset != 0 {
			answered = offset
		}
		waited := gap.answered(began, long, len(updates))
		for _, u := range updates {
			u.waited = waited
			if known.Add(u.ID, struct{}{}, maxKnown) {
				hand.take(u)
			}
		}
		a.arrived(len(updates) < batchLimit)
		hand.rest(ctx)
	}
	return nil
}

// pollGap tells which updates may have waited for the bot.
type pollGap struct {
	seen time.Time // when Telegram last answered with all that it had, by the wall clock: the machine may have slept
}

// answered reports whether the updates of a poll may have waited. The poll began at that time, for at most long, and
// brought n updates.
func (g *pollGap) answered(began time.Time, long time.Duration, n int) (waited bool) {
	waited = began.Round(0).Sub(g.seen) > pressWait || time.Since(began) > long+pressWait
	if !waited || n < batchLimit {
		g.seen = time.Now().Round(0)
	}
	return waited
}

// intake returns the queue of polled updates, whose inputs h handles. An input that fails is repeated until ctx ends.
func (a *Adapter) intake(ctx, work context.Context, h chat.Handler) *intake {
	return newIntake(func(u update, yield func()) bool {
		for pause := (backOff{}); ; pause.wait(ctx, 0) {
			if _, done := a.handle(work, u, h, false, yield); done || ctx.Err() != nil {
				return done
			}
		}
	}, func(u update) {
		if u.Callback != nil {
			a.replier.answerEmpty(a.replier.query(work, u.Callback.ID))
		}
	})
}

// noting returns a context whose request notes in sent when it was written.
func noting(ctx context.Context, sent *atomic.Pointer[time.Time]) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(info httptrace.WroteRequestInfo) {
		if now := time.Now(); info.Err == nil {
			sent.Store(&now)
		}
	}})
}

// updates asks for the updates from offset on, and waits for them for long at most.
// It acknowledges those before offset. If offset is 0, it asks from the first update
// that isn't acknowledged.
func (a *Adapter) updates(ctx context.Context, offset int64, limit int, long time.Duration) ([]update, error) {
	ctx, cancel := context.WithTimeout(ctx, long+callTimeout)
	defer cancel()
	p := tgbotapi.Params{
		"timeout":         strconv.Itoa(int(long / time.Second)),
		"limit":           strconv.Itoa(limit),
		"allowed_updates": a.client.wanted(),
	}
	p.AddNonZero64("offset", offset)
	result, err := a.client.call(ctx, "getUpdates", p)
	if err != nil {
		return nil, err
	}
	var all []update
	if json.Unmarshal(result, &all) == nil {
		return all, nil
	}
	// An unreadable update must not block the ones after it.
	var raw []json.RawMessage
	if err := json.Unmarshal(result, &raw); err != nil {
		return nil, err
	}
	all = nil
	for _, data := range raw {
		var u update
		if err := json.Unmarshal(data, &u); err != nil {
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

// handle passes one update to the shell, and delivers the reply in the background,
// so that the next update needn't wait for it. If canSay is set and a press needs no
// screen, handle returns the answer for the caller to send instead. It calls yield if
// the update waits for Telegram, so that other updates can overtake it. done is false if
// the update must be handled again: no person waits for it, and the store was away.
func (a *Adapter) handle(work context.Context, u update, h chat.Handler, canSay bool, yield func()) (answer *webhookAnswer, done bool) {
	var asked *query
	if u.Callback != nil {
		asked = a.replier.query(work, u.Callback.ID)
	}
	ctx, cancel := context.WithTimeout(work, handleTimeout)
	defer cancel()
	in, ok := a.input(u, yield)
	if u.waited && asked != nil {
		in.Old = func(context.Context) bool { return asked.old() }
	}
	if in.Once == "" && in.Presence == 0 && in.Former == "" {
		in.Once = fmt.Sprintf("%supdate %d", prefix, u.ID)
	}
	var reply chat.Reply
	var to *message
	answered := func() {}
	if in.OnAnswer {
		answered = a.presses.begin(in.Message)
	}
	if ok {
		reply, to = a.ask(ctx, in, h), u.Message
	}
	if in.Unattended() {
		return nil, reply.Outcome != chat.Failed
	}
	if canSay && asked != nil && reply.Screen == nil {
		answered()
		return asked.respond(reply), true
	}
	if reply.Outcome == chat.Limited && reply.Toast == "" {
		answered()
		a.replier.answerEmpty(asked)
		return nil, true
	}
	a.replier.slots <- struct{}{}
	a.replier.running.Go(func() {
		defer func() { <-a.replier.slots }()
		defer answered()
		switch {
		case asked != nil:
			a.replier.answer(work, asked, in, u.Callback.Message.topic(), reply)
		case u.Inline != nil:
			a.replier.results(work, u.Inline.ID, u.Inline.From.ID, reply)
		case u.Guest != nil && ok:
			a.guest(work, *u.Guest, in, reply, h)
		case to != nil:
			a.replier.reply(work, to, in, reply)
		}
	})
	return nil, true
}

// ask passes an input to the shell. It recovers from a panic there, so that only
// this input fails and the bot keeps running.
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

// backOff is the pause between retries. It doubles from a quarter of a second up to ten
// seconds, plus some jitter: after a long outage, updates come within half a minute.
type backOff struct{ last time.Duration }

// wait pauses for the backoff, and at least for asked. It returns early if ctx ends.
func (b *backOff) wait(ctx context.Context, asked time.Duration) {
	b.last = chat.BackOff{First: 250 * time.Millisecond, Max: 10 * time.Second}.After(b.last)
	var jitter [1]byte
	rand.Read(jitter[:])
	chat.Pause(ctx, max(asked, b.last+b.last/4*time.Duration(jitter[0])/256))
}
