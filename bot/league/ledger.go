// Package league computes what follows from match results: ratings, statistics, weekly,
// monthly and seasonal boards, and the hall of fame. It neither loads nor commits
// documents. Its functions take loaded documents, and return values, writes and board
// rows for the caller to commit.
//
// Each home has a ledger of results. Ratings, statistics and boards are computed from
// the ledger in order, so they can be recomputed. Start with [Result] and [Enter] in
// this file, then [Member]. period.go and hall.go handle periods and seasons, feat.go
// the feats of players, and try.go the deal of the day.
package league

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Result is the entry of a finished match in one home's ledger. Ratings, statistics and
// boards are computed only from these entries, in the order of their numbers. So all of
// them can be computed again.
type Result struct {
	No     int            `json:"no"` // from 1, in the order in which the home's matches ended
	At     time.Time      `json:"at"`
	Family string         `json:"family"`
	Week   string         `json:"week"` // the keys of the periods in which it counts, by the home's calendar at that time
	Month  string         `json:"month"`
	Season string         `json:"season"`
	Seats  []ResultSeat   `json:"seats"`
	Took   table.DealTime `json:"took,omitzero"`   // how many of its deals were timed, and their time
	Homes  []string       `json:"homes,omitempty"` // in the ledger of the table's home: other homes whose ledgers still need this match
}

// ResultSeat is the result of a match for one seat.
type ResultSeat struct {
	Player string `json:"player,omitempty"` // "" for an AI
	Name   string `json:"name,omitempty"`
	Side   int    `json:"side"`
	Rank   int    `json:"rank"` // the side's place, from 1; sides with the same place are tied
	Won    bool   `json:"won,omitempty"`
	Gone   bool   `json:"gone,omitempty"` // the player was absent at the end, which counts as a loss
	Stakes int    `json:"stakes,omitempty"`
	Sweeps int    `json:"sweeps,omitempty"` // deals in which the player's side took every trick

	Feats []string `json:"feats,omitempty"` // the player's feats in this match: see feat.go
}

// ResultName returns the name of a match's document in a home's ledger. It is also the id
// of the job that enters the match in the ledgers of other homes.
func ResultName(home, match string) string { return "result:" + home + "|" + match }

// IsGone reports whether a player id is a tombstone. It replaces a player whose data was
// deleted in documents that others share.
func IsGone(player string) bool { return strings.HasPrefix(player, table.Gone) }

// Families returns the families of games in which the match counts.
func (r Result) families() []string { return []string{AllGames, r.Family} }

func (r Result) withAI() bool {
	return slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Player == "" })
}

func (r Result) unfinished() bool {
	return slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Gone })
}

// ResultOf returns the result of a table's finished match.
func ResultOf(t table.Table, over table.MatchOver, now time.Time) Result {
	rules := over.Match.Rules
	r := Result{At: now, Family: game.Family(rules.Preset), Took: table.Timed(t.Past), Homes: append([]string{Everywhere}, t.Guests()...)}
	ranks := ranksOf(over.Match)
	for seat, s := range over.Seats {
		side := rules.Side(seat)
		out := ResultSeat{Side: side, Rank: ranks[side], Stakes: over.Payments[seat]}
		if s.AI == "" {
			out.Player, out.Name = s.Player.ID, s.Player.Name
			out.Won = slices.Contains(over.Winners, seat)
		}
		if out.Player != "" && (s.Left || s.Away) {
			out.Gone, out.Won, out.Stakes = true, false, min(0, out.Stakes)
		}
		for _, past := range t.Past {
			if side := sweeper(past); side >= 0 && slices.Contains(past.Score.Sides[side], seat) {
				out.Sweeps++
			}
		}
		if out.Player != "" && !out.Gone {
			out.Feats = featsOf(t.Past, over, seat)
		}
		r.Seats = append(r.Seats, out)
	}
	return r
}

