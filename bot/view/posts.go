// Package view turns what a reader may know about a table into neutral screens. Its
// functions receive table.Public or table.Private and never the table. So a screen that
// shows another player's hand does not compile. The screens of finished matches, boards, puzzles and tournaments
// are in their rooms, which use the words for players, moves and points from here.
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

// Reach says how players whom the bot cannot message privately get their hands.
type Reach map[string]Way

// Way is how a player gets their hand.
type Way uint8

// These are the ways to show players their hands, the best first.
const (
	InPrivate Way = iota // by a direct message
	Aside                // in the chat, where only the player sees it
	ByButton             // when the player asks for it
)

// PastPosts returns the posts about the past. All of them are OldOnly, and they are
// the same for p and p.Settled().
func PastPosts(p table.Public) []screen.Post {
	var posts []screen.Post
	for _, chat := range p.Chats {
		if chat.Single {
			continue // its only message is about the present
		}
		past := pastPosts(p, chat)
		if i := slices.IndexFunc(p.Seats, func(s table.Seat) bool { return s.Player.ID == chat.ID }); i >= 0 {
			toOwner(past, p.Seats[i].Player)
		}
		posts = append(posts, past...)
	}
	return posts
}

// PresentPosts returns the posts about the table's current state: those in its chats, and
// the private ones of its players. private returns the table as one player may see it, or
// false if they have no seat there. If idle is true for the post of a hand, the post has no
// screen, because nobody will see it; idle may be nil.
func PresentPosts(p table.Public, private func(player string) (table.Private, bool), unreachable Reach, idle func(screen.Post) bool) []screen.Post {
	posts := make([]screen.Post, 0, 2*len(p.Chats)+len(p.Seats))
	home := map[string]bool{} // chats that are some player's private chat
	for _, chat := range p.Chats {
		if chat.Single {
			posts = append(posts, singlePost(p, chat, unreachable)...)
			continue
		}
		shown := chatPosts(p, chat, unreachable)
		if own, ok := private(chat.ID); ok {
			home[chat.ID] = true
			shown = ownPosts(shown, own)
		}
		posts = append(posts, shown...)
	}
	for no, s := range p.Seats {
		if s.Player.ID != "" && !home[s.Player.ID] {
			posts = append(posts, handPosts(p, no, private, idle)...)
		}
	}
	return posts
}

// toOwner addresses the posts of a player's private chat to that player.
func toOwner(posts []screen.Post, owner table.Player) {
	for i := range posts {
		posts[i].Chat, posts[i].Player = "", posts[i].Chat
		if owner.NoPictures {
			posts[i].Screen = posts[i].Screen.WithoutPicture()
		}
	}
}

// ownPosts returns the posts of a chat that is the player's private one. There the
// table and the player's hand share one message.
func ownPosts(posts []screen.Post, own table.Private) []screen.Post {
	deal := fmt.Sprintf("deal:%d", own.DealNo)
	if own.Turn != own.Seat && own.Phase != table.Lobby { // other players are called in their own chats
		posts = slices.DeleteFunc(posts, func(p screen.Post) bool { return p.Passing && p.Key != deal })
	}
	for i := range posts {
		post := &posts[i]
		if post.Key == deal && own.HasDeal && !dealOver(own.Public) && own.Phase != table.Closed && !own.Seats[own.Seat].Left {
			post.Screen = tableAndHand(own)
		}
		if o := own.Result; o != nil && own.Phase == table.Over && post.Key == fmt.Sprintf("result:%d", own.MatchNo) {
			post.Screen.Won = o.Match.Winner >= 0 && o.Match.Winner == own.Rules.Side(own.Seat)
		}
	}
	toOwner(posts, own.Seats[own.Seat].Player)
	return posts
}

// untaken returns what the others' turns are told of the open trick: what takes it is for a decision.
func untaken(t game.Taking) game.Taking { return game.Taking{Last: t.Last, Points: t.Points} }

