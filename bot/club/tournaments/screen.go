package tournaments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TournamentView is the public state of a tournament: its entrants, and the results of the
// rounds that are over.
type TournamentView struct {
	ID        string
	Stage     Stage
	Rules     game.Rules // the rules of a match
	Games     []string   // Families of games that can be chosen
	Pairs     bool
	Rounds    int  // how many rounds are planned
	Auto      bool // Rounds follows from the number of entrants
	Deals     int  // deals in a round
	Limit     time.Duration
	Break     time.Duration // between two rounds
	Host      screen.Person
	Least     int // minimum number of people; Most is the maximum number of entrants
	Most      int
	Entrants  []Entrant
	Withdrawn []screen.Person // those who were out for a whole round, and haven't pressed since
	Played    []Round         // rounds so far; the last may be running
}

// Stage is the state of a tournament.
type Stage string

// These are the stages, in their order.
const (
	StageLobby    Stage = "lobby"
	StageSettings Stage = "settings" // the lobby shows the settings
	StageRound    Stage = "round"
	StageBreak    Stage = "break"
	StageOver     Stage = "over"
	StageOff      Stage = "off" // it was called off
)

// Entrant is a person, or a pair.
type Entrant struct {
	No      int // permanent number of the entrant
	People  []screen.Person
	AI      bool // the AI is the partner of one person
	Waiting bool // the entrant waits for a partner
	Gone    bool // all have left
}

// Round is a round of a tournament.
type Round struct {
	Tables    []RoundTable
	Bye       int // index of the entrant without a match; -1: none
	Over      bool
	Standings []Standing // standings after the round, once it is over
}

// RoundTable is a match of a round. Margin, Difference and Points are valid once the
// round is over.
type RoundTable struct {
	Sides      [2]int // indexes of the entrants
	Done       bool
	Void       bool // the match was not finished
	Margin     int  // score of the first side minus that of the second
	Difference int  // the first side's difference from the average, in hundredths
	Points     [2]int
}

// Standing is an entrant's place in the standings.
type Standing struct {
	Entrant    int
	Rank       int
	Points     int
	Difference int // in hundredths
	Buchholz   int
}

// These are the maximum numbers of lines in one message.
const (
	shownEntrants = 20
	shownTables   = 12
	shownPlaces   = 16
	finalPlaces   = 8 // at the end of the tournament, beside the picture
)

// page builds the screens of a tournament.
type page struct {
	TournamentView
	c       *lang.Catalogue
	face    face.Face
	evening string // of a tournament at a set time: how its buttons name it
}

func (t TournamentView) with(c *lang.Catalogue, f string) page {
	return page{TournamentView: t, c: c, face: face.For(face.Face(f), c.Code(), t.Rules.Deck)}
}

func (at page) press(what, value string) press {
	if at.evening != "" {
		return at.eveningPress(what, value)
	}
	return press{word: actTournament, id: at.ID, what: what, value: value}
}

func (at page) button(w *view.Writer, key, what, value string, tone screen.Tone) screen.Button {
	return screen.Button{Label: w.Text(key), Press: at.press(what, value).String(), Tone: tone}
}

// Posts returns the messages that a tournament should currently have in its
// chat:
//
//	lobby            the lobby until the start, then edited to one line
//	round:<no>       the pairings, and the results once the round is over
//	standings:<no>   the standings after the round; after the last one, the final result
//	off              a line saying that the tournament was called off, if it had begun
func Posts(t TournamentView, chat table.Chat) []screen.Post {
	at := t.with(lang.For(chat.Lang), chat.Face)
	begun := len(t.Played) > 0
	posts := []screen.Post{{Key: "lobby", OldOnly: begun || t.Stage == StageOff, Screen: at.lobby()}}
	for i, r := range t.Played {
		last := i == len(t.Played)-1
		posts = append(posts, screen.Post{Key: fmt.Sprintf("round:%d", i+1), OldOnly: !last || t.Stage != StageRound, First: last, Screen: at.round(i)})
		if r.Over {
			now := last && (t.Stage == StageBreak || t.Stage == StageOver)
			posts = append(posts, screen.Post{Key: fmt.Sprintf("standings:%d", i+1), OldOnly: !now, Screen: at.standings(i, now)})
		}
	}
	if begun && t.Stage == StageOff {
		w := view.NewWriter(at.c, at.face)
		w.Say(screen.Plain, "cup.off")
		posts = append(posts, screen.Post{Key: "off", Screen: w.Screen})
	}
	return view.AddressTo(posts, chat)
}

