package bottest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// actor is somebody who presses whatever they see, and mostly what makes the game go on.
type actor struct {
	folk
	storm *storm
	name  string
	page  *page // nil: they play in the chat alone
	rng   *rand.Rand
	shut  atomic.Bool // the bot may not write to them in private
}

// patience is how long a person waits for the answer to a press, and prompt is how long an answer may take while nothing fails.
const (
	patience = 30 * time.Second
	prompt   = 5 * time.Second // Discord waits for 3 s: see discordPerson.press
)

// goes is how long before everybody stops people begin to close what they have opened.
const goes = 15 * time.Second

// live acts until everybody stops.
func (p *actor) live() {
	for {
		time.Sleep(time.Duration(200+p.rng.IntN(2000))*time.Millisecond + time.Duration(p.rng.IntN(1_000_000)))
		if time.Now().After(p.storm.ends) || p.storm.hushed.Load() {
			return
		}
		if p.page == nil || !p.page.plays() {
			p.act()
		}
	}
}

// act does something random.
func (p *actor) act() {
	all := p.sees()
	var own, public []note
	for _, n := range all {
		if n.private {
			own = append(own, n)
		} else {
			public = append(public, n)
		}
	}
	if p.page != nil {
		p.page.finds(own)
	}
	action := func(actions ...string) func(view.Press) bool {
		return func(press view.Press) bool { return slices.Contains(actions, press.Action) }
	}
	if p.shortens(public) {
		return
	}
	sees := p.games(all)
	rash := p.rng.IntN(8) == 0 // presses what does nothing, and leaves
	some := func(notes []note, fits func(view.Press) bool) bool {
		n, data, ok := p.chooses(notes, func(press view.Press) bool { return fits(press) && (rash || !p.idle(press, sees)) })
		if ok {
			p.presses(n, data, 1+p.rng.IntN(10)/9)
		}
		return ok
	}
	if going := time.Until(p.storm.ends) < goes; going && p.rng.IntN(3) == 0 || p.rng.IntN(90) == 0 {
		sure := action(view.ActSure)
		if going && p.rng.IntN(4) == 0 {
			p.command("/table", false) // which moves it to the end of the chat
			return
		}
		_ = some(own, sure) || some(public, sure) || some(all, action(view.ActClose, view.ActLeave, view.ActStart, view.ActRematch)) || p.types(true)
		return
	}
	if len(public) > 0 && p.storm.fails(public[0].chat) && p.rng.IntN(4) == 0 { // nothing happens that they can see
		p.command("/table", false)
		return
	}
	if p.rng.IntN(6) == 0 && some(public, action(view.ActRematch)) {
		return
	}
	if p.shut.Load() && p.rng.IntN(5) == 0 && some(public, action(view.ActCards)) { // no hand comes in private
		return
	}
	if sees.goes && !sees.sits && p.rng.IntN(3) == 0 && some(public, action(view.ActJoin)) { // perhaps they wait for a seat then
		return
	}
	switch n := p.rng.IntN(30); {
	case n < 22: // play, if possible
		latest := own[max(0, len(own)-2):]
		if n == 0 {
			latest = own
		}
		_ = some(latest, action(view.ActPlay)) || some(public[max(0, len(public)-2):], action(view.ActPlace)) || some(public, action(view.ActJoin, view.ActStart, view.ActRematch)) ||
			sees.plays && !rash || !sees.goes && p.opens() || p.types(rash)
	case n < 25:
		some(all, func(press view.Press) bool { return !leaves(press) || p.rng.IntN(20) == 0 })
	case n == 25:
		some(public, action(view.ActCards, view.ActRematch, view.ActLast))
	case n == 26: // made-up data
		if n, data, ok := p.chooses(public, nil); ok {
			forged := []byte(data)
			forged[p.rng.IntN(len(forged))] = byte(33 + p.rng.IntN(90))
			p.presses(n, string(forged), 1)
		}
	default:
		p.types(rash || !sees.plays)
	}
}

// leaves reports whether a press may end the game for somebody.
func leaves(press view.Press) bool {
	return slices.Contains([]string{view.ActClose, view.ActLeave, view.ActSure}, press.Action)
}

// games is what a person sees of the matches at the tables that they see.
type games struct {
	goes  bool // one goes on, or is about to begin
	sits  bool // the person has a seat in one
	plays bool // the person has a seat in one that goes on
}

func (p *actor) games(notes []note) (g games) {
	seen := map[string]bool{}
	for _, n := range notes {
		for _, data := range n.presses {
			_, id, _ := strings.Cut(data, ":")
			if id, _, _ = strings.Cut(id, ":"); seen[id] {
				continue
			}
			seen[id] = true
			t := p.storm.kept.at(id)
			seat, plays := t.SeatOf(p.id()), t.Phase == table.Playing || t.Phase == table.Pause
			if plays || t.Phase == table.Lobby {
				own := seat >= 0 && !t.Seats[seat].Left
				g.goes, g.sits, g.plays = true, g.sits || own, g.plays || own && plays
			}
		}
	}
	return g
}

