package view

import (
	"fmt"
	"slices"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// alertLimit is the maximum length of an alert in characters: Telegram's limit of
// answerCallbackQuery (https://core.telegram.org/bots/api#answercallbackquery).
const alertLimit = 200

// handPosts returns the private posts of the player on seat no: "hand:<deal>" shows the hand, with the
// only picture of it. The message is deleted when the deal is over. But if the bot can't
// write to the private chat that should show the table, the message then says how the deal
// ended, and is deleted when the next hand arrives. private isn't called for an idle post.
func handPosts(p table.Public, no int, private func(player string) (table.Private, bool), idle func(screen.Post) bool) []screen.Post {
	if !p.HasDeal {
		return nil
	}
	seat := p.Seats[no]
	post := screen.Post{Key: fmt.Sprintf("hand:%d", p.DealNo), Player: seat.Player.ID, Passing: true}
	post.OldOnly = p.Phase == table.Closed || seat.Left || seat.Player.OnCall
	if dealOver(p) {
		own, sits := private(seat.Player.ID)
		ended, ok := ownEnd(own)
		if !sits || !ok {
			return nil
		}
		post.OldOnly, post.Screen = true, ended
		return []screen.Post{post}
	}
	if idle == nil || !idle(post) {
		own, sits := private(seat.Player.ID)
		if !sits {
			return nil
		}
		post.Screen = handScreen(own)
	}
	return []screen.Post{post}
}

// handScreen returns the screen of a post from handPosts, while the deal is played.
func handScreen(p table.Private) screen.Screen {
	seat := p.Seats[p.Seat]
	s := Hand(p)
	if p.Phase != table.Closed && !seat.Left && !seat.Player.NoPictures {
		w := PrivateWriter(p)
		s.Picture = &screen.Picture{Draw: handPicture(p), Alt: handWords(w, p.View)}
		s.Picture.Draw.Face = s.Face
	}
	return s
}

// HandAside returns the hand of the player on seat no as a chat shows it to that player alone. It is
// sent when the player gets their cards, sent again at each of their turns, and edited
// in between. It reports false if there is no hand. private and idle are the same as
// for PresentPosts.
func HandAside(p table.Public, no int, private func(player string) (table.Private, bool), chat string, idle func(screen.Post) bool) (screen.Post, bool) {
	posts := handPosts(p, no, private, func(screen.Post) bool { return true })
	if len(posts) == 0 {
		return screen.Post{}, false
	}
	post := posts[0]
	post.Chat, post.Seq = chat, p.View.Decisions[no]
	if p.Turn == no {
		post.Seq++
	} else if post.Seq > 0 {
		post.OldOnly = true
	}
	if !idle(post) && len(post.Screen.Blocks) == 0 {
		own, sits := private(post.Player)
		if !sits {
			return screen.Post{}, false
		}
		post.Screen = Hand(own) // without the picture, which is for the player's private chat
	}
	return post, true
}

// PrivateWriter returns a writer in the player's language and face.
func PrivateWriter(p table.Private) *Writer {
	player := p.Seats[p.Seat].Player
	tags := []string{player.Lang}
	if len(p.Chats) > 0 {
		tags = append(tags, p.Chats[0].Lang)
	}
	c := lang.For(tags...)
	return NewWriter(c, face.For(face.Face(player.Face), c.Code(), p.Rules.Deck))
}

// Hand returns the player's own hand: all they need to know to play, and a button for
// each card. Without a running deal it is one line that says so.
func Hand(p table.Private) screen.Screen {
	w := PrivateWriter(p)
	v := p.View
	switch {
	case p.Phase == table.Closed:
		w.Say(screen.Plain, "hand.closed")
		return w.Screen
	case !p.HasDeal:
		w.Say(screen.Plain, "hand.lobby")
		return w.Screen
	case p.Seats[p.Seat].Left:
		w.Say(screen.Plain, "hand.left")
		w.Row(w.Button(screen.PressOf(ActBack, p.ID), screen.Quiet))
		return w.Screen
	case dealOver(p.Public):
		if ended, ok := ownEnd(p); ok {
			return ended
		}
		w.Say(screen.Plain, "hand.over", "no", p.DealInMatch(p.DealNo))
		return w.Screen
	}
	at := dealScreen{channel: channel{Public: p.Public, c: w.Catalogue, face: w.Screen.Face}, marks: marked(p)}
	w.Block(screen.Plain, at.firstLine(w, p.Seat))
	switch {
	case p.Turn != p.Seat:
	case v.Forced:
		w.Say(screen.Plain, "hand.turn.forced")
	case v.Phase == game.Decide:
		w.Say(screen.Small, "hand.continue")
	}
	if p.Seats[p.Seat].Away {
		w.Say(screen.Plain, "hand.away")
	}
	w.Block(screen.Small, screen.Dots(w.Spans("line.deal", "no", p.DealInMatch(p.DealNo)), partners(w, p)))
	if len(v.Trick) > 0 {
		w.Block(screen.Small, ByPlayer(w, p.Public, v.Trick))
	}
	for _, row := range handRows(w, p) {
		w.Row(row...)
	}
	w.Row(hintButton(w, p)...)
	return w.Screen
}

// ownEnd returns the end of the deal or match in words, if the player's private chat
// shows the table. If the bot cannot message the player there, nothing else tells
// them.
func ownEnd(p table.Private) (screen.Screen, bool) {
	i := slices.IndexFunc(p.Chats, func(c table.Chat) bool { return c.ID == p.Seats[p.Seat].Player.ID })
	if i < 0 {
		return screen.Screen{}, false
	}
	at := channelOf(p.Public, p.Chats[i])
	screen := dealScreen{channel: at}.dealEnd(p.Past[len(p.Past)-1])
	if p.Phase == table.Over && p.Result != nil {
		screen = at.result(*p.Result)
	}
	return screen.WithoutPicture(), true
}

// partners names the players on the player's side.
func partners(w *Writer, p table.Private) []screen.Span {
	if p.Rules.Teams == game.SoloKing && p.View.Solo == p.Seat {
		return w.Spans("hand.alone")
	}
	seats := slices.DeleteFunc(Sides(p.Rules)[p.Rules.Side(p.Seat)], func(seat int) bool { return seat == p.Seat })
	if len(seats) == 0 {
		return nil
	}
	return w.Spans("hand.partner", "players", SideName(w, p.Public, seats))
}

// handRows returns the buttons of a hand: the cards in the order of their places, then the other moves. If the leader may
// continue, the cards for it are among the moves, and their buttons say so.
func handRows(w *Writer, p table.Private) [][]screen.Button {
	cards, moves := handButtons(w, p)
	if p.Turn == p.Seat && p.View.Phase == game.Decide {
		var kept, on []screen.Button
		for _, b := range cards {
			if b.Off {
				kept = append(kept, b)
				continue
			}
			b.Label = ContinueLabel(w, b.Card)
			on = append(on, b)
		}
		cards, moves = kept, append(on, moves...)
	}
	return append(screen.InRows(cards), screen.InRows(moves)...)
}

// PressFor returns the press of a player's next move.
func PressFor(p table.Private, m game.Move) string {
	return Press{Action: ActPlay, Table: p.ID, Deal: p.DealNo, Turn: p.View.Decisions[p.Seat], Move: m}.String()
}

// handButtons returns the buttons of a hand: the cards in the order of their places, and the other moves.
func handButtons(w *Writer, p table.Private) (cards, moves []screen.Button) {
	v := p.View
	press := Press{Action: ActPlay, Table: p.ID, Deal: p.DealNo, Turn: v.Decisions[p.Seat]}
	onTurn := p.Turn == p.Seat
	for i, c := range v.Hand {
		if c == 0 {
			continue
		}
		press.Move = game.PlayCard(c)
		b := screen.Button{
			Label: face.Text(w.Screen.Face, c), Card: c, Press: press.String(),
			Off: !onTurn || !slices.Contains(v.Legal, press.Move),
		}
		if onTurn {
			b.Label = markedCard(w, v, c)
		}
		if slices.Contains(v.Hand[:i], c) {
			// The second of two equal cards is named by its place: no platform accepts two buttons with the same
			// data.
			b.Press = Press{Action: ActPlace, Table: p.ID, Deal: p.DealNo, Turn: len(v.Log), Place: i + 1}.String()
		}
		cards = append(cards, b)
	}
	for _, m := range v.Legal {
		if _, ok := m.Card(); ok {
			continue
		}
		press.Move = m
		b := screen.Button{Label: w.Text("button." + m.String()), Press: press.String()}
		if m == game.Stop {
			b.Label = StopLabel(w, v)
		}
		moves = append(moves, b)
	}
	if p.Seats[p.Seat].Away {
		moves = append(moves, w.Button(screen.PressOf(ActBack, p.ID), screen.Success))
	}
	return cards, moves
}

// ChoiceRows returns the buttons for moves of a view, labelled as in a hand: the cards first. press returns the press of the move
// at an index.
func ChoiceRows(w *Writer, v game.View, moves []game.Move, press func(i int) string) [][]screen.Button {
	var cards, others []screen.Button
	for i, m := range moves {
		b := screen.Button{Label: w.Text("button." + m.String()), Press: press(i)}
		c, isCard := m.Card()
		switch {
		case isCard && v.Phase == game.Decide:
			b.Label, b.Card = ContinueLabel(w, c), c
		case isCard:
			b.Label, b.Card = markedCard(w, v, c), c
		case m == game.Stop:
			b.Label = StopLabel(w, v)
		}
		b.Label = screen.Cut(b.Label, screen.LabelLength)
		if isCard && v.Phase != game.Decide {
			cards = append(cards, b)
		} else {
			others = append(others, b)
		}
	}
	return append(screen.InRows(cards), screen.InRows(others)...)
}

// markedCard returns the label of a card: see screen.TakesMark.
func markedCard(w *Writer, v game.View, c game.Card) string {
	text := face.Text(w.Screen.Face, c)
	if takes(v, c) {
		text = screen.TakesMark + " " + text
	}
	return text
}

// hintButton returns the button that asks for a hint, if the player may have one.
func hintButton(w *Writer, p table.Private) []screen.Button {
	if !p.Alone() || p.Policy.NoHints || len(p.View.Legal) < 2 {
		return nil
	}
	return []screen.Button{w.Button(screen.PressOf(ActHint, p.ID), screen.Quiet)}
}

// ContinueLabel says what the leader's card does: it continues the trick.
func ContinueLabel(w *Writer, c game.Card) string {
	return w.Text("button.continue", "card", face.Text(w.Screen.Face, c))
}

// StopLabel says what the leader's stop does: who takes how many points.
func StopLabel(w *Writer, v game.View) string {
	switch {
	case v.Taking.Points == 0:
		return w.Text("button.stop")
	case together(v, v.Winner, v.Seat):
		return w.Text("button.stop.take", "n", v.Taking.Points)
	}
	return w.Text("button.stop.give", "n", v.Taking.Points)
}

// Alert returns the hand in at most 200 characters: the cards with the numbers of
// their places. It is for platforms that can show one person nothing else in a chat.
func Alert(p table.Private) string {
	w := PrivateWriter(p)
	if !p.HasDeal || dealOver(p.Public) || p.Phase == table.Closed || p.Seats[p.Seat].Left {
		return screen.Cut(strings.TrimSpace(screen.Screen{Blocks: Hand(p).Blocks}.String()), alertLimit)
	}
	lines := handWords(w, p.View)
	turn := ""
	if p.Turn == p.Seat {
		turn = w.Text("your." + p.View.Phase.String())
		if p.View.Forced {
			turn = w.Text("hand.turn.forced")
		}
	} else if p.Turn >= 0 {
		turn = screen.PlainText(w.Screen.Face, w.Spans("hand.wait", "player", SeatName(w, p.Public, p.Turn)))
	}
	lines += "\n" + turn
	if p.Turn == p.Seat && len(p.View.Trick) > 0 {
		lines += " · " + screen.PlainText(w.Screen.Face, OpenTrick(w, p.Public, p.View, p.Seat))
	}
	return screen.Cut(lines, alertLimit)
}

// Played tells a player what their press did: the move that they made. design is the one of their cards, or "".
func Played(c *lang.Catalogue, design string, deck game.Deck, move game.Move) string {
	if card, ok := move.Card(); ok {
		return c.Text("played.card", "card", face.Text(face.For(face.Face(design), c.Code(), deck), card))
	}
	return c.Text("played." + move.String())
}
