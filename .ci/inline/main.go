// Inline plays a deal at a table in a chat without the bot, on the stand-in for Telegram, whose scenarios have no step for an
// inline query. Ann writes the bot's name there and posts a new table, Ben joins, and both play with the cards in their
// private chats. It fails if the deal doesn't end, or if Telegram would have refused a call. .ci/run builds it in a copy of
// the stand-in's module.
//
//	inline PROGRAM
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"harness/faketg"
	"harness/violation"
)

func main() {
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "inline:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program string) (err error) {
	s := faketg.New(faketg.Options{InlineEnabled: true})
	if err := s.Start("127.0.0.1:0"); err != nil {
		return err
	}
	defer s.Close()
	ann, ben := s.NewUser("Ann"), s.NewUser("Ben")
	group := s.NewGroup("Without the bot", ann, ben)
	group.KickBot()

	dir, err := os.MkdirTemp("", "inline")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bot := exec.Command(program)
	bot.Env = append(os.Environ(), "SEDMABOT_TELEGRAM_TOKEN="+s.Token(), "SEDMABOT_TELEGRAM_API_BASE="+s.URL(), "SEDMABOT_STORE_PATH="+dir+"/sedmabot.db", "SEDMABOT_TABLE_PACE=0")
	var log strings.Builder
	bot.Stdout, bot.Stderr = &log, &log
	if err := bot.Start(); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, bot.Process.Signal(syscall.SIGTERM), bot.Wait())
		for _, v := range s.Recorder().All() {
			if v.Severity == violation.Error {
				err = errors.Join(err, errors.New(v.String()))
			}
		}
		if err != nil {
			err = fmt.Errorf("%w\n%s", err, log.String())
		}
	}()

	for _, u := range []*faketg.User{ann, ben} {
		u.Start()
		if _, err := u.DM().WaitMessage(ctx, faketg.Contains("Hello")); err != nil {
			return err
		}
	}
	query := ann.InlineQuery("new")
	if err := query.Wait(ctx); err != nil || len(query.Results) == 0 {
		return fmt.Errorf("the query has %d results: %w", len(query.Results), err)
	}
	first, _ := query.Results[0].(faketg.Obj)
	table, err := ann.ChooseInline(query, group, fmt.Sprint(first["id"]))
	if err != nil {
		return err
	}
	for _, step := range []struct {
		after  string
		who    *faketg.User
		button string
	}{{"who plays?", ben, "Join"}, {"Ben", ann, "Start"}} {
		if err := until(ctx, func() bool { return strings.Contains(table.Snapshot().Text, step.after) }); err != nil {
			return fmt.Errorf("the table doesn't say %q, but\n%s: %w", step.after, table.Snapshot().Text, err)
		}
		if _, err := step.who.PressText(table, step.button); err != nil {
			return err
		}
	}
	presses, pressed := 0, map[*faketg.Message]string{}
	if err := until(ctx, func() bool {
		for _, u := range []*faketg.User{ann, ben} {
			if play(ctx, u, presses, pressed) {
				presses++
			}
		}
		over := strings.Contains(table.Snapshot().Text, "the match is over") // a deal won by every trick wins the match
		return over || slices.ContainsFunc(ann.DM().Messages(), func(m *faketg.Message) bool { return strings.Contains(m.Snapshot().Text, "deal 2") })
	}); err != nil {
		return fmt.Errorf("after %d presses, the table says\n%s: %w", presses, table.Snapshot().Text, err)
	}
	fmt.Printf("a deal at a table elsewhere: %d presses, %d edits\n", presses, len(s.Calls("editMessageText"))+len(s.Calls("editMessageMedia")))
	return nil
}

var move = regexp.MustCompile(`^(★ )?(Continue with )?(10|[7-9JQKA])[♠♥♦♣]$|^Stop(:|$)`)

// play presses a move if a message says that it is the person's turn, unless pressed has the message with these moves.
func play(ctx context.Context, u *faketg.User, seed int, pressed map[*faketg.Message]string) bool {
	for _, m := range u.DM().Messages() {
		now := m.Snapshot()
		if !strings.Contains(now.Text, "Your turn") {
			continue
		}
		var moves []string
		for _, b := range now.Buttons() {
			if b.Data != "" && move.MatchString(b.Text) {
				moves = append(moves, b.Data)
			}
		}
		if len(moves) == 0 || pressed[m] == strings.Join(moves, "\n") {
			continue
		}
		if q, err := u.Press(m, moves[seed%len(moves)]); err == nil && q.Wait(ctx) == nil {
			pressed[m] = strings.Join(moves, "\n")
			return true
		}
	}
	return false
}

// until calls done every 20 ms until it is true.
func until(ctx context.Context, done func() bool) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}
