package web_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// witness passes the bot's tables to the pages' server, and remembers every state that it
// passed on.
type witness struct {
	chat.Pages
	mu     sync.Mutex
	states map[string]map[int64]chat.PageTable // by table and version
}

func (w *witness) Table(ctx context.Context, id string) (chat.PageTable, error) {
	t, err := w.Pages.Table(ctx, id)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		if w.states[id] == nil {
			w.states[id] = map[int64]chat.PageTable{}
		}
		w.states[id][t.Version] = t
	}
	return t, err
}

// known returns the cards that a reader may know at a version of a table. At version 0, it
// returns those that they may have known at any version so far.
func (w *witness) known(id, player string, version int64) map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	cards := map[string]bool{}
	for at, t := range w.states[id] {
		if version != 0 && at != version {
			continue
		}
		for _, e := range t.Public.View.Log {
			cards[e.Card.String()] = true
		}
		if own, sits := t.Private(player); sits {
			for _, c := range own.View.Hand {
				cards[c.String()] = true
			}
		}
	}
	return cards
}

// All players and a spectator watch whole matches of 2, 3, 4 and 6 on pages, and another person the front door. All of them
// ask for the replay and the coach of the running match. Every card in a frame is in its
// reader's hand at that moment, or was played. The seed of a deal comes only when the deal is
// over. The front door has no card at all. Afterwards, the match's replay shows it.
func TestNoFrameShowsAHiddenCard(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	tables, rooms := []int{4, 2, 3, 6}, 1
	switch {
	case long():
		rooms = 5
	case clocktest.Raced:
		tables = tables[1:2] // the others show no other goroutines
	}
	people := []string{playground.Ann, playground.Ben, playground.Cat, playground.Dan}
	frames := 0
	for range rooms {
		w := &witness{states: map[string]map[int64]chat.PageTable{}}
		r := open(t, func(p chat.Pages) chat.Pages { w.Pages = p; return w })
		for _, players := range tables {
			frames += r.watchedMatch(t, w, players, people[:min(players, len(people))])
		}
	}
	t.Logf("%d frames", frames)
}

// watchedMatch plays a match of one deal with people on pages, the AI on the other seats, and Eve as a spectator.
// It checks all frames, and returns their number.
func (r *room) watchedMatch(t *testing.T, w *witness, players int, people []string) int {
	t.Helper()
	line := fmt.Sprintf("/new %d", players)
	if players == 6 {
		line = "/new hola 6" // only Hola is for six
	}
	if _, err := r.Command(t.Context(), people[0], playground.Channel, line); err != nil {
		t.Fatal(err)
	}
	r.tap(t, ":page:length")
	r.tap(t, ":length:h1")
	for _, who := range people[1:] {
		if _, err := r.Command(t.Context(), who, playground.Channel, "/join"); err != nil {
			t.Fatal(err)
		}
	}
	r.tap(t, "start:")
	var pages []*page
	for _, who := range people {
		pages = append(pages, r.enter(t, r.link(t, who, "")))
	}
	pages[0].next()
	id := pages[0].live.Table
	client, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Eve, Lang: "en"}, Chats: []string{playground.Channel}})
	guest := r.page(t, client, as)
	guest.send(fmt.Sprintf(`{"t":"table","table":%q}`, id))
	guest.until(func(l view.Live) bool { return l.Table == id })
	pages = append(pages, guest)
	front := r.door(t, playground.Eve)
	for _, p := range append(slices.Clip(pages), front) {
		for _, press := range []string{"replay:%s:1:1:0:", "coach:%s:1:0:0:", "retry:%s:1:1:0:x", "deals:%s:1:1:0:"} {
			if m := p.press(fmt.Sprintf(press, id)); m.Screen != nil || m.Replay != nil || m.Toast == "" {
				t.Errorf("during the match, the answer to %s: %+v", press, m)
			}
		}
	}
	for guest.live.Phase != table.Over {
		played := false
		for _, p := range pages {
			played = p.act() || played
		}
		if !played {
			guest.next()
		}
		newest := int64(0)
		for late := true; late; { // a page that is late would get only the newest of several states
			late = false
			for _, p := range pages {
				for p.live.Version < newest {
					p.next()
				}
				late = late || p.live.Version > newest
				newest = max(newest, p.live.Version)
			}
		}
	}
	if t.Failed() || guest.live.Me != -1 || guest.live.Phase != table.Over {
		t.Fatalf("the match isn't over for the spectator: %+v", guest.live)
	}
	checkPositions(t, w, id, people[0], pages[0])
	total := 0
	for i, p := range pages {
		_ = p.conn.CloseNow()
		r.checkFrames(t, w, id, append(slices.Clip(people), playground.Eve)[i], p.got)
		total += len(p.got)
	}
	checkFront(t, front.got)
	if m := front.press(view.ReplayPress(id, 1)); len(m.Replay) < 3 {
		t.Errorf("the replay of the finished match has %d steps", len(m.Replay))
	}
	return total + len(front.got)
}

