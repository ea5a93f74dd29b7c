package telegram

import (
	"strings"
	"testing"
	"testing/synctest"

	"sedmabot/bot/bottest"
	"sedmabot/bot/telegram/telegramtest"
)

func TestPrivateSettings(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := lobby(t, 0, nil)
		chat := m.ann.Private()
		newest := func() telegramtest.Message {
			all := chat.Messages()
			return all[len(all)-1]
		}
		// asks sends the command and waits for settings that lead to those of a chat, or that don't.
		asks := func(in func(), leads bool) {
			t.Helper()
			before := len(chat.Messages())
			in()
			err := m.Until(soon(t), func() bool {
				if len(chat.Messages()) == before {
					return false
				}
				last := newest()
				row := last.Buttons[len(last.Buttons)-1]
				return strings.Contains(last.Text, "Your settings") && strings.HasPrefix(row[len(row)-1].Data, "cfg:") == leads
			})
			if err != nil {
				t.Fatalf("the settings: %v: %v", err, newest())
			}
		}
		bottest.PrivateSettings(t, bottest.Private{
			Home:         chatID(m.ann.ID, 0),
			AskElsewhere: func() { t.Helper(); asks(func() { m.ann.SayIn(m.group, 0, "/settings") }, true) },
			Ask:          func() { t.Helper(); asks(func() { m.ann.Say(chat, "/settings") }, false) },
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
	})
}
