package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

const example = root + "/config.example.yaml"

func none(string) (string, bool) { return "", false }

func variables(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

// write writes a file for one test and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestExampleIsTheDefaults(t *testing.T) {
	t.Parallel()
	got, err := loadConfig(example, none)
	if err != nil {
		t.Fatal(err)
	}
	want, err := loadConfig("", none)
	if err != nil {
		t.Fatal(err)
	}
	got.chosen = false // a copy of the example is a choice
	if !reflect.DeepEqual(got, want) {
		t.Errorf("config.example.yaml is\n%+v\nthe defaults are\n%+v", got, want)
	}
}

// The example must name every key, even if its comments are read as keys. The defaults must be the documented ones.
func TestExampleNamesEveryKey(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^  # (\w+_file:)`).ReplaceAll(text, []byte("  $1"))
	entries, err := parse("example", text)
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]string{}
	for _, e := range entries {
		has[e.key] = e.value
	}
	new(Config).settings().VisitAll(func(f *flag.Flag) {
		keys := []string{f.Name}
		if secret(f) {
			keys = append(keys, f.Name+fileSuffix)
		}
		for _, key := range keys {
			if _, ok := has[key]; !ok {
				t.Errorf("config.example.yaml does not mention %s", key)
			}
		}
	})
	for key, want := range map[string]string{
		"store.path": "./data/sedmabot.db", "discord.api_base": "https://discord.com", "telegram.api_base": "https://api.telegram.org",
		"playground.enabled": "auto", "playground.listen": "127.0.0.1:8080", "table.pace": "1500ms", "log.level": "info", "log.format": "text",
	} {
		if has[key] != want {
			t.Errorf("config.example.yaml: %s is %q, want %q", key, has[key], want)
		}
	}
}

