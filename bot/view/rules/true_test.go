package rules

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/gametest"
)

// played is a deal as the engine played it.
type played struct {
	game.Rules
	states        []game.State // before each move, and the last one
	views         []game.View  // of the states
	res           game.Result
	before, after game.Match
	game.Settlement
}

// args are the arguments of a sentence, as a reader finds them there.
type args map[string]string

// number returns the number in an argument.
func (s args) number(arg string) int {
	n, err := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(s[arg]))
	if err != nil {
		panic(fmt.Sprint(arg, " is no number in ", s))
	}
	return n
}

var english = screen.NewWriter(lang.For("en"), face.French)

// ranksIn returns the ranks that a text names.
func ranksIn(text string) (all []game.Rank) {
	words := regexp.MustCompile(`\w+`).FindAllString(text, -1)
	for _, rank := range []game.Rank("23456789TUJOQKA") {
		if name := english.Ranks(rank); slices.Contains(words, name) {
			all = append(all, rank)
		}
	}
	return all
}

// rank returns a card's rank in a trick.
func (d *played) rank(c game.Card) game.Rank {
	if c == d.SpecialSeven {
		return '7'
	}
	return c.Rank()
}

// sideOf returns the index of a seat's side.
func (d *played) sideOf(seat int) int {
	return slices.IndexFunc(d.Settlement.Sides, func(seats []int) bool { return slices.Contains(seats, seat) })
}

// best returns the sides with the most points.
func (d *played) best() (sides []int) {
	for side, points := range d.Points {
		if points == slices.Max(d.Points) {
			sides = append(sides, side)
		}
	}
	return sides
}

// others adds up numbers of all sides but one.
func others(numbers []int, side int) (sum int) {
	for i, n := range numbers {
		if i != side {
			sum += n
		}
	}
	return sum
}

// lost reports whether the last card loses the deal, so that the points don't decide it.
func (d *played) lost() bool {
	return d.FinalSeven == game.SevenLoses && d.res.End == game.EndPlayed && d.rank(d.res.LastCard) == '7'
}

// counts reports whether the points decide the deal.
func (d *played) counts() bool { return d.res.Burner == game.Nobody && !d.lost() }

// pays reports whether each loser pays that many stakes to each winner.
func (d *played) pays(stake int) bool {
	for seat, payment := range d.Payments {
		want := 0
		for other := range d.Payments {
			switch won := slices.Contains(d.Winners, d.sideOf(seat)); {
			case len(d.Winners) == 0 || won == slices.Contains(d.Winners, d.sideOf(other)):
			case won:
				want += stake
			default:
				want -= stake
			}
		}
		if len(d.Settlement.Sides) == 2 && len(d.Settlement.Sides[0]) == len(d.Settlement.Sides[1]) {
			want /= len(d.Settlement.Sides[0]) // each loser pays one winner
		}
		if payment != want {
			return false
		}
	}
	return true
}

// passes reports whether the deal moves on exactly if it should.
func (d *played) passes(should bool) bool {
	if should {
		return d.NextDealer == d.Next(d.before.Dealer)
	}
	return d.NextDealer == d.before.Dealer
}

// loser reports whether a loser deals, and a winner leads, after a deal that somebody won.
func (d *played) loser() bool {
	return len(d.Winners) == 0 || !slices.Contains(d.Winners, d.sideOf(d.NextDealer)) && (len(d.Winners) > 1 || d.sideOf(d.NextLeader) == d.Winners[0])
}

// scores reports whether the match counts these numbers, which are by side.
func (d *played) scores(want []int) bool { return !d.counts() || slices.Equal(d.ScoreDelta, want) }

// each reports whether a condition holds in all states.
func (d *played) each(f func(s game.State, v game.View) bool) bool {
	for i, s := range d.states {
		if !f(s, d.views[i]) {
			return false
		}
	}
	return true
}

