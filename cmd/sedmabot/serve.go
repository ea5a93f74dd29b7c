package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/budget"
	"sedmabot/bot/call"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/playground"
	"sedmabot/bot/tables"
	"sedmabot/bot/telegram"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
)

// stopping is the timeout of a shutdown. The bot and its platforms need 8 s at
// most to finish their work.
const stopping = 10 * time.Second

// serve runs the bot until ctx ends or something fails permanently.
func serve(ctx context.Context, c Config, stdout, stderr io.Writer) (err error) {
	log, unheld := chat.Sparing(c.logger(stderr))
	defer unheld()
	kept, err := c.awaitStore(ctx, log)
	switch {
	case err != nil && ctx.Err() != nil: // stopped while it waited
		return nil
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	server, monitor, err := c.servers(log)
	if err != nil {
		return err
	}
	defer server.close()
	defer monitor.close()
	redis, _ := kept.(*redisstore.Store) // nil: the store is a file
	health := &health{Store: kept, log: log, now: time.Now}
	if redis != nil {
		warnOfRedis(ctx, redis, log)
		_ = health.writable(ctx) // logs it if Redis takes no changes
	}
	others := others{election: chat.Alone, agree: work.Agree(health)}
	if redis != nil {
		others.election, others.exchange = work.Elect(health, log), work.Exchange(health)
		others.turns = work.ElectPatiently(health, log)
	} else if health.file, err = watchFile(c.Store.Path, log); err != nil { // only one process can open a data file
		return err
	}
	keeper := &keeper{path: c.Store.Path, log: log}
	var shell restartable
	pages, err := c.pages(server, log, &shell)
	if err != nil {
		return err
	}
	platforms, err := c.platforms(stdout, log, others, server, &shell, pages)
	if err != nil {
		return err
	}
	observer := monitor.watch(health, platforms, c.identity())
	var forgotten []string
	if c.playground() {
		forgotten = append(forgotten, playground.Home)
	}
	shell.store, shell.make = health, func(kept store.Store) *bot.Bot {
		config := bot.Config{Store: kept, Without: c.Rooms, Forgotten: forgotten, Platforms: platforms, Think: think, Pace: c.Table.Pace, Limits: tables.Limits(c.Limits), Pages: c.pageAddresses(), Apps: c.apps(), Observe: observer, Log: log}
		if redis != nil {
			config.Now = redis.Now
		} else {
			config.Erased = keeper.erased
		}
		forgotten = nil // only the process's start forgets them, not a restarted bot
		if c.tune != nil {
			c.tune(&config)
		}
		return bot.New(config)
	}
	shell.renew()
	log.Info("starting", "version", versionName(), "store", c.storeName(), "platforms", names(platforms))

	remaining := newRemaining(platforms, log)
	parts := []func(context.Context) error{shell.run, server.run, monitor.run, func(ctx context.Context) error { return lookAfter(ctx, platforms, log) }}
	for _, site := range pages.all {
		parts = append(parts, site.Run)
	}
	if redis != nil {
		parts = append(parts, func(ctx context.Context) error { return followClock(ctx, redis, log) })
	}
	if health.file != nil {
		parts = append(parts, func(ctx context.Context) error { return health.file.run(ctx, kept) })
		parts = append(parts, func(ctx context.Context) error { return keeper.run(ctx, kept) })
	}
	for _, p := range platforms {
		parts = append(parts, func(ctx context.Context) error { return remaining.run(ctx, p, &shell) })
	}
	parts = append(parts, func(ctx context.Context) error {
		remaining.settle(ctx)
		if ctx.Err() == nil {
			health.begun.Store(true)
			notify("READY=1")
		}
		return nil
	})
	return together(ctx, log, parts)
}

// together runs the parts of the program until ctx ends or one of them fails, and returns the first failure.
func together(ctx context.Context, log *slog.Logger, parts []func(context.Context) error) error {
	running, stop := context.WithCancel(ctx) // without a cause, which the other parts would report as their own error
	defer stop()
	failed := make(chan error, 1) // the first failure
	var group sync.WaitGroup
	for _, part := range parts {
		group.Go(func() {
			if err := part(running); err != nil {
				select {
				case failed <- err:
				default:
				}
				stop()
			}
		})
	}
	<-running.Done()
	notify("STOPPING=1")
	if ctx.Err() != nil {
		log.Info("stopping")
	}
	stopped := make(chan struct{})
	go func() { group.Wait(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(stopping):
		return fmt.Errorf("shutdown timed out after %v; the work resumes at the next start", stopping)
	}
	select {
	case err := <-failed:
		if ctx.Err() == nil {
			return err
		}
	default:
	}
	return nil
}

// names returns the names of the platforms, separated by spaces.
func names(platforms []chat.Platform) string {
	var all []string
	for _, p := range platforms {
		all = append(all, p.Name())
	}
	return strings.Join(all, " ")
}

// storeName returns the data file's name, or "redis".
func (c Config) storeName() string {
	if c.Store.RedisURL.Reveal() != "" {
		return "redis"
	}
	return c.Store.Path
}

// warnOfRedis warns of a Redis that may lose what the store accepted. A Redis may forbid the question.
func warnOfRedis(ctx context.Context, kept *redisstore.Store, log *slog.Logger) {
	server, err := kept.Server(ctx)
	switch {
	case err != nil:
		log.Debug("the settings of redis are unknown", "err", err)
		return
	case server.Eviction != keepsAll && server.Eviction != "":
		log.Warn("redis evicts tables when its memory is short: "+adviceEviction, "maxmemory-policy", server.Eviction)
	}
	if server.Replica {
		log.Warn("this redis is a replica: " + adviceReplica)
	}
	if server.AOF == "0" {
		log.Warn("a restart of redis loses what came after its last snapshot: " + adviceAOF)
	}
}

// clockEvery is how often the clock of Redis is read.
const clockEvery = time.Minute

// followClock keeps the bot's time that of Redis until ctx ends, so that all processes agree on what is due. It warns once
// if this machine's clock differs.
func followClock(ctx context.Context, kept *redisstore.Store, log *slog.Logger) error {
	warned := false
	for {
		switch ahead, err := kept.Sync(ctx); {
		case err != nil:
			log.Debug("the time of redis is unknown", "err", err)
		case ahead.Abs() > store.Skew && !warned:
			warned = true
			log.Warn("this machine's clock differs from that of redis, which the bot follows: let NTP keep both", "redis_ahead", ahead.Round(time.Second))
		}
		if !chat.Pause(ctx, clockEvery) {
			return nil
		}
	}
}

// think returns the AI's move.
func think(ctx context.Context, level string, v game.View, m game.Match) game.Move {
	return ai.Choose(ctx, level, v, m).Move
}

func openStore(ctx context.Context, c Config) (store.Store, error) {
	if c.Store.RedisURL.Reveal() != "" {
		return openRedis(ctx, c)
	}
	// The file's lock doesn't show a bot whose file was deleted or replaced.
	if fileGone(ctx, c.Store.Path) {
		return nil, fmt.Errorf("open %s: a bot still runs with the file that was here: save its data with `sedmabot backup FILE`, stop it, and restore the backup: %w", c.Store.Path, boltstore.ErrInUse)
	}
	kept, err := openFile(ctx, c.Store.Path, boltstore.Open)
	if err != nil {
		return nil, err
	}
	return kept, nil
}

// timeOf returns the time by the clock that a store goes by: that of Redis, or this machine's.
func timeOf(kept store.Store) time.Time {
	if redis, ok := kept.(*redisstore.Store); ok {
		return redis.Now()
	}
	return time.Now()
}

func openRedis(ctx context.Context, c Config) (*redisstore.Store, error) {
	options, err := c.redisOptions()
	if err != nil {
		return nil, err
	}
	kept, err := redisstore.Open(ctx, c.Store.RedisURL.Reveal(), options)
	if err != nil && !errors.As(err, new(redisstore.AwayError)) {
		return nil, configError{err}
	}
	return kept, err
}

// redisOptions returns the settings of a Redis that its address doesn't contain. It fails if a file of theirs, or the address,
// can't be used.
func (c Config) redisOptions() (redisstore.Options, error) {
	options := redisstore.Options{Now: c.now}
	if c.Store.RedisCA != "" {
		text, err := os.ReadFile(c.Store.RedisCA)
		if err != nil {
			return options, fmt.Errorf("store.redis_ca: %w", err)
		}
		options.Roots = x509.NewCertPool()
		if !options.Roots.AppendCertsFromPEM(text) {
			return options, fmt.Errorf("store.redis_ca: %s holds no certificate: name a PEM file with the certificate of its CA", c.Store.RedisCA)
		}
	}
	if cert, key := c.Store.RedisCert, c.Store.RedisKey; cert != "" {
		options.Certificate = func() (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(cert, key)
			if err != nil {
				return nil, fmt.Errorf("store.redis_cert and store.redis_key: name PEM files of a certificate and its private key: %w", err)
			}
			return &pair, nil
		}
		if _, err := options.Certificate(); err != nil {
			return options, err
		}
	}
	if c.Store.RedisURL.Reveal() == "" {
		return options, nil
	}
	if err := redisstore.CheckAddress(c.Store.RedisURL.Reveal()); err != nil {
		return options, fmt.Errorf("store.redis_url: %w", err)
	}
	return options, nil
}

// others is how a process agrees with the others that use the same store.
type others struct {
	election, turns chat.Election
	agree           chat.Agree
	exchange        budget.Exchange // nil: there can be no others
}

// platforms returns the configured platforms, and registers their handlers on
// server. It opens the playground's listener and prints its address on stdout.
func (c Config) platforms(stdout io.Writer, log *slog.Logger, others others, server *server, shell *restartable, pages pages) ([]chat.Platform, error) {
	var all []chat.Platform
	client, easel := call.Client(), pages.easel
	if c.Discord.Token.Reveal() != "" {
		config := discord.Config{Commands: bot.Commands(c.Rooms...), Token: c.Discord.Token.Reveal(), APIBase: c.Discord.APIBase, HTTP: client, Log: log, Easel: easel, Shards: int(c.Discord.Shards), Election: others.election, Turns: others.turns, Agree: others.agree, Eager: c.eager, Shared: c.Store.RedisURL.Reveal() != "", Exchange: others.exchange}
		if c.Discord.Mode == "interactions" {
			config.PublicKey = c.Discord.PublicKey
		}
		p, err := discord.New(config)
		if err != nil {
			return nil, err
		}
		if c.Discord.Mode == "interactions" {
			server.Handle("POST /interactions", p)
		}
		all = append(all, p)
	}
	if c.Telegram.Token.Reveal() != "" {
		push := c.Telegram.Mode == "webhook"
		p, err := telegram.New(telegram.Config{
			Commands: bot.Commands(c.Rooms...),
			Token:    c.Telegram.Token.Reveal(), Base: c.Telegram.APIBase, HTTP: client, Log: log, Easel: easel, Eager: c.eager,
			Webhook: c.Telegram.WebhookURL, Push: push, Election: others.election, Agree: others.agree, Exchange: others.exchange, Pages: c.miniApp(), App: c.Telegram.App, Picture: pages.picture,
		})
		if err != nil {
			return nil, err
		}
		if push {
			server.Handle("POST /telegram", p)
		}
		pages.telegramLogin(c, p)
		all = append(all, p)
	}
	if c.playground() {
		p, err := playground.New(playground.Config{
			Commands: bot.Commands(c.Rooms...),
			Listen:   c.Playground.Listen, Next: !c.chosen, Crash: shell.crash, Steps: shell.steps, Tables: pages.playground, Log: log,
			Looks: []playground.Look{{Name: "discord", Preview: discord.Preview}, {Name: "telegram", Preview: telegram.Preview}},
		})
		if err != nil {
			return nil, err
		}
		all = append(all, p)
		if _, err := fmt.Fprintf(stdout, "The playground is at %s\n", p.URL()); err != nil {
			return nil, err
		}
	}
	return all, nil
}
