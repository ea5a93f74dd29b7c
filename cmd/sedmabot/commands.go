package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"sedmabot/game/ai"
)

// command is one thing that the program does.
type command struct {
	name  string // its words; "" for the bot itself
	takes string // its flags and files, as its usage shows them
	does  string // what it does, in lines of 70 characters at most
	run   func(ctx context.Context, l *line) error
}

// line is what follows the command in a command line, and the program's own input and output.
type line struct {
	command *command
	file    string   // of --config
	args    []string // flags and files in any order
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
}

// commands returns the table of the commands.
func commands() []command {
	return []command{
		{"", "", "run the bot until it is interrupted", configured(func(ctx context.Context, c Config, l *line) error {
			return serve(ctx, c, l.stdout, l.stderr)
		})},
		{"config check", "", "check the configuration, and show it without secrets", configured(func(_ context.Context, c Config, l *line) error {
			return c.write(l.stdout)
		})},
		{"healthcheck", "", "ask the running bot whether it is ready", configured(func(ctx context.Context, c Config, l *line) error {
			return healthcheck(ctx, c, l.stdout)
		})},
		{"doctor", "", "check tokens, store and clock, and say what to do", configured(func(ctx context.Context, c Config, l *line) error {
			return (&doctor{Config: c, out: l.stdout}).examine(ctx)
		})},
		{"discord sync-emojis", "", "upload the cards to Discord as emojis, once", configured(func(ctx context.Context, c Config, l *line) error {
			return syncEmojis(ctx, c, l.stdout)
		})},
		{"backup", "FILE", "write all data to FILE, also while the bot runs", runBackup},
		{"restore", "FILE", "fill an empty store from a backup", runRestore},
		{"boards check", "", "compare ratings and boards with the records of matches;\nstop the bot first", configured(func(ctx context.Context, c Config, l *line) error {
			return boardsCommand(ctx, c, false, l.stdout)
		})},
		{"boards rebuild", "", "correct ratings and boards from the records of matches;\nstop the bot first", configured(func(ctx context.Context, c Config, l *line) error {
			return boardsCommand(ctx, c, true, l.stdout)
		})},
		{"version", "", "show version, commit and date", runVersion},
		{"replay", "[--jsonl] [FILE]", "replay a record from FILE or standard input;\nwith --jsonl, one record from each line", replay},
		{"verify", "[--seed HEX]... [--hash HEX]... [FILE]", "deal a match again from the seeds in its record or from those given,\nand compare; HEX of --hash is a fingerprint that the bot published", verify},
		{"film", "[--deal N] [--names LIST] [--language CODE] [--out GIF] [FILE]", "draw a deal of a record as an animated GIF; LIST has a name for each\nseat, such as Ann,Ben,Cat,Dan", film},
		{"engine", "[--level L] [--ms N]", "choose moves: read one JSON object from each line, and write one", engine},
		{"arena", "--a SPEC --b SPEC [--rules NAME] [--decks N] [--seed S] [--keep FILE] [--list]", "let two players compete; --list prints the decks; SPEC is greedy,\nsampler, an engine (exec:COMMAND), or a level:\n" + strings.Join(ai.Levels, ", "), compete},
		{"puzzles", "[--n N] [--seed S] [--rules NAMES] [--theme THEME] [--lessons] [--out FILE]", "make puzzles from deals that the AI plays with itself,\none JSON object a line; with --lessons, make the lessons", puzzles},
	}
}

// runVersion implements `sedmabot version`.
func runVersion(_ context.Context, l *line) error {
	if _, err := l.parse(l.flags()); err != nil {
		return err
	}
	_, err := fmt.Fprintln(l.stdout, version())
	return err
}

// runBackup implements `sedmabot backup FILE`.
func runBackup(ctx context.Context, l *line) error {
	c, files, err := l.configure(l.flags(), "FILE")
	if err != nil {
		return err
	}
	return backup(ctx, c, files[0], l.stdout)
}

// runRestore implements `sedmabot restore FILE`.
func runRestore(ctx context.Context, l *line) error {
	c, files, err := l.configure(l.flags(), "FILE")
	if err != nil {
		return err
	}
	return restore(ctx, c, files[0], l.stdout)
}

// configured returns the function of a command that needs the configuration and nothing else.
func configured(run func(ctx context.Context, c Config, l *line) error) func(context.Context, *line) error {
	return func(ctx context.Context, l *line) error {
		c, _, err := l.configure(l.flags())
		if err != nil {
			return err
		}
		return run(ctx, c, l)
	}
}

