package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/gateway"
)

// identifyGap is the wait between the starts of two sessions of a group.
// https://discord.com/developers/docs/events/gateway#sharding-max-concurrency
const identifyGap = 5 * time.Second

// shard is one of the connections that share the bot's servers. A server belongs to the
// shard (id >> 22) % count. Private chats belong to shard 0.
// https://discord.com/developers/docs/events/gateway#sharding
type shard struct {
	id, count int
	group     int           // id % max_concurrency; shards of one group start one at a time
	gate      chan struct{} // holds a value while a shard of the group starts in this process
	gap       time.Duration // the wait between the starts of two sessions of the group
	missing   *atomic.Int32 // number of missing connections of this number of shards
}

// gatewayInfo is Discord's description of its gateway.
// https://discord.com/developers/docs/events/gateway#get-gateway-bot
type gatewayInfo struct {
	URL    string     `json:"url"`
	Shards int        `json:"shards"`
	Limit  startLimit `json:"session_start_limit"`
	asked  time.Time
}

// startLimit is the limit of session starts. If a bot exceeds it, Discord resets its token.
// https://discord.com/developers/docs/events/gateway#session-start-limit-object
type startLimit struct {
	Total       int   `json:"total"`
	Remaining   int   `json:"remaining"`
	ResetAfter  int64 `json:"reset_after"` // ms
	Concurrency int   `json:"max_concurrency"`
}

// wait returns how long a shard must wait before its next session, if its last one started
// at last. The gap is five seconds. Once half of the sessions are used up, it is longer, so
// that the rest last until the limit is reset.
func (l startLimit) wait(sh shard, last time.Time) time.Duration {
	reset := time.Duration(l.ResetAfter) * time.Millisecond
	gap := sh.gap
	switch {
	case l.Total > 0 && l.Remaining <= 0:
		return reset
	case 2*l.Remaining < l.Total:
		gap = max(gap, reset*time.Duration(sh.count)/time.Duration(l.Remaining))
	}
	return gap - time.Since(last)
}

// gatewayInfo asks Discord to describe its gateway. first: see request.
func (c *client) gatewayInfo(ctx context.Context, first bool) (info gatewayInfo, err error) {
	info.asked = time.Now()
	err = c.call(ctx, request{method: http.MethodGet, path: "/gateway/bot", limit: "gateway", first: first}, &info)
	return info, err
}

// gateway asks Discord for the address of the gateway.
func (c *client) gateway(ctx context.Context) (string, error) {
	info, err := c.gatewayInfo(ctx, false)
	return info.URL, err
}

// errTooFew reports that the bot is in too many servers for the number of shards that Discord recommended before.
var errTooFew = errors.New("discord: the bot is in too many servers for its connections")

// lookEvery is how often a process looks whether the number of shards has changed.
const lookEvery = time.Second

// sessions are the gateway connections of one number of shards that this process holds.
type sessions struct {
	shards int
	stop   context.CancelFunc
	ended  chan error // receives the result of connectShards
}

// connect keeps the connections of all shards that this process holds, until ctx ends. Unless the configuration sets their
// number, it is the one that Discord recommended to the process that started last. If that has become too small, connect asks
// again. All processes follow a change. The old sessions end when the new ones have had time to begin. Until then each
// press arrives twice, and chat.Reply.Repeat is the second reply.
func (a *Adapter) connect(ctx context.Context, take receiver, notify gateway.Notify) error {
	info, err := a.recommended(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	gates := make([]chan struct{}, max(info.Limit.Concurrency, 1))
	for i := range gates {
		gates[i] = make(chan struct{}, 1)
	}
	var all sync.WaitGroup
	defer all.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var current sessions
	change := func(int) int { return max(info.Shards, 1) }
	for wait := (backOff{}); ; {
		shards := a.shards
		if shards == 0 {
			shards, err = a.agree(ctx, "discord shards", change)
		}
		if err != nil {
			a.log.Warn("agree on the number of shards", "platform", platform, "err", err)
		} else {
			if current.shards != shards && shards > 0 {
				if current.shards > 0 {
					a.log.Info("the number of shards changes", "platform", platform, "from", current.shards, "to", shards)
					old, stop := a.missing.Load(), current.stop
					a.before.Store(old)
					time.AfterFunc(2*a.gap*time.Duration(1+(shards+len(gates)-1)/len(gates)), func() {
						a.before.CompareAndSwap(old, nil)
						stop()
					})
				}
				missing := new(atomic.Int32)
				a.missing.Store(missing)
				running, stop := context.WithCancel(ctx)
				ended := make(chan error, 1)
				all.Go(func() { ended <- a.connectShards(running, shards, gates, missing, take, notify) })
				current = sessions{shards, stop, ended}
			}
			change = func(now int) int { return cmp.Or(now, shards) }
		}
		select {
		case err := <-current.ended:
			if !errors.Is(err, errTooFew) {
				return err
			}
			if !wait.again(ctx, a.log, "asking discord for the number of shards again", err) {
				return nil
			}
			if info, err = a.recommended(ctx); err != nil || ctx.Err() != nil {
				return err
			}
			few := current.shards
			change = func(now int) int {
				if now != few {
					return now // another process has asked
				}
				return max(info.Shards, 1)
			}
			current.stop()
			current = sessions{}
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// recommended waits until Discord has described its gateway. It returns early if ctx ends.
func (a *Adapter) recommended(ctx context.Context) (info gatewayInfo, err error) {
	for wait := (backOff{}); ; {
		if info, err = a.client.gatewayInfo(ctx, true); err == nil {
			a.token.Accept()
			a.asked.Store(&info)
			return info, nil
		}
		if final := a.rejection(err); final != nil {
			return info, final
		}
		if !wait.again(ctx, a.log, "cannot reach discord yet", err) {
			return info, nil
		}
	}
}

// connectShards keeps the connections of that many shards until ctx ends. A gate is shared by the shards of a group.
func (a *Adapter) connectShards(ctx context.Context, count int, gates []chan struct{}, missing *atomic.Int32, take receiver, notify gateway.Notify) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, count)
	var all sync.WaitGroup
	for id := range count {
		group := id % len(gates)
		sh := shard{id, count, group, gates[group], a.gap, missing}
		all.Go(func() {
			err := a.election(ctx, fmt.Sprintf("discord shard %d of %d", id, count), func(ctx context.Context) error {
				return a.keepConnected(ctx, sh, take, notify)
			})
			if err != nil {
				failed <- err
				cancel()
			}
		})
	}
	all.Wait()
	close(failed)
	return <-failed
}

// inTurn opens a new session, if there are several shards or processes, once no other shard of the group has started one in the last
// five seconds, in this process or another. In its turn it asks Discord for nothing but the session, so that
// the limit of all requests doesn't use up the turn.
func (a *Adapter) inTurn(ctx context.Context, sh shard, s *gateway.Session, address string) error {
	known := func(context.Context) (string, error) { return address, nil }
	if sh.count == 1 && !a.client.shared { // another process may begin one of more shards
		return s.Open(ctx, known)
	}
	select {
	case sh.gate <- struct{}{}:
		defer func() { <-sh.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	opened := context.Canceled // it doesn't get its turn if ctx ends first
	_ = a.turns(ctx, fmt.Sprintf("discord begin %d", sh.group), func(ctx context.Context) error {
		if opened == nil { // the turn was lost after the session had begun, and is here again
			return nil
		}
		if opened = s.Open(ctx, known); !isOutage(opened) {
			chat.Pause(ctx, sh.gap)
		}
		return opened
	})
	return opened
}