// tricks returns the cards of all tricks, also of an open one.
func (d *played) tricks() (all [][]game.Play) {
	v := d.views[len(d.views)-1]
	for _, t := range v.Tricks {
		all = append(all, t.Plays)
	}
	if len(v.Trick) > 0 {
		all = append(all, v.Trick)
	}
	return all
}

// burns returns the rank of the four equal cards with which a trick ends the deal, or 0.
func (d *played) burns(plays []game.Play, run bool) game.Rank {
	for i := 3; i < len(plays) && (run || i == 3); i++ {
		rank := d.rank(plays[i].Card)
		if !slices.ContainsFunc(plays[i-3:i], func(p game.Play) bool { return d.rank(p.Card) != rank }) {
			return rank
		}
	}
	return 0
}

func (d *played) burned(s args, run bool) bool {
	tricks := d.tricks()
	for _, plays := range tricks {
		if rank := d.burns(plays, run); rank != 0 {
			last, price := tricks[len(tricks)-1], 0
			for _, part := range strings.Split(s["prices"], ", ") {
				n, _ := strconv.Atoi(regexp.MustCompile(`(\d+) stakes?$`).FindStringSubmatch(part)[1])
				if named := ranksIn(strings.TrimSuffix(part, regexp.MustCompile(`\d+ stakes?$`).FindString(part))); slices.Contains(named, rank) || len(named) == 0 && price == 0 {
					price = n
				}
			}
			winner := d.sideOf(last[len(last)-1].Seat)
			return d.res.End == game.EndBurn && slices.Equal(d.Winners, []int{winner}) && d.Stake == price && d.pays(price)
		}
	}
	return d.res.End != game.EndBurn
}

// taken reports whether the right card is winning in each trick.
func (d *played) taken(args) bool {
	return d.each(func(s game.State, v game.View) bool {
		best := gametest.BestPlay(s)
		return len(v.Trick) == 0 || s.Over() || v.Trick[best].Seat == v.Winner
	})
}

// continues checks the cards with which a leader may continue.
func (d *played) continues(may func(v game.View, c game.Card) bool) bool {
	return d.each(func(s game.State, v game.View) bool {
		if v.Phase != game.Decide || d.ContinueWhen == game.OpponentWinning && d.Side(v.Winner) == d.Side(v.Turn) {
			return true
		}
		for _, c := range s.Hand(v.Turn) {
			if c != 0 && may(v, c) != slices.Contains(s.Legal(), game.PlayCard(c)) {
				return false
			}
		}
		return true
	})
}

func (d *played) led(v game.View, c game.Card) bool { return d.rank(c) == d.rank(v.Trick[0].Card) }

// banned checks whether, for a leader under a ban, the leads of the stock are legal as allowed says.
func (d *played) banned(n int, dark bool) bool {
	return d.each(func(s game.State, v game.View) bool {
		if v.Phase != game.Lead || v.LeadSeat != v.Turn || v.LeadCount < n {
			return true
		}
		hand := slices.DeleteFunc(s.Hand(v.Turn), func(c game.Card) bool { return c == 0 })
		other := slices.ContainsFunc(hand, func(c game.Card) bool { return d.rank(c) != v.LeadRank })
		for _, c := range hand {
			if other && d.rank(c) == v.LeadRank && slices.Contains(s.Legal(), game.PlayCard(c)) {
				return false
			}
		}
		return !other || v.Stock == 0 || slices.Contains(s.Legal(), game.Dark) == dark
	})
}

// beyond reports whether a side's points beyond those of its cards are as f says.
func (d *played) beyond(f func(side int) int) bool {
	for side := range d.Points {
		if d.res.End == game.EndPlayed && d.Points[side] != d.res.CardPoints[side]+f(side) {
			return false
		}
	}
	return true
}

func (d *played) last(side int) int { return map[bool]int{true: d.LastTrick}[side == d.res.LastTrick] }

