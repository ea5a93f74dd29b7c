package boards

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/store"
)

// boardSize is the number of rows on a page of a leaderboard. nearSize is the number of
// rows shown around the reader's own, if that isn't on the page.
const (
	boardSize = 10
	nearSize  = 5
)

// Command handles /leaderboard. Its words may name a period, a family of games, and "here"
// or "everywhere", in any order. All of them are optional.
func (room *Room) Command(ctx context.Context, in chat.Input) chat.Reply {
	p := Press{Period: league.Seasonal, Family: league.AllGames}
	var family []string
	for _, word := range chat.ArgWords(in, boardOptions()) {
		switch word := strings.ToLower(word); {
		case slices.Contains(league.Periods, word):
			p.Period = word
		case word == "everywhere":
			p.Where = 1
		case word == "here":
		default:
			family = append(family, word)
		}
	}
	if len(family) > 0 {
		name := chat.Plain(strings.Join(family, " "))
		if p.Family = name; !slices.Contains(league.BoardFamilies(), name) {
			for i := range family {
				family[i] = chat.Plain(family[i])
			}
			p.Family = chat.FamilyCalled(family)
		}
		if p.Family == "" {
			return chat.Reply{Toast: in.Text("reply.no_such_game")}
		}
	}
	r := room.ladder(ctx, in, p, in.Chat.Private)
	r.Public = r.Screen != nil && !in.Chat.Private
	return r
}

// Ladder returns a page of a leaderboard.
func (room *Room) Ladder(ctx context.Context, in chat.Input, p Press) chat.Reply {
	return room.ladder(ctx, in, p, true)
}

// ladder is Ladder. alone reports that nobody but the person who asks sees the reply.
func (room *Room) ladder(ctx context.Context, in chat.Input, p Press, alone bool) chat.Reply {
	if !slices.Contains(league.Periods, p.Period) || !slices.Contains(league.BoardFamilies(), p.Family) || p.Where > 1 {
		return in.Refuse(chat.ErrForged)
	}
	home := in.Chat.Home
	if p.Where == 1 {
		home = league.Everywhere
	}
	partition := store.Partition(home)
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(home), store.Key{Partition: partition, Name: league.HallName(home)})
	if err != nil {
		return in.Refuse(err)
	}
	var h doc.Home
	var hall league.Hall
	if err := errors.Join(doc.Decode(docs[0], &h), doc.Decode(docs[1], &hall)); err != nil {
		return in.Refuse(err)
	}
	calendar := league.CalendarOf(h)
	key := calendar.Key(p.Period, room.docs.Now())
	name := league.BoardName(home, p.Family, key)
	medals := hall.Medals(p.Family)
	l := Ladder{Press: p, Size: boardSize, Hall: len(hall.Seasons) > 0 && p.Period == league.Seasonal}
	if end := calendar.End(key); !end.IsZero() {
		l.Resets = end
	}
	standings, total, err := room.docs.Store.Board(ctx, partition, name, p.From, boardSize, "")
	if err != nil {
		return in.Refuse(err)
	}
	l.Total = total
	if l.Rows, err = boardRows(standings, medals, in.Player.ID); err != nil {
		return in.Refuse(err)
	}
	if !slices.ContainsFunc(l.Rows, func(r BoardRow) bool { return r.Me }) {
		near, _, err := room.docs.Store.Board(ctx, partition, name, 0, nearSize, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if l.Near, err = boardRows(near, medals, in.Player.ID); err != nil {
			return in.Refuse(err)
		}
	}
	if p.Where == 1 {
		own, err := room.unname(ctx, in, l.Rows, l.Near)
		if err != nil {
			return in.Refuse(err)
		}
		if alone && slices.ContainsFunc(slices.Concat(l.Rows, l.Near), func(r BoardRow) bool { return r.Me }) {
			l.Seen = seenAs(own)
		}
	}
	screen := Board(l, lang.For(in.Chat.Lang, in.Player.Lang))
	return chat.Reply{Screen: &screen, Replace: true}
}

