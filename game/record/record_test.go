package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/record"
)

// rng is a small random generator (splitmix64) for tests and benchmarks.
type rng uint64

func (r *rng) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) >> 1 % uint64(n))
}

// play plays a deal to its end, or for at most that many moves.
func play(t gametest.T, r game.Rules, dealer, moves int, choose gametest.Chooser) game.State {
	s, err := game.Deal(r, gametest.Shuffled(r, choose), dealer)
	for range moves {
		if err != nil || s.Over() {
			break
		}
		legal := s.Legal()
		s, err = game.Apply(s, s.Turn(), legal[choose(len(legal))])
	}
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// A match that is written as a record, read and replayed must end the same. That holds with or without its forced stops
// and the seats of its actions.
func TestMatchComesBack(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, name)
			random := rng(len(name))
			comesBack(t, r, random.below)
		})
	}
	t.Run("options", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			random := rng(rapid.Uint64().Draw(t, "seed"))
			r := gametest.Rules(t, random.below)
			t.Log(gametest.Describe(r))
			comesBack(t, r, random.below)
		})
	})
}

// A deal must keep its seed. A malformed seed must be ignored.
func TestSeeds(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	seed := [32]byte{1, 2, 254}
	want := record.Record{Rules: r, DealerBy: record.ByDraw, Deals: []record.Deal{
		{Deck: game.Shuffle(r.Pack(), seed), Seed: &seed},
		{Deck: r.Pack()},
	}}
	var text bytes.Buffer
	if err := record.Write(&text, want); err != nil {
		t.Fatal(err)
	}
	got, err := record.Read(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	for _, other := range []string{`7`, `"0102"`, `null`, `["0102fe"]`, `"` + strings.Repeat("xy", 32) + `"`} {
		got, err := record.Read([]byte(`{"rules":"sedma-2p","dealer_by":` + other + `,"deals":[{"deck":["7a"],"seed":` + other + `}]}`))
		if err != nil || got.DealerBy != "" || got.Deals[0].Seed != nil {
			t.Errorf("seed %s: %v, %v", other, got, err)
		}
	}
}

func comesBack(t gametest.T, r game.Rules, choose gametest.Chooser) {
	dealer := choose(r.Players)
	m := game.NewMatch(r, dealer)
	m.Pool, m.Abeyance = 10*choose(3), choose(2)
	rec := record.Record{Rules: r, Dealer: dealer, Pool: m.Pool, Abeyance: m.Abeyance, Trace: choose(2) == 0}
	want := record.Outcome{Payments: make([]int, r.Players)}
	for n := 0; n < 4 && !m.Over; n++ {
		moves := 1000
		if n == 3 {
			moves = choose(20)
		}
		s := play(t, r, m.Dealer, moves, choose)
		rec.Deals = append(rec.Deals, terse(s, choose))
		if s.Forced() { // the replay makes a forced stop at once
			var err error
			if s, err = game.Apply(s, s.Turn(), game.Stop); err != nil {
				t.Fatalf("%v", err)
			}
		}
		want.Deals = append(want.Deals, record.DealOutcome{State: s})
		res, ok := s.Result()
		if !ok {
			break
		}
		var brought game.Settlement
		m, brought = m.Settle(res)
		for p, n := range brought.Payments {
			want.Payments[p] += n
		}
	}
	var text bytes.Buffer
	if err := record.Write(&text, rec); err != nil {
		t.Fatalf("%v", err)
	}
	back, err := record.Read(text.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, text.Bytes())
	}
	got, err := back.Replay()
	if err != nil {
		t.Fatalf("%v: %s", err, text.Bytes())
	}
	if diff := cmp.Diff(m, got.Match); diff != "" {
		t.Fatalf("match (-want +got):\n%s", diff)
	}
	if !slices.Equal(want.Payments, got.Payments) || len(want.Deals) != len(got.Deals) {
		t.Fatalf("payments %v, %d deals, not %v, %d", got.Payments, len(got.Deals), want.Payments, len(want.Deals))
	}
	for i := range want.Deals {
		if !want.Deals[i].State.Equal(got.Deals[i].State) {
			t.Fatalf("deal %d is another one", i+1)
		}
	}
	if out, err := json.Marshal(got); err != nil || !json.Valid(out) {
		t.Fatalf("%v: %s", err, out)
	}
}

