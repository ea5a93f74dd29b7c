package view

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
)

// Presser is the person who opens More, as far as it matters there.
type Presser struct {
	ID      string
	Manages bool   // they may close any table in the chat
	Removes bool   // they may take the table out of the chat, which belongs to another home
	Stale   bool   // nobody has done anything for so long that anyone who sits there may close the table
	Chat    string // the chat where they pressed, if it shows the table; otherwise ""
	Page    bool   // they pressed on the table's page, which has no messages to move, and whose result leaves out the coach
}

// moreLetters bounds the text of More. Discord allows 4000 characters, and emojis of cards
// and escaped names take more of them than they show.
const moreLetters = 2000

// More returns what the table's message leaves out, for one person: this deal's tricks,
// the deals so far, and what the person may do at the table. If that is
// too long, it cuts names first, and then leaves out the oldest deals.
func More(p table.Public, who Presser, c *lang.Catalogue) screen.Screen {
	if p.Phase == table.Lobby {
		return moreLobby(p, who, c)
	}
	var s screen.Screen
	for deals := listedDeals; deals > 0; deals /= 2 {
		for _, letters := range nameLengths {
			if s = moreWith(p, who, c, deals, letters); s.Letters() <= moreLetters {
				return s
			}
		}
	}
	return s
}

// moreWith returns the screen of More with that many deals at most, and names of at most
// that many letters. 0 means that names are not cut.
func moreWith(p table.Public, who Presser, c *lang.Catalogue, deals, letters int) screen.Screen {
	at := privately(p, who, c)
	w := at.writer()
	w.NameLetters = letters
	w.Say(screen.Title, "deal.title", "game", screen.GameName(c, p.Rules), "no", p.DealInMatch(p.DealNo))
	about := [][]screen.Span{screen.Text(tableEnd(c, p))}
	if p.Daily != nil {
		about = [][]screen.Span{at.dailyLine(w)}
	}
	if p.Round > 0 {
		about = append(about, w.Spans("table.contest", "round", p.Round, "table", p.RoundTable))
	}
	if p.LastDeal && !p.Policy.OneDeal {
		about = append(about, w.Spans("table.last"))
	}
	w.Block(screen.Small, screen.Dots(about...))
	tricks, over := p.View.Tricks, false
	if dealOver(p) {
		tricks, over = p.Past[len(p.Past)-1].Tricks, p.Past[len(p.Past)-1].Result.LastTrick >= 0
	}
	var lines [][]screen.Span
	for i, trick := range tricks {
		points := w.Text("points", "n", pointsTaken(p, trick, over && i == len(tricks)-1))
		lines = append(lines, w.Spans("more.trick", "no", i+1, "player", SeatName(w, p, trick.Winner), "cards", ByPlayer(w, p, trick.Plays), "points", points))
	}
	w.Block(screen.Quote, lines...)
	at.pastDeals(w, deals)
	at.moreButtons(w, who)
	return w.Screen
}

// privately returns the table for a screen that one person sees, in their language. If they are in a chat of the table,
// cards look as they do there.
func privately(p table.Public, who Presser, c *lang.Catalogue) channel {
	at := channel{Public: p, c: c, face: face.For("", c.Code(), p.Rules.Deck)}
	for _, chat := range p.Chats {
		if chat.ID == who.Chat {
			at = channelOf(p, chat)
			at.c = c
		}
	}
	return at
}

// listedDeals is the maximum number of finished deals that More and Proof list.
const listedDeals = 15

// pastDeals lists the latest finished deals of the match, at most that many: who won what,
// and the score then.
func (at channel) pastDeals(w *Writer, most int) {
	var lines [][]screen.Span
	for _, past := range at.Past[max(0, len(at.Past)-most):] {
		lines = append(lines, screen.Dots(at.dealWon(w, past), PerSide(w, at.Public, "table.score", Sides(at.Rules), past.Totals)))
	}
	w.Block(screen.Plain, lines...)
}

