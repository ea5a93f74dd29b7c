package view

import (
	"slices"
	"strings"

	"sedmabot/bot/screen"
	"sedmabot/game"
)

// Replayed is the phase, and in place of a table's id, of a page that shows a finished match step by step.
const Replayed = "replay"

// LiveStep is a step of a finished match on a page: the felt, and the hands of all seats.
type LiveStep struct {
	Live

	Deal  int          `json:"deal"` // number of the deal, from 1
	Hands [][]LiveCard `json:"hands"`
	Text  LiveScreen   `json:"text"` // what is said about the step

	Choices []LiveChoice `json:"choices,omitempty"` // the reader's choices in the step
}

// LiveChoice is the coach's opinion about a choice: see chat.StepChoice.
type LiveChoice struct {
	Expects float64 `json:"expects"`
	Cost    float64 `json:"cost"`
	Retry   string  `json:"retry"`
}

// MatchOf returns the id of the match whose replay a press shows.
func MatchOf(press string) (id string, ok bool) {
	word, f := screen.FieldsOf(press)
	table, no := f.Name(), f.Words()
	return table + "-" + no, word == ActReplay && table != "" && no != ""
}

// StepLive returns a step of a finished match as a page shows it. The felt has what the screen's picture has. It returns
// false if the screen has no such picture.
func StepLive(w *Writer, deal int, s screen.Screen) (LiveStep, bool) {
	if s.Picture == nil || s.Picture.Draw.Table == nil {
		return LiveStep{}, false
	}
	t := s.Picture.Draw.Table
	w.Screen.Face = s.Picture.Draw.Face
	s.Picture = nil
	s = withoutActions(s, func(a string) bool { return a == ActReplay || a == ActDeals || a == ActFilm || a == ActSend })
	l := LiveStep{Deal: deal, Text: ScreenLive(s), Live: Live{
		Table: Replayed, Phase: Replayed, Lang: w.Code(), Me: game.Nobody,
		Line: strings.Join(slices.DeleteFunc([]string{t.Headline, t.Detail}, func(s string) bool { return s == "" }), " · "),
		Felt: &Felt{Deal: deal, Turn: game.Nobody, Winning: t.Winning, Stock: t.Stock, Trick: []LivePlay{}, Hand: []LiveCard{}, Log: []string{}},
	}}
	for _, seat := range t.Seats {
		l.Seats = append(l.Seats, LiveSeat{Name: seat.Name, Side: seat.Side, Dealer: seat.Dealer, Leads: seat.Leads})
	}
	for _, side := range t.Sides {
		l.Sides = append(l.Sides, LiveSide{Points: side.Points, Score: side.Score})
	}
	for i, seat := range t.Seats {
		if seat.Side < len(l.Sides) {
			names := &l.Sides[seat.Side].Names
			*names = strings.TrimPrefix(*names+" & "+t.Seats[i].Name, " & ")
		}
	}
	for _, play := range t.Plays {
		l.Felt.Trick = append(l.Felt.Trick, LivePlay{Seat: play.Seat, Card: play.Card.String(), Name: cardWords(w, play.Card)})
	}
	for _, hand := range t.Hands {
		cards := []LiveCard{}
		for i, c := range hand.Cards {
			if c != 0 {
				cards = append(cards, LiveCard{Card: c.String(), Name: cardWords(w, c), Off: hand.Dim[i]})
			}
		}
		l.Hands = append(l.Hands, cards)
	}
	return l, true
}
