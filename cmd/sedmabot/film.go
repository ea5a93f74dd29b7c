package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"sedmabot/bot/club/review"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game/record"
	"sedmabot/game/table"
)

// film implements `sedmabot film [--deal N] [--names LIST] [--language CODE] [--out GIF] [FILE]`. It draws a deal
// of the record in FILE or stdin as an animated GIF: a picture of the table after each action.
func film(_ context.Context, l *line) error {
	flags := l.flags()
	deal := flags.Int("deal", 1, "")
	names := flags.String("names", "", "")
	language := flags.String("language", "en", "")
	out := flags.String("out", "", "")
	text, err := l.readRecord(flags)
	if err != nil {
		return err
	}
	r, err := record.Read(text)
	if err != nil {
		return fmt.Errorf("read the record: %w", err)
	}
	f, err := filmOf(r, *deal, *names)
	if err != nil {
		return err
	}
	data, err := face.NewEasel().GIF(f.Frames(lang.For(*language)))
	if err != nil {
		return err
	}
	if *out != "" {
		return os.WriteFile(*out, data, 0o666)
	}
	_, err = l.stdout.Write(data)
	return err
}

// filmOf returns a deal of a record as a film. The players have these names, in the order of seats and separated by
// commas, or else the numbers of their seats.
func filmOf(r record.Record, deal int, names string) (review.Film, error) {
	if deal < 1 || deal > len(r.Deals) {
		return review.Film{}, fmt.Errorf("--deal %d: the number of deals in the record is %d", deal, len(r.Deals))
	}
	called := strings.Split(names, ",")
	if names != "" && len(called) != r.Rules.Players {
		return review.Film{}, fmt.Errorf("--names has %d names, but the game has %d players", len(called), r.Rules.Players)
	}
	var seats []table.Seat
	for seat := range r.Rules.Players {
		player := table.Player{ID: fmt.Sprint("record:", seat)}
		if names != "" {
			player.Name = strings.TrimSpace(called[seat])
		}
		seats = append(seats, table.Seat{Player: player})
	}
	return review.FilmOf(r, deal, seats)
}