// dealOf returns the deal so far as a record. Every move has its seat, and forced stops are included.
func dealOf(s game.State) record.Deal {
	entries := s.View(game.Nobody).Log
	d := record.Deal{Deck: s.Deck(), Actions: make([]record.Action, len(entries))}
	for i, e := range entries {
		d.Actions[i] = record.Action{Seat: e.Seat, Move: e.Move}
	}
	return d
}

// terse returns the deal without some of its forced stops and seats.
func terse(s game.State, choose gametest.Chooser) record.Deal {
	d := dealOf(s)
	at, err := game.Deal(s.Rules(), d.Deck, s.Dealer())
	var actions []record.Action
	for i, m := range s.Moves() {
		if err != nil {
			panic(err)
		}
		a := d.Actions[i]
		if choose(2) == 0 {
			a.Seat = game.Nobody
		}
		if !at.Forced() || choose(2) == 0 {
			actions = append(actions, a)
		}
		at, err = game.Apply(at, at.Turn(), m)
	}
	d.Actions = actions
	return d
}

// A deal that is cut at the beginning of a trick and recorded as a position must continue in the same way.
func TestPositionGoesOn(t *testing.T) {
	t.Parallel()
	for _, name := range game.Presets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, name)
			random := rng(5)
			cut := 0
			for range 6 {
				cut += playOn(t, r, random.below)
			}
			if cut == 0 {
				t.Error("no deal was cut")
			}
		})
	}
}

func playOn(t *testing.T, r game.Rules, choose gametest.Chooser) int {
	played := play(t, r, choose(r.Players), 1000, choose)
	moves := played.Moves()
	s, err := game.Deal(r, played.Deck(), played.Dealer())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for from := choose(len(moves) + 1); !s.Over() && (n < from || s.Phase() != game.Lead); n++ {
		if s, err = game.Apply(s, s.Turn(), moves[n]); err != nil {
			t.Fatal(err)
		}
	}
	if s.Over() {
		return 0
	}
	v := s.View(game.Nobody)
	p := game.Position{Dealer: s.Dealer(), Leader: s.Turn(), Solo: game.Nobody, Passed: v.PassUsed, LeadSeat: game.Nobody}
	if v.LeadCount > 0 {
		p.LeadSeat, p.LeadRank, p.LeadCount = v.LeadSeat, v.LeadRank, v.LeadCount
	}
	deck := s.Deck()
	p.Stock = deck[len(deck)-v.Stock:]
	p.Captured = make([][]game.Card, r.Players)
	for _, trick := range v.Tricks {
		for _, x := range trick.Plays {
			p.Captured[trick.Winner] = append(p.Captured[trick.Winner], x.Card)
			if x.Card == r.SpecialSeven {
				p.Solo = x.Seat
			}
		}
	}
	_, p.TricksWon, p.RoundsWon = s.Won()
	for seat := range r.Players {
		p.Hands = append(p.Hands, slices.DeleteFunc(s.Hand(seat), func(c game.Card) bool { return c == 0 }))
	}
	rec := record.Record{Rules: r, Dealer: s.Dealer(), Position: &p, Deals: []record.Deal{{}}}
	for _, m := range moves[n:] {
		rec.Deals[0].Actions = append(rec.Deals[0].Actions, record.Action{Seat: game.Nobody, Move: m})
	}
	var text bytes.Buffer
	if err := record.Write(&text, rec); err != nil {
		t.Fatal(err)
	}
	back, err := record.Read(text.Bytes())
	if err != nil {
		t.Fatalf("%v: %s", err, text.Bytes())
	}
	got, err := back.Replay()
	if err != nil {
		t.Fatalf("%v: %s", err, text.Bytes())
	}
	want, _ := played.Result()
	res, ok := got.Deals[0].State.Result()
	want.Leader = s.Turn()
	if diff := cmp.Diff(want, res); diff != "" || !ok {
		t.Fatalf("result (-want +got):\n%s\n%s", diff, text.Bytes())
	}
	stored, err := json.Marshal(got.Deals[0].State)
	if err != nil {
		t.Fatal(err)
	}
	var state game.State
	if err := json.Unmarshal(stored, &state); err != nil || !state.Equal(got.Deals[0].State) {
		t.Fatalf("a stored position: %v: %s", err, stored)
	}
	return 1
}

