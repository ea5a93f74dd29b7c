package telegram

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game"
)

var rewrite = flag.Bool("update", false, "write the golden requests anew")

func card(s string) game.Card {
	c, err := game.ParseCard(s)
	if err != nil {
		panic(err)
	}
	return c
}

func words(s string) screen.Span { return screen.Span{Text: s} }

func who(p screen.Person) screen.Span { return screen.Span{Kind: screen.SpanPerson, Person: p} }

var (
	ann  = screen.Person{ID: "telegram:4211", Name: "Ann"}
	evil = screen.Person{ID: "telegram:4212", Name: "<b>Ben</b> & @victim\nwins \u202e evil.com /new"}
	ai   = screen.Person{Name: "AI Jan"}
)

// screens has one screen of each kind, with everything that a screen can hold.
var screens = []struct {
	name   string
	screen screen.Screen
}{
	{"lobby", screen.Screen{
		Blocks: []screen.Block{
			{Look: screen.Title, Spans: []screen.Span{words("Sedma: who plays?")}},
			{Spans: []screen.Span{words("1. "), who(ann), {Kind: screen.SpanBreak}, words("2. "), who(evil), {Kind: screen.SpanBreak}, words("3. "), who(ai)}},
			{Look: screen.Small, Spans: []screen.Span{words("Partners sit opposite each other.")}},
		},
		Rows: [][]screen.Button{
			{{Label: "Join", Press: "join:t1", Tone: screen.Success}, {Label: "Leave", Press: "leave:t1"}, {Label: "Start", Press: "start:t1", Tone: screen.Primary}},
			{{Label: "Open private chat", Private: "t1"}, {Label: "Close table", Press: "close:t1", Tone: screen.Danger}},
			{{Label: "Not now", Press: "ai:t1", Off: true}},
		},
	}},
	{"table", screen.Screen{
		Face: face.French,
		Blocks: []screen.Block{
			{Look: screen.Title, Spans: []screen.Span{words("Sedma & friends · deal 2")}},
			{Spans: []screen.Span{
				words("In the trick: "), {Kind: screen.SpanCard, Card: card("7h")}, words(" "), {Kind: screen.SpanCard, Card: card("Th"), Strong: true},
				{Kind: screen.SpanBreak}, {Kind: screen.SpanBold, Text: "3 < 4"},
			}},
			{Look: screen.Quote, Spans: []screen.Span{words("1. "), {Kind: screen.SpanCard, Card: card("As")}, words(" – "), who(ann)}},
			{Spans: []screen.Span{words("the AI plays "), {Kind: screen.SpanTime, Text: "in <40> s", At: 1_767_225_600}}},
		},
		Rows:   [][]screen.Button{{{Label: "My cards", Press: "cards:t1", Tone: screen.Primary}}},
		Places: [][]screen.Button{{{Label: "1", Press: "place:t1:2:3:1"}, {Label: "2", Press: "place:t1:2:3:2"}}, {{Label: "Stop", Press: "place:t1:2:3:0"}}},
	}},
	{"hand", screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{words("Your turn.")}}},
		Rows:   [][]screen.Button{{{Label: "7♥", Card: card("7h"), Press: "play:t1:2:3:7h"}, {Label: "10♥", Card: card("Th"), Press: "play:t1:2:3:Th"}}},
	}},
	{"call", screen.Screen{
		Blocks: []screen.Block{{Spans: []screen.Span{who(evil), words(", it is your turn.")}}},
		Notify: []screen.Person{evil, ann, ai},
	}},
}

// filed is a screen with a file.
var filed = screen.Screen{
	Blocks: []screen.Block{{Spans: []screen.Span{words("The record of <match> "), {Kind: screen.SpanBold, Text: "k3-1"}}}},
	File:   &screen.File{Name: "sedma-k3-1.json", Data: []byte(`{"rules":"sedma-2p"}` + "\n")},
}

