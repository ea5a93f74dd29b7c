package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/discord"
	"sedmabot/bot/telegram"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
)

// doctor checks everything that the bot needs, and writes one line for each
// finding. A problem comes with advice. It doesn't disturb a running bot.
type doctor struct {
	Config
	out   io.Writer
	wrong int
}

// clocksApart is how far clocks may differ. The bot follows the clock of Redis, but tokens and sessions of pages use this machine's.
const clocksApart = 5 * time.Second

// examine runs all checks. Its error contains the number of problems.
func (d *doctor) examine(ctx context.Context) error {
	d.good("configuration", "every key is understood")
	for _, u := range unknownVariables(os.Environ()) {
		d.note(u.name, "nothing reads this variable", "correct its name, perhaps to "+u.nearest+", or remove it")
	}
	d.where()
	d.places(ctx)
	d.pages(ctx)
	if d.Store.RedisURL.Reveal() != "" {
		d.redis(ctx)
	} else {
		d.file(ctx)
	}
	if d.Discord.Token.Reveal() != "" {
		d.discord(ctx)
	}
	if d.Telegram.Token.Reveal() != "" {
		d.telegram(ctx)
	}
	if time.Now().Year() < 2025 {
		d.bad("clock", "it says "+time.Now().Format(time.DateOnly), "set it, and let NTP keep it")
	}
	switch d.wrong {
	case 0:
		return nil
	case 1:
		return errors.New("one thing is wrong")
	}
	return fmt.Errorf("%d things are wrong", d.wrong)
}

func (d *doctor) good(what, how string) { fmt.Fprintf(d.out, "good   %s: %s\n", what, how) }
func (d *doctor) note(what, how, advice string) {
	fmt.Fprintf(d.out, "note   %s: %s: %s\n", what, how, advice)
}

// unsure reports something that can't be checked, so nothing needs to be wrong.
func (d *doctor) unsure(what, how string) { d.note(what, "couldn't check", how) }

func (d *doctor) bad(what, how, advice string) {
	d.wrong++
	fmt.Fprintf(d.out, "wrong  %s: %s: %s\n", what, how, advice)
}

// where says on which platforms people can play.
func (d *doctor) where() {
	var all []string
	for _, p := range []struct {
		name string
		on   bool
	}{{"discord", d.Discord.Token.Reveal() != ""}, {"telegram", d.Telegram.Token.Reveal() != ""}, {"the playground", d.playground()}} {
		if p.on {
			all = append(all, p.name)
		}
	}
	if len(all) == 1 && d.playground() {
		d.note("platforms", "only the playground", "set discord.token or telegram.token to play with others; the environment of another user or service isn't seen here")
		return
	}
	d.good("platforms", strings.Join(all, ", "))
}

// places checks the addresses that the bot itself listens on.
func (d *doctor) places(ctx context.Context) {
	if d.playground() {
		host, _, err := net.SplitHostPort(d.Playground.Listen)
		if ip := net.ParseIP(host); err != nil || host != "localhost" && !ip.IsLoopback() {
			d.note("playground.listen", d.Playground.Listen+" can be reached from other machines", "whoever has its address with the token may play as anybody; 127.0.0.1:8080 keeps it on this one")
		}
	}
	if host, _, err := net.SplitHostPort(d.Monitor.Listen); err == nil && host != "localhost" && !net.ParseIP(host).IsLoopback() {
		d.note("monitor.listen", d.Monitor.Listen+" can be reached from other machines", "let only your own monitoring reach it; "+defaultMonitor+" keeps it on this one")
	}
	switch err := ourHealth(ctx, d.Config); {
	case d.Monitor.Listen == "":
		d.note("monitor.listen", "it is empty", "set it to "+defaultMonitor+" to ask the bot for /readyz and /metrics")
	case errors.Is(err, errAnother):
		d.note("monitor.listen", err.Error(), "give each bot on this machine its own, or run this with the bot's own settings")
	case err == nil:
		d.good("monitor.listen", "the bot answers there and is ready")
	default:
		d.good("monitor.listen", d.Monitor.Listen+"; no bot answers there as ready now")
	}
}

