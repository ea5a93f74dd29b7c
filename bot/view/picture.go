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

// Picture is what a screen shows beside its words, which tell the same. It is
// drawn when it is delivered.
type Picture struct {
	Draw face.Picture
	Alt  string // for those who do not see it: at most 1000 characters
	// Kept says, where a message is changed, that it shows this picture already,
	// as far as is known: it need not be sent again.
	Kept bool `json:"-"`
}

// Name tells pictures apart: 16 hexadecimal digits that are the same for what
// looks the same.
func (p Picture) Name() string {
	data, err := json.Marshal(p.Draw)
	if err != nil {
		panic(err) // it is strings and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// altLimit is how long a description may be: Discord's is 1024 characters
// (https://discord.com/developers/docs/components/reference#media-gallery).
const altLimit = 1000

// picture puts a picture on the screen that is written so far. Its description
// is the screen's main words, and more after them.
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

// pictured is a name as a picture shows it: the seat's number where letters are
// missing. The words have the name beside the number then.
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

// moment is what a picture of a running deal shows of its tricks.
type moment struct {
	plays   []game.Play
	winning int // which of plays
	over    int // the number of their trick, if it is over
	turn    int // who is on turn; -1: it is not told
}

// moment is not always how the deal stands: a chat that loaded a picture with
// each card would load megabytes a match. So a chat sees the latest finished
// trick until the next one is, and who leads now, and all of that stays true in
// between; the words tell the rest. Who plays alone (seat, else -1) sees the open
// trick as it was when he was on turn last.
func (at channel) moment(seat int) moment {
	v := at.View
	m := moment{winning: -1, turn: -1}
	mine := -1 // how many cards of the open trick lay when it was his turn
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

// picturedDeals is how many deals of a match a chat sees in pictures while they
// are played. Later ones are told in words, so that no match is too much to load.
const picturedDeals = 14

// tablePicture is the running deal, for a chat, or for who plays alone on that seat.
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

// tableWords are what a tablePicture shows and the screen's main words do not
// say: the trick in it, if that is over, the stock, and the points.
func (at channel) tableWords(w *writer, alone int) string {
	v := at.View
	var lines [][]Span
	if no := at.moment(alone).over; no > 0 {
		lines = append(lines, trickLine(w, at.Public, no, v.Tricks[no-1], false))
	}
	lines = append(lines, dots(stockLine(w, v), at.points(w)))
	return plainText(w.screen.Face, joinSpans(Span{Kind: SpanBreak}, lines))
}

// handPicture is a player's own cards; those that he cannot play now are dim.
func handPicture(p table.Private) face.Picture {
	v := p.View
	h := &face.Hand{Cards: slices.Clone(v.Hand), Dim: make([]bool, len(v.Hand))}
	for i, c := range v.Hand {
		h.Dim[i] = c != 0 && p.Turn == p.Seat && !slices.Contains(v.Legal, game.PlayCard(c))
	}
	return face.Picture{Hand: h}
}

// handWords are the cards of a hand with the numbers of their places.
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

// sevens are the cards that these games are named after.
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

// progress is the match score after each deal up to that number, by side.
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

// dealPicture is a finished deal.
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
		r.Progress = nil // who plays with whom is another thing than whose score it is
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

// matchPicture is a finished match.
func (at channel) matchPicture(w *writer, o table.Outcome) face.Picture {
	r := &face.Result{
		Title: w.Text("result.title", "game", GameName(at.c, at.Rules)), Detail: w.Text("result.deals", "n", o.Match.Hands),
		Headline: w.Text("result.draw"), Cards: sevens(at.Rules.Deck), Labels: []string{w.Text("picture.score")},
		Progress: at.progress(at.DealNo),
	}
	if len(o.Winners) > 0 {
		r.Won, r.Headline = true, picturedSide(w, at.Public, o.Winners)
	}
	for side, seats := range sides(at.Rules) {
		r.Rows = append(r.Rows, face.ResultRow{
			Names: picturedSide(w, at.Public, seats), Side: side, Won: len(o.Winners) > 0 && slices.Contains(o.Winners, seats[0]),
			Cells: []string{strconv.Itoa(o.Match.Scores[side])},
		})
	}
	return face.Picture{Result: r}
}
