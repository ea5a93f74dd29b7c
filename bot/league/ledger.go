// Package league computes what follows from match results: ratings, statistics, weekly,
// monthly and seasonal boards, and the hall of fame. It neither loads nor commits
// documents. Its functions take loaded documents, and return values, writes and board
// rows for the caller to commit.
//
// Each home has a ledger of results. Ratings, statistics and boards are computed from
// the ledger in order, so they can be recomputed. Start with [Result] and [Enter] in
// this file, then [Member]. period.go and hall.go handle periods and seasons, feat.go
// the feats of players, strength.go how strong the AI's seats are, and try.go the deal of the day.
//
// A match counts as won for a player if their side won it and they played it: they were there at the end, they didn't
// take an AI's seat, and the AI made at most a fifth of their choices. Otherwise it counts as played. Boards, statistics
// with and against others, and achievements use this one rule, so their numbers add up: see settle. A match with a
// partner counts as won if it does for both.
//
// A rating is shown and ranks its player after ten rated matches. Before that, boards order by wins.
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
	Dated  string         `json:"dated,omitempty"` // when the strengths of the AI's seats were measured; "": none is stored
	Took   table.DealTime `json:"took,omitzero"`   // how many of its deals were timed, and their time
	Rule   int            `json:"rule,omitempty"`  // number of the rule by which it is rated; 0: the one before rules had numbers here
	Homes  []string       `json:"homes,omitempty"` // in the ledger of the table's home: other homes whose ledgers still need this match
}

// ResultSeat is the result of a match for one seat.
type ResultSeat struct {
	Player string `json:"player,omitempty"` // "" for an AI
	Name   string `json:"name,omitempty"`
	AI     string `json:"ai,omitempty"` // the AI's level; with Player: the player took the AI's seat during the match

	Strength float64 `json:"strength,omitempty"` // mean rating of AI

	Side   int  `json:"side"`
	Rank   int  `json:"rank"` // the side's place, from 1; sides with the same place are tied
	Won    bool `json:"won,omitempty"`
	Gone   bool `json:"gone,omitempty"`   // the player was absent at the end, which counts as a loss
	Absent bool `json:"absent,omitempty"` // the AI made more than a fifth of the player's choices
	Stakes int  `json:"stakes,omitempty"`
	Sweeps int  `json:"sweeps,omitempty"` // deals in which the player's side took every trick

	Feats []string `json:"feats,omitempty"` // the player's feats in this match: see feat.go
}

// ResultName returns the name of a match's document in a home's ledger. It is also the id
// of the job that enters the match in the ledgers of other homes.
func ResultName(home, match string) string { return "result:" + home + "|" + match }

// IsGone reports whether a player id is a tombstone. It replaces a player whose data was
// deleted in documents that others share. People who played together are gone if one of them is.
func IsGone(player string) bool {
	_, people := PairOf(player)
	return strings.HasPrefix(player, table.Gone) || slices.ContainsFunc(people, IsGone)
}

// Families returns the families of games in which the match counts.
func (r Result) families() []string { return []string{AllGames, r.Family} }

// between reports whether the match is rated: there are people on at least two sides. Before rule 2, an AI's seat kept a
// match from being rated.
func (r Result) between() bool {
	sides := map[int]bool{}
	for _, s := range r.Seats {
		if s.Player != "" {
			sides[s.Side] = true
		} else if r.Rule < rulePeople {
			return false
		}
	}
	return len(sides) > 1
}

// pairMark begins the id of people who played together against the AI. They are a member of their own.
const pairMark = "pair:"

// pairID returns the id of people who played together against an AI of that level.
func pairID(level string, people []string) string {
	slices.Sort(people)
	return pairMark + level + ":" + strings.Join(people, "+")
}

// PairOf returns the people of a member's id, and the level of the AI they played against. If it is a person's id, people
// is empty.
func PairOf(id string) (level string, people []string) {
	rest, pair := strings.CutPrefix(id, pairMark)
	if !pair {
		return "", nil
	}
	level, ids, _ := strings.Cut(rest, ":")
	return level, strings.Split(ids, "+")
}

// pair returns the id of the people if they played together against the AI, or "". On the boards over all homes, such
// people have no row together.
func (r Result) pair(home string) string {
	level := ""
	for _, s := range r.Seats {
		if s.Player == "" && s.Side != r.side() {
			level = s.AI
		}
	}
	if people := r.People(); len(people) > 1 && r.Rule >= rulePeople && !r.between() && home != Everywhere && home != Strangers {
		return pairID(level, people)
	}
	return ""
}

// side returns the side of the first person.
func (r Result) side() int {
	return r.Seats[slices.IndexFunc(r.Seats, func(s ResultSeat) bool { return s.Player != "" })].Side
}

// Members returns the ids of the members of a home for whom the match counts: the people, in the order of their seats, and
// those who played together against the AI.
func (r Result) Members(home string) []string {
	ids := r.People()
	if pair := r.pair(home); pair != "" {
		ids = append(ids, pair)
	}
	return ids
}

