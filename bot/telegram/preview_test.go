package telegram

import (
	"encoding/json"
	"strings"
	"testing"

	"sedmabot/bot/screen"
)

// A preview measures the full length, even if the request is cut to a limit. A screen
// that can't be sent at all is an error.
func TestPreview(t *testing.T) {
	t.Parallel()
	p, err := Preview(screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{{Text: strings.Repeat("a", textLimit)}}}, {Spans: []screen.Span{{Text: "<b>"}}}},
		Rows:   [][]screen.Button{{{Label: strings.Repeat("b", labelLimit+1), Press: "press"}, {Label: "cards", Private: "cards"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, m := range p.Limits {
		got[m.Name] = m.Have - m.Most
	}
	for name, want := range map[string]int{"characters": 4, "label": 1, "callback_data": 5 - dataLimit} {
		if got[name] != want {
			t.Errorf("%s is beyond its limit by %d, want %d", name, got[name], want)
		}
	}
	var body struct {
		Text  string `json:"text"`
		Reply struct {
			Keyboard [][]key `json:"inline_keyboard"`
		} `json:"reply_markup"`
	}
	if err := json.Unmarshal(p.Body, &body); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(body.Text, "a…") || body.Reply.Keyboard[0][1].URL != "https://t.me/sedma_bot?start=cards" {
		t.Errorf("the preview is %s", p.Body)
	}
	if _, err := Preview(screen.Screen{}); err == nil {
		t.Error("an empty screen can be sent")
	}
}
