package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// built makes this test binary the program, under a name by which TestMain knows it. TestMain removes the link.
var (
	folder = filepath.Join(os.TempDir(), fmt.Sprintf("sedmabot-test-%d", os.Getpid()))
	built  = sync.OnceValues(func() (string, error) {
		file := filepath.Join(folder, "sedmabot")
		self, err := os.Executable()
		if err != nil {
			return "", err
		}
		return file, errors.Join(os.MkdirAll(folder, 0o700), os.Symlink(self, file))
	})
)

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "sedmabot" || len(os.Args) > 1 && os.Args[1] == checkFile {
		main()
		os.Exit(0)
	}
	if os.Getenv(eagerly) != "" {
		os.Exit(beEager())
	}
	clocktest.AtOnce(8)
	status := browser.Tests{M: m}.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// beEager is main for a process without Telegram's rate limits.
func beEager() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c, err := loadConfig("", os.LookupEnv)
	if err == nil {
		c.eager = true
		if os.Getenv(eagerly) == newer {
			c.tune = func(made *bot.Config) { made.Store = raised{made.Store} }
		}
		err = serve(ctx, c, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "sedmabot: %v\n", err)
		return 1
	}
	return 0
}

// tool runs a subcommand and returns what it printed.
func tool(t *testing.T, stdin string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := run(t.Context(), args, strings.NewReader(stdin), &out, &out)
	return out.String(), err
}

func TestSubcommands(t *testing.T) {
	t.Parallel()
	config := write(t, "c.yaml", "telegram:\n  token: 1:secret\n")
	for _, tt := range []struct {
		args  []string
		stdin string
		want  string
	}{
		{args: []string{"version"}, want: "sedmabot "},
		{args: []string{"help"}, want: "usage: sedmabot [--config FILE] [COMMAND]\n"},
		{args: []string{"--help"}, want: "  sedmabot backup FILE\n"},
		{args: []string{"help", "boards", "check"}, want: "usage: sedmabot boards check\n"},
		{args: []string{"--version"}, want: "sedmabot "},
		{args: []string{"config", "--help"}, want: "  sedmabot config check\n"},
		{args: []string{"config", "check"}, want: "The configuration is good.\n"},
		{args: []string{"--config", config, "config", "check"}, want: "telegram.token       <secret>\n"},
		{args: []string{"config", "check", "--config", config}, want: "telegram.token       <secret>\n"},
		{args: []string{"replay"}, stdin: `{"rules":"sedma-2p","dealer":0,"deals":[]}`, want: `"deals":[]`},
		{args: []string{"replay", "--jsonl"}, stdin: "{}\n{}\n", want: `"error":"input"`},
		{args: []string{"engine", "--level", "easy"}, stdin: "{}\n", want: `"error":"input"`},
		{args: []string{"arena", "--a", "sampler", "--b", "greedy", "--decks", "3", "--list"}, want: "\n1 1 "},
	} {
		got, err := tool(t, tt.stdin, tt.args...)
		if err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("sedmabot %s: %v\n%s", strings.Join(tt.args, " "), err, got)
		}
	}
}

// The program plays against itself as an engine, and the results are kept.
func TestArena(t *testing.T) {
	t.Parallel()
	kept := filepath.Join(t.TempDir(), "kept")
	got, err := tool(t, "", "arena", "--a", "exec:exec "+binary(t)+" engine --level easy", "--b", "easy", "--decks", "2", "--keep", kept)
	if err != nil || !strings.Contains(got, "score   +0.000 ± 0.000") {
		t.Errorf("%v\n%s", err, got)
	}
	if text, err := os.ReadFile(kept); err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%v: the results are\n%s", err, text)
	}
}

// Each command explains itself, and does nothing else then.
func TestHelpOfCommands(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		args := append(strings.Fields(c.name), "--help")
		got, err := tool(t, "", args...)
		if want := strings.Join(strings.Fields("usage: sedmabot "+c.name+" "+c.takes), " ") + "\n"; err != nil || !strings.HasPrefix(got, want) && c.name != "" {
			t.Errorf("sedmabot %s: %v\n%s", strings.Join(args, " "), err, got)
		}
		for _, line := range strings.Split(c.does, "\n") {
			if len(line) > 72 {
				t.Errorf("%s: a line of %d characters", c.name, len(line))
			}
		}
	}
}

