package playground

import (
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"testing"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// steps returns the steps of a match "a-1" of two deals.
func steps(_ context.Context, in chat.Input, match string) ([]chat.Step, error) {
	if match == "b-1" {
		return nil, errors.New("the record is broken")
	}
	if match != "a-1" || in.Player.ID == Fin {
		return nil, chat.ErrNoMatch
	}
	s := func(text string) screen.Screen { return textScreen(text, []screen.Button{button("Next", "next")}) }
	trick := s("trick")
	trick.Picture = &screen.Picture{Alt: "a trick", Draw: face.Picture{Table: &face.Table{Seats: make([]face.Seat, 2), Winning: -1}}}
	return []chat.Step{{Deal: 1, No: 0, Screen: s("dealt")}, {Deal: 1, No: 1, Screen: trick}, {Deal: 2, No: 0, Screen: s("dealt again")}}, nil
}

func TestReplay(t *testing.T) {
	t.Parallel()
	p, err := New(Config{Commands: bot.Commands(), Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	run(t, p, handler(func(context.Context, chat.Input) chat.Reply { return chat.Reply{} }))
	answer := ask(p, "GET", "/replay?match=a-1&lang=en&person="+Ann, "")
	var got []struct {
		Deal, No int
		Screen   pageMessage
	}
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[2].Deal != 2 || got[1].No != 1 || got[1].Screen.Blocks[0].Spans[0].Text != "trick" || len(got[1].Screen.Rows) != 0 {
		t.Errorf("the steps are %+v", got)
	}
	if got[1].Screen.Image == nil {
		t.Fatal("a step has no picture")
	}
	shown := ask(p, "GET", "/picture?message=&name="+got[1].Screen.Image.Name, "")
	if img, err := png.DecodeConfig(shown.Body); err != nil || img.Width != got[1].Screen.Image.Width {
		t.Errorf("the picture of a step: %d, %v, %v", shown.StatusCode, img, err)
	}
	if got := ask(p, "GET", "/picture?message=&name=0123456789abcdef", "").StatusCode; got != 404 {
		t.Errorf("a picture of no replay: %d", got)
	}
	for query, want := range map[string]int{
		"match=c-1&person=" + Ann:                                  404,
		"match=a-1&person=" + Fin:                                  404,
		"match=b-1&person=" + Ann:                                  500,
		"match=a-1&person=" + Ann + "&join=" + p.links.person[Ben]: 403,
		"match=a-1&person=" + Ben + "&join=" + p.links.person[Ben]: 200,
	} {
		if got := ask(p, "GET", "/replay?"+query, "").StatusCode; got != want {
			t.Errorf("%s: %d", query, got)
		}
	}
}

// A message that leads to one match offers its viewer; a list of matches doesn't.
func TestMatchOf(t *testing.T) {
	t.Parallel()
	press := func(no int) string {
		return view.ReplayPress("d000000000000", no)
	}
	for _, c := range []struct {
		rows []screen.Button
		want string
	}{
		{[]screen.Button{button("Rules", "rules"), button("Replay", press(2))}, "d000000000000-2"},
		{[]screen.Button{button("Back", press(2)), button("On", press(2))}, "d000000000000-2"},
		{[]screen.Button{button("1", press(1)), button("2", press(2))}, ""},
		{[]screen.Button{button("Rules", "rules")}, ""},
	} {
		if got := matchOf(textScreen("x", c.rows)); got != c.want {
			t.Errorf("%v leads to %q", c.rows, got)
		}
	}
}
