package bottest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/league"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// frail is the store as one process sees it, with faults.
type frail struct{ p *process }

func (s *frail) trouble(ctx context.Context) (before, after error) {
	if err := s.p.step(); err != nil {
		return err, nil
	}
	r := s.p.r
	if !r.faults.Load() {
		return nil, nil
	}
	if r.chance(4) {
		long := 3000
		if r.chance(10) && !r.mild {
			long = 25000 // longer than a lease
		}
		select {
		case <-time.After(time.Duration(r.n(long)) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err(), nil
		}
	}
	switch {
	case r.chance(2):
		return errors.New("the store is away"), nil
	case r.chance(2):
		return nil, errors.New("the store's answer was lost")
	}
	return nil, nil
}

func (s *frail) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	before, after := s.trouble(ctx)
	if err := errors.Join(before, after); err != nil {
		return nil, err
	}
	return s.p.r.ledger.Get(ctx, keys...)
}

func (s *frail) Commit(ctx context.Context, c store.Change) error {
	before, after := s.trouble(ctx)
	if before != nil {
		s.p.r.doubts.Add(3)
		s.p.r.journal(s.p, c, before)
		return before
	}
	if err := s.p.r.ledger.Commit(ctx, c); err != nil {
		s.p.r.journal(s.p, c, err)
		return err
	}
	s.p.r.journal(s.p, c, after)
	if s.p.dead.Load() {
		return errKilled
	}
	return after
}

// journal notes in the log which messages a commit knows.
func (r *torture) journal(p *process, c store.Change, err error) {
	var known []string
	for _, w := range c.Writes {
		if !strings.HasPrefix(w.Name, "shown:") {
			known = append(known, w.Name)
			continue
		}
		known = append(known, fmt.Sprintf("%s expect %d", w.Name, w.Expect))
		for key, post := range read[shown](w.Data).Posts {
			known = append(known, key+"="+string(post.Address))
		}
	}
	done := ""
	if c.Done != nil {
		done = fmt.Sprint(c.Done.ID, c.Done.Token)
	}
	claim := ""
	if c.Claim != nil {
		claim = fmt.Sprint(" claim ", c.Claim.ID, c.Claim.Token)
	}
	fmt.Fprintf(r, "%v commit by %p done %s%s due %v: %v %v\n", time.Now(), p, done, claim, c.Due, known, err)
}

func (s *frail) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	before, after := s.trouble(ctx)
	if before != nil {
		return nil, time.Time{}, before
	}
	jobs, next, err := s.p.r.ledger.Claim(ctx, now, lease, limit)
	for _, j := range jobs {
		fmt.Fprintf(s.p.r, "%v claim by %p at %v: %s %d due %v %v\n", time.Now(), s.p, now, j.ID, j.Token, j.Due, after)
	}
	if after != nil {
		return nil, time.Time{}, after
	}
	return jobs, next, err
}

func (s *frail) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return s.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

func (s *frail) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	if err := s.p.step(); err != nil {
		return nil, 0, err
	}
	return s.p.r.ledger.Board(ctx, partition, board, from, n, around)
}

func (s *frail) Watch(ctx context.Context, keys ...store.Key) <-chan []store.Doc {
	return s.p.r.ledger.Watch(ctx, keys...)
}

func (s *frail) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	if err := s.p.step(); err != nil {
		return nil, "", err
	}
	return s.p.r.ledger.Scan(ctx, partition, prefix, cursor)
}

func (s *frail) Interruptions() int64 { return s.p.r.ledger.Interruptions() }

func (s *frail) Close() error { return nil }

// ledger is the real store, which also keeps its own account of the matches.
type ledger struct {
	store.Store
	watch   func(old, now table.Table) // is called for each change of a table; nil: nobody
	mu      sync.Mutex                 // one commit at a time
	commits int
	totals  map[string]league.Totals // by board and member
	latest  map[string]parsed        // by name: the table that was written last
}

// parsed is a table and the document that has it.
type parsed struct {
	data []byte
	table.Table
}

// at returns a table as it was written last.
func (l *ledger) at(id string) table.Table {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.latest["table:"+id].Table
}

