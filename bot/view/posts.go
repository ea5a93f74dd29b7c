package view

import (
	"fmt"
	"slices"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game/table"
)

// Reach tells how those players get their hands whom the bot cannot write to in
// private.
type Reach map[string]Way

// Way is how a player gets his hand.
type Way uint8

// The ways to a player's hand, the best first.
const (
	InPrivate Way = iota // by a direct message
	Aside                // in the chat, where he alone sees it
	ByButton             // when he asks for it
)

// Posts are all messages that should be standing for a table: what its chats
// show, and what each of its players has in private. private is the table's
// answer for one player, false if he does not sit there.
//
// They are PastPosts and PresentPosts.
func Posts(p table.Public, private func(player string) (table.Private, bool), unreachable Reach) []Post {
	return append(PastPosts(p), PresentPosts(p, private, unreachable, seen)...)
}

// seen is the idle of who looks at every screen.
func seen(Post) bool { return false }

// PastPosts are the posts that look back, all of which are OldOnly: they are the
// same for p and p.Settled().
func PastPosts(p table.Public) []Post {
	p = p.Settled()
	var posts []Post
	for _, chat := range p.Chats {
		past := pastPosts(p, chat)
		if slices.ContainsFunc(p.Seats, func(s table.Seat) bool { return s.Player.ID == chat.ID }) {
			toOwner(past)
		}
		posts = append(posts, past...)
	}
	return posts
}

// PresentPosts are those that tell how the table stands now. A hand's post for
// which idle is true has no screen: nobody is going to see it.
func PresentPosts(p table.Public, private func(player string) (table.Private, bool), unreachable Reach, idle func(Post) bool) []Post {
	var posts []Post
	home := map[string]bool{} // chats that are a player's private one
	for _, chat := range p.Chats {
		shown := chatPosts(p, chat, unreachable)
		if own, ok := private(chat.ID); ok {
			home[chat.ID] = true
			shown = ownPosts(shown, own)
		}
		posts = append(posts, shown...)
	}
	for _, s := range p.Seats {
		if s.Player.ID == "" || home[s.Player.ID] {
			continue
		}
		if own, ok := private(s.Player.ID); ok {
			posts = append(posts, handPosts(own, idle)...)
		}
	}
	return posts
}

// toOwner makes posts of a chat that is a player's private one his own.
func toOwner(posts []Post) {
	for i := range posts {
		posts[i].Chat, posts[i].Player = "", posts[i].Chat
	}
}

// ownPosts are the posts of a chat that is the player's private one: the table
// comes with his hand, in one message.
func ownPosts(posts []Post, own table.Private) []Post {
	toOwner(posts)
	deal := fmt.Sprintf("deal:%d", own.DealNo)
	if own.Turn != own.Seat { // who is called, is called in his own chat
		posts = slices.DeleteFunc(posts, func(p Post) bool { return p.Passing })
	}
	for i := range posts {
		post := &posts[i]
		if post.Key == deal && own.HasDeal && !dealOver(own.Public) && own.Phase != table.Closed && !own.Seats[own.Seat].Left {
			post.Screen = withHand(post.Screen, own)
		}
		if own.Seats[own.Seat].Player.NoPictures {
			post.Screen.Picture = nil
		}
	}
	return posts
}

// withHand is the table's screen with the player's own hand on it.
func withHand(s Screen, p table.Private) Screen {
	w := own(p)
	w.screen = s
	w.screen.Rows, w.screen.Places = nil, nil
	w.block(Small, partners(w, p))
	if p.Turn == p.Seat {
		w.block(Plain, awaited(w, p))
	}
	at := channel{Public: p.Public, c: w.Catalogue, face: w.screen.Face}
	w.picture(at.tablePicture(w, p.Seat), at.tableWords(w, p.Seat))
	if p.Lesson {
		w.remarks(p)
	}
	for _, row := range handRows(w, p) {
		w.row(row...)
	}
	there := []string{Press{Action: ActCards, Table: p.ID}.String()} // what needs no second button
	for _, b := range slices.Concat(w.screen.Rows...) {
		there = append(there, b.Press)
	}
	for _, row := range s.Rows {
		w.row(slices.DeleteFunc(slices.Clone(row), func(b Button) bool { return b.Press != "" && slices.Contains(there, b.Press) })...)
	}
	return w.screen
}

