package bottest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
)

// pressed remembers a press that may make a move.
func (w *storm) pressed(player string, p view.Press) {
	if p.Action != view.ActPlay && p.Action != view.ActPlace {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.moves == nil {
		w.moves = map[string]map[string]bool{}
	}
	key := fmt.Sprint(player, " ", p.Table, " ", p.Deal)
	if w.moves[key] == nil {
		w.moves[key] = map[string]bool{}
	}
	w.moves[key][p.String()] = true
}

// watch checks a change of a table: no move is ever taken back, and people make no more moves than they have pressed buttons.
func (w *storm) watch(old, now table.Table) {
	w.reached(old, now)
	w.deals(now)
	w.outdates(now.ID)
	if old.Phase == table.Over && now.MatchNo > old.MatchNo {
		w.comesAgain(old, now)
	}
	if old.ID == "" || old.DealNo != now.DealNo {
		if now.DealNo < old.DealNo {
			w.fail("table %s goes back from deal %d to %d", now.ID, old.DealNo, now.DealNo)
		}
		return
	}
	if old.Phase != table.Playing || now.Phase != table.Playing {
		return
	}
	before, after := old.Deal.Moves(), now.Deal.Moves()
	if len(after) < len(before) || !slices.Equal(before, after[:len(before)]) {
		w.fail("table %s takes back moves: %v, then %v", now.ID, before, after)
		return
	}
	for ply := len(before); ply < len(after); ply++ {
		state := now.Deal.Before(ply)
		seat := state.Turn()
		s := now.Seats[seat]
		if s.Player.ID == "" || s.Late == now.DealNo || s.Away || s.Left || old.Seats[seat].Away || old.Seats[seat].Left || len(state.Legal()) == 1 || state.Forced() {
			continue
		}
		key := fmt.Sprint(s.Player.ID, " ", now.ID, " ", now.DealNo)
		w.mu.Lock()
		if w.made == nil {
			w.made = map[string]int{}
		}
		w.made[key]++
		made, presses := w.made[key], len(w.moves[key])
		w.mu.Unlock()
		if made > presses {
			w.fail("table %s, deal %d: %s made %d moves with %d buttons", now.ID, now.DealNo, s.Player.ID, made, presses)
		}
	}
}

// comesAgain checks a rematch: it waits for nobody who has left or whose time ran out, and keeps no seat free for who has left.
func (w *storm) comesAgain(old, now table.Table) {
	free, may := 0, 0
	for _, s := range now.Seats {
		if s.Player.ID == "" && s.AI == "" {
			free++
		}
	}
	for _, s := range old.Seats {
		if (s.Left || s.Away) && slices.Contains(now.Awaited, s.Player.ID) {
			w.fail("the rematch at table %s waits for %s, who isn't there", now.ID, s.Player.ID)
		}
		if s.Player.ID != "" && !s.Left && now.SeatOf(s.Player.ID) < 0 {
			may++
		}
	}
	if now.Phase == table.Lobby && free > may {
		w.fail("the rematch at table %s keeps %d seats free for %d people", now.ID, free, may)
	}
}

// dealt is a card of a deal.
type dealt struct {
	table string
	deal  int
	card  game.Card
}

// deals notes who holds which cards.
func (w *storm) deals(t table.Table) {
	if t.Phase != table.Playing {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, move := range t.Deal.Moves() {
		if card, ok := move.Card(); ok {
			w.played[dealt{t.ID, t.DealNo, card}] = true
		}
	}
	for seat, s := range t.Seats {
		if s.Player.ID == "" {
			continue
		}
		for _, card := range t.Deal.Hand(seat) {
			of := dealt{t.ID, t.DealNo, card}
			if !slices.Contains(w.holders[of], s.Player.ID) {
				w.holders[of] = append(w.holders[of], s.Player.ID)
			}
		}
	}
}

// held reports whether a player has held the card of a button.
func (w *storm) held(player string, p view.Press, card game.Card) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.holders[dealt{p.Table, p.Deal, card}], player)
}

