package bottest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/club/daily"
	"sedmabot/bot/club/puzzle"
	"sedmabot/bot/club/review"
	"sedmabot/bot/club/tournaments"
	"sedmabot/bot/lang"
	"sedmabot/bot/people"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/view/rules"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Languages returns the languages in which to check the i-th preset's screens: one, so that all presets together cover all
// languages, or two where tests that take long run. With SEDMABOT_TEST_LONG it returns all languages.
func Languages(i int) []string {
	all := lang.Languages()
	switch {
	case Long():
		return all
	case clocktest.IsWhole():
		return []string{all[2*i%len(all)], all[(2*i+1)%len(all)]}
	default:
		return all[i%len(all):][:1]
	}
}

// Screens plays a match of one deal in a preset and passes each screen that anybody sees to f. The match is the same on
// each call. The kinds of screens are lobby, settings, opening, deal, more, proof, hand, call, warn, result, rules, board, hall, stats,
// matches, daily, puzzle, coach, privacy, mydata, erase, help, prefs, cup and tutorial. The people have ids of the platform such as "discord:1",
// and long names full of markup.
func Screens(t testing.TB, platform chat.Platform, preset, language string, f func(what string, s screen.Screen)) {
	t.Helper()
	r, err := game.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	var players []table.Player
	for i := range r.Players {
		players = append(players, table.Player{
			ID: fmt.Sprintf("%s:%d", platform.Name(), i+1), Name: fmt.Sprintf("*_%c_* ~|von-und-zu|~ <Löwe & Söhne>", 'A'+i), PlayerSettings: table.PlayerSettings{Lang: language},
		})
	}
	s := screens{
		t: t, c: lang.For(language), f: f,
		table: table.New("0123456789abcdef", platform.Name()+":10", table.Chat{ID: platform.Name() + ":11", ChatSettings: table.ChatSettings{Lang: language}},
			players[0], r, time.Second, table.DefaultLimit, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)),
	}
	s.table.Since = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.now = s.table.Since
	s.show()
	pages := []string{
		string(table.SettingsPage), string(table.GamePage), string(table.GamesPage), string(table.PlayersPage), string(table.HousePage),
		string(table.LimitPage), string(table.LevelPage), string(table.PlacesPage),
	}
	for _, h := range game.HouseRules(r) {
		pages = append(pages, h.Name)
	}
	for _, page := range append(pages, string(table.SeatsPage)) {
		s.do(players[0], table.Choose{What: "page", Value: page})
		s.show()
	}
	s.do(players[0], table.Choose{What: "page", Value: "seats"})
	for _, p := range players[1:] {
		s.do(p, table.Join{Seat: -1})
		s.show()
	}
	s.do(players[0], table.Start{})
	s.do(players[0], table.LastDeal{})
	stopShown := false // the hand of a player who may stop
	for ply := 0; s.table.Phase == table.Playing; ply++ {
		seat := s.table.Public().Turn
		moves := s.table.Deal.View(seat).Legal
		mayStop := slices.Contains(moves, game.Stop) && len(moves) > 1
		if ply < r.Players || ply%5 == 0 || mayStop && seat > 0 && !stopShown {
			s.show()
			stopShown = stopShown || mayStop && seat > 0 // nobody can reach the player of seat 0
		}
		if moves[0] == game.Stop && mayStop {
			moves = moves[1:] // tricks of many rounds have the longest texts
		}
		s.do(s.table.Seats[seat].Player, table.Play{Deal: s.table.DealNo, Decision: s.table.Deal.Decisions(seat), Move: moves[0]})
	}
	s.show()
	for range 100 {
		if s.table.Phase == table.Over {
			break
		}
		s.now = s.table.Due()
		s.table, _, _ = table.Advance(s.table, s.env())
	}
	s.show()
	s.longest()

	f("rules", rules.Screen(r, screen.PressOf("learn", preset), screen.PressOf("read", preset), s.c))
	f("rules", rules.Play(r, screen.PressOf("read", preset), s.c))
	f("rules", rules.Exact(r, s.c))
	var rows []boards.BoardRow
	for i, p := range players {
		rows = append(rows, boards.BoardRow{Rank: i + 1, Person: screen.Person{ID: p.ID, Name: p.Name}, Matches: 9, Wins: 9 - i, Me: i == 1})
	}
	f("board", boards.Board(boards.Ladder{
		Press: boards.Press{Period: "season", Family: game.Family(preset)}, Rows: rows, Total: 40, Size: len(rows), Hall: true,
	}, s.c))
	s.looksBack(r, rows)
	entries := []people.Entry{
		{Name: "face", Value: "auto", Values: []string{"auto", "german", "french", "plain"}},
		{Name: "calls", Value: "on", Values: []string{"on", "off"}},
	}
	for _, page := range []string{"", "face"} {
		f("prefs", people.SettingsPage{Home: platform.Name() + ":10", Mine: true, Page: page, Entries: entries}.Screen(s.c))
	}
	if preset == "sedma-4p" {
		s.tournament(players)
	}
	if r.Scoring == game.ByStakes {
		s.puzzle(r)
	}
	f("help", bot.HelpScreen(s.c))
	f("help", bot.LearnScreen(nil, s.c))
	if preset == "sedma-4p" {
		s.lesson(players[0])
	}
}