// idle reports whether a press does nothing, as the person can see: it is somebody else's turn, the message is late, they have a
// seat already, or somebody else has to start the match.
func (p *actor) idle(press view.Press, sees games) bool {
	t := p.storm.kept.at(press.Table)
	seat := t.SeatOf(p.id())
	switch press.Action {
	case view.ActPlay, view.ActPlace:
		late := press.Action == view.ActPlace && press.Turn != t.Deal.Plies()
		return late || t.Awaits() != p.id() && (seat < 0 || !t.Seats[seat].Away)
	case view.ActJoin:
		return seat >= 0 && !t.Seats[seat].Left
	case view.ActRematch:
		return sees.sits
	case view.ActStart:
		return t.Host != p.id() || t.Phase != table.Lobby
	}
	return false
}

// shortens lets the host of a lobby choose the shortest match, if people play short matches.
func (p *actor) shortens(public []note) (done bool) {
	if !p.storm.Short {
		return false
	}
	var choice view.Press
	n, _, ok := p.chooses(public, func(press view.Press) bool {
		if press.Action != view.ActStart {
			return false
		}
		t := p.storm.kept.at(press.Table)
		if t.Phase != table.Lobby || t.Host != p.id() { // or the store has lost it
			return false
		}
		lengths := game.Lengths(t.Rules)
		if len(lengths) == 0 || game.Length(t.Rules) == lengths[0] {
			return false
		}
		choice = view.Press{Action: view.ActSet, Table: t.ID, What: "length", Value: lengths[0]}
		return true
	})
	if ok {
		p.presses(n, choice.String(), 1)
	}
	return ok
}

// lines are what people type.
var lines = []string{"/new 2", "/new 2", "/new 3", "/new 4", "/join", "/start", "/hand", "/hand", "/table", "/table", "/rules", "/leaderboard", "/help", "/leave"}

// opens opens a table.
func (p *actor) opens() bool {
	p.command(fmt.Sprint("/new ", 2+p.rng.IntN(4)%3), false)
	return true
}

// types types a command. Only somebody rash opens another table or leaves in the middle of a match.
func (p *actor) types(rash bool) bool {
	line := lines[p.rng.IntN(len(lines))]
	if name, _, _ := strings.Cut(line, " "); rash || !slices.Contains([]string{"/new", "/join", "/leave"}, name) {
		p.command(line, p.rng.IntN(5) == 0)
	}
	return true
}

// chooses returns a button that the person sees, for which fits is true.
func (p *actor) chooses(notes []note, fits func(view.Press) bool) (n note, data string, ok bool) {
	for _, i := range p.rng.Perm(len(notes)) {
		all := notes[i].presses
		for _, j := range p.rng.Perm(len(all)) {
			press, err := view.ParsePress(all[j])
			if err != nil && !slices.Contains([]string{"mine", "cfg", "data", "meet"}, press.Action) {
				continue
			}
			if fits == nil || fits(press) {
				return notes[i], all[j], true
			}
		}
	}
	return n, "", false
}

// press presses a button of a message, or of their page.
func (p *actor) press(ctx context.Context, n note, data string) error {
	if page, ok := n.raw.(*page); ok {
		return page.press(ctx, data)
	}
	return p.folk.press(ctx, n, data)
}

// presses presses a button, several times at once.
func (p *actor) presses(n note, data string, times int) {
	w := p.storm
	if press, err := view.ParsePress(data); err == nil {
		w.pressed(p.id(), press)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answered := make(chan bool, times)
	for range times {
		go func() {
			began := time.Now()
			err := p.press(ctx, n, data)
			took := time.Since(began)
			w.logf("%s pressed %s: %v after %v", p.name, data, err, took)
			w.event("press", p.name, data)
			if err != nil && !errors.Is(err, errAsleep) && w.calm.Load() {
				w.fail("%s pressed %s, and nothing was answered: %v", p.name, data, err)
			}
			if took > prompt+w.slack() && w.quiet(began) {
				w.fail("%s pressed %s, and the answer took %v while nothing failed: %v", p.name, data, took, err)
			}
			answered <- err == nil
		}()
	}
	for range times {
		if <-answered {
			w.count(&w.states.counters.Answered)
		} else {
			w.state("a press got no answer")
		}
	}
	w.count(&w.states.counters.Pressed)
	if times > 1 {
		w.state("a button was pressed twice at once")
	}
}
