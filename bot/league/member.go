package league

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game/rating"
	"sedmabot/store"
)

// Totals counts a player's matches and successes, in all games or in one family of games.
// Matches, Wins, Stakes, Sweeps and Left count only matches with people on two sides: see [Result]. Matches alone
// against the AI are counted separately. For people who play together against the AI, Matches, Wins and Lost count those.
type Totals struct {
	Matches   int `json:"matches"`
	Wins      int `json:"wins"`
	Lost      int `json:"lost,omitempty"` // only for people together: matches that the AI won
	Stakes    int `json:"stakes"`         // stakes won minus stakes lost
	Sweeps    int `json:"sweeps,omitempty"`
	AIMatches int `json:"ai_matches,omitempty"`
	AIWins    int `json:"ai_wins,omitempty"`
	AIStakes  int `json:"ai_stakes,omitempty"` // stakes won minus stakes lost in those matches
	Left      int `json:"left,omitempty"`      // those of Matches that the player didn't finish, which count as losses
}

// Member is the state of one player in one home, computed from the home's results.
type Member struct {
	Name      string               `json:"name"`
	Games     map[string]Totals    `json:"games"`               // by family of games; AllGames has the sum
	Ratings   map[string]ratingDoc `json:"ratings,omitempty"`   // by family of games, AllGames included
	Periods   map[string]periodDoc `json:"periods,omitempty"`   // by kind of period: the latest one in which the player played
	Partners  map[string]Tally     `json:"partners,omitempty"`  // by player id; only matches between people
	Opponents map[string]Tally     `json:"opponents,omitempty"` // by player id; only matches between people
	Run       int                  `json:"run,omitempty"`       // matches won in a row
	BestRun   int                  `json:"best_run,omitempty"`
	Feats     map[string]int       `json:"feats,omitempty"` // by feat: how often the player did it; see feat.go
}

// ratingDoc is a player's rating in a family of games.
type ratingDoc struct {
	rating.Rating
	Season string `json:"season"`         // key of the season of the player's latest match
	Past   []int  `json:"past,omitempty"` // displayed ratings after the latest matches, the newest last
}

// counts reports whether there were enough matches for the rating to be shown.
func (d ratingDoc) counts(rule int) bool { return rule < ruleWon || len(d.Past) >= RatedMatches }

// periodDoc holds a player's totals in one period.
type periodDoc struct {
	Key   string            `json:"key"`
	Games map[string]Totals `json:"games"`
}

// Tally counts matches with or against one other player.
type Tally struct {
	Matches int `json:"m"`
	Wins    int `json:"w"`           // matches that the member won, not the other player
	Lost    int `json:"l,omitempty"` // matches that an opponent won, not the member
	Latest  int `json:"n,omitempty"` // number that grows with each match, unique among the member's tallies
}

// Limits on the history in a member's document.
const (
	pastRatings = 50
	maxOthers   = 150 // most partners, and most opponents; beyond that, the ones met least often are dropped
)

// AllGames is the pseudo-family of all games together, in Member and in board names.
const AllGames = "all"

// Everywhere is the pseudo-home of all homes together. Its boards cover all homes, and it
// has its own partition.
const Everywhere = "*"

// Strangers is the pseudo-home of the tables whose players come from different chats.
// Its ledger only passes their results on to the boards over all homes. Nobody can read
// its own boards.
const Strangers = "strangers:all"

// BoardRow is the data of a row on a board.
type BoardRow struct {
	Name string `json:"name"`
	Totals
	Rating int `json:"rating,omitempty"` // displayed rating; 0: none yet
}

// BoardName returns the name of a home's board for a family of games, or AllGames, and a
// period's key.
func BoardName(home, family, key string) string { return "board:" + home + ":" + family + ":" + key }

