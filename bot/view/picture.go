package view

import (
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Pictured returns a player's name for a picture, or the seat's number if the font
// lacks some letters. In that case the text shows the name and the number.
func Pictured(w *Writer, p table.Public, seat int) string {
	name, known := SeatName(w, p, seat), w.seated(p, seat)
	if known.of == &p.Seats[seat] && known.pictured != "" {
		return known.pictured
	}
	known.pictured = legible(screen.PlainText(w.Screen.Face, name), seat)
	return known.pictured
}

// legible returns the name of a seat, or its number if the font of the pictures lacks some letters.
func legible(name string, seat int) string {
	if face.Legible(name) {
		return name
	}
	return strconv.Itoa(seat + 1)
}

func picturedSide(w *Writer, p table.Public, seats []int) string {
	var names []string
	for _, seat := range seats {
		names = append(names, Pictured(w, p, seat))
	}
	return strings.Join(names, " + ")
}

// show adds the picture of the running deal to the screen, with words that say the same.
// The reader is the player on seat me; Nobody means everyone in a chat.
func (at dealScreen) show(w *Writer, me int) {
	words := []screen.Block{{Look: screen.Plain, Spans: screen.Join(screen.Span{Kind: screen.SpanBreak}, at.trick(w))}}
	figures := screen.Dots(StockLine(w, at.View), at.points(w), PerSide(w, at.Public, "table.score", Sides(at.Rules), at.Scores))
	words = append(words, screen.Block{Look: screen.Small, Spans: figures})
	if at.chat.NoPictures {
		w.Screen.Picture = &screen.Picture{Words: words} // address puts the words into the text
		return
	}
	draw := face.Picture{Face: w.Screen.Face, Table: at.tablePicture(w, me)}
	w.Screen.Picture = &screen.Picture{Draw: draw, Alt: w.AltText(words), Words: words}
}

// Picture returns a picture of a deal, as everyone sees it. The reader is the player on seat me; Nobody means everyone.
func Picture(w *Writer, p table.Public, me int) *face.Table { return dealOf(w, p).tablePicture(w, me) }

// Position adds what the player of the view's seat sees of a deal: their hand and the open trick in words, and a picture
// in which they sit at the bottom. at is the table with that view.
func Position(w *Writer, at table.Public) {
	v := at.View
	var hand [][]screen.Span
	for _, c := range v.Hand {
		if c != 0 {
			hand = append(hand, []screen.Span{screen.CardSpan(c)})
		}
	}
	w.Block(screen.Plain, w.Spans("puzzle.hand", "cards", screen.Join(screen.Span{Text: " "}, hand)))
	if len(v.Trick) > 0 {
		w.Say(screen.Plain, "puzzle.table", "cards", ByPlayer(w, at, v.Trick))
	} else {
		w.Say(screen.Plain, "puzzle.lead")
	}
	words := []screen.Block{{Look: screen.Small, Spans: screen.Dots(StockLine(w, v), PerSide(w, at, "table.points", Sides(v.Rules), PointsSoFar(v)))}}
	draw := face.Picture{Face: w.Screen.Face, Table: Picture(w, at, v.Seat)}
	t, n := draw.Table, v.Rules.Players
	t.Seats = slices.Concat(t.Seats[v.Seat:], t.Seats[:v.Seat])
	for i := range t.Plays {
		t.Plays[i].Seat = (t.Plays[i].Seat + n - v.Seat) % n
	}
	w.Screen.Picture = &screen.Picture{Draw: draw, Alt: w.AltText(words), Words: words}
}

// AskMove asks the player of the view's seat for a move, and says what takes the open trick.
func AskMove(w *Writer, at table.Public) {
	v, ask := at.View, screen.Bold(w.Text("puzzle.ask"))
	if len(v.Trick) > 0 {
		ask = screen.Dots(ask, trickLine(w, at, v, v.Seat, slices.ContainsFunc(v.Hand, func(c game.Card) bool { return takes(v, c) })))
	}
	w.Block(screen.Plain, ask)
}

// Since adds the tricks that have ended after that many entries of the view's log. The open one is in Position.
func Since(w *Writer, at table.Public, entries int) {
	v, cards := at.View, 0
	for _, e := range v.Log[:entries] {
		if e.Card != 0 {
			cards++
		}
	}
	from := 0
	for ; from < len(v.Tricks) && len(v.Tricks[from].Plays) <= cards; from++ {
		cards -= len(v.Tricks[from].Plays)
	}
	Tricks(w, at, from)
}

// Tricks adds the view's tricks from that one on. At the end of the deal, the points of the last one include what it brings.
func Tricks(w *Writer, at table.Public, from int) {
	v := at.View
	var lines [][]screen.Span
	for i, t := range v.Tricks[from:] {
		i += from
		_, points := Worth(w, v.Rules, t, v.Phase == game.Over && i == len(v.Tricks)-1)
		lines = append(lines, w.Spans("more.trick", "no", i+1, "player", SeatName(w, at, t.Winner), "cards", ByPlayer(w, at, t.Plays), "points", points))
	}
	w.Block(screen.Quote, lines...)
}

// ShowEnd adds the picture of a finished deal.
func ShowEnd(w *Writer, p table.Public, past table.Past) { dealOf(w, p).showEnd(w, past) }

// dealOf returns the deal of a table, for a writer that shows it outside its chat.
func dealOf(w *Writer, p table.Public) dealScreen {
	return dealScreen{channel: channel{Public: p, c: w.Catalogue, face: w.Screen.Face}}
}

// tablePicture returns what the picture of the deal shows: the open trick, or between
// tricks the one before. The reader is the player on seat me; Nobody means everyone. In a
// player's private chat, that player is at the bottom.
func (at dealScreen) tablePicture(w *Writer, me int) *face.Table {
	v := at.View
	owner := func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == at.chat.ID }
	bottom := max(0, slices.IndexFunc(at.Seats, owner))
	t := &face.Table{
		Winning: -1, Stock: v.Stock, Dealer: w.Text("picture.dealer"), Leads: w.Text("mark.leads"),
		Labels: [2]string{w.Text("picture.points"), w.Text("picture.score")},
	}
	plays := v.Trick
	if n := len(v.Tricks); n > 0 && len(plays) == 0 {
		took := v.Tricks[n-1].Winner
		plays, t.Past = v.Tricks[n-1].Plays, true
		t.Winning = table.BestPlay(v.Rules, plays, took)
		t.Detail = w.Text("picture.took", "player", Pictured(w, at.Public, took), "points", trickWorth(w, v.Rules, v.Tricks[n-1], false))
	}
	if len(v.Trick) > 0 {
		t.Winning = winningPlay(v)
		t.Detail = openWorth(w, v)
		if v.Rounds > 1 {
			t.Detail += " · " + w.Text("line.round", "no", v.Rounds)
		}
		if seat := passer(v); seat >= 0 && passed(v, seat) {
			t.Detail += " · " + Pictured(w, at.Public, seat) + " " + w.Text("play.pass")
		}
	}
	if v.Turn >= 0 {
		t.Headline = w.Text("turn."+v.Phase.String(), "player", Pictured(w, at.Public, v.Turn))
		if v.Turn == me {
			t.Headline = at.turn(w, me)
		}
	}
	if at.Resting {
		t.Headline = w.Text("pause.title")
	}
	n := len(at.Seats)
	for i := range n {
		seat := (bottom + i) % n
		t.Seats = append(t.Seats, face.Seat{
			Name: Pictured(w, at.Public, seat), Side: at.Rules.Side(seat),
			Turn: seat == v.Turn, Leads: len(v.Trick) > 0 && seat == v.Leader, Dealer: seat == at.Dealer,
		})
	}
	t.Dark = DarkPlays(plays)
	for _, play := range plays {
		t.Plays = append(t.Plays, face.Play{Seat: (play.Seat - bottom + n) % n, Card: play.Card})
	}
	for side, points := range PointsSoFar(v) {
		t.Sides = append(t.Sides, face.Side{Points: points, Score: at.Scores[side]})
	}
	return t
}

