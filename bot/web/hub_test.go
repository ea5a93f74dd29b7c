package web

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"

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

func (p *tables) Table(context.Context, string) (chat.PageTable, error) {
	if p.broken.Load() {
		return chat.PageTable{}, errors.New("the store doesn't answer")
	}
	return chat.PageTable{
		Version: p.version.Load(), Public: table.Public{Lasting: table.Lasting{ID: "t"}},
		Private: func(string) (table.Private, bool) { return table.Private{}, false },
	}, nil
}

func (p *tables) Changes(context.Context, string) (<-chan struct{}, error) { return p.changes, nil }

// After the store has failed, a page that connects again gets the changes, even if older lines
// haven't ended yet.
func TestAPageThatConnectsAgainGetsChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bot := &tables{changes: make(chan struct{})}
		site := &Site{Config: Config{Pages: func() chat.Pages { return bot }, Log: slog.New(slog.DiscardHandler)}}
		ctx, stop := context.WithCancel(t.Context())
		h := &hub{site: site, ctx: ctx, tables: map[string]*gathering{}}
		ended := false
		join := func() *line {
			l := &line{site: site, table: "t", wake: make(chan struct{}, 1), end: func() { ended = true }}
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
		if fresh.version != 7 {
			t.Errorf("the page has version %d of the table", fresh.version)
		}
		h.leave(fresh, "t")
		stop()
		h.wg.Wait()
		if len(h.tables) > 0 {
			t.Errorf("%d gatherings are left", len(h.tables))
		}
	})
}