// name returns an entrant's name.
func (at page) name(w *view.Writer, entrant int) []screen.Span {
	e := at.Entrants[entrant]
	var names [][]screen.Span
	for _, p := range e.People {
		names = append(names, []screen.Span{{Kind: screen.SpanPerson, Person: p}})
	}
	if e.AI {
		names = append(names, screen.Text(w.Text("cup.ai")))
	}
	return screen.Join(screen.Span{Text: " + "}, names)
}

// terms returns a line with the kind, game, rounds, deals and time limit.
func (at page) terms(w *view.Writer) []screen.Span {
	kind := "kind.singles"
	if at.Pairs {
		kind = "kind.pairs"
	}
	return screen.Dots(screen.Text(w.Text(kind)), screen.Text(screen.GameName(at.c, at.Rules)), screen.Text(w.Text("cup.rounds", "n", at.Rounds)),
		screen.Text(w.Text("cup.deals", "n", at.Deals)), at.limitText(w))
}

// limitText returns the time limit of a move, which the settings don't change.
func (at page) limitText(w *view.Writer) []screen.Span {
	return w.Spans("house.value", "rule", w.Text("tab.limit"), "value", view.LimitValue(w.Catalogue, at.Limit))
}

func (at page) title() string {
	return at.c.Text("cup.title", "game", screen.FamilyName(at.c, game.Family(at.Rules.Preset)))
}

// lobby lists the entrants.
func (at page) lobby() screen.Screen {
	w := view.NewWriter(at.c, at.face)
	switch {
	case at.Stage == StageOff && len(at.Played) == 0:
		w.Say(screen.Plain, "cup.off")
		return w.Screen
	case len(at.Played) > 0 || at.Stage != StageLobby && at.Stage != StageSettings:
		w.Block(screen.Plain, screen.Text(at.title()))
		w.Block(screen.Small, at.terms(w))
		return w.Screen
	}
	w.Block(screen.Title, screen.Text(at.title()))
	if at.Stage == StageSettings {
		w.Block(screen.Small, at.limitText(w))
		return at.settings(w)
	}
	w.Block(screen.Small, at.terms(w))
	w.Say(screen.Small, "cup.how")
	at.entrants(w)
	begin := "cup.begin"
	if here, _ := at.signed(); here >= at.Least {
		begin = "cup.ready"
	}
	w.Say(screen.Plain, begin, "host", screen.Span{Kind: screen.SpanPerson, Person: at.Host}, "n", at.Least)
	w.Row(at.people(w, screen.Primary)...)
	w.Row(at.button(w, "button.start", "start", "go", screen.Success), at.button(w, "button.settings", "page", "settings", screen.Quiet),
		at.button(w, "button.call_off", "off", "ask", screen.Quiet), at.private(w))
	return w.Screen
}

// entrants lists the entrants before the start.
func (at page) entrants(w *view.Writer) {
	w.Say(screen.Plain, "cup.entrants", "n", len(at.Entrants), "most", at.Most)
	var lines [][]screen.Span
	for i, e := range at.Entrants {
		if i == shownEntrants {
			lines = append(lines, w.Spans("cup.more", "n", len(at.Entrants)-i))
			break
		}
		who := at.name(w, i)
		if e.Waiting {
			who = w.Spans("cup.waits", "who", who)
		}
		lines = append(lines, w.Spans("cup.entry", "no", i+1, "who", who))
	}
	w.Block(screen.Plain, lines...)
}

// signed returns the numbers of people and of entrants who haven't left.
func (at page) signed() (people, entrants int) {
	for _, e := range at.Entrants {
		if !e.Gone {
			people, entrants = people+len(e.People), entrants+1
		}
	}
	return people, entrants
}

// people returns the buttons to enter and leave.
func (at page) people(w *view.Writer, tone screen.Tone) (row []screen.Button) {
	if _, entrants := at.signed(); at.Most == 0 || entrants < at.Most {
		row = append(row, at.button(w, "button.enter", "join", "new", tone))
	}
	if at.Pairs {
		row = append(row, at.button(w, "button.partner", "partner", "list", screen.Quiet))
	}
	return append(row, at.button(w, "button.withdraw", "leave", "me", screen.Quiet))
}

// private returns the button to the private chat, where the tables will be.
func (at page) private(w *view.Writer) screen.Button {
	return screen.Button{Label: w.Text("button.private"), Private: "c-" + at.ID}
}