func (l *ledger) Commit(ctx context.Context, c store.Change) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var over []table.Table
	var changes [][2]table.Table
	var tables []parsed
	for _, w := range c.Writes {
		if !strings.HasPrefix(w.Name, "table:") {
			continue
		}
		docs, err := l.Store.Get(ctx, store.Key{Partition: c.Partition, Name: w.Name})
		if err != nil {
			return err
		}
		old, now := l.latest[w.Name], parsed{w.Data, read[table.Table](w.Data)}
		if !bytes.Equal(old.data, docs[0].Data) {
			old.Table = read[table.Table](docs[0].Data)
		}
		if old.Phase != table.Over && now.Phase == table.Over && !now.Lesson && now.Daily == nil { // lessons and deals of the day count nowhere
			over = append(over, now.Table)
		}
		changes, tables = append(changes, [2]table.Table{old.Table, now.Table}), append(tables, now)
	}
	if err := l.Store.Commit(ctx, c); err != nil {
		return err
	}
	if len(c.Writes) != 1 || !strings.HasPrefix(c.Writes[0].Name, "hold:") && !strings.HasPrefix(c.Writes[0].Name, "budget:") {
		l.commits++ // processes tell each other that they run
	}
	for _, t := range tables {
		if l.latest == nil {
			l.latest = map[string]parsed{}
		}
		l.latest["table:"+t.ID] = t
	}
	if l.watch != nil {
		for _, change := range changes {
			l.watch(change[0], change[1])
		}
	}
	for _, t := range over {
		family, _, _ := strings.Cut(t.Rules.Preset, "-")
		o := t.Public().Result
		sides, people := map[int]bool{}, 0
		for seat, s := range t.Seats {
			if s.Player.ID != "" {
				sides[t.Rules.Side(seat)] = true
				people++
			}
		}
		for seat, s := range t.Seats {
			if s.Player.ID == "" {
				continue
			}
			absent, won, stakes, sweeps := s.Away || s.Left, 0, o.Payments[seat], 0
			missed := absent || s.Was != "" || o.Choices[seat].Missed()
			if slices.Contains(o.Winners, seat) && !missed {
				won = 1
			}
			if missed && stakes > 0 {
				stakes = 0
			}
			for _, past := range t.Past {
				for side, seats := range past.Score.Sides {
					all := 0
					for _, n := range past.Result.TricksWon {
						all += n
					}
					if slices.Contains(seats, seat) && past.Result.End == game.EndPlayed && past.Result.TricksWon[side] == all {
						sweeps++
					}
				}
			}
			for _, home := range []string{t.Home, "*"} {
				for _, which := range []string{"all", family} {
					key := "board:" + home + ":" + which + ":all " + s.Player.ID
					sum := l.totals[key]
					switch {
					case len(sides) == 1 && people > 1 && home != "*": // it is their match together
						continue
					case len(sides) == 1:
						sum.AIMatches++
						sum.AIWins += won
						sum.AIStakes += stakes
					default:
						sum.Matches++
						sum.Wins += won
						sum.Stakes += stakes
						sum.Sweeps += sweeps
						if absent {
							sum.Left++
						}
					}
					l.totals[key] = sum
				}
			}
		}
	}
	return nil
}

func (l *ledger) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	return l.Commit(ctx, store.Change{Partition: job.Partition, Done: &job, Next: next, Now: now})
}

func (l *ledger) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.commits
}

// read parses a document's data. Without data, it returns the zero value.
func read[T any](data []byte) (v T) {
	if len(data) == 0 {
		return v
	}
	var e struct{ D T }
	if err := json.Unmarshal(data, &e); err != nil {
		panic(err)
	}
	return e.D
}

// pipe is the playground as one process reaches it, with faults.
type pipe struct {
	*playground.Playground
	p *process
}

