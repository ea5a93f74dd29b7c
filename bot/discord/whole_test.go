package discord_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// gate is a store that can be blocked for a while.
type gate struct {
	store.Store
	mu     sync.Mutex
	closed chan struct{} // closed when the gate opens; nil: the gate is open
}

func (g *gate) wait(ctx context.Context) error {
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed == nil {
		return nil
	}
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	if err := g.wait(ctx); err != nil {
		return nil, err
	}
	return g.Store.Get(ctx, keys...)
}

func (g *gate) Commit(ctx context.Context, c store.Change) error {
	if err := g.wait(ctx); err != nil {
		return err
	}
	return g.Store.Commit(ctx, c)
}

// shut closes the gate, and returns a function that opens it.
func (g *gate) shut() func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	closed := make(chan struct{})
	g.closed = closed
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.closed = nil
		close(closed)
	}
}

// play runs the whole bot in the world. Errors fail the test, except those with an expected message.
func (w *world) play(t *testing.T, expected ...string) *gate {
	t.Helper()
	file := storetest.NewMemory()
	g := &gate{Store: file}
	var log bytes.Buffer
	b := bot.New(bot.Config{
		Store: g, Platforms: []chat.Platform{w.adapter}, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})),
		Think: func(ctx context.Context, _ string, v game.View, m game.Match) game.Move {
			if w.level != "" {
				return ai.Choose(ctx, w.level, v, m).Move
			}
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
		Worlds: 10,
	})
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = b.Run(ctx) })
	parts.Go(func() { _ = w.adapter.Run(ctx, b) })
	t.Cleanup(func() {
		stop()
		parts.Wait()
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(log.String()) {
			if !slices.ContainsFunc(expected, func(words string) bool { return strings.Contains(line, words) }) {
				t.Errorf("an error in the log: %s", line)
			}
		}
	})
	w.Until("the bot is connected", func() bool { return w.Connected() == 1 && len(w.Commands()) > 0 })
	return g
}