// quiet reports whether nothing has failed since a time, and for a minute before it.
func (w *storm) quiet(since time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.active == 0 && since.Sub(w.ended) > time.Minute && since.Sub(w.begun) > 30*time.Second
}

// calmDown ends all faults, and waits as long as anything may take to recover. Nobody does anything, so nothing repairs what
// the program has forgotten.
func (w *storm) calmDown() {
	for _, world := range w.worlds {
		world.heal()
	}
	for len(w.running()) < w.Processes {
		w.start()
	}
	w.calm.Store(true)
	w.mu.Lock()
	clear(w.edits)
	w.mu.Unlock()
	time.Sleep(time.Minute)
}

// comeBack lets everybody do something in private, as somebody who has blocked the bot does before it may write to them.
func (w *storm) comeBack() {
	w.back = true
	for i, p := range w.people {
		p.blocks(false)
		p.command("/table", true)
		if i < len(w.worlds) {
			p.command("/table", false)
		}
	}
	time.Sleep(time.Minute)
}

// settled checks that every message is as it should be. An AI may move between a commit and its message. So each message
// only has to be right at one of several looks.
func (w *storm) settled(when string) {
	var still map[string]string
	for range 60 { // Telegram takes 20 messages a minute in a group
		synctest.Wait()
		wrong := w.wrongMessages()
		if still == nil {
			still = wrong
		}
		maps.DeleteFunc(still, func(what, _ string) bool { return wrong[what] == "" })
		if len(still) == 0 {
			break
		}
		time.Sleep(5370 * time.Millisecond)
	}
	for what, how := range still {
		w.fail("%s: %s %s", when, what, how)
	}
	w.mu.Lock()
	marked := maps.Clone(w.marked)
	w.mu.Unlock()
	for job, since := range marked {
		if waited := time.Since(since); waited > dueTime {
			w.fail("%s: nobody has taken %s, which is due since %v", when, job, waited)
		}
	}
	for _, world := range w.worlds {
		for _, p := range slices.Concat(world.problems(), world.leaks()) {
			w.fail("%s: %s", when, p)
		}
	}
}

// dueTime is how long a job may be due until somebody takes it.
const dueTime = 30 * time.Second

// wrongMessages returns what is wrong with the messages, by message.
func (w *storm) wrongMessages() map[string]string {
	wrong := map[string]string{}
	say := func(what, format string, args ...any) { wrong[what] = fmt.Sprintf(format, args...) }
	notes, stand := w.standings()
	w.mu.Lock()
	late, outdated := maps.Clone(w.late), maps.Clone(w.outdated)
	w.mu.Unlock()
	known, old, err := compare(w.kept, "table:", stand, w.unsure, w.hasRefused, !w.back, say)
	if err != nil {
		say("the store", "%v", err)
	}
	for _, who := range w.people {
		if who.page != nil {
			who.page.wrong(say)
		}
	}
	for _, n := range notes {
		a := n.address
		names := append(n.others, a)
		known := slices.ContainsFunc(names, func(a chat.Address) bool { return known[a] })
		late := n.nonce != "" && outdated[n.nonce] || slices.ContainsFunc(names, func(a chat.Address) bool { return late[a] })
		if n.nonce != "" && !n.private && !w.nonced(n) {
			say(string(a), "has the nonce %s, which nobody gave it:\n%s", n.nonce, n.text)
		}
		if !known && w.twice(n) {
			say(string(a), "has come twice:\n%s", n.text)
		}
		var moves, should, may []string
		for _, data := range n.presses {
			if p, err := view.ParsePress(data); err == nil && slices.Contains([]string{view.ActPlay, view.ActPlace, view.ActJoin, view.ActStart}, p.Action) {
				moves = append(moves, data)
			}
		}
		if len(moves) == 0 {
			continue
		}
		m, shown := stand[a]
		if strings.HasPrefix(string(a), "discord:") {
			m.screen.Places = nil // everybody reaches their hand there
		}
		for _, b := range buttons(m.screen) {
			if may = append(may, b.Press); plays(b) && !b.Off { // older servers have no buttons that are off
				should = append(should, b.Press)
			}
		}
		lacks := func(some, other []string) bool {
			return slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(other, s) })
		}
		switch {
		case shown && known && !old[a] && !late && (lacks(should, moves) || lacks(moves, may)):
			say(string(a), "has the buttons %q and not %q:\n%v\nand should be:\n%s", moves, should, n.raw, m.screen)
		case !known && !w.excused(a):
			say(string(a), "is a message that nobody knows of any more:\n%s", n.text)
		}
	}
	return wrong
}