// settings adds the choices that the host has before the start, and the buttons of everybody else.
func (at page) settings(w *view.Writer) screen.Screen {
	menu := func(label, what string, values []string, now string, name func(string) string) {
		m := screen.Menu{Label: label, Chosen: slices.Index(values, now)}
		for _, v := range values {
			m.Options = append(m.Options, screen.Button{Label: screen.Cut(name(v), screen.LabelLength), Press: at.press(what, v).String()})
		}
		w.Screen.Menus = append(w.Screen.Menus, m)
	}
	w.Say(screen.Plain, "settings.host", "host", screen.Span{Kind: screen.SpanPerson, Person: at.Host})
	menu(w.Text("tab.game"), "game", at.Games, game.Family(at.Rules.Preset), func(v string) string { return screen.FamilyName(at.c, v) })
	rounds := strconv.Itoa(at.Rounds)
	if at.Auto {
		rounds = TournamentRounds[0]
	}
	counted := func(key string) func(string) string {
		return func(v string) string {
			if n, err := strconv.Atoi(v); err == nil {
				return w.Text(key, "n", n)
			}
			return w.Text("cup.rounds.auto")
		}
	}
	menu(w.Text("tab.rounds"), "rounds", TournamentRounds, rounds, counted("cup.rounds"))
	menu(w.Text("tab.deals"), "deals", TournamentDeals, strconv.Itoa(at.Deals), counted("cup.deals"))
	var row []screen.Button
	for _, kind := range TournamentKinds {
		b := at.button(w, "kind."+kind, "kind", kind, screen.Quiet)
		if at.Pairs == (kind == "pairs") {
			b.Label, b.Tone = "✓ "+b.Label, screen.Primary
		}
		row = append(row, b)
	}
	w.Row(append(row, at.button(w, "button.done", "page", "entrants", screen.Success))...)
	w.Say(screen.Plain, "cup.entrants", "n", len(at.Entrants), "most", at.Most)
	w.Row(at.people(w, screen.Quiet)...)
	return w.Screen
}

// These are the values that can be chosen for a tournament.
var (
	TournamentKinds  = []string{"pairs", "singles"}
	TournamentRounds = []string{"auto", "2", "3", "4", "5", "6", "7", "8", "9"}
	TournamentDeals  = []string{"1", "2", "4", "6", "8", "12"}
)

// round returns the post of a round: the pairings, and the results once the round is
// over.
func (at page) round(no int) screen.Screen {
	w := view.NewWriter(at.c, at.face)
	r := at.Played[no]
	w.Say(screen.Title, "cup.round", "no", no+1, "n", at.Rounds)
	at.tables(w, no, 0)
	if r.Over || at.Stage == StageOff {
		return w.Screen
	}
	w.Say(screen.Small, "cup.playing")
	w.Row(append([]screen.Button{at.button(w, "button.cards", "cards", "mine", screen.Primary)}, at.people(w, screen.Quiet)...)...)
	row := []screen.Button{at.button(w, "button.call_off", "off", "ask", screen.Quiet), at.private(w)}
	if len(r.Tables) > shownTables {
		row = append(row, at.button(w, "button.tables", "tables", "0", screen.Quiet))
	}
	w.Row(row...)
	return w.Screen
}

// tables adds a page of a round's matches.
func (at page) tables(w *view.Writer, no, from int) {
	r := at.Played[no]
	var lines [][]screen.Span
	for i := from; i < min(len(r.Tables), from+shownTables); i++ {
		t := r.Tables[i]
		args := []any{"no", i + 1, "a", at.name(w, t.Sides[0]), "b", at.name(w, t.Sides[1])}
		switch {
		case t.Void:
			lines = append(lines, w.Spans("cup.void", args...))
		case r.Over:
			lines = append(lines, w.Spans("cup.result", append(args, "margin", screen.Bold(screen.Signed(t.Margin)),
				"difference", hundredths(w, t.Difference), "points", fmt.Sprintf("%d : %d", t.Points[0], t.Points[1]))...))
		default:
			line := w.Spans("cup.table", args...)
			if t.Done {
				line = append(line, screen.Text(" ✓")...)
			}
			lines = append(lines, line)
		}
	}
	if more := len(r.Tables) - from - shownTables; more > 0 {
		lines = append(lines, w.Spans("cup.more", "n", more))
	}
	if r.Bye >= 0 {
		lines = append(lines, w.Spans("cup.bye", "who", at.name(w, r.Bye)))
	}
	w.Block(screen.Plain, lines...)
	if r.Over && len(r.Tables) > 1 {
		w.Say(screen.Small, "cup.result.how")
	}
}

