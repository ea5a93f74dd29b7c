package bottest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/budget"
	"sedmabot/bot/call"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/ai"
)

// commands are the bot's commands. Nothing happens in a run when they are first asked for.
var commands = sync.OnceValue(func() []chat.Command { return bot.Commands() })

var errKilled = errors.New("killed")

// machine is a process that can be killed. After that, nothing that it does has an effect.
type machine struct {
	w       *storm
	name    string
	number  int
	bot     *bot.Bot
	cancel  context.CancelFunc
	ended   chan struct{}
	dead    atomic.Bool
	fuse    atomic.Int64 // number of steps until it dies
	drawing atomic.Int64 // how many pictures it draws
	ahead   atomic.Int64 // how far its clock is ahead of the others'
	jumped  atomic.Bool  // it is, until the process has changed a table
	leaps   atomic.Int64 // how far it is ahead for a moment when the process changes what another one is showing

	mu         sync.Mutex
	away       time.Time                  // until when the store is away
	slow       time.Time                  // until when the store is slow
	slowBy     time.Duration              // how slow
	loseCommit int                        // how many answers to commits are lost
	failCommit int                        // how many commits fail
	loseClaim  bool                       // the answer to the next commit that takes a job is lost
	hang       time.Duration              // how long the next claim takes
	troubled   time.Time                  // when the store last failed
	unsure     map[chat.Address]time.Time // when edits failed last; under the lock of w
}

// step is called before each effect of a process outside it.
func (m *machine) step() error {
	if m.fuse.Add(-1) == 0 {
		m.die()
	}
	if m.dead.Load() {
		return errKilled
	}
	return nil
}

// die kills the process: its connections end, and nothing that it still does has an effect.
func (m *machine) die() {
	if m.dead.Swap(true) {
		return
	}
	m.w.air.Away(m.name, true)
	m.w.air.Cut(m.name)
	m.w.logf("%s dies", m.name)
	m.w.cuts(m)
	m.cancel()
}

// cuts notes that a process dies. If another one has just taken work from it, its last edits may have overwritten newer screens, and
// it can't say so any more.
func (w *storm) cuts(m *machine) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	for _, d := range w.doubted {
		if d.by != m || d.to.Before(now) {
			continue
		}
		w.cut = append(w.cut, doubt{m, d.from, now})
		for a, at := range m.unsure {
			if at.After(d.from) {
				w.late[a] = true
			}
		}
	}
}

func (w *storm) start() {
	w.mu.Lock()
	w.started++
	m := &machine{w: w, name: fmt.Sprintf("process-%d", w.started), number: w.started, ended: make(chan struct{}), unsure: map[chat.Address]time.Time{}}
	w.mu.Unlock()
	m.fuse.Store(1 << 40)
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel = cancel
	var adapters []runner
	var platforms []chat.Platform
	for _, world := range w.worlds {
		adapter, err := world.adapter(m)
		if err != nil {
			panic(err)
		}
		adapters, platforms = append(adapters, adapter), append(platforms, &taped{adapter, m})
	}
	m.bot = bot.New(bot.Config{
		Store: &shop{m}, Platforms: platforms, Worlds: 20, Pace: pace, Seed: w.deck, Log: m.log(), Limits: tables.Limits{Presses: 2}, Pages: w.pageAddresses(),
		Now: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load() + m.ahead.Load())) },
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
	})
	var parts sync.WaitGroup
	run := []func(context.Context) error{m.bot.Run, m.site}
	for _, adapter := range adapters {
		run = append(run, func(ctx context.Context) error { return adapter.Run(ctx, &heard{m.bot, m}) })
	}
	for _, part := range run {
		parts.Go(func() {
			if err := part(ctx); err != nil && !m.dead.Load() {
				w.fail("%s: %v", m.name, err)
			}
		})
	}
	go func() { parts.Wait(); close(m.ended) }()
	w.mu.Lock()
	w.processes = append(w.processes, m)
	w.mu.Unlock()
	w.logf("%s starts", m.name)
}

// client returns an HTTP client as cmd/sedmabot makes it, over the network in memory. HTTP/2 goes without TLS, whose
// handshakes would be most of the work.
func (w *storm) client(m *machine) *http.Client {
	c := call.Client(func(t *http.Transport) {
		t.DialContext, t.Proxy = w.air.Dial(m.name), nil
		if w.HTTP2 {
			t.Protocols = new(http.Protocols)
			t.Protocols.SetUnencryptedHTTP2(true)
		}
	})
	c.Transport = queue{c.Transport, m}
	return c
}

