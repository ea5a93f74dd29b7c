package message

import (
	"strings"
	"testing"

	"sedmabot/bot/screen"
)

// Discord has no button that copies. The text is a block of code, with the command in its last line.
func TestTextToCopy(t *testing.T) {
	t.Parallel()
	m := Draft(screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{{Text: "Over."}}}},
		Rows:   [][]screen.Button{{{Label: "Copy", Copy: "Sedma *1*\n`🟩`", Private: "d-x"}}, {{Label: "Rules", Press: "rules:t1"}}},
	}, true, nil)
	inside := m.Components[0].Components
	if len(inside) != 3 || inside[1].Content != "```\nSedma *1*\n'🟩'\n/sedma daily\n```" || len(inside[2].Components) != 1 {
		t.Errorf("%+v", inside)
	}
	for _, c := range inside {
		if strings.Contains(c.Label, "Copy") {
			t.Error("the button remains")
		}
	}
}
