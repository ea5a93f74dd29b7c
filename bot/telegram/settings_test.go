package telegram

import (
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/telegram/telegramtest"
)

func TestPrivateSettings(t *testing.T) {
	t.Parallel()
	m := lobby(t, 0, nil)
	chat := m.ann.Private()
	newest := func() telegramtest.Message {
		all := chat.Messages()
		return all[len(all)-1]
	}
	bottest.PrivateSettings(t, bottest.Private{
		Home: chatID(m.ann.ID, 0),
		AskElsewhere: func() {
			m.ann.SayIn(m.group, 0, "/settings")
			m.see(chat, "Settings of this chat")
		},
		Ask: func() {
			m.ann.Say(chat, "/settings")
			m.see(chat, "Your settings")
		},
		Press: func(data string) string {
			t.Helper()
			answer, err := m.ann.PressData(soon(t), newest(), data)
			if err != nil {
				t.Fatal(err)
			}
			return answer.Text
		},
		Shown: func() (text string, buttons []string) {
			for _, row := range newest().Buttons {
				for _, b := range row {
					buttons = append(buttons, b.Data)
				}
			}
			return newest().Text, buttons
		},
		Until: func(what string, ok func() bool) {
			t.Helper()
			if err := m.Until(soon(t), ok); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
		},
	})
}
