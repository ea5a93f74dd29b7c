package bot

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sedmabot/bot/view"
	"sedmabot/game/table"
)

func TestOnlyTheNewestHandStays(t *testing.T) {
	t.Parallel()
	now := time.Now()
	hand := func(at Address, origin string, older ...answer) answer {
		return answer{Address: at, Until: now.Add(time.Minute), Origin: origin, Older: older}
	}
	over := hand("test:0", "zero")
	over.Until = now
	for name, c := range map[string]struct {
		before, called answer
		onAnswer       bool
		want           answer
	}{
		"the first":                            {answer{}, hand("test:1", "one"), false, hand("test:1", "one")},
		"another":                              {hand("test:1", "one"), hand("test:2", "two"), false, hand("test:2", "two", hand("test:1", "one"))},
		"a press on it":                        {hand("test:1", "one"), hand("test:2", "one"), true, hand("test:2", "one")},
		"a press on one that goes":             {hand("test:2", "two", hand("test:1", "one")), hand("test:3", "one"), true, hand("test:2", "two", hand("test:1", "one"))},
		"a press on one that is long gone":     {hand("test:2", "two"), hand("test:3", "one"), true, hand("test:3", "one", hand("test:2", "two"))},
		"a press on one of an earlier program": {hand("test:1", ""), hand("test:2", "one"), true, hand("test:2", "one")},
		"another than one of those":            {hand("test:1", ""), hand("test:2", "two"), false, hand("test:2", "two", hand("test:1", ""))},
		"what cannot be taken away":            {hand("test:1", "one", over), hand("test:2", "one"), true, hand("test:2", "one")},
	} {
		if diff := cmp.Diff(c.want, called(c.before, c.called, c.onAnswer, now), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	a := answer{}
	for range 100 {
		a = called(a, hand("test:1", ""), false, now)
	}
	if len(a.Older) != mostOlder {
		t.Errorf("%d older hands are kept", len(a.Older))
	}
}

// Nobody edits an answer before the adapter says that it is there: another process
// may show the table while this one still answers. Then the hand is brought up to
// date, and stays so.
func TestAnAnswerIsEditedOnceItIsThere(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, p *chats, _ *trips) {
		command(b, "ann", "new")
		command(b, "ben", "join")
		command(b, "ann", "start")
		id := theTable(t, b).ID
		ask := func(player string, press view.Press, answer Address, onAnswer bool) Reply {
			t.Helper()
			in := by(player)
			press.Table = id
			in.Press, in.Answer, in.Until = press.String(), answer, time.Now().Add(time.Hour)
			in.Origin, in.OnAnswer = "origin "+player, onAnswer
			r := b.Handle(t.Context(), in)
			if r.Screen == nil {
				t.Fatalf("%s: %+v", in.Press, r)
			}
			return r
		}
		isThere := func(r Reply, answer Address) {
			t.Helper()
			if r.Stands == nil {
				t.Fatal("the shell does not want to know where the hand is")
			}
			r.Stands(context.Background(), answer)
		}
		edits := func(answer Address) int {
			time.Sleep(10 * time.Second)
			synctest.Wait()
			return p.count("edit " + string(answer))
		}
		running(t, b, func() {
			time.Sleep(time.Second)
			hand := ask("ann", view.Press{Action: view.ActCards}, "test:first", false)
			if n := edits("test:first"); n != 0 {
				t.Errorf("%d edits of a hand that is not there yet", n)
			}
			isThere(hand, "test:first")
			if n := edits("test:first"); n != 1 {
				t.Errorf("%d edits of a hand that is there", n)
			}
			tab := theTable(t, b)
			for tab.Phase == table.Playing && tab.Deal.Turn() != 0 {
				time.Sleep(time.Minute)
				tab = theTable(t, b)
			}
			private, _ := tab.Private("test:ann")
			p.count("")
			play := view.Press{Action: view.ActPlay, Deal: tab.DealNo, Turn: private.View.Decisions[0], Move: private.View.Legal[0]}
			answered := ask("ann", play, "test:new/2", true)
			again := ask("ann", play, "test:new/3", true) // refused: it was played
			if n := edits("test:new"); n != 0 || again.Toast == "" {
				t.Errorf("%d edits before the press was answered; refused: %q", n, again.Toast)
			}
			isThere(answered, "test:new/2")
			if n := edits("test:new/2"); n == 0 {
				t.Error("nothing brings the hand up to date after the press was answered")
			}
			command(b, "ann", "leave")
			if n := edits("test:new/2"); n == 0 {
				t.Error("the hand is not kept up to date")
			}
		})
	})
}