// tableAndHand returns the table's screen with the player's own hand, for their private
// chat. In a lesson, it begins with the remark.
func tableAndHand(p table.Private) screen.Screen {
	w := PrivateWriter(p)
	at := dealScreen{channel: channel{Public: p.Public, c: w.Catalogue, face: w.Screen.Face, chat: table.Chat{ID: p.Seats[p.Seat].Player.ID}}}
	var l lesson
	if p.Policy.Coached {
		l = lessonOf(p)
		w.Block(screen.Quote, w.remark(l.texts()))
		if !l.turn {
			at.View.Taking = untaken(at.View.Taking)
		}
	}
	at.marks = marked(p)
	if l.wrong && l.turn { // beside a look back, who is winning and what would be too much: the remark says it
		w.Block(screen.Plain, screen.Dots(screen.Bold(at.turn(w, p.Seat)), takersLine(w, p.View, at.marks), at.clock(w)))
	} else {
		w.Block(screen.Plain, at.firstLine(w, p.Seat))
	}
	if p.Seats[p.Seat].Away {
		w.Say(screen.Plain, "hand.away")
	}
	pause := at.pause(w)
	at.newcomers(w)
	if !p.Policy.Coached { // there, the remarks name the partner
		w.Block(screen.Small, partners(w, p))
	}
	switch { // in a lesson, other words take the place of the previous trick, because of tableLetters
	case l.wrong && l.turn:
		w.Block(screen.Small, w.remark(l.lookBack()))
	case !l.wrong && !(l.turn && len(p.View.Trick) > 0):
		w.Block(screen.Small, at.previousTrick(w))
	}
	w.Block(screen.Small, at.numbers(w))
	at.show(w, p.Seat)
	for _, row := range handRows(w, p) {
		w.Row(row...)
	}
	at.said(w)
	w.Row(slices.Concat(hintButton(w, p), []screen.Button{w.Button(at.press(ActMore), screen.Quiet)}, pause)...)
	return w.Screen
}

// chatPosts returns the posts of one chat that shows the table, in the chat's
// language:
//
//	lobby:<match>       the lobby until the start, then who plays what
//	deal:<deal>         the table while the deal is played, then how it ended, until the next begins
//	call:<deal>:<ply>   notifies the player whose turn it is; deleted automatically
//	warn:<deal>:<ply>   the same, shortly before the AI takes over
//	result:<match>      the result after the match
//	tell:<match>        notifies subscribers of new tables while the match is in the lobby
func chatPosts(p table.Public, chat table.Chat, unreachable Reach) []screen.Post {
	at := channelOf(p, chat)
	at.unreachable = unreachable
	var posts []screen.Post
	if p.Phase == table.Lobby {
		posts = append(posts, at.lobbyPost())
	}
	if p.HasDeal && p.Phase != table.Over && (p.Phase != table.Closed || p.Result == nil) {
		post := screen.Post{Key: fmt.Sprintf("deal:%d", p.DealNo), OldOnly: p.Phase == table.Closed, Passing: true, Brief: p.Brief}
		if dealOver(p) {
			post.Screen = dealScreen{channel: at}.dealEnd(p.Past[len(p.Past)-1])
		} else {
			post.Screen = dealScreen{channel: at}.table()
		}
		posts = append(append(posts, post), at.calls()...)
	}
	if p.Result != nil && p.Phase == table.Over {
		posts = append(posts, at.resultPost())
	}
	if p.Phase == table.Lobby && len(p.Tell) > 0 && chat.ID == p.Chats[0].ID && !chat.Quiet {
		posts = append(posts, screen.Post{Key: fmt.Sprintf("tell:%d", p.MatchNo), Passing: true, Screen: at.news()})
	}
	return AddressTo(posts, chat)
}

// singlePost returns the only post of a chat that has room for one: the latest of those that tell about the table, which
// another chat keeps as messages of their own. Calls have no place in it.
func singlePost(p table.Public, chat table.Chat, unreachable Reach) []screen.Post {
	shows := func(kind string, post screen.Post) bool { return strings.HasPrefix(post.Key, kind+":") }
	all := append(pastPosts(p, chat), chatPosts(p, chat, unreachable)...)
	for _, kind := range []string{"result", "deal", "lobby"} {
		if kind == "result" && p.Phase != table.Over && (p.Phase != table.Closed || p.Result == nil) {
			continue // it is that of an earlier match
		}
		for _, post := range slices.Backward(all) {
			if shows(kind, post) {
				return []screen.Post{{Key: "table", Chat: chat.ID, Screen: post.Screen, Brief: post.Brief}}
			}
		}
	}
	return nil
}

// pastPosts returns the posts of one chat about the past: posts of chatPosts that are
// no longer current.
func pastPosts(p table.Public, chat table.Chat) []screen.Post {
	p = p.Settled() // so that a move doesn't change this post
	at := channelOf(p, chat)
	var posts []screen.Post
	if p.Phase != table.Lobby {
		posts = append(posts, at.lobbyPost())
	}
	if p.Result != nil && p.Phase != table.Over {
		posts = append(posts, at.resultPost())
	}
	if p.Last != nil {
		old := at // the screen as it was then, without the rematch button
		old.Rules, old.Seats = p.Last.Match.Rules, p.Last.Seats
		old.Open = p.Open && p.Last.MatchNo+1 == p.MatchNo
		posts = append(posts, screen.Post{Key: fmt.Sprintf("result:%d", p.Last.MatchNo), OldOnly: true, First: p.Phase == table.Over, Screen: old.result(*p.Last)})
	}
	posts = AddressTo(posts, chat)
	for i := range posts {
		posts[i].Seq = 0 // Bump doesn't send messages about the past again
	}
	return posts
}

