package bot

import (
	"context"
	"slices"
	"strings"

	"sedmabot/bot/chat"
)

// withdrawn lists how presses begin whose feature no longer exists. Messages of earlier releases still have their buttons.
var withdrawn = []string{
	"finalin:", "finalout:", "cfg:final:", "cfg:page:final:", // the match on Sundays
	"puzzle:quiz:", "cfg:quiz:", "cfg:page:quiz:", // the puzzle of the day as a message to a chat
	"cfg:puzzles:", "cfg:page:puzzles:", // puzzles from a chat's matches
	"cfg:voice:", "cfg:page:voice:", // the score in the voice channel
	"cfg:weekly:", "cfg:page:weekly:", // the page of the week
	"mine:topics:", "mine:page:topics:", // topics in private chats
}

// errWithdrawn says that a pressed button's feature no longer exists.
var errWithdrawn = chat.NewRefusal("withdrawn")

// isWithdrawn reports whether a press belongs to a feature that no longer exists.
func isWithdrawn(press string) bool {
	return slices.ContainsFunc(withdrawn, func(begin string) bool { return strings.HasPrefix(press, begin) })
}

// refuseWithdrawn answers such a press.
func refuseWithdrawn(_ context.Context, in chat.Input) chat.Reply { return in.Refuse(errWithdrawn) }
