package discord

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/gateway"
)

// identifyGap is how long to wait between two sessions of a group.
// https://discord.com/developers/docs/events/gateway#sharding-max-concurrency
const identifyGap = 5 * time.Second

// shard is one of the connections over which the bot's servers are spread: the
// server with an id is on the shard (id >> 22) % count, private chats are on 0.
// https://discord.com/developers/docs/events/gateway#sharding
type shard struct {
	id, count int
	group     int           // of those that begin one after the other: id % max_concurrency
	gate      chan struct{} // holds one: a shard of the group in this process begins
}

// gatewayInfo is what Discord says of its gateway.
// https://discord.com/developers/docs/events/gateway#get-gateway-bot
type gatewayInfo struct {
	URL    string     `json:"url"`
	Shards int        `json:"shards"`
	Limit  startLimit `json:"session_start_limit"`
}

// startLimit says how many sessions may begin. A bot that begins more loses its token.
// https://discord.com/developers/docs/events/gateway#session-start-limit-object
type startLimit struct {
	Total       int   `json:"total"`
	Remaining   int   `json:"remaining"`
	ResetAfter  int64 `json:"reset_after"` // ms
	Concurrency int   `json:"max_concurrency"`
}

// wait returns how long a shard must wait before its next session, if the last one
// began at that time: five seconds, and once half of the sessions are used up, long
// enough for the other half to last.
func (l startLimit) wait(sh shard, last time.Time) time.Duration {
	reset := time.Duration(l.ResetAfter) * time.Millisecond
	gap := identifyGap
	switch {
	case l.Total > 0 && l.Remaining <= 0:
		return reset
	case 2*l.Remaining < l.Total:
		gap = max(gap, reset*time.Duration(sh.count)/time.Duration(l.Remaining))
	}
	return gap - time.Since(last)
}

func (c *rest) gatewayInfo(ctx context.Context) (info gatewayInfo, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/gateway/bot", limit: "gateway"}, &info)
	return info, err
}

// gateway asks for the address to connect to.
func (c *rest) gateway(ctx context.Context) (string, error) {
	info, err := c.gatewayInfo(ctx)
	return info.URL, err
}

// connect keeps the connections of all shards that this process holds until ctx ends.
// Whoever holds the first one registers the commands of app before it connects, unless
// that is nil.
func (a *Adapter) connect(ctx context.Context, app *application, take taker, tell gateway.Teller) error {
	var info gatewayInfo
	for wait := (backOff{}); ; {
		var err error
		if info, err = a.rest.gatewayInfo(ctx); err == nil {
			break
		}
		if !wait.again(ctx, a, "cannot reach discord yet", err) {
			return nil
		}
	}
	count := cmp.Or(a.shards, max(info.Shards, 1))
	gates := make([]chan struct{}, max(info.Limit.Concurrency, 1))
	for i := range gates {
		gates[i] = make(chan struct{}, 1)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, count)
	var all sync.WaitGroup
	for id := range count {
		group := id % len(gates)
		sh := shard{id, count, group, gates[group]}
		all.Go(func() {
			err := a.hold(ctx, fmt.Sprintf("discord shard %d of %d", id, count), func(ctx context.Context) error {
				if id == 0 && app != nil {
					a.register(ctx, *app)
				}
				return a.stay(ctx, sh, take, tell)
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

// inTurn opens a new session when no other shard of the group has begun one in
// the last five seconds, in this process or in another.
func (a *Adapter) inTurn(ctx context.Context, sh shard, s *gateway.Session) error {
	if sh.count == 1 {
		return s.Open(ctx, a.rest.gateway)
	}
	select {
	case sh.gate <- struct{}{}:
		defer func() { <-sh.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return a.hold(ctx, fmt.Sprintf("discord begin %d", sh.group), func(ctx context.Context) error {
		err := s.Open(ctx, a.rest.gateway)
		if !isOutage(err) {
			chat.Pause(ctx, identifyGap)
		}
		return err
	})
}
