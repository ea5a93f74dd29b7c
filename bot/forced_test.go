package bot

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/web"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// overheard is a platform like wall. It also writes down each delivery, with its time and everything that it shows.
// It leaves out the private messages of one player.
type overheard struct {
	*wall
	secret string // the player whose private messages are left out
	begun  time.Time
	heard  []string
}

func (o *overheard) note(what string, s screen.Screen) {
	line := fmt.Sprintf("%v %s\n%s", time.Since(o.begun), what, s)
	if s.Picture != nil {
		line += fmt.Sprintf("%+v%+v", s.Picture.Draw.Table, s.Picture.Draw.Hand)
	}
	o.heard = append(o.heard, fmt.Sprintf("%s%+v%+v", line, s.Rows, s.Places))
}

func (o *overheard) Send(ctx context.Context, to chat.Target, s screen.Screen, nonce string) (chat.Address, error) {
	at, err := o.wall.Send(ctx, to, s, nonce)
	o.mu.Lock()
	defer o.mu.Unlock()
	if to.Player != o.secret {
		o.note("send "+to.Chat+to.Player, s)
	}
	return at, err
}

func (o *overheard) Edit(ctx context.Context, at chat.Address, s screen.Screen) error {
	err := o.wall.Edit(ctx, at, s)
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Contains(o.places[o.secret], at) {
		o.note("edit", s)
	}
	return err
}

func (o *overheard) Delete(ctx context.Context, at chat.Address) error {
	o.mu.Lock()
	o.note("delete", screen.Screen{})
	o.mu.Unlock()
	return o.wall.Delete(ctx, at)
}

// atDecision returns two deals for two players that everybody but the leader sees alike. It is the turn of the player
// after the leader. Once they have played move, the leader has to stop in the first deal, and has a choice in the second.
func atDecision(t *testing.T, leader int) (forced, free game.State, move game.Move) {
	t.Helper()
	rules := gametest.Preset(t, "sedma-2p")
	for n := range 100_000 {
		deck := game.Shuffle(rules.Pack(), sha256.Sum256([]byte{byte(n), byte(n >> 8), byte(n >> 16)}))
		deal, err := game.Deal(rules, deck, 1-leader)
		if err != nil {
			t.Fatal(err)
		}
		lead := deal.View(leader)
		if deal, err = game.Apply(deal, leader, lead.Legal[0]); err != nil {
			t.Fatal(err)
		}
		move = deal.View(1 - leader).Legal[0]
		after, err := game.Apply(deal, 1-leader, move)
		if err != nil {
			t.Fatal(err)
		}
		if !after.Forced() {
			continue
		}
		// The last card of the stock changes places with one of the leader's.
		other := slices.Clone(deck)
		kept := slices.IndexFunc(deck, func(c game.Card) bool { return slices.Contains(after.Hand(leader), c) })
		last := len(deck) - 1
		other[kept], other[last] = other[last], other[kept]
		second, err := game.Replay(rules, other, 1-leader, deal.Moves())
		if err != nil {
			t.Fatal(err)
		}
		if next, err := game.Apply(second, 1-leader, move); err != nil || next.Forced() {
			continue
		}
		return deal, second, move
	}
	t.Fatal("no such deal")
	return forced, free, move
}

// Other players must not notice that the rules forced the leader to stop. Every message and every state of a page, and
// its time, must be the same as if the leader had chosen to stop, whether the leader is a person or the AI.
func TestAForcedStopLooksLikeADecision(t *testing.T) {
	t.Parallel()
	for name, leader := range map[string]int{"a person leads": 0, "the AI leads": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forced, free, move := atDecision(t, leader)
			var pause time.Duration
			first := decided(t, leader, forced, move, &pause)
			second := decided(t, leader, free, move, &pause)
			shown := strings.Join(first, "\n")
			if !strings.Contains(shown, " took: ") || strings.Count(shown, " page of test:eve ") < 2 || leader == 0 && !strings.Contains(shown, "continue or stop?") {
				t.Fatalf("too little was sent:\n%s", shown)
			}
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("the forced stop can be told (-forced +decided):\n%s", diff)
			}
		})
	}
}

// whoMarks finds the marks of people in a page's frame. Each store has a secret of its own for them, so they differ between
// two tables that a test compares.
var whoMarks = regexp.MustCompile(`"who":"[^"]+"`)