// travel simulates the way of a call. If err is set, the call doesn't arrive; if lost is set, its answer doesn't.
func (w *pipe) travel(ctx context.Context) (lost, err error) {
	fail := func(err error) error { return &chat.DeliveryError{Fault: chat.Retry, Err: err} }
	if err := w.p.step(); err != nil {
		return nil, fail(err)
	}
	r := w.p.r
	if r.faults.Load() && r.chance(10) {
		long := 1500
		if r.chance(20) && !r.mild {
			long = 12000
		}
		select {
		case <-time.After(time.Duration(r.n(long)) * time.Millisecond):
		case <-ctx.Done():
			if r.chance(50) || w.p.dead.Load() {
				return nil, fail(ctx.Err())
			}
			return fail(ctx.Err()), nil
		}
	}
	switch {
	case w.p.dead.Load():
		return nil, fail(errKilled)
	case !r.faults.Load():
	case r.chance(4):
		return nil, &chat.DeliveryError{Fault: chat.Retry, After: time.Duration(r.n(4)) * time.Second, Err: errors.New("on purpose")}
	case r.chance(4) && !r.mild:
		return fail(errors.New("the answer was lost")), nil
	}
	return nil, nil
}

func (w *pipe) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	lost, err := w.travel(ctx)
	if err != nil {
		return "", err
	}
	r := w.p.r
	r.sees(to.Player, s)
	if r.repeat {
		nonce += strconv.FormatInt(r.sends.Add(1), 10)
	}
	before := len(r.ground.Channel()) + len(r.ground.Direct(to.Player))
	a, err := r.ground.Send(context.WithoutCancel(ctx), to, s, nonce)
	if lost == nil {
		lost = err
	}
	if lost != nil && len(r.ground.Channel())+len(r.ground.Direct(to.Player)) != before {
		r.doubts.Add(1)
	}
	fmt.Fprintf(r, "%v send by %p %s%s %s: %s %v\n", time.Now(), w.p, to.Chat, to.Player, nonce, a, lost)
	if lost != nil {
		return "", lost
	}
	return a, nil
}

func (w *pipe) Edit(ctx context.Context, a chat.Address, s screen.Screen) error {
	lost, err := w.travel(ctx)
	if err != nil {
		return err
	}
	r := w.p.r
	if reader, ok := r.reader(a); ok {
		r.sees(reader, s)
		switch refused := (&chat.DeliveryError{Err: errors.New("on purpose")}); {
		case r.faults.Load() && r.chance(1):
			refused.Fault = chat.Gone
			return errors.Join(r.ground.Delete(context.WithoutCancel(ctx), a), refused)
		case r.faults.Load() && r.chance(1):
			refused.Fault = chat.Unreachable
			return refused
		}
	}
	if err := r.ground.Edit(context.WithoutCancel(ctx), a, s); err != nil {
		return err
	}
	return lost
}

func (w *pipe) Delete(ctx context.Context, a chat.Address) error {
	lost, err := w.travel(ctx)
	if err != nil {
		return err
	}
	if err := w.p.r.ground.Delete(context.WithoutCancel(ctx), a); err != nil {
		return err
	}
	return lost
}

// reader returns the only person who sees the message, or "" if everybody does. It returns false if there is no message
// with that address.
func (r *torture) reader(a chat.Address) (string, bool) {
	at := func(m playground.Message) bool { return m.Address == a }
	for _, person := range cast {
		if slices.ContainsFunc(append(r.ground.Direct(id(person)), r.ground.Answers(id(person))...), at) {
			return id(person), true
		}
	}
	return "", slices.ContainsFunc(r.ground.Channel(), at)
}

// sees checks that a hand is shown only to its owner.
func (r *torture) sees(reader string, s screen.Screen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range buttons(s) {
		p, err := view.ParsePress(b.Press)
		if err != nil || p.Action != view.ActPlay {
			continue
		}
		card, is := p.Move.Card()
		if !is {
			continue
		}
		if reader == "" {
			r.t.Errorf("a hand in a place that is nobody's own:\n%s", s)
			continue
		}
		key := fmt.Sprint(p.Table, p.Deal, card)
		if owner := r.owners[key]; owner != "" && owner != reader {
			r.t.Errorf("%s sees a card of %s's:\n%s", reader, owner, s)
		}
		r.owners[key] = reader
	}
}

func buttons(s screen.Screen) (all []screen.Button) {
	for _, row := range slices.Concat(s.MenuRows(), s.Rows, s.Places) {
		all = append(all, row...)
	}
	return all
}
