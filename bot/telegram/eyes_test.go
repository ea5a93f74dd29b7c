package telegram

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/bottest/eyes"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
)

// inWords is a private chat and a group as somebody reads them who sees no pictures.
type inWords struct {
	*match
	who *telegramtest.Person
}

func (c inWords) Messages() (all []eyes.Message) {
	for _, m := range append(c.group.Messages(), c.who.Private().Messages()...) {
		said := eyes.Message{Text: m.Text, Of: m}
		for _, row := range m.Buttons {
			for _, b := range row {
				if b.Data != "" {
					said.Buttons = append(said.Buttons, b.Label)
				}
			}
		}
		all = append(all, said)
	}
	return all
}

func (c inWords) Say(command string, here bool) {
	at := c.group
	if here {
		at = c.who.Private()
	}
	if command == "solo" || command == "new" {
		command += " 2"
	}
	c.who.Say(at, "/"+command)
}

func (c inWords) Press(m eyes.Message, label string) {
	c.tap(c.who, m.Of.(telegramtest.Message), label)
}

func (c inWords) Until(what string, is func() bool) {
	c.t.Helper()
	if err := c.Server.Until(soon(c.t), is); err != nil {
		c.t.Fatalf("%s: %v", what, c.Messages())
	}
}

// reads returns a robot that reads only the texts of messages and the labels of buttons, and has begun with "Words only".
func reads(t *testing.T) *eyes.Reader {
	m := &match{Server: telegramtest.Within(t), t: t, level: "easy"}
	m.runs()
	ann := m.Person("Ann")
	m.group = m.Group("Cards", ann)
	r := &eyes.Reader{Chat: inWords{m, ann}, T: t}
	ann.Start("")
	r.Tap("Words only")
	r.Find("Pictures: words only")
	return r
}

// Nothing is needed that isn't said: the robot plays matches, the deal and the puzzle of the day, and a lesson. Its private chat gets no
// picture and no custom emoji.
func TestAPlayerWhoReadsNoPictures(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	clocktest.Single(t)
	synctest.Test(t, func(t *testing.T) {
		r := reads(t)
		r.Whole()
		for _, m := range r.Chat.(inWords).who.Private().Messages() {
			if m.Photo != "" || strings.Contains(m.HTML, "tg-emoji") {
				t.Errorf("%q has a picture", m.Text)
			}
		}
	})
}

// In its long form, the robot wins at least 40 % of 200 matches against the Bear.
func TestAPlayerWhoReadsNoPicturesWins(t *testing.T) {
	t.Parallel()
	if os.Getenv("SEDMABOT_TEST_LONG") != "1" {
		t.Skip("it plays two hundred matches")
	}
	eyes.Win(t, reads)
}