// standings returns all messages, and by address those of which the platform has accepted a screen.
func (w *storm) standings() (notes []note, stand map[chat.Address]standing) {
	for _, world := range w.worlds {
		notes = append(notes, world.messages()...)
	}
	stand = map[chat.Address]standing{}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range notes {
		var s screen.Screen // the latest one, whichever of its names it came by
		var at time.Time
		for _, a := range append(n.others, n.address) {
			if shown := w.shownBy[a].at; shown.After(at) {
				s, at = w.screens[a], shown
			}
		}
		if !at.IsZero() {
			for _, a := range append(n.others, n.address) {
				stand[a] = standing{chat: n.chat, screen: s}
			}
		}
	}
	return notes, stand
}

// look is what a table was like when nothing was left to do there.
type look struct {
	is    string // its documents' versions
	since time.Time
	wrong map[string]string // what was wrong with its messages; nil: nobody has looked yet
}

// looks looks at the tables of which the store says that nothing is left to do: their messages must be right, whatever happens
// elsewhere. The next press repairs most things that are forgotten in the middle of a storm, so that no lull shows them.
func (w *storm) looks(ctx context.Context) {
	seen := map[string]look{}
	var leapt time.Time // a change that was made then, while another process showed the table, may wait for the end of that one's lease
	for ctx.Err() == nil && w.losses.Load() == 0 {
		time.Sleep(time.Second)
		if slices.ContainsFunc(w.running(), func(m *machine) bool { return m.leaps.Load() != 0 }) {
			leapt = time.Now()
		}
		clock := w.ahead.Load() == 0 && time.Since(leapt) > work.Lease && !slices.ContainsFunc(w.running(), func(m *machine) bool { return m.ahead.Load() != 0 })
		w.kept.mu.Lock()
		tables := maps.Clone(w.kept.latest)
		w.kept.mu.Unlock()
		for _, t := range tables {
			name := doc.TableName(t.ID)
			is, rests := w.rest(t.Table)
			l := seen[name]
			if l.is != is || !rests || !clock {
				seen[name] = look{is: is, since: time.Now()}
				continue
			}
			switch waited := time.Since(l.since); {
			case l.wrong == nil && waited >= time.Second:
				l.wrong = w.wrongAt(t.Table)
			case len(l.wrong) > 0 && waited >= 3*time.Second:
				for what, how := range w.wrongAt(t.Table) {
					if l.wrong[what] != "" {
						w.fail("nothing is left to do, but %s %s", what, how)
					}
				}
				clear(l.wrong)
			}
			seen[name] = l
		}
	}
}

// wrongAt returns what is wrong with the messages of a table where nothing is left to do.
func (w *storm) wrongAt(t table.Table) map[string]string {
	wrong := map[string]string{}
	partition, _ := doc.TablePartition(t.ID)
	if at, held := w.memory.Job(partition, doc.TableName(t.ID)); at.IsZero() && !held && !tables.Begin(t).IsZero() {
		wrong[t.ID] = "has a time at which nobody will come"
	}
	if w.retries(t) {
		return wrong
	}
	_, stand := w.standings()
	_, _, err := compare(w.kept, doc.TableName(t.ID), stand, w.unclear, w.hasRefused, true, func(what, format string, args ...any) { wrong[what] = fmt.Sprintf(format, args...) })
	if err != nil {
		w.fail("%v", err)
	}
	return wrong
}

