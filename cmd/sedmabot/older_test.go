package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game/table"
	"sedmabot/store"
)

// pageless is the latest commit whose program has no pages.
const pageless = "8c5238bbaecb97f156364213ea4795e29303d80e"

// pair is Ann on the page and Ben with messages. They play at one table.
type pair struct {
	*match
	ann    *visitor
	waited time.Duration // longest time until the page showed a move of Ben's
}

// moves makes n moves, or fewer if the match ends. After each of Ben's, the page must show it.
func (p *pair) moves(n int) {
	p.t.Helper()
	ben := p.players[1]
	late := time.After(patience)
	look := time.NewTicker(20 * time.Millisecond) // poll, because the page doesn't report the platform's changes
	defer look.Stop()
	for n > 0 {
		hand, ready := ben.hand()
		p.ann.mu.Lock()
		over, turn, version := p.ann.live.Phase == table.Over, p.ann.choice() != "", p.ann.live.Version
		bens := !over && p.ann.live.Felt != nil && p.ann.live.Felt.Turn >= 0 && p.ann.live.Felt.Turn != p.ann.live.Me
		p.ann.mu.Unlock()
		switch {
		case over:
			return
		case turn:
			p.ann.act()
			n--
		case bens && ready && strings.Contains(hand.text, "Your turn"):
			ben.pressed = hand.String()
			p.play(ben.who, hand, hand.plays()[0])
			began := time.Now()
			p.ann.until("Ben's move", func() bool { return p.ann.live.Version > version })
			p.waited = max(p.waited, time.Since(began))
			n--
		default:
			select {
			case <-look.C:
			case <-late:
				p.t.Fatalf("nobody can move: the page shows %+v, and Ben has %v", p.ann.live, hand)
			}
		}
	}
}

// notes returns the stored notes about a table.
func (k kept) notes(t *testing.T, id string) (notes doc.Notes) {
	t.Helper()
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	keys, ok := doc.TableKeys(id)
	if !ok {
		t.Fatalf("%q is no table", id)
	}
	docs, err := s.Get(t.Context(), keys[2])
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Decode(docs[0], &notes); err != nil {
		t.Fatal(err)
	}
	return notes
}

// leavesNewer checks that the program which gets the requests leaves a table of a newer
// program alone, and says so to a player.
func (p *pair) leavesNewer(k kept) {
	t := p.t
	t.Helper()
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m := p.wait("turn")
	id := tableIn(m)
	other := strings.Map(func(r rune) rune { // another table of the same partition
		if r == rune(id[len(id)/2]) {
			return 'z'
		}
		return r
	}, id)
	keys, ok := doc.TableKeys(id)
	newer, fine := doc.TableKeys(other)
	if !ok || !fine || other == id || keys[0].Partition != newer[0].Partition {
		t.Fatalf("the ids %q and %q", id, other)
	}
	docs, err := s.Get(t.Context(), keys[0])
	if err != nil {
		t.Fatal(err)
	}
	data := strings.ReplaceAll(strings.Replace(string(docs[0].Data), `{"v":2,`, `{"v":3,`, 1), id, other)
	write := store.Write{Name: newer[0].Name, Data: []byte(data)}
	if err := s.Commit(t.Context(), store.Change{Partition: newer[0].Partition, Writes: []store.Write{write}, Due: []store.Mark{{ID: newer[0].Name, At: time.Now()}}}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := p.context()
	defer cancel()
	answer, err := p.people[1].PressData(ctx, m, strings.ReplaceAll(dataOf(m, "My cards"), id, other))
	if err != nil || !strings.Contains(answer.Text, "gone") {
		t.Errorf("the answer at a newer table: %q %v", answer.Text, err)
	}
	docs, err = s.Get(t.Context(), newer[0])
	if err != nil || string(docs[0].Data) != data {
		t.Errorf("the newer table was changed to %s: %v", docs[0].Data, err)
	}
	write = store.Write{Name: newer[0].Name, Expect: docs[0].Version}
	if err := s.Commit(t.Context(), store.Change{Partition: newer[0].Partition, Writes: []store.Write{write}}); err != nil {
		t.Fatal(err)
	}
}

// only sends all requests to one process.
func (b *balancer) only(p *behindOne) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.behind = []string{p.at}
}

// A program without pages shares one Redis with today's. It begins a table, which is then
// played on the page and by messages. The page shows moves that the older program makes,
// and stays open when the older program has written the notes of the table.
func TestPagesBesideAnOlderProgram(t *testing.T) {
	t.Parallel()
	unraced(t)
	if !long() {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	older := builtAt(t, pageless)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := onRedis(t)
	server := telegramtest.New(t)
	front := newBalancer(t, server)
	env := []string{
		variable(k.config), variable("telegram.token: " + server.Token), variable("telegram.api_base: " + server.URL),
		variable("telegram.mode: webhook"), variable("telegram.webhook_url: " + front.URL + "/telegram"), "SEDMABOT_TABLE_PACE=0",
	}
	const public = "http://127.0.0.1:1/sedma"
	first := front.add(t, older, env)
	p := &pair{match: &match{onTelegram: newTelegram(t, server, "Ann", "Ben")}}
	p.begin(2)
	p.match.moves(3)
	p.leavesNewer(k)

	today := front.add(t, self, append(slices.Clone(env), eagerly+"=1", variable("web.url: "+public)))
	front.only(today)
	p.match.moves(2) // then today's program shows the hands, with links
	p.ann = visit(t, today.at, public, map[string]string{"door": "link", "token": personalLink(p.onTelegram, 0)})
	p.moves(4)

	front.only(first)
	p.moves(6)
	t.Logf("the page showed moves that the older program made after %v at most", p.waited.Round(time.Millisecond))
	p.ann.mu.Lock()
	id := p.ann.live.Table
	p.ann.mu.Unlock()
	if notes := k.notes(t, id); len(notes.Pages) != 1 {
		t.Errorf("the notes have the pages %v", notes.Pages)
	}
	p.people[1].Start("")
	p.until(func() bool { return k.notes(t, id).Reached != nil })
	p.moves(6)
	p.ann.until("the number of its link in the notes", func() bool {
		for _, page := range k.notes(t, id).Pages {
			return page.Link == 1
		}
		return false
	})

	front.only(today)
	front.remove(t, first)
	for !finished(p) {
		p.moves(1)
	}
	checkBoard(t, p)
	front.remove(t, today)
	checkMatches(t, k, 1)
	restores(t, k, older)
}
