package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"

	"sedmabot/bot"
	"sedmabot/bot/discord"
	"sedmabot/bot/tables"
	"sedmabot/bot/telegram"
)

// Config is the program's configuration. Every exported field is one key of
// the configuration file; see settings and config.example.yaml.
type Config struct {
	Store struct {
		Path      string
		RedisURL  Secret
		RedisCA   string
		RedisCert string
		RedisKey  string
	}
	Discord struct {
		Token        Secret
		APIBase      string
		Mode         string
		PublicKey    string
		Shards       Shards
		ClientID     string
		ClientSecret Secret
	}
	Telegram struct {
		Token      Secret
		APIBase    string
		Mode       string
		WebhookURL string
		App        string
	}
	Playground struct {
		Enabled string
		Listen  string
	}
	HTTP struct {
		Listen string
	}
	Monitor struct {
		Listen string
	}
	Web struct {
		URL string
	}
	Table struct {
		Pace time.Duration
	}
	Limits struct {
		Presses      int
		PlayerTables int
		HomeTables   int
	}
	Rooms Rooms
	Log   struct {
		Level  slog.Level
		Format string
	}

	// chosen reports whether somebody configured playground.listen. The default gives way if its port is in use.
	chosen bool

	// eager leaves the pace of deliveries to the platforms, for tests, where nobody reads the messages.
	eager bool
	// tune changes what the bot is made of, for tests with a clock and cards of their own; nil: nothing.
	tune func(*bot.Config)
	// now is this machine's clock, for tests with a wrong one; nil: time.Now.
	now func() time.Time
}

// orNothing ends the description of a setting that may be empty.
const orNothing = ", or nothing"

// defaultMonitor is the default of monitor.listen. Only this machine can reach it.
const defaultMonitor = "127.0.0.1:8082"

// settings sets c to the defaults. It returns its keys, each with a description of its values.
func (c *Config) settings() *flag.FlagSet {
	s := flag.NewFlagSet("", flag.ContinueOnError)
	s.StringVar(&c.Store.Path, "store.path", "./data/sedmabot.db", "a file name")
	s.TextVar(&c.Store.RedisURL, "store.redis_url", Secret{}, "an address such as redis://localhost:6379")
	s.StringVar(&c.Store.RedisCA, "store.redis_ca", "", "a file name")
	s.StringVar(&c.Store.RedisCert, "store.redis_cert", "", "a file name")
	s.StringVar(&c.Store.RedisKey, "store.redis_key", "", "a file name")
	s.TextVar(&c.Discord.Token, "discord.token", Secret{}, "a bot's token")
	s.StringVar(&c.Discord.APIBase, "discord.api_base", discord.DefaultAPIBase, "an address such as https://discord.com")
	oneOf(s, &c.Discord.Mode, "discord.mode", "gateway", "interactions")
	s.StringVar(&c.Discord.PublicKey, "discord.public_key", "", "64 hexadecimal digits")
	s.TextVar(&c.Discord.Shards, "discord.shards", Shards(0), "auto or a number")
	s.StringVar(&c.Discord.ClientID, "discord.client_id", "", "the application's id, which is a number")
	s.TextVar(&c.Discord.ClientSecret, "discord.client_secret", Secret{}, "the application's client secret")
	s.TextVar(&c.Telegram.Token, "telegram.token", Secret{}, "a bot's token")
	s.StringVar(&c.Telegram.APIBase, "telegram.api_base", telegram.Base, "an address such as https://api.telegram.org")
	oneOf(s, &c.Telegram.Mode, "telegram.mode", "poll", "webhook")
	s.StringVar(&c.Telegram.WebhookURL, "telegram.webhook_url", "", "an address such as https://bot.example.org/telegram")
	s.StringVar(&c.Telegram.App, "telegram.app", "", "the short name of the bot's Mini App")
	oneOf(s, &c.Playground.Enabled, "playground.enabled", "auto", "true", "false")
	s.StringVar(&c.Playground.Listen, "playground.listen", "127.0.0.1:8080", "host:port, such as 127.0.0.1:8080")
	s.StringVar(&c.HTTP.Listen, "http.listen", "", "host:port, such as 127.0.0.1:8081"+orNothing)
	s.StringVar(&c.Monitor.Listen, "monitor.listen", defaultMonitor, "host:port, such as "+defaultMonitor+orNothing)
	s.StringVar(&c.Web.URL, "web.url", "", "an address such as https://cards.example.org"+orNothing)
	s.DurationVar(&c.Table.Pace, "table.pace", 1500*time.Millisecond, "a duration such as 1500ms, or 0")
	s.IntVar(&c.Limits.Presses, "limits.presses", 20, "a number, or 0")
	s.IntVar(&c.Limits.PlayerTables, "limits.player_tables", 100, "a number, or 0")
	s.IntVar(&c.Limits.HomeTables, "limits.home_tables", 100, "a number, or 0")
	s.TextVar(&c.Rooms, "rooms", Rooms(nil), "a list of the rooms to leave out: "+strings.Join(bot.Rooms(), ", "))
	s.TextVar(&c.Log.Level, "log.level", slog.LevelInfo, "debug, info, warn or error")
	oneOf(s, &c.Log.Format, "log.format", "text", "json")
	return s
}