// retries reports whether a place has to wait for a message of a table. The wait may be longer than the time of a turn.
func (w *storm) retries(t table.Table) bool {
	keys, _ := doc.TableKeys(t.ID)
	docs, err := w.kept.Get(context.Background(), keys[1])
	if err != nil {
		w.fail("%v", err)
		return true
	}
	for _, p := range read[shown](docs[0].Data).Places {
		if p.NotBefore.After(time.Now()) {
			return true
		}
	}
	return false
}

// rest returns the versions of a table's documents, and whether nothing is left to do there but what its players' time will bring.
func (w *storm) rest(t table.Table) (is string, rests bool) {
	keys, _ := doc.TableKeys(t.ID)
	docs, err := w.kept.Get(context.Background(), keys[:]...)
	if err != nil {
		w.fail("%v", err)
		return "", false
	}
	at, held := w.memory.Job(keys[0].Partition, keys[0].Name)
	for _, d := range docs {
		is += fmt.Sprint(d.Version, " ")
	}
	waits := at.After(time.Now()) && at.Sub(tables.Begin(t)).Truncate(time.Millisecond) == 0 // the store counts milliseconds
	return is + at.String(), !held && (at.IsZero() || waits)
}

// unsure reports whether a message may be gone, or have the screen of a process that was slow, and couldn't say so before its stop
// was over.
func (w *storm) unsure(a chat.Address) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.deleted[a] || within(w.cut, w.shownBy[a])
}

// unclear reports whether a message is unsure, or was just changed by a process that has lost its work: that may have overwritten a
// newer screen, and needs time to notice and to say so.
func (w *storm) unclear(a chat.Address) bool {
	w.mu.Lock()
	touched := w.touched[a]
	lately := time.Since(touched.at) < 2*work.Lease && w.doubts(touched)
	w.mu.Unlock()
	return lately || w.unsure(a)
}

// hasRefused reports whether a place has ever refused the bot.
func (w *storm) hasRefused(place string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.refused[place].IsZero()
}

// fails reports whether a place has just refused the bot, or didn't get its latest message.
func (w *storm) fails(place string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failing[place] || time.Since(w.refused[place]) < 10*time.Second
}

// excused reports whether the bot can't know of a message: the answer to its request was lost, a fault hit the process that
// sent it, or its place refused that it is deleted.
func (w *storm) excused(a chat.Address) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	sent, ok := w.sent[a]
	return !ok || w.undeleted[a] || w.doubts(sent)
}

// doubts reports whether the bot can't know of what a process sent. The caller holds the lock.
func (w *storm) doubts(sent sender) bool {
	return within(w.doubted, sent)
}

// within reports whether something was sent in one of the times.
func within(some []doubt, sent sender) bool {
	return slices.ContainsFunc(some, func(d doubt) bool {
		return (d.by == nil || d.by == sent.by) && sent.at.After(d.from) && sent.at.Before(d.to)
	})
}

// nonced reports whether a process sent a message with this nonce.
func (w *storm) nonced(n note) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, known := w.sent[n.address] // then it may have another nonce, as the first one belongs to a message that is gone
	return known || w.nonces[n.nonce]
}

// twice reports whether a message has come, its answer was lost, and it was sent again with another nonce.
func (w *storm) twice(n note) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	first, ok := w.repeated[n.nonce]
	return ok && !w.doubts(first)
}

// answers checks that presses are answered at once when all is well again, and in the platform's time while the store is slow.
func (w *storm) answers() {
	for i, p := range w.people {
		if slices.Contains(w.Without, i) {
			continue
		}
		if p.page != nil {
			p.page.asksMore()
		}
		if n, data, ok := p.chooses(p.sees(), func(press view.Press) bool { return press.Action == view.ActCards }); ok {
			p.presses(n, data, 15) // more than anybody may, and each is answered
			for _, m := range w.running() {
				m.set(func() { m.slow, m.slowBy = time.Now().Add(slowTime), slowTime })
			}
			p.presses(n, data, 1)
			time.Sleep(2 * slowTime)
		}
		time.Sleep(time.Second)
	}
}

