package puzzle_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/puzzle"
)

// If its managers want it, a chat gets the day's puzzle once a day, at the hour that they chose. People answer below it, in private;
// their first answers there are a bar in the post, and each answer counts for their rating as it does elsewhere.
func TestQuizInAChat(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		posts := func() (out []chat.Address) {
			for _, d := range w.Chats.Deliveries() {
				if d.To == here && d.Verb == "send" && strings.Contains(d.Text, "only you see whether it's right") {
					out = append(out, d.Message)
				}
			}
			return out
		}
		if r := w.Asks(town.Eva, here, town.HomeSetting("quiz", "9", here)); r.Outcome != chat.Refused {
			t.Errorf("someone who doesn't manage the chat: %+v", r)
		}
		w.Manages(town.Eva, here, "quiz", "9")
		w.Pass(24 * time.Hour)
		if got := posts(); len(got) != 1 {
			t.Fatalf("on the first day: %v", got)
		}
		quiz := func() (q puzzle.Quiz) {
			w.Get(doc.InHome(here, "quiz:"+here), &q)
			return q
		}
		q := quiz()
		press := func(player, choice string) chat.Reply {
			return w.Asks(player, here, town.Press("puzzle:quiz:"+choice+"-"+q.Date+":"+here))
		}
		first := press(town.Eva, "1")
		if first.Screen == nil || first.Public || first.Replace {
			t.Fatalf("an answer: %+v", first)
		}
		again := press(town.Eva, "2")
		if again.Screen == nil || again.Public {
			t.Errorf("a second answer: %+v", again)
		}
		press(town.Ota, "1")
		if r := press(town.Ota, "9"); r.Outcome != chat.Refused {
			t.Errorf("a forged choice: %+v", r)
		}
		if got := quiz().Votes; len(got) != 2 || got[town.Eva] != 1 || got[town.Ota] != 1 {
			t.Errorf("the answers are %v", got)
		}
		w.Pass(time.Minute)
		shown := w.Chats.Deliveries()
		if !slices.ContainsFunc(shown, func(d town.Delivery) bool {
			return d.Verb == "edit" && d.To == here && strings.Contains(d.Text, "▰▰▰▰▰▰▰▰ 2")
		}) {
			t.Errorf("the post has no bar: %v", shown)
		}
		w.Pass(24 * time.Hour)
		if got := quiz(); len(got.Votes) != 0 || got.Date == q.Date {
			t.Errorf("the day after: %+v", got)
		}
		q = quiz()
		press(town.Eva, "1")
		w.Manages(town.Eva, here, "quiz", "off")
		w.Chats.Deliveries()
		w.Pass(72 * time.Hour)
		press(town.Ota, "1")
		if got := quiz().Votes; len(got) != 0 { // no next puzzle would delete them
			t.Errorf("it was turned off, and keeps the answers %v", got)
		}
		if got := posts(); len(got) != 0 {
			t.Errorf("it was turned off: %v", got)
		}
	})
}