// DarkPlays returns the indexes of the cards that were played in the dark.
func DarkPlays(plays []game.Play) (dark []int) {
	for i, play := range plays {
		if play.Dark {
			dark = append(dark, i)
		}
	}
	return dark
}

// handPicture returns a picture of the player's own cards. Cards that they cannot play
// now are dimmed.
func handPicture(p table.Private) face.Picture {
	v := p.View
	h := &face.Hand{Cards: slices.Clone(v.Hand), Dim: make([]bool, len(v.Hand))}
	for i, c := range v.Hand {
		h.Dim[i] = c != 0 && p.Turn == p.Seat && !slices.Contains(v.Legal, game.PlayCard(c))
	}
	return face.Picture{Hand: h}
}

// handWords returns the cards of a hand with the numbers of their places.
func handWords(w *Writer, v game.View) string {
	var some [128]byte
	cards := some[:0]
	for i, c := range v.Hand {
		label := w.Text("hand.empty")
		if c != 0 {
			label = face.Text(w.Screen.Face, c)
		}
		if i > 0 {
			cards = append(cards, "   "...)
		}
		cards = append(append(strconv.AppendInt(cards, int64(i+1), 10), ": "...), label...)
	}
	return string(cards)
}

// sevens returns the sevens, which these games are named after.
func sevens(d game.Deck) []game.Card {
	suits := "cshd"
	if d == game.German32 {
		suits = "alhb"
	}
	var out []game.Card
	for _, suit := range suits {
		out = append(out, game.NewCard('7', game.Suit(suit)))
	}
	return out
}

// showEnd adds the picture of a finished deal to the screen: its last trick, who won, and
// the points. It adds words that say the same.
func (at dealScreen) showEnd(w *Writer, past table.Past) {
	t := at.tablePicture(w, game.Nobody)
	t.Past = false
	if n := len(at.View.Tricks); n > 0 && past.Result.LastTrick >= 0 { // its points include those for the last trick
		trick := at.View.Tricks[n-1]
		_, points := Worth(w, at.Rules, trick, true)
		t.Detail = w.Text("picture.took", "player", Pictured(w, at.Public, trick.Winner), "points", points)
	}
	t.Headline = screen.PlainText(w.Screen.Face, at.picturedWinner(w, past))
	var lines [][]screen.Span
	for i, seats := range past.Score.Sides {
		lines = append(lines, w.Spans("over.side", "side", SideName(w, at.Public, seats),
			"points", w.Text("points", "n", past.Score.Points[i]), "tricks", w.Text("tricks", "n", past.Result.TricksWon[i])))
	}
	for i := range t.Sides {
		t.Sides[i].Score = past.Totals[i]
	}
	words := []screen.Block{{Look: screen.Plain, Spans: screen.Join(screen.Span{Kind: screen.SpanBreak}, lines)}}
	w.Screen.Picture = &screen.Picture{Draw: face.Picture{Face: w.Screen.Face, Table: t}, Alt: w.AltText(words), Words: words}
}

// picturedWinner says who won a deal, in few words.
func (at dealScreen) picturedWinner(w *Writer, past table.Past) []screen.Span {
	if len(past.Score.Winners) != 1 {
		return w.Spans("picture.over", "no", at.DealInMatch(past.No))
	}
	return w.Spans("picture.won", "side", picturedSide(w, at.Public, past.Score.Sides[past.Score.Winners[0]]))
}