// The requests for each screen must equal the golden files: as a new message in a group, in private, and as an edit.
func TestGoldenRequests(t *testing.T) {
	t.Parallel()
	const file = "testdata/requests.txtar"
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group, ann := s.Group("Cards"), s.Person("Ann")
	ann.Start("")
	var got txtar.Archive
	record := func(name, method string) {
		calls := s.Calls(method)
		c := calls[len(calls)-1]
		params := map[string]any{}
		for k, v := range c.Params {
			params[k] = v
			if v[0] == '{' {
				params[k] = json.RawMessage(v)
			}
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(params); err != nil {
			t.Fatal(err)
		}
		got.Files = append(got.Files, txtar.File{Name: name + ": " + method, Data: b.Bytes()})
	}
	for _, c := range screens {
		addr, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 17)}, c.screen, "")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		record(c.name+" in a topic", "sendMessage")
		if _, err := a.Send(t.Context(), chat.Target{Player: chatID(ann.ID, 0)}, c.screen, ""); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		record(c.name+" in private", "sendMessage")
		if err := a.Edit(t.Context(), addr, c.screen); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		record(c.name+" edited", "editMessageText")
	}
	if _, err := a.Send(t.Context(), chat.Target{Player: chatID(ann.ID, 0)}, filed, ""); err != nil {
		t.Fatal(err)
	}
	record("a file in private", "sendDocument")
	if *rewrite {
		if err := os.WriteFile(file, txtar.Format(&got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(txtar.Format(want)), string(txtar.Format(&got))); diff != "" {
		t.Errorf("requests (-want +got; -update writes them anew):\n%s", diff)
	}
}

// A player sees the whole hand, while others play and when only some cards may be played: each card has a button, on any
// server. The text doesn't list the cards again.
func TestTheWholeHandIsVisible(t *testing.T) {
	t.Parallel()
	onTable, ofHand := &screen.Picture{Draw: face.Picture{Table: &face.Table{}}}, &screen.Picture{Draw: face.Picture{Hand: &face.Hand{}}}
	for _, picture := range []*screen.Picture{nil, onTable, ofHand} {
		for _, off := range [][2]bool{{false, false}, {false, true}, {true, true}} {
			s := screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{words("Ben plays.")}}}, Picture: picture, Rows: [][]screen.Button{nil}}
			for i, label := range []string{"7♥", "10♥"} {
				s.Rows[0] = append(s.Rows[0], screen.Button{Label: label, Card: card("7h"), Press: label, Off: off[i]})
			}
			for _, disables := range []bool{false, true} {
				keys, err := keyboard{disables: disables}.keys(s.Rows)
				if err != nil || len(keys) != 1 || len(keys[0]) != 2 || !strings.Contains(keys[0][0].Text, "7♥") || !strings.Contains(keys[0][1].Text, "10♥") {
					t.Errorf("%v, disabled buttons %v: %+v, %v", off, disables, keys, err)
				}
			}
			if got, _ := markup(s, false); got != "Ben plays." || length(s) != len("Ben plays.") {
				t.Errorf("%q of length %d", got, length(s))
			}
		}
	}
}

func TestNamesForgeNothing(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group := s.Group("Cards")
	send := func(sc screen.Screen) telegramtest.Message {
		t.Helper()
		if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, sc, ""); err != nil {
			t.Fatal(err)
		}
		all := group.Messages()
		return all[len(all)-1]
	}
	m := send(screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{who(evil)}}}})
	if len(m.Entities) != 0 || strings.Contains(m.Text, "\n") || !strings.HasPrefix(m.Text, "<b>Ben<") {
		t.Errorf("a name became %q with %v", m.Text, m.Entities)
	}
	for _, sign := range []string{"@victim", "evil.com", "/new", "\u202e"} {
		if strings.Contains(m.Text, sign) {
			t.Errorf("%q is in %q: the apps would make something of it", sign, m.Text)
		}
	}

	m = send(screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{who(screen.Person{Name: "שלום"}), words(": 7")}}}})
	if m.Text != "\u2068שלום\u2069: 7" {
		t.Errorf("a name from right to left is written %q: it draws the number after it into its direction", m.Text)
	}

	// Only a new message mentions people, and only those in the screen's Notify.
	call := screen.Screen{Blocks: []screen.Block{{Spans: []screen.Span{who(ann), words(" waits for "), who(evil)}}}, Notify: []screen.Person{evil}}
	m = send(call)
	if len(m.Entities) != 1 || m.Entities[0].URL != "tg://user?id=4212" || m.Silent {
		t.Errorf("the call mentions %v, silent: %v", m.Entities, m.Silent)
	}
	if err := a.Edit(t.Context(), address(group.ID, m.ID), call); err != nil {
		t.Fatal(err)
	}
	all := group.Messages()
	if m = all[len(all)-1]; len(m.Entities) != 0 {
		t.Errorf("the edit mentions %v", m.Entities)
	}
	if !all[0].Silent {
		t.Error("a message that calls nobody makes a sound in the group")
	}
}

