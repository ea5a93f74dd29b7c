package bottest

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"sedmabot/bot/view"
)

// actor is somebody who presses whatever they see.
type actor struct {
	folk
	storm *storm
	name  string
	rng   *rand.Rand
}

// patience is how long a person waits for the answer to a press, and prompt is how long an answer may take while nothing fails.
const (
	patience = 30 * time.Second
	prompt   = 5 * time.Second // Discord waits for 3 s: see discordPerson.press
)

// goes is how long before the end of the storm people begin to close what they have opened.
const goes = 15 * time.Second

// live acts until the storm is over.
func (p *actor) live() {
	for time.Since(p.storm.begun) < p.storm.Length {
		time.Sleep(time.Duration(300+p.rng.IntN(3500))*time.Millisecond + time.Duration(p.rng.IntN(1_000_000)))
		p.act()
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
	action := func(actions ...string) func(view.Press) bool {
		return func(press view.Press) bool { return slices.Contains(actions, press.Action) }
	}
	some := func(notes []note, fits func(view.Press) bool) bool {
		n, data, ok := p.chooses(notes, fits)
		if ok {
			p.presses(n, data, 1+p.rng.IntN(10)/9)
		}
		return ok
	}
	if left := p.storm.Length - time.Since(p.storm.begun); left < goes && p.rng.IntN(3) == 0 || p.rng.IntN(60) == 0 {
		sure := action(view.ActSure)
		_ = some(own, sure) || some(public, sure) || some(all, action(view.ActClose, view.ActLeave, view.ActStart, view.ActRematch)) || p.types()
		return
	}
	switch n := p.rng.IntN(20); {
	case n < 12: // play, if possible
		latest := own[max(0, len(own)-2):]
		if n == 0 {
			latest = own
		}
		_ = some(latest, action(view.ActPlay)) || some(public[max(0, len(public)-2):], action(view.ActPlace)) || some(public, action(view.ActJoin, view.ActStart, view.ActRematch)) || p.types()
	case n < 15:
		some(all, func(press view.Press) bool { return press.Action != view.ActClose || p.rng.IntN(20) == 0 })
	case n == 15:
		some(public, action(view.ActCards, view.ActRematch, view.ActLast))
	case n == 16: // made-up data
		if n, data, ok := p.chooses(public, nil); ok {
			forged := []byte(data)
			forged[p.rng.IntN(len(forged))] = byte(33 + p.rng.IntN(90))
			p.presses(n, string(forged), 1)
		}
	default:
		p.types()
	}
}

// lines are what people type.
var lines = []string{"/new 2", "/new 2", "/new 3", "/new 4", "/join", "/start", "/hand", "/hand", "/table", "/rules", "/leaderboard", "/help", "/leave"}

// types types a command.
func (p *actor) types() bool {
	p.command(lines[p.rng.IntN(len(lines))], p.rng.IntN(5) == 0)
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
			if took > prompt && w.quiet(began) {
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