// deck is the deck of a sedma-4p deal from the worked examples, as JSON.
const deck = `["9a","9l","Ta","7a","Ua","8a","9h","Tl","Ka","Oa","Ob","Ub","Kl","8b","Ol","Uh","Aa","7l","Al","8l","7h","9b","Th","Tb","Ul","Oh","Kh","Kb","8h","7b","Ah","Ab"]`

// A record that can't be replayed must give the error "input" or "illegal". The message says where the mistake is, and
// which moves were legal there.
func TestRefusals(t *testing.T) {
	t.Parallel()
	deal := func(actions string) string {
		return `{"rules":"sedma-4p","dealer":3,"deck":` + deck + `,"actions":` + actions + `}`
	}
	for in, want := range map[string]string{
		``:                                   "input",
		`7`:                                  "input",
		`{`:                                  "input",
		`[]`:                                 "input",
		`{"dealer":1}`:                       "input:no rules",
		`{"rules":"sedma-5p","deals":[]}`:    "input:sedma-5p",
		`{"rules":{"players":5},"deals":[]}`: "input:players",
		`{"rules":"sedma-4p"}`:               "input:deals",
		`{"rules":"sedma-4p","dealer":4,"deals":[]}`:       "input:dealer",
		`{"rules":"soccer-home","home":2,"deals":[]}`:      "input:home",
		`{"rules":"sedma-4p","dealer":"1","deals":[]}`:     "input:dealer",
		`{"rules":"sedma-4p","scores":[1,2,3],"deals":[]}`: "input:scores",
		`{"rules":"sedma-4p","mode":"dance","deals":[]}`:   "input:dance",
		`{"rules":"sedma-4p","deals":[{"deck":["9a"]}]}`:   "input:32 cards",
		`{"rules":"sedma-4p","deals":[{"deck":["1x"]}]}`:   "input:1x",
		`{"rules":"sedma-4p","deals":[{"deck":[7]}]}`:      "input:deck",
		`{"rules":"sedma-4p","deals":[],"deck":["9a"]}`:    "input:deals",
		strings.Replace(deal(`[]`), "Ab", "Aa", 1):         "input:Aa",
		deal(`[7]`):                            "input:actions",
		deal(`{}`):                             "input:actions",
		deal(`["0:9a","1:Ta","x"]`):            "illegal:action 3",
		deal(`["0:9a","2:Ua"]`):                "illegal:action 2",
		deal(`["Ta"]`):                         "illegal:legal for seat 0: 9a 9l Ka Oa",
		deal(`["stop"]`):                       "illegal:deal 1, action 1",
		deal(`["pass"]`):                       "illegal:action 1",
		deal(`["dark"]`):                       "illegal:action 1",
		deal(`["9:9a"]`):                       "illegal:action 1",
		deal(`[":9a"]`):                        "illegal:action 1",
		deal(`["\u0039a","1:\u0054a","1:Ta"]`): "illegal:action 3",
		`{"rules":"sedma-4p","dealer":3,"deals":[{"deck":` + deck + `},{"deck":` + deck + `}]}`:                 "input:deal 2",
		`{"rules":"sedma-4p","mode":"position"}`:                                                                "input:hands",
		`{"rules":"sedma-4p","mode":"position","hands":[[],[],[],[]]}`:                                          "input:leader",
		`{"rules":"sedma-4p","mode":"position","hands":[[],[],[],[]],"leader":0}`:                               "input:card",
		`{"rules":"sedma-4p","mode":"position","hands":[["9a"]],"leader":0}`:                                    "input:hands",
		`{"rules":"sedma-2p","mode":"position","hands":[["9a"],["9a"]],"leader":0}`:                             "input:9a",
		`{"rules":"sedma-2p","mode":"position","hands":[["9a"],["9b"]],"leader":2}`:                             "input:leader",
		`{"rules":"sedma-2p","mode":"position","hands":[["9a"],["9b"]],"leader":0,"tricks_won":[1]}`:            "input:tricks",
		`{"rules":"sedma-2p","mode":"position","hands":[["9a"],["9b"]],"leader":0,"lead_run":[0,"K"]}`:          "input:lead_run",
		`{"rules":"sedma-2p","mode":"position","hands":[["9a"],["9b"]],"leader":0,"actions":["9a","9b","9a"]}`:  "illegal:nothing is legal",
		`{"rules":"sedma-3p-solo-leaves","mode":"position","hands":[["9a"],["9b"],["9h"]],"leader":0}`:          "input:solo",
		`{"rules":"sedma-3p-solo-leaves","mode":"position","hands":[["9a"],["9b"],["Kl"]],"leader":0,"solo":1}`: "input:elsewhere",
		`{"rules":{"preset":"sedma-2p","target":1},"deals":[` + wonDeal + `,` + wonDeal + `]}`:                  "input:the match is over",
	} {
		kind, part, _ := strings.Cut(want, ":")
		var out bytes.Buffer
		err := record.Answer(strings.NewReader(in), &out)
		if !errors.Is(err, record.ErrRefused) {
			t.Errorf("%s: %v", in, err)
		}
		var got struct{ Error, Message string }
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", out.Bytes(), err)
		}
		if got.Error != kind || !strings.Contains(got.Message, part) {
			t.Errorf("%s: %s, %s; not %s", in, got.Error, got.Message, want)
		}
	}
}

