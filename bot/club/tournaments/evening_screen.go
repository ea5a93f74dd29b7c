package tournaments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// EveningView is a tournament at a set time. Before that time, its tournament has only the terms
// and the entrants.
type EveningView struct {
	TournamentView
	Number int       // its number in the home
	At     time.Time // in the time zone of the home
	Weekly bool
	Result string    // how it ended: one of the constants below, or "" before
	Next   time.Time // after it ended: when the next one of the series begins; zero: there is none
	Signed int       // after it ended: how many people had signed up
}

// These are the results of evenings.
const (
	EveningBegun     = "begun"
	EveningFew       = "few"  // too few people signed up
	EveningBusy      = "busy" // another tournament was running
	EveningLate      = "late" // the bot wasn't running at the time
	EveningOffResult = "off"  // it was called off
)

// ParseEvening splits the value of an actEvening: the number of an evening, when it begins
// in seconds since 1970, and a further value or "".
func ParseEvening(s string) (no int, at int64, value string, ok bool) {
	f := strings.SplitN(s, "-", 3)
	if len(f) < 2 {
		return 0, 0, "", false
	}
	no, err := strconv.Atoi(f[0])
	at, err2 := strconv.ParseInt(f[1], 10, 64)
	if len(f) == 3 {
		value = f[2]
	}
	return no, at, value, err == nil && err2 == nil
}

// eveningPress returns a button's press in an evening.
func (at page) eveningPress(what, value string) press {
	if what == "partner" && value != "list" {
		return press{word: actEvening, id: at.ID, what: what, value: at.evening + "-" + value}
	}
	return press{word: actEvening, id: at.ID, what: what, value: at.evening}
}

func (v EveningView) with(c *lang.Catalogue, f string) page {
	at := v.TournamentView.with(c, f)
	at.evening = fmt.Sprintf("%d-%d", v.Number, v.At.Unix())
	return at
}

// moment returns a day and time. Where an app doesn't know its reader's time zone, it names
// the zone.
func moment(c *lang.Catalogue, at time.Time) screen.Span {
	return screen.Span{Kind: screen.SpanDate, Text: c.Text(fmt.Sprintf("day.%d", int(at.Weekday()))) + " " + screen.DayText(c, at) + at.Format(" 15:04 MST"), At: at.Unix()}
}

// eveningPosts returns the messages that an evening should have in its chat:
//
//	evening:<no>:<time>   the list to sign up, then one line that says how it ended
//	call:<no>:<time>      calls those who signed up, shortly before it begins
func eveningPosts(v EveningView, chat table.Chat, call bool) []screen.Post {
	at := v.with(lang.For(chat.Lang), chat.Face)
	key := fmt.Sprintf("%d:%d", v.Number, v.At.Unix())
	posts := []screen.Post{{Key: "evening:" + key, OldOnly: v.Result != "", First: v.Result != "", Screen: v.signUp(at)}}
	if call && v.Result == "" && len(v.Entrants) > 0 {
		posts = append(posts, screen.Post{Key: "call:" + key, Passing: true, Screen: v.call(at)})
	}
	return view.AddressTo(posts, chat)
}

// signUp lists those who signed up, or says how the evening ended.
func (v EveningView) signUp(at page) screen.Screen {
	w := view.NewWriter(at.c, at.face)
	w.Block(screen.Title, screen.Text(at.title()))
	if v.Result != "" {
		w.Block(screen.Plain, []screen.Span{moment(at.c, v.At)}, w.Spans("evening."+v.Result, "n", v.Signed, "least", v.Least))
		if !v.Next.IsZero() {
			w.Say(screen.Small, "evening.next", "time", moment(at.c, v.Next))
		}
		return w.Screen
	}
	w.Block(screen.Plain, v.begins(w))
	w.Block(screen.Small, at.terms(w))
	w.Say(screen.Small, "cup.how")
	at.entrants(w)
	w.Say(screen.Plain, "evening.start", "n", v.Least)
	w.Row(at.people(w, screen.Primary)...)
	w.Row(at.button(w, "button.call_off", "off", "", screen.Quiet))
	return w.Screen
}

