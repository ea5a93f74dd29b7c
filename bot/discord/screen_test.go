package discord_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// TestScreens compares the messages that are sent with golden files.
func TestScreens(t *testing.T) {
	t.Parallel()
	ann := screen.Person{ID: "discord:42", Name: "*_Ann_* <@everyone> [x](https://evil.example) `code` ||x||"}
	deck := func(s string) game.Card {
		c, err := game.ParseCard(s)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	var many [][]screen.Button
	for i := range 5 {
		var row []screen.Button
		for j := range 5 {
			row = append(row, screen.Button{Label: fmt.Sprintf("%d-%d %s", i, j, strings.Repeat("é", 90)), Press: fmt.Sprintf("p:%d:%d", i, j), Tone: screen.Tone(j % 4)})
		}
		many = append(many, row)
	}
	var blocks []screen.Block
	for i := range 60 {
		blocks = append(blocks, screen.Block{Look: screen.Look(i % 4), Spans: []screen.Span{{Kind: screen.SpanBold, Text: fmt.Sprintf("%d. %s", i, strings.Repeat("*x*", 20))}}})
	}
	screens := map[string]screen.Screen{
		"table": {
			Face: face.German,
			Blocks: []screen.Block{
				{Look: screen.Title, Spans: []screen.Span{{Text: "Sedma for 4"}}},
				{Spans: []screen.Span{
					{Kind: screen.SpanPerson, Person: ann}, {Text: ": "}, {Kind: screen.SpanCard, Card: deck("7h"), Strong: true}, {Kind: screen.SpanBreak},
					{Kind: screen.SpanPerson, Person: screen.Person{ID: "discord:43", Name: "Bob"}}, {Text: " leads "}, {Kind: screen.SpanCard, Card: deck("Ta")},
				}},
				{Look: screen.Quote, Spans: []screen.Span{{Text: "# no heading"}, {Kind: screen.SpanBreak}, {Text: "10. no list"}}},
				{Spans: []screen.Span{{Text: "the AI plays "}, {Kind: screen.SpanTime, Text: "in 40 s", At: 1_767_225_600}, {Text: "."}}},
				{Look: screen.Small, Spans: []screen.Span{{Text: "the "}, {Kind: screen.SpanBold, Text: "last"}, {Kind: screen.SpanBold, Text: " deal"}}},
			},
			Rows: [][]screen.Button{
				{{Label: "My cards", Press: "cards:t1", Tone: screen.Primary}, {Label: "In private", Private: "t1"}, {Label: "Rules", Press: "rules:t1"}},
				{{Label: "Stop", Press: "play:t1:1:2:x", Tone: screen.Danger, Off: true}, {Label: "Stop twice", Press: "play:t1:1:2:x"}},
				{{Label: "In private", Private: "t1"}},
			},
			Notify: []screen.Person{{ID: "discord:43"}, {ID: "discord:44"}, {ID: "telegram:45"}, {ID: "discord:43"}},
		},
		"menus": {
			Blocks: []screen.Block{{Spans: []screen.Span{{Text: "Settings"}}}},
			Menus: []screen.Menu{
				{Label: "*Game*", Options: many[0], Chosen: 1},
				{Label: "Players", Options: many[1], Chosen: -1},
			},
			Rows: many[2:4],
		},
		"file": {
			Blocks: []screen.Block{{Spans: []screen.Span{{Text: "The record of match k3-1."}}}},
			File:   &screen.File{Name: "sedma-k3-1.json", Data: []byte(`{"rules":"sedma-2p"}`)},
		},
		"page": {
			Blocks: []screen.Block{{Spans: []screen.Span{{Text: "Your turn."}}}},
			Rows: [][]screen.Button{
				{{Label: "Open the table", Link: "https://cards.example.org/sedma/#t=t1.2.3.x", Page: "t1", Tone: screen.Primary}},
				{{Label: "Play here", Page: "t1"}, {Label: "Play here again", Page: "t2"}, {Label: "Too long", Link: "https://cards.example.org/" + strings.Repeat("x", 512)}},
			},
		},
		"empty": {},
		"full":  {Blocks: blocks, Rows: many, Notify: []screen.Person{{ID: "discord:44"}}},
	}
	for name, screen := range screens {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			at, err := w.adapter.Send(t.Context(), chat.Target{Chat: "discord:" + w.channel.ID}, screen, "1")
			if err != nil {
				t.Fatal(err)
			}
			if err := w.adapter.Edit(t.Context(), at, screen); err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, c := range w.Calls() {
				var body any
				if err := json.Unmarshal(c.Body, &body); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&got, "%s %s\n%s", c.Method, c.Path, indented(t, body))
				for _, f := range c.Files {
					fmt.Fprintf(&got, "file %s: %s\n", f.Name, f.Data)
				}
			}
			golden(t, name+".golden", got.String())
		})
	}
}

// indented returns a value as indented JSON.
func indented(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-wanted +has):\n%s", path, diff)
	}
}
