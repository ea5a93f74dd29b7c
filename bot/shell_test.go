package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// chats is a platform that records its deliveries.
type chats struct {
	mu    sync.Mutex
	calls []string
	fail  func(call string) error // nil: no delivery fails
	lasts time.Duration
}

func (*chats) Name() string { return "test" }

func (*chats) Run(ctx context.Context, _ chat.Handler) error { <-ctx.Done(); return nil }

func (*chats) Ready() error { return nil }

func (*chats) Link(_ string, a chat.Address) string { return "https://" + string(a) }

func (*chats) Spelling(c chat.Command, language string) string { return "!" + c.Name + "-" + language }

func (*chats) Reach(context.Context, chat.Target) error { return nil }

func (*chats) PrivateChat(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}

func (*chats) Gap(chat.Target) time.Duration { return 0 }

func (p *chats) Lasts() time.Duration { return p.lasts }

func (p *chats) Abilities() chat.Abilities { return chat.Abilities{} }

func (p *chats) Delete(_ context.Context, a chat.Address) error { return p.note("delete " + string(a)) }

func (p *chats) Edit(_ context.Context, a chat.Address, _ screen.Screen) error {
	return p.note("edit " + string(a))
}

func (p *chats) Send(_ context.Context, to chat.Target, _ screen.Screen, nonce string) (chat.Address, error) {
	return chat.Address("test:" + nonce), p.note("send " + to.Chat + to.Player)
}

func (p *chats) note(call string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, call)
	if p.fail == nil {
		return nil
	}
	return p.fail(call)
}

// failing makes deliveries fail from now on with the errors that fail returns.
func (p *chats) failing(fail func(call string) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = fail
}

// count returns how many recorded calls begin with like, and clears the record.
func (p *chats) count(like string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range p.calls {
		if strings.HasPrefix(call, like) {
			n++
		}
	}
	p.calls = nil
	return n
}

// expect checks the kinds of deliveries since its last call.
func (p *chats) expect(t *testing.T, want ...string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	var got []string
	for _, call := range p.calls {
		kind, _, _ := strings.Cut(call, " ")
		got = append(got, kind)
	}
	if !slices.Equal(got, want) {
		t.Errorf("deliveries %v, wanted %v", got, want)
	}
	p.calls = nil
}

// trips counts the round trips to a store.
type trips struct {
	store.Store
	mu            sync.Mutex
	gets, commits int
	away          time.Time // until then, commits fail
}

func (s *trips) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	s.mu.Lock()
	s.gets++
	s.mu.Unlock()
	return s.Store.Get(ctx, keys...)
}

func (s *trips) Commit(ctx context.Context, c store.Change) error {
	s.mu.Lock()
	s.commits++
	away := time.Now().Before(s.away)
	s.mu.Unlock()
	if away {
		return errors.New("the store is away")
	}
	return s.Store.Commit(ctx, c)
}

func (s *trips) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

// take returns the trips since the last call.
func (s *trips) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.gets, s.commits = 0, 0 }()
	return fmt.Sprintf("%d gets, %d commits", s.gets, s.commits)
}

// inMemory runs f with an empty store, in a synctest bubble.
func inMemory(t *testing.T, f func(t *testing.T, file *storetest.Memory)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file := storetest.NewMemory()
		defer file.Close()
		f(t, file)
	})
}

// inBubble runs f with a bot in a synctest bubble. The bot shows nothing unless f starts its Run.
func inBubble(t *testing.T, f func(t *testing.T, b *Bot, p *chats, s *trips)) {
	t.Helper()
	inMemory(t, func(t *testing.T, file *storetest.Memory) {
		p, s := &chats{}, &trips{Store: file}
		f(t, New(Config{Store: s, Platforms: []chat.Platform{p}, Think: easy, Worlds: 20, Pace: time.Second, Log: slog.New(slog.DiscardHandler)}), p, s)
	})
}

// easy is the AI at its fastest.
func easy(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
	return ai.Beginner.Try(context.Background(), v, 0, 0)
}

// running runs the bot while f runs.
func running(t *testing.T, b *Bot, f func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = b.Run(ctx) }()
	synctest.Wait()
	f()
	synctest.Wait()
	cancel()
	<-ended
}

