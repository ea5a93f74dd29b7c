// Package arena measures how much better one player is than another. Each deck is played from both sides, so that luck
// cancels out. The result has a confidence interval.
//
// [Play] plays the deals. A player is a level of package ai, or any program that speaks the engine
// protocol below. "sedmabot arena" starts such programs, and
// [Engine] is "sedmabot engine", the levels of package ai as such a program.
//
// # The engine protocol
//
// A program reads requests from its standard input, and writes one answer to each
// to its standard output: one JSON object a line, in the order of the requests. It
// may write what it likes to its standard error. It ends when its input ends.
//
//	{"id":1,"rules":"sedma-4p","dealer":3,"scores":[0,0],"seat":2,"hand":["7a","Ka","9l","Ub"],"actions":["0:9a","1:Ta"]}
//	{"id":1,"move":"9l"}
//
// A request contains what its seat may know, and nothing else:
//
//	id       repeat it in the answer
//	rules    a preset's name, or an object of options as in package record
//	dealer   the seat that dealt. Seats are 0 to n-1, clockwise
//	scores   the match before this deal, by side; also pool, abeyance and
//	         hands_played, each left out if it is 0
//	seat     the seat whose move is asked for
//	hand     its cards: a rank (7 8 9 T U O K A) and a suit (a l h b)
//	actions  all moves of the deal so far, each after its seat and a colon
//
// A French pack has the letters of game.Rank and game.Suit. A move is a card;
// "stop", by which the leader ends the trick after a round instead of playing a
// matching card; "pass" and "dark" in the games that have them. A card that was
// played in the dark appears as "dark:Kh". A stop that the rules force is in the
// list like any other, and a program is never asked for one; a list without the
// forced stops is accepted as well.
//
// An answer contains the move. "sedmabot engine" adds "value", the score that it
// expects the deal to bring its side, and "ms", how long it thought. A program that
// can't answer says why, which ends a meeting in the arena:
//
//	{"id":1,"error":"input","message":"I play sedma-2p and sedma-4p"}
//
// testdata/player.py is a whole player in sixty lines of Python:
//
//	sedmabot arena --a "exec:python3 player.py" --b easy --rules sedma-4p --decks 300
//
// # The benchmark
//
// To say how strong a player is, let it play 10,000 decks from seed 2026 against each of three yardsticks, with four and
// with two players:
//
//	greedy   a player by simple rules: ai.Greedy
//	sampler  a plain search: ai.Sampler imagines 400 worlds, all equally likely
//	hard     the strongest opponent
//
//	sedmabot arena --a "exec:./player" --b greedy --rules sedma-4p --decks 10000 --seed 2026 --keep greedy-4p.jsonl
//
// Each deck is dealt twice, with the players on each other's seats. Compare the mean of stakes per deal, with
// its 95 % interval. A player gets requests of the protocol above and nothing else, one process plays all its seats, and
// it keeps nothing from deal to deal. Say how long it thinks. If it is slow, say how many decks it played: the first n
// decks are the same for everybody. With --keep, the result of each deck is written down, and a meeting that was
// interrupted continues. Two players whose results are in such files can be compared deck by deck.
//
// A program of your own can deal the same decks: "sedmabot arena --list --rules sedma-4p --decks 10000 --seed 2026" prints
// them. The random numbers of a deck are the SHA-256 sum of the seed and the deck's number, from 0, each as eight bytes
// big-endian; game.Shuffle says how cards are shuffled with them. Deck n is dealt by seat n modulo the number of players.
//
// game/ai/FIGURES.md has the yardsticks among themselves, and how much a stronger player could still gain.
package arena

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"sedmabot/game"
	"sedmabot/game/ai"
)

// A Player chooses a legal move for the seat whose turn it is. It gets the whole state, so that a cheating player can
// be measured too. An honest player looks only at the seat's view.
type Player func(s game.State) (game.Move, error)

// Named returns the player that is a level or a yardstick: "greedy" or "sampler".
func Named(ctx context.Context, name string) (Player, error) {
	switch name {
	case "greedy":
		return func(s game.State) (game.Move, error) { return ai.Greedy(s.View(s.Turn())), nil }, nil
	case "sampler":
		return func(s game.State) (game.Move, error) { return ai.Sampler(ctx, s.View(s.Turn())), nil }, nil
	}
	return func(s game.State) (game.Move, error) {
		return ai.Choose(ctx, name, s.View(s.Turn()), game.Match{}).Move, nil
	}, checkLevel(name)
}

// A Report says how player a did against player b.
type Report struct {
	Rules  string   `json:"rules"`
	Decks  int      `json:"decks"`  // number of decks; each is dealt several times, with the players on other seats
	Deals  int      `json:"deals"`  // number of deals that were played
	Score  Estimate `json:"score"`  // score of a less score of b, per deal
	Stakes Estimate `json:"stakes"` // the same in stakes; in games without stakes, a won deal counts as one
	A      Pace     `json:"a"`
	B      Pace     `json:"b"`
}

// An Estimate is a mean and half the width of its 95 % confidence interval.
type Estimate struct {
	Mean  float64 `json:"mean"`
	Width float64 `json:"width"`
}

// A Pace is how long a player thought per move, in milliseconds. Moves without a choice don't count.
type Pace struct {
	Moves int     `json:"moves"`
	Mean  float64 `json:"mean_ms"`
	P99   float64 `json:"p99_ms"`
}

// A Result is what one deck brought the first player, per deal.
type Result struct {
	Deck   int     `json:"deck"` // number of the deck, from 0
	Score  float64 `json:"score"`
	Stakes float64 `json:"stakes"`
}

