package bottest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/web"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// pagesURL is the address of the tables' pages. Any process may answer there.
const pagesURL = "http://localhost"

// pageAddresses returns the addresses of the pages by platform, as cmd/sedmabot does. nil: nobody opens a page.
func (w *storm) pageAddresses() map[string]string {
	if len(w.Pages) == 0 {
		return nil
	}
	return map[string]string{"telegram": pagesURL + "/", "discord": pagesURL + "/"}
}

// site serves a process's pages, if somebody opens one, until ctx ends.
func (m *machine) site(ctx context.Context) error {
	if len(m.w.Pages) == 0 {
		return nil
	}
	site, err := web.New(web.Config{URL: pagesURL, Pages: m.bot.Pages, Handler: &heard{m.bot, m}, Steps: m.bot.Steps, Log: m.log()})
	if err != nil {
		return err
	}
	defer m.w.serve(m.name+":80", site)()
	return site.Run(ctx)
}

// warmPages loads what a process loads once for its pages.
func warmPages() {
	_, _ = web.New(web.Config{})
	_ = view.GuestLive(table.Public{}, lang.For("en"))
}

// page is somebody's page of a table. It connects again as bot/web/page/line.js does, and sends unanswered presses again.
type page struct {
	who  *actor
	name string     // of the machine on which it is open
	rng  *rand.Rand // its own: the plans and other people's acts don't depend on pages
	play *rand.Rand // what its person does on it
	jar  *cookiejar.Jar
	over chan struct{} // closed when it is closed for good
	gone sync.WaitGroup
	lull bool // it knows of the lull

	mu     sync.Mutex
	seen   map[string]bool // the personal links that its person has seen
	link   string          // the newest of them, until it is used
	as     string          // the name of its session; "": none
	conn   *websocket.Conn
	opened time.Time // when
	first  bool      // it has got nothing yet on this connection
	live   frame     // what it shows
	due    time.Time // when its table changed; zero: it shows that
	alive  bool      // it has answered a ping on this connection
	asleep bool
	woke   bool // it has slept, and has shown nothing yet
	asks   int64
	asked  []*ask // presses without an answer
}

// ask is a press on a page.
type ask struct {
	id    int64
	at    string
	press string
	done  chan error
}

// frame is what a page shows, as far as the storm looks at it.
type frame struct {
	Table   string
	Version int64
	Me      int
	Felt    *struct {
		Deal, Turn int
		Hand       []struct {
			Card, Press string
			Off         bool
		}
		Moves []struct{ Press string }
	}
	Panel *struct{}
}

// opensPages gives the plan's people their pages.
func (w *storm) opensPages() {
	for _, i := range w.Pages {
		who := w.people[i]
		p := &page{who: who, name: "page-" + who.name, seen: map[string]bool{}, over: make(chan struct{})}
		p.rng, p.play = rand.New(rand.NewPCG(w.Seed, 200+uint64(i))), rand.New(rand.NewPCG(w.Seed, 300+uint64(i)))
		p.jar, _ = cookiejar.New(nil) // which never fails
		who.page = p
		p.gone.Go(p.lives)
	}
}

// closePages closes all pages for good.
func (w *storm) closePages() {
	for _, who := range w.people {
		if p := who.page; p != nil {
			close(p.over)
			p.gone.Wait()
			p.mu.Lock()
			p.as = ""
			p.mu.Unlock()
		}
	}
}

// naps sleeps up to so long, or until the page is closed for good.
func (p *page) naps(longest time.Duration) (over bool) {
	select {
	case <-time.After(time.Second/5 + time.Duration(p.rng.Int64N(int64(longest)))):
		return false
	case <-p.over:
		return true
	}
}

// lives keeps the page open, and lets it sleep from time to time while the storm lasts.
func (p *page) lives() {
	defer p.drop()
	for w := p.who.storm; !p.naps(2 * time.Second); {
		p.mu.Lock()
		link, as, open, alive, table := p.link, p.as, p.conn != nil, p.alive, p.live.Table
		p.mu.Unlock()
		processes := w.running()
		newer := link != "" && (as == "" || tableOfLink(link) != table)
		switch {
		case open && alive && !newer && p.tires():
			p.sleeps()
		case len(processes) == 0:
		case newer:
			p.drop()
			p.logsIn(processes[p.rng.IntN(len(processes))], link)
		case !open && as != "":
			p.connects(processes[p.rng.IntN(len(processes))], as)
		}
	}
}

