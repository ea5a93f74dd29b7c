package main

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// manner is how the people of a table play.
type manner int

const (
	byNumbers manner = iota // nobody has opened the private chat: people press the numbers under the table's message
	byHands                 // people press the cards in their private chats
)

// api is a platform as the people use it.
type api interface {
	// press delivers that a person (0 or 1) of a room has pressed a button of a message. place is 0 for the room's
	// channel, 1 and 2 for the people's private chats. id identifies the press in its answer.
	press(r *room, person, place int, m *message, data, id string)
	// home returns the bot's id for the room's group or server.
	home(r *room) string
	// wait waits until the bot is connected.
	wait(ctx context.Context)
	// say delivers a command.
	say(r *room, person int, command string, args ...string)
}

// house is all rooms of one run.
type house struct {
	api    api
	rooms  []*room
	manner manner
	peer   bool // the program has no game: each press is followed by the same one
	words  bool // people want no pictures

	mu      sync.Mutex
	paused  bool
	stats   *stats // of the open window, or nil
	matches int    // finished since the start
	missed  int    // presses after which nothing happened
	done    int    // presses finished since the start
	calls   *recorder
}

// stats is what happened in a window.
type stats struct {
	presses       int
	answer, shown []time.Duration // from each press to its answer, and to the new message in the channel
}

// room is a table, its channel and its two people.
type room struct {
	house *house
	index int

	mu     sync.Mutex
	places [3]map[int64]*message
	used   map[string]bool // turns that were pressed already
	open   *press          // the press that the bot is dealing with, or nil
	last   choice          // what was pressed last
	count  int             // presses so far
	wrong  bool            // the last press had no effect, so it is the other person's turn
	stage  int             // how many steps were done to open the table, see seating
	begun  bool            // somebody has made a move
	moves  int             // how many there were
	again  int             // how many people have asked for another match
	deal   string          // the table and the number of its deal
	played [2]int          // how many cards each person has played in the deal
	gone   [2]string       // the numbers of those played since the stock ran out
}

// message is what a message shows.
type message struct {
	id      int64
	text    string
	buttons []button
	photo   bool
}

type button struct{ label, data string }

// press is a press that the bot is dealing with.
type press struct {
	at       time.Time
	answered time.Time
	shown    time.Time
	free     bool // it is not part of the game, so nothing has to change
}

// seating is the stage after the settings, in which Ann opens a table and Ben takes a seat.
const seating = 4

// names are the people of each room.
var names = [2]string{"Ann", "Ben"}

func newHouse(tables int, a api, how manner, peer, words bool) *house {
	h := &house{api: a, manner: how, peer: peer, words: words, calls: newRecorder()}
	for i := range tables {
		r := &room{house: h, index: i, used: map[string]bool{}}
		for p := range r.places {
			r.places[p] = map[int64]*message{}
		}
		h.rooms = append(h.rooms, r)
	}
	return h
}

// begin opens a window.
func (h *house) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stats = &stats{}
}

// end closes the window.
func (h *house) end() *stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stats
	h.stats = nil
	return s
}

// pause stops the people, or lets them continue.
func (h *house) pause(on bool) {
	h.mu.Lock()
	h.paused = on
	h.mu.Unlock()
	if !on {
		for _, r := range h.rooms {
			r.mu.Lock()
			r.step()
			r.mu.Unlock()
		}
	}
}

func (h *house) resting() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.paused
}

// playing returns the number of rooms whose table is in play.
func (h *house) playing() int {
	n := 0
	for _, r := range h.rooms {
		r.mu.Lock()
		if r.begun {
			n++
		}
		r.mu.Unlock()
	}
	return n
}

// record counts a finished press.
func (h *house) record(p *press) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done++
	if h.stats == nil {
		return
	}
	h.stats.presses++
	h.stats.answer = append(h.stats.answer, p.answered.Sub(p.at))
	h.stats.shown = append(h.stats.shown, p.shown.Sub(p.at))
}