func channelOf(p table.Public, chat table.Chat) channel {
	c := lang.For(chat.Lang)
	return channel{Public: p, c: c, face: face.For(face.Face(chat.Face), c.Code(), p.Rules.Deck), chat: chat}
}

// AddressTo sets where the posts of a chat are sent.
func AddressTo(posts []screen.Post, chat table.Chat) []screen.Post {
	for i := range posts {
		posts[i].Chat, posts[i].Seq = chat.ID, chat.Bump
		if chat.NoPictures {
			posts[i].Screen = posts[i].Screen.WithoutPicture()
		}
	}
	return posts
}

func (at channel) lobbyPost() screen.Post {
	post := screen.Post{Key: fmt.Sprintf("lobby:%d", at.MatchNo), OldOnly: at.Phase != table.Lobby}
	if at.Phase == table.Lobby || at.Phase == table.Closed && !at.HasDeal {
		post.Screen, post.Passing = at.lobby(), at.Policy.Private // it goes when its player leaves
		return post
	}
	// A match without a lobby gets this line when it begins. A match that began before
	// tables had such lines does not.
	running := at.Phase == table.Playing || at.Phase == table.Pause
	post.OldOnly = !running || at.Began.IsZero() || at.Policy.Coached
	post.Screen = at.opening()
	return post
}

// opening returns the line that opens a match: who plays what, and since when.
func (at channel) opening() screen.Screen {
	w := at.writer()
	var names [][]screen.Span
	for _, seats := range Sides(at.Rules) {
		side := make([][]screen.Span, len(seats))
		for i, seat := range seats {
			side[i] = at.leveled(w, seat)
		}
		names = append(names, screen.Join(screen.Span{Text: " + "}, side))
	}
	w.Block(screen.Plain, screen.Dots(screen.Text(screen.GameName(at.c, at.Rules)), screen.Join(screen.Span{Text: " – "}, names)))
	about := [][]screen.Span{screen.Text(tableEnd(at.c, at.Public))}
	if at.Daily != nil {
		about = [][]screen.Span{at.dailyLine(w)}
	}
	if at.Round > 0 {
		about = append(about, w.Spans("table.contest", "round", at.Round, "table", at.RoundTable))
	}
	if !at.Began.IsZero() && at.Daily == nil { // the day of the deal is already named
		about = append(about, screen.Text(screen.DayText(at.c, at.Began)))
	}
	w.Block(screen.Small, screen.Dots(about...), Legend(w, at.face))
	if at.Series != nil && at.Series.Fits(at.Rules, at.Seats) && at.Series.Winner() < 0 {
		w.Block(screen.Small, at.seriesLine(w, *at.Series))
	}
	if !slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == at.chat.ID }) {
		// In a group it takes the place of a lobby, whose picture can't be taken out of its message.
		at.showSeats(w)
		w.Screen.Picture.Words = nil // the first line says it
	}
	return w.Screen
}

// leveled returns the name of the player or AI on a seat, and the AI's level.
func (at channel) leveled(w *Writer, seat int) []screen.Span {
	name := faced(w, at.Public, seat)
	if level := at.AILevel(seat); level != "" {
		name = append(name, screen.Text(" ("+levelMark(w, level)+")")...)
	}
	return name
}

func (at channel) resultPost() screen.Post {
	return screen.Post{Key: fmt.Sprintf("result:%d", at.MatchNo), OldOnly: at.Phase != table.Over, Screen: at.result(*at.Result)}
}

// news notifies people who subscribed to new tables here.
func (at channel) news() screen.Screen {
	w := at.writer()
	var who [][]screen.Span
	for _, p := range at.Tell {
		who = append(who, []screen.Span{{Kind: screen.SpanPerson, Person: Person(p)}})
		w.Screen.Notify = append(w.Screen.Notify, Person(p))
	}
	w.Say(screen.Plain, "tell.line", "players", screen.Join(screen.Span{Text: ", "}, who))
	w.Row(w.Button(at.press(ActHush), screen.Quiet))
	return w.Screen
}

// dealOver reports whether the latest deal is among the finished ones.
func dealOver(p table.Public) bool {
	return len(p.Past) > 0 && p.Past[len(p.Past)-1].No == p.DealNo
}

// channel builds the screens of one chat.
type channel struct {
	table.Public
	c           *lang.Catalogue
	face        face.Face
	chat        table.Chat
	unreachable Reach
	beginning   string // the home whose default settings are shown; "": a table's lobby
}

func (at channel) writer() *Writer { return NewWriter(at.c, at.face) }

func (at channel) press(word string) string { return screen.PressOf(word, at.ID) }