// queue lets each request of a process leave, and fail, at a moment of its own, which follows from what it says. So no two of
// them are in a race.
type queue struct {
	http.RoundTripper
	m *machine
}

// RoundTrip implements http.RoundTripper.
func (q queue) RoundTrip(r *http.Request) (*http.Response, error) {
	var said []byte
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if r.Body.Close(); err != nil {
			return nil, err
		}
		r = r.Clone(r.Context())
		r.Body, said = io.NopCloser(bytes.NewReader(data)), data
		if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && params["boundary"] != "" {
			parts := bytes.Split(data, []byte(params["boundary"])) // in any order, with a new boundary each time
			slices.SortFunc(parts, bytes.Compare)
			said = bytes.Join(parts, nil)
		}
	}
	if !chat.Pause(r.Context(), q.m.w.lasts(20*time.Millisecond, q.m.name, r.URL.Path, said)) {
		return nil, r.Context().Err()
	}
	resp, err := q.RoundTripper.RoundTrip(r)
	if err != nil { // all requests of a connection fail at the same moment, in any order
		chat.Pause(r.Context(), q.m.w.takes(time.Millisecond, "fails", q.m.name, r.URL.Path, said))
	}
	return resp, err
}

func (m *machine) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(m.w, &slog.HandlerOptions{Level: slog.LevelDebug})).With("process", m.number)
}

// replace starts a process for one that has ended, unless another fault that ended it has started one.
func (w *storm) replace() {
	if len(w.running()) < w.Processes {
		w.start()
	}
}

func (w *storm) running() []*machine {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.processes)
}

// stopTime is how long a stop may take, as cmd/sedmabot promises.
const stopTime = 8 * time.Second

// stop stops a process as a signal does.
func (w *storm) stop(m *machine) {
	began := time.Now()
	m.cancel()
	<-m.ended
	if took := time.Since(began); took > stopTime && !m.dead.Load() {
		w.fail("the stop of %s took %v", m.name, took)
	}
	w.logf("%s has stopped after %v", m.name, time.Since(began))
	var troubled time.Time
	m.set(func() { troubled = m.troubled })
	w.mu.Lock()
	if troubled.After(began) { // what it sent for the jobs that the stop cut off may not have been stored
		w.doubted = append(w.doubted, doubt{m, began.Add(-work.Lease), time.Now()})
		w.cut = append(w.cut, doubt{m, began.Add(-work.Lease), time.Now()})
	}
	var held []string
	for job, holder := range w.claimers {
		if holder.by == m && troubled.Before(holder.at) { // else its end may not have been stored
			held = append(held, job)
		}
	}
	w.mu.Unlock()
	slices.Sort(held)
	if len(held) > 0 && !m.dead.Load() {
		w.fail("%s has stopped, and nobody else can take %q", m.name, held)
	}
	w.gone(m)
}

func (w *storm) gone(m *machine) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.processes = slices.DeleteFunc(w.processes, func(other *machine) bool { return other == m })
	if len(w.processes) == 0 && !w.calm.Load() {
		w.state("all processes were down")
	}
}

// taped is an adapter as one process sees it. It notes what the platform shows.
type taped struct {
	chat.Platform
	m *machine
}

func (p *taped) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	if err := p.m.step(); err != nil {
		return "", &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	w := p.m.w
	before := w.tableOf(s)
	a, err := p.Platform.Send(ctx, to, s, nonce)
	if err == nil && p.m.dead.Load() {
		err = &chat.DeliveryError{Fault: chat.Retry, Err: errKilled}
	}
	w.logf("%s sends to %s%s %s: %s %v", p.m.name, to.Chat, to.Player, nonce, a, err)
	w.delivers(to, s, before, err)
	w.tries(p.m, to, s, shortened(to, nonce), err)
	w.reposts(to, nonce, err)
	if err != nil {
		w.failed(err)
		p.came(to.Chat+to.Player, err)
		if errors.Is(err, context.DeadlineExceeded) {
			w.mu.Lock()
			w.outdated[shortened(to, nonce)] = true
			w.mu.Unlock()
		}
		if isRefused(err) {
			w.refuses(to.Chat)
		}
		return "", err
	}
	w.mu.Lock()
	w.screens[a], w.shownBy[a], w.sent[a], w.sending[p.m] = s, sender{p.m, time.Now()}, sender{p.m, time.Now()}, time.Now()
	delete(w.edits, a)
	w.mu.Unlock()
	if to.Player != "" && to.Chat == "" && before.ID != "" {
		w.moment(p.m, "a hand came")
	}
	p.came(to.Chat+to.Player, nil)
	w.takesAgain(p.m, to.Chat)
	return a, nil
}

