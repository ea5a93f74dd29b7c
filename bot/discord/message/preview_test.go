package message

import (
	"encoding/json"
	"strings"
	"testing"

	"sedmabot/bot/screen"
)

// Preview measures the full length of a text, even if the message that is sent cuts it.
func TestPreview(t *testing.T) {
	t.Parallel()
	long := screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{{Text: strings.Repeat("a", maxText+5)}}}},
		Menus:  []screen.Menu{{Label: "Choose", Options: []screen.Button{{Label: "One", Press: "a"}, {Label: "Two", Press: "bb"}}}},
		Rows:   [][]screen.Button{{{Label: strings.Repeat("b", maxLabel+1), Press: strings.Repeat("c", 64)}}},
	}
	p, err := Preview(long)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, m := range p.Limits {
		got[m.Name] = m.Have - m.Most
	}
	for name, want := range map[string]int{"characters": 5, "label": 1, "components": 6 - maxComponents, "custom_id": 64 - maxCustomID, "options": 2 - maxOptions} {
		if got[name] != want {
			t.Errorf("%s is beyond its limit by %d, want %d", name, got[name], want)
		}
	}
	sent, err := json.Marshal(Draft(long, true, nil))
	if err != nil {
		t.Fatal(err)
	}
	if string(sent) != string(p.Body) {
		t.Errorf("the preview is not what is sent:\n%s\n%s", p.Body, sent)
	}
}
