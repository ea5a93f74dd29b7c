package discord

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/gateway"
)

const (
	// shortestBackOff and longestBackOff limit the time between two attempts.
	shortestBackOff = 300 * time.Millisecond
	longestBackOff  = 2 * time.Minute
	// outageBackOff is the longest time between two attempts while Discord cannot be
	// reached. These attempts don't count against Discord's limits.
	outageBackOff = 3 * time.Second
	// finishTimeout is how long running interactions may take after Run was told to stop.
	finishTimeout = 5 * time.Second
)

// finalCloses maps the close codes after which reconnecting is useless to what to do about them
// (https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes).
var finalCloses = map[int]string{
	4004:         badToken,
	4010:         "the shard is invalid",
	tooFewShards: "the bot is in too many servers for its connections: set discord.shards to auto",
	4012:         "the gateway's version is not offered any more: a newer sedmabot is needed",
	4013:         "the intents are invalid: a newer sedmabot is needed",
	4014:         "the intents are not allowed to this bot: see Bot, Privileged Gateway Intents, at https://discord.com/developers/applications",
}

// tooFewShards closes each connection of a bot that is in too many servers for its number of shards.
const tooFewShards = 4011

const badToken = "the token was refused: put the one from https://discord.com/developers/applications (Bot, Reset Token) into discord.token"

// intake returns an intake whose interactions h handles.
func (a *Adapter) intake(work context.Context, h chat.Handler) *intake {
	return &intake{
		replier: &replier{outbox: &a.outbox, log: a.log, commands: a.commands, h: h, replyWait: a.replyWait},
		clock:   &a.client.clock,
		log:     a.log,
		work:    work,
	}
}

// Run receives interactions from Discord and passes them to h. It ends when ctx ends or
// Discord rejects the bot for good. Then it waits for the running interactions.
func (a *Adapter) Run(ctx context.Context, h chat.Handler) (err error) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	if a.part != nil {
		defer budget.Keep(ctx, a.part, a.Name(), a.exchange, a.log)()
	}
	in := a.intake(work, h)
	running, reject := context.WithCancelCause(ctx)
	context.AfterFunc(running, func() { // not when the turns have been given up, which may take seconds
		timer := time.AfterFunc(finishTimeout, cancel)
		context.AfterFunc(work, func() { timer.Stop() })
	})
	in.busy.Go(func() {
		if err := a.prepare(running); err != nil {
			reject(err)
		}
	})
	if a.key != nil {
		a.listen(running, in.take)
	} else if err := a.connect(running, in.take, in.presence); err != nil {
		reject(err)
	}
	if ctx.Err() == nil {
		err = context.Cause(running)
		a.before.Store(nil)
		a.missing.Load().Add(1) // nothing arrives any more
	}
	reject(nil)
	in.stop()
	in.busy.Wait()
	return err
}

// backOff computes the waits between attempts to reach Discord.
type backOff struct{ last time.Duration }

// again logs the failure and waits before the next attempt. It reports false if ctx ends first. If the
// failure says how long to wait, it waits as long, and the next waits don't grow.
func (b *backOff) again(ctx context.Context, log *slog.Logger, what string, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if e := (*apiError)(nil); errors.As(err, &e) && e.after > 0 {
		level := slog.LevelWarn
		if e.held { // nothing is wrong
			level = slog.LevelDebug
		}
		log.Log(ctx, level, what, "platform", platform, "again_in", e.after, "err", err)
		return chat.Pause(ctx, e.after)
	}
	b.last = chat.BackOff{First: shortestBackOff, Max: longestBackOff}.After(b.last)
	if isOutage(err) {
		b.last = min(b.last, outageBackOff)
	}
	log.Warn(what, "platform", platform, "again_in", b.last, "err", err)
	return chat.Pause(ctx, b.last)
}

// isOutage reports whether Discord could not be reached or had an internal error.
func isOutage(err error) bool {
	var e *apiError
	return errors.Is(err, errReach) || errors.Is(err, gateway.ErrReach) || errors.As(err, &e) && e.status >= 500
}

