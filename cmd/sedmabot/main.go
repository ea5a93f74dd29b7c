// Command sedmabot plays Sedma with people on Discord and Telegram, and in its own
// playground: a web page for this machine, which needs no token. Without a command
// it runs the bot. The commands check, back up or repair its configuration and data.
//
//	sedmabot [--config FILE]               serve until SIGINT or SIGTERM
//	sedmabot [--config FILE] config check  check the configuration
//	sedmabot [--config FILE] healthcheck   ask the bot at monitor.listen whether it is ready
//	sedmabot [--config FILE] doctor        check tokens, store and clock, and give advice
//	sedmabot [--config FILE] discord sync-emojis
//	                                       upload the cards to Discord as emojis
//	sedmabot [--config FILE] backup [--skip-damaged] FILE
//	                                       write all data to a file
//	sedmabot [--config FILE] restore FILE  fill an empty store from such a file
//	sedmabot [--config FILE] boards check  compare the boards with the records of matches
//	sedmabot [--config FILE] boards rebuild  correct the boards from the records
//	sedmabot version                       show version, commit and date
//	sedmabot replay [--jsonl] [FILE]       replay records of games
//	sedmabot verify [FILE]                 deal a match again from its seeds and compare
//	sedmabot film [--deal N] [--names LIST] [FILE]
//	                                       draw a deal of a record as an animation
//	sedmabot engine [--level L] [--ms N]   answer requests for moves, one on each line
//	sedmabot arena --a SPEC --b SPEC       let two AI players or engines compete
//
// The exit status is 0 on success, 1 on failure, and 2 if the command line is
// invalid.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // homes have time zones, and the container has no time zone files

	"github.com/redis/go-redis/v9/logging"

	"sedmabot/game/ai/arena"
	"sedmabot/game/puzzle"
	"sedmabot/game/record"
)

const usage = `usage:
  sedmabot [--config FILE]               run the bot until it is interrupted
  sedmabot [--config FILE] config check  check the configuration, and show it without
                                         secrets
  sedmabot [--config FILE] healthcheck   ask the running bot whether it is ready
  sedmabot [--config FILE] doctor        check tokens, store and clock, and say what to do
  sedmabot [--config FILE] discord sync-emojis
                                         upload the cards to Discord as emojis, once
  sedmabot [--config FILE] backup [--skip-damaged] FILE
                                         write all data to FILE; with --skip-damaged,
                                         leave out what can't be read and list its kinds
  sedmabot [--config FILE] restore FILE  fill an empty store from a backup
  sedmabot [--config FILE] boards check|rebuild
                                         compare ratings and boards with the records of
                                         matches, or correct them; stop the bot first
  sedmabot version                       show version, commit and date
  sedmabot replay [--jsonl] [FILE]       replay a record from FILE or standard input;
                                         with --jsonl, one record from each line
  sedmabot verify [--seed HEX]... [--hash HEX]... [FILE]
                                         deal a match again from the seeds in its record
                                         or from those given, and compare; HEX of --hash
                                         is a fingerprint that the bot published
  sedmabot film [--deal N] [--names LIST] [--language CODE] [--out GIF] [FILE]
                                         draw a deal of a record as an animated GIF; LIST
                                         has a name for each seat, such as Ann,Ben,Cat,Dan
  sedmabot engine [--level L] [--ms N]   choose moves: read one JSON object from each
                                         line, and write one
  sedmabot arena --a SPEC --b SPEC [--rules NAME] [--deals N] [--seed S]
                                         let two players compete; SPEC is a level (easy,
                                         medium, hard) or exec:COMMAND, an engine
  sedmabot puzzles [--n N] [--seed S] [--rules NAMES] [--out FILE]
                                         make puzzles from deals that the AI plays with
                                         itself, one JSON object a line

Without a token, the bot opens a playground on this machine and prints its
address. config.example.yaml lists all keys. Each key is also an environment
variable: store.path is SEDMABOT_STORE_PATH.
`

// longestError is the maximum number of characters of an error that are printed.
// An error may quote a file or an argument of any length.
const longestError = 4000

func main() {
	logging.Disable() // go-redis has its own global logger, but returns everything important as errors
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)        // a second signal ends the program at once
	if err := useMemory(); err != nil { // then Go's own defaults remain
		fmt.Fprintf(os.Stderr, "sedmabot: no memory limit is known: %v\n", err)
	}
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	var wrong usageError
	switch {
	case err == nil:
	case errors.As(err, &wrong):
		fmt.Fprintf(os.Stderr, "sedmabot: %.*s\n\n%s", longestError, err, usage)
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "sedmabot: %.*s\n", longestError, err)
		os.Exit(1)
	}
}

// usageError reports a mistake in the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// run runs the whole program. It returns when the work is done, or soon after ctx ends.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("sedmabot", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	file := flags.String("config", "", "")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		_, err := io.WriteString(stdout, usage)
		return err
	} else if err != nil {
		return usageError(err.Error())
	}
	args = flags.Args()
	if len(args) > 1 && slices.ContainsFunc(args[1:], asksForHelp) {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	if len(args) > 0 {
		switch args[0] {
		case "replay":
			return record.Command(args[1:], stdin, stdout)
		case "verify":
			return verify(args[1:], stdin, stdout)
		case "film":
			return film(args[1:], stdin, stdout)
		case "engine":
			return arena.Engine(ctx, args[1:], stdin, stdout)
		case "arena":
			return arena.Command(ctx, args[1:], stdout, stderr)
		case "puzzles":
			return puzzle.Command(ctx, args[1:], stdout, stderr)
		}
	}
	return runConfigured(ctx, *file, args, stdout, stderr)
}

// runConfigured runs the commands that need the configuration in file, and the rest.
func runConfigured(ctx context.Context, file string, args []string, stdout, stderr io.Writer) error {
	skip := len(args) == 3 && args[0] == "backup" && args[1] == "--skip-damaged"
	if len(args) == 2 && (args[0] == "backup" || args[0] == "restore") || skip {
		config, err := loadConfig(file, os.Getenv)
		if err != nil {
			return err
		}
		if args[0] == "restore" {
			return restore(ctx, config, args[1], stdout)
		}
		return backup(ctx, config, args[len(args)-1], skip, stdout)
	}
	switch command := strings.Join(args, " "); command {
	case "", "config check", "healthcheck", "doctor", "discord sync-emojis", "boards check", "boards rebuild":
		config, err := loadConfig(file, os.Getenv)
		if err != nil {
			return err
		}
		switch command {
		case "config check":
			return config.write(stdout)
		case "boards check", "boards rebuild":
			return boardsCommand(ctx, config, command == "boards rebuild", stdout)
		case "healthcheck":
			return healthcheck(ctx, config, stdout)
		case "discord sync-emojis":
			return syncEmojis(ctx, config, stdout)
		case "doctor":
			return (&doctor{Config: config, out: stdout}).examine(ctx)
		}
		return serve(ctx, config, stdout, stderr)
	case "version":
		_, err := fmt.Fprintln(stdout, version())
		return err
	case "help":
		_, err := io.WriteString(stdout, usage)
		return err
	default:
		return usageError(fmt.Sprintf("unknown command %q", command))
	}
}

// asksForHelp reports whether a word after a command asks for help.
func asksForHelp(word string) bool { return word == "-h" || word == "-help" || word == "--help" }
