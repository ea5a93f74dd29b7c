package league

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot/doc"
	"sedmabot/game/rating"
	"sedmabot/store"
)

// model is what a home's boards should say, computed in the plainest way from all that happened.
type model struct {
	seasons []time.Time // the begin of each season since the first match, and the end of the last one
	lengths []int       // of the seasons
	chosen  int
	played  []Result // in the order in which they were entered
}

// reach adds the seasons until now: the running one ends as it was announced, and then the chosen length begins, if a season
// of that length may begin in that month.
func (m *model) reach(now time.Time) {
	for len(m.seasons) > 0 && !m.seasons[len(m.seasons)-1].After(now) {
		begin, length := m.seasons[len(m.seasons)-1], m.lengths[len(m.lengths)-1]
		if (int(begin.Month())-1)%m.chosen == 0 {
			length = m.chosen
		}
		m.seasons, m.lengths = append(m.seasons, begin.AddDate(0, length, 0)), append(m.lengths, length)
	}
}

func (m *model) enter(r Result, now time.Time) {
	if len(m.seasons) == 0 {
		begin := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
		for (int(begin.Month())-1)%m.chosen != 0 {
			begin = begin.AddDate(0, -1, 0)
		}
		m.seasons, m.lengths = []time.Time{begin, begin.AddDate(0, m.chosen, 0)}, []int{m.chosen}
	}
	m.reach(now)
	m.played = append(m.played, r)
}

// season returns the index of the season of a time. Late results are never older than the first season.
func (m *model) season(at time.Time) int {
	return slices.IndexFunc(m.seasons, func(begin time.Time) bool { return begin.After(at) }) - 1
}

func (m *model) key(season int) string {
	return fmt.Sprintf("%s+%d", m.seasons[season].Format("2006-01"), m.lengths[season])
}

// want is what a member should have.
type want struct {
	All, Season Totals
	Key         string // of the season in which Season counts
	Rating      rating.Rating
	Past        []int
}

// members returns what the members should have.
func (m *model) members() map[string]want {
	all, in := map[string]want{}, map[string]int{} // in: the season of the latest match, by player
	for _, r := range m.played {
		season, sides, together := m.season(r.At), map[int]bool{}, ""
		var names []string
		level := ""
		for _, s := range r.Seats {
			if s.Player == "" && s.Side != r.Seats[0].Side {
				level = s.AI
			}
			if s.Player != "" {
				sides[s.Side] = true
				names = append(names, s.Player)
			}
		}
		if len(sides) == 1 && len(names) > 1 {
			slices.Sort(names)
			together = "pair:" + level + ":" + strings.Join(names, "+")
		}
		before := map[string]rating.Rating{}
		for _, s := range r.Seats {
			w, known := all[s.Player]
			before[s.Player] = rating.New()
			if known && len(w.Past) > 0 {
				before[s.Player] = w.Rating
				if last := in[s.Player]; season > last {
					for at := m.seasons[last+1]; !at.After(m.seasons[season]); at = at.AddDate(0, m.lengths[season], 0) {
						before[s.Player] = before[s.Player].Widen()
					}
				}
			}
		}
		allWon, rank := true, 1
		for i, s := range append(slices.Clone(r.Seats), ResultSeat{Player: together}) {
			if s.Player == "" {
				continue
			}
			if i < len(r.Seats) && (s.AI != "" || s.Absent) {
				s.Won, s.Stakes = false, min(0, s.Stakes)
			}
			w := all[s.Player]
			count := func(t *Totals) {
				win := map[bool]int{true: 1}[s.Won]
				switch {
				case i == len(r.Seats):
					t.Matches, t.Wins, t.Lost = t.Matches+1, t.Wins+map[bool]int{true: 1}[allWon], t.Lost+rank-1
				case together != "": // it is their match together
				case len(sides) == 1:
					t.AIMatches, t.AIWins, t.AIStakes = t.AIMatches+1, t.AIWins+win, t.AIStakes+s.Stakes
				default:
					t.Matches, t.Wins, t.Stakes = t.Matches+1, t.Wins+win, t.Stakes+s.Stakes
					t.Left += map[bool]int{true: 1}[s.Gone]
				}
			}
			if i < len(r.Seats) {
				allWon, rank = allWon && s.Won, s.Rank
			}
			if together != "" && i < len(r.Seats) {
				all[s.Player] = w
				continue
			}
			count(&w.All)
			if w.Key == "" || m.seasons[season].After(m.begin(w.Key)) {
				w.Key, w.Season = m.key(season), Totals{}
			}
			if w.Key == m.key(season) {
				count(&w.Season)
			}
			if len(sides) > 1 && s.AI == "" {
				w.Rating = m.rated(r, before, i)
				w.Past = append(w.Past, w.Rating.Shown())
				in[s.Player] = max(in[s.Player], season)
			}
			all[s.Player] = w
		}
	}
	return all
}

