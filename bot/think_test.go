package bot

import (
	"context"
	"fmt"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
)

// A hundred tables at which the AI thinks for long don't slow down the others. A press is
// answered and shown at once, and no more computations run than allowed.
func TestThinkingDelaysNoPress(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		at, most := make(chan int, 1), 0
		at <- 0
		b.thinkers.Move = func(ctx context.Context, _ string, v game.View, _ game.Match) game.Move {
			n := <-at + 1
			most = max(most, n)
			at <- n
			<-ctx.Done() // a computation that ends only when it must
			at <- <-at - 1
			return v.Legal[0]
		}
		ask := func(chatID, player, command string) {
			in := by(player)
			in.Chat.ID, in.Chat.Home, in.Command = chatID, chatID, command
			if r := b.Handle(t.Context(), in); r.Outcome != chat.Done {
				t.Fatal(r.Toast)
			}
		}
		for i := range 100 {
			chatID := fmt.Sprintf("test:%d", i)
			ask(chatID, chatID, "new")
			ask(chatID, chatID, "start")
		}
		command(b, "ann", "new")
		running(t, b, func() {
			time.Sleep(4 * time.Second) // it is the AI's turn at most tables
			p.count("")
			in := by("ben")
			in.Press = view.Press{Action: view.ActJoin, Table: theTable(t, b).ID}.String()
			before := time.Now()
			if r := b.Handle(t.Context(), in); r.Outcome != chat.Done || time.Since(before) > 0 {
				t.Errorf("answered after %v: %s", time.Since(before), r.Toast)
			}
			time.Sleep(2 * time.Second)
			if n := p.count("edit test:"); n == 0 {
				t.Error("not shown within two seconds")
			}
		})
		if n := <-at; most == 0 || most > work.MaxThinking() {
			t.Errorf("%d thought at once, %d may; %d think still", most, work.MaxThinking(), n)
		}
	})
}

// The AI gets the state of the match, and whether the host called the last deal.
func TestTheMatchIsInMind(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		var matches []game.Match
		b.thinkers.Move = func(_ context.Context, _ string, v game.View, m game.Match) game.Move {
			matches = append(matches, m)
			return v.Legal[0]
		}
		command(b, "ann", "new")
		command(b, "ann", "start")
		_, err := b.tables.Update(t.Context(), theTable(t, b).ID, func(tab table.Table) (table.Table, []table.Event, error) {
			tab.Match.Scores = []int{9, 4}
			return table.Apply(tab, tab.Seats[0].Player, table.LastDeal{}, b.tables.Env())
		})
		if err != nil {
			t.Fatal(err)
		}
		running(t, b, func() { time.Sleep(4 * time.Minute) })
		if len(matches) == 0 || matches[0].Scores[0] != 9 || matches[0].Rules.Deals != 1 || matches[0].Rules.Target != 0 {
			t.Errorf("the AI was told %+v", matches)
		}
	})
}
