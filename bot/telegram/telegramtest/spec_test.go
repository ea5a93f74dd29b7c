package telegramtest

import (
	"strings"
	"testing"
)

// The checker must find calls that don't match the published API. Otherwise other tests would prove nothing.
func TestTheCheckerFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := loadSpec()
	for want, c := range map[string]struct {
		method string
		params map[string]string
	}{
		"":                                {"sendMessage", map[string]string{"chat_id": "7", "text": "x", "reply_markup": `{"inline_keyboard":[[{"text":"x","callback_data":"y","style":"danger"}]]}`}},
		"no such method":                  {"sendMesage", nil},
		"text is missing":                 {"sendMessage", map[string]string{"chat_id": "7"}},
		"receiver_user_id is unknown":     {"sendMessage", map[string]string{"chat_id": "7", "text": "x", "receiver_user_id": "8"}},
		"message_thread_id is no Integer": {"sendMessage", map[string]string{"chat_id": "7", "text": "x", "message_thread_id": "x"}},
		"ephemeral_message_parameters.receiver_user_id is missing": {"sendMessage", map[string]string{"chat_id": "7", "text": "x", "ephemeral_message_parameters": `{"callback_query_id":"1"}`}},
		"reply_markup.inline_keyboard[0][0].colour is unknown":     {"editMessageText", map[string]string{"chat_id": "7", "text": "x", "reply_markup": `{"inline_keyboard":[[{"text":"x","callback_data":"y","colour":"red"}]]}`}},
	} {
		if got := strings.Join(s.check(c.method, c.params), "; "); got != want {
			t.Errorf("%s %v: %q, want %q", c.method, c.params, got, want)
		}
	}
}
