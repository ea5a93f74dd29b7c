package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/store"
)

// errNoPlayer refuses a name under which nobody has finished a match here.
var errNoPlayer = NewRefusal("no_player")

// fewMatches is how many matches with a partner say something of them.
const fewMatches = 3

// stats does /stats: what a player has done in this home; without a name, the one
// who asks.
func (b *Bot) stats(ctx context.Context, in Input) Reply {
	home := in.Chat.Home
	player := in.Player.ID
	if name := strings.TrimSpace(in.Args["player"]); name != "" {
		var err error
		if player, err = b.memberCalled(ctx, in, name); err != nil {
			return in.Refuse(err)
		}
	}
	docs, err := b.docs.Store.Get(ctx, inHome(home, memberName(home, player)), inHome(home, hallName(home)), inHome(home, skillName(home, player)))
	if err != nil {
		return in.Refuse(err)
	}
	var m memberDoc
	var hall hallDoc
	var skill skillDoc
	if err := errors.Join(decode(docs[0], &m), decode(docs[1], &hall), decode(docs[2], &skill)); err != nil {
		return in.Refuse(err)
	}
	if docs[0].Version == 0 {
		return in.Refuse(errNoPlayer)
	}
	all := m.Games[allGames]
	s := view.Stats{
		Person: view.Person{ID: player, Name: m.Name}, Mine: player == in.Player.ID,
		Matches: all.Matches, Wins: all.Wins, Stakes: all.Stakes, Sweeps: all.Sweeps,
		AIMatches: all.AIMatches, AIWins: all.AIWins, Run: m.Run, BestRun: m.BestRun,
		Left: all.Left, Choices: skill.Choices, Accuracy: skill.accuracy(),
	}
	for _, feat := range allFeats {
		if n := m.Feats[feat]; n > 0 {
			s.Feats = append(s.Feats, view.StatsFeat{Name: feat, Times: n})
		} else if s.Next == "" && s.Mine {
			s.Next = feat
		}
	}
	most := 0
	for _, family := range game.Families() {
		totals, played := m.Games[family]
		if n := totals.Matches + totals.AIMatches; played && n > most {
			most, s.Favourite = n, family
		}
		if r, rated := m.Ratings[family]; rated {
			s.Ratings = append(s.Ratings, view.StatsRating{Family: family, Rating: r.Shown(), Provisional: r.Provisional(), Past: r.Past})
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
	bestPartner, worstPartner := m.partners()
	if against, met := m.Opponents[in.Player.ID]; met {
		s.Against = &view.StatsTally{Matches: against.Matches, Wins: against.Wins}
	}
	names, err := b.memberNames(ctx, home, bestPartner, worstPartner)
	if err != nil {
		return in.Refuse(err)
	}
	for i, id := range []string{bestPartner, worstPartner} {
		if id == "" || names[id] == "" {
			continue
		}
		t := &view.StatsTally{Person: view.Person{ID: id, Name: names[id]}, Matches: m.Partners[id].Matches, Wins: m.Partners[id].Wins}
		if i == 0 {
			s.Best = t
		} else {
			s.Worst = t
		}
	}
	return Reply{Screen: in.pictured(view.StatsScreen(s, in.Catalogue()))}
}

// partners are those with whom the member wins most and least often, of those
// with whom he has played a few matches; "" where nobody is, and no worst one
// where that is the best.
func (m memberDoc) partners() (best, worst string) {
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(m.Partners)), func(id string) bool { return isGone(id) || m.Partners[id].Matches < fewMatches })
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

// memberNames are the names of members of a home.
func (b *Bot) memberNames(ctx context.Context, home string, ids ...string) (map[string]string, error) {
	names := map[string]string{}
	var keys []store.Key
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	for _, id := range ids {
		keys = append(keys, store.Key{Partition: store.Partition(home), Name: memberName(home, id)})
	}
	if len(keys) == 0 {
		return names, nil
	}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		var m memberDoc
		if err := decode(docs[i], &m); err != nil {
			return nil, err
		}
		names[id] = m.Name
	}
	return names, nil
}

// memberCalled is the member of this home whom somebody calls so: by name, of
// which a beginning will do, or by a mention.
func (b *Bot) memberCalled(ctx context.Context, in Input, name string) (string, error) {
	platform, _, _ := strings.Cut(in.Player.ID, ":")
	if id, ok := strings.CutPrefix(name, "<@"); ok {
		return platform + ":" + strings.Trim(id, "!>"), nil
	}
	name = plain(strings.TrimPrefix(name, "@"))
	standings, _, err := b.docs.Store.Board(ctx, store.Partition(in.Chat.Home), boardName(in.Chat.Home, allGames, allTime), 0, store.MaxRows, "")
	if err != nil {
		return "", err
	}
	begins := ""
	for _, s := range standings {
		var row boardRow
		if err := json.Unmarshal(s.Data, &row); err != nil {
			return "", err
		}
		switch called := plain(row.Name); {
		case called == name:
			return s.Member, nil
		case begins == "" && strings.HasPrefix(called, name):
			begins = s.Member
		}
	}
	if begins == "" {
		return "", errNoPlayer
	}
	return begins, nil
}
