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
	w.Row(at.sideButtons(w)...)
	private := at.unreached(w)
	w.Block(screen.Small, at.numbers(w))
	at.showSeats(w)
	buttons := []screen.Button{w.Button(at.press(ActJoin), screen.Primary), w.Button(at.press(ActStart), screen.Success)}
	if at.everyone() {
		buttons = buttons[1:]
	}
	w.Row(append(buttons, private...)...)
	at.lobbyRow(w)
	return w.Screen
}

// lobbyRow adds the ways to the lobby's settings, and to More.
func (at channel) lobbyRow(w *Writer) {
	var row []screen.Button
	if len(game.Lengths(at.Rules)) > 1 {
		row = append(row, at.choice(w.Text("button.length"), "page", string(table.LengthPage)))
	}
	w.Row(append(row, at.choice(w.Text("button.settings"), "page", string(table.SettingsPage)), w.Button(at.press(ActMore), screen.Quiet))...)
}

// sideButtons asks two people whether they play together. startLine says how it is now. It returns no buttons if there is
// nothing to ask.
func (at channel) sideButtons(w *Writer) []screen.Button {
	host := slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == at.Host })
	other := slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID != at.Host })
	if !at.Partners() || at.People() != 2 || host < 0 || other < 0 || at.Draw != nil {
		return nil
	}
	row := []screen.Button{
		at.choice(w.Text("button.together"), "with", at.Mark(other)),
		at.choice(w.Text("button.against"), "with", "ai"),
	}
	chosen := 1
	if at.Rules.Side(host) == at.Rules.Side(other) {
		chosen = 0
	}
	row[chosen].Tone, row[chosen].Off = screen.Primary, true
	return row
}

// matchLine says how long the match is, and how well the AI plays if it has a seat on a side of its own and plays other
// than usually.
func (at channel) matchLine(w *Writer) []screen.Span {
	pieces := [][]screen.Span{screen.Text(rules.End(at.Rules, at.c)), screen.Text("~" + roughly(w, at.MatchTime(at.Rules)))}
	if at.MatchNo == 1 && at.Usual != "" && at.Usual == game.Length(at.Rules) {
		pieces = append(pieces, screen.Text(w.Text("lobby.usual")))
	}
	if own, _ := at.filled().levels(); own && at.Level != table.DefaultLevel {
		pieces = append(pieces, screen.Text(levelText(w, at.Level)))
	}
	return screen.Dots(pieces...)
}

// filled returns the table with the AI on the empty seats, as it is once the match starts.
func (at channel) filled() channel {
	at.Seats = slices.Clone(at.Seats)
	for i, s := range at.Seats {
		if s.Player.ID == "" && s.AI == "" {
			at.Seats[i].AI = at.Level
		}
	}
	return at
}

// levels reports whether the AI has a seat where it plays at the table's level, and one as a person's partner.
func (at channel) levels() (own, partner bool) {
	for seat, s := range at.Seats {
		mate := slices.ContainsFunc(Sides(at.Rules)[at.Rules.Side(seat)], func(i int) bool { return at.Seats[i].Player.ID != "" })
		own, partner = own || s.AI != "" && !mate, partner || s.AI != "" && mate
	}
	return own, partner
}

// against says who will play against whom if the match starts now.
func (at channel) against(w *Writer) []screen.Span {
	full := at.filled()
	var sides [][]screen.Span
	for _, seats := range Sides(at.Rules) {
		sides = append(sides, SideName(w, full.Public, seats))
	}
	line := w.Spans("list.and", "some", screen.Join(screen.Span{Text: ", "}, sides[:len(sides)-1]), "last", sides[len(sides)-1])
	if len(sides) == 2 {
		line = w.Spans("lobby.against", "a", sides[0], "b", sides[1])
	}
	if own, partner := full.levels(); own && partner && !at.Policy.Equals && at.Level != table.StandInLevel {
		line = w.Spans("lobby.partner", "sides", line)
	}
	if !at.everyone() {
		line = w.Spans("lobby.now", "sides", line)
	}
	return line
}

// everyone reports whether people have all seats.
func (at channel) everyone() bool {
	return !slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == "" })
}

// kindLine says in a few words what the game is like. It says nothing of the usual game once people have played it here, or
// once two have a seat.
func (at channel) kindLine(w *Writer) []screen.Span {
	if (at.Usual != "" || at.People() > 1) && game.Family(at.Rules.Preset) == "sedma" {
		return nil
	}
	if kind := "kind." + game.Family(at.Rules.Preset); w.Has(kind) {
		return screen.Text(w.Text(kind))
	}
	return nil
}

// startLine says who will play, or if people have all seats, who starts the match. In the lobby of a rematch after a short,
// easy match, it also offers more.
func (at channel) startLine(w *Writer) {
	switch {
	case !at.Begins.IsZero():
		at.counting(w)
		return
	case !at.everyone():
		w.Block(screen.Plain, at.against(w))
	case at.MatchNo == 1:
		w.Say(screen.Plain, "lobby.full", "host", at.host(w))
	}
	if at.MatchNo > 1 { // everyone who has a seat may start it
		w.Say(screen.Plain, "lobby.again")
		at.offerMore(w)
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
	if p.Draw != nil {
		row = append(row, w.Button(at.press(ActProof), screen.Quiet))
	}
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
	if sits || who.Manages {
		at.kickButtons(w, who)
	}
	if p.Host == who.ID && sits || who.Manages || who.Removes {
		w.Row(w.Button(at.press(ActClose), screen.Danger))
	}
	return w.Screen
}