// tableOfLink returns the id of the table to which a personal link leads.
func tableOfLink(link string) string {
	id, _, _ := strings.Cut(link, ".")
	return id
}

// tires reports whether the page falls asleep now. In a lull it does so at the beginning or never: then its person's hand has to
// come by message.
func (p *page) tires() bool {
	if !p.who.storm.calm.Load() {
		p.lull = false
		return p.rng.IntN(20) == 0
	}
	began := !p.lull
	p.lull = true
	return began && p.rng.IntN(3) == 0
}

// sleeps lets the page sleep: its connection goes dead, or breaks. It wakes in a lull, unless it has fallen asleep there.
func (p *page) sleeps() {
	w := p.who.storm
	p.mu.Lock()
	p.asleep = true
	for _, a := range p.asked { // nobody waits for them any more
		a.answer(errAsleep)
	}
	p.mu.Unlock()
	if p.rng.IntN(2) == 0 {
		w.air.Stall(p.name, false)
	} else {
		w.air.Cut(p.name)
	}
	w.logf("%s falls asleep", p.name)
	for n := p.rng.IntN(20); n > 0 || p.lull && w.calm.Load(); n-- {
		if p.naps(3*time.Second) || !p.lull && w.calm.Load() {
			break
		}
	}
	p.drop()
	p.mu.Lock()
	p.asleep, p.woke = false, true
	p.mu.Unlock()
}

var errAsleep = errors.New("the page has fallen asleep")

// drop ends the page's connection.
func (p *page) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		_ = p.conn.Close()
	}
	p.conn = nil
}

// dial returns how the page connects to a process, as a load balancer would.
func (p *page) dial(m *machine) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, _ string) (net.Conn, error) {
		return p.who.storm.air.Dial(p.name)(ctx, network, m.name+":80")
	}
}

// pageTimeout is how long a page waits for an answer to a request.
const pageTimeout = 10 * time.Second

