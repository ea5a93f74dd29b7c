package telegram

import (
	"testing"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/telegramtest"
)

// A message about a won match has an effect in a private chat, and only there. If the server refuses the effect, the
// message comes without it, and later ones don't try.
func TestAnEffectAfterAWonMatch(t *testing.T) {
	t.Parallel()
	for _, refuses := range []bool{false, true} {
		s := telegramtest.New(t)
		a, _ := connected(t, s, quiet, nil)
		group, ann := s.Group("Cards"), s.Person("Ann")
		ann.Start("")
		won := text("You win")
		won.Won = true
		if refuses {
			s.Fail(telegramtest.Failure{Method: "sendMessage", Chat: ann.ID, Times: 1, Code: 400, Description: "Bad Request: MESSAGE_EFFECT_ID_INVALID"})
		}
		for _, to := range []chat.Target{{Player: chatID(ann.ID, 0)}, {Chat: chatID(group.ID, 0)}, {Player: chatID(ann.ID, 0)}} {
			if _, err := a.Send(t.Context(), to, won, ""); err != nil {
				t.Fatal(err)
			}
		}
		var effects []bool
		for _, c := range s.Calls("sendMessage") {
			effects = append(effects, c.Params["message_effect_id"] != "")
		}
		want := []bool{true, false, true}
		if refuses {
			want = []bool{true, false, false, false}
		}
		if len(effects) != len(want) {
			t.Fatalf("the calls have effects: %v", effects)
		}
		for i := range want {
			if effects[i] != want[i] {
				t.Errorf("refused %v: call %d has an effect: %v", refuses, i, effects[i])
			}
		}
		if n := len(ann.Private().Messages()); n != 2 {
			t.Errorf("Ann has %d messages", n)
		}
	}
}
