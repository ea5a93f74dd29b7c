package view

import (
	"slices"
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Live is a table as a web page shows it to one reader. It is built from table.Private
// for a player, and from table.Public for everyone else. All texts are in the reader's
// language, so the page needs no rules and no catalogue to draw it.
type Live struct {
	Table   string      `json:"table"`
	Version int64       `json:"version"` // grows with every change of the table; set by the shell
	Lang    string      `json:"lang"`
	Cards   string      `json:"cards"` // the drawings of the cards: see face.Sprite
	Title   string      `json:"title"`
	Phase   table.Phase `json:"phase"`
	Me      int         `json:"me"` // the reader's seat; -1: a spectator
	Seats   []LiveSeat  `json:"seats"`
	Sides   []LiveSide  `json:"sides,omitempty"`
	Felt    *Felt       `json:"felt,omitempty"` // the running deal, or the last one; nil: no deal yet

	// Emblem are the cards that lie on the felt before a match.
	Emblem []string `json:"emblem,omitempty"`

	// Watching is how many spectators have the page open in this process. Set by the shell, for spectators.
	Watching int `json:"watching,omitempty"`

	// Invites is set if the reader can invite others to the lobby, and Shares if they can show the result of the match to
	// others. Hosts is set if they are the host of the lobby. Invites is set by the shell.
	Invites bool `json:"invites,omitempty"`
	Shares  bool `json:"shares,omitempty"`
	Hosts   bool `json:"hosts,omitempty"`

	// Home is set if the page has a way to the front door. Set by the shell.
	Home bool `json:"home,omitempty"`

	// Open is at the front door the open table of the chat from which the reader came. Set by the shell.
	Open string `json:"open,omitempty"`

	// Again is the press that shows the position of a puzzle, or of the coach, again. Set by the shell.
	Again string `json:"again,omitempty"`

	// Line is the most important text now. Detail is less important: the pool, and when the
	// match ends.
	// Brief is what to show instead of Line at the reader's turn: the felt shows the rest.
	Line   string `json:"line,omitempty"`
	Brief  string `json:"brief,omitempty"`
	Detail string `json:"detail,omitempty"`

	// Remark is what a lesson says now.
	Remark []LiveBlock `json:"remark,omitempty"`

	// Panel is the screen over the felt: the lobby, the end of a deal, or the result. nil: there
	// is only the felt.
	Panel *LiveScreen `json:"panel,omitempty"`
	// Actions are the buttons that the reader always has, such as More, Pause and Hint.
	Actions []LiveButton `json:"actions,omitempty"`
}

// LiveSeat is a seat on a page.
type LiveSeat struct {
	Name   string   `json:"name"` // "": a free seat
	Side   int      `json:"side"`
	Cards  int      `json:"cards"` // number of cards in the hand
	Dealer bool     `json:"dealer,omitempty"`
	Turn   bool     `json:"turn,omitempty"`
	Leads  bool     `json:"leads,omitempty"` // they led the open trick
	Won    int      `json:"won,omitempty"`   // number of tricks that they took in this deal
	AI     bool     `json:"ai,omitempty"`    // the AI plays
	Marks  []string `json:"marks,omitempty"` // remarks about the player, such as that they are away, or an AI's level
	Short  string   `json:"short,omitempty"` // what to show instead of Marks, if they say that the AI plays for them
	Who    string   `json:"who,omitempty"`   // the mark of the person who sits there: the same on all pages. Set by the shell
	Photo  string   `json:"photo,omitempty"` // the path of their photo; "": none. Set by the shell
	Press  string   `json:"press,omitempty"` // what touching the seat does, if the reader may take it
}

// LiveSide is a side's figures: the deal's points so far and the match score.
type LiveSide struct {
	Names  string `json:"names"`
	Points int    `json:"points"`
	Score  int    `json:"score"`
}

// Felt is a deal as a page shows it.
type Felt struct {
	Deal    int        `json:"deal"`
	Ply     int        `json:"ply"`     // number of moves so far
	Turn    int        `json:"turn"`    // seat whose turn it is; -1: the deal is over
	Choice  string     `json:"choice"`  // what they decide: "lead", "follow" or "decide"
	Trick   []LivePlay `json:"trick"`   // the open trick
	Winning int        `json:"winning"` // index in Trick of the card that is winning; -1: none
	Worth   string     `json:"worth,omitempty"`
	Last    *LiveTrick `json:"last,omitempty"` // the latest finished trick
	Tricks  int        `json:"tricks"`         // number of finished tricks
	Stock   int        `json:"stock"`
	Clock   int64      `json:"clock,omitempty"` // when the time for the move is over, in ms since 1970; 0: never
	Limit   int64      `json:"limit,omitempty"` // the time for a move, in ms

	Hand  []LiveCard   `json:"hand"`            // the reader's own cards, by place; empty for a spectator
	Why   string       `json:"why,omitempty"`   // why some of these cards can't be played now, and what can be
	Moves []LiveButton `json:"moves,omitempty"` // the reader's other moves, such as Stop and Continue
	Log   []string     `json:"log"`             // the finished tricks of this deal, in words
}

// LivePlay is a card on the felt.
type LivePlay struct {
	Seat int    `json:"seat"`
	Card string `json:"card"` // rank and suit, such as "7h"
	Name string `json:"name"` // the card in words
	Dark bool   `json:"dark,omitempty"`
}

// LiveTrick is a finished trick.
type LiveTrick struct {
	Plays   []LivePlay `json:"plays"`
	Winning int        `json:"winning"` // index in Plays of the card that took it
	Winner  int        `json:"winner"`
	Line    string     `json:"line"`           // who took it, and who played what
	Took    string     `json:"took,omitempty"` // who took it, and how many points
}

// LiveCard is a card in the reader's hand. A free place has no card.
type LiveCard struct {
	Card  string `json:"card"`
	Name  string `json:"name"`
	Press string `json:"press,omitempty"`
	Off   bool   `json:"off,omitempty"`   // it can't be played now
	Takes bool   `json:"takes,omitempty"` // it takes the open trick, and it is the reader's turn
	Mark  string `json:"mark,omitempty"`  // in the answer to a puzzle: MarkBest or MarkWrong
}

// These are the marks of moves in the answer to a puzzle.
const (
	MarkBest  = "best"  // the best move
	MarkWrong = "wrong" // the reader's move, which isn't the best
)

// LiveButton is a button of a page.
type LiveButton struct {
	Label string `json:"label"`
	Press string `json:"press"`
	Tone  string `json:"tone,omitempty"` // "primary", "success" or "danger"
	Off   bool   `json:"off,omitempty"`
	Card  string `json:"card,omitempty"`
	Mark  string `json:"mark,omitempty"` // as in LiveCard
}

// LiveScreen is a screen on a page, such as the answer to a press.
type LiveScreen struct {
	Blocks []LiveBlock    `json:"blocks"`
	Rows   [][]LiveButton `json:"rows,omitempty"`
	Trick  *LiveTrick     `json:"trick,omitempty"` // a trick that is shown below the title
}

// LiveBlock is a paragraph.
type LiveBlock struct {
	Look  string     `json:"look,omitempty"` // "title", "small" or "quote"
	Spans []LiveSpan `json:"spans"`
}

// LiveSpan is a piece of a line.
type LiveSpan struct {
	Kind   string `json:"kind,omitempty"` // "bold", "person", "card", "break" or "time"
	Text   string `json:"text,omitempty"`
	Card   string `json:"card,omitempty"`
	Strong bool   `json:"strong,omitempty"`
}

// SeatLive returns the table as its player's page shows it.
func SeatLive(p table.Private) Live {
	w := PrivateWriter(p)
	l := liveOf(w, p.Public, p.Seat)
	if p.Policy.Coached && l.Felt != nil && !dealOver(p.Public) && p.Phase != table.Closed {
		remarkLive(w, p, &l)
	}
	if l.Felt != nil && p.Turn == p.Seat && p.View.Forced {
		l.Line = w.Text("hand.turn.forced")
	}
	if l.Felt == nil || p.Phase == table.Closed {
		return l
	}
	if p.Seats[p.Seat].Left && p.Phase != table.Over {
		l.Felt.Moves = []LiveButton{liveButton(w.Button(screen.PressOf(ActBack, p.ID), screen.Success))}
		return l
	}
	if dealOver(p.Public) {
		return l
	}
	if v := p.View; p.Turn == p.Seat && len(v.Trick) > 0 && !p.Policy.Coached && !v.Forced {
		l.Brief = screen.PlainText(w.Screen.Face, briefLine(w, v))
	}
	if seat := &l.Seats[p.Seat]; p.View.Solo == p.Seat && p.Public.View.Solo < 0 { // only they know it yet
		seat.Marks = append(seat.Marks, w.Text("mark.alone"))
	}
	for _, c := range p.View.Hand {
		card := LiveCard{Off: true}
		if c != 0 {
			card.Card, card.Name, card.Takes = c.String(), cardWords(w, c), p.Turn == p.Seat && takes(p.View, c)
		}
		l.Felt.Hand = append(l.Felt.Hand, card)
	}
	cards, moves := handButtons(w, p)
	for _, b := range append(moves, hintButton(w, p)...) {
		l.Felt.Moves = append(l.Felt.Moves, liveButton(b))
	}
	place := 0
	for _, b := range cards {
		for l.Felt.Hand[place].Card == "" {
			place++ // a free place has no button
		}
		l.Felt.Hand[place].Press, l.Felt.Hand[place].Off = b.Press, b.Off
		if b.Off && l.Felt.Why == "" {
			l.Felt.Why = whyOff(w, p)
		}
		place++
	}
	return l
}

// remarkLive adds the remark of a lesson, and below it why the player's latest move wasn't the one that was meant. The line
// says no more than the remark needs.
func remarkLive(w *Writer, p table.Private, l *Live) {
	now := lessonOf(p)
	if at := (dealScreen{channel: channel{Public: p.Public, c: w.Catalogue, face: w.Screen.Face}}); now.turn {
		l.Line = at.turn(w, p.Seat)
	} else {
		at.View.Taking = untaken(at.View.Taking)
		l.Line = screen.PlainText(w.Screen.Face, at.firstLine(w, p.Seat))
	}
	l.Remark = append(l.Remark, liveBlock(w.Screen.Face, screen.Block{Look: screen.Plain, Spans: w.remark(now.texts())}))
	if now.wrong && now.turn {
		l.Remark = append(l.Remark, liveBlock(w.Screen.Face, screen.Block{Look: screen.Small, Spans: w.remark(now.lookBack())}))
	}
}

// whyOff says why a player can't play a card of their hand now: whose turn it is, or what they
// can play instead.
func whyOff(w *Writer, p table.Private) string {
	if p.Turn != p.Seat {
		return w.Text("refusal.not_turn") + " " + screen.PlainText(w.Screen.Face, w.Spans("hand.wait", "player", SeatName(w, p.Public, p.Turn)))
	}
	if p.View.Forced {
		return w.Text("hand.turn.forced")
	}
	var can []game.Card
	for _, m := range p.View.Legal {
		if c, ok := m.Card(); ok {
			can = append(can, c)
		}
	}
	return screen.PlainText(w.Screen.Face, w.Spans("hand.only."+p.View.Phase.String(), "cards", cardSpans(can), "stop", StopLabel(w, p.View)))
}

// GuestLive returns the table as a spectator's page shows it, in the spectator's language.
func GuestLive(p table.Public, c *lang.Catalogue) Live {
	return liveOf(NewWriter(c, face.For("", c.Code(), p.Rules.Deck)), p, game.Nobody)
}

// liveOf returns a table as everyone may see it. me is the reader's seat; Nobody: a spectator.
func liveOf(w *Writer, p table.Public, me int) Live {
	if p.Phase == table.Closed { // it is nobody's turn any more
		p.Turn, p.Deadline = game.Nobody, time.Time{}
	}
	at := dealScreen{channel: channel{Public: p, c: w.Catalogue, face: w.Screen.Face}}
	detail := stakesLine(w, p)
	if p.LastDeal && !p.Policy.OneDeal {
		detail = screen.Dots(detail, w.Spans("table.last"))
	}
	l := Live{
		Table: p.ID, Lang: w.Code(), Cards: face.SpriteOf(w.Screen.Face, p.Rules.Deck).Name, Title: screen.GameName(w.Catalogue, p.Rules),
		Phase: p.Phase, Me: me, Detail: screen.PlainText(w.Screen.Face, detail),
	}
	for seat := range p.Seats {
		l.Seats = append(l.Seats, at.liveSeat(w, seat, me))
	}
	if p.HasDeal {
		l.Felt = at.felt(w)
		points := PointsSoFar(p.View)
		for side, seats := range Sides(p.Rules) {
			l.Sides = append(l.Sides, LiveSide{Names: screen.PlainText(w.Screen.Face, SideName(w, p, seats)), Points: points[side], Score: p.Scores[side]})
		}
		reader := me
		if me != game.Nobody && p.Seats[me].Left {
			reader = game.Nobody // the AI decides for them
		}
		if p.Phase != table.Closed {
			l.Line = screen.PlainText(w.Screen.Face, at.firstLine(w, reader))
		}
	}
	if p.Phase == table.Lobby {
		l.Emblem = emblemOf(p.Rules)
		l.Hosts = me != game.Nobody && len(p.Awaited) == 0 && p.Seats[me].Player.ID == p.Host
	}
	l.Shares = me != game.Nobody && p.Result != nil && (p.Phase == table.Over || p.Phase == table.Closed) && Shareable(p, p.Result.MatchNo)
	if s, ok := at.panel(me); ok {
		shown := ScreenLive(s)
		if p.Phase == table.Over && p.Result != nil {
			shown.Trick = decided(w, p, *p.Result)
		}
		l.Panel = &shown
	} else {
		l.Actions = append(l.Actions, liveButton(w.Button(at.press(ActMore), screen.Quiet)))
	}
	return l
}

// panel returns the screen over the felt for the reader on seat me, if there is one now.
func (at dealScreen) panel(me int) (screen.Screen, bool) {
	switch {
	case at.Phase == table.Lobby:
		return at.lobbyFor(me), true
	case at.Phase == table.Over && at.Result != nil:
		return at.resultFor(me), true
	case at.Phase == table.Closed:
		return at.closedFor(me), true
	case dealOver(at.Public):
		s := at.dealEnd(at.Past[len(at.Past)-1])
		s = withoutActions(s, func(a string) bool { return me != game.Nobody && a == ActJoin })
		if me != game.Nobody && at.Hurries() {
			s.Rows = slices.Insert(s.Rows, 0, []screen.Button{{Label: at.c.Text("button.next_deal"), Press: screen.PressOf(ActResume, at.ID), Tone: screen.Success}})
		}
		return s, true
	}
	return screen.Screen{}, false
}

// resultFor returns the result as the page tells it to the reader on seat me, with only those buttons that they may use: the
// page shows the deciding trick as cards, and has a button to share.
func (at dealScreen) resultFor(me int) screen.Screen {
	o := *at.Result
	s := withoutActions(at.resultOf(o, me), func(a string) bool {
		return me == game.Nobody && a == ActRematch || a == ActCoach || a == ActSend // a chat shows what Send answers
	})
	if o.Lesson || at.Daily != nil {
		return s
	}
	if o.Decisive = nil; me != game.Nobody {
		o.Hauls = nil
		o.Gains = slices.DeleteFunc(slices.Clone(o.Gains), func(g table.Gain) bool { return g.Seat != me })
	}
	s.Picture.Words = at.resultDetails(at.writer(), o)
	return s
}

// decided returns the trick that decided a match.
func decided(w *Writer, p table.Public, o table.Outcome) *LiveTrick {
	d := o.Decisive
	if d == nil || p.Daily != nil {
		return nil
	}
	winner := screen.PlainText(w.Screen.Face, SeatName(w, p, d.Trick.Winner))
	return &LiveTrick{
		Plays: livePlays(w, d.Trick.Plays), Winning: table.BestPlay(p.Rules, d.Trick.Plays, d.Trick.Winner), Winner: d.Trick.Winner,
		Line: decisiveTitle(w, *d) + " – " + took(w, winner, p.Rules, *d),
	}
}

// withoutActions returns the screen without the buttons of some actions.
func withoutActions(s screen.Screen, drop func(action string) bool) screen.Screen {
	return s.Without(func(press string) bool { return drop(screen.PressWord(press)) })
}

// lobbyFor returns the lobby with only those buttons that the reader on seat me may use.
func (at dealScreen) lobbyFor(me int) screen.Screen {
	host := me != game.Nobody && at.Seats[me].Player.ID == at.Host
	if !host {
		at.Page = table.SeatsPage // the settings are the host's
	}
	s := at.lobby()
	s.Picture = nil // the page has the seats on the felt
	if !host {
		s.Menus = nil
	} else if at.Page == table.SeatsPage {
		s.Rows = at.withLengths(s.Rows)
	}
	s = withoutActions(s, func(a string) bool {
		switch a {
		case ActJoin:
			return me != game.Nobody
		case ActLeave, ActAI, ActUnAI:
			return me == game.Nobody
		case ActStart: // everyone who has a seat may start a rematch
			return !host && (me == game.Nobody || at.MatchNo == 1)
		case ActClose, ActSet, ActDefault:
			return !host
		case ActTell: // a page isn't the chat that it is about
			return true
		default:
			return false
		}
	})
	if row := at.sideButtons(at.writer()); !host && me != game.Nobody && len(row) > 0 { // the other of two people chooses, too
		s.Rows = slices.Insert(s.Rows, 0, row)
	}
	return s
}

// pageLengths is how many lengths of a match the lobby on a page offers at once. The settings have the others.
const pageLengths = 3

// withLengths returns the host's buttons in a lobby, with some lengths in place of the button that leads to all of them.
func (at dealScreen) withLengths(rows [][]screen.Button) [][]screen.Button {
	other := screen.PressOf(ActSet, at.ID, "page", string(table.LengthPage))
	i := slices.IndexFunc(rows, func(row []screen.Button) bool {
		return slices.ContainsFunc(row, func(b screen.Button) bool { return b.Press == other })
	})
	if i < 0 {
		return rows
	}
	menu := settings{at.channel}.lengths(at.writer())
	options := menu.Options
	for k := range options {
		if k == menu.Chosen {
			options[k].Label, options[k].Tone = "✓ "+options[k].Label, screen.Primary
		}
	}
	for k := len(options) - 2; len(options) > pageLengths; k-- { // the shortest, the next one, and the longest
		if k != menu.Chosen {
			options = slices.Delete(options, k, k+1)
		}
	}
	rows = slices.Clone(rows)
	rows[i] = slices.DeleteFunc(slices.Clone(rows[i]), func(b screen.Button) bool { return b.Press == other })
	return slices.Insert(rows, min(1, len(at.sideButtons(at.writer()))), options) // the question who plays with whom comes first
}

// closedFor returns how a closed table ended, for the reader on seat me, and how its players can play again.
func (at dealScreen) closedFor(me int) screen.Screen {
	var s screen.Screen
	switch {
	case !at.HasDeal:
		s = at.lobby()
	case at.Result != nil:
		s = at.resultFor(me)
	case dealOver(at.Public):
		s = at.dealEnd(at.Past[len(at.Past)-1])
	default:
		s = at.table()
	}
	if at.Policy.Coached || at.Policy.Runs {
		return s // these tables aren't opened again
	}
	w := at.writer()
	w.Say(screen.Small, "closed.next", "now", w.Text("button.now"))
	w.Row(at.again(w))
	s.Blocks = append(s.Blocks, w.Screen.Blocks...)
	s.Rows = append(w.Screen.Rows, s.Rows...)
	return s
}

// emblemOf returns the cards of emblem as a page names them.
func emblemOf(r game.Rules) (cards []string) {
	for _, c := range emblem(r) {
		cards = append(cards, c.String())
	}
	return cards
}

// liveSeat returns a seat as the reader on seat me may see it.
func (at dealScreen) liveSeat(w *Writer, seat, me int) LiveSeat {
	s := at.Seats[seat]
	out := LiveSeat{Side: at.Rules.Side(seat), AI: s.AI != "" || s.Left}
	if s.Player.ID != "" || s.AI != "" {
		out.Name = screen.PlainText(w.Screen.Face, faced(w, at.Public, seat))
	}
	if at.Phase == table.Lobby && !at.Policy.Private {
		if s.Player.ID != "" && s.Player.ID == at.Host {
			out.Marks = append(out.Marks, w.Text("mark.host"))
		}
		if s.Player.ID == "" && len(at.Awaited) == 0 {
			out.Press = Press{Action: ActSit, Table: at.ID, Place: seat}.String()
		}
	}
	if level := at.AILevel(seat); level != "" {
		out.Marks = append(out.Marks, w.Text("level."+level))
	}
	switch {
	case s.Left:
		out.Marks = append(out.Marks, w.Text("mark.left"))
	case s.Away:
		out.Marks = append(out.Marks, w.Text("mark.away"))
	case s.Player.ID != "" && s.Late >= at.DealNo && s.Late > 0:
		out.Marks = append(out.Marks, w.Text("mark.came", "other", at.replaced(w, seat)))
	case s.AI != "" && at.Joins && me == game.Nobody:
		out.Press = Press{Action: ActSit, Table: at.ID, Place: seat}.String()
	}
	if s.Left || s.Away {
		out.Short = w.Text("turn.away")
	}
	if !at.HasDeal {
		return out
	}
	out.Cards, out.Dealer, out.Turn = at.View.Counts[seat], seat == at.Dealer, seat == at.Turn
	out.Leads = len(at.View.Trick) > 0 && seat == at.View.Leader
	if seat == at.View.Solo {
		out.Marks = append(out.Marks, w.Text("mark.alone"))
	}
	if passed(at.View, seat) {
		out.Marks = append(out.Marks, w.Text("play.pass"))
	}
	for _, trick := range at.View.Tricks {
		if trick.Winner == seat {
			out.Won++
		}
	}
	return out
}

// felt returns the deal as everyone may see it.
func (at dealScreen) felt(w *Writer) *Felt {
	v := at.View
	f := &Felt{
		Deal: at.DealNo, Ply: len(v.Log), Turn: at.Turn, Choice: v.Phase.String(), Winning: winningPlay(v),
		Trick: livePlays(w, v.Trick), Tricks: len(v.Tricks), Stock: v.Stock,
		Hand: []LiveCard{}, Log: []string{},
	}
	if len(v.Trick) > 0 {
		f.Worth = w.Text("points", "n", OpenWorth(v))
	}
	for i, t := range v.Tricks {
		last := v.End == game.EndPlayed && i == len(v.Tricks)-1
		line := screen.PlainText(w.Screen.Face, tookLine(w, at.Public, t, last))
		f.Log = append(f.Log, line)
		f.Last = &LiveTrick{Plays: livePlays(w, t.Plays), Winning: table.BestPlay(v.Rules, t.Plays, t.Winner), Winner: t.Winner, Line: line}
		f.Last.Took = w.Text("picture.took", "player", screen.PlainText(w.Screen.Face, SeatName(w, at.Public, t.Winner)), "points", trickWorth(w, v.Rules, t, last))
	}
	if !at.Deadline.IsZero() {
		f.Clock, f.Limit = at.Deadline.UnixMilli(), at.Limit.Milliseconds()
	}
	return f
}

// cardWords returns the name of a card in words, such as "ace of hearts".
func cardWords(w *Writer, c game.Card) string {
	rank, suit := face.Words(w.Screen.Face, c)
	if w.Has("card." + rank) {
		rank = w.Text("card." + rank)
	}
	return w.Text("card.words", "rank", rank, "suit", w.Text("card."+suit))
}

func livePlays(w *Writer, plays []game.Play) []LivePlay {
	out := make([]LivePlay, len(plays))
	for i, p := range plays {
		out[i] = LivePlay{Seat: p.Seat, Card: p.Card.String(), Name: cardWords(w, p.Card), Dark: p.Dark}
	}
	return out
}

// These are the names of looks, spans and tones on a page.
var (
	liveLooks = [...]string{screen.Title: "title", screen.Small: "small", screen.Quote: "quote"}
	liveSpans = [...]string{screen.SpanBold: "bold", screen.SpanPerson: "person", screen.SpanCard: "card", screen.SpanBreak: "break", screen.SpanTime: "time", screen.SpanDate: "date"}
	liveTones = [...]string{screen.Primary: "primary", screen.Success: "success", screen.Danger: "danger"}
)

// ScreenLive returns a screen as a page shows it, with words instead of its picture. Buttons
// that open the private chat are left out, as the page shows the hand itself.
func ScreenLive(s screen.Screen) LiveScreen {
	s = s.WithoutPicture()
	out := LiveScreen{Blocks: []LiveBlock{}}
	for _, block := range s.Blocks {
		out.Blocks = append(out.Blocks, liveBlock(s.Face, block))
	}
	for _, row := range slices.Concat(s.MenuRows(), s.Rows) {
		var shown []LiveButton
		for _, b := range row {
			if b.Press != "" {
				shown = append(shown, liveButton(b))
			}
		}
		if len(shown) > 0 {
			out.Rows = append(out.Rows, shown)
		}
	}
	return out
}

func liveBlock(f face.Face, block screen.Block) LiveBlock {
	b := LiveBlock{Look: liveLooks[block.Look]}
	for _, span := range block.Spans {
		l := LiveSpan{Kind: liveSpans[span.Kind], Text: span.Words(f), Strong: span.Strong}
		if span.Kind == screen.SpanCard {
			l.Card = span.Card.String()
		}
		b.Spans = append(b.Spans, l)
	}
	return b
}

func liveButton(b screen.Button) LiveButton {
	out := LiveButton{Label: b.Label, Press: b.Press, Tone: liveTones[b.Tone], Off: b.Off}
	if b.Card != 0 {
		out.Card = b.Card.String()
	}
	return out
}

// HasPage reports whether the player can use the table's page now.
func HasPage(p table.Private) bool {
	return (p.Phase == table.Playing || p.Phase == table.Pause) && !p.Seats[p.Seat].Left
}

// WithPage adds the personal link to the table's page to a private screen. link is an
// address; "": there is no page.
func WithPage(p table.Private, s screen.Screen, link string) screen.Screen {
	if link == "" {
		return s
	}
	page := screen.Button{Label: PrivateWriter(p).Text("button.page"), Link: link, Page: p.ID}
	s.Rows = slices.Clone(s.Rows)
	if last := len(s.Rows) - 1; last >= 0 && len(s.Rows[last]) < screen.RowLength {
		if word := screen.PressWord(s.Rows[last][0].Press); word == ActHint || word == ActMore { // the same row, so that the cards stay in sight
			s.Rows[last] = append(slices.Clone(s.Rows[last]), page)
			return s
		}
	}
	s.Rows = append(s.Rows, []screen.Button{page})
	return s
}

// WithApp adds the button that opens a table's page in the platform's own app to a screen
// that everyone in a chat sees.
func WithApp(c *lang.Catalogue, s screen.Screen, table string) screen.Screen {
	s.Rows = append(slices.Clone(s.Rows), []screen.Button{{Label: c.Text("button.play_here"), Page: table}})
	return s
}

// OnPage returns the private message of a player who has the table's page open.
func OnPage(p table.Private, link string) screen.Screen {
	w := PrivateWriter(p)
	w.Say(screen.Plain, "hand.page")
	w.Row(screen.Button{Label: w.Text("button.page"), Link: link, Page: p.ID}, w.Button(screen.PressOf(ActCards, p.ID), screen.Quiet))
	return w.Screen
}