// moreButtons adds the buttons of More, the most wanted first: only those that the person may use.
func (at channel) moreButtons(w *Writer, who Presser) {
	seat := slices.IndexFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID != "" && s.Player.ID == who.ID })
	sits := seat >= 0 && !at.Seats[seat].Left
	running := at.Phase == table.Playing || at.Phase == table.Pause
	host, manages := sits && at.Host == who.ID, who.Manages && !at.Policy.Masked
	at.afterwards(w, who)
	row := []screen.Button{w.Button(at.press(ActRules), screen.Quiet)}
	if who.Chat != "" && running && !who.Page {
		row = append(row, w.Button(at.press(ActBump), screen.Quiet))
	}
	w.Row(row...)
	row = nil
	if !at.Policy.Runs {
		row = at.courseButtons(w, sits, host)
	}
	if at.Policy.Phrases && sits { // with six players, there is no room for one more row
		w.Row(append(row, at.apart(w, who.ID)...)...)
		row = at.phrases(w)
	}
	w.Row(row...)
	if running && (sits || manages) {
		at.kickButtons(w, who)
	}
	row = nil
	if at.HasDeal && !at.Policy.Coached {
		row = append(row, w.Button(at.press(ActProof), screen.Quiet))
	}
	closes := !at.Policy.Hostless && (host || manages || who.Removes || who.Stale && sits) && at.Phase != table.Closed
	if running && sits && !(closes && at.Alone()) { // a player who is alone would only close it
		row = append(row, w.Button(at.press(ActLeave), screen.Quiet))
	}
	if closes {
		row = append(row, w.Button(at.press(ActClose), screen.Danger))
	}
	w.Row(row...)
}

// courseButtons returns the buttons that pause the match or make its deal the last, for a person who sits at the table or
// is its host.
func (at channel) courseButtons(w *Writer, sits, host bool) []screen.Button {
	var row []screen.Button
	running := at.Phase == table.Playing || at.Phase == table.Pause
	switch {
	case !sits || !running:
	case at.Resting:
		row = append(row, w.Button(at.press(ActResume), screen.Success))
	default:
		rest := w.Button(at.press(ActRest), screen.Quiet)
		rest.Label = w.Text("button.pause")
		row = append(row, rest)
	}
	if host && running && !at.LastDeal && !at.Policy.Once {
		row = append(row, w.Button(at.press(ActLast), screen.Quiet))
	}
	return row
}

// kickable returns the seats of the other players whom the person may let the AI replace, alone
// or by a vote. others reports whether there are other players at all.
func kickable(p table.Public, who Presser) (seats []int, others bool) {
	alone := who.Manages && !p.Policy.Masked || p.Host == who.ID
	for i, s := range p.Seats {
		if s.Player.ID == "" || s.Player.ID == who.ID || s.Away || s.Left {
			continue
		}
		others = true
		if alone || !p.Policy.NoVotes && p.Votable(i) {
			seats = append(seats, i)
		}
	}
	return seats, others
}

// kickButtons adds a button for each other player whom the presser may let the AI replace, or in the lobby, whose seat
// they may free.
func (at channel) kickButtons(w *Writer, who Presser) {
	var kicks []screen.Button
	key := "button.kick"
	if at.Phase == table.Lobby {
		key = "button.unseat"
	}
	seats, _ := kickable(at.Public, who)
	names := map[string]int{}
	name := func(seat int) string {
		return screen.Cut(screen.PlainText(w.Screen.Face, SeatName(w, at.Public, seat)), kickLetters)
	}
	for seat := range at.Seats {
		names[name(seat)]++
	}
	for _, seat := range seats {
		name := name(seat)
		if names[name] > 1 { // their seats tell them apart
			name = fmt.Sprintf("%d. %s", seat+1, name)
		}
		kicks = append(kicks, screen.Button{Label: w.Text(key, "player", name), Press: kickPress(at.Public, seat)})
	}
	for _, row := range screen.InRows(kicks) {
		w.Row(row...)
	}
}

// kickPress returns the press that lets the AI play for the player on a seat.
func kickPress(p table.Public, seat int) string {
	return Press{Action: ActKick, Table: p.ID, Place: seat, What: p.Mark(seat)}.String()
}