// chatPosts are the posts of one chat that shows the table, in its language:
//
//	lobby:<match>       until the start, then one line where it stands
//	deal:<deal>         the table while the deal is played, then its summary
//	call:<deal>:<ply>   calls the one on turn by name; goes away by itself
//	warn:<deal>:<ply>   the same, shortly before the AI takes over
//	result:<match>      after the match
//	tell:<match>        calls those who want to know of new tables, while it is in the lobby
func chatPosts(p table.Public, chat table.Chat, unreachable Reach) []Post {
	at := channelOf(p, chat)
	at.unreachable = unreachable
	var posts []Post
	if p.Phase == table.Lobby {
		posts = append(posts, at.lobbyPost())
	}
	if n := len(p.Past); n > 0 && !at.old(n-1) {
		posts = append(posts, at.dealPost(n-1))
	}
	if p.HasDeal && !dealOver(p) {
		posts = append(posts, Post{Key: fmt.Sprintf("deal:%d", p.DealNo), OldOnly: p.Phase != table.Playing, Screen: at.table()})
		posts = append(posts, at.calls()...)
	}
	if p.Result != nil && p.Phase == table.Over {
		posts = append(posts, at.resultPost())
	}
	if p.Phase == table.Lobby && len(p.Tell) > 0 && chat.ID == p.Chats[0].ID && !chat.Quiet {
		posts = append(posts, Post{Key: fmt.Sprintf("tell:%d", p.MatchNo), Passing: true, Screen: at.news()})
	}
	return address(posts, chat)
}

// pastPosts are the posts of one chat that look back: those of chatPosts that
// have had their time.
func pastPosts(p table.Public, chat table.Chat) []Post {
	at := channelOf(p, chat)
	var posts []Post
	if p.Phase != table.Lobby {
		posts = append(posts, at.lobbyPost())
	}
	for i := range p.Past {
		if at.old(i) {
			posts = append(posts, at.dealPost(i))
		}
	}
	if p.Result != nil && p.Phase != table.Over {
		posts = append(posts, at.resultPost())
	}
	if p.Last != nil {
		old := at // as it was then, without the way to a rematch
		old.Rules, old.Seats = p.Last.Match.Rules, p.Last.Seats
		posts = append(posts, Post{Key: fmt.Sprintf("result:%d", p.Last.MatchNo), OldOnly: true, Screen: old.result(*p.Last)})
	}
	return address(posts, chat)
}

func channelOf(p table.Public, chat table.Chat) channel {
	c := lang.For(chat.Lang)
	return channel{Public: p, c: c, face: face.For(face.Face(chat.Face), c.Code(), p.Rules.Deck), chat: chat}
}

// address says where the posts of a chat stand.
func address(posts []Post, chat table.Chat) []Post {
	for i := range posts {
		posts[i].Chat, posts[i].Seq = chat.ID, chat.Bump
		if chat.NoPictures {
			posts[i].Screen.Picture = nil
		}
	}
	return posts
}

func (at channel) lobbyPost() Post {
	return Post{Key: fmt.Sprintf("lobby:%d", at.MatchNo), OldOnly: at.Phase != table.Lobby, Screen: at.lobby()}
}

// old tells whether a finished deal stands as it is; only the latest may be missing.
func (at channel) old(i int) bool {
	return i < len(at.Past)-1 || at.Past[i].No != at.DealNo || at.Phase != table.Pause
}

func (at channel) dealPost(i int) Post {
	past := at.Past[i]
	return Post{Key: fmt.Sprintf("deal:%d", past.No), OldOnly: at.old(i), First: i == len(at.Past)-1, Screen: at.summary(past)}
}

func (at channel) resultPost() Post {
	return Post{Key: fmt.Sprintf("result:%d", at.MatchNo), OldOnly: at.Phase != table.Over, Screen: at.result(*at.Result)}
}

// news calls those who want to know that a table opens here.
func (at channel) news() Screen {
	w := at.writer()
	var who [][]Span
	for _, p := range at.Tell {
		who = append(who, []Span{{Kind: SpanPerson, Person: person(p)}})
		w.screen.Notify = append(w.screen.Notify, person(p))
	}
	w.say(Plain, "tell.line", "players", joinSpans(Span{Text: ", "}, who))
	return w.screen
}

// dealOver says that the latest deal is among the finished ones.
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
	beginning   string // the home whose settings these are; "": it is a table's lobby
}

