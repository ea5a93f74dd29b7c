package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// darkMark is the suffix of a card that was played in the dark, from the top of the stock.
const darkMark = "*"

// MarshalText returns the stored form of a trick: leader, rounds and winner, then each seat with its card, as in
// "0 1 1 0:9a 1:Ta*".
func (t Trick) MarshalText() ([]byte, error) {
	b := make([]byte, 0, 8+5*len(t.Plays))
	b = strconv.AppendInt(b, int64(t.Leader), 10)
	b = strconv.AppendInt(append(b, ' '), int64(t.Rounds), 10)
	b = strconv.AppendInt(append(b, ' '), int64(t.Winner), 10)
	for _, p := range t.Plays {
		b = append(strconv.AppendInt(append(b, ' '), int64(p.Seat), 10), ':')
		b, _ = p.Card.AppendText(b) // AppendText never fails
		if p.Dark {
			b = append(b, darkMark...)
		}
	}
	return b, nil
}

// UnmarshalJSON reads the text that MarshalText writes, and the object form that older versions stored.
func (t *Trick) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' {
		type stored Trick
		if err := json.Unmarshal(b, (*stored)(t)); err != nil {
			return err
		}
		if slices.ContainsFunc(t.Plays, func(p Play) bool { return p.Card == 0 }) {
			return errors.New("no trick: a play without a card")
		}
		return nil
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	words := strings.Fields(text)
	if len(words) < 3 {
		return fmt.Errorf("%.60q: no trick", text)
	}
	read := Trick{}
	for i, n := range []*int{&read.Leader, &read.Rounds, &read.Winner} {
		var err error
		if *n, err = strconv.Atoi(words[i]); err != nil {
			return fmt.Errorf("%.60q: no trick", text) // not wrapping err, which quotes the word at any length
		}
	}
	for _, word := range words[3:] {
		seat, card, _ := strings.Cut(word, ":")
		var p Play
		var err error
		card, p.Dark = strings.CutSuffix(card, darkMark)
		if p.Seat, err = strconv.Atoi(seat); err != nil {
			return fmt.Errorf("%.60q: no play", word)
		}
		if p.Card, err = ParseCard(card); err != nil {
			return fmt.Errorf("%.60q: no play: %w", word, err)
		}
		read.Plays = append(read.Plays, p)
	}
	*t = read
	return nil
}
