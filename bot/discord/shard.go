package discord

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
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
	URL    string `json:"url"`
	Shards int    `json:"shards"`
	Limit  struct {
		Concurrency int `json:"max_concurrency"`
	} `json:"session_start_limit"`
}

func (a *Adapter) gatewayInfo(ctx context.Context) (info gatewayInfo, err error) {
	err = a.rest.call(ctx, request{method: http.MethodGet, path: "/gateway/bot", limit: "gateway"}, &info)
	return info, err
}

// gateway asks for the address to connect to.
func (a *Adapter) gateway(ctx context.Context) (string, error) {
	info, err := a.gatewayInfo(ctx)
	return info.URL, err
}

// connect keeps the connections of all shards that this process holds until ctx ends.
func (a *Adapter) connect(ctx context.Context, take taker, tell teller) error {
	var info gatewayInfo
	for wait := (backOff{}); ; {
		var err error
		if info, err = a.gatewayInfo(ctx); err == nil {
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
func (a *Adapter) inTurn(ctx context.Context, sh shard, s *session) error {
	if sh.count == 1 {
		return s.open(ctx, a.gateway)
	}
	select {
	case sh.gate <- struct{}{}:
		defer func() { <-sh.gate }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return a.hold(ctx, fmt.Sprintf("discord begin %d", sh.group), func(ctx context.Context) error {
		err := s.open(ctx, a.gateway)
		pause(ctx, identifyGap)
		return err
	})
}