// eveningPlan is the press.what of the button that plans an evening. Its press.value is a plan.
const eveningPlan = "plan"

// ask says what planning the evening would do, with a button that does it. plan is the value of the press.
func (v EveningView) ask(plan string, c *lang.Catalogue) screen.Screen {
	at := v.with(c, "")
	w := view.NewWriter(at.c, at.face)
	w.Block(screen.Title, screen.Text(at.title()))
	w.Block(screen.Plain, v.begins(w))
	w.Block(screen.Small, at.terms(w))
	w.Say(screen.Plain, "evening.ask")
	w.Row(screen.Button{Label: w.Text("button.post"), Press: press{word: actEvening, id: at.ID, what: eveningPlan, value: plan}.String(), Tone: screen.Success})
	return w.Screen
}

// begins returns the line that says when the evening begins.
func (v EveningView) begins(w *view.Writer) []screen.Span {
	if v.Weekly {
		return w.Spans("evening.weekly", "time", moment(w.Catalogue, v.At))
	}
	return w.Spans("evening.once", "time", moment(w.Catalogue, v.At))
}

// call calls those who signed up. Anyone who doesn't want to be called withdraws.
func (v EveningView) call(at page) screen.Screen {
	w := view.NewWriter(at.c, at.face)
	var who [][]screen.Span
	for _, e := range v.Entrants {
		for _, p := range e.People {
			w.Screen.Notify = append(w.Screen.Notify, p)
			who = append(who, []screen.Span{{Kind: screen.SpanPerson, Person: p}})
		}
	}
	w.Say(screen.Plain, "evening.call", "game", screen.FamilyName(at.c, game.Family(v.Rules.Preset)), "time", screen.Span{Kind: screen.SpanTime, Text: v.At.Format("15:04 MST"), At: v.At.Unix()},
		"who", screen.Join(screen.Span{Text: ", "}, who))
	w.Row(at.button(w, "button.withdraw", "leave", "", screen.Quiet))
	return w.Screen
}

// eveningList lists the evenings to come for one reader. plan says how to plan one.
func eveningList(list []EveningView, plan string, c *lang.Catalogue) screen.Screen {
	w := view.NewWriter(c, "")
	w.Say(screen.Title, "evening.list")
	if len(list) == 0 {
		w.Say(screen.Plain, "evening.none")
	}
	list = slices.SortedFunc(slices.Values(list), func(a, b EveningView) int { return a.At.Compare(b.At) })
	for i, v := range list {
		at := v.with(c, "")
		w.Block(screen.Plain, w.Spans("evening.entry", "no", i+1, "game", screen.FamilyName(c, game.Family(v.Rules.Preset)), "when", v.begins(w)),
			at.terms(w), w.Spans("cup.entrants", "n", len(v.Entrants), "most", v.Most))
		row := []screen.Button{at.button(w, "button.enter", "join", "", screen.Primary), at.button(w, "button.withdraw", "leave", "", screen.Quiet), at.button(w, "button.call_off", "off", "", screen.Quiet)}
		for n := range row {
			row[n].Label = fmt.Sprintf("%d. %s", i+1, row[n].Label)
		}
		w.Row(row...)
	}
	w.Block(screen.Small, screen.Text(plan))
	return w.Screen
}

// askEveningPartners offers a person those who look for a partner.
func askEveningPartners(v EveningView, c *lang.Catalogue) screen.Screen {
	return v.with(c, "").partners()
}

// askEveningOff asks an organiser what to call off.
func askEveningOff(v EveningView, c *lang.Catalogue) screen.Screen {
	at := v.with(c, "")
	w := view.NewWriter(at.c, at.face)
	w.Say(screen.Plain, "evening.off.ask", "time", moment(c, v.At))
	if v.Weekly {
		w.Row(at.button(w, "button.skip_evening", "skip", "", screen.Quiet), at.button(w, "button.stop_evenings", "stop", "", screen.Danger))
		return w.Screen
	}
	w.Row(at.button(w, "button.call_off", "stop", "", screen.Danger))
	return w.Screen
}
