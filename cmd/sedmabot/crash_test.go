package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The program is killed at random moments of a match and started again, on each store. The match must continue to its
// end, every deal must be legal, and every accepted card must be in the records.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	unraced(t)
	everyStore(t, func(t *testing.T, k kept) {
		const kills = 3
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		env := []string{variable(k.config), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0", "SEDMABOT_TABLE_PACE=0"}
		address := func(p *process) string {
			return strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at ")
		}
		c := newPage(t, "Ann", "Cat")
		people := everybody(c, seed)

		p := launch(t, env)
		c.connect(address(p))
		c.open()
		for range kills {
			// Wait until somebody can play, so that each run has a part of the match.
			for _, who := range people {
				who.pressed = ""
			}
			c.until(func() bool { _, ann := people[0].turn(); _, cat := people[1].turn(); return ann || cat || finished(c) })
			kill := time.AfterFunc(time.Duration(random.IntN(150))*time.Millisecond, p.kill)
			playUntil(c, people, func(c crowd) bool { return c.(*onPage).gone || finished(c) })
			kill.Stop()
			p.kill()
			p = launch(t, env)
			c.connect(address(p))
		}
		playUntil(c, people, finished)
		checkBoard(t, c)
		if log := p.stderr.String(); strings.Contains(log, "level=ERROR") {
			t.Errorf("errors in the log:\n%s", log)
		}
		p.kill()
		records := checkRecords(t, k)
		if output, err := with(t, []string{k.config}, "boards", "check"); err != nil || !strings.Contains(output, " 1 matches (1 of them played again from their records)") && !strings.Contains(output, " 2 matches (1 of them played again") {
			t.Errorf("%v\n%s", err, output)
		}

		checkAccepted(t, c, records)
		if len(c.accepted) < 20 {
			t.Errorf("only %d cards were played", len(c.accepted))
		}
	})
}

// checkAccepted checks that every card that was accepted is in the records.
func checkAccepted(t *testing.T, c *onPage, records []string) {
	t.Helper()
	for _, press := range c.accepted {
		f := strings.Split(press, ":") // play, table, deal, decision, card
		deal, err := strconv.Atoi(f[2])
		if err != nil || deal > len(records) {
			t.Fatalf("a press of deal %s was accepted, %d deals are kept", f[2], len(records))
		}
		if f[4] != "stop" && !strings.Contains(records[deal-1], ":"+f[4]+`"`) {
			t.Errorf("%s was accepted and is not in the record:\n%s", press, records[deal-1])
		}
	}
}
