package bottest_test

import (
	"fmt"
	"strings"
	"testing"

	"sedmabot/bot/bottest"
	"sedmabot/bot/screen"
)

func textScreen(s string, rows ...[]screen.Button) screen.Screen {
	return screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{{Text: s}}}}, Rows: rows}
}

func button(label, press string) screen.Button { return screen.Button{Label: label, Press: press} }

// TestFits checks that only screens that every platform can show fit.
func TestFits(t *testing.T) {
	t.Parallel()
	row := func(n int) []screen.Button {
		var all []screen.Button
		for i := range n {
			all = append(all, button("x", fmt.Sprint(n, "/", i)))
		}
		return all
	}
	with := func(b screen.Button) screen.Screen { return textScreen("x", []screen.Button{b}) }
	span := func(s screen.Span) screen.Screen {
		return screen.Screen{Blocks: []screen.Block{{Look: screen.Title, Spans: []screen.Span{s}}}}
	}
	long := strings.Repeat("ž", 34)
	for name, s := range map[string]screen.Screen{
		"full":       textScreen(strings.Repeat("ž", 4000), row(5), row(1), row(2), row(3), row(4)),
		"label":      with(button(long, strings.Repeat("x", 64))),
		"private":    with(screen.Button{Label: "x", Private: "aZ_-9"}),
		"disabled":   with(screen.Button{Label: "x", Press: "x", Off: true, Tone: screen.Danger}),
		"no buttons": textScreen("x"),
	} {
		if err := bottest.Fits("", &s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range map[string]screen.Screen{
		"no words":              {Rows: [][]screen.Button{row(1)}},
		"an empty block":        {Blocks: []screen.Block{{}}},
		"a strange look":        {Blocks: []screen.Block{{Look: 9, Spans: []screen.Span{{Text: "x"}}}}},
		"too long":              textScreen(strings.Repeat("ž", 4001)),
		"six rows":              textScreen("x", row(1), row(2), row(3), row(4), row(5), []screen.Button{button("x", "y")}),
		"six buttons":           textScreen("x", row(6)),
		"an empty row":          textScreen("x", nil),
		"a long label":          with(button(long+"x", "x")),
		"no label":              with(button("", "x")),
		"a label of lines":      with(button("a\nb", "x")),
		"long data":             with(button("x", strings.Repeat("ž", 33))),
		"broken data":           with(button("x", "\xff")),
		"no data":               with(button("x", "")),
		"two ways":              with(screen.Button{Label: "x", Press: "x", Private: "x"}),
		"a strange payload":     with(screen.Button{Label: "x", Private: "a b"}),
		"a strange tone":        with(screen.Button{Label: "x", Press: "x", Tone: 9}),
		"the same twice":        textScreen("x", row(1), row(1)),
		"lines in a span":       span(screen.Span{Text: "a\nb"}),
		"no UTF-8":              span(screen.Span{Text: "\xff"}),
		"an empty span":         span(screen.Span{}),
		"an empty name":         span(screen.Span{Kind: screen.SpanPerson}),
		"no card":               span(screen.Span{Kind: screen.SpanCard}),
		"a two-line title":      span(screen.Span{Kind: screen.SpanBreak}),
		"a strange span":        span(screen.Span{Kind: 9, Text: "x"}),
		"a file without a name": {Blocks: textScreen("x").Blocks, File: &screen.File{Data: []byte("x")}},
		"a file elsewhere":      {Blocks: textScreen("x").Blocks, File: &screen.File{Name: "../a", Data: []byte("x")}},
		"an empty file":         {Blocks: textScreen("x").Blocks, File: &screen.File{Name: "a"}},
		"calls nobody":          {Blocks: textScreen("x").Blocks, Notify: []screen.Person{{Name: "AI"}}},
	} {
		if bottest.Fits("", &s) == nil {
			t.Errorf("%s fits", name)
		}
	}
	if bottest.Fits(strings.Repeat("ž", 200), nil) != nil || bottest.Fits(strings.Repeat("ž", 201), nil) == nil {
		t.Error("a toast has other than 200 characters")
	}
}