// shows waits for a message with that text, and returns the oldest.
func (w *world) shows(p *discordtest.Person, c *discordtest.Channel, text string) (found discordtest.Message) {
	w.Until(p.Name+" sees "+text, func() bool {
		for _, m := range p.Sees(c) {
			if strings.Contains(m.Text+"\n"+m.Alt, text) {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// deal opens a table for two in the channel and starts a match to ten.
func (w *world) deal(c *discordtest.Channel) {
	w.ann.Slash(c, "new", map[string]any{"rules": "sedma-2p"}).Wait()
	w.bob.Click(w.shows(w.ann, c, "who plays?"), "Join").Wait()
	w.shows(w.ann, c, "Bob")
	w.toTen(w.ann, c)
	w.begin(w.ann, c)
}

// holds reports whether a person's private chat has a message with that text. Their hand says which deal it is.
func (w *world) holds(p *discordtest.Person, text string) bool {
	return slices.ContainsFunc(p.Sees(p.DM()), func(m discordtest.Message) bool { return strings.Contains(m.Text, text) })
}

// table waits for a table's message, and returns it.
func (w *world) table(p *discordtest.Person, c *discordtest.Channel) (found discordtest.Message) {
	w.Until(p.Name+" sees a table", func() bool {
		for _, m := range p.Sees(c) {
			if slices.Contains(labels(m), "My cards") {
				found = m
				return true
			}
		}
		return false
	})
	return found
}

// turn waits until somebody has to play, and returns that person and their hand.
func (w *world) turn() (p *discordtest.Person, hand discordtest.Message) {
	w.Until("somebody has to play", func() bool {
		for _, who := range []*discordtest.Person{w.ann, w.bob} {
			for _, m := range who.Sees(who.DM()) {
				if strings.Contains(m.Text, "Your turn") {
					p, hand = who, m
					return true
				}
			}
		}
		return false
	})
	return p, hand
}

// labels returns the labels of the message's buttons.
func labels(m discordtest.Message) (all []string) {
	for _, b := range m.Buttons {
		all = append(all, b.Label)
	}
	return all
}

// playable returns the custom id of the first enabled button.
func playable(hand discordtest.Message) string {
	for _, b := range hand.Buttons {
		if !b.Off {
			return b.CustomID
		}
	}
	return ""
}

// TestStartIsAnsweredAtOnce checks that the answer to Start doesn't wait for the table's message in the channel: it comes while
// Discord holds every edit there.
func TestStartIsAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.ann.Slash(w.channel, "new", map[string]any{"rules": "sedma-2p"}).Wait()
	w.bob.Click(w.shows(w.ann, w.channel, "who plays?"), "Join").Wait()
	w.shows(w.ann, w.channel, "Bob")
	hold := make(chan struct{})
	release := sync.OnceFunc(func() { close(hold) })
	defer release()
	w.Fail(discordtest.Fault{Path: "/channels/" + w.channel.ID + "/messages", Times: 1000, Hold: hold})
	w.ann.Click(w.shows(w.ann, w.channel, "who plays?"), "Start").Wait()
	if slices.ContainsFunc(w.ann.Sees(w.channel), func(m discordtest.Message) bool { return slices.Contains(labels(m), "My cards") }) {
		t.Error("the table is there before Discord takes an edit")
	}
	release()
	w.table(w.ann, w.channel)
}

// TestASlowStoreIsNoFailure checks slow work: the person is told to wait, and sees the
// reply when it is done. The test's Discord fails the test if an interaction has no
// answer after three seconds.
func TestASlowStoreIsNoFailure(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	g := w.play(t)
	w.deal(w.channel)
	p, hand := w.turn()
	table := w.table(w.ann, w.channel)
	four := labels(w.shows(w.bob, w.bob.DM(), "deal 1"))

	waits := func() (n int) {
		for _, c := range w.Calls() {
			if strings.HasSuffix(c.Path, "/callback") && strings.Contains(string(c.Body), `"type":5`) {
				n++
			}
		}
		return n
	}
	open, before := g.shut(), waits() // a busy machine makes people wait for other answers, too
	cards := w.bob.Click(table, "My cards")
	board := w.ann.Slash(w.channel, "leaderboard", nil)
	more := w.ann.Click(table, "More")
	played := p.Press(hand, playable(hand))
	if got := w.ann.Type(w.channel, "new", "rules", "hol", nil); len(got) == 0 {
		t.Error("suggestions wait for the store")
	}
	w.Until("all are told to wait", func() bool { return waits() == before+4 })
	open()
	// If Bob leads, the hand may be read before or after the card is played.
	m, ok := cards.Wait()
	has := labels(m)
	left := slices.DeleteFunc(slices.Clone(four), func(card string) bool { return !slices.Contains(has, card) })
	if !ok || !m.Ephemeral || !slices.Equal(has, left) || len(has) < 3 || len(has) == 3 && p != w.bob {
		t.Errorf("a hand: %v, of %v", m, four)
	}
	if m, ok := more.Wait(); !ok || !m.Ephemeral || !slices.Contains(labels(m), "Rules") {
		t.Errorf("More: %v", m)
	}
	board.Wait()
	w.shows(w.bob, w.channel, "Leaderboard")
	played.Wait()
	w.Until("the card was played", func() bool {
		for _, m := range p.Sees(p.DM()) {
			if m.ID == hand.ID {
				return !strings.Contains(m.Text, "Your turn")
			}
		}
		return false
	})
}

func TestADeletedTableComesBack(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	w.table(w.ann, w.channel).Delete()
	p, hand := w.turn()
	p.Press(hand, playable(hand)).Wait()
	w.table(w.bob, w.channel)
}

// TestAStrangerGetsAPrivateLine checks that a person who isn't at the table changes
// nothing and sees no cards, whatever they press.
func TestAStrangerGetsAPrivateLine(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	guest := w.NewPerson("Guest")
	_, hand := w.turn()
	table := w.table(guest, w.channel)
	for _, data := range []string{table.Buttons[0].CustomID, hand.Buttons[0].CustomID} {
		if m, ok := guest.Press(table, data).Wait(); !ok || !m.Ephemeral || len(m.Buttons) > 0 || !strings.Contains(m.Text, "aren't at") {
			t.Errorf("got %v", m)
		}
	}
	if m := w.table(guest, w.channel); m.Text != table.Text {
		t.Errorf("the table changed:\n%s\n%s", table, m)
	}
}

// TestAGuestFromAnotherServer checks that a person who manages another server can't manage
// tables here, whatever they press. Only they see the bot's reply that says so.
func TestAGuestFromAnotherServer(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	p, hand := w.turn()
	guest := w.NewPerson("Guest")
	own := w.NewGuild(guest).NewChannel("elsewhere")
	guest.Slash(own, "new", map[string]any{"players": 4}).Wait()
	lobby := w.shows(guest, own, "who plays?")
	table := w.table(w.ann, w.channel)
	id := strings.Split(table.Buttons[0].CustomID, ":")[1]
	for data, want := range map[string]string{
		"cards:" + id: "aren't at", hand.Buttons[0].CustomID: "aren't at", "last:" + id: "aren't at", "back:" + id: "aren't at",
		"close:" + id: "aren't at", "kick:" + id + ":0": "aren't at", "default:" + id: "Nothing happened",
		"cfg:lang:cs:discord:" + w.guild.ID: "Nothing happened", "mine:tell:on:discord:" + w.guild.ID: "Nothing happened",
	} {
		if m, ok := guest.Press(lobby, data).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, want) {
			t.Errorf("%s: got %v", data, m)
		}
	}
	p.Press(hand, playable(hand)).Wait()
	w.Until("the match goes on", func() bool { return w.table(w.ann, w.channel).Text != table.Text })
}

// TestTheBotLosesTheChannel checks that hands continue in private if the bot may no longer
// write in the channel, and that nothing is revealed. When somebody restores the permission
// and asks for the table, it is posted again.
func TestTheBotLosesTheChannel(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	dealt := w.table(w.ann, w.channel)
	w.guild.Permit(0)
	for range 3 {
		p, hand := w.turn()
		p.Press(hand, playable(hand)).Wait()
		w.Until("his hand went on", func() bool {
			for _, m := range p.Sees(p.DM()) {
				if m.ID == hand.ID {
					return m.Text != hand.Text
				}
			}
			return false
		})
	}
	var refused []string
	for _, c := range w.Calls() {
		if strings.HasPrefix(c.Path, "/channels/"+w.channel.ID) && c.Status == http.StatusForbidden {
			refused = append(refused, c.Method+" "+c.Path)
		}
	}
	if len(refused) > 1 {
		t.Errorf("requests where nothing can be shown: %q", refused)
	}
	w.guild.Permit(discordtest.MayAll)
	w.ann.Slash(w.channel, "table", nil).Wait()
	w.Until("the table stands anew, as it is now", func() bool {
		return slices.ContainsFunc(w.ann.Sees(w.channel), func(m discordtest.Message) bool {
			return m.ID != dealt.ID && slices.Contains(labels(m), "More") && m.Text != dealt.Text
		})
	})
	w.Until("the one above goes", func() bool { return w.table(w.ann, w.channel).ID != dealt.ID })
}

// TestAGameAlone checks that a game against the AI is dealt in the direct messages, wherever
// the player asked for it, and that only the player sees the hints.
func TestAGameAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.play(t)
	if m, ok := w.ann.Slash(w.channel, "solo", map[string]any{"rules": "sedma-2p", "level": "easy"}).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "private chat") {
		t.Errorf("she is told %v", m)
	}
	table := w.shows(w.ann, w.ann.DM(), "Your turn")
	if opening := w.shows(w.ann, w.ann.DM(), "first to 3"); !strings.Contains(opening.Text, "easy") {
		t.Errorf("she sees %s", opening)
	}
	hint := func() {
		t.Helper()
		m, ok := w.ann.Click(table, "Hint").Wait()
		for strings.Contains(m.Text, "try again") { // the AI is busy with other players
			m, ok = w.ann.Click(table, "Hint").Wait()
		}
		if !ok || !m.Ephemeral || !strings.Contains(m.Text, "I would play") {
			t.Errorf("the hint: %v", m)
		}
	}
	hints := func() (n int) {
		for _, m := range w.ann.Sees(w.ann.DM()) {
			if strings.Contains(m.Text, "I would play") {
				n++
			}
		}
		return n
	}
	hint()
	w.ann.Press(table, table.Buttons[0].CustomID).Wait()
	w.Until("the hint goes when a card is played", func() bool { return hints() == 0 })
	w.Until("the game goes on in the same message", func() bool {
		for _, m := range w.ann.Sees(w.ann.DM()) {
			if m.ID == table.ID {
				return m.Text != table.Text
			}
		}
		return false
	})
	for _, m := range w.bob.Sees(w.channel) {
		if strings.Contains(m.Text, "Sedma") {
			t.Errorf("the channel sees %s", m)
		}
	}
	table = w.shows(w.ann, w.ann.DM(), "Your turn")
	hint()
	hint()
	w.Until("the newer hint is the only one", func() bool { return hints() == 1 })
	asked, _ := w.ann.Slash(w.ann.DM(), "close", nil).Wait()
	w.ann.Click(asked, "Close table").Wait()
	w.shows(w.ann, w.ann.DM(), "closed")
	w.Until("the hint goes although no button of the table was pressed", func() bool { return hints() == 0 })
}

// TestMore checks that everybody may press More, and that only the presser sees what it
// opens. Only those who play are offered a pause.
func TestMore(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	table := w.table(w.ann, w.channel)
	guest := w.NewPerson("Guest")
	for _, who := range []*discordtest.Person{w.ann, w.bob, guest} {
		m, ok := who.Click(table, "More").Wait()
		if !ok || !m.Ephemeral || !strings.Contains(m.Text, "first to") || slices.Contains(labels(m), "Pause") != (who != guest) {
			t.Errorf("%s got %v", who.Name, m)
		}
		for _, other := range []*discordtest.Person{w.ann, w.bob, guest} {
			if slices.ContainsFunc(other.Sees(w.channel), func(seen discordtest.Message) bool { return seen.ID == m.ID }) != (other == who) {
				t.Errorf("%s sees what %s opened: wrong", other.Name, who.Name)
			}
		}
	}
}

// public returns the messages in a channel that everybody sees.
func (w *world) public(c *discordtest.Channel) (all []discordtest.Message) {
	for _, m := range w.bob.Sees(c) {
		if !m.Ephemeral {
			all = append(all, m)
		}
	}
	return all
}

// TestAMatchLeavesTwoMessages checks that a match of four people leaves who played what
// and the result in the channel, and one message at most in each private chat. In between,
// the channel has the table of the running deal alone.
func TestAMatchLeavesTwoMessages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it plays a whole match")
	}
	clocktest.Whole(t) // TestAMatchLeavesTwoMessages of Telegram doesn't wait for a second between tricks
	w := newWorld(t)
	w.play(t)
	people := []*discordtest.Person{w.ann, w.bob, w.NewPerson("Cat"), w.NewPerson("Dan")}
	w.gather(w.channel, people...)
	w.toTen(w.ann, w.channel)
	w.begin(w.ann, w.channel)
	w.playOut(people, func() bool {
		return w.holds(w.ann, "deal 2")
	})
	w.Until("the first deal's table is gone", func() bool { return len(w.public(w.channel)) == 2 })
	more, _ := w.ann.Click(w.table(w.ann, w.channel), "More").Wait()
	asked, _ := w.ann.Click(more, "Make this the last deal").Wait()
	w.ann.Click(asked, "Make this the last deal").Wait()
	w.playOut(people, func() bool { return w.ended(w.bob, w.channel) })
	w.Until("two messages are left, and one at most in private", func() bool {
		for _, who := range people {
			if len(who.Sees(who.DM())) > 1 {
				return false
			}
		}
		return len(w.public(w.channel)) == 2
	})
	left := w.public(w.channel)
	if !strings.Contains(left[0].Text, "Ann + Cat – Bob + Dan") || len(left[0].Buttons) != 0 || !slices.Contains(labels(left[1]), "Rematch") {
		t.Errorf("it leaves %v", left)
	}
}

