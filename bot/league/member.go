package league

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/game/rating"
	"sedmabot/store"
)

// Totals are what a player has done, in all games or in one family of them.
// Matches, Wins, Stakes and Sweeps are of matches between people; those in which
// an AI held a seat for good are counted apart.
type Totals struct {
	Matches   int `json:"matches"`
	Wins      int `json:"wins"`
	Stakes    int `json:"stakes"` // won less lost
	Sweeps    int `json:"sweeps,omitempty"`
	AIMatches int `json:"ai_matches,omitempty"`
	AIWins    int `json:"ai_wins,omitempty"`
	Left      int `json:"left,omitempty"` // of Matches: those that he did not finish, which are lost
}

// Member is one player in one home, as the home's results have made him.
type Member struct {
	Name      string               `json:"name"`
	Games     map[string]Totals    `json:"games"`               // by family of games; allGames for all of them
	Ratings   map[string]ratingDoc `json:"ratings,omitempty"`   // likewise
	Periods   map[string]periodDoc `json:"periods,omitempty"`   // by kind of period: the latest in which he played
	Partners  map[string]Tally     `json:"partners,omitempty"`  // matches between people only
	Opponents map[string]Tally     `json:"opponents,omitempty"` // likewise
	Run       int                  `json:"run,omitempty"`       // matches won in a row
	BestRun   int                  `json:"best_run,omitempty"`
	Feats     map[string]int       `json:"feats,omitempty"` // how often he did what: see feat.go
}

// ratingDoc is a player's rating in a family of games.
type ratingDoc struct {
	rating.Rating
	Season string `json:"season"`         // the key of the season of his latest match
	Past   []int  `json:"past,omitempty"` // as shown after his latest matches, the newest last
}

// periodDoc is what a player has done in one period.
type periodDoc struct {
	Key   string            `json:"key"`
	Games map[string]Totals `json:"games"`
}

// Tally counts matches with, or against, somebody.
type Tally struct {
	Matches int `json:"m"`
	Wins    int `json:"w"`           // the player's own
	Latest  int `json:"n,omitempty"` // of two tallies of one player, the later match has the greater; none is the same
}

// How much of the past a member's document holds.
const (
	pastRatings = 50
	mostOthers  = 150 // partners, and opponents: of more, those he met least are forgotten
)

// AllGames stands for all families together, in memberDoc and in board names.
const AllGames = "all"

// Everywhere is the home that stands for all homes: its boards are over all of
// them, in its own partition.
const Everywhere = "*"

// BoardRow is what a board's row carries.
type BoardRow struct {
	Name string `json:"name"`
	Totals
	Rating      int  `json:"rating,omitempty"` // as it is shown; 0: no rated match yet
	Provisional bool `json:"provisional,omitempty"`
}

// BoardName is the board of a home for a family of games, or for allGames, and a
// period's key.
func BoardName(home, family, key string) string { return "board:" + home + ":" + family + ":" + key }