// hundredths returns a number of hundredths as text, with its sign.
func hundredths(w *view.Writer, n int) string {
	if n == 0 {
		return "0"
	}
	text := strings.TrimRight(fmt.Sprintf("%+.2f", float64(n)/100), "0")
	return screen.Decimal(w.Catalogue, strings.TrimSuffix(text, "."))
}

// standings returns the places after a round. now reports whether they are the
// latest message, which has buttons.
func (at page) standings(no int, now bool) screen.Screen {
	w := view.NewWriter(at.c, at.face)
	r := at.Played[no]
	end := at.Stage == StageOver && no == len(at.Played)-1
	if end {
		w.Say(screen.Title, "cup.final", "game", screen.FamilyName(at.c, game.Family(at.Rules.Preset)))
		var first [][]screen.Span
		best := 0 // place of those who won; entrants who have left haven't
		for _, s := range r.Standings {
			if !at.Entrants[s.Entrant].Gone && (best == 0 || s.Rank == best) {
				first, best = append(first, at.name(w, s.Entrant)), s.Rank
			}
		}
		if best > 0 {
			w.Say(screen.Plain, "cup.winner", "who", screen.Join(screen.Span{Text: ", "}, first))
		}
	} else {
		w.Say(screen.Title, "cup.standings", "no", no+1)
	}
	size := shownPlaces
	if end {
		size = finalPlaces
	}
	at.places(w, r, 0, size, nil)
	if end {
		at.picture(w, r)
	}
	if !now {
		return w.Screen
	}
	var absent [][]screen.Span
	for _, p := range at.Withdrawn {
		absent = append(absent, []screen.Span{{Kind: screen.SpanPerson, Person: p}})
	}
	if len(absent) > 0 && !end {
		w.Say(screen.Plain, "cup.absent", "who", screen.Join(screen.Span{Text: ", "}, absent))
	}
	var row []screen.Button
	if !end {
		w.Say(screen.Plain, "cup.next", "host", screen.Span{Kind: screen.SpanPerson, Person: at.Host}, "time", screen.DurationText(w.Catalogue, at.Break))
		w.Row(at.people(w, screen.Primary)...)
		row = []screen.Button{at.button(w, "button.next_round", "next", strconv.Itoa(no+1), screen.Success), at.button(w, "button.call_off", "off", "ask", screen.Quiet)}
	}
	if len(r.Standings) > size {
		row = append(row, at.button(w, "button.standings", "places", "0", screen.Quiet))
	}
	w.Row(row...)
	return w.Screen
}

// places adds a page of the standings, and below it the reader's line if that is on
// another page.
func (at page) places(w *view.Writer, r Round, from, size int, mine func(entrant int) bool) {
	var lines [][]screen.Span
	line := func(s Standing) {
		out := w.Spans("cup.row", "rank", s.Rank, "who", at.name(w, s.Entrant), "points", screen.Bold(w.Text("points", "n", s.Points)),
			"difference", hundredths(w, s.Difference), "buchholz", s.Buchholz)
		if mine != nil && mine(s.Entrant) {
			out = append(screen.Bold("▸ "), out...)
		}
		lines = append(lines, out)
	}
	to := min(len(r.Standings), from+size)
	for _, s := range r.Standings[from:to] {
		line(s)
	}
	for i, s := range r.Standings {
		if mine != nil && mine(s.Entrant) && (i < from || i >= to) {
			lines = append(lines, screen.Text("…"))
			line(s)
		}
	}
	if mine == nil && to < len(r.Standings) {
		lines = append(lines, w.Spans("cup.more", "n", len(r.Standings)-to))
	}
	w.Block(screen.Plain, lines...)
	w.Say(screen.Small, "cup.order")
}

// picture adds the final standings as a picture.
func (at page) picture(w *view.Writer, r Round) {
	ranking := &face.Ranking{Title: at.title(), Detail: screen.PlainText(at.face, at.terms(w)), Labels: []string{w.Text("picture.points"), "±", "Buchholz"}}
	for _, s := range r.Standings[:min(len(r.Standings), 10)] {
		name := screen.PlainText(at.face, at.name(w, s.Entrant))
		if !face.Legible(name) {
			name = w.Text("mark.seat", "no", s.Entrant+1)
		}
		ranking.Rows = append(ranking.Rows, face.Rank{Place: s.Rank, Name: name, Cells: []string{
			strconv.Itoa(s.Points), hundredths(w, s.Difference), strconv.Itoa(s.Buchholz),
		}})
	}
	w.AddPicture(face.Picture{Ranking: ranking}, "")
}

