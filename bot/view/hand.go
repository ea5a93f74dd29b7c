package view

import (
	"fmt"
	"slices"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// alertLimit is the maximum length of an alert in characters: Telegram's limit of
// answerCallbackQuery (https://core.telegram.org/bots/api#answercallbackquery).
const alertLimit = 200

// handPosts returns the private posts of a player. While the deal is played,
// "hand:<deal>" shows the hand, with the only picture of it. After the deal, if it was
// ever sent, it is a line saying that the deal is over. That line is deleted when the
// next hand arrives.
func handPosts(p table.Private, idle func(Post) bool) []Post {
	if !p.HasDeal {
		return nil
	}
	post := Post{Key: fmt.Sprintf("hand:%d", p.DealNo), Player: p.Seats[p.Seat].Player.ID, Passing: true}
	if dealOver(p.Public) {
		post.OldOnly = true
	} else {
		seat := p.Seats[p.Seat]
		post.OldOnly = p.Phase == table.Closed || seat.Left || seat.Player.OnCall
	}
	if !idle(post) {
		post.Screen = handScreen(p)
	}
	return []Post{post}
}

// handScreen returns the screen of a post from handPosts.
func handScreen(p table.Private) Screen {
	w := own(p)
	if !dealOver(p.Public) {
		seat := p.Seats[p.Seat]
		w.screen = Hand(p)
		if p.Phase != table.Closed && !seat.Left && !seat.Player.NoPictures {
			w.picture(handPicture(p), handWords(w, p.View))
		}
		return w.screen
	}
	if ended, ok := ownEnd(p); ok {
		return ended
	}
	key := "hand.over"
	if p.Phase == table.Over {
		key = "hand.match"
	}
	w.say(Plain, key, "no", p.DealNo, "table", p.ID)
	if n := len(p.Past); n > 0 && !p.Seats[p.Seat].Player.NoPictures {
		at := channel{Public: p.Public, c: w.Catalogue, face: w.screen.Face}
		draw, said := at.dealPicture(w, p.Past[n-1]), verdict(w, at.Public, p.Past[n-1])
		if p.Phase == table.Over && p.Result != nil {
			draw, said = at.matchPicture(w, *p.Result), [][]Span{winner(w, at.Public, *p.Result)}
		}
		w.picture(draw, plainText(w.screen.Face, joinSpans(Span{Kind: SpanBreak}, said)))
	}
	return w.screen
}

// HandAside returns a player's hand as a chat shows it to that player alone. It is
// sent when the player gets their cards, sent again at each of their turns, and edited
// in between. It reports false if there is no hand. idle is the same as for
// PresentPosts.
func HandAside(p table.Private, chat string, idle func(Post) bool) (Post, bool) {
	posts := handPosts(p, func(Post) bool { return true })
	if len(posts) == 0 {
		return Post{}, false
	}
	post := posts[0]
	post.Chat, post.Seq = chat, p.View.Decisions[p.Seat]
	if p.Turn == p.Seat {
		post.Seq++
	} else if post.Seq > 0 {
		post.OldOnly = true
	}
	if !idle(post) {
		post.Screen = handScreen(p)
		post.Screen.Picture = nil // a hand is drawn only in its player's private chat
	}
	return post, true
}

// own returns a writer in the player's language and face.
func own(p table.Private) *writer {
	player := p.Seats[p.Seat].Player
	tags := []string{player.Lang}
	if len(p.Chats) > 0 {
		tags = append(tags, p.Chats[0].Lang)
	}
	c := lang.For(tags...)
	return newWriter(c, face.For(face.Face(player.Face), c.Code(), p.Rules.Deck))
}

// Hand returns the player's own hand: all they need to know to play, and a button for
// each card. Without a running deal it is one line that says so.
func Hand(p table.Private) Screen {
	w := own(p)
	v := p.View
	switch {
	case p.Phase == table.Closed:
		w.say(Plain, "hand.closed", "table", p.ID)
		return w.screen
	case !p.HasDeal:
		w.say(Plain, "hand.lobby")
		return w.screen
	case p.Seats[p.Seat].Left:
		w.say(Plain, "hand.left")
		w.row(w.button(Press{Action: ActBack, Table: p.ID}, Quiet))
		return w.screen
	case dealOver(p.Public):
		if ended, ok := ownEnd(p); ok {
			return ended
		}
		w.say(Plain, "hand.over", "no", p.DealNo, "table", p.ID)
		return w.screen
	}
	w.say(Title, "hand.title", "game", GameName(w.Catalogue, p.Rules), "no", p.DealNo, "table", p.ID)
	if p.Seats[p.Seat].Away {
		w.say(Plain, "hand.away")
	}
	w.block(Small, partners(w, p), dots(stockLine(w, v), perSide(w, p.Public, "table.points", sides(p.Rules), pointsSoFar(v))))
	if len(v.Trick) > 0 {
		var plays [][]Span
		best := winningPlay(v)
		for i, play := range v.Trick {
			plays = append(plays, w.spans("hand.play", "player", seatName(w, p.Public, play.Seat), "card", playSpans(w, play, i == best)))
		}
		w.block(Plain, w.spans("hand.trick", "plays", joinSpans(Span{Text: ", "}, plays)), winning(w, p.Public, v))
	}
	w.block(Plain, awaited(w, p))
	for _, row := range handRows(w, p) {
		w.row(row...)
	}
	return w.screen
}

// ownEnd returns the end of the deal or match in words, if the player's private chat
// shows the table. If the bot cannot message the player there, nothing else tells
// them.
func ownEnd(p table.Private) (Screen, bool) {
	i := slices.IndexFunc(p.Chats, func(c table.Chat) bool { return c.ID == p.Seats[p.Seat].Player.ID })
	if i < 0 {
		return Screen{}, false
	}
	at := channelOf(p.Public, p.Chats[i])
	screen := at.summary(p.Past[len(p.Past)-1])
	if p.Phase == table.Over && p.Result != nil {
		screen = at.result(*p.Result)
	}
	screen.Picture = nil
	return screen, true
}

// partners names the players on the player's side.
func partners(w *writer, p table.Private) []Span {
	if p.Rules.Teams == game.SoloKing && p.View.Solo == p.Seat {
		return w.spans("hand.alone")
	}
	seats := slices.DeleteFunc(sides(p.Rules)[p.Rules.Side(p.Seat)], func(seat int) bool { return seat == p.Seat })
	if len(seats) == 0 {
		return nil
	}
	return w.spans("hand.partner", "players", sideName(w, p.Public, seats))
}

// awaited says what the player has to do, or which player they wait for.
func awaited(w *writer, p table.Private) []Span {
	switch {
	case p.Turn == p.Seat && p.View.Forced:
		return bold(w.Text("hand.turn.forced"))
	case p.Turn == p.Seat:
		return bold(w.Text("hand.turn." + p.View.Phase.String()))
	case p.Turn >= 0:
		return w.spans("hand.wait", "player", seatName(w, p.Public, p.Turn))
	}
	return nil
}

// handRows returns the buttons of a hand: the cards in the order of their places, then
// the other moves.
func handRows(w *writer, p table.Private) [][]Button {
	v := p.View
	press := Press{Action: ActPlay, Table: p.ID, Deal: p.DealNo, Turn: v.Decisions[p.Seat]}
	onTurn := p.Turn == p.Seat
	var cards []Button
	for i, c := range v.Hand {
		if c == 0 {
			continue
		}
		press.Move = game.PlayCard(c)
		b := Button{
			Label: face.Text(w.screen.Face, c), Card: c, Press: press.String(),
			Off: onTurn && !slices.Contains(v.Legal, press.Move),
		}
		if slices.Contains(v.Hand[:i], c) {
			// The second of two equal cards is named by its place: no platform accepts two buttons with the same
			// data.
			b.Press = Press{Action: ActPlace, Table: p.ID, Deal: p.DealNo, Turn: len(v.Log), Place: i + 1}.String()
		}
		cards = append(cards, b)
	}
	rows := inRows(cards)
	var more []Button
	for _, m := range v.Legal {
		if _, ok := m.Card(); ok {
			continue
		}
		press.Move = m
		b := Button{Label: w.Text("button." + m.String()), Press: press.String()}
		if m == game.Stop {
			b.Tone = Danger
		}
		more = append(more, b)
	}
	if p.Seats[p.Seat].Away {
		more = append(more, w.button(Press{Action: ActBack, Table: p.ID}, Success))
	}
	if p.Alone() && p.Daily == nil && len(v.Legal) > 1 {
		more = append(more, w.button(Press{Action: ActHint, Table: p.ID}, Quiet))
	}
	if len(more) > 0 {
		rows = append(rows, more)
	}
	return rows
}

// Alert returns the hand in at most 200 characters: the cards with the numbers of
// their places. It is for platforms that can show one person nothing else in a chat.
func Alert(p table.Private) string {
	w := own(p)
	if !p.HasDeal || dealOver(p.Public) || p.Phase == table.Closed || p.Seats[p.Seat].Left {
		return cut(strings.TrimSpace(Screen{Blocks: Hand(p).Blocks}.String()), alertLimit)
	}
	lines := handWords(w, p.View)
	turn := ""
	if p.Turn == p.Seat {
		turn = w.Text("hand.turn." + p.View.Phase.String())
		if p.View.Forced {
			turn = w.Text("hand.turn.forced")
		}
	} else if p.Turn >= 0 {
		turn = plainText(w.screen.Face, awaited(w, p))
	}
	lines += "\n" + turn
	if p.Turn == p.Seat && len(p.View.Trick) > 0 {
		lines += "\n" + plainText(w.screen.Face, winning(w, p.Public, p.View))
	}
	return cut(lines, alertLimit)
}

// Played tells a player what their press did. c is the card that they played from
// their hand. If it is zero, the deal's latest move was theirs and not a card.
func Played(p table.Private, c game.Card) string {
	w := own(p)
	if c != 0 {
		return w.Text("played.card", "card", face.Text(w.screen.Face, c))
	}
	move := game.Stop
	if log := p.View.Log; len(log) > 0 && log[len(log)-1].Seat == p.Seat {
		move = log[len(log)-1].Move
	}
	return w.Text("played." + move.String())
}

// Advice is a move with its expected result: the player's side minus the others, in
// units of the score.
type Advice struct {
	Move  game.Move
	Score float64
}

// adviceText returns choices with their scores. Choices with equal scores are grouped.
func adviceText(w *writer, choices []Advice) string {
	var groups []string
	for i := 0; i < len(choices); {
		names := []string{moveText(w, choices[i].Move)}
		score := expected(w, choices[i].Score)
		for i++; i < len(choices) && expected(w, choices[i].Score) == score; i++ {
			names = append(names, moveText(w, choices[i].Move))
		}
		groups = append(groups, strings.Join(names, ", ")+" "+score)
	}
	return strings.Join(groups, " · ")
}

// moveText returns a move in a word.
func moveText(w *writer, m game.Move) string {
	if c, ok := m.Card(); ok {
		return face.Text(w.screen.Face, c)
	}
	return w.Text("button." + m.String())
}

// unitKey returns the text key of the unit that a score is counted in.
func unitKey(r game.Rules) string {
	switch r.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra:
		return "unit.stakes"
	default:
		return "unit.points"
	}
}

// expected returns an expected score with its sign.
func expected(w *writer, score float64) string { return decimal(w, fmt.Sprintf("%+.2f", score)) }

// decimal returns a number as the language writes it.
func decimal(w *writer, n string) string {
	return strings.NewReplacer("-", "−", ".", w.Text("decimal")).Replace(n)
}

// plainText returns spans in plain words.
func plainText(f face.Face, spans []Span) string {
	return strings.TrimSpace(Screen{Blocks: []Block{{Spans: spans}}, Face: f}.String())
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}
