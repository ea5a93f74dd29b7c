package bottest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/store/storetest"
)

// Stand is an adapter together with a fake of its platform that can fail. Nothing else runs on the fake.
type Stand struct {
	Platform chat.Platform
	Chats    [2]string // chats that the bot may write to; faults happen in the first
	People   [3]string // people that the bot can write to; faults happen to the first

	// Seen returns the messages in a chat, or in a person's private chat.
	Seen func(id string) []string
	// Asked returns how many messages and edits the platform was asked for in that chat.
	Asked func(id string) int
	// Until waits until ok returns true. If that takes too long, the test fails.
	Until func(what string, ok func() bool)
	// Cause has a function for each name in troubles, which starts that fault. It lasts until Heal.
	Cause map[string]func()
	Heal  func() // Called once
}

// trouble is a fault, and the result that the adapter must report for it. "" is a success; other values are a
// chat.Fault. A fault that happens to a person is only tested with sending.
type trouble struct {
	name               string
	send, edit, remove string
	person             bool
	after              time.Duration // waiting time that the adapter must report
	brief              bool          // the caller has little time
}

var troubles = []trouble{
	{name: "429 with retry-after", send: "retry", edit: "retry", remove: "retry", after: time.Minute},
	{name: "500", send: "retry", edit: "retry", remove: "retry"},
	{name: "502, a proxy's page", send: "retry", edit: "retry", remove: "retry"},
	{name: "403, a proxy's page", send: "retry", edit: "retry", remove: "retry"},
	{name: "404, a proxy's page", send: "retry", edit: "retry", remove: "retry"},
	{name: "a hung chat", send: "retry", edit: "retry", remove: "retry", brief: true},
	{name: "a connection cut in an answer", send: "retry", edit: "retry", remove: "retry"},
	{name: "the message is gone", edit: "gone"},
	{name: "the message is not modified"},
	{name: "the message cannot be edited any more", edit: "gone"},
	{name: "the private chat is closed", send: "unreachable", person: true},
	{name: "the bot was removed", send: "unreachable", edit: "unreachable", remove: "unreachable"},
	{name: "the chat is gone", send: "gone", edit: "gone"},
}

// hung is the fault that Faults also tests with the whole bot.
const hung = "a hung chat"

// Faults tests how an adapter reacts to the faults of its platform. It must report each one correctly, without
// revealing what the message would have shown. No other chat may be delayed. stand makes a new Stand.
func Faults(t *testing.T, stand func(t *testing.T) Stand) {
	for _, c := range troubles {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.meet(t, stand(t))
		})
	}
	t.Run("a hung chat delays no other", func(t *testing.T) {
		t.Parallel()
		clocktest.Waits(t)
		hangs(t, stand(t))
	})
	t.Run("every name", func(t *testing.T) {
		t.Parallel()
		names := map[string]bool{}
		for _, c := range troubles {
			names[c.name] = true
		}
		for name := range stand(t).Cause {
			if !names[name] {
				t.Errorf("nobody asks for %q", name)
			}
		}
	})
}

const secret = "a hand that nobody may see"

