package discord_test

import (
	"net/http"
	"strings"
	"testing"

	"sedmabot/bot/bottest/clock"
	"sedmabot/bot/discord/discordtest"
)

// A voice channel shows the score of its match once a manager has turned that on, until the match ends. Without the permission
// the bot asks once, and the settings name it. A channel that isn't a voice channel is never asked, and a server that doesn't
// know the status changes nothing else.
func TestTheStatusOfTheVoiceChannel(t *testing.T) {
	t.Parallel()
	clock.Waits(t)
	for name, of := range map[string]struct {
		may   uint64
		text  bool // a text channel
		old   bool // the server doesn't know the status
		shows string
		asked int
	}{
		"right":   {may: discordtest.MayManage | discordtest.MayStatus, shows: "Sedma 0 : 0", asked: 2},
		"text":    {may: discordtest.MayManage | discordtest.MayStatus, text: true},
		"missing": {may: discordtest.MayStatus, asked: 1},
		"old":     {may: discordtest.MayManage | discordtest.MayStatus, old: true, asked: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.guild.Permit(discordtest.MayAll | of.may)
			c := w.guild.NewVoice("evening")
			if of.text {
				c = w.channel
			}
			status := "/channels/" + c.ID + "/voice-status"
			if of.old {
				w.Fail(discordtest.Fault{Path: status, Times: 100, Status: http.StatusNotFound})
			}
			asked := func() (n int) {
				for _, call := range w.Calls() {
					if call.Path == status {
						n++
					}
				}
				return n
			}
			w.play(t)
			setting := func(what string) string {
				page, _ := w.ann.Slash(c, "settings", nil).Wait()
				m, _ := w.ann.Press(page, "cfg:"+what+":discord:"+w.guild.ID).Wait()
				return m.Text
			}
			if text := setting("voice:on"); !strings.Contains(text, "Score in the voice channel: **shown**") {
				t.Fatalf("the settings: %s", text)
			}
			w.deal(c)
			w.table(w.ann, c)
			if of.shows != "" || of.asked > 0 {
				w.Until("the channel was asked", func() bool { return asked() > 0 })
			}
			if is := strings.ReplaceAll(c.Status(), "\u00a0", " "); is != of.shows {
				t.Errorf("during the match it shows %q", is)
			}
			if says, lacks := strings.Contains(setting("page:voice"), "Manage Channels"), name == "missing"; says != lacks {
				t.Errorf("the settings name the permission: %v", says)
			}
			sure, _ := w.ann.Slash(c, "close", nil).Wait()
			w.ann.Click(sure, "Close table").Wait()
			w.Until("the table is closed and the status is gone", func() bool {
				for _, m := range w.ann.Sees(c) {
					if len(m.Buttons) > 0 && !m.Ephemeral {
						return false
					}
				}
				return c.Status() == "" && asked() >= of.asked
			})
			if n := asked(); n != of.asked && name != "old" { // a server that lacks the address gives no verdict, so it is asked again
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}