// puzzle shows a puzzle near the end of a deal, where its texts are longest, and its answer. If the deal has such a
// position, the player can take a trick with points from an opponent.
func (s *screens) puzzle(r game.Rules) {
	at, err := game.Deal(r, game.Shuffle(r.Pack(), [32]byte{1}), 0)
	p := puzzle.Position{Name: "abcdefghij", Date: "2026-03-01"}
	var best, worst game.Move
	for found := false; err == nil && !at.Over(); {
		v := at.View(at.Turn())
		takes, leaves := choices(v)
		if len(v.Legal) > 1 && (takes != leaves || !found) {
			p.View, p.Choices, best, worst, found = v, v.Legal, takes, leaves, takes != leaves
		}
		at, err = game.Apply(at, at.Turn(), v.Legal[len(v.Legal)-1])
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.f("puzzle", p.Screen(s.c))
	answer := puzzle.Solution{Position: p, Chosen: best, Best: best, Tried: 8, Found: 5, Rating: 1120, Level: 1080, Change: 34, Today: "2026-03-01"}
	why := view.Reason{Cause: "over", Better: best, Points: p.View.Taking.Points, Several: p.View.Rules.Players > 2}
	all := []view.Advice{{Move: best, Score: 1}}
	for _, m := range p.Choices {
		if why.Other = m; m != best {
			answer.Rulings = append(answer.Rulings, puzzle.Ruling{Move: m, Cost: 0.75, Why: why})
			all = append(all, view.Advice{Move: m, Score: 0.25})
		}
	}
	why.Other = worst
	s.f("puzzle", answer.Screen(s.c))
	s.f("puzzle", puzzle.NoneLeft(s.c, "2026-03-01"))
	match := review.Match{Table: s.table.ID, No: 1, At: s.table.Since, Rules: r, Seats: s.table.Seats, Scores: s.table.Match.Scores}
	rated := review.RatedChoice{Deal: 1, View: p.View, Scores: make([]int, r.Sides()), Chosen: worst, Choices: all, Why: why}
	s.f("coach", review.CoachReport{Match: match, Choices: 12, Accuracy: 0.87, Moments: []review.RatedChoice{rated}}.Moment(1, s.c))
}

// choices returns a move that takes the trick from an opponent and one that doesn't. If there aren't both, or the trick has no
// points, the moves are the same.
func choices(v game.View) (takes, leaves game.Move) {
	takes, leaves = v.Legal[0], v.Legal[0]
	if v.Winner == game.Nobody || v.Rules.Side(v.Winner) == v.Rules.Side(v.Seat) || v.Taking.Points == 0 {
		return takes, leaves
	}
	card := func(m game.Move) game.Card { c, _ := m.Card(); return c }
	for _, m := range v.Legal {
		if v.Taking.Ranks.Has(card(m).Rank()) {
			takes = m
		} else {
			leaves = m
		}
	}
	if v.Taking.Ranks.Has(card(leaves).Rank()) || !v.Taking.Ranks.Has(card(takes).Rank()) {
		return leaves, leaves
	}
	return takes, leaves
}

// looksBack shows the screens about people and past matches.
func (s *screens) looksBack(r game.Rules, rows []boards.BoardRow) {
	family := game.Family(r.Preset)
	s.f("hall", boards.Hall(boards.Press{Period: "season", Family: family}, []boards.HallSeason{{Key: "2026-01+3", Places: rows}}, s.c))
	against := &boards.StatsTally{Person: rows[1].Person, Matches: 7, Wins: 3, Lost: 4}
	s.f("stats", boards.StatsScreen(boards.Stats{
		Person: rows[0].Person, Matches: 40, Wins: 22, Run: 3, BestRun: 6, AIMatches: 5, AIWins: 1,
		Ratings: []boards.StatsRating{{Family: family, Past: []int{1000, 1100, 1234}}}, Medals: []int{1, 3},
		Best: against, Versus: []boards.StatsTally{*against}, Left: 1, Judged: 10, Choices: 200, Accuracy: 0.87,
		Feats: []boards.StatsFeat{{Name: "sweep", Times: 2}},
	}, s.c))
	match := review.Match{Table: s.table.ID, No: 1, At: s.table.Since, Rules: r, Seats: s.table.Seats, Scores: s.table.Match.Scores}
	s.f("matches", review.Matches(slices.Repeat([]review.Match{match}, 10), s.c))
	results := []table.Tally{{Score: 2, Points: 90}, {Score: 1, Points: 50}, {Score: -1, Points: 40}, {Score: -2}, {Score: -2}, {Score: -2}}
	var tallies []daily.Row
	for i, row := range rows {
		tallies = append(tallies, daily.Row{Rank: row.Rank, Person: row.Person, Tally: results[i], Me: row.Me})
	}
	s.f("daily", daily.Board{
		Home: s.table.Home, Date: "2026-03-01", Zone: "Europe/Prague", Rules: r, Rows: tallies, Total: len(tallies), AI: &table.Tally{Score: -1, Points: 30},
		Over: true, Own: s.table.ID, Earlier: "2026-02-28",
	}.Screen(s.c))
	s.f("privacy", people.Privacy(s.c))
	s.f("mydata", people.MyData(s.c))
	s.f("erase", people.EraseSure(s.c))
}

// lesson shows a lesson for the player, with a screen for each of their turns.
func (s *screens) lesson(p table.Player) {
	s.t.Helper()
	f := s.f
	s.f = func(_ string, shown screen.Screen) { f("tutorial", shown) }
	var err error
	if s.table, err = table.NewLesson("0123456789abcdef", p.ID, table.Chat{ID: p.ID, ChatSettings: table.ChatSettings{Lang: p.Lang}}, p, time.Second, table.DefaultLimit, s.now); err != nil {
		s.t.Fatal(err)
	}
	for s.table.Phase == table.Playing {
		turn := s.table.Public().Turn
		v := s.table.Deal.View(turn)
		if turn == 0 && !v.Forced {
			s.show()
			s.do(p, table.Play{Deal: s.table.DealNo, Decision: s.table.Deal.Decisions(turn), Move: v.Legal[0]})
			continue
		}
		s.now = s.now.Add(2 * time.Second)
		env := s.env()
		next, _, wanted := table.Advance(s.table, env)
		for wanted != nil {
			next, _, wanted = table.Answer(next, env, wanted.View.Legal[0])
		}
		s.table = next
	}
	s.show()
}

// screens is a table whose screens are passed to f.
type screens struct {
	t     testing.TB
	table table.Table
	now   time.Time
	seeds uint64
	c     *lang.Catalogue
	f     func(what string, s screen.Screen)
}

func (s *screens) env() table.Env {
	s.seeds++
	e := table.Env{Now: s.now}
	binary.BigEndian.PutUint64(e.Seed[:], s.seeds)
	return e
}

// do gives a command. If the table refuses it, nothing changes.
func (s *screens) do(p table.Player, c table.Command) {
	s.t.Helper()
	next, _, err := table.Apply(s.table, p, c, s.env())
	var refused table.Refusal
	if err != nil && !errors.As(err, &refused) {
		s.t.Fatalf("%T: %v", c, err)
	}
	if err == nil {
		s.table = next
	}
}

// show passes all current screens to f. One player counts as unreachable in private.
func (s *screens) show() {
	unreachable := view.Reach{s.table.Seats[0].Player.ID: view.ByButton}
	for _, p := range append(view.PastPosts(s.table.Public()), view.PresentPosts(s.table.Public(), s.table.Private, unreachable, nil)...) {
		what, _, _ := strings.Cut(p.Key, ":")
		if what == "lobby" && s.table.Phase == table.Lobby && s.table.Page != table.SeatsPage {
			what = "settings"
		}
		if what == "lobby" && s.table.Phase != table.Lobby {
			what = "opening"
		}
		if what == "opening" || !p.OldOnly {
			s.f(what, p.Screen)
		}
	}
	if public := s.table.Public(); public.HasDeal {
		who := view.Presser{ID: s.table.Host, Manages: true, Chat: s.table.Chats[0].ID}
		s.f("more", view.More(public, who, s.c))
	}
}

// longest shows what a table lists in the middle of its longest match.
func (s *screens) longest() {
	public := s.table.Public()
	if len(public.Past) == 0 {
		s.t.Fatal("no deal is over")
	}
	public.Past = slices.Repeat(public.Past, 60)
	s.f("more", view.More(public, view.Presser{ID: s.table.Host, Manages: true, Chat: s.table.Chats[0].ID}, s.c))
	s.f("proof", view.Proof(public, s.c))
}

// tournament shows a tournament for pairs with the largest number of entrants.
func (s *screens) tournament(players []table.Player) {
	cup := tournaments.TournamentView{
		ID: "0123456789abc", Rules: s.table.Rules, Games: game.Families(), Pairs: true, Rounds: 9, Deals: 4,
		Limit: table.DefaultLimit, Break: 2 * time.Minute, Host: screen.Person{ID: players[0].ID, Name: players[0].Name}, Least: 4, Most: 64,
	}
	running, over := tournaments.Round{Bye: -1}, tournaments.Round{Bye: -1, Over: true}
	for i := range 64 {
		e := tournaments.Entrant{No: i + 1, Waiting: i%2 == 1}
		for _, p := range players[:2-i%2] {
			e.People = append(e.People, screen.Person{ID: p.ID, Name: p.Name})
		}
		cup.Entrants = append(cup.Entrants, e)
		over.Standings = append(over.Standings, tournaments.Standing{Entrant: i, Rank: i + 1, Points: 18, Difference: -1234, Buchholz: 99})
		if i%2 == 1 {
			running.Tables = append(running.Tables, tournaments.RoundTable{Sides: [2]int{i - 1, i}})
			over.Tables = append(over.Tables, tournaments.RoundTable{Sides: [2]int{i - 1, i}, Done: true, Margin: -24, Difference: -1234, Points: [2]int{0, 2}})
		}
	}
	c := table.Chat{ID: s.table.Chats[0].ID, ChatSettings: table.ChatSettings{Lang: s.table.Chats[0].Lang}}
	for _, stage := range []tournaments.Stage{tournaments.StageLobby, tournaments.StageSettings, tournaments.StageRound, tournaments.StageBreak, tournaments.StageOver} {
		switch cup.Stage = stage; stage {
		case tournaments.StageRound:
			cup.Played = []tournaments.Round{running}
		case tournaments.StageBreak, tournaments.StageOver:
			cup.Played = []tournaments.Round{over}
		default: // no round has begun
		}
		for _, p := range tournaments.Posts(cup, c) {
			s.f("cup", p.Screen)
		}
	}
	for _, what := range []string{"places", "tables"} {
		s.f("cup", tournaments.EntrantsPage(cup, what, 16, func(e int) bool { return e == 0 }, s.c))
	}
	s.f("cup", tournaments.AskPartners(cup, s.c))
	s.f("cup", tournaments.AskOff(cup, s.c))
}
