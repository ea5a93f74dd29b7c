package view

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// told counts what TestWhatIsSaidIsTrue compared with the engine.
type told struct{ games, deals, matches, sentences int }

// teller compares what the screens of one table say with its state.
type teller struct {
	t     *testing.T
	count *told
	table table.Table
	rules game.Rules
	env   table.Env
	rng   *rand.Rand
	c     *lang.Catalogue
}

// TestWhatIsSaidIsTrue plays matches of all presets with random house rules. After every move, it compares what the chat, the
// page and the picture say with the engine: the winning card, the points, who plays alone, passes and cards in the dark. After
// every deal, it compares who won how much, and why.
func TestWhatIsSaidIsTrue(t *testing.T) {
	t.Parallel()
	each := 1
	if os.Getenv("SEDMABOT_TEST_LONG") == "1" {
		each = 10
	}
	rng, count := rand.New(rand.NewPCG(44, 2)), told{}
	for _, name := range game.Presets() {
		for range each {
			r := gametest.House(t, name, rng.IntN)
			r.Target, r.Deals, r.HalfTime = 0, 1+rng.IntN(2), 0
			newTeller(t, r, rng, &count).play()
		}
	}
	t.Logf("%+v", count)
}

func newTeller(t *testing.T, r game.Rules, rng *rand.Rand, count *told) *teller {
	t.Helper()
	a := &teller{t: t, count: count, rules: r, rng: rng, c: lang.For("en")}
	player := func(i int) table.Player {
		return table.Player{ID: fmt.Sprintf("test:%d", i), Name: fmt.Sprintf("P%d", i)}
	}
	a.env.Now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a.table = table.New("0123456789abcdef", "test:home", table.Chat{ID: "test:chat"}, player(0), r, 0, 0, a.env.Now)
	for i := 1; i < r.Players; i++ {
		a.do(i, table.Join{Seat: -1})
	}
	a.do(0, table.Start{})
	return a
}

func (a *teller) do(seat int, c table.Command) {
	a.t.Helper()
	binary.BigEndian.PutUint64(a.env.Seed[:], a.rng.Uint64())
	next, _, err := table.Apply(a.table, table.Player{ID: fmt.Sprintf("test:%d", seat), Name: fmt.Sprintf("P%d", seat)}, c, a.env)
	if err != nil {
		a.t.Fatalf("%#v: %v", c, err)
	}
	a.table = next
}

// play plays the match to its end.
func (a *teller) play() {
	a.t.Helper()
	a.count.games++
	for {
		switch a.table.Phase {
		case table.Playing:
			a.deal()
			seat := a.table.Public().Turn
			legal := a.table.Deal.Legal()
			a.do(seat, table.Play{Deal: a.table.DealNo, Decision: a.table.Deal.Decisions(seat), Move: legal[a.rng.IntN(len(legal))]})
		case table.Pause:
			a.deal()
			a.ended()
			binary.BigEndian.PutUint64(a.env.Seed[:], a.rng.Uint64())
			a.table = advance(a.table, a.env, first)
		case table.Over:
			a.deal()
			a.ended()
			a.count.matches++
			return
		default:
			a.t.Fatalf("the table is %s", a.table.Phase)
		}
	}
}

// says fails unless something is said exactly if it is true.
func (a *teller) says(what string, said, fact bool) {
	a.t.Helper()
	if a.count.sentences++; said != fact {
		a.t.Fatalf("%s: said %v, but it is %v\n%s\n%+v", what, said, fact, gametest.Describe(a.rules), a.table.Deal.View(game.Nobody).Log)
	}
}

// same fails unless what is shown equals the fact.
func (a *teller) same(what string, shown, fact any) {
	a.t.Helper()
	a.says(fmt.Sprintf("%s: %v, not %v", what, shown, fact), true, fmt.Sprint(shown) == fmt.Sprint(fact))
}

// points returns the points of each side that has a score, counted from the tricks.
func (a *teller) points(v game.View) []int {
	points := make([]int, a.rules.Sides())
	for i, t := range v.Tricks {
		points[a.rules.Side(t.Winner)] += a.worth(t, v.End == game.EndPlayed && i == len(v.Tricks)-1)
	}
	return points
}

// worth returns the points of a trick.
func (a *teller) worth(t game.Trick, last bool) (n int) {
	for _, p := range t.Plays {
		n += a.rules.CardPoints.Of(p.Card.Rank())
	}
	if a.rules.TrickUnit == game.ByTrick {
		n += a.rules.TrickPoints
	} else {
		n += a.rules.TrickPoints * t.Rounds
	}
	if last {
		n += a.rules.LastTrick
	}
	return n
}