// Rows returns the player's rows on the home's boards, for all time and for each of the
// player's latest periods, by the home's rule. They cover the given families, or all that the player has played
// if none is given.
func (m Member) Rows(home, player string, rule int, families ...string) ([]store.Row, error) {
	var rows []store.Row
	add := func(kind, key string, games map[string]Totals) error {
		if len(families) == 0 {
			families = slices.Sorted(maps.Keys(m.Games))
		}
		for _, family := range families {
			totals, played := games[family]
			if !played {
				continue
			}
			row := BoardRow{Name: m.Name, Totals: totals}
			if r, rated := m.Ratings[family]; rated && r.counts(rule) {
				row.Rating = r.Shown()
			}
			data, err := json.Marshal(row)
			if err != nil {
				return fmt.Errorf("write board row: %w", err)
			}
			rows = append(rows, store.Row{Board: BoardName(home, family, key), Member: player, Score: row.score(kind, player), Data: data})
		}
		return nil
	}
	if err := add(AllTime, AllTime, m.Games); err != nil {
		return nil, err
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Periods)) {
		if err := add(kind, m.Periods[kind].Key, m.Periods[kind].Games); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Lately returns the end of the week in which the player's latest match ended, by the calendar
// of their home. It is zero if they haven't finished a match.
func (m Member) Lately(h doc.Home) time.Time {
	return CalendarOf(h).End(cmp.Or(m.Periods[Weekly].Key, AllTime))
}

// Stayed reports whether the player has finished a match between people. Until then, wins rank nobody: those who left
// pay none that the AI won for them.
func (t Totals) Stayed() bool { return t.Matches > t.Left }

// The scores of rows without a rating. People without a match against people come last.
const (
	unrated  = -1e6 // people with matches but no rating: this, and their wins
	together = -1e9 // people who played together against the AI: this, and their wins
	unranked = -1e15
)

// score returns the row's sort key. Season and all-time boards are ordered by rating. Without ratings, as on weekly and
// monthly boards, the order is by wins, then by the share of wins.
func (r BoardRow) score(kind, member string) float64 {
	wins := float64(r.Wins)
	if r.Matches > 0 {
		wins += float64(r.Wins) / float64(r.Matches) / 2
	}
	switch _, people := PairOf(member); {
	case people != nil:
		return together + wins
	case kind != Weekly && kind != Monthly && r.Rating != 0:
		return float64(r.Rating)
	case r.Stayed():
		return unrated + wins
	}
	return unranked
}

// count adds a finished match to the member who had that seat. If pairs is true, it also
// adds it to the member's partners and opponents. If people played together against the AI, it is their match together.
func (m *Member) count(r Result, seat int, pairs, together bool) {
	s := r.Seats[seat]
	m.Name = s.Name
	people := r.between()
	if !together {
		m.total(r, func(t *Totals) { t.add(s, people) })
	}
	for _, feat := range s.Feats {
		if m.Feats == nil {
			m.Feats = map[string]int{}
		}
		m.Feats[feat]++
	}
	if !people {
		return
	}
	if m.Run++; !s.Won {
		m.Run = 0
	}
	m.BestRun = max(m.BestRun, m.Run)
	late := func(s ResultSeat) bool { return s.AI != "" && r.Rule < ruleWon }
	if !pairs || late(s) {
		return
	}
	for i, other := range r.Seats {
		switch {
		case i == seat || other.Player == "" || late(other):
		case other.Side == s.Side:
			m.Partners = meet(m.Partners, other.Player, s.Won && (other.Won || r.Rule < ruleWon), false, r.No*maxSeats+i)
		default:
			m.Opponents = meet(m.Opponents, other.Player, s.Won, other.Won, r.No*maxSeats+i)
		}
	}
}

func (t *Totals) add(s ResultSeat, people bool) {
	won := 0
	if s.Won {
		won = 1
	}
	if !people {
		t.AIMatches++
		t.AIWins += won
		t.AIStakes += s.Stakes
		return
	}
	t.Matches++
	t.Wins += won
	t.Stakes += s.Stakes
	t.Sweeps += s.Sweeps
	if s.Gone {
		t.Left++
	}
}

// countPair adds a finished match to people who played it together against the AI.
func (m *Member) countPair(r Result) {
	one := r.Seats[slices.IndexFunc(r.Seats, func(s ResultSeat) bool { return s.Player != "" })]
	var names []string
	one.Name, one.Stakes, one.Sweeps, one.Gone = "", 0, 0, false
	for _, s := range r.Seats {
		if s.Player != "" {
			names = append(names, s.Name)
			one.Won = one.Won && s.Won
		}
	}
	m.Name = strings.Join(names, " + ")
	m.total(r, func(t *Totals) {
		if t.add(one, true); one.Rank > 1 {
			t.Lost++
		}
	})
}

// total lets add change the member's sums in all periods and families in which the match counts.
func (m *Member) total(r Result, add func(*Totals)) {
	if m.Games == nil {
		m.Games = map[string]Totals{}
	}
	if m.Periods == nil {
		m.Periods = map[string]periodDoc{}
	}
	sets := []map[string]Totals{m.Games}
	for kind, key := range map[string]string{Weekly: r.Week, Monthly: r.Month, Seasonal: r.Season} {
		p := m.Periods[kind]
		if later(p.Key, key) {
			continue // the match was entered late, and its period is over
		}
		if p.Key != key {
			p = periodDoc{Key: key, Games: map[string]Totals{}}
			m.Periods[kind] = p
		}
		sets = append(sets, p.Games)
	}
	for _, games := range sets {
		for _, family := range r.families() {
			sum := games[family]
			add(&sum)
			games[family] = sum
		}
	}
}

// maxSeats is greater than the number of seats at any table.
const maxSeats = 8

// meet counts a match with another player. If there are too many others, it drops the one
// met least often. Among equals, it drops the one met longest ago. The choice doesn't
// depend on ids, because an id may become a tombstone.
func meet(with map[string]Tally, other string, won, lost bool, latest int) map[string]Tally {
	if with == nil {
		with = map[string]Tally{}
	}
	t := with[other]
	t.Latest = latest
	t.Matches++
	if won {
		t.Wins++
	}
	if lost {
		t.Lost++
	}
	with[other] = t
	if len(with) > maxOthers {
		delete(with, slices.MinFunc(slices.Collect(maps.Keys(with)), func(a, b string) int {
			return cmp.Or(cmp.Compare(with[a].Matches, with[b].Matches), cmp.Compare(with[a].Latest, with[b].Latest))
		}))
	}
	return with
}

// rate updates the ratings of a match's players; members has them by id. Matches must be
// rated in the order in which they ended in the home. An AI's seat plays with the strength of its level.
//
// For players who left, the match counts as lost against every other side. For those who stayed, the result counts.
// But nobody loses to a side that everyone left: the AI played for it. The match can't raise the rating of players for
// whom the AI made too many choices, and doesn't change that of players who took an AI's seat.
func (r Result) rate(members map[string]*Member) {
	if !r.between() {
		return
	}
	for _, family := range r.families() {
		var teams [][]rating.Rating
		var seats [][]ResultSeat
		var ranks []int
		for _, s := range r.Seats {
			for s.Side >= len(teams) {
				teams, seats, ranks = append(teams, nil), append(seats, nil), append(ranks, 0)
			}
			strength := rating.Rating{Mu: s.Strength, Sigma: sure}
			if s.AI == "" {
				strength = members[s.Player].ratingFor(family, r.Season)
			}
			teams[s.Side], seats[s.Side] = append(teams[s.Side], strength), append(seats[s.Side], s)
			ranks[s.Side] = s.Rank
		}
		for side := range teams {
			lost := make([]int, len(teams))
			lost[side] = 1
			gone := rating.Rate(teams, lost)[side]
			met, places := [][]rating.Rating{teams[side]}, []int{ranks[side]}
			for other := range teams {
				if other != side && (held(seats[other]) || ranks[other] > ranks[side]) {
					met, places = append(met, teams[other]), append(places, ranks[other])
				}
			}
			stayed := rating.Rate(met, places)[0]
			for i, s := range seats[side] {
				now := stayed[i]
				switch {
				case s.AI != "":
					continue
				case s.Gone:
					now = gone[i]
				case s.Absent && now.Shown() > teams[side][i].Shown():
					now = teams[side][i]
				}
				members[s.Player].rated(family, r.Season, now)
			}
		}
	}
}

// held reports whether somebody of a side played to the end: a person, or the AI if it had all the side's seats.
func held(side []ResultSeat) bool {
	return slices.ContainsFunc(side, func(s ResultSeat) bool { return s.Player != "" && !s.Gone }) ||
		!slices.ContainsFunc(side, func(s ResultSeat) bool { return s.Player != "" })
}

// Rating returns the member's displayed ratings in a family of games after the latest matches, the newest last. It returns
// nil if there were too few matches for a rating.
func (m Member) Rating(family string) []int {
	if r := m.Ratings[family]; r.counts(Rule) {
		return r.Past
	}
	return nil
}

// ratingFor returns the member's rating before a match in that season. It becomes less
// certain with each season since the latest match.
func (m *Member) ratingFor(family, season string) rating.Rating {
	known, ok := m.Ratings[family]
	if !ok {
		return rating.New()
	}
	r := known.Rating
	for range min(seasonsBetween(known.Season, season), 100) {
		r = r.Widen()
	}
	return r
}

// rated stores the member's rating after a match in that season.
func (m *Member) rated(family, season string, now rating.Rating) {
	if m.Ratings == nil {
		m.Ratings = map[string]ratingDoc{}
	}
	before := m.Ratings[family]
	if later(before.Season, season) {
		season = before.Season
	}
	past := append(slices.Clone(before.Past), now.Shown())
	m.Ratings[family] = ratingDoc{Rating: now, Season: season, Past: past[max(0, len(past)-pastRatings):]}
}

// fewMatches is how many matches a partner needs to be compared with other partners.
const fewMatches = 3

// BestPartner returns the partner with whom the member wins most often. Only partners of at least fewMatches matches count. It is
// "" if there is no such partner.
func (m Member) BestPartner() string {
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(m.Partners)), func(id string) bool { return IsGone(id) || m.Partners[id].Matches < fewMatches })
	if len(ids) == 0 {
		return ""
	}
	return slices.MaxFunc(ids, func(a, b string) int {
		x, y := m.Partners[a], m.Partners[b]
		return cmp.Or(cmp.Compare(x.Wins*y.Matches, y.Wins*x.Matches), cmp.Compare(x.Matches, y.Matches))
	})
}

// Rivals returns the ids of the opponents whom the member met most often, at most that many.
func (m Member) Rivals(most int) []string {
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(m.Opponents)), IsGone)
	slices.SortStableFunc(ids, func(a, b string) int { return m.Opponents[b].Matches - m.Opponents[a].Matches })
	return ids[:min(len(ids), most)]
}