// file checks whether the data file can be written.
func (d *doctor) file(ctx context.Context) {
	const what = "store.path"
	path := d.Store.Path
	_, err := os.Stat(path)
	switch {
	case fileGone(ctx, path):
		d.bad(what, "a bot runs, and its file "+path+" was deleted, moved or replaced", "save everything with `sedmabot backup FILE` before that bot stops, and restore it")
		return
	case err == nil:
		d.data(ctx, path)
		return
	case !errors.Is(err, os.ErrNotExist):
		d.bad(what, err.Error(), "let the user that the bot runs as reach it")
		return
	}
	folder := filepath.Dir(path) // the bot will create missing folders
	for {
		if _, err := os.Stat(folder); err == nil || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	probe, err := os.CreateTemp(folder, ".sedmabot-*")
	if err != nil {
		d.bad(what, "nothing can be written in "+folder, "let the user that the bot runs as own the folder, or name another file")
		return
	}
	probe.Close()
	os.Remove(probe.Name())
	d.good(what, path+" will be created")
}

// data checks an existing data file, without changing it.
func (d *doctor) data(ctx context.Context, path string) {
	const what = "store.path"
	var bad map[string]int
	var used bool
	info, err := os.Stat(path)
	if err == nil && info.Size() > 0 {
		bad, used, err = unreadable(ctx, path)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		d.bad(what, err.Error(), "let the user that the bot runs as own the file")
		return
	case errors.Is(err, store.ErrDamaged):
		d.wrong++
		fmt.Fprintf(d.out, "wrong  %s: %v\n", what, err)
		return
	case err != nil:
		d.unsure(what, err.Error())
		return
	case info.Size() == 0:
		d.note(what, path+" is empty", "the bot starts without data; if something was in it, restore a backup: "+lastBackup(path))
	}
	d.documents(what, bad)
	if used {
		d.good(what, path+" is in use by a bot, which checked it at its start")
		return
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		d.bad(what, err.Error(), "let the user that the bot runs as own the file")
		return
	}
	file.Close()
	d.good(what, path+" can be written")
}

// unreadable returns the numbers of documents in a data file, by kind, that can't be read. If a bot has the file open,
// that bot reads them.
func unreadable(ctx context.Context, path string) (bad map[string]int, used bool, err error) {
	from, err := openFile(ctx, path, boltstore.OpenToRead)
	if errors.Is(err, boltstore.ErrInUse) {
		b, err := backupFromBot(ctx, path, io.Discard)
		return b.Skipped, true, err
	}
	if err != nil {
		return nil, false, err
	}
	defer from.Close()
	bad, err = upkeep.Unreadable(ctx, from, bot.Kinds())
	return bad, false, advised(path, err)
}

// documents reports documents that can't be read, by kind.
func (d *doctor) documents(what string, bad map[string]int) {
	if len(bad) > 0 {
		d.bad(what, "damaged documents: "+store.Kinds(bad), "restore a backup into an empty store; one made now leaves them out")
	}
}

// keepsAll is the policy of a Redis that evicts nothing. The advice says what to do about other settings.
const (
	keepsAll       = "noeviction"
	adviceEviction = "CONFIG SET maxmemory-policy " + keepsAll + ", and in redis.conf"
	adviceAOF      = "CONFIG SET appendonly yes, and in redis.conf"
	adviceReplica  = "write the address of its master into store.redis_url, or those of its Sentinels"
)

// redis checks the Redis settings that the store's guarantees depend on.
func (d *doctor) redis(ctx context.Context) {
	const what = "store.redis_url"
	s, err := openRedis(ctx, d.Config)
	var away redisstore.AwayError
	switch {
	case errors.As(err, &away) && away.Answers():
		d.unsure(what, err.Error())
		return
	case err != nil:
		d.bad(what, "it cannot be used", err.Error())
		return
	}
	defer s.Close()
	server, err := s.Server(ctx)
	kept := &health{Store: s, log: slog.New(slog.DiscardHandler), now: time.Now}
	if refused := kept.writable(ctx); refused != nil {
		d.bad(what, "it takes no changes", refused.Error())
	} else if server.Replica {
		d.bad(what, "it is a replica", adviceReplica)
	}
	if err != nil { // a managed Redis or a proxy may forbid INFO
		d.unsure("redis version, maxmemory-policy and appendonly", err.Error()+": 7.0 or later, "+keepsAll+" and yes are needed")
	} else {
		d.server(server)
	}
	if ahead, err := s.Sync(ctx); err != nil {
		d.unsure("clock", err.Error())
	} else {
		d.clock("redis", ahead)
	}
	if bad, err := upkeep.Unreadable(ctx, s, bot.Kinds()); err != nil {
		d.note(what, "its documents can't be examined", err.Error())
	} else {
		d.documents(what, bad)
	}
}

// server checks what a Redis says about itself. A managed one or a proxy may leave out parts.
func (d *doctor) server(server redisstore.Server) {
	const what = "store.redis_url"
	switch major, err := strconv.Atoi(strings.Split(server.Version, ".")[0]); {
	case err != nil:
		d.unsure(what, "it doesn't say its version; 7.0 or later is needed")
	case major < 7:
		d.bad(what, "it is "+server.Name+" "+server.Version, "7.0 or later is needed")
	default:
		d.good(what, server.Name+" "+server.Version+" answers")
	}
	switch server.Eviction {
	case keepsAll:
		d.good("redis maxmemory-policy", server.Eviction)
	case "":
		d.unsure("redis maxmemory-policy", "it doesn't say; "+keepsAll+" is needed")
	default:
		d.bad("redis maxmemory-policy", server.Eviction+" evicts tables when memory is short", adviceEviction)
	}
	switch {
	case server.AOF == "":
		d.unsure("redis appendonly", "it doesn't say; yes is needed, unless your provider keeps the data otherwise")
	case server.AOF != "1":
		d.bad("redis appendonly", "it is off: a restart of Redis loses what came after its last snapshot", adviceAOF)
	case server.Fsync == "no":
		d.bad("redis appendfsync", "the file is not brought to the disk", "CONFIG SET appendfsync everysec, and in redis.conf")
	case server.Fsync == "everysec":
		d.good("redis appendonly", "yes, appendfsync everysec: a crash of its machine may undo about the last second")
	case server.Fsync == "":
		d.good("redis appendonly", "yes")
		d.unsure("redis appendfsync", "it forbids CONFIG; everysec or always is needed")
	default:
		d.good("redis appendonly", "yes "+server.Fsync)
	}
}

// clock compares this machine's clock with another.
func (d *doctor) clock(whose string, ahead time.Duration) {
	if ahead.Abs() > clocksApart {
		d.bad("clock", fmt.Sprintf("that of %s is %v off this machine's", whose, ahead.Round(time.Second)), "let NTP keep both")
		return
	}
	d.good("clock", "the same as that of "+whose)
}

// webClock compares this machine's clock with that of a web server, which gives
// only full seconds.
func (d *doctor) webClock(ctx context.Context, whose, address string) {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return // an earlier check reported that it can't be reached
	}
	resp.Body.Close()
	if at, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		d.clock(whose, time.Until(at))
	}
}

