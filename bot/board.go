package bot

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/store"
)

// boardSize is how many rows a page of a leaderboard shows, nearSize how many of
// those around the reader.
const (
	boardSize = 10
	nearSize  = 5
)

// boardCommand does /leaderboard: the words name a period, a family of games and
// "everywhere", in any order, and none has to be there.
func (b *Bot) boardCommand(ctx context.Context, in Input) Reply {
	p := view.Press{Action: view.ActLadder, What: seasonal, Value: allGames}
	var family []string
	for _, word := range words(in) {
		switch word := strings.ToLower(word); {
		case slices.Contains(periods, word):
			p.What = word
		case word == "everywhere":
			p.Place = 1
		case word == "here":
		default:
			family = append(family, word)
		}
	}
	if len(family) > 0 {
		name := plain(strings.Join(family, " "))
		if p.Value = name; !slices.Contains(boardFamilies(), name) {
			for i := range family {
				family[i] = plain(family[i])
			}
			p.Value = familyCalled(family)
		}
		if p.Value == "" {
			return Reply{Toast: in.Text("reply.no_such_game")}
		}
	}
	r := b.ladder(ctx, in, p)
	r.Public = r.Screen != nil && !in.Chat.Private
	return r
}

// ladder is a page of a leaderboard: What is the period, Value the family, Turn
// the first row, and Place 1 the boards over all homes.
func (b *Bot) ladder(ctx context.Context, in Input, p view.Press) Reply {
	if !slices.Contains(periods, p.What) || !slices.Contains(boardFamilies(), p.Value) || p.Place > 1 {
		return in.Refuse(errForged)
	}
	home := in.Chat.Home
	if p.Place == 1 {
		home = everywhere
	}
	partition := store.Partition(home)
	docs, err := b.docs.Store.Get(ctx, homeKey(home), store.Key{Partition: partition, Name: hallName(home)})
	if err != nil {
		return in.Refuse(err)
	}
	var h homeDoc
	var hall hallDoc
	if err := errors.Join(decode(docs[0], &h), decode(docs[1], &hall)); err != nil {
		return in.Refuse(err)
	}
	calendar := calendarOf(h)
	key := calendar.key(p.What, b.docs.Now())
	name := boardName(home, p.Value, key)
	medals := hall.medals(p.Value)
	l := view.Ladder{Press: p, Size: boardSize, Hall: len(hall.Seasons) > 0 && p.What == seasonal}
	if end := calendar.end(key); !end.IsZero() {
		l.Resets = end
	}
	standings, total, err := b.docs.Store.Board(ctx, partition, name, p.Turn, boardSize, "")
	if err != nil {
		return in.Refuse(err)
	}
	l.Total = total
	if l.Rows, err = boardRows(standings, medals, in.Player.ID); err != nil {
		return in.Refuse(err)
	}
	if !slices.ContainsFunc(l.Rows, func(r view.BoardRow) bool { return r.Me }) {
		near, _, err := b.docs.Store.Board(ctx, partition, name, 0, nearSize, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if l.Near, err = boardRows(near, medals, in.Player.ID); err != nil {
			return in.Refuse(err)
		}
	}
	return Reply{Screen: in.pictured(view.Board(l, lang.For(in.Chat.Lang, in.Player.Lang))), Replace: true}
}

// boardRows are rows of a board as screens show them.
func boardRows(standings []store.Standing, medals map[string]int, me string) ([]view.BoardRow, error) {
	rows := make([]view.BoardRow, 0, len(standings))
	for _, s := range standings {
		var row boardRow
		if err := json.Unmarshal(s.Data, &row); err != nil {
			return nil, err
		}
		rows = append(rows, view.BoardRow{
			Rank: s.Rank, Person: view.Person{ID: s.Member, Name: row.Name}, Me: s.Member == me, Medal: medals[s.Member],
			Rating: row.Rating, Provisional: row.Provisional, Matches: row.Matches, Wins: row.Wins, Stakes: row.Stakes, Sweeps: row.Sweeps,
			AIMatches: row.AIMatches, AIWins: row.AIWins, Left: row.Left,
		})
	}
	return rows, nil
}

// hall is the hall of fame of a home, in a family of games.
func (b *Bot) hall(ctx context.Context, in Input, p view.Press) Reply {
	home := in.Chat.Home
	if p.Place == 1 {
		home = everywhere
	}
	if !slices.Contains(boardFamilies(), p.Value) || p.Place > 1 {
		return in.Refuse(errForged)
	}
	docs, err := b.docs.Store.Get(ctx, store.Key{Partition: store.Partition(home), Name: hallName(home)})
	if err != nil {
		return in.Refuse(err)
	}
	var hall hallDoc
	if err := decode(docs[0], &hall); err != nil {
		return in.Refuse(err)
	}
	var seasons []view.HallSeason
	for _, s := range slices.Backward(hall.Seasons) {
		out := view.HallSeason{Key: s.Key}
		for _, r := range s.Games[p.Value] {
			out.Places = append(out.Places, view.BoardRow{Rank: r.Rank, Medal: r.Rank, Rating: r.Rating, Person: view.Person{ID: r.Player, Name: r.Name}})
		}
		if seasons = append(seasons, out); len(seasons) == boardSize {
			break
		}
	}
	return Reply{Screen: in.pictured(view.Hall(p, seasons, lang.For(in.Chat.Lang, in.Player.Lang))), Replace: true}
}