// Play plays that many decks. With two sides, a plays each deck once on each side. With three players, a plays each
// deck once alone in each seat against two of b, and b plays alone in the same way. The decks follow from the seed.
func Play(ctx context.Context, r game.Rules, a, b Player, decks int, seed uint64) (Report, error) {
	return Continue(ctx, r, a, b, nil, decks, seed, func(Result) error { return nil })
}

// Continue is [Play] for a meeting that was interrupted: done are the results of its first decks, and keep is called with
// each further one.
func Continue(ctx context.Context, r game.Rules, a, b Player, done []Result, decks int, seed uint64, keep func(Result) error) (Report, error) {
	m := &meeting{rules: r, results: done}
	m.players[0].choose, m.players[1].choose = a, b
	for i := len(done); i < decks; i++ {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		result, err := m.deck(i, seed)
		if err == nil {
			err = keep(result)
		}
		if err != nil {
			return Report{}, fmt.Errorf("deck %d: %w", i+1, err)
		}
		m.results = append(m.results, result)
	}
	return Report{
		Rules: r.Preset, Decks: len(m.results), Deals: len(m.results) * m.ways(),
		Score:  estimate(m.results, func(x Result) float64 { return x.Score }),
		Stakes: estimate(m.results, func(x Result) float64 { return x.Stakes }),
		A:      pace(m.players[0].times), B: pace(m.players[1].times),
	}, nil
}

// meeting is two players and their results so far.
type meeting struct {
	rules   game.Rules
	players [2]participant
	results []Result // by deck
}

type participant struct {
	choose Player
	times  []time.Duration
}

// deckOf returns the deck with that number, and the seat that deals it.
func deckOf(r game.Rules, no int, seed uint64) (cards []game.Card, dealer int) {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], seed)
	binary.BigEndian.PutUint64(b[8:], uint64(no))
	return game.Shuffle(r.Pack(), sha256.Sum256(b[:])), no % r.Players
}

// WriteDecks writes the decks that follow from the seed, one a line: its number, the seat that deals, and the cards, the first
// to be dealt first.
func WriteDecks(out io.Writer, r game.Rules, decks int, seed uint64) error {
	lines := bufio.NewWriter(out)
	for no := range decks {
		cards, dealer := deckOf(r, no, seed)
		fmt.Fprintf(lines, "%d %d", no, dealer)
		for _, c := range cards {
			fmt.Fprintf(lines, " %s", c)
		}
		fmt.Fprintln(lines)
	}
	return lines.Flush() // it also reports an error of the lines before
}

// ways returns in how many arrangements of the players each deck is played.
func (m *meeting) ways() int {
	if m.rules.Sides() == 2 {
		return 2
	}
	return 2 * m.rules.Sides()
}

// deck plays the deck with that number in every arrangement of the players.
func (m *meeting) deck(no int, seed uint64) (Result, error) {
	cards, dealer := deckOf(m.rules, no, seed)
	score, stakes, ways := 0.0, 0.0, float64(m.ways())
	for side := range m.rules.Sides() {
		for alone := range 2 {
			if m.rules.Sides() == 2 && alone == 1 {
				break // with two sides, this would repeat an arrangement
			}
			x, err := m.play(cards, dealer, side, alone)
			if err != nil {
				return Result{}, err
			}
			worth := x
			if m.pointsOnly() {
				worth = math.Copysign(min(1, math.Abs(x)), x)
			}
			if alone == 1 {
				x, worth = -x, -worth
			}
			score += x
			stakes += worth
		}
	}
	return Result{Deck: no, Score: score / ways, Stakes: stakes / ways}, nil
}

func (m *meeting) pointsOnly() bool {
	switch m.rules.Scoring {
	case game.ByStakes, game.ByKovac, game.ByRistikontra:
		return false
	default:
		return true
	}
}

// play plays one deal with player who on one side and the other player on the others. It returns the side's score less
// the mean of the others.
func (m *meeting) play(cards []game.Card, dealer, side, who int) (float64, error) {
	s, err := game.Deal(m.rules, cards, dealer)
	for err == nil && !s.Over() {
		p := &m.players[1-who]
		if m.rules.Side(s.Turn()) == side {
			p = &m.players[who]
		}
		var move game.Move
		if legal := s.Legal(); len(legal) == 1 {
			move = legal[0]
		} else {
			start := time.Now()
			if move, err = p.choose(s); err != nil {
				return 0, err
			}
			p.times = append(p.times, time.Since(start))
		}
		s, err = game.Apply(s, s.Turn(), move)
	}
	if err != nil {
		return 0, err
	}
	result, _ := s.Result()
	_, brought := game.NewMatch(m.rules, dealer).Settle(result)
	own, others := 0, 0
	for i, n := range brought.ScoreDelta {
		if i == side {
			own = n
		} else {
			others += n
		}
	}
	return float64(own) - float64(others)/float64(m.rules.Sides()-1), nil
}

func estimate(results []Result, of func(Result) float64) Estimate {
	n := float64(len(results))
	if n < 2 {
		return Estimate{}
	}
	sum, squares := 0.0, 0.0
	for _, r := range results {
		sum += of(r)
	}
	mean := sum / n
	for _, r := range results {
		squares += (of(r) - mean) * (of(r) - mean)
	}
	return Estimate{Mean: mean, Width: 1.96 * math.Sqrt(squares/(n-1)/n)}
}

func pace(times []time.Duration) Pace {
	if len(times) == 0 {
		return Pace{}
	}
	slices.Sort(times)
	sum := time.Duration(0)
	for _, t := range times {
		sum += t
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Pace{Moves: len(times), Mean: ms(sum / time.Duration(len(times))), P99: ms(times[len(times)*99/100])}
}
