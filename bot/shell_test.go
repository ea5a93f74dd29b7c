package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// chats is a platform that keeps an account of its deliveries.
type chats struct {
	mu    sync.Mutex
	calls []string
	fail  func(call string) error // nil: all is well
	lasts time.Duration
}

func (*chats) Name() string                                                  { return "test" }
func (*chats) Run(ctx context.Context, _ Handler) error                      { <-ctx.Done(); return nil }
func (*chats) Ready() error                                                  { return nil }
func (*chats) Link(_ string, a Address) string                               { return "https://" + string(a) }
func (*chats) Spelling(c Command, _ string) string                           { return c.Name }
func (*chats) Reach(context.Context, Target) error                           { return nil }
func (*chats) Door(context.Context, string, func() Address) (Address, error) { return "", nil }
func (*chats) Gap(Target) time.Duration                                      { return 0 }
func (p *chats) Lasts() time.Duration                                        { return p.lasts }
func (p *chats) Delete(_ context.Context, a Address) error                   { return p.note("delete " + string(a)) }
func (p *chats) Edit(_ context.Context, a Address, _ view.Screen) error {
	return p.note("edit " + string(a))
}

func (p *chats) Send(_ context.Context, to Target, _ view.Screen, nonce string) (Address, error) {
	return Address("test:" + nonce), p.note("send " + to.Chat + to.Player)
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

// failing lets deliveries end as fail says from now on.
func (p *chats) failing(fail func(call string) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fail = fail
}

// count is how many calls begin like that; then they are forgotten.
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

// expect compares the kinds of deliveries since it was last asked.
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
	s.mu.Unlock()
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

// inBubble runs f with a bot that shows nothing unless f starts its Run.
func inBubble(t *testing.T, f func(t *testing.T, b *Bot, p *chats, s *trips)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		file, err := boltstore.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		p, s := &chats{}, &trips{Store: file}
		f(t, New(Config{Store: s, Platforms: []Platform{p}, Think: easy, Worlds: 20, Pace: time.Second, Log: slog.New(slog.DiscardHandler)}), p, s)
	})
}

// easy is the AI at its quickest.
func easy(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
	return ai.Think("easy", v)
}

// running runs the bot while f lasts.
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

func by(player string) Input {
	return Input{
		Player: Player{ID: "test:" + player, Name: player, Lang: "en"},
		Chat:   Chat{ID: "test:chat", Home: "test:home", Lang: "en"},
	}
}

func command(b *Bot, player, name string) Reply {
	in := by(player)
	in.Command = name
	return b.Handle(context.Background(), in)
}

