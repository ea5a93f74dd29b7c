package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// If everything is well, the doctor must find nothing wrong and leave nothing behind, whether a bot is running or not.
func TestDoctorFindsNothing(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	telegram, discord := telegramtest.New(t), discordtest.New(t)
	tokens := []string{"telegram.token: " + telegram.Token, "telegram.api_base: " + telegram.URL, "discord.token: " + discord.Token(), "discord.api_base: " + discord.URL()}
	redis := redistest.Start(t, "--appendfsync", "everysec")
	running, missing := dataFile(t), dataFile(t)
	start(t, running, "playground.listen: 127.0.0.1:0").playgroundURL()
	accounts := []string{"discord.token: the bot is sedmabot", "telegram.token: the bot is @" + telegram.Username, "telegram privacy mode: it is on", "clock: the same as that of telegram"}
	for _, tt := range []struct {
		config, want []string
	}{
		{append(tokens, missing), append(accounts, "store.path: .* will be created")},
		{append(tokens, "store.redis_url: "+redis.URL()), append(accounts, "redis appendonly: yes, appendfsync everysec", "redis maxmemory-policy: noeviction", "clock: the same as that of redis")},
		{[]string{running}, []string{"store.path: .* is in use by a bot"}},
	} {
		out, err := with(t, tt.config, "doctor")
		if err != nil || strings.Contains(out, "wrong ") {
			t.Errorf("%v: %v\n%s", tt.config, err, out)
		}
		for _, want := range tt.want {
			if !regexp.MustCompile(`(?m)^good   ` + want).MatchString(out) {
				t.Errorf("%q is missing in\n%s", want, out)
			}
		}
		if strings.Contains(out, telegram.Token) || strings.Contains(out, discord.Token()) {
			t.Errorf("a token shows:\n%s", out)
		}
	}
	path := strings.TrimPrefix(missing, "store.path: ")
	if left, err := os.ReadDir(filepath.Dir(filepath.Dir(path))); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// Each problem must give one line with advice, and exit status 1.
func TestDoctorFinds(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	alone, reading := telegramtest.New(t), telegramtest.New(t)
	alone.Alone, reading.ReadsAll = true, true
	telegram := func(s *telegramtest.Server) []string {
		return []string{"telegram.token: " + s.Token, "telegram.api_base: " + s.URL}
	}
	elsewhere, none, active := discordtest.New(t), discordtest.New(t), discordtest.New(t)
	secret := active.Activities()
	key, err := hex.DecodeString(elsewhere.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		signature, _ := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
		if !ed25519.Verify(key, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), signature) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		io.WriteString(w, `{"type":1}`)
	}))
	t.Cleanup(endpoint.Close)
	if !elsewhere.Endpoint(endpoint.URL) {
		t.Fatal("the endpoint is not taken")
	}
	late := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", time.Now().Add(-time.Minute).UTC().Format(http.TimeFormat))
		io.WriteString(w, `{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"S","username":"s","can_join_groups":true}}`)
	}))
	t.Cleanup(late.Close)
	finds(t, map[string]examined{
		"telegram token": {config: []string{"telegram.token: 1:wrong", "telegram.api_base: " + alone.URL}, want: "wrong  telegram.token: it is not the bot's: .*@BotFather"},
		"no groups":      {config: telegram(alone), want: "wrong  telegram groups: .* /setjoingroups"},
		"inline mode":    {config: telegram(reading), want: "note   telegram inline mode: it is off.* /setinline ", fine: true},
		"guest mode":     {config: telegram(reading), want: "note   telegram guest mode: it is off.* @BotFather", fine: true},
		"privacy mode":   {config: telegram(reading), want: "note   telegram privacy mode: it is off.* /setprivacy", fine: true},
		"clock":          {config: []string{"telegram.token: 1:x", "telegram.api_base: " + late.URL}, want: "wrong  clock: that of telegram is -1m\\d+s off .*NTP"},
		"telegram is down": {config: []string{"telegram.token: 1:x", "telegram.api_base: http://127.0.0.1:1"},
			want: "note   telegram.token: couldn't check: http://127.0.0.1:1: .*refused", fine: true},
		"only the playground": {config: []string{"playground.enabled: true"}, want: "note   platforms: only the playground", fine: true},
		"both":                {config: append(telegram(reading), "discord.token: "+active.Token(), "discord.api_base: "+active.URL()), want: "good   platforms: discord, telegram", fine: true},

		"discord token": {config: []string{"discord.token: wrong", "discord.api_base: " + elsewhere.URL()}, want: "wrong  discord.token: it is not the bot's: .*Reset Token"},
		"endpoint": {config: []string{"discord.token: " + elsewhere.Token(), "discord.api_base: " + elsewhere.URL()},
			want: "wrong  discord: interactions go to an Interactions Endpoint URL: empty that field"},
		"no endpoint": {config: []string{"discord.token: " + none.Token(), "discord.api_base: " + none.URL(), "discord.mode: interactions",
			"discord.public_key: " + none.PublicKey(), "http.listen: 127.0.0.1:0"}, want: "wrong  discord: it knows no Interactions Endpoint URL: .*/interactions"},
		"redis is down": {config: []string{"store.redis_url: redis://:hunter2@127.0.0.1:1"}, want: "wrong  store.redis_url: it cannot be used: redis at 127.0.0.1:1.*start it"},
		"eviction":      {config: []string{"store.redis_url: " + redistest.Start(t, "--appendfsync", "everysec", "--maxmemory-policy", "allkeys-lru").URL()}, want: "wrong  redis maxmemory-policy: allkeys-lru .* noeviction"},
		"no file":       {config: []string{"store.redis_url: " + redistest.Start(t, "--appendonly", "no").URL()}, want: "wrong  redis appendonly: it is off: .*appendonly yes"},
		"no fsync":      {config: []string{"store.redis_url: " + redistest.Start(t, "--appendfsync", "no").URL()}, want: "wrong  redis appendfsync: .*everysec"},
		"no data":       {config: []string{"store.path: " + write(t, "data", strings.Repeat("no data ", 8192))}, want: "wrong  store.path: .*restore a backup"},
		"read-only":     {config: []string{"store.path: /proc/sedmabot/data.db"}, want: "wrong  store.path: nothing can be written in /proc: let the user"},
		"no page":       {config: []string{"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "note   web.url: no bot answers .*start the bot", fine: true},
		"no activity": {config: []string{"discord.token: " + none.Token(), "discord.api_base: " + none.URL(), "discord.client_id: " + active.App(), "discord.client_secret: " + secret,
			"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "wrong  discord activity: it is not enabled.*pages.md"},
		"unverified activity": {config: []string{"discord.token: " + active.Token(), "discord.api_base: " + active.URL(), "discord.client_id: " + active.App(), "discord.client_secret: " + secret,
			"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "note   discord activity: until Discord verifies the application, only its testers .* below 25 members", fine: true},
		"client secret": {config: []string{"discord.token: " + active.Token(), "discord.api_base: " + active.URL(), "discord.client_id: " + active.App(), "discord.client_secret: hunter2",
			"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "wrong  discord.client_secret: Discord doesn't accept it: .*Reset Secret"},
		"client id": {config: []string{"discord.token: " + active.Token(), "discord.api_base: " + active.URL(), "discord.client_id: \"7\"", "discord.client_secret: " + secret,
			"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "wrong  discord.client_id: the token's application is \\d+: copy"},
		"everybody": {config: []string{"playground.listen: 0.0.0.0:0"}, want: "note   playground.listen: .*play as anybody", fine: true},
	})
}

// examined is a configuration and the line that the doctor writes about it.
type examined struct {
	config []string
	want   string
	fine   bool // nothing is wrong
}

// finds checks what the doctor finds.
func finds(t *testing.T, cases map[string]examined) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := tt.config
			if !strings.HasPrefix(config[0], "store.") {
				config = append(config, dataFile(t))
			}
			config = append(config, "monitor.listen: 127.0.0.1:1") // where no other bot answers
			out, err := with(t, config, "doctor")
			if tt.fine != (err == nil) || err != nil && err.Error() != "one thing is wrong" {
				t.Errorf("%v", err)
			}
			if !regexp.MustCompile(`(?m)^`+tt.want).MatchString(out) || strings.Contains(out, "hunter2") {
				t.Errorf("want %s\n%s", tt.want, out)
			}
		})
	}
}

// Only what a platform itself refuses is wrong. A busy one couldn't be checked.
func TestDoctorAndBusyPlatforms(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	active := discordtest.New(t)
	secret := active.Activities()
	busy, hooked := telegramtest.New(t), telegramtest.New(t)
	busy.Fail(telegramtest.Failure{Method: "getMe", Code: 503, Page: "<html>busy</html>"})
	hooked.FailWebhook("Connection refused", time.Now())
	if resp, err := http.PostForm(hooked.URL+"/bot"+hooked.Token+"/setWebhook", url.Values{"url": {"http://127.0.0.1:1/telegram"}, "secret_token": {"x"}, "allowed_updates": {"[]"}}); err != nil || resp.Body.Close() != nil {
		t.Fatal(err)
	}
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) }))
	t.Cleanup(closed.Close)
	discordAt, err := url.Parse(active.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(discordAt)
	halfway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/oauth2/token") {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(halfway.Close)
	finds(t, map[string]examined{
		"telegram is busy": {config: []string{"telegram.token: " + busy.Token, "telegram.api_base: " + busy.URL}, want: "note   telegram.token: couldn't check: ", fine: true},
		"discord is busy":  {config: []string{"discord.token: x", "discord.api_base: " + closed.URL}, want: "note   discord.token: couldn't check: ", fine: true},
		"secret": {config: []string{"discord.token: " + active.Token(), "discord.api_base: " + active.URL(), "discord.client_id: " + active.App(), "discord.client_secret: x",
			"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "wrong  discord.client_secret: Discord doesn't accept it: .*Reset Secret"},
		"secret of a busy one": {config: []string{"discord.token: " + active.Token(), "discord.api_base: " + halfway.URL, "discord.client_id: " + active.App(), "discord.client_secret: " + secret,
			"web.url: https://cards.example.org", "http.listen: 127.0.0.1:0"}, want: "note   discord.client_secret: couldn't check: .*503", fine: true},
		"webhook": {config: []string{"telegram.token: " + hooked.Token, "telegram.api_base: " + hooked.URL, "telegram.mode: webhook", "telegram.webhook_url: http://127.0.0.1:1/telegram", "http.listen: 127.0.0.1:0"},
			want: "wrong  telegram.webhook_url: Telegram's call at .* failed: Connection refused: let it lead"},
	})
}

// Another bot at monitor.listen is not this configuration's, but the bot itself is.
func TestDoctorKnowsItsBot(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	config := []string{dataFile(t), "monitor.listen: " + redistest.Address(t)}
	p := start(t, append(config, "playground.listen: 127.0.0.1:0")...)
	p.playgroundURL()
	p.untilReady()
	for want, config := range map[string][]string{
		"good   monitor.listen: the bot answers there and is ready": config,
		"note   monitor.listen: another bot answers":                {dataFile(t), config[1]},
	} {
		if out, err := with(t, config, "doctor"); err != nil || !strings.Contains(out, want) {
			t.Errorf("%v, %q is missing in\n%s", err, want, out)
		}
	}
}

// senseless writes a table that can be decoded and makes no sense.
func senseless(t *testing.T, s store.Store) {
	t.Helper()
	w := store.Write{Name: "table:p00x", Data: []byte(`{"v":2,"d":{"id":"p00x","rules":{"preset":"sedma-2p"},"phase":"playing","chats":[],"seats":[]}}`)}
	if err := errors.Join(s.Commit(t.Context(), store.Change{Writes: []store.Write{w}}), s.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorFindsDamagedDocuments(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	config := dataFile(t)
	file, err := boltstore.Open(strings.TrimPrefix(config, "store.path: "))
	if err != nil {
		t.Fatal(err)
	}
	senseless(t, file)
	server := redistest.Start(t, "--appendfsync", "everysec")
	redis, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	senseless(t, redis)
	check := func(config string) {
		t.Helper()
		out, err := with(t, []string{config}, "doctor")
		if want := "wrong  store.*: damaged documents: 1 \\(1 table\\): restore a backup"; err == nil || !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%v, %q is missing in\n%s", err, want, out)
		}
	}
	check(config)
	check("store.redis_url: " + server.URL())
	start(t, config, "playground.listen: 127.0.0.1:0").playgroundURL()
	check(config)
}