// wonDeal is a deal for two, as JSON, that one of them wins. Its random choices are the same every time.
var wonDeal = func() string {
	r, err := game.Preset("sedma-2p")
	if err != nil {
		panic(err)
	}
	random := rng(2)
	s, err := game.Deal(r, gametest.Shuffled(r, random.below), 0)
	for err == nil && !s.Over() {
		legal := s.Legal()
		s, err = game.Apply(s, s.Turn(), legal[random.below(len(legal))])
	}
	var text bytes.Buffer
	if err := record.Write(&text, record.Record{Rules: r, Deals: []record.Deal{dealOf(s)}}); err != nil {
		panic(err)
	}
	in, _, _ := strings.Cut(text.String()[strings.Index(text.String(), `"deals":[`)+len(`"deals":[`):], "]}]}")
	return in + "]}"
}()

// With --jsonl every line must get an answer, and a bad record must not be a failure.
func TestLines(t *testing.T) {
	t.Parallel()
	good := `{"rules":"sedma-4p","dealer":3,"trace":true,"deck":` + deck + `,"actions":["9a","1:Ta"]}`
	in := good + "\n\nbad\n" + good // the last line needs no newline
	var out bytes.Buffer
	if err := record.AnswerLines(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 3 || lines[0] != lines[2] || !strings.HasPrefix(lines[1], `{"error":"input"`) {
		t.Fatalf("%q", lines)
	}
	var got struct {
		Deals []struct {
			Finished bool
			End      *string
			Turn     int
			Trick    [][2]any
			Trace    [][3]any `json:"legal_trace"`
		}
	}
	if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
		t.Fatal(err)
	}
	d := got.Deals[0]
	if d.Finished || d.End != nil || d.Turn != 2 {
		t.Errorf("%+v", d)
	}
	if diff := cmp.Diff([][2]any{{0.0, "9a"}, {1.0, "Ta"}}, d.Trick); diff != "" {
		t.Errorf("trick: %s", diff)
	}
	want := [][3]any{{0.0, "lead", []any{"9a", "9l", "Ka", "Oa"}}, {1.0, "follow", []any{"7a", "Ob", "Ta", "Ub"}}}
	if diff := cmp.Diff(want, d.Trace); diff != "" {
		t.Errorf("trace: %s", diff)
	}
}

