package redisstore

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"sedmabot/store"
)

// Commits publish the key of each document that they write on the sharded channel of the same name. A listener subscribes
// to the channels of the documents that are watched, with one connection, or in a cluster one for each partition. It only
// wakes the watches, which read the documents. If nothing can be published or subscribed to, for lack of rights or because
// the server is older than Redis 7, the watches still read regularly.

// refusedFor is how long a listener waits after a server refused its subscription. After other errors it waits for
// relisten.
const (
	refusedFor = time.Minute
	relisten   = 250 * time.Millisecond
)

// listener wakes the watches of some partitions.
type listener struct {
	client redis.UniversalClient
	ctx    context.Context // ends when the store is closed

	mu      sync.Mutex
	watches map[string]map[chan struct{}]bool // by channel; the channels to wake have capacity 1
	pubsub  *redis.PubSub                     // nil while there is no subscription
	running bool
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, keys ...store.Key) <-chan []store.Doc {
	wake := make(chan struct{}, 1)
	for _, key := range keys {
		l, channel := &s.listeners[key.Partition%len(s.listeners)], s.keys.document(key.Partition, key.Name)
		l.add(channel, wake)
		context.AfterFunc(ctx, func() { l.remove(channel, wake) })
	}
	return store.Follow(ctx, s.Get, keys, wake, s.closed.Done())
}

// add makes messages of a channel wake a watch.
func (l *listener) add(channel string, wake chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watches == nil {
		l.watches = map[string]map[chan struct{}]bool{}
	}
	first := l.watches[channel] == nil
	if first {
		l.watches[channel] = map[chan struct{}]bool{}
	}
	l.watches[channel][wake] = true
	switch pubsub := l.pubsub; {
	case !l.running:
		l.running = true
		go l.run()
	case first && pubsub != nil:
		go func() { _ = pubsub.SSubscribe(l.ctx, channel) }() // if it fails, run subscribes to everything again
	}
}

func (l *listener) remove(channel string, wake chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delete(l.watches[channel], wake); len(l.watches[channel]) > 0 {
		return
	}
	delete(l.watches, channel)
	if pubsub := l.pubsub; pubsub != nil {
		go func() { _ = pubsub.SUnsubscribe(l.ctx, channel) }()
	}
}

// wake wakes the watches of a channel. It reports whether there are any.
func (l *listener) wake(channel string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for wake := range l.watches[channel] {
		select {
		case wake <- struct{}{}:
		default: // it has yet to read anyway
		}
	}
	return len(l.watches[channel]) > 0
}

// run listens until the store is closed or nothing is watched.
func (l *listener) run() {
	for l.ctx.Err() == nil {
		pubsub := l.client.SSubscribe(l.ctx)
		l.mu.Lock()
		if len(l.watches) == 0 {
			l.running = false
			l.mu.Unlock()
			pubsub.Close()
			return
		}
		var channels []string
		for channel := range l.watches {
			channels = append(channels, channel)
		}
		l.pubsub = pubsub
		l.mu.Unlock()

		stop := context.AfterFunc(l.ctx, func() { pubsub.Close() })
		err := pubsub.SSubscribe(l.ctx, channels...)
		if err == nil {
			err = l.listen(pubsub)
		}
		stop()
		l.mu.Lock()
		l.pubsub = nil
		l.mu.Unlock()
		pubsub.Close()

		wait := relisten
		var refused redis.Error
		if errors.As(err, &refused) && !unexecuted(err) {
			wait = refusedFor
		}
		select {
		case <-l.ctx.Done():
		case <-time.After(wait):
		}
	}
}

// errMoved reports that the server ended a subscription that is still needed, because another one has the slot now.
var errMoved = errors.New("the server ended a subscription")

// listen wakes the watches of each channel that has a message or was subscribed to, as messages may have been lost before.
// It returns when the subscription ends, or when nothing is watched.
func (l *listener) listen(pubsub *redis.PubSub) error {
	for silent := false; ; {
		message, err := pubsub.ReceiveTimeout(l.ctx, store.WatchEvery)
		if errors.Is(err, os.ErrDeadlineExceeded) && !silent {
			silent = true
			if err := pubsub.Ping(l.ctx); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		silent = false
		switch m := message.(type) {
		case *redis.Message:
			l.wake(m.Channel)
		case *redis.Subscription:
			watched := l.wake(m.Channel)
			if m.Kind == "sunsubscribe" && watched {
				return errMoved
			}
			if m.Kind == "sunsubscribe" && m.Count == 0 {
				return nil
			}
		}
	}
}