func TestEveryKeyIsAVariable(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	ca := write(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	private, err := x509.MarshalPKCS8PrivateKey(server.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	key := write(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	c, err := loadConfig("", variables(
		"SEDMABOT_STORE_PATH", "/tmp/x.db",
		"SEDMABOT_STORE_REDIS_URL", "rediss://localhost",
		"SEDMABOT_STORE_REDIS_CA", ca,
		"SEDMABOT_STORE_REDIS_CERT", ca,
		"SEDMABOT_STORE_REDIS_KEY", key,
		"SEDMABOT_DISCORD_TOKEN", "d",
		"SEDMABOT_DISCORD_API_BASE", "http://d",
		"SEDMABOT_DISCORD_MODE", "interactions",
		"SEDMABOT_DISCORD_PUBLIC_KEY", strings.Repeat("ab", 32),
		"SEDMABOT_DISCORD_SHARDS", "3",
		"SEDMABOT_DISCORD_CLIENT_ID", "77",
		"SEDMABOT_DISCORD_CLIENT_SECRET", "shh",
		"SEDMABOT_TELEGRAM_APP", "cards",
		"SEDMABOT_WEB_URL", "https://cards.example.org",
		"SEDMABOT_TELEGRAM_TOKEN", "t",
		"SEDMABOT_TELEGRAM_API_BASE", "http://t",
		"SEDMABOT_TELEGRAM_MODE", "webhook",
		"SEDMABOT_TELEGRAM_WEBHOOK_URL", "https://t/telegram",
		"SEDMABOT_PLAYGROUND_ENABLED", "true",
		"SEDMABOT_PLAYGROUND_LISTEN", "[::1]:0",
		"SEDMABOT_HTTP_LISTEN", "127.0.0.1:8081",
		"SEDMABOT_MONITOR_LISTEN", "127.0.0.1:8083",
		"SEDMABOT_TABLE_PACE", "0",
		"SEDMABOT_LIMITS_PRESSES", "1",
		"SEDMABOT_LIMITS_PLAYER_TABLES", "2",
		"SEDMABOT_LIMITS_HOME_TABLES", "3",
		"SEDMABOT_ROOMS", "tournaments, puzzle",
		"SEDMABOT_LOG_LEVEL", "warn",
		"SEDMABOT_LOG_FORMAT", "json",
	))
	if err != nil {
		t.Fatal(err)
	}
	got := []any{
		c.Store.Path, c.Store.RedisURL.Reveal(), c.Store.RedisCA, c.Store.RedisCert, c.Store.RedisKey, c.Discord.Token.Reveal(), c.Discord.APIBase, c.Discord.Mode, c.Discord.PublicKey, fmt.Sprint(c.Discord.Shards),
		c.Telegram.Token.Reveal(), c.Telegram.APIBase, c.Telegram.Mode, c.Telegram.WebhookURL,
		c.Playground.Enabled, c.Playground.Listen, c.HTTP.Listen, c.Monitor.Listen, c.Table.Pace, c.Limits.Presses, c.Limits.PlayerTables, c.Limits.HomeTables, c.Log.Level, c.Log.Format,
		c.Discord.ClientID, c.Discord.ClientSecret.Reveal(), c.Telegram.App, c.Web.URL, c.Rooms,
	}
	want := []any{
		"/tmp/x.db", "rediss://localhost", ca, ca, key, "d", "http://d", "interactions", strings.Repeat("ab", 32), "3",
		"t", "http://t", "webhook", "https://t/telegram",
		"true", "[::1]:0", "127.0.0.1:8081", "127.0.0.1:8083", time.Duration(0), 1, 2, 3, slog.LevelWarn, "json",
		"77", "shh", "cards", "https://cards.example.org", Rooms{"tournaments", "puzzle"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	keys := 0
	new(Config).settings().VisitAll(func(*flag.Flag) { keys++ })
	if keys != len(want) {
		t.Errorf("%d keys, %d are tried here", keys, len(want))
	}
}

func TestVariableGoesBeforeFile(t *testing.T) {
	t.Parallel()
	token := write(t, "token", "from-a-file\n")
	file := write(t, "c.yaml", "table: {pace: 3s}\ntelegram:\n  token: from-the-yaml\nlog:\n")
	c, err := loadConfig(file, variables("SEDMABOT_TELEGRAM_TOKEN_FILE", token, "SEDMABOT_LOG_LEVEL", "debug"))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Telegram.Token.Reveal(); got != "from-a-file" {
		t.Errorf("token %q", got)
	}
	if c.Table.Pace != 3*time.Second || c.Log.Level != slog.LevelDebug {
		t.Errorf("pace %v, level %v", c.Table.Pace, c.Log.Level)
	}
}

// A file .env of Windows leaves a carriage return at the end of each value, and a pasted token may have spaces around it.
// "~" is the person's own folder. An empty variable is as good as none, except where nothing is a choice.
func TestValuesAsPeopleWriteThem(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	if err := os.WriteFile(filepath.Join(home, "token"), []byte("1:t\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig("", variables(
		"SEDMABOT_DISCORD_TOKEN", " d\r", "SEDMABOT_LOG_LEVEL", "debug\r", "SEDMABOT_STORE_PATH", "~/sedmabot.db\r", "SEDMABOT_TELEGRAM_TOKEN_FILE", "~/token",
		"SEDMABOT_MONITOR_LISTEN", "", "SEDMABOT_HTTP_LISTEN", "", "SEDMABOT_PLAYGROUND_LISTEN", "",
	))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{c.Discord.Token.Reveal(), c.Log.Level.String(), c.Store.Path, c.Telegram.Token.Reveal(), c.Monitor.Listen, c.HTTP.Listen, c.Playground.Listen}
	want := []string{"d", "DEBUG", filepath.Join(home, "sedmabot.db"), "1:t", "", "", "127.0.0.1:8080"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if c, err = loadConfig("", none); err != nil || c.Monitor.Listen != defaultMonitor {
		t.Errorf("without a variable, monitoring is at %q: %v", c.Monitor.Listen, err)
	}
}

// An error about a mistake must contain its place, its key, and what to write instead.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		yaml string
		env  []string
		want string // a part of the error
	}{
		"unknown key":      {yaml: "store:\n  path: x\n  pth: y\n", want: "c.yaml:3: unknown key store.pth"},
		"unknown section":  {yaml: "\nstorage:\n  path: x\n", want: "c.yaml:3: unknown key storage.path"},
		"no key":           {yaml: "discord:\n  MTIz.x-1: y\n", want: "c.yaml:2: unknown key: config.example.yaml lists"},
		"not a secret":     {yaml: "store:\n  path_file: x\n", want: "c.yaml:2: unknown key store.path_file"},
		"twice":            {yaml: "log:\n  level: info\n  level: warn\n", want: "c.yaml:3: log.level is set already by log.level at "},
		"secret twice":     {yaml: "discord:\n  token: a\n  token_file: b\n", want: "discord.token_file is set already by discord.token at "},
		"no mapping":       {yaml: "- store\n", want: "c.yaml:1: write sections of keys"},
		"section is value": {yaml: "log: info\n", want: "c.yaml:1: write sections of keys"},
		"list":             {yaml: "log:\n  level: [info]\n", want: "c.yaml:2: log.level: it has one plain value"},
		"no yaml":          {yaml: "log:\n\tlevel: info\n", want: "c.yaml:2: the line begins with a tab: indent it with spaces"},
		"broken yaml":      {yaml: "log:\n  level: 'info\n", want: "c.yaml: line "},
		"star":             {yaml: "discord:\n  token: *secret\n", want: `c.yaml: a value that begins with "*" or "&" has to stand in quotes`},
		"ampersand":        {yaml: "discord:\n  token: &secret\n", want: "c.yaml:2: discord.token: a value that begins"},
		"two documents":    {yaml: "log:\n---\nlog:\n", want: "more than one document"},
		"duration":         {yaml: "table:\n  pace: 1500\n", want: `c.yaml:2: table.pace is "1500": it must be a duration such as 1500ms, or 0`},
		"negative pace":    {env: []string{"SEDMABOT_TABLE_PACE", "-1s"}, want: "table.pace is -1s: write"},
		"level":            {env: []string{"SEDMABOT_LOG_LEVEL", "loud"}, want: `SEDMABOT_LOG_LEVEL: log.level is "loud": it must be debug, info, warn or error`},
		"format":           {yaml: "log:\n  format: xml\n", want: `log.format is "xml": it must be text or json`},
		"switch":           {yaml: "playground:\n  enabled: maybe\n", want: `playground.enabled is "maybe": it must be auto, true or false`},
		"listen":           {yaml: "playground:\n  listen: 8080\n", want: `playground.listen is "8080": write host:port`},
		"limits":           {yaml: "limits:\n  presses: -1\n", want: "limits are -1 presses, 100 player_tables, 100 home_tables: write numbers from 1"},
		"too many tables":  {yaml: "limits:\n  player_tables: 1001\n", want: "limits.player_tables is 1001: write a number from 1 to 1000, or 0 for no limit"},
		"rooms":            {yaml: "log:\n  level: info\nrooms:\n  - puzzle\n  - tornaments\n", want: `c.yaml:3: rooms is "puzzle,tornaments": it must be a list of the rooms to leave out: daily, marks, meet, puzzle, review, tournaments`},
		"room variable":    {env: []string{"SEDMABOT_ROOMS", "play"}, want: `SEDMABOT_ROOMS: rooms is "play": it must be a list of the rooms to leave out: daily, `},
		"rooms of rooms":   {yaml: "rooms: [[puzzle]]\n", want: "c.yaml:1: write sections of keys"},
		"no limit":         {yaml: "limits:\n  presses: many\n", want: `c.yaml:2: limits.presses is "many": it must be a number, or 0`},
		"monitor listen":   {yaml: "monitor:\n  listen: 8082\n", want: `monitor.listen is "8082": write host:port`},
		"one listener":     {yaml: "http:\n  listen: 127.0.0.1:8082\n", want: `http.listen and monitor.listen are both`},
		"http listen":      {yaml: "http:\n  listen: 8081\n", want: `http.listen is "8081": write host:port`},
		"api base":         {yaml: "telegram:\n  api_base: api.telegram.org\n", want: `telegram.api_base is "api.telegram.org": write an address`},
		"redis's signer":   {yaml: "store:\n  redis_url: redis://localhost\n  redis_ca: ca.pem\n", want: "store.redis_ca is set, and store.redis_url has no TLS"},
		"redis":            {yaml: "store:\n  redis_url: localhost:6379\n", want: "store.redis_url is no address of a Redis: write it as redis://"},
		"no path":          {yaml: "store:\n  path:\n", want: "store.path is empty: name a file"},
		"a folder":         {yaml: "store:\n  path: .\n", want: "store.path is \".\", a folder: name a file in it"},
		"redis port":       {yaml: "store:\n  redis_url: redis://localhost:99999\n", want: "the redis address is malformed"},
		"nowhere":          {yaml: "playground:\n  enabled: false\n", want: "there is nowhere to play: set discord.token"},
		"nearest key":      {yaml: "telegram:\n  webhook: x\n", want: "c.yaml:2: unknown key telegram.webhook: did you mean telegram.webhook_url?"},
		"another section":  {yaml: "telegram:\n  public_key: x\n", want: "did you mean discord.public_key?"},
		"page with space":  {env: []string{"SEDMABOT_WEB_URL", "https://cards.example.org/a b", "SEDMABOT_HTTP_LISTEN", ":8081"}, want: "web.url is \"https://cards.example.org/a b\": after the host, write only letters"},
		"page wildcard":    {env: []string{"SEDMABOT_WEB_URL", "https://cards.example.org/{id}", "SEDMABOT_HTTP_LISTEN", ":8081"}, want: "after the host, write only letters"},
		"page escaped":     {env: []string{"SEDMABOT_WEB_URL", "https://cards.example.org/a%2Fb", "SEDMABOT_HTTP_LISTEN", ":8081"}, want: "after the host, write only letters"},
		"page unclean":     {env: []string{"SEDMABOT_WEB_URL", "https://cards.example.org/a//../b", "SEDMABOT_HTTP_LISTEN", ":8081"}, want: "after the host, write only letters"},
		"public key":       {env: []string{"SEDMABOT_DISCORD_PUBLIC_KEY", "abc"}, want: "discord.public_key is \"abc\": copy the 64 digits"},
		"port":             {env: []string{"SEDMABOT_HTTP_LISTEN", "127.0.0.1:80811"}, want: "http.listen is \"127.0.0.1:80811\": write host:port"},
		"named port":       {env: []string{"SEDMABOT_MONITOR_LISTEN", "127.0.0.1:none-such"}, want: "monitor.listen is"},
		"redis address":    {env: []string{"SEDMABOT_STORE_REDIS_URL", "redis://:pa#ss@localhost"}, want: "the redis address is malformed"},
		"sentinels":        {env: []string{"SEDMABOT_STORE_REDIS_URL", "redis+sentinel://one,two"}, want: "the redis address is malformed"},
		"no signer":        {env: []string{"SEDMABOT_STORE_REDIS_URL", "rediss://localhost", "SEDMABOT_STORE_REDIS_CA", "/does/not/exist"}, want: "store.redis_ca: open /does/not/exist"},
		"cert, no key":     {env: []string{"SEDMABOT_STORE_REDIS_URL", "rediss://localhost", "SEDMABOT_STORE_REDIS_CERT", os.DevNull}, want: "set both"},
		"a key without":    {env: []string{"SEDMABOT_STORE_REDIS_URL", "redis://localhost", "SEDMABOT_STORE_REDIS_CERT", os.DevNull, "SEDMABOT_STORE_REDIS_KEY", os.DevNull}, want: "store.redis_cert is set, and store.redis_url has no TLS"},
		"no certificate":   {env: []string{"SEDMABOT_STORE_REDIS_URL", "rediss://localhost", "SEDMABOT_STORE_REDIS_CERT", os.DevNull, "SEDMABOT_STORE_REDIS_KEY", os.DevNull}, want: "name PEM files of a certificate and its private key"},
		"a name without":   {env: []string{"SEDMABOT_STORE_REDIS_URL", "redis://localhost?server_name=x"}, want: "let the address begin with rediss://"},
		"signs nothing":    {env: []string{"SEDMABOT_STORE_REDIS_URL", "rediss://localhost", "SEDMABOT_STORE_REDIS_CA", os.DevNull}, want: "holds no certificate"},
		"webhook path":     {env: []string{"SEDMABOT_TELEGRAM_WEBHOOK_URL", "https://bot.example.org/"}, want: "ends with /telegram"},
		"webhook port":     {env: []string{"SEDMABOT_TELEGRAM_WEBHOOK_URL", "https://bot.example.org:8081/telegram"}, want: "Telegram calls no other ports than 443, 80, 88 and 8443"},
		"token in two":     {env: []string{"SEDMABOT_DISCORD_TOKEN", "abc\r\ndef"}, want: "SEDMABOT_DISCORD_TOKEN: discord.token has a space or another character inside"},
		"no token file":    {env: []string{"SEDMABOT_DISCORD_TOKEN_FILE", "/does/not/exist"}, want: "SEDMABOT_DISCORD_TOKEN_FILE: read discord.token_file: open /does/not/exist"},
		"empty token file": {env: []string{"SEDMABOT_DISCORD_TOKEN_FILE", os.DevNull}, want: "the file " + os.DevNull + " is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := loadConfig(write(t, "c.yaml", tt.yaml), variables(tt.env...))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %v", err)
			}
		})
	}
}

func TestSecretShowsItselfNowhere(t *testing.T) {
	t.Parallel()
	var s Secret
	if err := s.UnmarshalText([]byte("hunter2")); err != nil {
		t.Fatal(err)
	}
	type inside struct{ hidden Secret }
	in := struct {
		Open   Secret
		hidden Secret
		Deep   *inside
	}{s, s, &inside{s}}

	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T", "%p"} {
		fmt.Fprintf(&out, verb+verb+verb+verb+"\n", s, &s, in, *in.Deep)
	}
	fmt.Fprintln(&out, s, in.hidden, fmt.Errorf("wrong: %w, %v", os.ErrExist, s))
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("config", "one", s, "all", in, "group", slog.GroupValue(slog.Any("s", &s)))
	}
	for _, marshal := range []func(any) ([]byte, error){json.Marshal, yaml.Marshal} {
		text, err := marshal(map[string]any{"s": s, "p": &s, "in": in.Open})
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
	}
	if strings.Contains(out.String(), "hunter2") || strings.Contains(strings.ToLower(out.String()), fmt.Sprintf("%x", "hunter2")) {
		t.Errorf("the secret shows:\n%s", out.String())
	}
	if n := strings.Count(out.String(), "<secret>"); n < 30 {
		t.Errorf("<secret> stands there only %d times:\n%s", n, out.String())
	}
	if s.Reveal() != "hunter2" || fmt.Sprint(Secret{}) != "" {
		t.Errorf("reveals %q, empty prints %q", s.Reveal(), fmt.Sprint(Secret{}))
	}
}