// A command line with too little or too much gets a message that names it, with the command's own usage.
func TestMisusedCommands(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want string }{
		{"backup", "backup: FILE is missing"},
		{"backup --skip-damaged", "backup: flag provided but not defined: -skip-damaged"},
		{"restore", "restore: FILE is missing"},
		{"backup a b", `backup: it doesn't take "b"`},
		{"doctor --verbose", "doctor: flag provided but not defined: -verbose"},
		{"film --deal x", `film: invalid value "x" for flag -deal: parse error`},
		{"verify a b", `verify: it doesn't take "b"`},
		{"replay a b", `replay: it doesn't take "b"`},
		{"engine --ms -1", `engine: invalid value "-1" for flag -ms: parse error`},
		{"arena --decks 0", "arena: --decks is at least 1, not 0"},
		{"puzzles --n 0", "puzzles: --n is at least 1, not 0"},
		{"puzzles --rules hola-4p", "puzzles: hola-4p isn't scored in stakes"},
	} {
		args := strings.Fields(tt.args)
		_, err := tool(t, "", args...)
		var wrong usageError
		if !errors.As(err, &wrong) || wrong.text != tt.want || !strings.HasPrefix(wrong.usage, "usage: sedmabot "+args[0]) {
			t.Errorf("sedmabot %s: %v\n%s", tt.args, err, wrong.usage)
		}
	}
}

// A mistake in the command line must be reported, and nothing may be started.
func TestUnknownWords(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"serve"}, {"version", "please"}, {"config"}, {"config", "show"}, {"config", "check", "x"}, {"--verbose"}, {"--config"}, {"help", "me"},
	} {
		out, err := tool(t, "", args...)
		var wrong usageError
		if !errors.As(err, &wrong) || out != "" {
			t.Errorf("sedmabot %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	p := launch(t, nil, "frobnicate")
	if status := p.status(0); status != 2 || !strings.HasPrefix(p.stderr.String(), "sedmabot: unknown command \"frobnicate\"\n\nusage: sedmabot") {
		t.Errorf("exit status %d:\n%s", status, p.stderr)
	}
}

// If an invalid argument or file is long, the error must contain only a little of it.
func TestErrorsAreShort(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	argument := strings.Repeat("x", 100_000)
	file := func(text string) string {
		t.Helper()
		name := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	long := strings.Repeat("x", 1_000_000)
	record := file(`{"rules":"` + long + `","deals":[]}`)
	empty := file("")
	for name, args := range map[string][]string{
		"a command":         {argument},
		"a flag":            {"--" + argument},
		"a file's name":     {"replay", argument},
		"a record":          {"replay", record},
		"a line of records": {"replay", "--jsonl", record},
		"a record to check": {"verify", record},
		"a seed":            {"verify", "--seed", argument},
		"a level":           {"engine", "--level", argument},
		"the rules":         {"arena", "--rules", argument},
		"a value":           {"--config", file("table:\n  pace: " + long + "\n"), "config", "check"},
		"a key":             {"--config", file(long + ":\n  pace: 1s\n"), "config", "check"},
		"no YAML":           {"--config", file("a: *" + long + "\n"), "config", "check"},
		"a backup":          {"--config", empty, "restore", file(`{"backup":1,"schema":1}` + "\n" + `{"name":"` + long + `","doc":{}}` + "\n")},
		"a number":          {"--config", empty, "restore", file(`{"backup":` + strings.Repeat("9", 1_000_000) + "}\n")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := launch(t, nil, args...)
			status := p.status(0)
			out, output := p.stdout.String(), p.stderr.String()
			if most := longestError + len(usage(commands())) + 100; len(out) > most || len(output) > most || out+output == "" {
				t.Errorf("exit status %d, %d bytes of output, %d of errors: %.300s", status, len(out), len(output), out+output)
			}
		})
	}
}

// Everything that keeps the program from running must give one line that says what to do. If another start is of no use, the
// exit status must say that, too.
func TestFatal(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { busy.Close() })
	telegram, discord := telegramtest.New(t), discordtest.New(t)
	inUse := dataFile(t)
	start(t, inUse, "playground.listen: 127.0.0.1:0").playgroundURL()

	for name, tt := range map[string]struct {
		config []string
		words  []string
		status int
	}{
		"telegram token": {
			[]string{"telegram.token: 1:wrong", "telegram.api_base: " + telegram.URL}, []string{"telegram.token", "@BotFather"}, 78,
		},
		"discord token": {
			[]string{"discord.token: wrong", "discord.api_base: " + discord.URL()}, []string{"discord.token"}, 78,
		},
		"data file in use": {
			[]string{inUse, "playground.listen: 127.0.0.1:0"}, []string{strings.TrimPrefix(inUse, "store.path: "), "another process"}, 1,
		},
		"port in use": {
			[]string{"playground.listen: " + busy.Addr().String()}, []string{"playground.listen", "in use"}, 1,
		},
		"unknown key": {
			[]string{"store.pat: x"}, []string{"unknown key store.pat", "config.example.yaml"}, 78,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := tt.config
			if !strings.HasPrefix(config[0], "store.") {
				config = append(config, dataFile(t))
			}
			start(t, config...).fails(tt.words...)

			// The program as a separate process must print the same single line, after what it logged.
			p := launch(t, nil, "--config", write(t, "config.yaml", sections(config)))
			status, stderr := p.status(0), p.stderr.String()
			lines := linesOf(stderr)
			if status != tt.status || !strings.HasPrefix(lines[len(lines)-1], "sedmabot: ") || strings.Count(stderr, "sedmabot: ") != 1 {
				t.Errorf("exit status %d:\n%s", status, stderr)
			}
			if strings.Contains(stderr, "hunter2") || strings.Contains(stderr, "wrong") {
				t.Errorf("a secret shows: %s", stderr)
			}
		})
	}
}