func (c trouble) meet(t *testing.T, s Stand) {
	cause := s.Cause[c.name]
	if cause == nil {
		t.Fatal("the stand-in does not know it")
	}
	screen := func(text string) screen.Screen {
		return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: text}}}}}
	}
	to, other := chat.Target{Chat: s.Chats[0]}, chat.Target{Chat: s.Chats[1]}
	if c.person {
		to, other = chat.Target{Player: s.People[0]}, chat.Target{Player: s.People[1]}
	}
	place := to.Chat + to.Player
	at, err := s.Platform.Send(t.Context(), to, screen(secret), "first")
	if err != nil {
		t.Fatal(err)
	}
	cause()
	defer s.Heal()
	asked, caused, watch := s.Asked(place), time.Now(), clocktest.Start(t)
	try := func(what, want string, do func(context.Context) error) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if c.brief {
			ctx, cancel = context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
		}
		result := make(chan error, 1)
		go func() { result <- do(ctx) }()
		began := watch.Now()
		if what == "send again" {
			// It would tell nothing new about other chats.
		} else if _, err := s.Platform.Send(t.Context(), other, screen("elsewhere"), what); err != nil || watch.Now()-began > 3*time.Second {
			t.Errorf("%s: elsewhere after %v: %v", what, watch.Now()-began, err)
		}
		err := <-result
		got, d := "", new(chat.DeliveryError)
		switch {
		case errors.As(err, &d):
			got = d.Fault.String()
			// A part of that time may have passed already.
			if d.After > c.after || d.After < c.after*3/4-time.Since(caused) {
				t.Errorf("%s: to wait %v, want %v", what, d.After, c.after)
			}
		case err != nil:
			t.Errorf("%s: %v is no error of a delivery", what, err)
		}
		if got != want {
			t.Errorf("%s: %q, want %q: %v", what, got, want, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the error shows it: %v", what, err)
		}
	}
	send := func(ctx context.Context) error {
		_, err := s.Platform.Send(ctx, to, screen(secret+" anew"), "second")
		return err
	}
	try("send", c.send, send)
	if c.after > 0 { // told to wait, the adapter must not ask the platform again
		before := s.Asked(place)
		try("send again", c.send, send)
		if n := s.Asked(place); n != before || n != asked+1 {
			t.Errorf("asked %d times more although the first said to wait", n-asked)
		}
	}
	if !c.person {
		try("edit", c.edit, func(ctx context.Context) error { return s.Platform.Edit(ctx, at, screen(secret)) })
		try("remove", c.remove, func(ctx context.Context) error { return s.Platform.Delete(ctx, at) })
	}
	for _, id := range slices.Concat(s.Chats[:], s.People[:]) {
		if id != place && strings.Contains(fmt.Sprint(s.Seen(id)), secret) {
			t.Errorf("it stands in %s", id)
		}
	}
}

// hangs plays at two tables, and the chat of one of them hangs. The other table and the first one's hands must be shown
// as usual. When the chat works again, it must show the current state, once.
func hangs(t *testing.T, s Stand) {
	file := storetest.NewMemory()
	b := bot.New(bot.Config{
		Store: file, Platforms: []chat.Platform{s.Platform}, Log: slog.New(slog.DiscardHandler),
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return v.Legal[0] },
	})
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = b.Run(ctx) })
	heal := sync.OnceFunc(s.Heal)
	defer func() {
		heal()
		stop()
		parts.Wait()
		file.Close()
	}()
	in := func(person, n int, command string) {
		t.Helper()
		args := map[string]string(nil)
		if command == "new" {
			args = map[string]string{"players": "2"} // the words of its lobby say when it is full
		}
		r := b.Handle(ctx, chat.Input{
			Player: chat.Player{ID: s.People[person], Name: []string{"Ann", "Ben", "Cat"}[person], Lang: "en"},
			Chat:   chat.Chat{ID: s.Chats[n], Home: s.Chats[n], Lang: "en"}, Command: command, Args: args,
		})
		if r.Outcome != chat.Done {
			t.Errorf("%s: %s", command, r.Toast)
		}
	}
	shows := func(id, text string) bool {
		return slices.ContainsFunc(s.Seen(id), func(seen string) bool { return strings.Contains(seen, text) })
	}
	in(0, 0, "new")
	in(1, 1, "new")
	s.Until("both lobbies stand", func() bool { return shows(s.Chats[0], "who plays?") && shows(s.Chats[1], "who plays?") })
	s.Cause[hung]()
	in(2, 0, "join")
	watch := clocktest.Start(t)
	for n := range 4 {
		began := watch.Now()
		in(2, 1, []string{"join", "leave"}[n%2])
		s.Until("the other chat", func() bool { return shows(s.Chats[1], "Everyone is here") == (n%2 == 0) })
		if took := watch.Now() - began; took > 3*time.Second {
			t.Errorf("the other chat shows it after %v", took)
		}
	}
	began := watch.Now()
	in(0, 0, "start")
	s.Until("the first table's hands", func() bool { return shows(s.People[0], "deal 1") && shows(s.People[2], "deal 1") })
	if took := watch.Now() - began; took > 4500*time.Millisecond {
		t.Errorf("hands are shown after %v", took)
	}
	if shows(s.Chats[0], "Everyone is here") {
		t.Error("the chat does not hang")
	}
	heal()
	s.Until("the chat shows what is the case", func() bool { return shows(s.Chats[0], "deal 1") })
	if seen := s.Seen(s.Chats[0]); len(seen) != 2 { // the lobby and the deal
		t.Errorf("in the chat stand %q", seen)
	}
}

// InMemory returns a folder in memory, for files that need not be on a disk.
func InMemory(t testing.TB) string {
	folder, err := os.MkdirTemp("/dev/shm", "sedmabot")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}