// Kick lets the reader choose another player. The AI then plays for that player, or in
// the lobby, their seat becomes free. unknown is a name from the reader that nobody at
// the table has, or "".
func Kick(p table.Public, reader Presser, unknown string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	if unknown != "" {
		w.Say(screen.Plain, "kick.unknown", "name", screen.Text(unknown))
	}
	if p.Phase == table.Lobby {
		w.Say(screen.Title, "kick.lobby")
	} else {
		w.Say(screen.Title, "kick.title")
	}
	var row []screen.Button
	seats, others := kickable(p, reader)
	for _, seat := range seats {
		label := fmt.Sprintf("%d. %s", seat+1, screen.PlainText(face.French, SeatName(w, p, seat)))
		row = append(row, screen.Button{Label: screen.Cut(label, screen.LabelLength), Press: kickPress(p, seat)})
	}
	switch {
	case !others:
		w.Say(screen.Plain, "kick.nobody")
	case len(seats) == 0 && p.Policy.NoVotes:
		w.Say(screen.Plain, "refusal."+string(p.Policy.Refusal))
	case len(seats) == 0:
		w.Say(screen.Plain, "refusal.no_vote")
	case p.Policy.Masked:
		w.Say(screen.Plain, "kick.how.strangers")
	default:
		w.Say(screen.Plain, "kick.how")
	}
	for _, r := range screen.InRows(row) {
		w.Row(r...)
	}
	return w.Screen
}

// kickLetters is the maximum length of a name on a button.
const kickLetters = 12

// Proof returns the fingerprint of the running deal and the seeds of the finished ones, and says how to check that the
// cards were dealt as the fingerprints promised.
func Proof(p table.Public, c *lang.Catalogue) screen.Screen {
	at := channel{Public: p, c: c, face: face.French}
	w := at.writer()
	w.Say(screen.Title, "proof.title")
	w.Say(screen.Plain, "proof.how")
	if p.Phase == table.Lobby && p.Draw != nil {
		w.Say(screen.Small, "draw.hash", "hash", fmt.Sprintf("%x", p.Hash))
	}
	if p.HasDeal && !dealOver(p) {
		w.Say(screen.Small, "table.hash", "no", p.DealInMatch(p.DealNo), "hash", fmt.Sprintf("%x", p.Hash))
	}
	if len(at.Past) == 0 || at.Policy.SecretSeeds {
		w.Say(screen.Plain, "proof.none")
		return w.Screen
	}
	for _, past := range at.Past[max(0, len(at.Past)-listedDeals):] {
		w.Block(screen.Small, w.Spans("proof.seed", "no", p.DealInMatch(past.No), "seed", fmt.Sprintf("%x", past.Seed)),
			w.Spans("proof.hash", "hash", fmt.Sprintf("%x", sha256.Sum256(past.Seed[:]))))
	}
	return w.Screen
}

// Ask asks a player before a command that ends the match for somebody, and says what is lost. what is the first word of
// the command's press: ActLeave, ActClose or ActLast.
func Ask(p table.Public, what string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	switch key := "sure." + what; {
	case what == ActLeave && p.Policy.Runs:
		w.Say(screen.Plain, key+".contest")
	case what == ActLeave && p.Alone():
		w.Say(screen.Plain, key+".alone")
	case what == ActClose:
		w.Say(screen.Plain, key, "score", against(p.Scores))
	default:
		w.Say(screen.Plain, key)
	}
	b := w.Button(Press{Action: ActSure, Table: p.ID, What: what}.String(), screen.Danger)
	b.Label = w.Text("button." + what)
	w.Row(b)
	return w.Screen
}

// Answered is what is left of Ask once the player has agreed.
func Answered(what string, c *lang.Catalogue) screen.Screen {
	w := NewWriter(c, face.French)
	w.Say(screen.Plain, map[string]string{ActLeave: "reply.left", ActClose: "hand.closed", ActLast: "table.last"}[what])
	return w.Screen
}