// slowTime is how long the store takes when it is slow: longer than an answer may take.
const slowTime = 4 * time.Second

// leavesJobs lets people press while the answer to the commit is lost. Its process doesn't know that it took a job, and must
// leave it to others.
func (w *storm) leavesJobs() {
	for i, p := range w.people {
		if slices.Contains(w.Without, i) {
			continue
		}
		if n, data, ok := p.chooses(p.sees(), func(press view.Press) bool { return press.Action == view.ActPlay }); ok {
			for _, m := range w.running() {
				m.set(func() { m.loseClaim = true })
			}
			p.presses(n, data, 1)
		}
		time.Sleep(leftTime)
	}
	for _, m := range w.running() {
		m.losesClaim()
	}
}

// leftTime is how long a job may wait that its process has to leave to others. A lease lasts longer.
const leftTime = 5 * time.Second

// leaves checks that a job is done soon although nobody knows that they hold it.
func (w *storm) leaves(job string) {
	lost := time.Now()
	time.Sleep(leftTime - time.Second)
	w.mu.Lock()
	done := w.done[job]
	w.mu.Unlock()
	if done.Before(lost) {
		w.fail("%s was lost with the answer of the store", job)
	}
}

// finish lets everybody leave, and the AI play on alone at tables that nobody may close.
func (w *storm) finish() {
	for _, p := range w.people {
		for _, line := range []string{"/close", "/leave"} {
			p.command(line, false)
			p.command(line, true)
			time.Sleep(5 * time.Second)
		}
		for _, n := range p.sees() { // they were asked
			for _, data := range n.presses {
				if press, err := view.ParsePress(data); err == nil && press.Action == view.ActSure {
					p.presses(n, data, 1)
				}
			}
		}
	}
	w.idle(15 * time.Minute)
}

// idle waits until nothing has been sent or stored for restTime, and nothing is due for as long; but no longer than limit.
func (w *storm) idle(limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end); {
		calls, commits := w.calls(), w.kept.count()
		time.Sleep(restTime)
		if due := w.memory.Next(); calls == w.calls() && commits == w.kept.count() && (due.IsZero() || time.Until(due) > restTime) {
			return
		}
	}
}

// restTime is how long after the end nothing may happen, and laterTime how long nothing may be due.
const (
	restTime  = 30 * time.Second
	laterTime = 10 * time.Minute
)

func (w *storm) accounts(t *testing.T) {
	for _, wrong := range audit(t, w.kept) {
		w.fail("%s", wrong)
	}
}

// rests checks that nothing happens any more, and that nothing is due.
func (w *storm) rests() {
	commits, calls := w.kept.count(), w.calls()
	time.Sleep(restTime)
	if n := w.kept.count() - commits; n != 0 {
		w.fail("%d commits while nothing happened", n)
	}
	if n := w.calls() - calls; n != 0 {
		w.fail("%d requests while nothing happened", n)
	}
	for range 10 { // a clock that was ahead may have left a job, which does nothing any more, and the AI may play the rest of a deal
		due := w.memory.Next()
		if due.IsZero() || time.Until(due) >= laterTime {
			return
		}
		time.Sleep(time.Until(due) + restTime)
	}
	w.fail("something is due again and again although nobody plays")
}

// expires checks that nothing of the tables is stored 18 days later: a table may be closed after nine, and its match is remembered
// for a week. In the meantime, people come back from time to time.
func (w *storm) expires(t *testing.T) {
	for range 6 {
		for _, m := range w.running() {
			w.stop(m)
		}
		time.Sleep(72 * time.Hour)
		w.start()
		time.Sleep(time.Minute)
		for _, p := range w.people {
			p.command("/start", true)
		}
		time.Sleep(time.Minute)
	}
	for _, left := range leftovers(t, w.kept) {
		w.fail("%s", left)
	}
}
