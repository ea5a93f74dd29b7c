package view

import (
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
	"sedmabot/game/table"
)

// lobby shows the seats before a match: a picture of the table, the game in a line, and at
// most five buttons. Everything that people need less often is behind Settings and More. If the bot cannot
// message somebody privately, there is one button more, which opens their private chat.
func (at channel) lobby() screen.Screen {
	w := at.writer()
	if at.Policy.Private {
		return at.strangersLobby()
	}
	name := screen.GameName(at.c, at.Rules)
	if at.Page != table.SeatsPage && at.Phase == table.Lobby {
		return settings{at}.page()
	}
	if at.Phase == table.Closed {
		w.Block(screen.Title, screen.Text(name))
		w.Say(screen.Plain, "closed.line")
		at.showSeats(w)
		return w.Screen
	}
	if len(at.Awaited) > 0 && at.Last != nil {
		return at.rematchLobby()
	}
	w.Say(screen.Title, "lobby.title", "game", name)
	w.Block(screen.Plain, at.matchLine(w))
	w.Block(screen.Small, append([][]screen.Span{at.kindLine(w)}, at.changedLines(w)...)...)
	at.drawn(w)
	at.startLine(w)
	private := at.unreached(w)
	w.Block(screen.Small, at.numbers(w))
	at.showSeats(w)
	buttons := []screen.Button{w.Button(at.press(ActJoin), screen.Primary), w.Button(at.press(ActStart), screen.Success)}
	if at.everyone() {
		buttons = buttons[1:]
	}
	w.Row(append(buttons, private...)...)
	var row []screen.Button
	if len(game.Lengths(at.Rules)) > 1 {
		row = append(row, at.choice(w.Text("button.length"), "page", string(table.LengthPage)))
	}
	w.Row(append(row, at.choice(w.Text("button.settings"), "page", string(table.GamePage)), w.Button(at.press(ActMore), screen.Quiet))...)
	return w.Screen
}

// matchLine says how long the match is, and how well the AI plays if it has a seat.
func (at channel) matchLine(w *Writer) []screen.Span {
	pieces := [][]screen.Span{screen.Text(rules.End(at.Rules, at.c)), screen.Text("~" + roughly(w, at.MatchTime(at.Rules)))}
	if !at.everyone() {
		pieces = append(pieces, screen.Text(levelText(w, at.Level)))
	}
	return screen.Dots(pieces...)
}

// everyone reports whether people have all seats.
func (at channel) everyone() bool {
	return !slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == "" })
}

// kindLine says in a few words what the game is like.
func (at channel) kindLine(w *Writer) []screen.Span {
	if kind := "kind." + game.Family(at.Rules.Preset); w.Has(kind) {
		return screen.Text(w.Text(kind))
	}
	return nil
}

// startLine says who starts the match. In the lobby of a rematch after a short, easy match, it
// also offers more.
func (at channel) startLine(w *Writer) {
	free := slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == "" && s.AI == "" })
	first, again := "lobby.full", "lobby.full.rematch"
	if free {
		first, again = "lobby.begin", "lobby.begin.rematch"
	}
	switch {
	case !at.Begins.IsZero():
		at.counting(w)
	case at.MatchNo > 1: // everyone who has a seat may start it
		w.Say(screen.Plain, again)
		at.offerMore(w)
	default:
		w.Say(screen.Plain, first, "host", at.host(w))
	}
}

// offerMore says in the lobby of a rematch after a short, easy match how to get more.
func (at channel) offerMore(w *Writer) {
	if game.Length(at.Rules) == table.FirstLength && at.Level == table.DefaultLevel {
		w.Say(screen.Small, "lobby.offer", "length", screen.Bold(w.Text("button.length")), "settings", screen.Bold(w.Text("button.settings")))
	}
}

// showSeats adds the picture of the seats to the screen, with words that say the same.
func (at channel) showSeats(w *Writer) {
	words := []screen.Block{{Look: screen.Plain, Spans: screen.Join(screen.Span{Kind: screen.SpanBreak}, at.seatLines(w))}}
	if at.chat.NoPictures {
		w.Screen.Picture = &screen.Picture{Words: words} // AddressTo puts the words into the text
		return
	}
	w.Screen.Picture = &screen.Picture{Draw: face.Picture{Face: w.Screen.Face, Lobby: at.seatsPicture(w)}, Alt: NewWriter(at.c, at.face).AltText(words), Words: words}
}

// seatsPicture returns the picture of the seats. In a player's private chat, that player is at
// the bottom.
func (at channel) seatsPicture(w *Writer) *face.Lobby {
	bottom := max(0, slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == at.chat.ID }))
	l := &face.Lobby{Cards: emblem(at.Rules)}
	for i := range at.Seats {
		seat := (bottom + i) % len(at.Seats)
		s := at.Seats[seat]
		l.Seats = append(l.Seats, face.Place{
			Name: Pictured(w, at.Public, seat), Note: at.seatNote(w, seat), Side: at.Rules.Side(seat), Free: s.Player.ID == "" && s.AI == "",
		})
	}
	return l
}