func (d *played) forTricks(side int) int {
	if d.TrickUnit == game.ByTrick {
		return d.TrickPoints * d.res.TricksWon[side]
	}
	return d.TrickPoints * d.res.RoundsWon[side]
}

// stakes checks the words about stakes. none and all are the arguments for others without points, and without a trick.
func stakes(none, all string) func(d *played, s args) bool {
	return func(d *played, s args) bool {
		best := d.best()
		if !d.counts() || len(best) > 1 {
			return true
		}
		want := s.number("stakes")
		if none != "" && others(d.Points, best[0]) == 0 {
			want = s.number(none)
		}
		if all != "" && others(d.res.TricksWon, best[0]) == 0 {
			want = s.number(all)
		}
		return slices.Equal(d.Winners, best) && d.Stake == want
	}
}

// truths say what the engine must do so that a sentence is true. No house rule changes a sentence without one.
var truths = map[string]func(d *played, s args) bool{
	"lead":                        (*played).taken,
	"take.plain":                  (*played).taken,
	"take.wild":                   func(d *played, s args) bool { return slices.Equal(ranksIn(s["wild"]), d.Wild.List()) && d.taken(s) },
	"wild_order.eight_over_seven": (*played).taken,
	"seven_led.beats":             (*played).taken,
	"seven_led.never":             (*played).taken,
	"special_seven":               (*played).taken,
	"final_seven.dead":            (*played).taken,
	"final_seven.loses": func(d *played, _ args) bool {
		return !d.lost() || len(d.Winners) > 0 && !slices.Contains(d.Winners, d.res.LastCardSide)
	},
	"burn.first4": func(d *played, s args) bool { return d.burned(s, false) },
	"burn.run":    func(d *played, s args) bool { return d.burned(s, true) },
	"burned_game": func(d *played, s args) bool {
		four := d.each(func(state game.State, _ game.View) bool {
			for seat := range d.Players {
				count := map[game.Rank]int{}
				for _, c := range state.Hand(seat) {
					if count[c.Rank()]++; c != 0 && count[c.Rank()] == 4 && !state.Over() { // by the printed rank
						return false
					}
				}
			}
			return true
		})
		return four && (d.res.End != game.EndBurnedGame || len(d.Winners) == 1 && d.Stake == s.number("n") && d.pays(d.Stake))
	},
	"continue.any":   func(d *played, _ args) bool { return d.continues(func(game.View, game.Card) bool { return true }) },
	"continue.match": func(d *played, _ args) bool { return d.continues(d.led) },
	"continue.match_or_wild": func(d *played, s args) bool {
		return d.continues(func(v game.View, c game.Card) bool {
			return d.led(v, c) || slices.Contains(ranksIn(s["wild"]), d.rank(c))
		})
	},
	"rounds": func(d *played, s args) bool {
		return d.each(func(_ game.State, v game.View) bool { return v.Rounds <= s.number("n") })
	},
	"continue_when.opponent_winning": func(d *played, _ args) bool {
		return d.each(func(s game.State, v game.View) bool {
			return v.Phase != game.Decide || d.Side(v.Winner) != d.Side(v.Turn) || len(s.Legal()) == 1
		})
	},
	"forced": func(d *played, _ args) bool {
		return d.each(func(s game.State, v game.View) bool {
			return v.Phase != game.Decide || len(s.Legal()) > 1 || s.Forced()
		})
	},
	"lead_ban":                  func(d *played, s args) bool { return d.Dark || d.banned(s.number("n"), false) },
	"ban_dark.exempt":           func(d *played, _ args) bool { return d.banned(d.LeadBan, true) },
	"ban_dark.forbid_dark_lead": func(d *played, _ args) bool { return d.banned(d.LeadBan, false) },
	"points.none":               func(d *played, _ args) bool { return slices.Max(d.res.CardPoints) == 0 },
	"last_trick.none":           func(d *played, _ args) bool { return d.beyond(d.forTricks) },
	"last_trick": func(d *played, s args) bool {
		return d.beyond(func(side int) int {
			return d.forTricks(side) + map[bool]int{true: s.number("n")}[side == d.res.LastTrick]
		})
	},
	"trick_points.round": func(d *played, s args) bool {
		return d.beyond(func(side int) int { return d.last(side) + s.number("n")*d.res.RoundsWon[side] })
	},
	"trick_points.trick": func(d *played, s args) bool {
		return d.beyond(func(side int) int { return d.last(side) + s.number("n")*d.res.TricksWon[side] })
	},
	"scoring.stakes":        stakes("b", "c"),
	"scoring.stakes.points": stakes("b", ""),
	"scoring.stakes.tricks": stakes("", "c"),
	"scoring.difference": func(d *played, _ args) bool {
		want := make([]int, len(d.Points))
		if best := d.best(); len(best) == 1 {
			want[best[0]] = d.Points[best[0]] - others(d.Points, best[0])
		}
		return d.scores(want)
	},
	"scoring.points": func(d *played, _ args) bool { return d.scores(d.Points) },
	"scoring.pool": func(d *played, _ args) bool {
		for side := range d.Points {
			if d.res.LastTrick == side && others(d.res.CardPoints, side) == 0 {
				want := make([]int, len(d.Points))
				want[side] = 100 + d.before.Pool
				return d.scores(want) && d.after.Pool == 0
			}
		}
		return d.scores(d.Points) && d.after.Pool == d.before.Pool+10
	},
	"scoring.kovac": func(d *played, _ args) bool {
		want := make([]int, len(d.Points))
		for side := range d.Points {
			switch {
			case others(d.res.TricksWon, side) == 0:
				want[side] = 2
			case d.Points[side] == 60 && others(d.Points, side) == 20:
				want[side] = 1
			}
		}
		return d.scores(want)
	},
	"scoring.hola": func(d *played, s args) bool {
		want := slices.Clone(d.Points)
		for side := range want {
			if others(d.res.TricksWon, side) == 0 {
				want[side] = s.number("n")
			}
		}
		return d.scores(want)
	},
	"scoring.ristikontra": func(d *played, _ args) bool {
		want, best := make([]int, len(d.Points)), d.best()
		if len(best) > 1 {
			return d.scores(want) && d.after.Abeyance == d.before.Abeyance+1
		}
		want[best[0]] = 1 + d.before.Abeyance
		if others(d.Points, best[0]) == 0 {
			want[best[0]]++
		}
		return d.scores(want) && d.after.Abeyance == 0
	},
	"scoring.points_zero": func(d *played, _ args) bool {
		want := slices.Clone(d.Points)
		for side, points := range want {
			if points == 0 {
				want[side] = -d.before.Scores[side]
			}
		}
		return d.scores(want)
	},
	"pay.2":    func(d *played, _ args) bool { return d.pays(d.Stake) },
	"pay.3":    func(d *played, _ args) bool { return d.pays(d.Stake) },
	"pay.solo": func(d *played, _ args) bool { return d.pays(d.Stake) },
	"tie.none": func(d *played, _ args) bool {
		return !d.counts() || len(d.best()) == 1 || len(d.Winners) == 0 && d.pays(0)
	},
	"tie.3": func(d *played, s args) bool {
		switch best := d.best(); {
		case !d.counts() || len(best) == 1:
			return true
		case len(best) == 2:
			return slices.Equal(d.Winners, best) && d.pays(s.number("a"))
		}
		return len(d.Winners) == 0 && d.pays(0)
	},
	"tie.last_trick": func(d *played, _ args) bool {
		return !d.counts() || len(d.best()) == 1 || slices.Equal(d.Winners, []int{d.res.LastTrick})
	},

	"dealer.loser_deals.2": func(d *played, _ args) bool { return d.loser() },
	"dealer.loser_deals.3": func(d *played, _ args) bool { return d.loser() },
	"dealer.loser_deals.4": func(d *played, _ args) bool {
		switch dealer := d.before.Dealer; {
		case len(d.Winners) == 0:
			return true
		case d.Winners[0] == d.sideOf(dealer):
			return d.NextDealer == (dealer+1)%4
		default:
			return d.NextDealer == (dealer+2)%4
		}
	},
	"dealer.loser_deals.6": func(d *played, _ args) bool { return d.loser() },
	"dealer.loser_deals.solo": func(d *played, _ args) bool {
		switch {
		case len(d.Winners) == 0 || d.res.Solo == game.Nobody:
			return true
		case d.Winners[0] == d.sideOf(d.res.Solo):
			return d.NextLeader == d.res.Solo
		}
		return d.NextDealer == d.res.Solo
	},
	"tie_dealer.same": func(d *played, _ args) bool { return len(d.Winners) > 0 || d.passes(false) },
	"tie_dealer.left": func(d *played, _ args) bool { return len(d.Winners) > 0 || d.passes(true) },
	"dealer.rotate":   func(d *played, _ args) bool { return d.passes(true) },
	"dealer.slovak60": func(d *played, s args) bool {
		return d.passes(others(d.Points, d.sideOf(d.before.Dealer)) >= s.number("n"))
	},
	"dealer.hola": func(d *played, s args) bool {
		return d.passes(others(d.Points, d.sideOf(d.before.Dealer)) >= s.number("n"))
	},
	"dealer.kovac": func(d *played, _ args) bool {
		return d.passes(len(d.Winners) > 0 && d.Winners[0] != d.sideOf(d.before.Dealer))
	},
	"dealer.kovac_any":      func(d *played, _ args) bool { return d.passes(len(d.Winners) > 0) },
	"dealer.soccer_home":    func(d *played, _ args) bool { return d.passes(false) },
	"dealer.soccer_neutral": func(d *played, _ args) bool { return d.passes(true) },
	"match.endless":         func(d *played, _ args) bool { return !d.after.Over },
	"match.hands":           func(d *played, s args) bool { return d.Target > 0 || d.after.Over == (d.after.Deals >= s.number("n")) },
	"match.target": func(d *played, s args) bool {
		most := slices.Max(d.after.Scores)
		alone := slices.Index(d.after.Scores, most)
		alone = map[bool]int{true: game.Nobody, false: alone}[slices.Contains(d.after.Scores[alone+1:], most)]
		reached := alone != game.Nobody && most >= s.number("to")
		return d.Deals > 0 && d.after.Deals >= d.Deals || d.after.Over == reached && (!reached || d.after.Winner == alone)
	},
	"half_time": func(d *played, s args) bool { return d.Settlement.HalfTime == (d.after.Deals == s.number("n")) },
}

