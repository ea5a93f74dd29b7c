package marks_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot"
	"sedmabot/bot/boards"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/marks"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/people"
)

// tagged is a platform that has tags for people, and shows each rank as a tag.
type tagged struct {
	town.Chats
	tags    map[string]string
	set     int            // how often a tag was set or taken away
	refusal chat.MarkFault // the bot may not set tags
	busy    int            // requests that the platform will turn away
	lost    bool           // the answer to the next request is lost
}

func (p *tagged) Abilities() chat.Abilities { return chat.Abilities{Marker: p} }

func (p *tagged) Mark(_ context.Context, _, player string, was, next chat.Mark) (chat.Mark, error) {
	tag := p.tags[player]
	switch {
	case p.refusal != "":
		return was, &chat.MarkError{Why: p.refusal}
	case player == "":
		return was, nil
	case p.busy > 0:
		p.busy--
		return was, &chat.DeliveryError{Fault: chat.Retry, After: time.Minute}
	case tag != "" && tag != was.ID && tag != was.Tried:
		return was, &chat.MarkError{Why: chat.MarkTaken}
	}
	if p.tags[player] = next.Tag; next.Tag == "" {
		delete(p.tags, player)
	}
	p.set++
	next.ID = next.Tag
	if p.lost {
		p.lost = false
		return was, &chat.DeliveryError{Fault: chat.Retry}
	}
	return next, nil
}

func (p *tagged) has(t *testing.T, want map[string]string) {
	t.Helper()
	if !maps.Equal(p.tags, want) {
		t.Errorf("the tags are %v, want %v", p.tags, want)
	}
}

// tagTown is a town with a home whose people can have tags.
type tagTown struct {
	*town.Town
	t *testing.T
}

const tagHome = "test:tags"

// inTags runs f in a town whose people can have tags.
func inTags(t *testing.T, f func(t *testing.T, w tagTown, p *tagged)) {
	t.Helper()
	p := &tagged{tags: map[string]string{}}
	town.In(t, func(t *testing.T, w *town.Town) { f(t, tagTown{w, t}, p) }, func(c *bot.Config) { c.Platforms = []chat.Platform{p} })
}

// wins enters matches that the first player won against the second.
func (w tagTown) wins(winner, loser string, n int) {
	w.t.Helper()
	for range n {
		won := league.Result{At: time.Now(), Family: "sedma", Seats: []league.ResultSeat{
			{Player: winner, Name: strings.TrimPrefix(winner, "test:"), Rank: 1, Won: true, Stakes: 3},
			{Player: loser, Name: strings.TrimPrefix(loser, "test:"), Side: 1, Rank: 2, Stakes: -3},
		}}
		if err := boards.New(w.Docs, nil, nil).EnterElsewhere(w.t.Context(), tagHome, doc.MatchID(doc.NewTableID(tagHome), 1), won); err != nil {
			w.t.Fatal(err)
		}
	}
	w.Pass(time.Minute)
}

// marking turns the marks of the home on or off.
func (w tagTown) marking(value string) chat.Reply {
	in := w.Input("test:ann", tagHome)
	in.Admin, in.Press = true, town.HomeSetting("marks", value, tagHome).String()
	r := w.Handle(w.t.Context(), in)
	w.Pass(time.Minute)
	return r
}

// When a manager turns marks on, the season's ranks are shown beside names. If someone else
// takes the first place, the mark moves to them. The marks end with the season, and when they
// are turned off.
func TestAMarkPassesOn(t *testing.T) {
	t.Parallel()
	inTags(t, func(t *testing.T, w tagTown, p *tagged) {
		w.wins("test:ben", "test:cat", league.HallMatches)
		p.has(t, map[string]string{}) // off until someone turns it on
		if r := w.marking("on"); r.Outcome != chat.Done {
			t.Fatal(r.Toast)
		}
		p.has(t, map[string]string{"test:ben": "Sedma: no. 1"}) // Cat has won no match
		w.wins("test:cat", "test:ben", 3*league.HallMatches)
		p.has(t, map[string]string{"test:ben": "Sedma: no. 2", "test:cat": "Sedma: no. 1"})
		p.set = 0
		w.wins("test:cat", "test:ben", 1)
		if p.set != 0 {
			t.Errorf("%d requests, although no rank changed", p.set)
		}
		if r := w.Command("test:ben", "test:ben", "mydata", "what", "export"); !strings.Contains(string(r.Screen.File.Data), "Sedma: no. 2") {
			t.Errorf("the export lacks the mark: %s", r.Screen.File.Data)
		}
		w.Pass(95 * 24 * time.Hour)
		p.has(t, map[string]string{})
		w.wins("test:ben", "test:cat", 2*league.HallMatches)
		if p.tags["test:ben"] != "Sedma: no. 1" {
			t.Errorf("in the next season: %v", p.tags)
		}
		w.marking("off")
		p.has(t, map[string]string{})
		if w.Get(doc.InHome(tagHome, league.MarksJob(tagHome)), &marks.Marks{}) != 0 {
			t.Error("the marks are still stored")
		}
	})
}