// onPages notes each state of the table that the page of the follower and a spectator's page get, with its time. It
// returns once both pages wait for changes, and they do so until the test's ctx ends.
func (o *overheard) onPages(ctx context.Context, t *testing.T, b *Bot, id, follower string) {
	t.Helper()
	room, err := b.Pages().Table(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []chat.Visitor{{Player: chat.Player{ID: "test:" + follower}}, {Player: chat.Player{ID: "test:eve"}, Chats: []string{room.Public.Chats[0].ID}}} {
		changes, err := b.Pages().Changes(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for range changes {
				now, err := b.Pages().Table(ctx, id)
				if ctx.Err() != nil {
					return
				}
				if _, ok := now.Admits(v); err != nil || !ok {
					t.Errorf("the page of %s: %v", v.Player.ID, err)
					return
				}
				frame, err := json.Marshal(web.Live(now, v))
				if err != nil {
					t.Error(err)
				}
				frame = whoMarks.ReplaceAll(frame, []byte(`"who":"a mark"`))
				o.mu.Lock()
				o.heard = append(o.heard, fmt.Sprintf("%v page of %s %s", time.Since(o.begun), v.Player.ID, frame))
				o.mu.Unlock()
			}
		}()
	}
	synctest.Wait()
}

// decided plays the move and the leader's stop at a table with that deal, and returns what others were sent. If the
// leader is a person with a choice, they press Stop after the pause. Otherwise pause is set to how long the stop took.
func decided(t *testing.T, leader int, deal game.State, move game.Move, pause *time.Duration) (heard []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		o := &overheard{wall: &wall{standing: map[chat.Address]screen.Screen{}, places: map[string][]chat.Address{}}, begun: time.Now()}
		kept := &rewinding{t: t}
		kept.open(path)
		stops := func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			if slices.Contains(v.Legal, game.Stop) {
				return game.Stop
			}
			return v.Legal[0]
		}
		r := &room{T: t, wall: o.wall, store: kept}
		seed := func() table.Seed { return table.Seed{1} }
		r.bot = New(Config{Store: kept, Platforms: []chat.Platform{o}, Think: stops, Log: slog.New(slog.DiscardHandler), Pace: 2 * time.Second, Seed: seed})
		in := by("ann")
		in.Command, in.Args = "new", map[string]string{"players": "2"}
		if reply := r.bot.Handle(t.Context(), in); reply.Outcome != chat.Done {
			t.Fatal(reply)
		}
		follower := "ann"
		if leader == 0 {
			o.secret = "test:ann"
			follower = "ben"
			command(r.bot, "ben", "join")
		}
		command(r.bot, "ann", "start")
		r.running(func() {
			id := theTable(t, r.bot).ID
			if _, err := r.bot.tables.Update(t.Context(), id, func(tb table.Table) (table.Table, []table.Event, error) {
				tb.Deal, tb.Since = deal, time.Now()
				return tb, nil, nil
			}); err != nil {
				t.Fatal(err)
			}
			r.shown()
			ctx, closePages := context.WithCancel(t.Context())
			defer closePages()
			o.onPages(ctx, t, r.bot, id, follower)
			o.mu.Lock()
			o.heard, o.begun = nil, time.Now()
			o.mu.Unlock()
			now := theTable(t, r.bot)
			press := view.Press{Action: view.ActPlay, Table: id, Deal: now.DealNo, Turn: deal.Decisions(1 - leader), Move: move}
			if reply := r.press(follower, press.String()); reply.Outcome != chat.Done {
				t.Fatal(reply)
			}
			after, err := game.Apply(deal, 1-leader, move)
			if err != nil {
				t.Fatal(err)
			}
			if leader == 0 && !after.Forced() {
				time.Sleep(*pause)
				press = view.Press{Action: view.ActPlay, Table: id, Deal: now.DealNo, Turn: after.Decisions(leader), Move: game.Stop}
				if reply := r.press("ann", press.String()); reply.Outcome != chat.Done {
					t.Fatal(reply)
				}
			} else {
				*pause = time.Until(theTable(t, r.bot).Due())
			}
			time.Sleep(10 * time.Second)
			synctest.Wait()
			for _, line := range o.heard {
				heard = append(heard, strings.ReplaceAll(line, id, "the table"))
			}
			slices.Sort(heard) // places are served at the same time
		})
	})
	return heard
}