// sentence is a text of the catalogue as it may be said.
type sentence struct {
	key  string
	text *regexp.Regexp
}

// sentencesOf returns the texts of the exact rules.
func sentencesOf() (all []sentence) {
	blank := regexp.MustCompile(`\\\{(\w+)\\\}`)
	for key, text := range english.Under("rules.") {
		one := english.Text("rules."+key, "n", 1)
		for _, form := range slices.Compact([]string{text, strings.Replace(one, "{n}", "1", 1)}) {
			pattern := blank.ReplaceAllString(regexp.QuoteMeta(form), "(?P<$1>.+?)")
			all = append(all, sentence{key, regexp.MustCompile("^" + pattern + "(?: |$)")})
		}
	}
	return all
}

// split returns the sentences of a text, each with its arguments. It returns false if a part is none.
func split(text string, known []sentence, add func(key string, s args)) bool {
	if text == "" {
		return true
	}
	for _, one := range known {
		if m := one.text.FindStringSubmatch(text); m != nil && split(text[len(m[0]):], known, add) {
			s := args{"n": "1"} // a text for one has no number
			for i, name := range one.text.SubexpNames() {
				if name != "" {
					s[name] = m[i]
				}
			}
			add(one.key, s)
			return true
		}
	}
	return false
}

// Every sentence of the exact rules is true of the deals that the engine plays, for each two house rules together.
func TestTheRulesAreTrue(t *testing.T) {
	t.Parallel()
	every := 200
	if os.Getenv("SEDMABOT_TEST_LONG") == "1" {
		every = 1
	}
	random := rand.New(rand.NewPCG(1, 2))
	known := sentencesOf()
	all, pairs, deals, compared := 0, 0, 0, map[string]int{}
	for _, preset := range game.Presets() {
		plain := gametest.Preset(t, preset)
		for _, one := range game.HouseRules(plain) {
			for _, value := range one.Values {
				r, err := game.SetHouse(plain, one.Name, value)
				if err != nil {
					t.Fatal(err)
				}
				for _, other := range game.HouseRules(r) {
					for _, value := range other.Values {
						if all++; random.IntN(every) > 0 {
							continue
						}
						if both, err := game.SetHouse(r, other.Name, value); err != nil {
							t.Fatal(err)
						} else {
							pairs++
							deals += holds(t, both, plain, known, random, compared)
						}
					}
				}
			}
		}
	}
	said := 0
	for key := range truths {
		if said += compared[key]; compared[key] == 0 {
			t.Logf("never said: %s", key)
		}
	}
	t.Logf("%d of %d pairs of house rules, %d deals, %d sentences", pairs, all, deals, said)
}

