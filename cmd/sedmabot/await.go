package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/store"
	"sedmabot/store/redisstore"
)

const (
	askAgain = time.Second     // how often a Redis that is away is asked again
	slowFile = 3 * time.Second // after that time, opening the data file is slow
)

// awaitStore opens the store. If Redis is away, it waits for it, and a line a minute says so.
func (c Config) awaitStore(ctx context.Context, log *slog.Logger) (store.Store, error) {
	if c.Store.RedisURL.Reveal() == "" {
		return c.awaitFile(ctx, log)
	}
	kept, err := openStore(ctx, c)
	if !errors.As(err, new(redisstore.AwayError)) {
		return kept, err
	}
	var why atomic.Pointer[error]
	why.Store(&err)
	monitor, failed := c.monitor(log)
	if failed != nil {
		return nil, failed
	}
	monitor.alive()
	monitor.HandleFunc("GET /readyz", func(out http.ResponseWriter, _ *http.Request) {
		http.Error(out, "the bot waits for "+(*why.Load()).Error(), http.StatusServiceUnavailable)
	})
	running, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { _ = monitor.run(running) })
	defer group.Wait() // the port is free then
	defer stop()
	for errors.As(err, new(redisstore.AwayError)) {
		log.Warn("the bot waits for redis", "err", err)
		if !chat.Pause(ctx, askAgain) {
			return nil, ctx.Err()
		}
		kept, err = openStore(ctx, c)
		if err != nil {
			why.Store(&err)
		}
	}
	return kept, err
}

// awaitFile opens the data file. A network folder may let it wait for a lock without end, so ctx ends the waiting.
func (c Config) awaitFile(ctx context.Context, log *slog.Logger) (store.Store, error) {
	if info, err := os.Stat(c.Store.Path); err == nil && info.Size() == 0 || err != nil && len(backupsOf(c.Store.Path)) > 0 {
		log.Warn("the data file is empty or missing: if something was in it, stop the bot and restore a backup", "path", c.Store.Path, "backup", lastBackup(c.Store.Path))
	}
	slow := time.AfterFunc(slowFile, func() {
		log.Warn("the data file is not open yet: its disk is slow, or its folder is on a network that doesn't answer: name a file on this machine's disk", "path", c.Store.Path)
	})
	defer slow.Stop()
	type result struct {
		kept store.Store
		err  error
	}
	opened := make(chan result)
	go func() {
		kept, err := openStore(ctx, c)
		select {
		case opened <- result{kept, err}:
		case <-ctx.Done():
			if err == nil {
				kept.Close()
			}
		}
	}()
	select {
	case r := <-opened:
		return r.kept, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// alive registers the handler of /livez.
func (w *server) alive() {
	w.HandleFunc("GET /livez", func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, "alive\n") })
}
