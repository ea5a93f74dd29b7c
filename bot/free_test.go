package bot

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
)

// gapped is a platform that takes one delivery a second to each place, except the answers to
// presses.
type gapped struct {
	chats
	pressed bool // edits are answers
}

func (*gapped) Gap(chat.Target) time.Duration { return time.Second }

func (p *gapped) Abilities() chat.Abilities {
	return chat.Abilities{Pressed: func(context.Context, chat.Address) bool { return p.pressed }}
}

// An edit that answers a press comes at once and before anything else, whatever was delivered
// to the chat just before. The other deliveries keep their gap.
func TestAnEditThatAnswersAPressNeedNotWait(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data.db")
	synctest.Test(t, func(t *testing.T) {
		kept := &rewinding{t: t}
		kept.open(path)
		p := &gapped{}
		seed := func() table.Seed { return table.Seed{1} }
		r := &room{T: t, store: kept, bot: New(Config{Store: kept, Platforms: []chat.Platform{p}, Log: slog.New(slog.DiscardHandler), Pace: time.Second, Seed: seed})}
		command(r.bot, "ann", "new")
		r.running(func() {
			time.Sleep(time.Minute)
			p.expect(t, "send")
			command(r.bot, "ben", "join")
			synctest.Wait()
			p.expect(t, "edit")
			command(r.bot, "cat", "join")
			synctest.Wait()
			p.expect(t)
			p.pressed = true
			command(r.bot, "dan", "join")
			synctest.Wait()
			p.expect(t, "edit")
			time.Sleep(900 * time.Millisecond)
			command(r.bot, "ann", "start")
			synctest.Wait()
			if n := p.count("edit"); n != 1 { // and the hands, in private
				t.Errorf("%d edits when the match begins", n)
			}
			time.Sleep(200 * time.Millisecond)
			p.expect(t, "send")
		})
	})
}
