package boards

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/store"
)

var (
	// errNoPlayer reports that nobody of that name has finished a match in this home.
	errNoPlayer = chat.NewRefusal("no_player")
	// errNoneYet reports that the person who asks hasn't finished a match in this home.
	errNoneYet = chat.NewRefusal("none_yet")
)

// Stats handles /stats: it shows a player's statistics in this home. If no name is given,
// it shows the statistics of the person who asks. If several players may be meant, it asks which of them.
func (room *Room) Stats(ctx context.Context, in chat.Input) chat.Reply {
	player := in.Player.ID
	if name := strings.TrimSpace(in.Args["player"]); name != "" {
		called, err := room.membersCalled(ctx, in, name)
		switch {
		case err != nil:
			return in.Refuse(err)
		case len(called) > 1:
			screen := whichScreen(called, in.Catalogue())
			return chat.Reply{Screen: &screen}
		}
		player = called[0].id
	}
	home := in.Chat.Home
	docs, err := room.docs.Store.Get(ctx, doc.InHome(home, doc.MemberName(home, player)), doc.InHome(home, league.HallName(home)), doc.HomeKey(home), doc.InHome(home, league.SkillName(home, player)))
	if err != nil {
		return in.Refuse(err)
	}
	var m league.Member
	var hall league.Hall
	var here doc.Home
	var skill league.Skill
	if err := errors.Join(doc.Decode(docs[0], &m), doc.Decode(docs[1], &hall), doc.Decode(docs[2], &here), doc.Decode(docs[3], &skill)); err != nil {
		return in.Refuse(err)
	}
	streak, days, err := room.streak(ctx, home, player)
	if err != nil {
		return in.Refuse(err)
	}
	mine := player == in.Player.ID
	switch {
	case docs[0].Version != 0:
	case !mine:
		return in.Refuse(errNoPlayer)
	case streak.Best == 0:
		return in.Refuse(errNoneYet)
	default: // a player who has only played the deal of the day
		m.Name = chat.CleanName(in.Player.Name)
	}
	// Players whose latest matches were counted by an earlier version have no list of them, so
	// the home's latest matches are looked through as well.
	lately, err := room.coach.Lately(ctx, player, slices.Concat(skill.Latest, here.Matches))
	if err != nil {
		return in.Refuse(err)
	}
	all := m.Games[league.AllGames]
	s := Stats{
		Person: screen.Person{ID: player, Name: m.Name}, Mine: mine, Streak: days, BestDays: streak.Best,
		Matches: all.Matches, Wins: all.Wins,
		AIMatches: all.AIMatches, AIWins: all.AIWins, Run: m.Run, BestRun: m.BestRun,
		Left: all.Left, Judged: lately.Matches, Judging: lately.Waiting, Choices: lately.Choices, Accuracy: lately.Accuracy(),
	}
	for _, feat := range league.AllFeats {
		if n := m.Feats[feat]; n > 0 {
			s.Feats = append(s.Feats, StatsFeat{Name: feat, Times: n})
		} else if s.Next == "" && s.Mine {
			s.Next = feat
		}
	}
	for _, family := range game.Families() {
		if past := m.Rating(family); past != nil {
			s.Ratings = append(s.Ratings, StatsRating{Family: family, Past: past})
		}
	}
	for _, season := range hall.Seasons {
		best := 0
		for _, places := range season.Games {
			for _, p := range places {
				if p.Player == player && (best == 0 || p.Rank < best) {
					best = p.Rank
				}
			}
		}
		if best > 0 {
			s.Medals = append(s.Medals, best)
		}
	}
	if err := errors.Join(room.addOthers(ctx, &s, home, m), room.addTogether(ctx, &s, home)); err != nil {
		return in.Refuse(err)
	}
	screen := StatsScreen(s, in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// streak returns a player's streak at the deal of the day, and how many days it has today.
func (room *Room) streak(ctx context.Context, home, player string) (s league.Streak, today int, err error) {
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return s, 0, err
	}
	calendar := league.CalendarOf(h)
	date, _ := calendar.Today(room.docs.Now())
	_, err = room.docs.Get(ctx, doc.InHome(home, league.StreakName(home, player)), &s)
	return s, s.At(date, calendar.Zone.String()), err
}

// mostMet is how many opponents statistics show: those met most often.
const mostMet = 3

// addOthers adds the member's best partner, and the opponents met most often, to the statistics.
func (room *Room) addOthers(ctx context.Context, s *Stats, home string, m league.Member) error {
	best := m.BestPartner()
	opponents := m.Rivals(mostMet)
	names, err := room.memberNames(ctx, home, append(opponents, best)...)
	if err != nil {
		return err
	}
	for _, id := range opponents {
		t := m.Opponents[id]
		if t.Wins+t.Lost == 0 { // somebody was late or absent
			continue
		}
		s.Versus = append(s.Versus, StatsTally{Person: screen.Person{ID: id, Name: names[id]}, Matches: t.Matches, Wins: t.Wins, Lost: t.Lost})
	}
	if names[best] != "" {
		s.Best = &StatsTally{Person: screen.Person{ID: best, Name: names[best]}, Matches: m.Partners[best].Matches, Wins: m.Partners[best].Wins}
	}
	return nil
}

// addTogether adds how the player stands together with others against the AI.
func (room *Room) addTogether(ctx context.Context, s *Stats, home string) error {
	standings, _, err := room.docs.Store.Board(ctx, store.Partition(home), league.BoardName(home, league.AllGames, league.AllTime), 0, store.MaxRows, "")
	if err != nil {
		return err
	}
	rows, err := boardRows(slices.DeleteFunc(standings, func(r store.Standing) bool {
		_, people := league.PairOf(r.Member)
		return !slices.Contains(people, s.Person.ID)
	}), nil, "")
	s.Together = rows[:min(len(rows), mostMet)]
	return err
}

// memberNames returns the names of the given members of a home, by id.
func (room *Room) memberNames(ctx context.Context, home string, ids ...string) (map[string]string, error) {
	names := map[string]string{}
	var keys []store.Key
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	for _, id := range ids {
		keys = append(keys, store.Key{Partition: store.Partition(home), Name: doc.MemberName(home, id)})
	}
	if len(keys) == 0 {
		return names, nil
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		var m league.Member
		if err := doc.Decode(docs[i], &m); err != nil {
			return nil, err
		}
		names[id] = m.Name
	}
	return names, nil
}

// member is a row of the home's board of all games and all time.
type member struct {
	id  string
	no  int // the row's number, from 1
	row league.BoardRow
}

// membersCalled returns the members of this home whom name may refer to, at least one. It may be a name, the beginning
// of a name, a mention, or a number in whichScreen. It leaves out the person who asks, if it may refer to somebody else.
func (room *Room) membersCalled(ctx context.Context, in chat.Input, name string) ([]member, error) {
	platform, _, _ := strings.Cut(in.Player.ID, ":")
	if id, ok := strings.CutPrefix(name, "<@"); ok {
		return []member{{id: platform + ":" + strings.Trim(id, "!>")}}, nil
	}
	name = chat.Plain(strings.TrimPrefix(name, "@"))
	standings, _, err := room.docs.Store.Board(ctx, store.Partition(in.Chat.Home), league.BoardName(in.Chat.Home, league.AllGames, league.AllTime), 0, store.MaxRows, "")
	if err != nil {
		return nil, err
	}
	var named, begin []member
	for i, s := range standings {
		if _, people := league.PairOf(s.Member); len(people) > 0 {
			continue
		}
		m := member{id: s.Member, no: i + 1}
		if err := json.Unmarshal(s.Data, &m.row); err != nil {
			return nil, err
		}
		switch called := chat.Plain(m.row.Name); {
		case called == name, name == strconv.Itoa(m.no):
			named = append(named, m)
		case strings.HasPrefix(called, name):
			begin = append(begin, m)
		}
	}
	if len(named) == 0 {
		named = begin
	}
	if len(named) > 1 {
		named = slices.DeleteFunc(named, func(m member) bool { return m.id == in.Player.ID })
	}
	if len(named) == 0 {
		return nil, errNoPlayer
	}
	return named, nil
}