func TestScreenThatCannotBeSentIsInvalid(t *testing.T) {
	t.Parallel()
	a, _ := connected(t, telegramtest.New(t), quiet, nil)
	button := func(b screen.Button) screen.Screen {
		s := text("x")
		s.Rows = [][]screen.Button{{b}}
		return s
	}
	for name, s := range map[string]screen.Screen{
		"no text":         {},
		"only spaces":     text(" \n\t"),
		"no data":         button(screen.Button{Label: "x"}),
		"65 bytes":        button(screen.Button{Label: "x", Press: strings.Repeat("č", 32) + "x"}),
		"no label":        button(screen.Button{Label: " ", Press: "x"}),
		"a payload of 65": button(screen.Button{Label: "x", Private: strings.Repeat("x", 65)}),
		"a wrong payload": button(screen.Button{Label: "x", Private: "a b"}),
	} {
		_, err := a.Send(t.Context(), chat.Target{Chat: "telegram:-1009"}, s, "")
		var d *chat.DeliveryError
		if !errors.As(err, &d) || d.Fault != chat.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Telegram accepts any screen, and shows the beginning of its text, as much as fits.
func TestAnyTextArrives(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group := s.Group("Cards")
	if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, text("begin"), ""); err != nil {
		t.Fatal(err)
	}
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		var shown screen.Screen
		want := ""
		for i := range rapid.IntRange(1, 6).Draw(t, "blocks") {
			block := screen.Block{Look: screen.Look(rapid.IntRange(0, 3).Draw(t, "look"))}
			if i > 0 {
				want += "\n"
			}
			for range rapid.IntRange(1, 4).Draw(t, "spans") {
				text := rapid.StringOf(rapid.RuneFrom([]rune("ab<>&\"'_*[]()~`#+-=|{}.!@/ž♥🂡;ampltgt "))).Draw(t, "text")
				text = strings.Repeat(text, rapid.SampledFrom([]int{1, 1, 1, 50, 800}).Draw(t, "times"))
				kind := rapid.SampledFrom([]screen.SpanKind{screen.SpanText, screen.SpanBold}).Draw(t, "kind")
				block.Spans = append(block.Spans, screen.Span{Kind: kind, Text: text})
				want += text
			}
			shown.Blocks = append(shown.Blocks, block)
		}
		if strings.TrimSpace(want) == "" {
			return
		}
		n++
		shown.Blocks = append([]screen.Block{{Spans: []screen.Span{words(fmt.Sprint(n))}}}, shown.Blocks...)
		want = fmt.Sprint(n) + "\n" + want
		if err := a.Edit(t.Context(), address(group.ID, 1), shown); err != nil {
			t.Fatal(err)
		}
		got := group.Messages()[0].Text
		size := len(utf16.Encode([]rune(got)))
		if size > 4096 {
			t.Fatalf("%d characters", size)
		}
		if got != want {
			begin, cut := strings.CutSuffix(got, "…")
			if !cut || !strings.HasPrefix(want, begin) || size < 4094 {
				t.Fatalf("%d characters, want %q\ngot %q", size, want, got)
			}
		}
	})
}

// A text that is cut still mentions the people whom it calls, whether it names them or not, and ends its block of code.
func TestACutTextStillMentionsPeople(t *testing.T) {
	t.Parallel()
	s := telegramtest.New(t)
	a, _ := connected(t, s, quiet, nil)
	group := s.Group("Cards")
	ann, ben := screen.Person{ID: "telegram:4211", Name: "Ann"}, screen.Person{ID: "telegram:4212", Name: "Ben"}
	picture := &screen.Picture{Alt: "x", Draw: face.Picture{Table: &face.Table{Winning: -1, Seats: make([]face.Seat, 2)}}}
	long := words(strings.Repeat("long ", 1000))
	for name, blocks := range map[string][]screen.Block{
		"named after the cut": {{Spans: []screen.Span{who(ann), long, who(ben)}}},
		"not named":           {{Spans: []screen.Span{long}}},
		"code":                {{Spans: []screen.Span{who(ann)}}, {Look: screen.Code, Spans: []screen.Span{long, {Kind: screen.SpanBreak}, words("end")}}},
		"almost too long":     {{Spans: []screen.Span{words(strings.Repeat("x", textLimit-5))}}},
	} {
		for _, p := range []*screen.Picture{nil, picture} {
			if _, err := a.Send(t.Context(), chat.Target{Chat: chatID(group.ID, 0)}, screen.Screen{Blocks: blocks, Notify: []screen.Person{ann, ben}, Picture: p}, ""); err != nil {
				t.Fatal(err)
			}
			all := group.Messages()
			m := all[len(all)-1]
			mentioned := map[string]bool{}
			for _, e := range m.Entities {
				mentioned[e.URL] = true
			}
			if size := len(utf16.Encode([]rune(m.Text))); !mentioned["tg://user?id=4211"] || !mentioned["tg://user?id=4212"] || size > textLimit {
				t.Errorf("%s: %d characters mention %v: …%s", name, size, mentioned, m.Text[len(m.Text)-40:])
			}
		}
	}
}
