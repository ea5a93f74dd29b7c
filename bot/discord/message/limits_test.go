package message_test

import (
	"encoding/json"
	"log/slog"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/bottest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// TestEveryScreenOfEveryGameFits checks that every screen of a match of each preset stays
// within Discord's limits, with nothing cut. It does so in every language, with cards as
// text and as emojis. The screens must also match Discord's description of its API.
func TestEveryScreenOfEveryGameFits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("every screen takes long under the race detector, and one goroutine looks at them all")
	}
	server := discordtest.New(t)
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Token: server.Token(), APIBase: server.URL(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	cards := message.Cards{}
	for _, name := range message.CardNames() {
		e := server.AddEmoji(name + "123ab")
		cards[name] = message.Emoji{ID: "1234567890123456789"[:19-len(e.ID)] + e.ID, Name: e.Name} // an id as long as Discord's
	}
	kinds := map[string]int{}
	for i, preset := range game.Presets() {
		for _, language := range bottest.Languages(i) {
			n := 0
			bottest.Screens(t, a, preset, language, func(what string, s screen.Screen) {
				kinds[what]++
				p, err := message.Preview(s)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range p.Limits {
					if m.Have > m.Most {
						t.Errorf("%s: %s in %s: %s %d of %d:\n%s", preset, what, language, m.Name, m.Have, m.Most, s)
					}
				}
				if !message.Complete(s, cards) && what != "deal" && what != "more" {
					t.Errorf("%s: %s in %s: no room for emojis in the text", preset, what, language)
				}
				if n++; (n+i)%3 == 0 { // one in three is enough: the others are similar
					body, err := json.Marshal(message.Draft(s, true, nil))
					if err != nil {
						t.Fatal(err)
					}
					server.Check(body)
				}
			})
		}
	}
	for _, what := range []string{"lobby", "settings", "opening", "deal", "more", "proof", "hand", "result", "rules", "board", "help", "prefs"} {
		if kinds[what] < len(game.Presets()) {
			t.Errorf("%d screens of kind %s", kinds[what], what)
		}
	}
}
