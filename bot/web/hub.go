package web

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/view"
)

// hub joins the sockets that show the same table: each change is loaded once for all.
type hub struct {
	site *Site

	ctx  context.Context // of all subscriptions, also of those before run
	stop context.CancelFunc

	loads atomic.Int64 // how many states were loaded

	mu     sync.Mutex
	tables map[string]*subscribers
	wg     sync.WaitGroup
}

// subscribers holds the sockets of one table. hub.mu guards it.
type subscribers struct {
	id      string
	sockets map[*socket]bool
	stop    context.CancelFunc
	since   time.Time            // when the first of the sockets came
	heard   map[string]time.Time // by mark: when that person said what the sockets have been told; nil: not known yet
}

// state is a state of a table, which all its sockets share.
type state struct {
	chat.PageTable
	no       int64    // grows with each load, unlike Version also after a rollback of the store
	watching int      // spectators whose pages show it
	frames   sync.Map // what spectators get, by language and whether they have a front door: a function that returns a frame
}

// frame returns what spectators who speak a language get. It is made once for all of them.
func (st *state) frame(c *lang.Catalogue, home bool) ([]byte, error) {
	made, _ := st.frames.LoadOrStore(frameKey{c.Code(), home}, sync.OnceValues(func() ([]byte, error) {
		live := guestLive(st.PageTable, c)
		live.Home, live.Watching = home, st.watching
		return stamp(outgoing{T: "live", Live: &live})
	}))
	return made.(func() ([]byte, error))()
}

// frameKey says which spectators get the same frame.
type frameKey struct {
	lang string
	home bool
}

// run regularly records which players have a page open, and ends the sockets of sessions that have
// ended. When ctx ends, it ends all sockets.
func (h *hub) run(ctx context.Context) {
	h.wg.Go(func() { h.watchMembers(ctx) })
	tick := time.NewTicker(chat.SeenEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.recordSeen(ctx)
			h.endSessions(ctx)
		case <-ctx.Done():
			h.mu.Lock()
			h.stop()
			for _, g := range h.tables {
				for c := range g.sockets {
					c.end()
				}
			}
			h.mu.Unlock()
			h.wg.Wait()
			return
		}
	}
}

// recordSeen records which players have a page open.
func (h *hub) recordSeen(ctx context.Context) {
	all := h.players()
	for _, id := range slices.Sorted(maps.Keys(all)) {
		if err := h.site.Pages().Seen(ctx, id, all[id]); err != nil && ctx.Err() == nil {
			h.site.Log.Warn("record the open pages", "err", err)
		}
	}
}

// all returns the sockets that show tables.
func (h *hub) all() (sockets []*socket) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range h.tables {
		sockets = slices.AppendSeq(sockets, maps.Keys(g.sockets))
	}
	return sockets
}

// endSessions ends the sockets whose session has ended in another process, or at the wish of its person.
func (h *hub) endSessions(ctx context.Context) {
	goes := map[string]error{}
	for _, c := range h.all() {
		err, known := goes[c.session.ID]
		if !known {
			err = c.checkSession(ctx)
			goes[c.session.ID] = err
		}
		if errors.Is(err, errSession) {
			c.endWith(err)
		}
	}
}

// end ends the sockets of a session.
func (h *hub) end(id string) {
	for _, c := range h.all() {
		if c.session.ID == id {
			c.endWith(errSession)
		}
	}
}

