package discord_test

import (
	"os"
	"testing"

	"sedmabot/bot/bottest/eyes"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
)

// inWords is Ann's direct messages and a channel as somebody reads them who sees no pictures.
type inWords struct{ *world }

func (c inWords) Messages() (all []eyes.Message) {
	for _, m := range append(c.ann.Sees(c.channel), c.ann.Sees(c.ann.DM())...) {
		said := eyes.Message{Text: eyes.Plain(m.Text), Of: m}
		for _, b := range m.Buttons {
			if !b.Off && b.CustomID != "" {
				said.Buttons = append(said.Buttons, b.Label)
			}
		}
		all = append(all, said)
	}
	return all
}

func (c inWords) Say(command string, here bool) {
	at, options := c.channel, map[string]any{}
	if here {
		at = c.ann.DM()
	}
	if command == "solo" || command == "new" {
		options["rules"] = "sedma-2p"
	}
	c.ann.Slash(at, command, options).Wait()
}

func (c inWords) Press(m eyes.Message, label string) {
	c.ann.Click(m.Of.(discordtest.Message), label).Wait()
}

// reads returns a robot that reads only the texts of messages and the labels of buttons, and has begun with "Words only".
func reads(t *testing.T) *eyes.Reader {
	w := newWorld(t)
	w.level = "easy"
	w.play(t)
	added := w.NewGuild(w.ann)
	w.channel = added.NewChannel("cards")
	r := &eyes.Reader{Chat: inWords{w}, T: t}
	added.Tell(true, false)
	r.Tap("Words only")
	r.Find("Pictures: words only")
	return r
}

// Nothing is needed that isn't said: the robot plays matches, the deal and the puzzle of the day, and a lesson. Its direct messages get
// no picture.
func TestAPlayerWhoReadsNoPictures(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	clocktest.Single(t)
	r := reads(t)
	r.Whole()
	ann := r.Chat.(inWords).ann
	for _, m := range ann.Sees(ann.DM()) {
		if m.Alt != "" || len(m.Files) > 0 {
			t.Errorf("%q has a picture", m.Text)
		}
	}
}

// In its long form, the robot wins at least 40 % of 200 matches against the Bear.
func TestAPlayerWhoReadsNoPicturesWins(t *testing.T) {
	t.Parallel()
	if os.Getenv("SEDMABOT_TEST_LONG") != "1" {
		t.Skip("it plays two hundred matches")
	}
	eyes.Win(t, reads)
}