func by(player string) chat.Input {
	return chat.Input{
		Player: chat.Player{ID: "test:" + player, Name: player, Lang: "en"},
		Chat:   chat.Chat{ID: "test:chat", Home: "test:home", Lang: "en"},
	}
}

func command(b *Bot, player, name string) chat.Reply {
	in := by(player)
	in.Command = name
	return b.Handle(context.Background(), in)
}

// theTable returns the open table of the chat.
func theTable(t *testing.T, b *Bot) table.Table {
	t.Helper()
	id, err := b.tables.OpenTable(t.Context(), by("ann").Chat)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := b.tables.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func TestPressIsTwoRoundTrips(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		command(b, "ann", "new")
		id := theTable(t, b).ID
		press := func(player string, p view.Press) {
			t.Helper()
			in := by(player)
			p.Table = id
			in.Press, in.Answer, in.Until = p.String(), "test:answer", time.Now().Add(time.Hour)
			s.take()
			reply := b.Handle(t.Context(), in)
			want := "1 gets, 1 commits"
			if p.Action == view.ActCards {
				want = "1 gets, 0 commits"
			}
			if got := s.take(); got != want {
				t.Errorf("%s: %s (%s)", in.Press, got, reply.Toast)
			}
			if reply.Shown == nil {
				return
			}
			// The hand's address is known later, when the press has its answer.
			if reply.Shown(t.Context(), in.Answer, in.Aside()); s.take() != "1 gets, 1 commits" {
				t.Errorf("%s: noting where the answer is takes other trips", in.Press)
			}
		}
		press("ben", view.Press{Action: view.ActJoin})
		press("ben", view.Press{Action: view.ActLeave})
		press("ann", view.Press{Action: view.ActStart})
		press("ann", view.Press{Action: view.ActCards})
		tab := theTable(t, b)
		for tab.Deal.Turn() != 0 {
			time.Sleep(time.Second)
			running(t, b, func() { time.Sleep(5 * time.Second) })
			tab = theTable(t, b)
		}
		private, _ := tab.Private("test:ann")
		press("ann", view.Press{Action: view.ActPlay, Deal: tab.DealNo, Turn: private.View.Decisions[0], Move: private.View.Legal[0]})
	})
}

func TestIdleBotWritesNothing(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
		command(b, "ann", "new")
		running(t, b, func() {
			time.Sleep(10 * time.Second)
			if n := p.count("send"); n != 1 {
				t.Errorf("%d messages", n)
			}
			s.take()
			time.Sleep(15 * time.Minute)
			if got := s.take(); got != "0 gets, 0 commits" {
				t.Error(got)
			}
		})
	})
}

func TestRefusedScreenIsNotSentAgainUntilItChanges(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		p.failing(func(string) error { return &chat.DeliveryError{Fault: chat.Invalid, Err: errors.New("too long")} })
		command(b, "ann", "new")
		running(t, b, func() {
			time.Sleep(10 * time.Second)
			if n := p.count("send test:chat"); n != 1 {
				t.Errorf("%d tries", n)
			}
			b.docs.Nudge()
			if err := b.tables.Note(t.Context(), theTable(t, b).ID, func(*doc.Notes) {}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
			if n := p.count("send test:chat"); n != 0 {
				t.Errorf("%d tries with the same screen", n)
			}
			command(b, "ben", "join")
			time.Sleep(10 * time.Second)
			if n := p.count("send test:chat"); n != 1 {
				t.Errorf("%d tries with another", n)
			}
		})
	})
}

func TestPanicInAnAdapterIsARefusal(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		p.failing(func(string) error { p.fail = nil; panic("a screen that is too much") })
		command(b, "ann", "new")
		running(t, b, func() {
			command(b, "ben", "join")
			time.Sleep(10 * time.Second)
			if n := p.count("send test:chat"); n != 2 {
				t.Errorf("%d messages", n)
			}
		})
	})
}

func TestUnreachableAnswerIsLeftAlone(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		p.failing(func(call string) error {
			if call == "edit test:answer" {
				return &chat.DeliveryError{Fault: chat.Unreachable, Err: errors.New("no access")}
			}
			return nil
		})
		command(b, "ann", "new")
		command(b, "ben", "join")
		command(b, "ann", "start")
		in := by("ann")
		in.Command, in.Answer, in.Until = "hand", "test:answer", time.Now().Add(time.Hour)
		b.Handle(t.Context(), in).Shown(t.Context(), in.Answer, in.Aside())
		running(t, b, func() {
			time.Sleep(10 * time.Second)
			if n := p.count("edit test:answer"); n != 1 {
				t.Errorf("%d edits of an answer that cannot be edited", n)
			}
		})
	})
}