// watchMembers regularly asks the platforms whether spectators are still members of the chats whose
// tables they watch.
func (h *hub) watchMembers(ctx context.Context) {
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

// members ends the sockets of spectators who have left their chat, one after the other.
func (h *hub) members(ctx context.Context) {
	for _, c := range h.all() {
		c.mu.Lock()
		id := c.table
		c.mu.Unlock()
		if c.seated.Load() || id == "" || ctx.Err() != nil {
			continue
		}
		var err error
		if id == view.FrontDoor {
			if c.here.ID != "" {
				err = h.site.checkChats(ctx, c.session, c.here)
			}
		} else {
			var t chat.PageTable
			if t, err = h.site.Pages().Table(ctx, id); err == nil {
				err = h.site.checkMember(ctx, c.session, &t)
			}
		}
		if errors.Is(err, errMember) {
			c.endWith(err)
		}
	}
}

// players returns the players who have a page open, by table.
func (h *hub) players() map[string][]chat.Visitor {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := map[string][]chat.Visitor{}
	for id, g := range h.tables {
		for c := range g.sockets {
			if c.seated.Load() {
				out[id] = append(out[id], c.visitor)
			}
		}
	}
	return out
}

// join adds a socket to a table's subscribers. It reports false if the site is stopping.
func (h *hub) join(c *socket, id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return false
	}
	g := h.tables[id]
	if g == nil {
		ctx, stop := context.WithCancel(h.ctx)
		g = &subscribers{id: id, sockets: map[*socket]bool{}, stop: stop, since: time.Now()}
		h.tables[id] = g
		if id == view.FrontDoor { // each reader has another one
			g.sockets[c] = true
			return true
		}
		h.wg.Go(func() {
			defer h.site.contain(func() { h.drop(g) })
			h.follow(ctx, g)
		})
	}
	g.sockets[c] = true
	return true
}

// begin counts a press that the hub waits for when it stops, until wg.Done is called. It reports
// false if the site is stopping; then the page sends the press again to another process.
func (h *hub) begin() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return false
	}
	h.wg.Add(1)
	return true
}

// watching returns how many spectators have a table open.
func (h *hub) watching(id string) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if g := h.tables[id]; g != nil {
		for c := range g.sockets {
			if !c.seated.Load() {
				n++
			}
		}
	}
	return n
}

// leave removes a socket from its table.
func (h *hub) leave(c *socket, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	g := h.tables[id]
	if g == nil || !g.sockets[c] {
		return // its subscribers was disbanded
	}
	delete(g.sockets, c)
	if len(g.sockets) == 0 {
		g.stop()
		delete(h.tables, id)
	}
}

// drop ends the subscribers of a table. Their pages connect again, and form a new one.
func (h *hub) drop(g *subscribers) {
	h.mu.Lock()
	defer h.mu.Unlock()
	g.stop()
	if h.tables[g.id] == g {
		delete(h.tables, g.id)
	}
	for c := range g.sockets {
		c.end()
	}
}

// follow loads the table after each change, and offers it to all sockets.
func (h *hub) follow(ctx context.Context, g *subscribers) {
	changes, err := h.site.Pages().Changes(ctx, g.id)
	load := func() bool {
		onOwnStack(func() { err = h.load(ctx, g) })
		return err == nil
	}
	if err == nil && load() {
		changes(load)
	}
	if err == nil || ctx.Err() != nil {
		return
	}
	h.site.Log.Warn("follow a table", "err", err)
	h.drop(g)
}

// state loads a state of a table. A state whose load began later has all changes that the other one has, or those follow.
func (h *hub) state(ctx context.Context, id string) (*state, error) {
	no := h.loads.Add(1)
	t, err := h.site.Pages().Table(ctx, id)
	return &state{PageTable: t, no: no}, err
}

// load loads the table and offers it to all sockets.
func (h *hub) load(ctx context.Context, g *subscribers) error {
	st, err := h.state(ctx, g.id)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range g.sockets {
		if !c.seated.Load() {
			st.watching++
		}
	}
	said := g.news(st.PageTable)
	for c := range g.sockets {
		c.offer(st)
		for _, m := range said {
			c.hear(st, m)
		}
	}
	return nil
}

// news returns what the players have said since the last call. The first call returns what they have said since the first socket
// came. Only there the clock of this process counts: if it is wrong, the pages miss a phrase or get one that is up to a minute old.
func (g *subscribers) news(t chat.PageTable) (said []outgoing) {
	first := g.heard == nil
	if first {
		g.heard = map[string]time.Time{}
	}
	for seat, p := range t.People {
		if !p.At.After(g.heard[p.Mark]) {
			continue
		}
		g.heard[p.Mark] = p.At
		if !first || p.At.After(g.since) {
			said = append(said, outgoing{T: "said", Seat: seat, What: p.Said})
		}
	}
	return said
}