// theTable is the table that is open in the chat.
func theTable(t *testing.T, b *Bot) table.Table {
	t.Helper()
	id, err := b.openTable(t.Context(), by("ann").Chat)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := b.table(t.Context(), id)
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
			if reply.Stands == nil {
				return
			}
			// Where the hand is comes later, when the press has its answer.
			if reply.Stands(t.Context(), in.Answer); s.take() != "1 gets, 1 commits" {
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
		p.failing(func(string) error { return &DeliveryError{Fault: Invalid, Err: errors.New("too long")} })
		command(b, "ann", "new")
		running(t, b, func() {
			time.Sleep(10 * time.Second)
			if n := p.count("send"); n != 1 {
				t.Errorf("%d tries", n)
			}
			b.docs.Nudge()
			if err := b.note(t.Context(), theTable(t, b).ID, func(*notesDoc) {}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
			if n := p.count("send"); n != 0 {
				t.Errorf("%d tries with the same screen", n)
			}
			command(b, "ben", "join")
			time.Sleep(10 * time.Second)
			if n := p.count("send"); n != 1 {
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
			if n := p.count("send"); n != 2 {
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
				return &DeliveryError{Fault: Unreachable, Err: errors.New("no access")}
			}
			return nil
		})
		command(b, "ann", "new")
		command(b, "ben", "join")
		command(b, "ann", "start")
		in := by("ann")
		in.Command, in.Answer, in.Until = "hand", "test:answer", time.Now().Add(time.Hour)
		b.Handle(t.Context(), in).Stands(t.Context(), in.Answer)
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
		for _, fault := range []Fault{Unreachable, Gone} {
			p.failing(func(string) error { return &DeliveryError{Fault: fault, Err: errors.New("no")} })
			command(b, "ann", "new")
			running(t, b, func() {
				time.Sleep(time.Minute)
				command(b, "ben", "join")
				time.Sleep(time.Minute)
				if n := p.count("send"); n != 1 {
					t.Errorf("%s: %d tries", fault, n)
				}
				p.failing(nil)
				command(b, "ann", "table")
				time.Sleep(time.Minute)
				if n := p.count("send"); n != 1 {
					t.Errorf("%s: %d messages after somebody asked", fault, n)
				}
				command(b, "ann", "close")
				time.Sleep(time.Minute)
				p.count("")
			})
		}
	})
}

// TestOldMessageIsSentAnew: where a message can be edited for an hour only, a
// change after that is a new message, and the one above goes.
func TestOldMessageIsSentAnew(t *testing.T) {
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
		keys, _ := tableKeys(theTable(t, b).ID)
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

func TestPlan(t *testing.T) {
	t.Parallel()
	screen := func(s string) view.Screen { return view.Screen{Blocks: []view.Block{{Spans: []view.Span{{Text: s}}}}} }
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	old := func(p *shownPost) bool { return !p.Sent.IsZero() && p.Sent.Before(noon) }
	hash := func(s string) string { return screenHash(screen(s)) }
	says := func(key, text string) view.Post { return view.Post{Key: key, Chat: "c", Screen: screen(text)} }
	for name, c := range map[string]struct {
		post  view.Post
		stood *shownPost
		want  string // kinds of steps; what was sent before noon cannot be edited any more
	}{
		"new":                       {says("deal:1", "a"), nil, "send"},
		"new, but only if it stood": {view.Post{Key: "deal:1", Chat: "c", OldOnly: true}, nil, ""},
		"unchanged":                 {says("deal:1", "a"), &shownPost{Address: "x", Hash: hash("a")}, ""},
		"changed":                   {says("deal:1", "b"), &shownPost{Address: "x", Hash: hash("a")}, "edit"},
		"changed, sent long ago":    {says("deal:1", "b"), &shownPost{Address: "x", Hash: hash("a"), Sent: noon.Add(-1)}, "send"},
		"changed, sent lately":      {says("deal:1", "b"), &shownPost{Address: "x", Hash: hash("a"), Sent: noon}, "edit"},
		"unchanged, sent long ago":  {says("deal:1", "a"), &shownPost{Address: "x", Hash: hash("a"), Sent: noon.Add(-1)}, ""},
		"over, sent long ago":       {view.Post{Key: "deal:1", Chat: "c", OldOnly: true}, &shownPost{Address: "x", Hash: hash("a"), Sent: noon.Add(-1)}, "mend"},
		"unknown":                   {says("deal:1", "a"), &shownPost{Address: "x"}, "edit"},
		"deleted by somebody":       {says("deal:1", "a"), &shownPost{Lost: 1}, "send"},
		"refused":                   {says("deal:1", "a"), &shownPost{Hash: hash("a")}, ""},
		"refused, then changed":     {says("deal:1", "b"), &shownPost{Hash: hash("a")}, "send"},
		"to the bottom":             {view.Post{Key: "deal:1", Chat: "c", Seq: 2}, &shownPost{Address: "x", Seq: 1}, "send"},
		"over and not wanted":       {says("deal:2", "a"), &shownPost{Address: "x"}, "send"},
		"passing and not wanted":    {says("deal:2", "a"), &shownPost{Address: "x", Passing: true}, "send remove"},
		"passing, never stood":      {says("deal:2", "a"), &shownPost{Passing: true}, "send"},
	} {
		shown := &shownDoc{Posts: map[string]*shownPost{}}
		if c.stood != nil {
			shown.Posts["c deal:1"] = c.stood
		}
		var kinds []string
		for _, s := range plan([]post{{Post: c.post}}, shown, "", old)["c"] {
			kinds = append(kinds, map[stepKind]string{send: "send", edit: "edit", mend: "mend", remove: "remove"}[s.kind])
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestADealIsSeenToEndBeforeTheNextIsSeen(t *testing.T) {
	t.Parallel()
	steps := []step{
		{kind: send, key: "c deal:3"},
		{kind: mend, key: "c deal:1"},
		{kind: mend, key: "c deal:2", post: view.Post{First: true}},
		{kind: edit, key: "c lobby:1"},
	}
	order(steps, &shownDoc{}, &shownPlace{})
	var got []string
	for _, s := range steps {
		got = append(got, s.key)
	}
	if diff := cmp.Diff([]string{"c deal:2", "c deal:3", "c lobby:1", "c deal:1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMessagesOfALimitedPlaceTakeTurns(t *testing.T) {
	t.Parallel()
	shown := &shownDoc{Posts: map[string]*shownPost{"c a": {}, "c b": {}, "c old": {}}}
	at := &shownPlace{}
	got := map[string]int{}
	for range 12 { // a and b change all the time, old has to go
		steps := []step{{kind: edit, key: "c a"}, {kind: edit, key: "c b"}, {kind: remove, key: "c old"}}
		order(steps, shown, at)
		at.Count++
		got[steps[0].key]++
		shown.Posts[steps[0].key].Count = at.Count
	}
	if diff := cmp.Diff(map[string]int{"c a": 5, "c b": 4, "c old": 3}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err   error
		fault Fault
		after time.Duration
	}{
		{errors.New("what no adapter sorted"), Retry, 0},
		{&DeliveryError{Fault: Gone}, Gone, 0},
		{fmt.Errorf("send: %w", &DeliveryError{Fault: Retry, After: time.Minute}), Retry, time.Minute},
	} {
		if fault, after := faultOf(c.err); fault != c.fault || after != c.after {
			t.Errorf("%v: %v after %v", c.err, fault, after)
		}
	}
	last := time.Duration(0)
	for fails := range 1000 {
		wait := backOff(fails)
		if wait < last || wait <= 0 || wait > 30*time.Second {
			t.Fatalf("%v after %d failures", wait, fails)
		}
		last = wait
	}
}

func TestNoncesNameMessages(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, p := range []shownPost{{}, {Seq: 1}, {Lost: 1}, {Seq: 1, Lost: 1}, {Seq: 11}} {
		for _, where := range []string{"1abc", "1abd"} {
			for _, key := range []string{"c deal:1", "c deal:11", "d deal:1"} {
				what := fmt.Sprint(where, key, p)
				name := nonce(where, key, p)
				if other := seen[name]; other != "" || len(name) != 24 {
					t.Errorf("%s: %s and %s", name, what, other)
				}
				seen[name] = what
				p.Hash, p.Address, p.Count = "h", "a", 7
				if again := nonce(where, key, p); again != name {
					t.Errorf("%s: another nonce when it is sent again", what)
				}
			}
		}
	}
}

func TestTheLinkLeadsToTheLatestDeal(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, s *trips) {
		command(b, "ann", "new")
		keys, _ := tableKeys(theTable(t, b).ID)
		shown := shownDoc{Posts: map[string]*shownPost{"test:chat lobby:1": {Address: "test:lobby"}, "test:elsewhere deal:99": {Address: "test:99"}}}
		for deal := range 20 {
			at := Address(fmt.Sprint("test:", deal+1))
			shown.Posts[fmt.Sprint("test:chat deal:", deal+1)] = &shownPost{Address: at}
			if err := s.Commit(t.Context(), store.Change{Partition: keys[1].Partition, Writes: []store.Write{{Name: keys[1].Name, Expect: store.Any, Data: encode(shown)}}}); err != nil {
				t.Fatal(err)
			}
			if reply := command(b, "ben", "new"); reply.Screen == nil || !strings.Contains(reply.Screen.String(), "https://"+string(at)+"\n") {
				t.Errorf("deal %d: %v", deal+1, reply.Screen)
			}
		}
	})
}