// send sends a message up the socket.
func (p *page) send(data string) {
	p.t.Helper()
	if err := p.conn.Write(p.t.Context(), websocket.MessageText, []byte(data)); err != nil {
		p.t.Fatal(err)
	}
}

// checkFrames checks all frames that a reader got of a match of one deal.
func (r *room) checkFrames(t *testing.T, w *witness, id, reader string, frames [][]byte) {
	t.Helper()
	names := map[string]string{} // cards by their names
	lives := 0
	for _, data := range frames {
		var frame map[string]any
		if err := json.Unmarshal(data, &frame); err != nil {
			t.Fatal(err)
		}
		cardsOn(frame, names)
		var m message
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		version := int64(0)
		if m.T == "live" {
			version = m.Live.Version
			lives++
		}
		known := w.known(id, reader, version)
		for _, c := range cardsOn(frame, names) {
			if !known[c] {
				t.Errorf("the page of %s has the card %s, which its reader doesn't know:\n%s", reader, c, data)
			}
		}
		for _, seed := range r.seeds {
			for _, secret := range []string{hex.EncodeToString(seed[:8]), base64.StdEncoding.EncodeToString(seed[:9]), base64.RawURLEncoding.EncodeToString(seed[:9])} {
				if strings.Contains(string(data), secret) && (m.T != "live" || m.Live.Phase != table.Over) {
					t.Errorf("the page of %s has the seed of a deal:\n%s", reader, data)
				}
			}
		}
		if m.T != "live" {
			continue
		}
		for name, c := range names { // those that its reader saw before
			if !known[c] && strings.Contains(string(data), name) {
				t.Errorf("the page of %s names the card %s, which its reader doesn't know:\n%s", reader, c, data)
			}
		}
	}
	if lives < 16 || len(names) < 16 {
		t.Errorf("%s got only %d states of the table, with %d cards", reader, lives, len(names))
	}
}

// checkPositions checks that the positions of a finished match, from which its reader can play on, have no card but those that the
// reader knew then.
func checkPositions(t *testing.T, w *witness, id, reader string, p *page) {
	t.Helper()
	shown := 0
	for action := range 12 {
		m := p.press(fmt.Sprintf("retry:%s:1:1:%d:x", id, action))
		if m.Position == nil || m.Position.Felt.Ply != action { // not the reader's choice
			continue
		}
		var frame map[string]any
		if err := json.Unmarshal(p.got[len(p.got)-1], &frame); err != nil {
			t.Fatal(err)
		}
		w.mu.Lock()
		then := int64(0)
		for version, at := range w.states[id] {
			if len(at.Public.View.Log) == action && at.Public.Phase == table.Playing {
				then = version
			}
		}
		w.mu.Unlock()
		if then == 0 {
			continue
		}
		known := w.known(id, reader, then)
		for _, c := range cardsOn(frame, map[string]string{}) {
			if !known[c] {
				t.Errorf("the position after %d moves has the card %s, which its reader didn't know", action, c)
			}
		}
		shown++
	}
	if shown == 0 {
		t.Error("no position was shown")
	}
}

// cardsOn returns the cards in the fields of a frame: as cards, and as moves of buttons.
// It adds the names of cards to names.
func cardsOn(v any, names map[string]string) (cards []string) {
	switch v := v.(type) {
	case []any:
		for _, each := range v {
			cards = append(cards, cardsOn(each, names)...)
		}
	case map[string]any:
		for field, each := range v {
			text, _ := each.(string)
			switch {
			case field == "card" && text != "":
				cards = append(cards, text)
				if name, _ := v["name"].(string); name != "" {
					names[name] = text
				}
			case field == "press":
				p, err := view.ParsePress(text)
				if c, ok := p.Move.Card(); err == nil && ok && p.Action == view.ActPlay {
					cards = append(cards, c.String())
				}
			default:
				cards = append(cards, cardsOn(each, names)...)
			}
		}
	}
	return cards
}
