package bot

import (
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// The bot asks before it ends a match for somebody: before a player leaves, the table is closed, or the deal becomes the
// last one, by a command or a button. Only then it does so. Somebody who may not do it is refused without a question, and before a match
// nobody is asked.
func TestWhatEndsAMatchAsksFirst(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, b *Bot, _ *chats, _ *trips) {
		for word, done := range map[string]func(table.Table) bool{
			view.ActLeave: func(tb table.Table) bool { return tb.Seats[0].Left },
			view.ActClose: func(tb table.Table) bool { return tb.Phase == table.Closed },
			view.ActLast:  func(tb table.Table) bool { return tb.LastDeal },
		} {
			do := func(who, press string) chat.Reply {
				in := by(who)
				in.Press, in.Message = press, "test:more"
				return b.Handle(t.Context(), in)
			}
			command(b, "ann", "new")
			id := theTable(t, b).ID
			if r := do("ann", screen.PressOf(view.ActClose, id)); r.Screen != nil || r.Outcome != chat.Done {
				t.Fatalf("before the match: %+v", r)
			}
			command(b, "ann", "new")
			id = theTable(t, b).ID
			command(b, "ben", "join")
			command(b, "ann", "start")
			if r := do("eve", screen.PressOf(word, id)); r.Screen != nil || r.Outcome != chat.Refused {
				t.Errorf("%s by a stranger: %+v", word, r)
			}
			sure := screen.PressOf(view.ActSure, id, word)
			questions := []chat.Reply{do("ann", screen.PressOf(word, id))}
			if word != view.ActLast { // there is no such command
				questions = append(questions, command(b, "ann", word))
			}
			for _, r := range questions {
				if r.Screen == nil || len(r.Screen.Rows) != 1 || r.Screen.Rows[0][0].Press != sure || done(theTable(t, b)) {
					t.Fatalf("%s is not asked about: %+v", word, r)
				}
			}
			if r := do("ann", sure); r.Outcome != chat.Done || r.Screen == nil || !r.Replace || len(r.Screen.Rows) > 0 {
				t.Errorf("%s: %+v", word, r)
			}
			after, err := b.tables.Load(t.Context(), id)
			if err != nil || !done(after) {
				t.Errorf("%s did nothing: %v", word, err)
			}
			do("ben", screen.PressOf(view.ActSure, id, view.ActClose)) // for the next round, if Ben is the host now
			do("ann", screen.PressOf(view.ActSure, id, view.ActClose))
			time.Sleep(time.Second)
		}
	})
}
