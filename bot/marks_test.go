package bot

import (
	"context"
	"maps"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/people"
)

// Mark sets a tag for each rank, as a platform with tags does.
func (p *club) Mark(_ context.Context, _, player string, was, next chat.Mark) (chat.Mark, error) {
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

// wins enters a match that the first player won against the second in a home's ledger.
func (w *town) wins(home, winner, loser string, n int) {
	w.t.Helper()
	for range n {
		r := league.Result{At: w.docs.Now(), Family: "sedma", Seats: []league.ResultSeat{
			{Player: winner, Name: strings.TrimPrefix(winner, "test:"), Side: 0, Rank: 1, Won: true, Stakes: 1}, {Player: loser, Name: strings.TrimPrefix(loser, "test:"), Side: 1, Rank: 2},
		}}
		if err := w.boards.EnterElsewhere(w.t.Context(), home, doc.MatchID(doc.NewTableID(home), 1), r); err != nil {
			w.t.Fatal(err)
		}
	}
	w.pass(time.Minute)
}

const markHome = "test:marks"

// marking turns the marks of the home on or off.
func (w *town) marking(value string) chat.Reply {
	in := w.in("test:ann", markHome)
	in.Admin, in.Press = true, homeSetting("marks", value, markHome).String()
	r := w.Handle(w.t.Context(), in)
	w.pass(time.Minute)
	return r
}

func (p *club) tagged(t *testing.T, want map[string]string) {
	t.Helper()
	if !maps.Equal(p.tags, want) {
		t.Errorf("the tags are %v, want %v", p.tags, want)
	}
}

// When a manager turns marks on, the season's ranks are shown beside names. If someone else
// takes the first place, the mark moves to them. The marks end with the season, and when they
// are turned off.
func TestAMarkPassesOn(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		w.wins(markHome, "test:ben", "test:cat", league.HallMatches)
		p.tagged(t, map[string]string{}) // off until someone turns it on
		if r := w.marking("on"); r.Outcome != chat.Done {
			t.Fatal(r.Toast)
		}
		p.tagged(t, map[string]string{"test:ben": "Sedma: no. 1"}) // Cat has won no match
		w.wins(markHome, "test:cat", "test:ben", 3*league.HallMatches)
		p.tagged(t, map[string]string{"test:ben": "Sedma: no. 2", "test:cat": "Sedma: no. 1"})
		p.set = 0
		w.wins(markHome, "test:cat", "test:ben", 1)
		if p.set != 0 {
			t.Errorf("%d requests, although no rank changed", p.set)
		}
		if r := w.command("test:ben", "test:ben", "mydata", "what", "export"); !strings.Contains(string(r.Screen.File.Data), "Sedma: no. 2") {
			t.Errorf("the export lacks the mark: %s", r.Screen.File.Data)
		}
		w.pass(95 * 24 * time.Hour)
		p.tagged(t, map[string]string{})
		w.wins(markHome, "test:ben", "test:cat", 2*league.HallMatches)
		if p.tags["test:ben"] != "Sedma: no. 1" {
			t.Errorf("in the next season: %v", p.tags)
		}
		w.marking("off")
		p.tagged(t, map[string]string{})
		docs, err := w.docs.Store.Get(t.Context(), doc.InHome(markHome, league.MarksJob(markHome)))
		if err != nil || docs[0].Version != 0 {
			t.Errorf("still stored: %s, %v", docs[0].Data, err)
		}
	})
}

// A tag that someone else set is neither replaced nor removed. A person who deletes their data
// loses the bot's tag.
func TestATagOfSomeoneElseStays(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		p.tags["test:ben"] = "Boss"
		w.wins(markHome, "test:ben", "test:cat", league.HallMatches)
		w.wins(markHome, "test:cat", "test:ben", 1)
		w.marking("on")
		p.tagged(t, map[string]string{"test:ben": "Boss", "test:cat": "Sedma: no. 2"})
		w.presses("test:cat", "test:cat", pressText("data:"+people.DataErase))
		w.pass(10 * time.Minute)
		p.tagged(t, map[string]string{"test:ben": "Boss"})
		w.marking("off")
		p.tagged(t, map[string]string{"test:ben": "Boss"})
	})
}

// If the bot may not set marks, it tells the manager what to do, and marks stay off. If it loses
// the right later, the settings say so. When it gets the right back, the marks return.
func TestAMarkIsRefusedAndExplained(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		w.wins(markHome, "test:ben", "test:cat", league.HallMatches)
		for why, words := range map[chat.MarkFault]string{chat.MarkRights: "let me manage roles", chat.MarkAbove: "drag my role above it"} {
			p.refusal = why
			if r := w.marking("on"); r.Outcome != chat.Refused || !strings.Contains(r.Toast, words) {
				t.Errorf("%s: %q", why, r.Toast)
			}
		}
		if h, err := w.docs.Home(t.Context(), markHome); err != nil || h.Marks {
			t.Errorf("it is on although it was refused: %v", err)
		}
		p.refusal = ""
		w.marking("on")
		p.refusal = chat.MarkRights
		w.wins(markHome, "test:cat", "test:ben", 3*league.HallMatches)
		page := func() chat.Reply {
			in := w.in("test:ann", markHome)
			in.Admin, in.Press = true, homeSetting("page", "marks", markHome).String()
			return w.Handle(t.Context(), in)
		}
		w.has(page(), "let me manage roles")
		p.refusal = ""
		w.pass(25 * time.Hour)
		p.tagged(t, map[string]string{"test:ben": "Sedma: no. 2", "test:cat": "Sedma: no. 1"})
		w.has(page(), "!let me manage roles")
	})
}

// If the platform is busy, or its answer is lost, the bot tries again. It still knows which
// marks are its own.
func TestAMarkIsTriedAgain(t *testing.T) {
	t.Parallel()
	inClub(t, func(t *testing.T, w *town, p *club) {
		w.wins(markHome, "test:ben", "test:cat", league.HallMatches)
		p.busy, p.lost = 2, true
		w.marking("on")
		w.pass(10 * time.Minute)
		p.tagged(t, map[string]string{"test:ben": "Sedma: no. 1"})
		var d boards.Marks
		if _, err := w.docs.Get(t.Context(), doc.InHome(markHome, league.MarksJob(markHome)), &d); err != nil || d.Given["test:ben"] != (chat.Mark{Rank: 1, Tag: "Sedma: no. 1", Role: "Sedma champion", ID: "Sedma: no. 1"}) {
			t.Errorf("%+v, %v", d, err)
		}
		w.marking("off")
		p.tagged(t, map[string]string{})
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