// logsIn opens the page with a personal link.
func (p *page) logsIn(m *machine, link string) {
	ctx, cancel := context.WithTimeout(context.Background(), pageTimeout)
	defer cancel()
	body, _ := json.Marshal(map[string]string{"door": "link", "token": link})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, pagesURL+"/api/door", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Origin", pagesURL)
	client := &http.Client{Jar: p.jar, Transport: &http.Transport{DialContext: p.dial(m), DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	var answer struct{ As string }
	err = json.NewDecoder(resp.Body).Decode(&answer)
	p.who.storm.logf("%s logs in at %s: %s %v", p.name, m.name, resp.Status, err)
	if err != nil || resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusForbidden {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.link == link {
		p.link = ""
	}
	if resp.StatusCode == http.StatusOK {
		p.as, p.live = answer.As, frame{}
	}
}

// connects opens the page's socket.
func (p *page) connects(m *machine, as string) {
	ctx, cancel := context.WithTimeout(context.Background(), pageTimeout)
	defer cancel()
	d := websocket.Dialer{NetDialContext: p.dial(m), Jar: p.jar}
	conn, resp, err := d.DialContext(ctx, strings.Replace(pagesURL, "http", "ws", 1)+"/api/live?as="+as, http.Header{"Origin": {pagesURL}})
	if resp != nil {
		_ = resp.Body.Close()
	}
	p.who.storm.logf("%s connects to %s: %v", p.name, m.name, err)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conn, p.opened, p.first, p.due, p.alive = conn, time.Now(), true, time.Time{}, false
	p.gone.Go(func() { p.reads(conn, m) })
	for _, a := range p.asked {
		p.sends(a)
	}
}

// sends sends a press. The caller holds the lock.
func (p *page) sends(a *ask) {
	if p.conn != nil {
		_ = p.conn.WriteJSON(map[string]any{"t": "press", "id": a.id, "press": a.press, "at": a.at})
	}
}

// deadAfter is how long a connection may be silent, as in bot/web/page/line.js.
const deadAfter = 9 * time.Second

// reads reads what comes down a connection, until it ends.
func (p *page) reads(conn *websocket.Conn, m *machine) {
	for {
		_ = conn.SetReadDeadline(time.Now().Add(deadAfter))
		_, data, err := conn.ReadMessage()
		if err != nil {
			break
		}
		p.gets(conn, m, data)
	}
	if m.dead.Load() {
		p.who.storm.state("a page's process died")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == conn {
		_ = conn.Close()
		p.conn = nil
	}
}

// cardNamed finds the cards that a message to a page names.
var cardNamed = regexp.MustCompile(`"card":"([^"]+)"`)

// outdates notes that pages of a table have to show a change of it.
func (w *storm) outdates(id string) {
	for _, who := range w.people {
		if p := who.page; p != nil {
			p.mu.Lock()
			if p.live.Table == id && p.due.IsZero() {
				p.due = time.Now()
			}
			p.mu.Unlock()
		}
	}
}

// forgives lets no page wait for a change any more, as it may be lost.
func (w *storm) forgives() {
	for _, who := range w.people {
		if p := who.page; p != nil {
			p.mu.Lock()
			p.due = time.Time{}
			p.mu.Unlock()
		}
	}
}

// pageLag is how long a page may show an old table while its connection and the store work.
const pageLag = time.Second

// gets takes a message from a process.
func (p *page) gets(conn *websocket.Conn, from *machine, data []byte) {
	var m struct {
		T     string
		Ask   bool
		ID    int64
		Toast string
		Live  frame
	}
	if err := json.Unmarshal(data, &m); err != nil {
		p.who.storm.fail("%s got %s: %v", p.name, data, err)
		return
	}
	w := p.who.storm
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != conn {
		return
	}
	switch m.T {
	case "ping":
		if m.Ask {
			_ = conn.WriteMessage(websocket.TextMessage, []byte(`{"t":"here"}`))
			p.alive = true
		}
	case "live":
		w.event("page", p.name, m.Live.Table, uint64(m.Live.Version))
		if p.woke && m.Live.Version > p.live.Version {
			w.state("a page slept through a change and woke")
		}
		var slow time.Time // until when the store may be
		from.set(func() { slow = from.slow.Add(from.slowBy) })
		if late := time.Since(p.due); !p.due.IsZero() && late > pageLag+w.slack() && p.opened.Before(p.due) && slow.Before(p.due) {
			w.fail("%s got a change of %s only after %v", p.name, m.Live.Table, late)
		}
		if !p.first && m.Live.Table == p.live.Table && m.Live.Version < p.live.Version && w.losses.Load() == 0 {
			w.fail("%s got version %d of %s after version %d", p.name, m.Live.Version, m.Live.Table, p.live.Version)
		}
		p.live, p.due, p.woke, p.first = m.Live, time.Time{}, false, false
		if f := p.live.Felt; f == nil || f.Turn == game.Nobody || p.live.Panel != nil {
			return // the deal's cards are known
		}
		for _, named := range cardNamed.FindAllSubmatch(data, -1) {
			if card, err := game.ParseCard(string(named[1])); err == nil && !w.mayKnow(p.who.id(), dealt{p.live.Table, p.live.Felt.Deal, card}) {
				w.fail("the page of %s shows %v, which they may not know: %s", p.who.name, card, data)
			}
		}
	case "answer":
		i := slices.IndexFunc(p.asked, func(a *ask) bool { return a.id == m.ID })
		if i < 0 {
			return
		}
		if press, err := view.ParsePress(p.asked[i].press); err == nil && press.Action == view.ActPlay && m.Toast == "" {
			w.state("a card was played on a page")
		}
		p.asked[i].answer(nil)
		p.asked = slices.Delete(p.asked, i, i+1)
	case "gone":
		w.logf("%s: its session is over: %s", p.name, data)
		p.as = ""
	}
}

// answer tells the person how a press ended, once.
func (a *ask) answer(err error) {
	select {
	case a.done <- err:
	default:
	}
}

// press presses a button of the page, and waits for its answer.
func (p *page) press(ctx context.Context, data string) error {
	p.mu.Lock()
	p.asks++
	a := &ask{p.asks, p.live.Table, data, make(chan error, 1)}
	p.asked = append(p.asked, a)
	p.sends(a)
	p.mu.Unlock()
	select {
	case err := <-a.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// finds remembers the personal links that its person sees.
func (p *page) finds(own []note) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, n := range own {
		for _, link := range n.links {
			if _, token, ok := strings.Cut(link, "#t="); ok && !p.seen[token] {
				p.seen[token], p.link = true, token
			}
		}
	}
}

// plays plays a card on the page, or makes another move, if its person can and likes to.
func (p *page) plays() bool {
	p.mu.Lock()
	live, open := p.live, p.conn != nil && !p.asleep
	p.mu.Unlock()
	if !open || live.Felt == nil || live.Felt.Turn != live.Me || live.Panel != nil {
		return false
	}
	var can []string
	for _, c := range live.Felt.Hand {
		if c.Press != "" && !c.Off {
			can = append(can, c.Press)
		}
	}
	for _, b := range live.Felt.Moves {
		if strings.HasPrefix(b.Press, view.ActPlay+":") {
			can = append(can, b.Press)
		}
	}
	if len(can) == 0 || p.play.IntN(3) == 0 {
		return false
	}
	p.who.presses(note{raw: p}, can[p.play.IntN(len(can))], 1+p.play.IntN(10)/9)
	return true
}

// asksMore presses several times what the page answers with a screen.
func (p *page) asksMore() {
	p.mu.Lock()
	id, open := p.live.Table, p.conn != nil && !p.asleep
	p.mu.Unlock()
	if open {
		p.who.presses(note{raw: p}, view.Press{Action: view.ActMore, Table: id}.String(), 5)
	}
}

// mayKnow reports whether a player may know where a card is: they have held it, or it was played.
func (w *storm) mayKnow(player string, of dealt) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.played[of] || slices.Contains(w.holders[of], player)
}

// wrong says what is wrong with the page when all is well: it has to be open as long as its session goes on, and to show the table
// as it is stored.
func (p *page) wrong(say func(what, format string, args ...any)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.as == "" || p.asleep {
		return
	}
	if p.conn == nil || p.live.Table == "" {
		say(p.name, "isn't open")
		return
	}
	keys, _ := doc.TableKeys(p.live.Table)
	docs, err := p.who.storm.kept.Get(context.Background(), keys[0])
	if err != nil || docs[0].Version == 0 {
		return // the table has expired
	}
	if n := store.Writes(docs[0].Version); n != p.live.Version {
		say(p.name, "shows version %d of %s, and %d is stored", p.live.Version, p.live.Table, n)
		return
	}
	t := read[table.Table](docs[0].Data)
	own, sits := t.Private(p.who.id())
	if !sits || t.Phase != table.Playing || own.Seats[own.Seat].Left || p.live.Felt == nil {
		return
	}
	var is, should []string
	for _, c := range p.live.Felt.Hand {
		is = append(is, c.Card)
	}
	for _, c := range own.View.Hand {
		should = append(should, c.String())
	}
	if !slices.Equal(is, should) {
		say(p.name, "shows the hand %v, and should show %v", is, should)
	}
}

// onPages reports whether a message is another one, or isn't there, because people have the table's page open: a player's own
// message, a call of theirs, or the chat's message in the middle of a trick.
func onPages(t table.Table, notes doc.Notes, p screen.Post) bool {
	now := time.Now()
	open := func(player string) bool {
		page := notes.Pages[player]
		early := page.Seen.Sub(now) // by a clock that was ahead; the page says that it is open every few seconds
		return page.Open(now) || 0 < early && early < time.Minute
	}
	if p.Player != "" {
		return open(p.Player)
	}
	if t.Phase == table.Playing && open(t.Seats[t.Deal.Turn()].Player.ID) && (strings.HasPrefix(p.Key, "call:") || strings.HasPrefix(p.Key, "warn:")) {
		return true
	}
	people := false
	for _, s := range t.Seats {
		if s.Player.ID == "" || s.Left {
			continue
		}
		if people = open(s.Player.ID); !people {
			return false
		}
	}
	return people
}