// oneOf adds a key with a few values, of which the first is the default.
func oneOf(s *flag.FlagSet, to *string, key string, values ...string) {
	*to = values[0]
	last := len(values) - 1
	s.Var(choice{to, values}, key, strings.Join(values[:last], ", ")+" or "+values[last])
}

// choice is the value of a key that oneOf adds. It is a [flag.Getter].
type choice struct {
	to *string
	of []string
}

func (c choice) String() string { return *c.to }
func (c choice) Get() any       { return *c.to }

// Set accepts one of the values.
func (c choice) Set(value string) error {
	if !slices.Contains(c.of, value) {
		return errors.New("no such choice")
	}
	*c.to = value
	return nil
}

// Shards is a number of connections to Discord's gateway; 0 is "auto".
type Shards int

// Rooms are the names of the rooms of the club that are left out.
type Rooms []string

// MarshalText returns the value as it is written in a variable.
func (r Rooms) MarshalText() ([]byte, error) { return []byte(strings.Join(r, ",")), nil }

// UnmarshalText accepts names with commas or spaces between them.
func (r *Rooms) UnmarshalText(text []byte) error {
	*r = nil
	for _, name := range strings.FieldsFunc(string(text), func(c rune) bool { return c == ',' || unicode.IsSpace(c) }) {
		if !slices.Contains(bot.Rooms(), name) {
			return fmt.Errorf("no room %q", name)
		}
		if !slices.Contains(*r, name) {
			*r = append(*r, name)
		}
	}
	return nil
}

// MarshalText returns the value as it is written in a file.
func (n Shards) MarshalText() ([]byte, error) {
	if n == 0 {
		return []byte("auto"), nil
	}
	return strconv.AppendInt(nil, int64(n), 10), nil
}

// UnmarshalText accepts auto, or a number of at least 1.
func (n *Shards) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		*n = 0
		return nil
	}
	count, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil || count == 0 {
		return errors.New("no number of shards")
	}
	*n = Shards(count)
	return nil
}

// entry is one configured value, as it was written.
type entry struct {
	where string // for errors: the file and line, or the variable
	key   string
	value string
}

// loadConfig reads the file, unless its name is "", and then the environment,
// which overrides the file. It validates the result. lookup returns a variable and whether it is set.
func loadConfig(file string, lookup func(string) (string, bool)) (Config, error) {
	var c Config
	settings := c.settings()
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return c, fmt.Errorf("read the configuration: %w", err)
		}
		entries, err := parse(file, text)
		if err != nil {
			return c, err
		}
		if err := apply(settings, entries); err != nil {
			return c, err
		}
	}
	if err := apply(settings, environment(settings, lookup)); err != nil {
		return c, err
	}
	settings.Visit(func(f *flag.Flag) { c.chosen = c.chosen || f.Name == "playground.listen" })
	for _, path := range []*string{&c.Store.Path, &c.Store.RedisCA, &c.Store.RedisCert, &c.Store.RedisKey} {
		var err error
		if *path, err = atHome(*path); err != nil {
			return c, err
		}
	}
	return c, c.validate()
}

// atHome returns the file name with the person's own folder in the place of a "~" before its first slash, as a shell does.
func atHome(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%s: write the whole name: %w", path, err)
	}
	return filepath.Join(home, rest), nil
}

