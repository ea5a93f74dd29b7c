package telegram

import (
	"context"
	"errors"
	"time"

	"sedmabot/bot/chat"
)

// A group may remove the bot while no process runs. Telegram reports that later, but not after a day. So the shell stores when
// all reports had arrived. After a longer absence, each group is asked.

// Times of the reports.
const (
	reportsKept = 24 * time.Hour // https://core.telegram.org/bots/api#getting-updates
	reportEvery = time.Hour      // how often the shell is told that all reports have arrived
	reportAgain = time.Minute    // the pause after the store was away
	askEvery    = time.Second    // the pause between two groups or two facts, because answers to people come first
)

// errNotNoted reports that the shell couldn't handle a report.
var errNotNoted = errors.New("a report could not be noted")

// arrived notes that all reports have arrived until now, if that is so.
func (a *Adapter) arrived(all bool) {
	if all && len(a.reports) == 0 {
		a.reports <- struct{}{}
	}
}

// report tells the shell now and then that all reports have arrived, until ctx ends. It reports each removal that it finds out.
func (a *Adapter) report(ctx context.Context, h chat.Handler) {
	missed := func(ctx context.Context, home string, _ bool) error {
		group, _, ok := parseChat(home)
		if !ok || group >= 0 {
			return nil // a private chat
		}
		if !a.limits.Off() {
			chat.Pause(ctx, askEvery)
		}
		return a.find(ctx, group, h)
	}
	for {
		select {
		case <-a.reports:
		case <-ctx.Done():
			return
		}
		in := chat.Input{Chat: chat.Chat{Home: prefix}, Presence: chat.Reported, Missed: missed, Kept: reportsKept}
		pause := reportEvery
		if a.ask(ctx, in, h).Outcome == chat.Failed {
			pause = reportAgain
		}
		chat.Pause(ctx, pause)
		select {
		case <-a.reports: // of some time during the pause
		default:
		}
	}
}

// find asks Telegram whether the bot is in a group. It tells the shell if the bot isn't, or if the group has another id.
func (a *Adapter) find(ctx context.Context, group int64, h chat.Handler) error {
	for pause := (backOff{}); ctx.Err() == nil; {
		limited, cancel := context.WithTimeout(ctx, callTimeout)
		me, err := a.client.member(limited, group, a.client.api.Load().Self.ID)
		cancel()
		at := chatID(group, 0)
		in := chat.Input{Chat: chat.Chat{ID: at, Home: at}, Presence: chat.Removed}
		if err != nil {
			failed := deliveryError(err, group)
			switch {
			case failed.Chat != "":
				in = chat.Input{Chat: chat.Chat{ID: failed.Chat, Home: failed.Chat}, Former: at}
			case failed.Fault == chat.Retry:
				pause.wait(ctx, failed.After)
				continue
			case failed.Fault == chat.Invalid:
				return nil // Telegram doesn't say
			}
		} else if !me.absent() {
			return nil
		}
		if a.ask(ctx, in, h).Outcome == chat.Failed {
			return errNotNoted
		}
		if in.Former == "" {
			return nil
		}
		group, _, _ = parseChat(in.Chat.ID)
	}
	return ctx.Err()
}