// seenAs returns how a person appears to people of other chats.
func seenAs(own doc.Player) Seen {
	switch {
	case own.Named():
		return SeenNamed
	case own.Seen == "":
		return SeenAsk
	}
	return SeenUnnamed
}

// unname takes the names of people from rows of a board over all homes, and returns the
// document of the person who asks. Those who agreed to be seen keep their names. So do
// those whom the person who asks knows anyway: they have finished a match in this chat's
// home.
func (room *Room) unname(ctx context.Context, in chat.Input, boards ...[]BoardRow) (own doc.Player, err error) {
	keys := []store.Key{doc.PlayerKey(in.Player.ID)}
	for _, rows := range boards {
		for _, r := range rows {
			keys = append(keys, doc.PlayerKey(r.Person.ID), doc.InHome(in.Chat.Home, doc.MemberName(in.Chat.Home, r.Person.ID)))
		}
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return own, err
	}
	if err := doc.Decode(docs[0], &own); err != nil {
		return own, err
	}
	docs = docs[1:]
	for _, rows := range boards {
		for i := range rows {
			var person doc.Player
			r := &rows[i]
			unsure := doc.Decode(docs[0], &person) != nil // written by a newer version
			member := docs[1].Version != 0
			docs = docs[2:]
			if unsure || !person.Named() && !member && r.Person.ID != in.Player.ID && !league.IsGone(r.Person.ID) {
				r.Person = screen.Person{ID: screen.Unnamed}
			}
		}
	}
	return own, nil
}

// boardRows converts rows of a board for screens.
func boardRows(standings []store.Standing, medals map[string]int, me string) ([]BoardRow, error) {
	rows := make([]BoardRow, 0, len(standings))
	for _, s := range standings {
		var row league.BoardRow
		if err := json.Unmarshal(s.Data, &row); err != nil {
			return nil, err
		}
		against, people := league.PairOf(s.Member)
		rows = append(rows, BoardRow{
			Pair: len(people) > 0, Against: against, Lost: row.Lost,
			Rank: s.Rank, Person: screen.Person{ID: s.Member, Name: row.Name}, Me: s.Member == me, Medal: medals[s.Member],
			Rating: row.Rating, Matches: row.Matches, Wins: row.Wins, Left: row.Left,
			AIMatches: row.AIMatches, AIWins: row.AIWins,
		})
	}
	return rows, nil
}

// Hall returns a home's hall of fame for a family of games, the latest season first. In p,
// Value is the family, and Place 1 means all homes together.
func (room *Room) Hall(ctx context.Context, in chat.Input, p Press) chat.Reply {
	home := in.Chat.Home
	if p.Where == 1 {
		home = league.Everywhere
	}
	if !slices.Contains(league.BoardFamilies(), p.Family) || p.Where > 1 {
		return in.Refuse(chat.ErrForged)
	}
	docs, err := room.docs.Store.Get(ctx, store.Key{Partition: store.Partition(home), Name: league.HallName(home)})
	if err != nil {
		return in.Refuse(err)
	}
	var hall league.Hall
	if err := doc.Decode(docs[0], &hall); err != nil {
		return in.Refuse(err)
	}
	var seasons []HallSeason
	var boards [][]BoardRow
	for _, s := range slices.Backward(hall.Seasons) {
		out := HallSeason{Key: s.Key}
		for _, r := range s.Games[p.Family] {
			out.Places = append(out.Places, BoardRow{Rank: r.Rank, Medal: r.Rank, Rating: r.Rating, Wins: r.Wins, Matches: r.Matches, Person: screen.Person{ID: r.Player, Name: r.Name}})
		}
		boards = append(boards, out.Places)
		if seasons = append(seasons, out); len(seasons) == boardSize {
			break
		}
	}
	if p.Where == 1 {
		if _, err := room.unname(ctx, in, boards...); err != nil {
			return in.Refuse(err)
		}
	}
	screen := Hall(p, seasons, lang.For(in.Chat.Lang, in.Player.Lang))
	return chat.Reply{Screen: &screen, Replace: true}
}