func (p *taped) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	if err := p.m.step(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	w := p.m.w
	if w.Planted && w.justChanged(p.m) {
		w.fail("planted: an edit came just after another process's commit")
	}
	before := w.tableOf(s)
	err := p.Platform.Edit(ctx, a, s)
	if w.verbose {
		w.logf("%s edits %s: %v: %.300s", p.m.name, a, err, s)
	}
	w.edited(a, s, err)
	w.delivers(chat.Target{}, s, before, err)
	w.changes(p.m, a, err)
	if err != nil {
		w.failed(err)
		p.came(string(a), err)
		w.mu.Lock()
		if errors.Is(err, context.DeadlineExceeded) {
			w.late[a] = true
		}
		p.m.unsure[a] = time.Now()
		w.mu.Unlock()
		if isRefused(err) {
			w.moment(p.m, "a chat refused")
		}
		if isGone(err) {
			w.moment(p.m, "a message was gone")
		}
		return err
	}
	w.mu.Lock()
	w.screens[a], w.shownBy[a], w.sending[p.m] = s, sender{p.m, time.Now()}, time.Now()
	w.mu.Unlock()
	p.came(string(a), nil)
	return nil
}

// shortened returns the nonce of a message as Discord gets it in a channel.
func shortened(to chat.Target, nonce string) string {
	channel, ok := strings.CutPrefix(to.Chat, "discord:")
	if !ok {
		return nonce
	}
	sum := sha256.Sum256([]byte(channel + " " + nonce))
	return hex.EncodeToString(sum[:12])
}

// reposts notes the nonces that a message on Discord may have if it was posted again, because the one with its nonce is gone, and nobody
// knows whether it came.
func (w *storm) reposts(to chat.Target, nonce string, err error) {
	channel, ok := strings.CutPrefix(to.Chat, "discord:")
	if err == nil || !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range slices.AppendSeq(slices.Collect(maps.Keys(w.sent)), maps.Keys(w.deleted)) {
		if id, ok := strings.CutPrefix(string(a), "discord:m/"+channel+"/"); ok {
			w.nonces[shortened(to, nonce+" after "+id)] = true
		}
	}
}

// tries notes how a try to send a message ended. Its purpose is what its first button does, at which table and in which deal. Until
// it has succeeded, the tries for a purpose have the same nonce.
func (w *storm) tries(m *machine, to chat.Target, s screen.Screen, nonce string, err error) {
	w.mu.Lock()
	w.nonces[nonce] = true
	w.mu.Unlock()
	var press view.Press
	for _, b := range buttons(s) {
		if p, err := view.ParsePress(b.Press); err == nil && p.Table != "" {
			press = p
			break
		}
	}
	if press.Table == "" || s.Picture == nil { // calls to play are several, and one that came isn't wanted any more later
		return
	}
	t := w.kept.at(press.Table)
	purpose := fmt.Sprint(to.Chat, " ", to.Player, " ", press.Action, " ", t.ID, " ", t.DealNo, " ", t.MatchNo, " ", t.Phase)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch before := w.tried[purpose]; {
	case err == nil:
		delete(before, nonce)
		maps.Copy(w.repeated, before)
		delete(w.tried, purpose)
	case before == nil && isFault(err, chat.Retry):
		w.tried[purpose] = map[string]sender{nonce: {m, time.Now()}}
	case isFault(err, chat.Retry):
		before[nonce] = sender{m, time.Now()}
	default: // a place that refuses is tried again minutes later, when Discord may have forgotten the nonce
		delete(w.tried, purpose)
	}
}

// came notes whether a delivery to a place or message came.
func (p *taped) came(where string, err error) {
	w := p.m.w
	w.mu.Lock()
	failed := w.failing[where]
	w.failing[where] = err != nil
	w.mu.Unlock()
	if failed && err == nil {
		w.moment(p.m, "a message came after failures")
	}
}

// edited checks that no message is edited again and again although nothing changes.
func (w *storm) edited(a chat.Address, s screen.Screen, err error) {
	gone := isGone(err)
	if !w.calm.Load() && !gone || err != nil && !gone {
		return
	}
	if w.ahead.Load() != 0 || slices.ContainsFunc(w.running(), func(m *machine) bool { return m.ahead.Load() != 0 }) {
		return // a place may be seen as open and as closed in turn, by times of other clocks
	}
	w.mu.Lock()
	run := w.edits[a]
	if now := s.String(); run.screen != now || run.gone != gone {
		run = editRun{screen: now, gone: gone}
	}
	run.n++
	w.edits[a] = run
	w.mu.Unlock()
	if run.n == fewEdits {
		w.fail("%s is edited again and again (gone: %v): %s", a, gone, s)
	}
}