// wantQuotes is the error for a YAML alias or anchor, which is always a mistake.
const wantQuotes = `a value that begins with "*" or "&" has to stand in quotes`

const seeExample = "config.example.yaml lists all keys"

// listed returns the names in a value that is a list, or a line with commas, as one line with commas.
func listed(value *yaml.Node) (line string, ok bool) {
	switch {
	case value.Kind == yaml.ScalarNode:
		return value.Value, value.ShortTag() != "!!null"
	case value.Kind != yaml.SequenceNode || value.Anchor != "":
		return "", false
	}
	var names []string
	for _, item := range value.Content {
		if item.Kind != yaml.ScalarNode {
			return "", false
		}
		names = append(names, item.Value)
	}
	return strings.Join(names, ","), true
}

// parse reads a configuration file: sections of keys with plain values, and the list of rooms.
func parse(file string, text []byte) ([]entry, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil && strings.Contains(err.Error(), "anchor '") { // the error quotes the anchor, which may be a password
		return nil, fmt.Errorf("%s: %s", file, wantQuotes)
	} else if line := tabbed(text); err != nil && line > 0 { // the library only says that some character is wrong
		return nil, fmt.Errorf("%s:%d: the line begins with a tab: indent it with spaces", file, line)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document: remove what follows the second \"---\"", file)
	}
	var entries []entry
	err := pairs(file, document.Content[0], func(section, keys *yaml.Node) error {
		if line, ok := listed(keys); ok && section.Value == "rooms" {
			entries = append(entries, entry{where: fmt.Sprintf("%s:%d", file, section.Line), key: "rooms", value: line})
			return nil
		}
		return pairs(file, keys, func(key, value *yaml.Node) error {
			where := fmt.Sprintf("%s:%d", file, key.Line)
			name := section.Value + "." + key.Value
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_.") != "" {
				return fmt.Errorf("%s: unknown key: %s", where, seeExample) // the key isn't shown, as it may be a misplaced value
			}
			if value.Kind == yaml.AliasNode || value.Anchor != "" {
				return fmt.Errorf("%s: %s: %s", where, name, wantQuotes)
			}
			if value.Kind != yaml.ScalarNode {
				return fmt.Errorf("%s: %s: it has one plain value", where, name)
			}
			e := entry{where: where, key: name}
			if value.ShortTag() != "!!null" {
				e.value = value.Value
			}
			entries = append(entries, e)
			return nil
		})
	})
	return entries, err
}

// tabbed returns the number of the first line with a tab in its indentation, or 0.
func tabbed(text []byte) int {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if indentation := len(line) - len(bytes.TrimLeft(line, " \t")); bytes.ContainsRune(line[:indentation], '\t') {
			return number
		}
	}
	return 0
}