// begin returns when the season with that key began.
func (m *model) begin(key string) time.Time {
	for i, begin := range m.seasons {
		if m.key(i) == key {
			return begin
		}
	}
	panic("no such season: " + key)
}

// rated returns the rating of a seat's player after a match.
func (m *model) rated(r Result, before map[string]rating.Rating, seat int) rating.Rating {
	own, at := r.Seats[seat], 0
	var sides [][]rating.Rating
	var ranks []int
	for side := range len(r.Seats) {
		var team []rating.Rating
		rank, stayed, people := 0, false, false
		for i, s := range r.Seats {
			if s.Side == side {
				if i == seat {
					at = len(team)
				}
				strength := before[s.Player]
				if s.AI != "" {
					strength = rating.Rating{Mu: strengthOf(s.AI, len(r.Seats)), Sigma: 1}
				}
				team, rank = append(team, strength), s.Rank
				stayed, people = stayed || s.Player != "" && !s.Gone, people || s.Player != ""
			}
		}
		stayed = stayed || !people
		switch {
		case len(team) == 0:
		case side == own.Side && own.Gone:
			sides, ranks = append(sides, team), append(ranks, 9)
		case side == own.Side:
			sides, ranks = append([][]rating.Rating{team}, sides...), append([]int{rank}, ranks...)
		case own.Gone:
			sides, ranks = append(sides, team), append(ranks, 0)
		case stayed || rank > own.Rank:
			sides, ranks = append(sides, team), append(ranks, rank)
		}
	}
	rates := rating.Rate(sides, ranks)
	if own.Gone {
		return rates[slices.Index(ranks, 9)][at]
	}
	if was := before[own.Player]; own.Absent && rates[0][at].Shown() > was.Shown() {
		return was
	}
	return rates[0][at]
}

// ledger is a home with its documents and boards, as commits make them.
type ledger struct {
	home doc.Home
	docs map[string]store.Doc
	rows map[string]map[string]store.Row
}

func (l *ledger) enter(t *rapid.T, no int, r Result, now time.Time) {
	var docs []store.Doc
	for _, key := range r.MemberKeys("test:home") {
		d := l.docs[key.Name]
		d.Key = key
		docs = append(docs, d)
	}
	c := store.Change{Now: now}
	if _, _, err := Enter(&l.home, &c, "test:home", fmt.Sprint("m-", no), r, docs); err != nil {
		t.Fatal(err)
	}
	for _, w := range c.Writes {
		l.docs[w.Name] = store.Doc{Version: l.docs[w.Name].Version + 1, Data: w.Data}
	}
	for _, row := range c.Rows {
		if l.rows[row.Board] == nil {
			l.rows[row.Board] = map[string]store.Row{}
		}
		l.rows[row.Board][row.Member] = row
	}
}

