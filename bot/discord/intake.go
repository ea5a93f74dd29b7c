package discord

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/gateway"
	"sedmabot/bot/discord/message"
)

// maxQueued is the maximum number of interactions of one person that wait for an answer. Any more
// are dropped.
const maxQueued = 32

// maxRecent is the number of recent interactions kept, so that none is handled twice.
const maxRecent = 20_000

// Errors of interactions that are not accepted.
var (
	errStopped   = errors.New("nobody takes interactions any more")
	errQueueFull = errors.New("too many interactions of one person")
)

// intake handles interactions while Run runs. It handles the interactions of one person one
// at a time, in order of arrival, and those of different people concurrently.
type intake struct {
	replier *replier
	clock   *clock
	log     *slog.Logger
	work    context.Context // context of all running work
	busy    sync.WaitGroup

	mu      sync.Mutex
	stopped bool                          // no new work starts, so busy.Wait is safe
	queues  chat.Queues[string]           // of the people
	recent  cache.Cache[string, struct{}] // ids of the latest interactions
}

// take starts to answer an interaction. It drops an interaction that is a duplicate, or so
// old that Discord no longer waits. The person already has an answer or an error then.
func (in *intake) take(it interaction) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.stopped {
		return errStopped
	}
	if old := in.clock.age(it.ID) > answerTimeout; old || !in.recent.Add(it.ID, struct{}{}, maxRecent) {
		in.log.Debug("an interaction was dropped", "platform", platform, "kind", it.Type, "too_old", old)
		it.response.end()
		return nil
	}
	place, ok := in.queues.Join(it.queue(), maxQueued)
	if !ok {
		return errQueueFull
	}
	in.busy.Go(func() {
		defer place.End()
		in.replier.interact(in.work, it, place)
	})
	return nil
}

// presence passes to the handler that the bot was removed from a server or is in it. The
// events of a server are handled in order. When a session has begun, the handler names the servers to check.
func (in *intake) presence(news gateway.Membership) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.stopped {
		return
	}
	id := prefix + news.Guild
	input := chat.Input{Chat: chat.Chat{ID: id, Home: id}, Presence: news.What}
	switch news.What {
	case chat.Reported:
		input.Missed = func(_ context.Context, home string, group bool) error {
			if guild, ok := message.Snowflake(home, prefix); ok && group {
				news.Check(guild)
			}
			return nil
		}
		in.busy.Go(func() { in.pass(input) })
		return
	case chat.Back, chat.Added:
		input.Chat.Lang, input.Once = news.Lang, id+" added "+news.Joined
		input.Joined, _ = time.Parse(time.RFC3339, news.Joined)
		for _, channel := range news.Channels {
			input.Places = append(input.Places, prefix+channel)
		}
	case chat.Removed:
	}
	place, ok := in.queues.Join(id, maxQueued)
	if !ok {
		return
	}
	in.busy.Go(func() {
		defer place.End()
		<-place.Ready
		in.pass(input)
	})
}

// pass passes an input that Discord doesn't repeat to the handler, until that can handle it.
func (in *intake) pass(input chat.Input) {
	for tries := 0; in.replier.handle(in.work, input).Outcome == chat.Failed; tries++ {
		if !chat.Pause(in.work, chat.BackOff{First: shortestBackOff, Max: longestBackOff}.Nth(tries)) {
			return
		}
	}
}

// stop stops accepting work.
func (in *intake) stop() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.stopped = true
}

// queue returns the name of the interaction's queue, one for each person. Suggestions have
// a second queue: they change nothing, and must not wait for slow interactions.
func (it *interaction) queue() string {
	who := ""
	if u := it.who(); u != nil {
		who = u.ID
	}
	if it.Type == kindTyping {
		who += " types"
	}
	return who
}