// Rows are the player's rows on the boards of his home: for each family in which
// he has played, or for those named, and each of his latest periods.
func (m Member) Rows(home, player string, families ...string) ([]store.Row, error) {
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
			if r, rated := m.Ratings[family]; rated {
				row.Rating, row.Provisional = r.Shown(), r.Provisional()
			}
			data, err := json.Marshal(row)
			if err != nil {
				return fmt.Errorf("write board row: %w", err)
			}
			rows = append(rows, store.Row{Board: BoardName(home, family, key), Member: player, Score: row.score(kind), Data: data})
		}
		return nil
	}
	if err := add(chat.AllTime, chat.AllTime, m.Games); err != nil {
		return nil, err
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Periods)) {
		if err := add(kind, m.Periods[kind].Key, m.Periods[kind].Games); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// unranked is the score of those who have nothing to be ranked by: they come last.
const unranked = -1e15

// score orders the boards of seasons and of all time by rating, those of weeks
// and months by stakes, then by wins.
func (r BoardRow) score(kind string) float64 {
	switch {
	case kind == chat.Weekly || kind == chat.Monthly:
		if r.Matches > 0 {
			return float64(r.Stakes)*1e6 + float64(r.Wins)
		}
	case r.Rating != 0:
		return float64(r.Rating)
	}
	return unranked
}

// count adds a finished match to the member who sat on that seat; pairs tells
// whether it is also noted with whom.
func (m *Member) count(r Result, seat int, pairs bool) {
	s := r.Seats[seat]
	m.Name = s.Name
	people := !r.withAI()
	if m.Games == nil {
		m.Games = map[string]Totals{}
	}
	if m.Periods == nil {
		m.Periods = map[string]periodDoc{}
	}
	sets := []map[string]Totals{m.Games}
	for kind, key := range map[string]string{chat.Weekly: r.Week, chat.Monthly: r.Month, chat.Seasonal: r.Season} {
		p := m.Periods[kind]
		if p.Key > key {
			continue // it was entered late: that period is over
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
			sum.add(s, people)
			games[family] = sum
		}
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
	if !pairs {
		return
	}
	for i, other := range r.Seats {
		switch {
		case i == seat || other.Player == "":
		case other.Side == s.Side:
			m.Partners = meet(m.Partners, other.Player, s.Won, r.No*mostSeats+i)
		default:
			m.Opponents = meet(m.Opponents, other.Player, s.Won, r.No*mostSeats+i)
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

// mostSeats is more than any table has.
const mostSeats = 8

// meet counts a match with somebody. Of too many others the one whom he met least
// is forgotten, of several such the one whom he met longest ago: who it is does
// not depend on names, which may become tombstones.
func meet(with map[string]Tally, other string, won bool, latest int) map[string]Tally {
	if with == nil {
		with = map[string]Tally{}
	}
	t := with[other]
	t.Latest = latest
	t.Matches++
	if won {
		t.Wins++
	}
	with[other] = t
	if len(with) > mostOthers {
		delete(with, slices.MinFunc(slices.Collect(maps.Keys(with)), func(a, b string) int {
			return cmp.Or(cmp.Compare(with[a].Matches, with[b].Matches), cmp.Compare(with[a].Latest, with[b].Latest))
		}))
	}
	return with
}

// rate rates a match, in the order in which the home's matches ended: members are
// those who played it, by id. A match with an AI rates nobody; one that somebody
// did not finish rates him as having lost it, and nobody else.
func (r Result) rate(members map[string]*Member) {
	if r.withAI() {
		return
	}
	for _, family := range r.families() {
		var teams [][]rating.Rating
		var ranks []int
		for _, s := range r.Seats {
			for s.Side >= len(teams) {
				teams, ranks = append(teams, nil), append(ranks, 0)
			}
			teams[s.Side] = append(teams[s.Side], members[s.Player].ratingFor(family, r.Season))
			ranks[s.Side] = s.Rank
		}
		if !r.unfinished() {
			r.rated(members, family, rating.Rate(teams, ranks), func(ResultSeat) bool { return true })
			continue
		}
		for side := range teams {
			lost := make([]int, len(teams))
			lost[side] = 1
			r.rated(members, family, rating.Rate(teams, lost), func(s ResultSeat) bool { return s.Gone && s.Side == side })
		}
	}
}

// ratingFor is the member's rating before a match in that season.
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

// rated gives the members of those seats their new ratings.
func (r Result) rated(members map[string]*Member, family string, teams [][]rating.Rating, whose func(ResultSeat) bool) {
	taken := make([]int, len(teams))
	for _, s := range r.Seats {
		now := teams[s.Side][taken[s.Side]]
		taken[s.Side]++
		if !whose(s) {
			continue
		}
		m := members[s.Player]
		if m.Ratings == nil {
			m.Ratings = map[string]ratingDoc{}
		}
		past := append(slices.Clone(m.Ratings[family].Past), now.Shown())
		m.Ratings[family] = ratingDoc{Rating: now, Season: max(m.Ratings[family].Season, r.Season), Past: past[max(0, len(past)-pastRatings):]}
	}
}

// fewMatches is how many matches with a partner say something of them.
const fewMatches = 3

// BestAndWorst are those with whom the member wins most and least often, of those
// with whom he has played a few matches; "" where nobody is, and no worst one
// where that is the best.
func (m Member) BestAndWorst() (best, worst string) {
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(m.Partners)), func(id string) bool { return IsGone(id) || m.Partners[id].Matches < fewMatches })
	if len(ids) == 0 {
		return "", ""
	}
	better := func(a, b string) int {
		x, y := m.Partners[a], m.Partners[b]
		return cmp.Or(cmp.Compare(x.Wins*y.Matches, y.Wins*x.Matches), cmp.Compare(x.Matches, y.Matches))
	}
	best, worst = slices.MaxFunc(ids, better), slices.MinFunc(ids, better)
	if best == worst {
		worst = ""
	}
	return best, worst
}
