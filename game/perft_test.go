package game_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sedmabot/game"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with the file in testdata, or writes that file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// small are positions that are small enough to be played in every possible way.
var small = []struct {
	rules  string
	leader int
	stock  string
	hands  []string
}{
	{`"sedma-2p"`, 0, "8a 8l", []string{"9a 9l 7a Ka", "9h Ta Tl 7l"}},
	{`"sedma-3p"`, 1, "", []string{"9a 9l 7a", "9h Ta 7l", "Kb 9b Th"}},
	{`"sedma-4p"`, 2, "Aa Al Ah Ab", []string{"9a 7a", "9h Ta", "9b 7l", "Kb Tl"}},
	{`"sedma-3p-solo-leaves"`, 0, "Ah", []string{"9a Kl 7a", "9h Ta Ka", "9b 7l Tl"}},
	{`"sedma-3p-hartmann"`, 0, "Ah Kh Oh", []string{"9a Ka", "9h Ta", "9b 7l"}},
	{`"sedma-3p-svoboda32"`, 1, "Ah Kh", []string{"9a Ka 7b", "9h Ta 7h", "9b 7l Th"}},
	{`"sedma-2p-kase1"`, 0, "9b", []string{"9a 9l 7a", "9h Ta 7l"}},
	{`"sedma-2p-spalena-hra"`, 0, "9b 9h", []string{"9a 9l Ka Oa", "8h Ta 7l 7h"}},
	{`"osmova-4p"`, 0, "", []string{"Aa 8a 7a", "Al 8l 7l", "9a 9l Ta", "Ah 8h 7h"}},
	{`"kovac-2p"`, 1, "8a 7b", []string{"9a 7a Ka", "9h Ta 7l"}},
	{`"hola-2p"`, 0, "2h 8s 3c", []string{"9c 7c Kd 2c", "9s Tc Td 7d"}},
	{`"hola-6p"`, 4, "", []string{"9c 9c", "2d Ah", "9s", "7s 7s", "9d Ks", "Kc"}},
	{`"ristikontra"`, 3, "2c 3c 4c Kd", []string{"Kc Ac", "Ks As", "Kh Ah", "Tc Td"}},
	{`"zsirozas-2p"`, 1, "8a 8l", []string{"9a 9l 7a Ka", "9h Ta Tl 7l"}},
	{`"sedmice-4p"`, 2, "Aa Al Ah Ab", []string{"9a 7a", "9h Ta", "9b 7l", "Kb Tl"}},
	{`"septica-3p"`, 0, "", []string{"9a 8l 7a", "9h 8a 7l", "9b Kb Th"}},
}

// TestPerft counts the ways in which small positions can be played to the end, and the states after each number of
// moves. The plain reference must get the same counts.
func TestPerft(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it counts all ways to play")
	}
	var b strings.Builder
	for _, c := range small {
		r := rules(t, c.rules)
		s := start(t, r, c.leader, c.stock, c.hands...)
		p := &plain{
			r: &r, stock: hand(t, c.stock), turn: c.leader, phase: "lead", lastTrick: -1, king: -1,
			won: make([][]game.Card, r.Players), tricks: make([]int, r.Players), rounds: make([]int, r.Players),
		}
		for seat, text := range c.hands {
			p.hands = append(p.hands, hand(t, text))
			if slices.Contains(p.hands[seat], r.SpecialSeven) {
				p.king = seat
			}
		}
		counts := perft(s, nil, 0)
		if other := plainPerft(p, nil, 0); !slices.Equal(counts, other) {
			t.Errorf("%s: the reference counts %v, not %v", c.rules, other, counts)
		}
		fmt.Fprintf(&b, "%s leader %d, hands %s, stock %s\n", strings.Trim(c.rules, `"`), c.leader, strings.Join(c.hands, " | "), c.stock)
		fmt.Fprintf(&b, "  states by moves made %v, ends %d\n", counts[1:], counts[0])
	}
	golden(t, "perft.txt", b.String())
}

// perft adds up the states below s: finished deals first, then states by depth.
func perft(s game.State, counts []int, depth int) []int {
	counts = count(counts, depth, s.Over())
	var room [16]game.Move
	for _, m := range s.AppendLegal(room[:0]) {
		next, err := game.Apply(s, s.Turn(), m)
		if err != nil {
			panic(err)
		}
		counts = perft(next, counts, depth+1)
	}
	return counts
}

func plainPerft(p *plain, counts []int, depth int) []int {
	counts = count(counts, depth, p.end != "")
	for _, m := range p.legal() {
		counts = plainPerft(p.apply(m), counts, depth+1)
	}
	return counts
}

func count(counts []int, depth int, over bool) []int {
	for len(counts) < depth+2 {
		counts = append(counts, 0)
	}
	counts[depth+1]++
	if over {
		counts[0]++
	}
	return counts
}