// keepConnected keeps a shard connected until ctx ends. It calls take for each interaction, and
// notify when the bot is in a server or was removed from one.
func (a *Adapter) keepConnected(ctx context.Context, sh shard, take receiver, notify gateway.Notify) error {
	sh.missing.Add(1)
	defer sh.missing.Add(-1)
	var wait backOff
	var s *gateway.Session
	var begun time.Time // start of the latest session
	for {
		var address string // of the gateway
		var err error
		if s != nil {
			err = s.Open(ctx, a.client.gateway)
		} else if s, address, err = a.prepareSession(ctx, sh, begun, take, notify); s != nil {
			if err = a.inTurn(ctx, sh, s, address); !isOutage(err) {
				begun = time.Now()
			}
		}
		var closed *websocket.CloseError
		final := a.rejection(err)
		switch {
		case final != nil:
			return final
		case err == nil:
			wait = backOff{}
			a.token.Accept()
			sh.missing.Add(-1)
			a.log.With("shard", sh.id).Info("connected to discord", "shards", sh.count)
			select {
			case <-s.Lost:
				sh.missing.Add(1)
			case <-ctx.Done():
				sh.missing.Add(1)
				s.Disconnect()
				return nil
			}
			err = errors.New("the connection ended")
		case errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure: // which means that Discord said nothing
			s = nil // Discord may have rejected this session: start a new one instead of resuming it
		}
		if s != nil && !s.Resumable() {
			s = nil
		}
		if !wait.again(ctx, a.log, "connecting to discord again", err) {
			return nil
		}
	}
}

// prepareSession waits until Discord's limits allow a new session, and returns one and the gateway's address.
func (a *Adapter) prepareSession(ctx context.Context, sh shard, last time.Time, take receiver, notify gateway.Notify) (s *gateway.Session, address string, err error) {
	var info gatewayInfo
	if known := a.asked.Swap(nil); known != nil && time.Since(known.asked) < identifyGap {
		info = *known // one session has begun since then at most: this one
	} else if info, err = a.client.gatewayInfo(ctx, false); err != nil {
		return nil, "", err
	}
	if wait := info.Limit.wait(sh, last); wait > 0 {
		a.log.Info("waiting until a session may begin", "platform", platform, "shard", sh.id, "for", wait)
		if !chat.Pause(ctx, wait) {
			return nil, "", ctx.Err()
		}
	}
	return gateway.New(a.secret, a.dial, sh.id, sh.count, a.read(ctx, take), notify), info.URL, nil
}

// prepare does what no press waits for: it checks the token and the public key, gets the emojis of the cards and
// registers the commands. It returns an error if Discord rejects the bot for good.
func (a *Adapter) prepare(ctx context.Context) error {
	var app application
	for wait := (backOff{}); ; {
		var err error
		if app, err = a.client.application(ctx); err == nil && a.key != nil && app.Key != "" && !strings.EqualFold(app.Key, hex.EncodeToString(a.key)) {
			return errPublicKey
		}
		if err == nil {
			break
		}
		if final := a.rejection(err); final != nil {
			return final
		}
		if !wait.again(ctx, a.log, "cannot reach discord yet", err) {
			return nil
		}
	}
	a.token.Accept()
	if app.Public {
		a.app.Store(&app.ID)
	}
	var all sync.WaitGroup
	all.Go(func() { a.findEmojis(ctx, app) })
	all.Go(func() { // only one process may register at a time
		_ = a.election(ctx, "discord commands", func(ctx context.Context) error {
			a.register(ctx, app)
			return nil
		})
	})
	all.Wait()
	return nil
}

// rejection returns the error with which Run ends after err, or nil if a retry may help.
func (a *Adapter) rejection(err error) error {
	var e *apiError
	var closed *websocket.CloseError
	refused, why := errors.As(err, &e) && e.status == http.StatusUnauthorized, ""
	if errors.As(err, &closed) {
		why = finalCloses[closed.Code]
		refused = why == badToken
	}
	switch {
	case refused && a.token.Refuse(time.Now()):
		return ErrToken
	case closed != nil && closed.Code == tooFewShards && a.shards == 0:
		return errTooFew
	case refused || why == "":
		return nil
	}
	return errors.New("discord: " + why)
}

// repeat calls try with growing waits until it succeeds, or fails so that a retry can't help. It returns that error, or nil
// if ctx ends first.
func (a *Adapter) repeat(ctx context.Context, what string, try func() error) error {
	for wait := (backOff{}); ; {
		err := try()
		if err == nil || !isRetry(deliveryError(err)) {
			return err
		}
		if !wait.again(ctx, a.log, what, err) {
			return nil
		}
	}
}

// read returns a function that passes an interaction from the gateway to take until ctx ends. Then another process may
// have the shard, and gets it too.
func (a *Adapter) read(ctx context.Context, take receiver) func(it interaction, err error) {
	return func(it interaction, err error) {
		if ctx.Err() != nil {
			return
		}
		if err = cmp.Or(err, it.check()); err != nil {
			a.log.Warn("discord sent an interaction that cannot be read", "err", err)
			return
		}
		_ = take(it) // on an error nothing is sent: Discord shows the person that there was no answer
	}
}
