package view

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Picture is a picture that a screen shows beside its text, which says the same. It is
// drawn when the screen is delivered.
type Picture struct {
	Draw face.Picture
	Alt  string // text for people who cannot see the picture: at most 1000 characters
	// Kept says that an edited message already shows this picture, as far as is known. Then the picture
	// need not be sent again.
	Kept bool `json:"-"`
}

// Name returns 16 hexadecimal digits that identify the picture. Pictures that look the
// same have the same name.
func (p Picture) Name() string {
	data, err := json.Marshal(p.Draw)
	if err != nil {
		panic(err) // cannot fail: the value is strings and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// altLimit is the maximum length of a description. Discord's limit is 1024 characters
// (https://discord.com/developers/docs/components/reference#media-gallery).
const altLimit = 1000

// picture adds a picture to the screen written so far. Its description is the screen's
// main text, followed by more.
func (w *writer) picture(p face.Picture, more string) {
	p.Face = w.screen.Face
	var said []Block
	for _, b := range w.screen.Blocks {
		if b.Look == Title || b.Look == Plain {
			said = append(said, b)
		}
	}
	words := strings.TrimSpace(Screen{Blocks: said, Face: w.screen.Face}.String())
	if more != "" {
		words += "\n" + more
	}
	w.screen.Picture = &Picture{Draw: p, Alt: cut(words, altLimit)}
}

// pictured returns a player's name for a picture, or the seat's number if the font
// lacks some letters. In that case the text shows the name and the number.
func pictured(w *writer, p table.Public, seat int) string {
	if name := plainText(w.screen.Face, seatName(w, p, seat)); face.Legible(name) {
		return name
	}
	return strconv.Itoa(seat + 1)
}

func picturedSide(w *writer, p table.Public, seats []int) string {
	var names []string
	for _, seat := range seats {
		names = append(names, pictured(w, p, seat))
	}
	return strings.Join(names, " + ")
}

// moment is what a picture of a running deal shows of the tricks.
type moment struct {
	plays   []game.Play
	winning int // index of the winning play in plays; -1: none
	over    int // number of the shown trick, if it is over; 0: it is open
	turn    int // the seat whose turn is shown; -1: none
}

// moment returns what a picture shows, which is not always the current state. A chat
// that loaded a picture with each card would load megabytes a match. So a chat sees
// the latest finished trick and the current leader, until the next trick ends. All of
// that stays true in between; the text says the rest. A player alone with the AI
// (seat, otherwise -1) sees the open trick as it was on their latest turn.
func (at channel) moment(seat int) moment {
	v := at.View
	m := moment{winning: -1, turn: -1}
	mine := -1 // number of cards in the open trick when it was the player's turn
	switch {
	case seat < 0:
	case at.Turn == seat:
		mine = len(v.Trick)
	default:
		for i, play := range v.Trick {
			if play.Seat == seat {
				mine = i
			}
		}
	}
	if mine >= 0 {
		m.turn = seat
	}
	if mine > 0 {
		m.plays = v.Trick[:mine]
		m.winning = bestPlay(v.Rules, m.plays, -1)
	} else if n := len(v.Tricks); n > 0 {
		m.plays, m.over = v.Tricks[n-1].Plays, n
		m.winning = bestPlay(v.Rules, m.plays, v.Tricks[n-1].Winner)
	}
	return m
}

// picturedDeals is the number of deals in a match that a chat sees in pictures while
// they are played. Later ones are shown in words, so that no match is too much to
// load.
const picturedDeals = 14

// tablePicture returns a picture of the running deal, for a chat (-1) or for the
// player alone with the AI on a seat.
func (at channel) tablePicture(w *writer, alone int) face.Picture {
	v, m := at.View, at.moment(alone)
	t := &face.Table{
		Winning: m.winning, Stock: v.Stock, Dealer: w.Text("picture.dealer"),
		Labels: [2]string{w.Text("picture.points"), w.Text("picture.score")},
	}
	if m.over > 0 {
		t.Note = w.Text("table.trick", "no", m.over)
	}
	for seat := range at.Seats {
		t.Seats = append(t.Seats, face.Seat{
			Name: pictured(w, at.Public, seat), Side: at.Rules.Side(seat),
			Turn: seat == m.turn, Leads: m.turn < 0 && seat == v.Leader, Dealer: seat == at.Dealer,
		})
	}
	for _, play := range m.plays {
		t.Plays = append(t.Plays, face.Play{Seat: play.Seat, Card: play.Card})
	}
	for side, points := range pointsSoFar(v) {
		t.Sides = append(t.Sides, face.Side{Points: points, Score: at.Scores[side]})
	}
	return face.Picture{Table: t}
}

// tableWords returns what a tablePicture shows but the screen's main text does not
// say: the finished trick in it, the stock, and the points.
func (at channel) tableWords(w *writer, alone int) string {
	v := at.View
	var lines [][]Span
	if no := at.moment(alone).over; no > 0 {
		lines = append(lines, trickLine(w, at.Public, no, v.Tricks[no-1], false))
	}
	lines = append(lines, dots(stockLine(w, v), at.points(w)))
	return plainText(w.screen.Face, joinSpans(Span{Kind: SpanBreak}, lines))
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
func handWords(w *writer, v game.View) string {
	var cards []string
	for i, c := range v.Hand {
		label := w.Text("hand.empty")
		if c != 0 {
			label = face.Text(w.screen.Face, c)
		}
		cards = append(cards, fmt.Sprintf("%d: %s", i+1, label))
	}
	return strings.Join(cards, "   ")
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

// progress returns the match score after each deal up to deal no, by side.
func (at channel) progress(no int) [][]int {
	out := make([][]int, at.Rules.Sides())
	for _, past := range at.Past {
		if past.No <= no {
			for side, n := range past.Totals {
				out[side] = append(out[side], n)
			}
		}
	}
	if len(out[0]) < 2 {
		return nil
	}
	return out
}

// dealPicture returns a picture of a finished deal.
func (at channel) dealPicture(w *writer, past table.Past) face.Picture {
	score, res := past.Score, past.Result
	r := &face.Result{
		Title:  w.Text("over.title", "game", GameName(at.c, at.Rules), "no", past.No),
		Labels: []string{w.Text("picture.points"), w.Text("picture.tricks")}, Progress: at.progress(past.No),
	}
	totals := len(score.Sides) == len(past.Totals)
	if totals {
		r.Labels = append(r.Labels, w.Text("picture.score"))
	} else {
		r.Progress = nil // sides of the deal differ from the sides of the match score
	}
	if r.Progress == nil {
		r.Cards = sevens(at.Rules.Deck)
	}
	for i, seats := range score.Sides {
		row := face.ResultRow{
			Names: picturedSide(w, at.Public, seats), Side: i, Won: slices.Contains(score.Winners, i),
			Cells: []string{strconv.Itoa(score.Points[i]), strconv.Itoa(res.TricksWon[i])},
		}
		if totals {
			row.Cells = append(row.Cells, strconv.Itoa(past.Totals[i]))
		}
		r.Rows = append(r.Rows, row)
	}
	level := len(score.Winners) > 1 && score.Stake > 0
	switch {
	case level || len(score.Winners) == 1 && (at.Rules.Scoring != game.ByKovac || score.Stake > 0):
		var names []string
		for _, i := range score.Winners {
			names = append(names, r.Rows[i].Names)
		}
		r.Won, r.Headline = true, strings.Join(names, ", ")
		if r.Detail = prize(w, at.Public, past); level {
			r.Detail = w.Text("stakes", "n", score.Stake)
		}
	default:
		r.Headline = w.Text("over.none")
	}
	return face.Picture{Result: r}
}

// matchPicture returns a picture of a finished match.
func (at channel) matchPicture(w *writer, o table.Outcome) face.Picture {
	r := &face.Result{
		Title:    GameName(at.c, at.Rules) + " · " + w.Text("result.deals", "n", o.Match.Hands),
		Headline: w.Text("result.draw"), Detail: story(w, o), Cards: sevens(at.Rules.Deck), Labels: []string{w.Text("picture.score")},
		Art: o.MatchNo,
	}
	for _, letter := range at.ID {
		r.Art += int(letter)
	}
	if o.Match.Hands > 1 {
		r.Progress = o.Curve
	}
	if len(o.Winners) > 0 {
		r.Won, r.Headline = true, picturedSide(w, at.Public, o.Winners)
	}
	if d := o.Decisive; d != nil {
		r.Decisive = &face.DecisiveTrick{Title: decisiveTitle(w, *d), Winning: bestPlay(at.Rules, d.Trick.Plays, d.Trick.Winner)}
		for _, play := range d.Trick.Plays {
			r.Decisive.Cards = append(r.Decisive.Cards, play.Card)
			r.Decisive.Names = append(r.Decisive.Names, pictured(w, at.Public, play.Seat))
		}
	}
	for side, seats := range sides(at.Rules) {
		r.Rows = append(r.Rows, face.ResultRow{
			Names: picturedSide(w, at.Public, seats), Side: side, Won: len(o.Winners) > 0 && slices.Contains(o.Winners, seats[0]),
			Cells: []string{strconv.Itoa(o.Match.Scores[side])},
		})
	}
	return face.Picture{Result: r}
}

// decisiveTitle names the trick that decided a match.
func decisiveTitle(w *writer, d table.Decisive) string {
	if d.No == d.Of {
		return w.Text("picture.last_trick", "deal", d.Deal)
	}
	return w.Text("picture.trick", "deal", d.Deal, "no", d.No, "of", d.Of)
}

// trickWords returns what a matchPicture shows but the result's main text does not say:
// the scores deal by deal, and the trick that decided the match.
func trickWords(w *writer, p table.Public, o table.Outcome) string {
	var lines []string
	if len(o.Curve) > 0 && len(o.Curve[0]) > 1 {
		var scores []string
		for i := range o.Curve[0] {
			var each []int
			for _, side := range o.Curve {
				each = append(each, side[i])
			}
			scores = append(scores, against(each))
		}
		lines = append(lines, w.Text("picture.curve", "scores", strings.Join(scores, ", ")))
	}
	if d := o.Decisive; d != nil {
		var plays [][]Span
		for _, play := range d.Trick.Plays {
			plays = append(plays, w.spans("hand.play", "player", seatName(w, p, play.Seat), "card", playSpans(w, play, false)))
		}
		lines = append([]string{decisiveTitle(w, *d) + ": " + plainText(w.screen.Face, joinSpans(Span{Text: ", "}, plays))}, lines...)
	}
	return strings.Join(lines, "\n")
}
