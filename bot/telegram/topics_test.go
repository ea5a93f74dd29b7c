package telegram

import (
	"testing"
	"testing/synctest"

	"sedmabot/bot/telegram/telegramtest"
)

// A person who writes in a topic of their private chat is answered there.
func TestAnAnswerInATopic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := telegramtest.Within(t)
		s.Topics = true
		m := &match{Server: s, t: t, ann: s.Person("Ann")}
		m.runs()
		m.ann.Start("")
		private := m.ann.Private()
		m.see(private, "Hello")
		own := private.Topic("My own")
		m.ann.SayIn(private, own, "/help")
		if help := m.see(private, "let people join"); help.Thread != own {
			t.Errorf("she asked in the topic %d, the help is in %d", own, help.Thread)
		}
	})
}