// configure parses the flags, --config among them, and loads the configuration. It warns of variables that nothing reads.
func (l *line) configure(flags *flag.FlagSet, files ...string) (Config, []string, error) {
	flags.StringVar(&l.file, "config", l.file, "")
	named, err := l.parse(flags, files...)
	if err != nil {
		return Config{}, nil, err
	}
	c, err := loadConfig(l.file, os.LookupEnv)
	if err != nil {
		return c, nil, configError{err}
	}
	for _, u := range unknownVariables(os.Environ()) {
		c.logger(l.stderr).Warn("nothing reads this variable: correct its name, or remove it", "variable", u.name, "nearest", u.nearest)
	}
	if name := traceVariable(os.Environ()); name != "" {
		c.logger(l.stderr).Warn("this program sends no traces: remove the variable", "variable", name)
	}
	return c, named, nil
}

// flags returns an empty set of flags for the command.
func (l *line) flags() *flag.FlagSet {
	flags := flag.NewFlagSet(l.command.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parse parses the flags, which may also follow files. It returns the files. Each of the named files is required; one in
// brackets is optional.
func (l *line) parse(flags *flag.FlagSet, named ...string) (files []string, err error) {
	for rest := l.args; ; files, rest = append(files, flags.Arg(0)), flags.Args()[1:] {
		if err := flags.Parse(rest); err != nil {
			return nil, l.misused("%v", err)
		}
		if flags.NArg() == 0 {
			break
		}
	}
	switch {
	case len(files) > len(named):
		return nil, l.misused("it doesn't take %.60q", files[len(named)])
	case len(files) < len(named) && !strings.HasPrefix(named[len(files)], "["):
		return nil, l.misused("%s is missing", named[len(files)])
	}
	return files, nil
}

// misused returns the error of a wrong command line.
func (l *line) misused(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if l.command.name != "" {
		text = l.command.name + ": " + text
	}
	return usageError{text, l.command.usage()}
}

// usageError reports a mistake in the command line.
type usageError struct {
	text  string
	usage string // of the command, or of the program if the command isn't known
}

func (e usageError) Error() string { return e.text }

// configError reports a mistake in the configuration: another start is of no use until somebody corrects it.
type configError struct{ error }

func (e configError) Unwrap() error { return e.error }

// read reads a command line. If it asks for help, read returns a command that gives it.
func read(args []string) (*line, error) {
	l := &line{command: &command{}}
	flags := l.flags()
	flags.StringVar(&l.file, "config", "", "")
	showVersion := flags.Bool("version", false, "")
	all := commands()
	switch err := flags.Parse(args); {
	case *showVersion:
		l.command = &command{name: "version", run: runVersion}
		return l, nil
	case errors.Is(err, flag.ErrHelp), err == nil && slices.Equal(flags.Args(), []string{"help"}):
		l.command = helps(usage(all))
		return l, nil
	case err != nil:
		return nil, usageError{err.Error(), usage(all)}
	}
	words := flags.Args()
	if len(words) > 1 && words[0] == "help" {
		named := strings.Join(words[1:], " ")
		i := slices.IndexFunc(all, func(c command) bool { return c.name == named })
		if i < 0 {
			return nil, usageError{fmt.Sprintf("unknown command %.200q", named), usage(all)}
		}
		l.command = helps(all[i].usage())
		return l, nil
	}
	for i, c := range all {
		of := strings.Fields(c.name)
		if len(of) > len(words) || !slices.Equal(of, words[:len(of)]) || c.name == "" && len(words) > 0 {
			continue
		}
		if l.command, l.args = &all[i], words[len(of):]; slices.ContainsFunc(l.args, asksForHelp) {
			l.command = helps(c.usage())
		}
		return l, nil
	}
	if slices.ContainsFunc(words, asksForHelp) {
		l.command = helps(usage(all))
		return l, nil
	}
	return nil, usageError{fmt.Sprintf("unknown command %.200q", strings.Join(words, " ")), usage(all)}
}

// asksForHelp reports whether a word after a command asks for help.
func asksForHelp(word string) bool { return word == "-h" || word == "-help" || word == "--help" }

// helps returns a command that writes a text.
func helps(text string) *command {
	return &command{run: func(_ context.Context, l *line) error {
		_, err := io.WriteString(l.stdout, text)
		return err
	}}
}

// usage returns the command's own usage.
func (c command) usage() string {
	return fmt.Sprintf("usage: %s\n\n%s\n", strings.Join(strings.Fields("sedmabot "+c.name+" "+c.takes), " "), c.does)
}

// usage returns the program's usage.
func usage(all []command) string {
	var b strings.Builder
	b.WriteString("usage: sedmabot [--config FILE] [COMMAND]\n\n")
	for _, c := range all {
		fmt.Fprintf(&b, "  %s\n        %s\n", strings.TrimSpace("sedmabot "+c.name+" "+c.takes), strings.ReplaceAll(c.does, "\n", "\n        "))
	}
	b.WriteString(`
Without a token, the bot opens a playground on this machine and prints its
address. config.example.yaml lists all keys. Each key is also an environment
variable: store.path is SEDMABOT_STORE_PATH.
`)
	return b.String()
}
