package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
)

// tables is a bot with one table, as the hub sees it. It reports a change whenever it is told to.
type tables struct {
	chat.Pages

	version atomic.Int64
	broken  atomic.Bool
	changes chan struct{}
}

func (p *tables) Table(ctx context.Context, _ string) (chat.PageTable, error) {
	if ctx.Err() != nil {
		return chat.PageTable{}, ctx.Err()
	}
	if p.broken.Load() {
		return chat.PageTable{}, errors.New("the store doesn't answer")
	}
	return chat.PageTable{
		Version: p.version.Load(), Public: table.Public{Lasting: table.Lasting{ID: "t", Chats: []table.Chat{{ID: "test:2"}}}},
		Private: func(string) (table.Private, bool) { return table.Private{}, false },
		Allows:  func(string) bool { return true },
	}, nil
}

func (p *tables) Changes(ctx context.Context, _ string) (chat.Changes, error) {
	return func(yield func() bool) {
		for {
			select {
			case <-p.changes:
				if !yield() {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}, nil
}

// After the store has failed, a page that connects again gets the changes, even if older lines
// haven't ended yet.
func TestAPageThatConnectsAgainGetsChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bot := &tables{changes: make(chan struct{})}
		site := &Site{Config: Config{Pages: func() chat.Pages { return bot }, Log: slog.New(slog.DiscardHandler)}}
		ctx, stop := context.WithCancel(t.Context())
		h := &hub{site: site, ctx: ctx, tables: map[string]*subscribers{}}
		ended := false
		join := func() *socket {
			l := &socket{site: site, table: "t", end: func() { ended = true }}
			l.unsent.Store(1) // it isn't open yet
			if !h.join(l, "t") {
				t.Fatal("the hub refuses a line")
			}
			return l
		}
		old := join()
		synctest.Wait()
		bot.broken.Store(true)
		bot.changes <- struct{}{}
		synctest.Wait()
		if !ended {
			t.Error("the line is open, although its table can't be loaded")
		}

		bot.broken.Store(false)
		fresh := join()
		h.leave(old, "t")
		synctest.Wait()
		bot.version.Store(7)
		bot.changes <- struct{}{}
		synctest.Wait()
		if fresh.offered.Version != 7 {
			t.Errorf("the page is offered version %d of the table", fresh.offered.Version)
		}
		h.leave(fresh, "t")
		stop()
		h.wg.Wait()
		if len(h.tables) > 0 {
			t.Errorf("%d gatherings are left", len(h.tables))
		}
	})
}

// patient is a bot that answers a press only while it may.
type patient struct{ chat.Handler }

func (patient) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if ctx.Err() != nil {
		return in.Refuse(ctx.Err())
	}
	return chat.Reply{Toast: "done"}
}

// A press counts even if the player has closed the page. A closed page is no error.
func TestAClosedPageIsNoError(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	site, err := New(Config{Pages: func() chat.Pages { return &tables{} }, Handler: patient{}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	closed, end := context.WithCancel(t.Context())
	end()
	v := chat.Visitor{Player: chat.Player{ID: "test:1"}, Chats: []string{"test:2"}}
	l := &socket{site: site, table: "t", visitor: v}
	if out := l.press(closed, incoming{ID: 1, Press: "rules:t", At: "t"}); out.Toast != "done" {
		t.Errorf("the press of a page that was closed: %+v", out)
	}
	r := httptest.NewRequestWithContext(closed, http.MethodGet, "/api/live?as=test", http.NoBody)
	site.refuse(httptest.NewRecorder(), r, closed.Err())
	if log.Len() > 0 {
		t.Errorf("the log:\n%s", &log)
	}
}

// Pages are told once what is said since the first of them came, even if the table is first loaded after that.
func TestNewsSinceTheFirstPage(t *testing.T) {
	t.Parallel()
	came := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	g := &subscribers{since: came}
	table := chat.PageTable{People: []chat.Person{
		{Mark: "a", Said: "hello", At: came.Add(-time.Second)},
		{Mark: "b", Said: "well", At: came.Add(time.Second)},
	}}
	if said := g.news(table); len(said) != 1 || said[0].Seat != 1 || said[0].What != "well" {
		t.Errorf("at first %+v", said)
	}
	if said := g.news(table); len(said) > 0 {
		t.Errorf("again %+v", said)
	}
	g.since = came.Add(time.Hour) // this process's clock is ahead
	table.People[0] = chat.Person{Mark: "a", Said: "thanks", At: came.Add(2 * time.Second)}
	if said := g.news(table); len(said) != 1 || said[0].What != "thanks" {
		t.Errorf("with a clock that is ahead %+v", said)
	}
}