// ranksOf returns the place of each score in a match that is over.
func ranksOf(m game.Match) []int {
	ranks := make([]int, len(m.Scores))
	for i, score := range m.Scores {
		ranks[i] = 1
		for j, other := range m.Scores {
			if j != i && i != m.Winner && (other > score || j == m.Winner) {
				ranks[i]++
			}
		}
	}
	return ranks
}

// sweeper returns the side of past.Score.Sides that took every trick of the deal, or -1.
func sweeper(past table.Past) int {
	if past.Result.End != game.EndPlayed {
		return -1
	}
	side := -1
	for i, n := range past.Result.TricksWon {
		switch {
		case n > 0 && side >= 0:
			return -1
		case n > 0:
			side = i
		}
	}
	return side
}

// People returns the ids of the human players, in the order of their seats.
func (r Result) People() []string {
	var ids []string
	for _, s := range r.Seats {
		if s.Player != "" {
			ids = append(ids, s.Player)
		}
	}
	return ids
}

// AddTo adds the time of the match to the times of its home. A match that someone left
// doesn't count: it was faster without them.
func (r Result) AddTo(times table.DealTimes) table.DealTimes {
	if r.unfinished() {
		return times
	}
	return times.Add(table.TimeKey(r.Family, len(r.Seats), len(r.People())), r.Took)
}

// MemberKeys returns the keys of the players' documents in a home: their Member documents,
// then their Skill documents. The board over all homes has no Skill.
func (r Result) MemberKeys(home string) []store.Key {
	var keys []store.Key
	for _, id := range r.People() {
		keys = append(keys, doc.InHome(home, doc.MemberName(home, id)))
	}
	if home != Everywhere {
		for _, id := range r.People() {
			keys = append(keys, doc.InHome(home, SkillName(home, id)))
		}
	}
	return keys
}

// Apply counts and rates a match for its players, all of whom are in members.
func (r Result) Apply(home string, members map[string]*Member) {
	r.rate(members)
	for seat, s := range r.Seats {
		if s.Player != "" {
			members[s.Player].count(r, seat, home != Everywhere)
		}
	}
}

// Rule is the number of the rule by which this program rates. If the members of a home were rated by another one, they
// are rated again, once, from the ledger: see [RateJob].
const Rule = 1

// Restamp makes a result count in the season of the home's boards in which its match ended. Earlier versions counted it in
// another one after the home had changed the length of its seasons.
func (r *Result) Restamp(h doc.Home) {
	open, ok := openSeason(h)
	own, stamped := seasonOf(r.Season)
	month := CalendarOf(h).monthOf(r.At)
	if ok && stamped && own.months != open.months && month >= open.first && month < open.first+open.months {
		r.Season = open.key()
	}
}

// RateJob returns the id of the job that rates a home's members again.
func RateJob(home string) string { return "rate:" + home }

// marksAfter is how long after a result the marks of a home's members change. A few results
// change them once.
const marksAfter = 30 * time.Second