// holds plays deals with these rules, and checks what is said of them. It returns the number of deals.
func holds(t *testing.T, r, plain game.Rules, known []sentence, random *rand.Rand, compared map[string]int) (deals int) {
	t.Helper()
	said := map[string]args{}
	special, usual := sentences(english, r, false)
	for _, line := range slices.Concat(special, usual) {
		text := strings.TrimPrefix(screen.PlainText(face.French, line), "• ")
		if !split(text, known, func(key string, s args) { said[key] = s }) {
			t.Fatalf("%s: no sentences: %q", gametest.Describe(r), text)
		}
	}
	m := game.NewMatch(r, random.IntN(r.Players))
	for deals < 3 && !m.Over {
		deals++
		d := deal(t, m, random)
		for key, s := range said {
			truth, changes := truths[key]
			switch {
			case changes && !truth(d, s):
				t.Fatalf("%s: %s isn't true: %v\n%+v\n%+v", gametest.Describe(r), key, s, d.res, d.Settlement)
			case changes:
				compared[key]++
			case !strings.Contains(Exact(plain, english.Catalogue).String(), strings.Split(english.Text("rules."+key), "{")[0]):
				t.Fatalf("%s: %s isn't checked", gametest.Describe(r), key)
			}
		}
		m = d.after
	}
	return deals
}

// deal plays a deal of a match. Equal cards often follow each other.
func deal(t *testing.T, m game.Match, random *rand.Rand) *played {
	t.Helper()
	d := &played{Rules: m.Rules, before: m}
	s, err := game.Deal(m.Rules, gametest.Shuffled(m.Rules, random.IntN), m.Dealer)
	for err == nil && !s.Over() {
		d.states, d.views = append(d.states, s), append(d.views, s.View(game.Nobody))
		legal := s.Legal()
		move := legal[random.IntN(len(legal))]
		if trick := d.views[len(d.views)-1].Trick; len(trick) > 0 && random.IntN(3) > 0 {
			for _, c := range s.Hand(s.Turn()) {
				if c != 0 && d.rank(c) == d.rank(trick[0].Card) && slices.Contains(legal, game.PlayCard(c)) {
					move = game.PlayCard(c)
				}
			}
		}
		s, err = game.Apply(s, s.Turn(), move)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.states, d.views = append(d.states, s), append(d.views, s.View(game.Nobody))
	d.res, _ = s.Result()
	d.after, d.Settlement = m.Settle(d.res)
	return d
}
