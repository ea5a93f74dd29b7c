package telegram

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// Three friends play with the AI. After the second deal, a fourth one joins under the table, gets the hand like everybody
// else, and plays.
func TestTheFourthFriendComesLate(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	clocktest.Single(t)
	synctest.Test(t, func(t *testing.T) {
		var dan *telegramtest.Person
		m := lobby(t, 0, func(m *match) {
			dan = m.Person("Dan")
			m.people = append(m.people, m.Person("Cat"), dan)
			for _, p := range m.people {
				p.Start("")
			}
		})
		for _, p := range m.people[1:3] {
			m.tap(p, m.table, "Join")
		}
		toTen := strings.Replace(startOf(m.table), "start:", "set:", 1) + ":length:t10"
		if got, err := m.ann.PressData(soon(t), m.table, toTen); err != nil || got.Text != "" {
			t.Fatalf("a match to ten: %q, %v", got.Text, err)
		}
		m.tap(m.ann, m.table, "Start")
		holds := func(words string) bool {
			return slices.ContainsFunc(m.ann.Private().Messages(), telegramtest.Contains(words))
		}
		m.play(func() bool { return !holds("deal 3") })
		got := m.tap(dan, m.now(), "Join")
		if !strings.Contains(got.Text, "You've joined") && !strings.Contains(got.Text, "after this trick") {
			t.Fatalf("the answer is %q", got.Text)
		}
		m.play(func() bool { return !m.shows("Now playing: Dan (until now: ") })
		m.see(dan.Private(), "deal 3")
		if buttons := slices.Concat(m.now().Buttons...); slices.ContainsFunc(buttons, func(b telegramtest.Button) bool { return strings.HasPrefix(b.Data, "join:") }) {
			t.Error("the table still offers a seat")
		}
		played := false
		m.play(func() bool {
			_, data := m.turn(dan)
			played = played || data != ""
			return !holds("deal 4")
		})
		if !played {
			t.Error("Dan never had the turn")
		}
		m.discreet()
	})
}