// pairs calls f with each key and value of a mapping. A null value counts as
// an empty mapping.
func pairs(file string, n *yaml.Node, f func(key, value *yaml.Node) error) error {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: write sections of keys, such as \"table:\" and below it \"  pace: 1500ms\"", file, n.Line)
	}
	for i := 0; i < len(n.Content); i += 2 {
		if err := f(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// fileSuffix turns a secret's key into the key of a file that contains the secret.
const fileSuffix = "_file"

// variablePrefix begins the names of the program's environment variables.
const variablePrefix = "SEDMABOT_"

// environment returns the values of the environment variables: store.path is
// SEDMABOT_STORE_PATH. An empty variable counts as not set, unless nothing is a choice and not the default.
func environment(settings *flag.FlagSet, lookup func(string) (string, bool)) []entry {
	var entries []entry
	for _, key := range keys(settings) {
		name := variableOf(key)
		value, set := lookup(name)
		f, _ := find(settings, key)
		if value != "" || set && f.DefValue != "" && strings.HasSuffix(f.Usage, orNothing) {
			entries = append(entries, entry{where: name, key: key, value: value})
		}
	}
	return entries
}

// keys returns all keys, those of secrets' files among them.
func keys(settings *flag.FlagSet) (all []string) {
	settings.VisitAll(func(f *flag.Flag) {
		all = append(all, f.Name)
		if secret(f) {
			all = append(all, f.Name+fileSuffix)
		}
	})
	return all
}

// variableOf returns the name of a key's environment variable.
func variableOf(key string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// unknownVariable is an environment variable with the program's prefix that is none of its own.
type unknownVariable struct{ name, nearest string }

// unknownVariables returns the variables of an environment that have a value and look like the program's, but are unknown to
// it, to compose.yaml and to the tests.
func unknownVariables(environ []string) (unknown []unknownVariable) {
	all := keys(new(Config).settings())
	var known []string
	for _, key := range all {
		known = append(known, variableOf(key))
	}
	others := []string{"SEDMABOT_IMAGE", "SEDMABOT_MEMORY", "SEDMABOT_REDIS_IMAGE", "SEDMABOT_DOMAIN", "SEDMABOT_UPSTREAM"} // of compose.yaml
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, variablePrefix) || strings.HasPrefix(name, "SEDMABOT_TEST_") || value == "" || slices.Contains(slices.Concat(known, others), name) {
			continue
		}
		away := func(key string) int { // the section may be missing
			_, last, _ := strings.Cut(key, ".")
			return min(levenshtein.ComputeDistance(name, variableOf(key)), 1+levenshtein.ComputeDistance(name, variableOf(last)))
		}
		nearest := slices.MinFunc(all, func(a, b string) int { return cmp.Compare(away(a), away(b)) })
		unknown = append(unknown, unknownVariable{name, variableOf(nearest)})
	}
	return unknown
}

// nearestKey returns the key that is most like an unknown one, whose section may be another.
func nearestKey(all []string, unknown string) string {
	_, last, _ := strings.Cut(unknown, ".")
	return slices.MinFunc(all, func(a, b string) int {
		away := func(key string) int {
			_, name, _ := strings.Cut(key, ".")
			return min(levenshtein.ComputeDistance(unknown, key), 2+levenshtein.ComputeDistance(last, name))
		}
		return cmp.Compare(away(a), away(b))
	})
}

// traceVariable returns a variable for OpenTelemetry, which earlier versions read, or "".
func traceVariable(environ []string) string {
	for _, pair := range environ {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "OTEL_") && value != "" {
			return name
		}
	}
	return ""
}

// secret reports whether a setting's value is a Secret.
func secret(f *flag.Flag) bool {
	_, ok := f.Value.(flag.Getter).Get().(*Secret)
	return ok
}

// apply sets the values of the entries, which all come from one source. If a
// source sets a key twice, also as a secret and as its file, that is an error.
func apply(settings *flag.FlagSet, entries []entry) error {
	seen := map[string]entry{}
	for _, e := range entries {
		f, isFile := find(settings, e.key)
		if f == nil {
			return fmt.Errorf("%s: unknown key %s: did you mean %s? %s", e.where, e.key, nearestKey(keys(settings), e.key), seeExample)
		}
		if secret(f) && strings.TrimSpace(e.value) == "" {
			continue // an empty secret counts as not set
		}
		if before, ok := seen[f.Name]; ok {
			return fmt.Errorf("%s: %s is set already by %s at %s: remove one of them", e.where, e.key, before.key, before.where)
		}
		seen[f.Name] = e
		value := strings.TrimSpace(e.value) // a file .env of Windows ends its lines with a carriage return
		if isFile {
			name, err := atHome(value)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", e.where, e.key, err)
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return fmt.Errorf("%s: read %s: %w", e.where, e.key, err)
			}
			if value = strings.TrimSpace(string(text)); value == "" {
				return fmt.Errorf("%s: %s: the file %s is empty", e.where, e.key, name)
			}
		}
		if secret(f) && strings.ContainsFunc(value, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
			return fmt.Errorf("%s: %s has a space or another character inside that can't be seen: copy it again", e.where, e.key)
		}
		if err := settings.Set(f.Name, value); err != nil {
			return fmt.Errorf("%s: %s is %q: it must be %s", e.where, e.key, e.value, f.Usage)
		}
	}
	return nil
}

// find returns the setting of a key, and whether the key names a file that
// contains the secret. It returns nil if there is no such key.
func find(settings *flag.FlagSet, key string) (f *flag.Flag, isFile bool) {
	if f := settings.Lookup(key); f != nil {
		return f, false
	}
	base, isFile := strings.CutSuffix(key, fileSuffix)
	if f := settings.Lookup(base); isFile && f != nil && secret(f) {
		return f, true
	}
	return nil, false
}

