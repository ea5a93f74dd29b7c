package discord_test

import (
	"net/http"
	"strings"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/discord/discordtest"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	bottest.Faults(t, func(t *testing.T) bottest.Stand {
		w := newWorld(t)
		cat := w.NewPerson("Cat")
		elsewhere := w.NewGuild(w.bob).NewChannel("elsewhere")
		channels := map[string]*discordtest.Channel{}
		s := bottest.Stand{Platform: w.adapter, Until: w.Until}
		for i, c := range []*discordtest.Channel{w.channel, elsewhere} {
			s.Chats[i] = "discord:" + c.ID
			channels[s.Chats[i]] = c
		}
		for i, p := range []*discordtest.Person{w.ann, w.bob, cat} {
			s.People[i] = "discord:" + p.ID
			channels[s.People[i]] = p.DM()
		}
		s.Seen = func(id string) (seen []string) {
			for _, p := range []*discordtest.Person{w.ann, w.bob, cat} {
				if channels[id] != p.DM() && strings.HasPrefix(channels[id].Name, "direct") {
					continue
				}
				for _, m := range p.Sees(channels[id]) {
					seen = append(seen, m.Text)
				}
				break
			}
			return seen
		}
		s.Asked = func(id string) (n int) {
			for _, c := range w.Calls() {
				if strings.HasPrefix(c.Path, "/channels/"+channels[id].ID+"/messages") {
					n++
				}
			}
			return n
		}
		fail := func(f discordtest.Fault) func() {
			f.Path, f.Times = "/channels/"+w.channel.ID+"/", 99
			return func() { w.Fail(f) }
		}
		hold := make(chan struct{})
		s.Heal = func() { w.Heal(); close(hold) }
		s.Cause = map[string]func(){
			"429 with retry-after":                  fail(discordtest.Fault{Status: 429, After: 60}),
			"500":                                   fail(discordtest.Fault{Status: 500}),
			"502, a proxy's page":                   fail(discordtest.Fault{Status: 502, Page: true}),
			"403, a proxy's page":                   fail(discordtest.Fault{Status: 403, Page: true}),
			"404, a proxy's page":                   fail(discordtest.Fault{Status: 404, Page: true}),
			"a hung chat":                           fail(discordtest.Fault{Hold: hold}),
			"a connection cut in an answer":         fail(discordtest.Fault{Cut: true}),
			"the message is gone":                   func() { w.ann.Sees(w.channel)[0].Delete() },
			"the message is not modified":           func() {}, // Discord accepts it like any other edit
			"the message cannot be edited any more": fail(discordtest.Fault{Method: http.MethodPatch, Status: 429, Code: 30046, After: 0.001}),
			"the private chat is closed":            func() { w.ann.RefuseDMs(true) },
			"the bot was removed":                   func() { w.guild.RemoveBot() },
			"the chat is gone":                      func() { w.Remove(w.channel) },
		}
		return s
	})
}