func TestClosedChatIsTriedWhenSomebodyAsks(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		for _, fault := range []chat.Fault{chat.Unreachable, chat.Gone} {
			p.failing(func(string) error { return &chat.DeliveryError{Fault: fault, Err: errors.New("no")} })
			command(b, "ann", "new")
			running(t, b, func() {
				time.Sleep(time.Minute)
				command(b, "ben", "join")
				time.Sleep(time.Minute)
				if n := p.count("send test:chat"); n != 1 {
					t.Errorf("%s: %d tries", fault, n)
				}
				p.failing(nil)
				command(b, "ann", "table")
				time.Sleep(time.Minute)
				if n := p.count("send test:chat"); n != 1 {
					t.Errorf("%s: %d messages after somebody asked", fault, n)
				}
				command(b, "ann", "close")
				time.Sleep(time.Minute)
				p.count("")
			})
		}
	})
}

// TestOldMessageIsSentAgain checks a platform where a message can be edited for only an
// hour. A change after that is sent as a new message, and the old one is deleted.
func TestOldMessageIsSentAgain(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		p.lasts = 15 * time.Minute
		command(b, "ann", "new")
		running(t, b, func() {
			time.Sleep(10 * time.Minute)
			command(b, "ben", "join")
			time.Sleep(time.Minute)
			p.expect(t, "send", "edit")
			time.Sleep(5 * time.Minute)
			p.expect(t)
			command(b, "ben", "leave")
			time.Sleep(time.Minute)
			p.expect(t, "send", "delete")
			command(b, "ben", "join")
			time.Sleep(time.Minute)
			p.expect(t, "edit")
		})
	})
}

func TestNewerDocumentsAreLeftAlone(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, s *trips) {
		command(b, "ann", "new")
		keys, _ := doc.TableKeys(theTable(t, b).ID)
		for i, data := range []string{`{"v":99,"d":{"id":7}}`, `no document`} {
			err := s.Commit(t.Context(), store.Change{
				Partition: keys[0].Partition, Writes: []store.Write{{Name: keys[0].Name, Expect: store.Any, Data: []byte(data)}},
				Due: []store.Mark{{ID: keys[0].Name, At: time.Now()}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if reply := command(b, "ben", "join"); reply.Toast == "" {
				t.Errorf("%s: no answer", data)
			}
			running(t, b, func() {
				s.take()
				time.Sleep(3 * time.Minute)
				s.mu.Lock()
				defer s.mu.Unlock()
				if s.commits > 5 {
					t.Errorf("%s: %d commits", data, s.commits)
				}
			})
			docs, err := s.Get(t.Context(), keys[0])
			if err != nil || string(docs[0].Data) != data {
				t.Errorf("%d: %s, %v", i, docs[0].Data, err)
			}
			if n := p.count("edit"); n > 0 {
				t.Errorf("%s: %d deliveries", data, n)
			}
		}
	})
}

func TestTheLinkLeadsToTheLatestDeal(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		command(b, "ann", "new")
		keys, _ := doc.TableKeys(theTable(t, b).ID)
		shown := deliver.Shown{Posts: map[string]*deliver.ShownPost{"test:chat lobby:1": {Address: "test:lobby"}, "test:elsewhere deal:99": {Address: "test:99"}}}
		for deal := range 20 {
			at := chat.Address(fmt.Sprint("test:", deal+1))
			shown.Posts[fmt.Sprint("test:chat deal:", deal+1)] = &deliver.ShownPost{Address: at}
			if err := s.Commit(t.Context(), store.Change{Partition: keys[1].Partition, Writes: []store.Write{{Name: keys[1].Name, Expect: store.Any, Data: doc.Encode(shown)}}}); err != nil {
				t.Fatal(err)
			}
			if reply := command(b, "ben", "new"); reply.Screen == nil || !strings.Contains(reply.Screen.String(), "https://"+string(at)+"\n") {
				t.Errorf("deal %d: %v", deal+1, reply.Screen)
			}
		}
	})
}