// validate returns an error that lists the mistakes in c, and how to correct them.
func (c Config) validate() error {
	var wrong []error
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	c.validateStore(say)
	c.validateAddresses(say)
	c.validateTables(say)
	if !c.playground() && c.Discord.Token.Reveal() == "" && c.Telegram.Token.Reveal() == "" {
		say("there is nowhere to play: set discord.token or telegram.token, or playground.enabled to true")
	}
	return errors.Join(wrong...)
}

func (c Config) validateStore(say func(format string, args ...any)) {
	if c.Store.Path == "" && c.Store.RedisURL.Reveal() == "" {
		say("store.path is empty: name a file, such as ./data/sedmabot.db, or set store.redis_url")
	}
	if info, err := os.Stat(c.Store.Path); err == nil && info.IsDir() && c.Store.RedisURL.Reveal() == "" {
		say("store.path is %q, a folder: name a file in it", c.Store.Path)
	}
	scheme, _, ok := strings.Cut(c.Store.RedisURL.Reveal(), "://")
	switch _, err := c.redisOptions(); {
	case c.Store.RedisURL.Reveal() != "" && (!ok || !slices.Contains([]string{"redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel"}, scheme)):
		say("store.redis_url is no address of a Redis: write it as redis://:password@host:6379/0, or with rediss:// for TLS, redis+sentinel:// for Sentinels")
	case c.Store.RedisCA != "" && !strings.HasPrefix(scheme, "rediss"):
		say("store.redis_ca is set, and store.redis_url has no TLS: let it begin with rediss://, or leave store.redis_ca out")
	case (c.Store.RedisCert == "") != (c.Store.RedisKey == ""):
		say("store.redis_cert and store.redis_key belong together: set both, or leave both out")
	case c.Store.RedisCert != "" && !strings.HasPrefix(scheme, "rediss"):
		say("store.redis_cert is set, and store.redis_url has no TLS: let it begin with rediss://, or leave store.redis_cert and store.redis_key out")
	case err != nil:
		say("%v", err)
	}
}

func (c Config) validateAddresses(say func(format string, args ...any)) {
	for _, a := range []struct{ key, value string }{
		{"discord.api_base", c.Discord.APIBase}, {"telegram.api_base", c.Telegram.APIBase},
	} {
		if u, err := url.Parse(a.value); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
			say("%s is %q: write an address that begins with https://, without a password, or leave the key out", a.key, a.value)
		}
	}
	if !listens(c.Playground.Listen) {
		say("playground.listen is %q: write host:port, such as 127.0.0.1:8080", c.Playground.Listen)
	}
	for _, a := range []struct{ key, value, example string }{{"http.listen", c.HTTP.Listen, "127.0.0.1:8081"}, {"monitor.listen", c.Monitor.Listen, defaultMonitor}} {
		if a.value != "" && !listens(a.value) {
			say("%s is %q: write host:port, such as %s, or leave it empty", a.key, a.value, a.example)
		}
	}
	if _, port, _ := net.SplitHostPort(c.HTTP.Listen); c.HTTP.Listen == c.Monitor.Listen && port != "0" && port != "" {
		say("http.listen and monitor.listen are both %q: monitoring needs an address of its own, which strangers can't reach", c.HTTP.Listen)
	}
	c.validateWeb(say)
	c.validateLogins(say)
	if c.Discord.Mode == "interactions" && (c.Discord.PublicKey == "" || c.HTTP.Listen == "") {
		say("discord.mode is interactions: set discord.public_key (General Information at https://discord.com/developers/applications) and http.listen, too")
	}
	if c.Telegram.Mode == "webhook" && (c.Telegram.WebhookURL == "" || c.HTTP.Listen == "") {
		say("telegram.mode is webhook: set telegram.webhook_url and http.listen, too")
	}
	if digits := c.Discord.PublicKey; digits != "" && (len(digits) != 64 || strings.Trim(digits, "0123456789abcdefABCDEF") != "") {
		say("discord.public_key is %q: copy the 64 digits of Public Key (General Information at https://discord.com/developers/applications)", digits)
	}
	c.validateWebhook(say)
}

// webhookPorts are the ports at which Telegram calls a webhook: https://core.telegram.org/bots/api#setwebhook.
// A Bot API server of one's own calls any.
var webhookPorts = []string{"", "80", "88", "443", "8443"}

