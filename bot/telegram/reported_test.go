package telegram

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// telling is a bot that reports on a channel what it has handled.
type telling struct {
	*bot.Bot
	reports chan<- chat.Outcome
}

func (b telling) Handle(ctx context.Context, in chat.Input) chat.Reply {
	reply := b.Bot.Handle(ctx, in)
	if in.Presence == chat.Reported {
		b.reports <- reply.Outcome
	}
	return reply
}

// Telegram drops its reports after a day. After a longer absence, the bot asks about each group: one has removed it, one has a
// new id, and the new group of a third has removed it. A shorter absence needs no question. Private chats stay.
func TestGroupsRemoveTheBotWhileItIsAway(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	s := telegramtest.New(t)
	kept := storetest.NewMemory()
	defer kept.Close()
	ann := s.Person("Ann")
	stays, leaves, moves, both := s.Group("A", ann), s.Group("B", ann), s.Group("C", ann), s.Group("D", ann)
	has := func(key store.Key) bool {
		docs, err := kept.Get(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return docs[0].Version != 0
	}
	noted := func(c *telegramtest.Chat) bool { return has(doc.PurgeKey(chatID(c.ID, 0))) }
	heard := doc.InHome("telegram", "heard:telegram")
	until := func() (h people.Heard) {
		docs, err := kept.Get(t.Context(), heard)
		if err != nil || doc.Decode(docs[0], &h) != nil {
			t.Fatal(docs, err)
		}
		return h
	}
	wait := func(ok func() bool) {
		t.Helper()
		for ctx := soon(t); !ok(); { // the store reports no changes
			if !chat.Pause(ctx, 10*time.Millisecond) {
				t.Fatal(ctx.Err())
			}
		}
	}
	reports := make(chan chat.Outcome, 9)
	start := func(hook bool) (stop func()) {
		a, _ := adapter(t, s, func(c *Config) { c.Webhook, c.Push = "http://127.0.0.1:1/telegram", hook })
		b := bot.New(bot.Config{Store: kept, Platforms: []chat.Platform{a}, Log: slog.New(slog.DiscardHandler), Worlds: 2})
		ctx, cancel := context.WithCancel(t.Context())
		var parts sync.WaitGroup
		parts.Go(func() { _ = b.Run(ctx) })
		parts.Go(func() { _ = a.Run(ctx, telling{b, reports}) })
		return func() {
			cancel()
			parts.Wait()
		}
	}
	// after runs the bot until it has noted that all reports have arrived.
	after := func(hook bool) {
		t.Helper()
		stop := start(hook)
		defer stop()
		if got := <-reports; got != chat.Done {
			t.Errorf("the reports: %v", got)
		}
	}

	stop := start(false)
	ann.Start("")
	for _, c := range []*telegramtest.Chat{stays, leaves, moves, both, ann.Private()} {
		ann.Say(c, "/settings")
		ann.Say(c, "/new")
		wait(func() bool { // the bot has answered both, in their order, so it asks nothing for them later
			return has(doc.HomeKey(chatID(c.ID, 0))) && slices.ContainsFunc(c.Messages(), func(m telegramtest.Message) bool { return strings.Contains(m.Text, "who plays?") })
		})
	}
	<-reports
	stop()

	leaves.BotIs("left", ann)
	moves.Upgrade()
	both.Upgrade().BotIs("kicked", ann)
	ann.Block()
	s.Forget()
	asked := len(s.Calls("getChatMember"))
	after(false)
	if n := len(s.Calls("getChatMember")); n != asked || noted(leaves) {
		t.Errorf("after a short absence: %d questions", n-asked)
	}

	docs, err := kept.Get(t.Context(), heard)
	if err != nil {
		t.Fatal(err)
	}
	old := doc.Encode(people.Heard{Until: until().Until.Add(-25 * time.Hour)})
	if err := kept.Commit(t.Context(), store.Change{Partition: heard.Partition, Writes: []store.Write{{Name: heard.Name, Expect: docs[0].Version, Data: old}}}); err != nil {
		t.Fatal(err)
	}
	s.Fail(telegramtest.Failure{Method: "getChatMember", Code: http.StatusBadGateway, Times: 1})
	after(true)
	if !noted(leaves) || !noted(both) {
		t.Errorf("removed: %v, moved and removed: %v", noted(leaves), noted(both))
	}
	if noted(stays) || noted(moves) || noted(ann.Private()) {
		t.Errorf("stays: %v, moved: %v, private: %v", noted(stays), noted(moves), noted(ann.Private()))
	}
}
