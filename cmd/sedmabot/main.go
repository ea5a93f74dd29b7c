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
//	sedmabot [--config FILE] backup FILE   write all data to a file
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
// Flags may stand before or after files. --config may also follow the command. Each
// command has --help.
//
// The exit status is 0 on success, 1 on failure, 2 if the command line is invalid, and
// 78 if the configuration is wrong or every platform rejects the bot, such as its token:
// another start is of no use until somebody corrects it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // homes have time zones, and the container has no time zone files

	"github.com/redis/go-redis/v9/logging"
)

// longestError is the maximum number of characters of an error that are printed.
// An error may quote a file or an argument of any length.
const longestError = 4000

// uncorrected is the exit status if another start is of no use. It is EX_CONFIG of sysexits.h, and deploy/sedmabot.service
// doesn't restart after it.
const uncorrected = 78

func main() {
	logging.Disable() // go-redis has its own global logger, but returns everything important as errors
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)        // a second signal ends the program at once
	if err := useMemory(); err != nil { // then Go's own defaults remain
		fmt.Fprintf(os.Stderr, "sedmabot: no memory limit is known: %v\n", err)
	}
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "sedmabot: %.*s\n", longestError, err)
	var wrong usageError
	switch {
	case errors.As(err, &wrong):
		fmt.Fprint(os.Stderr, "\n", wrong.usage)
		os.Exit(2)
	case errors.As(err, new(configError)), errors.As(err, new(rejectedError)):
		os.Exit(uncorrected)
	}
	os.Exit(1)
}

// run runs the whole program. It returns when the work is done, or soon after ctx ends.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if len(args) == 2 && args[0] == checkFile {
		return checkData(args[1])
	}
	l, err := read(args)
	if err != nil {
		return err
	}
	l.stdin, l.stdout, l.stderr = stdin, stdout, stderr
	return l.command.run(ctx, l)
}
