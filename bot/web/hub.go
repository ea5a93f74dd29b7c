package web

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"sedmabot/bot/chat"
)

// hub joins the lines that show the same table: each change is loaded once for all.
type hub struct {
	site *Site

	mu     sync.Mutex
	ctx    context.Context // ends all gatherings; nil before run
	tables map[string]*gathering
	wg     sync.WaitGroup
}

// gathering holds the lines of one table. hub.mu guards it.
type gathering struct {
	id    string
	lines map[*line]bool
	stop  context.CancelFunc
}

// run regularly records which players have a page open, and ends the lines of sessions that have
// ended. When ctx ends, it ends all lines.
func (h *hub) run(ctx context.Context) {
	h.mu.Lock()
	h.ctx = ctx
	h.mu.Unlock()
	h.wg.Go(func() { h.guard(ctx) })
	tick := time.NewTicker(chat.SeenEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.seen(ctx)
			h.retire(ctx)
		case <-ctx.Done():
			h.mu.Lock()
			for _, g := range h.tables {
				for l := range g.lines {
					l.end()
				}
			}
			h.mu.Unlock()
			h.wg.Wait()
			return
		}
	}
}

// seen records which players have a page open.
func (h *hub) seen(ctx context.Context) {
	for id, players := range h.players() {
		if err := h.site.Pages().Seen(ctx, id, players); err != nil && ctx.Err() == nil {
			h.site.Log.Warn("record the open pages", "err", err)
		}
	}
}

// all returns the lines that show tables.
func (h *hub) all() (lines []*line) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range h.tables {
		lines = slices.AppendSeq(lines, maps.Keys(g.lines))
	}
	return lines
}

// retire ends the lines whose session has ended in another process, or at the wish of its person.
func (h *hub) retire(ctx context.Context) {
	goes := map[string]error{}
	for _, l := range h.all() {
		err, known := goes[l.session.ID]
		if !known {
			err = l.goes(ctx)
			goes[l.session.ID] = err
		}
		if errors.Is(err, errSession) {
			l.deny(err)
		}
	}
}

// end ends the lines of a session.
func (h *hub) end(id string) {
	for _, l := range h.all() {
		if l.session.ID == id {
			l.deny(errSession)
		}
	}
}

// guard regularly asks the platforms whether spectators are still members of the chats whose
// tables they watch.
func (h *hub) guard(ctx context.Context) {
	tick := time.NewTicker(memberEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.members(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// members ends the lines of spectators who have left their chat, one after the other.
func (h *hub) members(ctx context.Context) {
	for _, l := range h.all() {
		l.mu.Lock()
		id := l.table
		l.mu.Unlock()
		if l.sits.Load() || id == "" || ctx.Err() != nil {
			continue
		}
		t, err := h.site.Pages().Table(ctx, id)
		if err == nil {
			err = h.site.stays(ctx, l.session, &t)
		}
		if errors.Is(err, errMember) {
			l.deny(err)
		}
	}
}

// players returns the players who have a page open, by table.
func (h *hub) players() map[string][]chat.Visitor {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string][]chat.Visitor{}
	for id, g := range h.tables {
		for l := range g.lines {
			if l.sits.Load() {
				out[id] = append(out[id], l.visitor)
			}
		}
	}
	return out
}

// join adds a line to a table's gathering. It reports false if the site is stopping.
func (h *hub) join(l *line, id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx == nil || h.ctx.Err() != nil {
		return false
	}
	g := h.tables[id]
	if g == nil {
		ctx, stop := context.WithCancel(h.ctx)
		g = &gathering{id: id, lines: map[*line]bool{}, stop: stop}
		h.tables[id] = g
		h.wg.Go(func() {
			defer h.site.contain(func() { h.disband(g) })
			h.follow(ctx, g)
		})
	}
	g.lines[l] = true
	return true
}

// begin counts a press that the hub waits for when it stops, until wg.Done is called. It reports
// false if the site is stopping; then the page sends the press again to another process.
func (h *hub) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx == nil || h.ctx.Err() != nil {
		return false
	}
	h.wg.Add(1)
	return true
}

// leave removes a line from its table.
func (h *hub) leave(l *line, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	g := h.tables[id]
	if g == nil || !g.lines[l] {
		return // its gathering was disbanded
	}
	delete(g.lines, l)
	if len(g.lines) == 0 {
		g.stop()
		delete(h.tables, id)
	}
}

// disband ends a gathering and its lines. Their pages connect again, and form a new one.
func (h *hub) disband(g *gathering) {
	h.mu.Lock()
	defer h.mu.Unlock()
	g.stop()
	if h.tables[g.id] == g {
		delete(h.tables, g.id)
	}
	for l := range g.lines {
		l.end()
	}
}

// follow loads the table after each change, and offers it to all lines.
func (h *hub) follow(ctx context.Context, g *gathering) {
	changes, err := h.site.Pages().Changes(ctx, g.id)
	for err == nil {
		if err = h.load(ctx, g); err != nil {
			break
		}
		select {
		case <-changes:
		case <-ctx.Done():
			return
		}
	}
	if ctx.Err() != nil {
		return
	}
	h.site.Log.Warn("follow a table", "err", err)
	h.disband(g)
}

// load loads the table and offers it to all lines.
func (h *hub) load(ctx context.Context, g *gathering) error {
	t, err := h.site.Pages().Table(ctx, g.id)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for l := range g.lines {
		l.offer(&t)
	}
	return nil
}
