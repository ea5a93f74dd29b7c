package bot

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// patient is a wall whose places take a delivery every four seconds.
type patient struct{ *wall }

func (patient) Gap(chat.Target) time.Duration { return 4 * time.Second }

// cards counts the cards that can be pressed in the messages to a player.
func (p *wall) cards(player string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range p.places["test:"+player] {
		for _, row := range p.standing[at].Rows {
			for _, b := range row {
				if strings.HasPrefix(b.Press, "play:") && !b.Off {
					n++
				}
			}
		}
	}
	return n
}

// When a deal is over, its hands go at once, however long their places make other deliveries wait. Nobody can press
// their last card a second time.
func TestAHandGoesWithItsDeal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		r := &room{T: t, wall: &wall{standing: map[chat.Address]screen.Screen{}, places: map[string][]chat.Address{}}, store: &rewinding{t: t}}
		r.store.open(path)
		seed := func() table.Seed { return table.Seed{1} }
		r.bot = New(Config{Store: r.store, Platforms: []chat.Platform{patient{r.wall}}, Think: easy, Log: slog.New(slog.DiscardHandler), Pace: time.Second, Seed: seed})
		in := by("ann")
		in.Command, in.Args = "new", map[string]string{"players": "2"}
		r.bot.Handle(t.Context(), in)
		command(r.bot, "ben", "join")
		command(r.bot, "ann", "start")
		r.running(func() {
			for time.Sleep(10 * time.Second); theTable(t, r.bot).Phase == table.Playing; synctest.Wait() {
				time.Sleep(5 * time.Second)
				synctest.Wait()
				if theTable(t, r.bot).Phase != table.Playing {
					t.Fatal("the deal ended on its own")
				}
				r.press(r.turn(), r.button(r.turn()))
			}
			for _, player := range []string{"ann", "ben"} {
				if n := r.cards(player); n > 0 {
					t.Errorf("%s can press %d cards of the deal that is over", player, n)
				}
			}
		})
	})
}
