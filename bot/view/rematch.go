package view

import (
	"slices"
	"strconv"

	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// rematchLobby shows the lobby of a rematch while some of its players haven't pressed yet.
func (at channel) rematchLobby() screen.Screen {
	w := at.writer()
	before := at
	before.Seats = at.Last.Seats
	w.Say(screen.Title, "rematch.title", "game", screen.GameName(at.c, at.Rules))
	w.Block(screen.Plain, at.matchLine(w))
	w.Block(screen.Small, at.changedLines(w)...)
	if at.Series != nil && at.Series.Fits(at.Rules, at.Last.Seats) {
		w.Block(screen.Plain, before.seriesLine(w, *at.Series))
	}
	var awaited [][]screen.Span
	for seat, s := range before.Seats {
		if slices.Contains(at.Awaited, s.Player.ID) {
			awaited = append(awaited, SeatName(w, before.Public, seat))
		}
	}
	if len(awaited) > 0 {
		w.Say(screen.Plain, "rematch.awaited", "players", screen.Join(screen.Span{Text: ", "}, awaited))
	}
	if !at.Begins.IsZero() {
		when := screen.Span{Kind: screen.SpanTime, Text: w.Text("time.in", "time", screen.DurationText(w.Catalogue, table.RematchWait)), At: at.Begins.Unix()}
		w.Say(screen.Plain, "meet.begins", "time", when)
	}
	at.offerMore(w)
	private := at.unreached(w)
	w.Block(screen.Small, at.numbers(w))
	at.showSeats(w)
	w.Row(append([]screen.Button{w.Button(at.press(ActJoin), screen.Primary), w.Button(at.press(ActStart), screen.Success)}, private...)...)
	at.lobbyRow(w)
	return w.Screen
}

// seriesLine says how a series stands, or who won it.
func (at channel) seriesLine(w *Writer, s table.Series) []screen.Span {
	if side := s.Winner(); side >= 0 {
		wins := slices.Clone(s.Wins)
		wins = slices.Insert(slices.Delete(wins, side, side+1), 0, s.Wins[side])
		return w.Spans("series.won", "side", SideName(w, at.Public, Sides(at.Rules)[side]), "score", against(wins))
	}
	var pieces [][]screen.Span
	for side, seats := range Sides(at.Rules) {
		pieces = append(pieces, w.Spans("table.side", "side", SideName(w, at.Public, seats), "n", screen.Bold(strconv.Itoa(s.Wins[side]))))
	}
	return w.Spans("series.line", "wins", s.Best/2+1, "sides", screen.Dots(pieces...))
}

// seriesButtons returns the buttons that make the match that is over the first one of a series.
func (at channel) seriesButtons(w *Writer, o table.Outcome) []screen.Button {
	if !o.CanSeries() {
		return nil
	}
	var row []screen.Button
	for i, best := range table.SeriesLengths {
		label := w.Text([...]string{"button.series3", "button.series5"}[i])
		row = append(row, screen.Button{Label: label, Press: Press{Action: ActSeries, Table: at.ID, Place: best}.String()})
	}
	return row
}