// fewEdits is more often than any message is edited to the same screen when the faults are over.
const fewEdits = 8

// heard is a bot as the adapters see it. It notes the answers that are edited later. If the store fails then, nobody knows of them.
type heard struct {
	*bot.Bot
	m *machine
}

func (h *heard) Handle(ctx context.Context, in chat.Input) chat.Reply {
	var d deed
	h.m.w.hears(h.m, in)
	d.ahead = time.Duration(h.m.ahead.Load())
	r := h.Bot.Handle(context.WithValue(ctx, deed{}, &d), in)
	d.ahead = max(d.ahead, time.Duration(h.m.ahead.Load())) // it may have leaped meanwhile
	if r.Repeat {
		h.m.w.state("a repeated update did nothing")
	}
	if r.Outcome == chat.Failed && !d.troubled.Load() && !h.m.dead.Load() {
		h.m.w.fail("%s was told of trouble with %s%s while the store worked: %v", in.Player.ID, in.Command, in.Press, r.Err)
	}
	h.m.w.deeds(in, r, &d)
	if r.Shown != nil {
		shown, s, w := r.Shown, *r.Screen, h.m.w
		r.Shown = func(ctx context.Context, a chat.Address, aside string) {
			w.mu.Lock()
			w.screens[a], w.shownBy[a], w.opened[a] = s, sender{h.m, time.Now()}, true
			w.mu.Unlock()
			shown(ctx, a, aside)
		}
	}
	return r
}

// deed is what an input has done. It is also the key of a context.
type deed struct {
	stored   atomic.Int64  // how many changes of tables
	troubled atomic.Bool   // the store failed
	ahead    time.Duration // how far the clock was
}

// deeds checks that the bot does what it says: a card that was accepted is stored, and an update that comes twice does nothing again.
func (w *storm) deeds(in chat.Input, r chat.Reply, d *deed) {
	press, err := view.ParsePress(in.Press)
	stored := d.stored.Load()
	if r.Outcome == chat.Done && stored == 0 && err == nil && (press.Action == view.ActPlay || press.Action == view.ActPlace) {
		w.fail("%s was told that %s is done, and nothing is stored", in.Player.ID, in.Press)
	}
	if r.Outcome != chat.Done || stored == 0 || in.Once == "" {
		return
	}
	w.mu.Lock()
	again := w.handled[in.Once]
	w.handled[in.Once] = true
	w.mu.Unlock()
	if again && d.ahead <= time.Minute { // else what is known of it has expired, by that clock
		w.fail("an update was handled twice: %s%s of %s", in.Command, in.Press, in.Player.ID)
	}
}

func (p *taped) Delete(ctx context.Context, a chat.Address) error {
	if err := p.m.step(); err != nil {
		return &chat.DeliveryError{Fault: chat.Retry, Err: err}
	}
	err, w := p.Platform.Delete(ctx, a), p.m.w
	if w.verbose {
		w.logf("%s deletes %s: %v", p.m.name, a, err)
	}
	w.changes(p.m, a, err)
	w.mu.Lock()
	opened := w.opened[a]
	if isRefused(err) {
		w.undeleted[a] = true
	}
	if errors.Is(err, context.DeadlineExceeded) {
		w.deleted[a] = true // now or later
	}
	w.mu.Unlock()
	if err == nil && opened {
		w.state("a hand that was opened was deleted")
	}
	return err
}

// failed notes how a delivery failed.
func (w *storm) failed(err error) {
	var d *chat.DeliveryError
	switch {
	case !errors.As(err, &d):
		w.fail("%v is no error of a delivery", err)
	case d.Fault == chat.Gone:
		w.state("a message was gone")
	case d.Fault == chat.Unreachable:
		w.state("a place couldn't be written to")
	case d.Fault == chat.Retry && d.After > 0:
		w.state("the platform said when to try again")
	case errors.Is(err, context.DeadlineExceeded):
		w.state("a delivery took too long")
	}
}

// sharing returns how processes agree with each other, as cmd/sedmabot chooses it.
func (m *machine) sharing() (chat.Agree, chat.Election, budget.Exchange) {
	if m.w.Processes == 1 {
		return work.Agree(&shop{m}), chat.Alone, nil
	}
	return work.Agree(&shop{m}), work.ElectPatiently(&shop{m}, m.log()), work.Exchange(&shop{m})
}