func (at channel) writer() *writer { return newWriter(at.c, at.face) }

func (at channel) press(a Action) Press { return Press{Action: a, Table: at.ID} }

// lobby shows who sits where before a match.
func (at channel) lobby() Screen {
	w := at.writer()
	name := GameName(at.c, at.Rules)
	if at.HasDeal {
		w.say(Plain, "lobby.started", "game", name)
		return w.screen
	}
	if at.Page != table.SeatsPage && at.Phase == table.Lobby {
		return settings{at}.page()
	}
	w.say(Title, "lobby.title", "game", name)
	w.block(Small, at.rulesLines(w)...)
	w.block(Plain, at.seatLines(w)...)
	at.drawn(w)
	if at.Phase == table.Closed {
		w.say(Plain, "closed.line")
		return w.screen
	}
	if len(sides(at.Rules)[0]) > 1 {
		w.say(Small, "lobby.partners")
	}
	free, ai := 0, 0
	for _, s := range at.Seats {
		if s.AI != "" {
			ai++
		} else if s.Player.ID == "" {
			free++
		}
	}
	key := "lobby.full"
	if free > 0 {
		key = "lobby.begin"
	}
	w.say(Plain, key, "host", at.host(w))
	private := at.unreached(w)
	alone := slices.ContainsFunc(at.Seats, func(s table.Seat) bool { return s.Player.ID == at.chat.ID })
	if private == nil && free > 0 && !alone {
		private = []Button{{Label: w.Text("button.seat"), Private: SeatPayload + at.ID}}
	}
	row := []Button{w.button(at.press(ActJoin), Primary), w.button(at.press(ActLeave), Quiet)}
	if free > 0 {
		row = append(row, w.button(at.press(ActAI), Quiet))
	}
	if ai > 0 {
		row = append(row, w.button(at.press(ActUnAI), Quiet))
	}
	if at.Rules.Players == 4 && free == 0 && at.Draw == nil {
		row = append(row, at.choice(w.Text("button.draw"), "draw", "partners"))
	}
	w.row(row...)
	w.row(append([]Button{
		w.button(at.press(ActStart), Success), at.choice(w.Text("button.settings"), "page", string(table.GamePage)),
		w.button(at.press(ActRules), Quiet), w.button(at.press(ActClose), Quiet),
	}, private...)...)
	return w.screen
}

// seatLines are the seats, side by side.
func (at channel) seatLines(w *writer) [][]Span {
	var lines [][]Span
	for no, seats := range sides(at.Rules) {
		var pieces [][]Span
		for _, seat := range seats {
			name := seatName(w, at.Public, seat)
			if id := at.Seats[seat].Player.ID; id != "" && id == at.Host {
				name = append(name, text(" ("+w.Text("mark.host")+")")...)
			}
			if level := at.AILevel(seat); level != "" {
				name = append(name, text(" ("+w.Text("level."+level)+")")...)
			}
			pieces = append(pieces, name)
		}
		key, arg := "lobby.seat", "seat"
		if len(seats) > 1 {
			key, arg = "lobby.side", "seats"
		}
		lines = append(lines, w.spans(key, "no", no+1, arg, joinSpans(Span{Text: ", "}, pieces)))
	}
	return lines
}

// host is the host's name.
func (at channel) host(w *writer) []Span {
	for i, s := range at.Seats {
		if s.Player.ID != "" && s.Player.ID == at.Host {
			return seatName(w, at.Public, i)
		}
	}
	return text(w.Text("mark.host"))
}

// unreached says who cannot be written to in private, and returns the button that
// helps if there is anybody.
func (at channel) unreached(w *writer) []Button {
	var who [ByButton + 1][][]Span
	for i, s := range at.Seats {
		if s.Player.ID != "" && !s.Left {
			way := at.unreachable[s.Player.ID]
			who[way] = append(who[way], seatName(w, at.Public, i))
		}
	}
	for _, say := range []struct {
		way Way
		key string
	}{{Aside, "reach.aside"}, {ByButton, "reach.no"}} {
		if players := who[say.way]; len(players) > 0 {
			w.say(Small, say.key, "players", joinSpans(Span{Text: ", "}, players))
		}
	}
	if len(who[Aside])+len(who[ByButton]) == 0 {
		return nil
	}
	return []Button{{Label: w.Text("button.private"), Private: SeatPayload + at.ID}}
}