// Over random matches, with people who leave, AIs, late results and changes of the season's length, totals, ratings and
// boards are those of a plain model.
func TestTheLedgerAgreesWithAPlainModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := model{chosen: DefaultSeason}
		l := ledger{docs: map[string]store.Doc{}, rows: map[string]map[string]store.Row{}}
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		people := []string{"ann", "ben", "cat", "dan", "eve"}
		names := map[string]string{} // of those who have played, in their latest match
		for no := range rapid.IntRange(1, 40).Draw(t, "matches") {
			now = now.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 20, 24 * 9, 24 * 40, 24 * 100}).Draw(t, "hours")) * time.Hour)
			m.reach(now)
			if rapid.IntRange(0, 5).Draw(t, "change") == 0 {
				m.chosen = rapid.SampledFrom([]int{1, 3, 6, 12}).Draw(t, "months")
				l.home.Season = m.chosen
				if len(m.played) > 0 {
					Turn(&l.home, now)
				}
			}
			r := Result{At: now, Family: rapid.SampledFrom([]string{"sedma", "hola"}).Draw(t, "family")}
			if len(m.played) > 0 && rapid.IntRange(0, 3).Draw(t, "late") == 0 {
				if r.At = now.AddDate(0, 0, -rapid.IntRange(0, 60).Draw(t, "days")); r.At.Before(m.seasons[0]) {
					r.At = m.seasons[0]
				}
			}
			players := rapid.Permutation(people).Draw(t, "players")
			perSide := rapid.IntRange(1, 2).Draw(t, "per side")
			winner := rapid.IntRange(-1, 1).Draw(t, "winner")
			for i := range 2 * perSide {
				name, known := names[players[i]]
				if !known || rapid.IntRange(0, 9).Draw(t, "renamed") == 0 {
					name = fmt.Sprint(players[i], " ", no)
				}
				s := ResultSeat{Player: players[i], Name: name, Side: i % 2, Rank: 1, Won: i%2 == winner, Stakes: 3}
				if winner >= 0 && i%2 != winner {
					s.Rank, s.Stakes = 2, -3
				}
				switch rapid.IntRange(0, 8).Draw(t, "seat") {
				case 0:
					s.Gone, s.Won, s.Stakes = true, false, min(0, s.Stakes)
				case 1:
					if i > 0 { // somebody plays in each match
						s.Player, s.Name, s.Won = "", "", false
						s.AI = rapid.SampledFrom([]string{"easiest", "medium", "hard"}).Draw(t, "level")
					}
				case 2:
					s.Absent = true
				case 3:
					if i > 0 {
						s.AI = "hard" // they came late
					}
				}
				if r.Seats = append(r.Seats, s); s.Player != "" {
					names[s.Player] = s.Name
				}
			}
			m.enter(r, now)
			l.enter(t, no, r, now)
		}
		l.agrees(t, m)
		for board, rows := range l.rows {
			for player, row := range rows {
				var is BoardRow
				if err := json.Unmarshal(row.Data, &is); err != nil {
					t.Fatal(err)
				}
				if name, one := names[player]; one && strings.HasSuffix(board, ":"+AllTime) && is.Name != name {
					t.Fatalf("%s calls %s %q", board, name, is.Name)
				}
			}
		}
	})
}

// agrees compares the ledger's members and rows with the model's.
func (l *ledger) agrees(t *rapid.T, m model) {
	wants := m.members()
	delete(wants, "")
	for player, w := range wants {
		var is Member
		if err := doc.Decode(l.docs[doc.MemberName("test:home", player)], &is); err != nil {
			t.Fatal(err)
		}
		got := want{
			All: is.Games[AllGames], Season: is.Periods[Seasonal].Games[AllGames], Key: is.Periods[Seasonal].Key,
			Rating: is.Ratings[AllGames].Rating, Past: is.Ratings[AllGames].Past,
		}
		if diff := cmp.Diff(w, got); diff != "" {
			t.Fatalf("%s: %s", player, diff)
		}
		if w.Key == "" { // all their matches were together
			continue
		}
		row, there := l.rows[BoardName("test:home", AllGames, w.Key)][player]
		var shown BoardRow
		if err := json.Unmarshal(row.Data, &shown); err != nil || !there {
			t.Fatal(player, w.Key, err)
		}
		if rated := len(w.Past) >= RatedMatches; shown.Totals != w.Season || rated != (shown.Rating != 0) || rated && shown.Rating != w.Rating.Shown() {
			t.Fatalf("%s: the board of season %s has %+v, want %+v, %v", player, w.Key, shown, w.Season, w.Rating)
		}
	}
	if len(m.played) > 0 {
		latest := slices.MaxFunc(m.played, func(a, b Result) int { return a.At.Compare(b.At) }) // the last one may be a late result
		running := CalendarOf(l.home).Key(Seasonal, latest.At)
		if !slices.Contains(slices.Collect(maps.Keys(l.rows)), BoardName("test:home", AllGames, running)) {
			t.Fatalf("no board of season %s", running)
		}
	}
}