// A misspelt variable must not be ignored silently. Those of compose.yaml are known.
func TestUnknownVariables(t *testing.T) {
	t.Parallel()
	got := unknownVariables([]string{
		"PATH=/bin", "SEDMABOT_TELEGRAM_TOKN=1", "SEDMABOT_REDIS_URL=2", "SEDMABOT_DISCORD_TOKEN_FIL=3", "SEDMABOT_EMPTY=",
		"SEDMABOT_STORE_PATH=x", "SEDMABOT_DISCORD_TOKEN_FILE=x", "SEDMABOT_IMAGE=x", "SEDMABOT_TEST_LONG=1",
	})
	want := []unknownVariable{
		{"SEDMABOT_TELEGRAM_TOKN", "SEDMABOT_TELEGRAM_TOKEN"}, {"SEDMABOT_REDIS_URL", "SEDMABOT_STORE_REDIS_URL"},
		{"SEDMABOT_DISCORD_TOKEN_FIL", "SEDMABOT_DISCORD_TOKEN_FILE"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// "config check" must show the effective settings without the secrets.
func TestCheckHidesSecrets(t *testing.T) {
	t.Parallel()
	c, err := loadConfig("", variables("SEDMABOT_TELEGRAM_TOKEN", "123:hunter2", "SEDMABOT_TABLE_PACE", "2s"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := c.write(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"The configuration is good.\n", "telegram.token       <secret>\n", "discord.token\n", "table.pace           2s\n"} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is missing in\n%s", line, out.String())
		}
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("the token shows:\n%s", out.String())
	}
}

// A variable for traces, which earlier versions sent, gets a warning and stops nothing. A line without an error says nothing
// of one.
func TestWarnings(t *testing.T) {
	t.Parallel()
	if got := traceVariable([]string{"PATH=/bin", "OTEL_SERVICE_NAME=", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}); got != "OTEL_EXPORTER_OTLP_PROTOCOL" {
		t.Errorf("warns of %q", got)
	}
	for _, format := range []string{"text", "json"} {
		var c Config
		c.Log.Format = format
		var out bytes.Buffer
		c.logger(&out).Warn("stands by", "err", error(nil), "n", 0)
		if line := out.String(); strings.Contains(line, "err") || strings.Contains(line, "nil") || !strings.Contains(line, "stands by") {
			t.Errorf("%s", line)
		}
	}
}