// TestATableThatCannotBeDeleted checks that a table which Discord refuses to delete keeps
// one line and no buttons, and that its old buttons answer that the deal is over.
func TestATableThatCannotBeDeleted(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	clocktest.Single(t)
	w := newWorld(t)
	w.play(t)
	w.deal(w.channel)
	old := w.table(w.ann, w.channel)
	number := fmt.Sprintf("place:%s:1:0:1", strings.Split(old.Buttons[0].CustomID, ":")[1])
	w.Fail(discordtest.Fault{Method: http.MethodDelete, Path: "/channels/" + w.channel.ID, Times: 100, Status: http.StatusBadRequest, Code: 50021})
	w.playOut([]*discordtest.Person{w.ann, w.bob}, func() bool {
		return w.holds(w.ann, "deal 2")
	})
	w.Until("the table has one line", func() bool {
		return slices.ContainsFunc(w.public(w.channel), func(m discordtest.Message) bool {
			return m.ID == old.ID && strings.Contains(m.Text, "out of date") && !strings.Contains(strings.TrimSpace(m.Text), "\n") && len(m.Buttons) == 0
		})
	})
	if m, ok := w.bob.Press(old, number).Wait(); !ok || !m.Ephemeral || !strings.Contains(m.Text, "over") {
		t.Errorf("a press says %v", m)
	}
}