// If two programs use the same Telegram token, one must give way and say so. It goes on when the other has stopped.
func TestTwoOnOneTelegramToken(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	server := telegramtest.New(t)
	env := []string{"SEDMABOT_TELEGRAM_TOKEN=" + server.Token, "SEDMABOT_TELEGRAM_API_BASE=" + server.URL}
	server.Fail(telegramtest.Failure{Method: "getUpdates", Times: 3, Code: 409, Description: "Conflict: terminated by other getUpdates request"})
	p := launch(t, append(env, "SEDMABOT_PLAYGROUND_ENABLED=true", "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"))
	p.stdout.wait(t, "The playground is at")
	p.stderr.wait(t, `level=ERROR.*another process uses the same Telegram token`)
	server.Person("Ann").Start("")
	if err := server.Until(t.Context(), func() bool { return server.Pending() == 0 }); err != nil {
		t.Error(err)
	}
	if status := p.status(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d:\n%s", status, p.stderr)
	}
}

// SIGTERM and SIGINT must end the program within ten seconds, with exit status 0.
func TestSignals(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	redis := redistest.Start(t)
	telegram, discord := telegramtest.New(t), discordtest.New(t)
	all := []string{
		"SEDMABOT_PLAYGROUND_ENABLED=true", "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0",
		"SEDMABOT_TELEGRAM_TOKEN=" + telegram.Token, "SEDMABOT_TELEGRAM_API_BASE=" + telegram.URL,
		"SEDMABOT_DISCORD_TOKEN=" + discord.Token(), "SEDMABOT_DISCORD_API_BASE=" + discord.URL(),
	}
	for _, s := range []struct {
		signal syscall.Signal
		store  string
	}{{syscall.SIGTERM, ""}, {syscall.SIGINT, "SEDMABOT_STORE_REDIS_URL=" + redis.URL()}} {
		p := launch(t, append(all, s.store))
		p.stdout.wait(t, "The playground is at")
		p.stderr.wait(t, "connected to telegram")
		discord.Until("the bot is there", func() bool { return discord.Connected() > 0 })
		if status := p.status(s.signal); status != 0 {
			t.Errorf("%v: exit status %d\n%s", s.signal, status, p.stderr)
		}
	}
}

// If one platform refuses its token, the bot must go on with the other one.
func TestARefusedTokenIsOnePlatformsOwn(t *testing.T) {
	t.Parallel()
	for _, refused := range []string{"discord", "telegram"} {
		t.Run(refused, func(t *testing.T) {
			t.Parallel()
			telegram, discord := telegramtest.New(t), discordtest.New(t)
			tokens := map[string]string{"telegram": telegram.Token, "discord": discord.Token()}
			tokens[refused] = "1:wrong"
			p := launch(t, []string{
				"SEDMABOT_TELEGRAM_TOKEN=" + tokens["telegram"], "SEDMABOT_TELEGRAM_API_BASE=" + telegram.URL,
				"SEDMABOT_DISCORD_TOKEN=" + tokens["discord"], "SEDMABOT_DISCORD_API_BASE=" + discord.URL(),
			})
			p.stderr.wait(t, `level=ERROR msg="a platform rejects the bot.* platform=`+refused)
			if refused == "telegram" {
				discord.Until("discord is connected", func() bool { return discord.Connected() == 1 })
			} else {
				telegram.Person("Ann").Start("")
				if err := telegram.Until(t.Context(), func() bool { return telegram.Pending() == 0 }); err != nil {
					t.Error(err)
				}
			}
			if status := p.status(syscall.SIGTERM); status != 0 || strings.Contains(p.stderr.String(), "1:wrong") {
				t.Errorf("exit status %d:\n%s", status, p.stderr)
			}
		})
	}
}

// If all platforms refuse their tokens, the program must end, and say so of each.
func TestAllTokensRefused(t *testing.T) {
	t.Parallel()
	telegram, discord := telegramtest.New(t), discordtest.New(t)
	p := launch(t, []string{
		"SEDMABOT_TELEGRAM_TOKEN=1:wrong", "SEDMABOT_TELEGRAM_API_BASE=" + telegram.URL,
		"SEDMABOT_DISCORD_TOKEN=wrong", "SEDMABOT_DISCORD_API_BASE=" + discord.URL(),
	})
	status, stderr := p.status(0), p.stderr.String()
	if status != 78 || !strings.Contains(stderr, "discord.token") || !strings.Contains(stderr, "telegram.token") {
		t.Errorf("exit status %d:\n%s", status, stderr)
	}
}
