package discord_test

import (
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
)

// Three friends play with the AI. After the second deal, a fourth one joins under the table, gets the hand like everybody
// else, and plays.
func TestTheFourthFriendComesLate(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	clocktest.Single(t)
	w := newWorld(t)
	w.play(t)
	four := []*discordtest.Person{w.ann, w.bob, w.NewPerson("Cat"), w.NewPerson("Dan")}
	dan := four[3]
	w.ann.Slash(w.channel, "new", map[string]any{"rules": "sedma-4p"}).Wait()
	for _, p := range four[1:3] {
		p.Click(w.shows(w.ann, w.channel, "who plays?"), "Join").Wait()
		w.shows(w.ann, w.channel, p.Name)
	}
	w.toTen(w.ann, w.channel)
	w.begin(w.ann, w.channel)
	sees := func(text string) bool {
		return slices.ContainsFunc(w.ann.Sees(w.channel), func(m discordtest.Message) bool { return strings.Contains(m.Text, text) })
	}
	w.playOut(four[:3], func() bool { return w.holds(w.ann, "deal 3") })
	dan.Click(w.table(dan, w.channel), "Join").Wait()
	w.playOut(four[:3], func() bool { return sees("Now playing: Dan (until now: ") }) // after a trick that the AI began
	w.shows(dan, dan.DM(), "deal 3")
	w.Until("the table offers no seat", func() bool { return !slices.Contains(labels(w.table(dan, w.channel)), "Join") })
	played := false
	w.playOut(four, func() bool {
		played = played || slices.ContainsFunc(dan.Sees(dan.DM()), func(m discordtest.Message) bool { return strings.Contains(m.Text, "Your turn") })
		return w.holds(w.ann, "deal 4")
	})
	if !played {
		t.Error("Dan never had the turn")
	}
}