// seatNote returns what a lobby says about a seat beside its name: that the player is the host, or the AI's level.
func (at channel) seatNote(w *Writer, seat int) string {
	if id := at.Seats[seat].Player.ID; id != "" && id == at.Host {
		return w.Text("mark.host")
	}
	if level := at.AILevel(seat); level != "" {
		return levelMark(w, level)
	}
	return ""
}

// emblem returns four cards that a game is known by: those that match any card, or the aces if there are none.
func emblem(r game.Rules) []game.Card {
	ranks := r.Wild.List()
	if len(ranks) == 0 {
		ranks = []game.Rank{'A'}
	}
	var cards []game.Card
	for i, c := range sevens(r.Deck) {
		cards = append(cards, game.NewCard(ranks[i*len(ranks)/4], c.Suit()))
	}
	return cards
}

// seatLines returns a line for each side, with its seats.
func (at channel) seatLines(w *Writer) [][]screen.Span {
	var lines [][]screen.Span
	for no, seats := range Sides(at.Rules) {
		var pieces [][]screen.Span
		for _, seat := range seats {
			name := SeatName(w, at.Public, seat)
			if note := at.seatNote(w, seat); note != "" {
				name = append(slices.Clip(name), screen.Text(" ("+note+")")...)
			}
			pieces = append(pieces, name)
		}
		key, arg := "lobby.seat", "seat"
		if len(seats) > 1 {
			key, arg = "lobby.side", "seats"
		}
		lines = append(lines, w.Spans(key, "no", no+1, arg, screen.Join(screen.Span{Text: ", "}, pieces)))
	}
	return lines
}

// host returns the name of the host, or “the host” if they have no seat.
func (at channel) host(w *Writer) []screen.Span {
	for i, s := range at.Seats {
		if s.Player.ID != "" && s.Player.ID == at.Host {
			return SeatName(w, at.Public, i)
		}
	}
	return screen.Text(w.Text("host.absent"))
}

// unreached says which players the bot cannot message privately. It returns the button
// of privateButton.
func (at channel) unreached(w *Writer) []screen.Button {
	var who [ByButton + 1][][]screen.Span
	for i, s := range at.Seats {
		if s.Player.ID != "" && !s.Left {
			way := at.unreachable[s.Player.ID]
			who[way] = append(who[way], SeatName(w, at.Public, i))
		}
	}
	for _, say := range []struct {
		way Way
		key string
	}{{Aside, "reach.aside"}, {ByButton, "reach.no"}} {
		if players := who[say.way]; len(players) > 0 {
			w.Say(screen.Small, say.key, "players", screen.Join(screen.Span{Text: ", "}, players))
		}
	}
	return at.privateButton(w)
}

// aiButtons returns the buttons that seat the AI, or take it off its seat.
func (at channel) aiButtons(w *Writer) []screen.Button {
	var row []screen.Button
	if slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == "" && s.AI == "" }) {
		row = append(row, w.Button(at.press(ActAI), screen.Quiet))
	}
	if slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.AI != "" }) {
		row = append(row, w.Button(at.press(ActUnAI), screen.Quiet))
	}
	return row
}

// moreLobby returns what a lobby leaves out, for one person: the seats in words, the rules in a line, and what the person
// may do besides joining and starting.
func moreLobby(p table.Public, who Presser, c *lang.Catalogue) screen.Screen {
	at := privately(p, who, c)
	w := at.writer()
	w.Block(screen.Title, screen.Text(screen.GameName(c, p.Rules)))
	w.Block(screen.Plain, at.seatLines(w)...)
	w.Block(screen.Small, at.rulesLines(w)...)
	sits := slices.ContainsFunc(p.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == who.ID })
	shared := slices.ContainsFunc(p.Chats, func(chat table.Chat) bool { return chat.ID == who.Chat && !chat.Quiet })
	row := []screen.Button{w.Button(at.press(ActRules), screen.Quiet)}
	if shared {
		row = append(row, w.Button(at.press(ActTell), screen.Quiet))
	}
	if who.Chat != "" {
		row = append(row, w.Button(at.press(ActBump), screen.Quiet))
	}
	w.Row(row...)
	if sits {
		w.Row(append(at.aiButtons(w), w.Button(at.press(ActLeave), screen.Quiet))...)
	} else if shared && slices.ContainsFunc(p.Seats, func(s table.Seat) bool { return s.Player.ID == "" }) {
		w.Row(screen.Button{Label: w.Text("button.seat"), Private: SeatPayload + p.ID})
	}
	if p.Host == who.ID && sits || who.Manages || who.Removes {
		w.Row(w.Button(at.press(ActClose), screen.Danger))
	}
	return w.Screen
}