// Enter enters a match in a home's ledger. It adds to c the result, the players' documents,
// which docs has by the keys of MemberKeys, and their board rows. For each new period it also adds the time of
// the home's boards job. It changes h, which the caller must write. It returns the feats
// that players did for the first time, and what the match changed for them.
func Enter(h *doc.Home, c *store.Change, home, match string, r Result, docs []store.Doc) ([]table.First, []table.Gain, error) {
	Turn(h, c.Now)
	calendar := CalendarOf(*h)
	switch {
	case h.Played == 0:
		h.Rated = Rule
	case h.Rated != Rule:
		c.Due = append(c.Due, store.Mark{ID: RateJob(home), At: c.Now})
	}
	if h.Marks {
		c.Due = append(c.Due, store.Mark{ID: MarksJob(home), At: c.Now.Add(marksAfter)})
	}
	h.Played++
	r.No = h.Played
	r.Week, r.Month, r.Season = calendar.Key(Weekly, r.At), calendar.Key(Monthly, r.At), calendar.Key(Seasonal, r.At)
	for _, key := range []string{r.Week, r.Month, r.Season} {
		if !slices.Contains(h.Periods, key) {
			h.Periods = append(h.Periods, key)
			c.Due = append(c.Due, store.Mark{ID: BoardsJob(home), At: calendar.End(key)})
		}
	}
	members := map[string]*Member{}
	for i, id := range r.People() {
		members[id] = &Member{}
		if err := doc.Decode(docs[i], members[id]); err != nil {
			return nil, nil, err
		}
	}
	h.Times = r.AddTo(h.Times)
	before := r.shown(members)
	r.Apply(home, members)
	for i, id := range r.People() {
		rows, err := members[id].Rows(home, id, r.families()...)
		if err != nil {
			return nil, nil, err
		}
		c.Rows = append(c.Rows, rows...)
		c.Writes = append(c.Writes, store.Write{Name: docs[i].Key.Name, Expect: docs[i].Version, Data: doc.Encode(members[id])})
	}
	for _, stored := range docs[len(members):] {
		var skill Skill
		if err := doc.Decode(stored, &skill); err != nil {
			return nil, nil, err
		}
		skill.Latest = append(skill.Latest, match)
		skill.Latest = skill.Latest[max(0, len(skill.Latest)-MaxLatest):]
		c.Writes = append(c.Writes, store.Write{Name: stored.Key.Name, Expect: stored.Version, Data: doc.Encode(skill)})
	}
	c.Writes = append(c.Writes, store.Write{Name: ResultName(home, match), Expect: 0, Data: doc.Encode(r)})
	return r.firsts(members), r.gains(members, before), nil
}

// shown returns the displayed ratings of a match's players in its family of games, as they enter the match: what a new
// season took from their certainty isn't the match's doing.
func (r Result) shown(members map[string]*Member) map[string]int {
	ratings := map[string]int{}
	for id, m := range members {
		ratings[id] = m.ratingFor(r.Family, r.Season).Shown()
	}
	return ratings
}

// gains returns what a match changed for its players. It must already be counted in members; before is the result of
// shown at the time before.
func (r Result) gains(members map[string]*Member, before map[string]int) []table.Gain {
	if r.withAI() {
		return nil
	}
	var all []table.Gain
	for seat, s := range r.Seats {
		m := members[s.Player]
		gain := table.Gain{Seat: seat, Run: m.Run}
		if known, rated := m.Ratings[r.Family]; rated {
			gain.Rating, gain.By = known.Shown(), known.Shown()-before[s.Player]
		}
		all = append(all, gain)
	}
	return all
}

// ResultOfMatch computes a match's result from its records. It returns false if a record
// is missing or can't be replayed.
func ResultOfMatch(m doc.Match, id string, records map[string]json.RawMessage) (Result, bool) {
	t, over := table.Table{ID: id}, table.MatchOver{}
	over.Seats = m.Seats
	for i := range m.Seeds {
		text, ok := records[fmt.Sprintf("%s:%d", id, m.First+i)]
		if !ok {
			return Result{}, false
		}
		r, err := record.Read(text)
		if err != nil {
			return Result{}, false
		}
		out, err := r.Replay()
		if err != nil || len(out.Deals) != 1 {
			return Result{}, false
		}
		past := table.Past{No: m.First + i, Score: out.Deals[0].Settlement, Totals: out.Match.Scores}
		past.Result, _ = out.Deals[0].State.Result()
		t.Past = append(t.Past, past)
		over.Match = out.Match
		if over.Payments == nil {
			over.Payments = make([]int, len(m.Seats))
		}
		for seat, n := range out.Payments {
			over.Payments[seat] += n
		}
	}
	if len(t.Past) == 0 {
		return Result{}, false
	}
	if !over.Match.Over {
		over.Match = over.Match.Finish() // the host ended the match early
	}
	over.Match.Rules = m.Rules
	for seat := range m.Seats {
		if over.Match.Winner >= 0 && m.Rules.Side(seat) == over.Match.Winner {
			over.Winners = append(over.Winners, seat)
		}
	}
	r := ResultOf(t, over, m.At)
	r.Homes = append(r.Homes, m.Guests...)
	return r, true
}