// show is called when the bot has sent or edited a message.
func (r *room) show(place int, m *message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.places[place][m.id] = m
	if len(r.places[place]) > 8 {
		oldest := m.id
		for id := range r.places[place] {
			oldest = min(oldest, id)
		}
		delete(r.places[place], oldest)
	}
	if p := r.open; p != nil && place == 0 && p.shown.IsZero() && (!r.house.peer || m.id == constant) {
		p.shown = time.Now()
	}
	r.step()
}

// drop is called when the bot has deleted a message.
func (r *room) drop(place int, id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.places[place], id)
}

// answer is called when the bot has answered the open press.
func (r *room) answer(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if strings.Contains(text, "no card at that place") && r.open != nil {
		r.house.mu.Lock()
		r.house.missed++
		r.house.mu.Unlock()
		clear(r.used)
		r.open = nil
	}
	if p := r.open; p != nil && p.answered.IsZero() {
		p.answered = time.Now()
	}
	r.step()
}

// place returns the name of a place, as seen by the person who has pressed last.
func (r *room) place(place int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case place == 0:
		return "channel"
	case place-1 == r.last.person:
		return "own"
	}
	return "other"
}

// pressed returns the place and id of the message whose button was pressed last.
func (r *room) pressed() (place int, id int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last.message == nil {
		return r.last.place, 0
	}
	return r.last.place, r.last.message.id
}

// step finishes the open press if it has had its effect, and makes the next one. The caller holds r.mu.
func (r *room) step() {
	if p := r.open; p != nil {
		if p.answered.IsZero() || p.shown.IsZero() && !p.free {
			return
		}
		r.open = nil
		if !p.free {
			r.wrong = false
			r.house.record(p)
		}
	}
	if r.house.resting() {
		return
	}
	c, ok := r.choose()
	if !ok {
		return
	}
	r.used[c.key] = true
	if len(r.used) > 1000 {
		r.used = map[string]bool{c.key: true}
	}
	r.make(c)
}

// make presses a button. The caller holds r.mu.
func (r *room) make(c choice) {
	r.count++
	r.last = c
	r.open = &press{at: time.Now(), free: c.free}
	m := c.message
	if m == nil {
		m = &message{id: constant}
	}
	r.house.api.press(r, c.person, c.place, m, c.data, pressID(r.index, r.count))
}

// constant is the id of the message whose buttons are pressed at a peer.
const constant = 1

// choice is a press to make.
type choice struct {
	person, place int
	message       *message
	data, key     string
	free          bool
}

// choose returns the next press, if somebody can press something new. The caller holds r.mu.
func (r *room) choose() (choice, bool) {
	if r.house.peer {
		r.begun = true
		return choice{person: r.count % 2, data: "place:0123456789abcdef:1:1:1", key: "peer"}, true
	}
	if c, ok := r.early(); ok {
		return c, true
	}
	for person := range 2 {
		for _, m := range newest(r.places[1+person]) {
			if c, ok := r.turn(m, "play:", person, 1+person); ok {
				return c, true
			}
		}
	}
	for _, m := range newest(r.places[0]) {
		if r.house.manner == byNumbers {
			if c, ok := r.turn(m, "place:", mover(m.text, r.wrong), 0); ok {
				return c, true
			}
		}
		for _, b := range m.buttons {
			action, _, _ := strings.Cut(b.data, ":")
			c := choice{message: m, data: b.data, key: action + " " + pressID(r.index, r.moves)} // a message may show several matches
			switch {
			case r.used[c.key]:
			case action == "rematch" && r.again == 0:
				r.again = 1
				r.house.mu.Lock()
				r.house.matches++
				r.house.mu.Unlock()
				return c, true
			case action == "join" && r.again == 1: // a program that kept Ben's seat only answers
				r.again = 2
				c.person, c.free = 1, true
				return c, true
			case action == "start" && r.stage > seating && r.again != 1:
				return c, true
			}
		}
	}
	return choice{}, false
}