// deal checks what is said of a deal, while it is played and after it.
func (a *teller) deal() {
	a.t.Helper()
	p := a.table.Public()
	v := p.View
	at := dealScreen{channel: channelOf(p, p.Chats[0])}
	best := gametest.BestPlay(a.table.Deal)
	points := a.points(v)
	pass := slices.IndexFunc(v.Log, func(e game.Entry) bool { return e.Move == game.Pass })
	var dark []int
	plays := v.Trick
	if n := len(v.Tricks); len(plays) == 0 && n > 0 {
		plays = v.Tricks[n-1].Plays
	}
	for i, play := range plays {
		if play.Dark {
			dark = append(dark, i)
		}
	}

	picture := at.tablePicture(at.writer(), game.Nobody)
	a.same("crown of the picture", picture.Winning, best)
	a.same("dark cards of the picture", picture.Dark, dark)
	for side, shown := range picture.Sides {
		a.same("points of the picture", shown.Points, points[side])
	}
	page := GuestLive(p, a.c)
	for side, shown := range page.Sides {
		a.same("points of the page", shown.Points, points[side])
	}
	if len(v.Trick) > 0 {
		a.same("crown of the page", page.Felt.Winning, best)
	} else if page.Felt.Last != nil {
		a.same("last trick's crown on the page", page.Felt.Last.Winning, best)
	}
	sum := 0
	for _, line := range page.Felt.Log {
		_, worth, _ := strings.Cut(line, " – ")
		n, err := strconv.Atoi(strings.Fields(worth)[0])
		if err != nil {
			a.t.Fatalf("%q: %v", line, err)
		}
		sum += n
	}
	total := 0
	for _, n := range points {
		total += n
	}
	a.same("points of the page's tricks", sum, total)
	for seat, s := range page.Seats {
		a.says("plays alone, on the page", slices.Contains(s.Marks, "plays alone"), v.Solo == seat)
		a.says("passes, on the page", slices.Contains(s.Marks, "passes"), pass >= 0 && v.Log[pass].Seat == seat && passed(v, seat))
		if a.rules.Teams != game.SoloKing {
			continue
		}
		own, _ := a.table.Private(a.table.Seats[seat].Player.ID)
		a.says("plays alone, on the own page", slices.Contains(SeatLive(own).Seats[seat].Marks, "plays alone"), v.Solo == seat || own.View.Solo == seat && !dealOver(p))
	}
	if p.Phase != table.Playing {
		return
	}
	text := at.table().String()
	a.says("has passed", strings.Contains(text, "has passed"), pass >= 0)
	a.says("plays alone", strings.Contains(text, "plays alone"), v.Solo >= 0)
	if len(v.Trick) > 0 {
		winning := fmt.Sprintf("P%d is winning with %s", v.Winner, face.Text(at.writer().Screen.Face, v.Trick[best].Card))
		a.says(winning, strings.Contains(text, winning), true)
		worth := a.worth(game.Trick{Plays: v.Trick, Rounds: v.Rounds}, v.Taking.Last)
		a.same("worth of the trick on the page", page.Felt.Worth, a.c.Text("points", "n", worth))
	}
}

// ended checks what is said of a deal when it is over.
func (a *teller) ended() {
	a.t.Helper()
	a.count.deals++
	p := a.table.Public()
	past := p.Past[len(p.Past)-1]
	at := dealScreen{channel: channelOf(p, p.Chats[0])}
	text := at.dealEnd(past).String()
	res, score := past.Result, past.Score
	took := func(numbers []int) bool { // the first winner alone has any
		return len(score.Winners) > 0 && numbers[score.Winners[0]] > 0 && !slices.ContainsFunc(slices.Delete(slices.Clone(numbers), score.Winners[0], score.Winners[0]+1), func(n int) bool { return n > 0 })
	}
	played := res.End == game.EndPlayed
	sweep := played && took(res.TricksWon)
	a.says("every trick", strings.Contains(text, a.c.Text("over.sweep")), sweep)
	a.says("all the points", strings.Contains(text, a.c.Text("over.all_points")), played && !sweep && took(score.Points))
	seven := res.LastCard == a.rules.SpecialSeven || res.LastCard.Rank() == '7'
	lost := a.rules.FinalSeven == game.SevenLoses && seven && score.Points[max(0, res.LastCardSide)] > score.Points[1-max(0, res.LastCardSide)]
	a.says("the last card was a seven", strings.Contains(text, a.c.Text("over.last_card")), played && lost)
	a.says("kaše", strings.Contains(text, a.c.Text("over.burn")), res.End == game.EndBurn)
	a.says("hra", strings.Contains(text, a.c.Text("over.burned_game")), res.End == game.EndBurnedGame)
	if n := len(past.Tricks); n > 0 {
		worth := a.c.Text("points", "n", a.worth(past.Tricks[n-1], played))
		line := text[strings.Index(text, " took: "):]
		a.says("worth of the last trick "+worth, strings.Contains(line, " – "+worth), true)
	}
	o := p.Result
	if o == nil {
		return
	}
	if stakes := why(at.writer(), a.rules, past); stakes != "" {
		n, _ := strconv.Atoi(strings.Fields(stakes)[0])
		a.same("the stakes of the result", n, max(score.ScoreDelta[a.rules.Side(score.Sides[score.Winners[0]][0])], 0))
	}
}