// A forced stop must be silent, whether the record has it or not. The trace has no entry for it, and no open deal waits
// for one.
func TestForcedStopIsSilent(t *testing.T) {
	t.Parallel()
	record := func(actions string) map[string]any {
		return replay(t, `{"rules":"sedma-2p","mode":"position","trace":true,"hands":[["9a","Ka"],["Ta","Oa"]],"stock":["8a","8l"],"leader":0,"actions":[`+actions+`]}`)
	}
	silent := record(`"9a","Ta"`)
	if diff := cmp.Diff(silent, record(`"9a","Ta","0:stop"`)); diff != "" {
		t.Errorf("with the stop: %s", diff)
	}
	deal := silent["deals"].([]any)[0].(map[string]any)
	if deal["phase"] != "lead" || len(deal["legal_trace"].([]any)) != 2 {
		t.Errorf("%v", deal)
	}
	for _, actions := range []string{`"9a","Ta","1:stop"`, `"9a","Ta","stop","stop"`} {
		if got := record(actions); got["error"] != "illegal" {
			t.Errorf("%s: %v", actions, got)
		}
	}
}

// A hand that ends the deal before the first action leaves an empty trace, which is a list too.
func TestATraceWithoutActionsIsAList(t *testing.T) {
	t.Parallel()
	const burned = `{"rules":{"preset":"sedma-2p","burned_game":1},"mode":"position"%s,"hands":[["9a","9b","9h","9l"],["Ta","Oa","Ka","Ua"]],"stock":["8a","8l"],"leader":0,"actions":[]}`
	deal := replay(t, fmt.Sprintf(burned, `,"trace":true`))["deals"].([]any)[0].(map[string]any)
	if trace, list := deal["legal_trace"].([]any); deal["end"] != "burned_game" || !list || len(trace) > 0 {
		t.Errorf("the trace is %v in %v", deal["legal_trace"], deal)
	}
	if deal = replay(t, fmt.Sprintf(burned, ""))["deals"].([]any)[0].(map[string]any); deal["legal_trace"] != nil {
		t.Errorf("a trace that nobody asked for: %v", deal)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"rules":"sedma-4p","dealer":3,"deck":` + deck + `,"actions":["0:9a","1:Ta"]}`))
	f.Add([]byte(`{"rules":{"preset":"ristikontra"},"mode":"position","hands":[["Kc"],["5c"],["5d"],["5h"]],"stock":[],"leader":0,"lead_run":[0,"K",3],"actions":["dark"]}`))
	f.Add([]byte(`{"rules":"soccer-home","home":1,"deals":[` + wonDeal + `]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		line := bytes.ReplaceAll(in, []byte("\n"), []byte(" "))
		var out bytes.Buffer
		if err := record.AnswerLines(bytes.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 0 && !json.Valid(out.Bytes()) {
			t.Fatalf("%s", out.Bytes())
		}
		r, err := record.Read(in)
		if err != nil {
			return
		}
		var text bytes.Buffer
		if err := record.Write(&text, r); err != nil {
			t.Fatal(err)
		}
		again, err := record.Read(text.Bytes())
		if err != nil {
			t.Fatalf("%v: %s", err, text.Bytes())
		}
		a, errA := r.Replay()
		b, errB := again.Replay()
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%v, %v", errA, errB)
		}
		if errA == nil {
			x, _ := json.Marshal(a)
			y, _ := json.Marshal(b)
			if !bytes.Equal(x, y) {
				t.Fatalf("%s\n%s", x, y)
			}
		}
	})
}

// BenchmarkReplay measures how many deals of sedma-4p the command replays per second, including reading and printing.
func BenchmarkReplay(b *testing.B) {
	r := gametest.Preset(b, "sedma-4p")
	const deals = 500
	random := rng(1)
	var in bytes.Buffer
	for range deals {
		dealer := random.below(4)
		s, err := game.Deal(r, gametest.Shuffled(r, random.below), dealer)
		for err == nil && !s.Over() {
			legal := s.Legal()
			s, err = game.Apply(s, s.Turn(), legal[random.below(len(legal))])
		}
		if err != nil {
			b.Fatal(err)
		}
		if err := record.Write(&in, record.Record{Rules: r, Dealer: dealer, Deals: []record.Deal{dealOf(s)}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if err := record.AnswerLines(bytes.NewReader(in.Bytes()), io.Discard); err != nil {
			b.Fatal(err)
		}
		n += deals
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "deals/s")
}