// early returns the presses that open the room's table: settings, a command, and a second player. Matches are to ten, so
// that programs that begin with another length play the same ones.
func (r *room) early() (choice, bool) {
	home := r.house.api.home(r)
	settings := []choice{{place: 0, data: "cfg:length:t10:" + home}}
	if r.house.words {
		settings = append(settings,
			choice{place: 0, data: "cfg:pictures:off:" + home},
			choice{person: 0, place: 1, data: "mine:pictures:off:"},
			choice{person: 1, place: 2, data: "mine:pictures:off:"},
		)
	}
	for r.stage < seating {
		s := r.stage
		r.stage++
		if s < len(settings) && (settings[s].place == 0 || r.house.manner == byHands) {
			c := settings[s]
			c.key, c.free = c.data+pressID(s, 0), true
			return c, true
		}
	}
	if r.stage == seating {
		for _, m := range newest(r.places[0]) {
			for _, b := range m.buttons {
				if strings.HasPrefix(b.data, "join:") {
					r.stage++
					return choice{person: 1, message: m, data: b.data, key: "join"}, true
				}
			}
		}
		if !r.used["new"] {
			r.used["new"] = true
			r.house.api.say(r, 0, "new", "2")
		}
	}
	return choice{}, false
}

// turn returns a press of one of the message's buttons for moves, unless that turn was pressed already.
func (r *room) turn(m *message, action string, person, place int) (choice, bool) {
	data := ""
	for _, b := range m.buttons {
		if strings.HasPrefix(b.data, action) && (data == "" && r.holds(b, person) || strings.HasPrefix(b.label, "Stop")) {
			data = b.data // everybody may stop
		}
	}
	if data == "" {
		r.gone[person] = ""
		return choice{}, false
	}
	key := data[:strings.LastIndexByte(data, ':')] + pressID(person, place)
	if r.used[key] {
		return choice{}, false
	}
	r.begun, r.moves, r.again = true, r.moves+1, 0
	if number := data[len(data)-1:]; number >= "1" && number <= "9" {
		if r.played[person]++; r.played[person] > refills {
			r.gone[person] += number
		}
	}
	return choice{person: person, place: place, message: m, data: data, key: key}, true
}

// refills is how often a card that was played is replaced from the stock: in a deal of 32 cards to two people, of whom
// each has four.
const refills = (32 - 2*4) / 2

// holds reports whether a person still has the card of a button, as far as the person knows. The numbers of cards that
// were played stay under the table's message.
func (r *room) holds(b button, person int) bool {
	parts := strings.Split(b.data, ":")
	if len(parts) < 5 || parts[0] != "place" {
		return true
	}
	if deal := parts[1] + parts[2]; r.deal != deal {
		r.deal, r.gone, r.played = deal, [2]string{}, [2]int{}
	}
	return !strings.Contains(r.gone[person], parts[4])
}

// mover returns whose turn it is: the first of the names that the message mentions, or the other if that was wrong.
func mover(text string, wrong bool) int {
	first, second := strings.Index(text, names[0]), strings.Index(text, names[1])
	ben := second >= 0 && (first < 0 || second < first)
	if ben != wrong {
		return 1
	}
	return 0
}

// newest returns messages, the newest first.
func newest(all map[int64]*message) []*message {
	var out []*message
	for _, m := range all {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *message) int { return int(b.id - a.id) })
	return out
}

// patience is how long people wait for an effect of a press before they try something else.
const patience = 8 * time.Second

// patrol looks for presses without effect until stop is closed.
func (h *house) patrol(stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(patience / 8):
		}
		for _, r := range h.rooms {
			r.mu.Lock()
			if p := r.open; p != nil && time.Since(p.at) > patience {
				r.open, r.wrong = nil, !r.wrong
				h.mu.Lock()
				h.missed++
				h.mu.Unlock()
				r.step()
			}
			r.mu.Unlock()
		}
	}
}
