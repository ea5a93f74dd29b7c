package boards

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// maxReplayed is the maximum number of matches that a week's page replays.
const maxReplayed = 300

// week returns the page of a week in a home, or nil if nobody played a match against people.
// monday is the first moment after the week.
func (p *posting) week(ctx context.Context, home, key string, monday time.Time) (*weekPage, error) {
	var results []league.Result
	var matches []string
	prefix := league.ResultName(home, "")
	for cursor := ""; ; {
		docs, next, err := p.docs.Store.Scan(ctx, store.Partition(home), prefix, cursor)
		if err != nil {
			return nil, err
		}
		for _, stored := range docs {
			var r league.Result
			if err := doc.Decode(stored, &r); err != nil {
				return nil, err
			}
			if r.Week == key {
				results = append(results, r)
				matches = append(matches, strings.TrimPrefix(stored.Key.Name, prefix))
			}
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	w, ok := league.WeekOf(results)
	if !ok {
		return nil, nil
	}
	person := func(id string, n int) weekPlayer {
		return weekPlayer{Person: screen.Person{ID: id, Name: w.Names[id]}, N: n}
	}
	page := &weekPage{
		From: monday.AddDate(0, 0, -7).Format(time.DateOnly), To: monday.AddDate(0, 0, -1).Format(time.DateOnly),
		Matches: w.Matches, Champion: person(w.Champion, w.Stakes), Most: person(w.Most, w.Played),
	}
	for _, match := range matches[:min(len(matches), maxReplayed)] {
		if err := p.replay(ctx, match, page); err != nil {
			return nil, err
		}
	}
	return page, nil
}

// replay replays a match for the comeback of the week and the trick worth most. A match whose
// record was deleted has neither.
func (p *posting) replay(ctx context.Context, match string, page *weekPage) error {
	id, no, ok := doc.ParseMatchID(match)
	key, found := doc.MatchKey(id, no)
	if !ok || !found {
		return nil
	}
	docs, err := p.docs.Store.Get(ctx, key)
	if err != nil || docs[0].Version == 0 {
		return err
	}
	var m doc.Match
	if err := doc.Decode(docs[0], &m); err != nil {
		return err
	}
	var keys []store.Key
	for i := range m.Seeds {
		keys = append(keys, store.Key{Partition: key.Partition, Name: doc.RecordName(id, m.First+i)})
	}
	if docs, err = p.docs.Store.Get(ctx, keys...); err != nil {
		return err
	}
	won := func(seat int) bool {
		return len(m.Scores) > m.Rules.Side(seat) && m.Scores[m.Rules.Side(seat)] == slices.Max(m.Scores)
	}
	behind := 0
	for i, stored := range docs {
		var text json.RawMessage
		if err := doc.Decode(stored, &text); err != nil || stored.Version == 0 {
			return err
		}
		r, err := record.Read(text)
		if err != nil {
			return fmt.Errorf("read a match of the week: %w", err)
		}
		out, err := r.Replay()
		if err != nil || len(out.Deals) != 1 {
			return fmt.Errorf("replay a match of the week: %w", err)
		}
		if i < len(docs)-1 && !m.Rules.Soccer() {
			scores := out.Match.Scores
			for seat := range m.Seats {
				if won(seat) && len(scores) > m.Rules.Side(seat) {
					behind = max(behind, slices.Max(scores)-scores[m.Rules.Side(seat)])
				}
			}
		}
		for _, trick := range out.Deals[0].View.Tricks {
			points := 0
			for _, play := range trick.Plays {
				points += m.Rules.CardPoints.Of(play.Card.Rank())
			}
			if who := m.Seats[trick.Winner].Player; points > page.Best.N && known(who) {
				page.Best = weekPlayer{Person: screen.Person{ID: who.ID, Name: who.Name}, N: points}
			}
		}
	}
	for seat, s := range m.Seats {
		if behind > page.Comeback.N && won(seat) && known(s.Player) {
			page.Comeback = weekPlayer{Person: screen.Person{ID: s.Player.ID, Name: s.Player.Name}, N: behind, Rules: m.Rules}
		}
	}
	return nil
}

// known reports whether a seat has a person whose data hasn't been deleted.
func known(p table.Player) bool { return p.ID != "" && !league.IsGone(p.ID) }