// A tag that someone else set is neither replaced nor removed. A person who deletes their data
// loses the bot's tag.
func TestATagOfSomeoneElseStays(t *testing.T) {
	t.Parallel()
	inTags(t, func(t *testing.T, w tagTown, p *tagged) {
		p.tags["test:ben"] = "Boss"
		w.wins("test:ben", "test:cat", league.HallMatches)
		w.wins("test:cat", "test:ben", 1)
		w.marking("on")
		p.has(t, map[string]string{"test:ben": "Boss", "test:cat": "Sedma: no. 2"})
		w.Presses("test:cat", "test:cat", town.Press("data:"+people.DataErase))
		w.Pass(10 * time.Minute)
		p.has(t, map[string]string{"test:ben": "Boss"})
		w.marking("off")
		p.has(t, map[string]string{"test:ben": "Boss"})
	})
}

// If the bot may not set marks, it tells the manager what to do, and marks stay off. If it loses
// the right later, the settings say so. When it gets the right back, the marks return.
func TestAMarkIsRefusedAndExplained(t *testing.T) {
	t.Parallel()
	inTags(t, func(t *testing.T, w tagTown, p *tagged) {
		w.wins("test:ben", "test:cat", league.HallMatches)
		for why, words := range map[chat.MarkFault]string{chat.MarkRights: "me manage roles", chat.MarkTags: "edit member tags", chat.MarkAbove: "drag my role above it"} {
			p.refusal = why
			if r := w.marking("on"); r.Outcome != chat.Refused || !strings.Contains(r.Toast, words) {
				t.Errorf("%s: %q", why, r.Toast)
			}
		}
		if h, err := w.Docs.Home(t.Context(), tagHome); err != nil || h.Marks {
			t.Errorf("it is on although it was refused: %v", err)
		}
		p.refusal = ""
		w.marking("on")
		p.refusal = chat.MarkRights
		w.wins("test:cat", "test:ben", 3*league.HallMatches)
		page := func() chat.Reply {
			in := w.Input("test:ann", tagHome)
			in.Admin, in.Press = true, town.HomeSetting("page", "marks", tagHome).String()
			return w.Handle(t.Context(), in)
		}
		w.Has(page(), "me manage roles")
		p.refusal = ""
		w.Pass(25 * time.Hour)
		p.has(t, map[string]string{"test:ben": "Sedma: no. 2", "test:cat": "Sedma: no. 1"})
		w.Has(page(), "!me manage roles")
	})
}

// If the platform is busy, or its answer is lost, the bot tries again. It still knows which
// marks are its own.
func TestAMarkIsTriedAgain(t *testing.T) {
	t.Parallel()
	inTags(t, func(t *testing.T, w tagTown, p *tagged) {
		w.wins("test:ben", "test:cat", league.HallMatches)
		p.busy, p.lost = 2, true
		w.marking("on")
		w.Pass(10 * time.Minute)
		p.has(t, map[string]string{"test:ben": "Sedma: no. 1"})
		var d marks.Marks
		w.Get(doc.InHome(tagHome, league.MarksJob(tagHome)), &d)
		if d.Given["test:ben"] != (chat.Mark{Rank: 1, Tag: "Sedma: no. 1", Role: "Sedma champion", ID: "Sedma: no. 1"}) {
			t.Errorf("%+v", d)
		}
		w.marking("off")
		p.has(t, map[string]string{})
	})
}

// A tag has at most 16 characters, no emoji, in every language.
func TestTagsFit(t *testing.T) {
	t.Parallel()
	for _, code := range lang.Languages() {
		tag := lang.For(code).Text("marks.tag", "n", "10")
		if n := utf8.RuneCountInString(tag); n > 16 || n == 0 || strings.ContainsFunc(tag, func(r rune) bool { return unicode.Is(unicode.So, r) }) {
			t.Errorf("%s: %q has %d characters", code, tag, n)
		}
	}
}