func (d *doctor) discord(ctx context.Context) {
	const what = "discord.token"
	p, err := discord.New(discord.Config{Commands: bot.Commands(d.Rooms...), Token: d.Discord.Token.Reveal(), APIBase: d.Discord.APIBase, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		d.bad(what, "it cannot be used", err.Error())
		return
	}
	account, err := p.Account(ctx)
	switch {
	case errors.Is(err, discord.ErrToken):
		d.bad(what, "it is not the bot's", err.Error())
		return
	case err != nil:
		d.unsure(what, d.Discord.APIBase+": "+err.Error())
		return
	}
	d.good(what, "the bot is "+account.Name)
	switch {
	case d.Discord.Mode == "interactions" && account.Endpoint == "":
		d.bad("discord", "it knows no Interactions Endpoint URL", "write where it reaches this bot's /interactions into that field at https://discord.com/developers/applications (General Information)")
	case d.Discord.Mode == "gateway" && account.Endpoint != "":
		d.bad("discord", "interactions go to an Interactions Endpoint URL", "empty that field at https://discord.com/developers/applications (General Information), or the gateway gets none")
	}
	d.activity(ctx, account)
	switch have, want, err := p.Emojis(ctx); {
	case err != nil:
		d.unsure("discord emojis", err.Error())
	case have < want:
		d.note("discord emojis", fmt.Sprintf("%d of %d cards have one: the others are text", have, want), "sedmabot discord sync-emojis uploads them")
	default:
		d.good("discord emojis", "every card has one")
	}
	d.webClock(ctx, "discord", d.Discord.APIBase)
}

func (d *doctor) telegram(ctx context.Context) {
	const what = "telegram.token"
	p, err := telegram.New(telegram.Config{Commands: bot.Commands(d.Rooms...), Token: d.Telegram.Token.Reveal(), Base: d.Telegram.APIBase, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		d.bad(what, "it cannot be used", err.Error())
		return
	}
	account, err := p.Account(ctx)
	switch {
	case errors.Is(err, telegram.ErrToken):
		d.bad(what, "it is not the bot's", err.Error())
		return
	case err != nil:
		d.unsure(what, d.Telegram.APIBase+": "+err.Error())
		return
	}
	d.good(what, "the bot is @"+account.Name)
	if account.JoinsGroups {
		d.good("telegram groups", "the bot can be added to them")
	} else {
		d.bad("telegram groups", "the bot cannot be added to them", "send /setjoingroups to @BotFather and enable it")
	}
	switch {
	case account.Inline:
		d.good("telegram inline mode", "people can post tables and results in any chat")
	default:
		d.note("telegram inline mode", "it is off: people can't post tables and results in other chats", "send /setinline to @BotFather and enter a hint, such as Sedma; /setinlinefeedback makes whoever posts a table its host")
	}
	switch {
	case account.Guest:
		d.good("telegram guest mode", "people can mention the bot in chats where it isn't, except protected ones")
	default:
		d.note("telegram guest mode", "it is off: nobody can open a table by mentioning the bot in a chat where it isn't", "turn Guest Mode on in the bot's settings at @BotFather")
	}
	if account.ReadsAll {
		d.note("telegram privacy mode", "it is off: the bot gets every message of its groups", "it needs none but commands; send /setprivacy to @BotFather and enable it")
	} else {
		d.good("telegram privacy mode", "it is on: the bot gets commands only")
	}
	if d.Telegram.Mode == "webhook" {
		d.webhook(ctx, p)
	}
	d.miniAppOf(account.Name)
	d.webClock(ctx, "telegram", d.Telegram.APIBase)
}

// hookFresh is how old an error at the webhook may be.
const hookFresh = time.Hour

// webhook checks whether Telegram reaches the webhook.
func (d *doctor) webhook(ctx context.Context, p *telegram.Adapter) {
	const what = "telegram.webhook_url"
	hook, err := p.Hook(ctx)
	switch failed := time.Unix(hook.Failed, 0); {
	case err != nil:
		d.unsure(what, err.Error())
	case hook.URL != d.Telegram.WebhookURL:
		d.note(what, "Telegram has another one or none", "start the bot, which sets it")
	case hook.Message != "" && time.Since(failed) < hookFresh:
		d.bad(what, "Telegram's call at "+failed.UTC().Format(time.RFC3339)+" failed: "+hook.Message, "let it lead to /telegram at http.listen")
	default:
		d.good(what, "Telegram calls it")
	}
}