func (c Config) validateWebhook(say func(format string, args ...any)) {
	official := c.Telegram.APIBase == telegram.Base
	u, err := url.Parse(c.Telegram.WebhookURL)
	switch {
	case c.Telegram.WebhookURL == "":
	case err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || official) || !strings.HasSuffix(u.Path, "/telegram"):
		say("telegram.webhook_url is %q: write an address that begins with https://, ends with /telegram, and leads to /telegram at http.listen", c.Telegram.WebhookURL)
	case official && !slices.Contains(webhookPorts, u.Port()):
		say("telegram.webhook_url is %q: Telegram calls no other ports than 443, 80, 88 and 8443", c.Telegram.WebhookURL)
	}
}

// listens reports whether an address is one to listen on: host:port, where the port is a number or has a name.
func listens(address string) bool {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	return err == nil
}

// plainPath is a path that is the same in an address, in a request and in a handler's pattern.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?$`)

func (c Config) validateWeb(say func(format string, args ...any)) {
	if u, err := url.Parse(c.Web.URL); c.Web.URL != "" && (err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && local(u.Hostname()))) {
		say("web.url is %q: write an address that begins with https:// and leads to http.listen", c.Web.URL)
	} else if c.Web.URL != "" && (!plainPath.MatchString(u.Path) || u.RawPath != "") {
		say("web.url is %q: after the host, write only letters, digits, -, _, . and ~ between slashes", c.Web.URL)
	} else if c.Web.URL != "" && c.HTTP.Listen == "" {
		say("web.url is set: set http.listen, too, which answers there")
	}
}

func (c Config) validateLogins(say func(format string, args ...any)) {
	if c.Telegram.App != "" && (c.Web.URL == "" || strings.Trim(c.Telegram.App, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "") {
		say("telegram.app is %q: write the short name that you gave the Mini App at @BotFather, and set web.url, too", c.Telegram.App)
	}
	id, secret := c.Discord.ClientID, c.Discord.ClientSecret.Reveal()
	if (id == "") != (secret == "") || id != "" && (c.Web.URL == "" || strings.Trim(id, "0123456789") != "") {
		say("discord.client_id is %q: write the Client ID (OAuth2 at https://discord.com/developers/applications), and set discord.client_secret and web.url, too", id)
	}
}

// local reports whether a host is this machine, which needs no https.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (c Config) validateTables(say func(format string, args ...any)) {
	if c.Table.Pace < 0 || c.Table.Pace > time.Minute {
		say("table.pace is %v: write a duration from 0 to 1m, such as 1500ms", c.Table.Pace)
	}
	if min(c.Limits.Presses, c.Limits.PlayerTables, c.Limits.HomeTables) < 0 || max(c.Limits.Presses, c.Limits.PlayerTables, c.Limits.HomeTables) > 1_000_000 {
		say("limits are %d presses, %d player_tables, %d home_tables: write numbers from 1 to 1000000, or 0 for no limit", c.Limits.Presses, c.Limits.PlayerTables, c.Limits.HomeTables)
	}
	if c.Limits.PlayerTables > tables.MaxPlayerTables {
		say("limits.player_tables is %d: write a number from 1 to %d, or 0 for no limit", c.Limits.PlayerTables, tables.MaxPlayerTables)
	}
}

// write lists all keys with their values. It hides the values of secrets.
func (c Config) write(w io.Writer) error {
	values := c
	settings := c.settings()
	c = values
	var b strings.Builder
	b.WriteString("The configuration is good.\n")
	settings.VisitAll(func(f *flag.Flag) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-20s %s", f.Name, f.Value), " ") + "\n")
	})
	_, err := io.WriteString(w, b.String())
	return err
}

// playground reports whether the playground is on.
func (c Config) playground() bool {
	if c.Playground.Enabled == "auto" {
		return c.Discord.Token.Reveal() == "" && c.Telegram.Token.Reveal() == ""
	}
	return c.Playground.Enabled == "true"
}

// withoutNil leaves out an error of a line that has none: err=<nil> only makes people look for a fault.
func withoutNil(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindAny && a.Value.Any() == nil {
		return slog.Attr{}
	}
	return a
}

// logger returns a logger that writes to w, with the level and format of c.
func (c Config) logger(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.Log.Level, ReplaceAttr: withoutNil}
	if c.Log.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