func (r Result) unfinished() bool {
	return slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Gone })
}

// ResultOf returns the result of a table's finished match.
func ResultOf(t table.Table, over table.MatchOver, now time.Time) Result {
	rules := over.Match.Rules
	r := Result{At: now, Rule: Rule, Family: game.Family(rules.Preset), Took: table.Timed(t.Past), Homes: append([]string{Everywhere}, t.Guests()...)}
	ranks := ranksOf(over.Match)
	for seat, s := range over.Seats {
		side := rules.Side(seat)
		out := ResultSeat{Side: side, Rank: ranks[side], Stakes: over.Payments[seat]}
		if s.AI == "" {
			out.Player, out.Name = s.Player.ID, s.Player.Name
			out.Won = slices.Contains(over.Winners, seat)
			out.AI, out.Absent = s.Was, s.Was == "" && seat < len(over.Choices) && over.Choices[seat].Missed()
		} else {
			out.AI = t.Policy.LevelOf(over.Seats, rules, game.Nobody, seat)
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
	r.measure()
	return r
}

// measure sets the strengths of the AI's seats. If an earlier version entered the result, their levels aren't known: then
// they are those that most tables have.
func (r *Result) measure() {
	r.Seats = slices.Clone(r.Seats)
	for i, s := range r.Seats {
		if s.Player == "" && s.AI == "" {
			s.AI = table.DefaultLevel
			if slices.ContainsFunc(r.Seats, func(o ResultSeat) bool { return o.Player != "" && o.Side == s.Side }) {
				s.AI = table.StandInLevel
			}
		}
		if s.AI != "" && s.Strength == 0 {
			s.Strength, r.Dated = strengthOf(s.AI, len(r.Seats)), measured
		}
		r.Seats[i] = s
	}
}

// Again returns the result as a ledger stores it, computed from the match's records; was is the stored one. Records don't say
// when the match counts, by which rule, and how strong the AI was then.
func (r Result) Again(was Result) Result {
	r.No, r.Week, r.Month, r.Season, r.Homes, r.Took, r.Rule = was.No, was.Week, was.Month, was.Season, was.Homes, was.Took, was.Rule
	r.Seats = slices.Clone(r.Seats)
	for i := range min(len(r.Seats), len(was.Seats)) {
		own, stored := &r.Seats[i], was.Seats[i]
		switch {
		case r.Rule < rulePeople:
			own.AI, own.Strength, own.Absent, r.Dated = stored.AI, stored.Strength, stored.Absent, was.Dated
		case own.AI == stored.AI && stored.Strength != 0:
			own.Strength, r.Dated = stored.Strength, was.Dated
		}
	}
	return r
}

// Rerate makes the result one of this program's rule.
func (r *Result) Rerate() {
	r.Rule = Rule
	r.measure()
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
	r.Rule = Rule // the home's own rule, which may need fewer, isn't known yet
	var keys []store.Key
	for _, id := range r.Members(home) {
		keys = append(keys, doc.InHome(home, doc.MemberName(home, id)))
	}
	if home != Everywhere {
		for _, id := range r.People() {
			keys = append(keys, doc.InHome(home, SkillName(home, id)))
		}
	}
	return keys
}

// Apply counts and rates a match for its players. All of [Result.Members] are in members.
func (r Result) Apply(home string, members map[string]*Member) {
	r = r.settled()
	r.rate(members)
	pair := r.pair(home)
	for seat, s := range r.Seats {
		if s.Player != "" {
			members[s.Player].count(r, seat, home != Everywhere, pair != "")
		}
	}
	if pair != "" {
		members[pair].countPair(r)
	}
}

// settled returns the result with its seats settled.
func (r Result) settled() Result {
	r.Seats = slices.Clone(r.Seats)
	for i := range r.Seats {
		r.Seats[i].settle(r.Rule)
	}
	return r
}

// settle takes the win from a player who played too little of the match, and the feats of their side.
func (s *ResultSeat) settle(rule int) {
	switch {
	case s.Player == "":
	case rule < rulePeople:
		s.AI, s.Absent = "", false
	case s.AI != "" || s.Absent:
		s.Won, s.Stakes = false, min(0, s.Stakes)
		if rule >= ruleWon {
			s.Feats = slices.DeleteFunc(slices.Clone(s.Feats), func(feat string) bool { return feat != featAlone })
		}
	}
}

// The rules since they have numbers. Before rulePeople, a match was rated only if people had all seats. Since ruleWon, a
// few matches are no rating yet, and one rule says what counts as won: see the package comment.
const (
	rulePeople = 2
	ruleWon    = 3
)

// Rule is the number of the rule by which this program rates. If the members of a home were rated by another rule, the
// results of the boards that are still open are rated again, once: see [RateJob].
const Rule = ruleWon

// RateLater is how long a home whose members were rated by an earlier rule is marked before they are rated by this one. A
// process of an earlier version drops the mark (see doc.Home) when it enters a match.
const RateLater = 2 * time.Minute

// RatedMatches is after how many rated matches a rating is shown, and ranks its player. The text board.order.rating names it.
const RatedMatches = 10

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
	if h.Rater != Rule {
		h.Rater = 0 // a later version's mark
	}
	switch {
	case h.Played == 0:
		h.Rated = Rule
	case h.Rated != Rule && h.Rater != Rule:
		c.Due = append(c.Due, store.Mark{ID: RateJob(home), At: c.Now})
	}
	r.measure()
	r.Rule = min(max(h.Rated, 0), Rule)
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
	members, stored := map[string]*Member{}, map[string]store.Doc{}
	for _, d := range docs {
		stored[d.Key.Name] = d
	}
	for _, id := range r.Members(home) {
		members[id] = &Member{}
		if err := doc.Decode(stored[doc.MemberName(home, id)], members[id]); err != nil {
			return nil, nil, err
		}
	}
	h.Times = r.AddTo(h.Times)
	before, names := r.ratings(members), map[string]string{}
	for id, m := range members {
		names[id] = m.Name
	}
	r.Apply(home, members)
	for _, id := range r.Members(home) {
		families := r.families()
		if members[id].Name != names[id] {
			families = nil // the boards of all their games show the new name
		}
		rows, err := members[id].Rows(home, id, r.Rule, families...)
		if err != nil {
			return nil, nil, err
		}
		c.Rows = append(c.Rows, rows...)
		c.Writes = append(c.Writes, store.Write{Name: doc.MemberName(home, id), Expect: stored[doc.MemberName(home, id)].Version, Data: doc.Encode(members[id])})
	}
	for _, id := range r.People() {
		known, ok := stored[SkillName(home, id)]
		if !ok {
			continue // the board over all homes has none
		}
		var skill Skill
		if err := doc.Decode(known, &skill); err != nil {
			return nil, nil, err
		}
		skill.Latest = append(skill.Latest, match)
		skill.Latest = skill.Latest[max(0, len(skill.Latest)-MaxLatest):]
		c.Writes = append(c.Writes, store.Write{Name: known.Key.Name, Expect: known.Version, Data: doc.Encode(skill)})
	}
	c.Writes = append(c.Writes, store.Write{Name: ResultName(home, match), Expect: 0, Data: doc.Encode(r)})
	return r.settled().firsts(members), r.gains(home, members, before), nil
}

// ratings returns the displayed ratings of a match's players in its family of games, as they enter the match: what a new
// season took from their certainty isn't the match's doing.
func (r Result) ratings(members map[string]*Member) map[string]int {
	ratings := map[string]int{}
	for id, m := range members {
		ratings[id] = m.ratingFor(r.Family, r.Season).Shown()
	}
	return ratings
}

// gains returns what a match changed for its players. It must already be counted in members; before is the result of
// shown at the time before.
func (r Result) gains(home string, members map[string]*Member, before map[string]int) []table.Gain {
	if pair := r.pair(home); pair != "" {
		score := table.Score{Won: members[pair].Games[AllGames].Wins, Lost: members[pair].Games[AllGames].Lost}
		for seat, s := range r.Seats {
			switch {
			case s.Player != "":
				score.Ours = append(score.Ours, seat)
			case s.Side != r.side():
				score.Theirs = append(score.Theirs, seat)
			}
		}
		return []table.Gain{{Seat: score.Ours[0], Scores: []table.Score{score}}}
	}
	if !r.between() {
		return nil
	}
	var all []table.Gain
	for seat, s := range r.Seats {
		if s.Player == "" {
			continue
		}
		m := members[s.Player]
		gain := table.Gain{Seat: seat, Run: m.Run}
		if known, rated := m.Ratings[r.Family]; rated && (s.AI == "" || r.Rule < rulePeople) && known.counts(r.Rule) {
			gain.Rating, gain.By = known.Shown(), known.Shown()-before[s.Player]
		}
		for other, o := range r.Seats {
			if met, ok := m.Opponents[o.Player]; ok && other > seat && o.Side != s.Side {
				gain.Scores = append(gain.Scores, table.Score{Ours: []int{seat}, Theirs: []int{other}, Won: met.Wins, Lost: met.Lost})
			}
		}
		all = append(all, gain)
	}
	return all
}

// ResultOfMatch computes a match's result from its records. It returns false if a record
// is missing or can't be replayed.
func ResultOfMatch(m doc.Match, id string, records map[string]json.RawMessage) (Result, bool) {
	t, over := table.Table{ID: id, Policy: table.Policy{Equals: m.Equals}}, table.MatchOver{}
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
		var auto []int
		if i < len(m.Auto) {
			auto = m.Auto[i]
		}
		over.Choices = table.CountChoices(over.Choices, m.Rules, out.Deals[0].State, auto)
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