// EntrantsPage returns a page for one reader. If what is "places", it shows the
// standings after the latest round that is over. If what is "tables", it shows the
// tables of the latest round. mine reports whether an entrant includes the reader.
func EntrantsPage(t TournamentView, what string, from int, mine func(entrant int) bool, c *lang.Catalogue) screen.Screen {
	at := t.with(c, "")
	w := view.NewWriter(at.c, at.face)
	no := len(t.Played) - 1
	size, total := shownTables, 0
	if what == "places" {
		for no >= 0 && !t.Played[no].Over {
			no--
		}
		size = shownPlaces
	}
	if no < 0 {
		w.Block(screen.Title, screen.Text(at.title()))
		return w.Screen
	}
	if total = len(t.Played[no].Tables); what == "places" {
		total = len(t.Played[no].Standings)
	}
	if from = max(0, min(from, total-1)); what == "places" {
		w.Say(screen.Title, "cup.standings", "no", no+1)
		at.places(w, t.Played[no], from, size, mine)
	} else {
		w.Say(screen.Title, "cup.round", "no", no+1, "n", at.Rounds)
		at.tables(w, no, from)
	}
	var row []screen.Button
	if from > 0 {
		row = append(row, at.button(w, "button.up", what, strconv.Itoa(max(0, from-size)), screen.Quiet))
	}
	if from+size < total {
		row = append(row, at.button(w, "button.down", what, strconv.Itoa(from+size), screen.Quiet))
	}
	w.Row(row...)
	return w.Screen
}

// AskPartners offers a person the entrants that look for a partner, at most 20.
func AskPartners(t TournamentView, c *lang.Catalogue) screen.Screen {
	return t.with(c, "").partners()
}

// partners offers the entrants that look for a partner.
func (at page) partners() screen.Screen {
	w := view.NewWriter(at.c, at.face)
	w.Say(screen.Plain, "cup.pick")
	var buttons []screen.Button
	for i, e := range at.Entrants {
		if e.Waiting && len(buttons) < shownEntrants {
			label := fmt.Sprintf("%d. %s", i+1, screen.PlainText(at.face, at.name(w, i))) // as the lobby numbers them
			buttons = append(buttons, screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: at.press("partner", strconv.Itoa(e.No)).String()})
		}
	}
	for _, row := range screen.InRows(buttons) {
		w.Row(row...)
	}
	return w.Screen
}

// TournamentOpen is the press.what of the buttons that open a tournament. Their press.value is its kind, and after a
// hyphen the family of its game, if the command named one.
const TournamentOpen = "open"

// askFirst says what a tournament would post, with the buttons that do it: one for each kind that the command leaves open.
// kind and family are the words of the command, or "".
func askFirst(t TournamentView, kind, family string, c *lang.Catalogue) screen.Screen {
	t.ID = "new" // it has no id yet
	at := t.with(c, "")
	w := view.NewWriter(at.c, at.face)
	w.Block(screen.Title, screen.Text(at.title()))
	kinds := slices.DeleteFunc(slices.Clone(TournamentKinds), func(k string) bool {
		perSide := 1
		if k == "pairs" {
			perSide = 2
		}
		return kind != "" && k != kind || family != "" && table.TournamentGame(family, perSide) == nil
	})
	var row []screen.Button
	for _, k := range kinds {
		value, label := k, "kind."+k
		if len(kinds) == 1 {
			label = "button.post"
		}
		if family != "" {
			value += "-" + family
		}
		row = append(row, at.button(w, label, TournamentOpen, value, screen.Success))
	}
	if len(kinds) == 1 {
		w.Block(screen.Small, at.terms(w))
	}
	w.Say(screen.Plain, "cup.ask")
	if len(kinds) > 1 {
		w.Say(screen.Plain, "cup.ask.kind")
	}
	w.Row(row...)
	return w.Screen
}

// AskOff asks whether to really call off the tournament.
func AskOff(t TournamentView, c *lang.Catalogue) screen.Screen {
	at := t.with(c, "")
	w := view.NewWriter(at.c, at.face)
	w.Say(screen.Plain, "cup.off.ask")
	w.Row(at.button(w, "button.call_off", "off", "yes", screen.Danger))
	return w.Screen
}
