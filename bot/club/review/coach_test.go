package review_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/club/review"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store"
)

// coached does the coach's job about a player's choices in a table's first match, once.
func coached(w *town.Town, tab table.Table, player string) {
	w.Works(doc.VerdictName(tab.ID, 1, player))
}

// verdict returns the coach's analysis of a player's choices in a table's first match, and the size of its document.
func verdict(t *testing.T, w *town.Town, tab table.Table, player string) (v review.Verdict, size int) {
	t.Helper()
	key := doc.InHome(here, doc.VerdictName(tab.ID, 1, player))
	docs, err := w.Docs.Store.Get(t.Context(), key)
	if err == nil {
		err = doc.Decode(docs[0], &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	if docs[0].Version == 0 {
		return v, 0
	}
	return v, len(key.Name) + len(docs[0].Data)
}

// A match is not coached when it ends. It is coached when one of its players opens it:
// then the coach analyses exactly the choices that this player made. The replay is shown
// at once, and says so until the coach has finished. The results about all players
// together take at most 4 kB.
func TestCoach(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-4p", "sedma-2p-kase1", "ristikontra", "sedma-3p-hartmann", "sedma-3p-solo-hearts", "hola-2p"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, preset)
			town.In(t, func(t *testing.T, w *town.Town) {
				over := w.PlayOut(here, r, 3)
				id := doc.MatchID(over.ID, 1)
				if jobs := slices.Concat(w.Due("verdict", time.Hour), w.Due("coach", time.Hour)); len(jobs) > 0 {
					t.Errorf("when the match has ended, %v are due", jobs)
				}
				replayed(w, "test:zoe", here, id)
				if jobs := w.Due("verdict", time.Hour); len(jobs) > 0 {
					t.Errorf("when somebody else opens it, %v are due", jobs)
				}
				first := replayed(w, town.Eva, here, id)
				if jobs := w.Due("verdict", time.Hour); !slices.Equal(jobs, []string{doc.VerdictName(over.ID, 1, town.Eva)}) {
					t.Errorf("when Eva opens it, %v are due", jobs)
				}
				const soon = "The coach is still going through your choices"
				if next := w.PressButton(town.Eva, here, first, "Card ›"); !strings.Contains(next.Screen.String(), soon) {
					t.Errorf("before it is done:\n%s", next.Screen)
				}
				if before := w.PressButton(town.Eva, here, first, "Coach"); before.Screen != nil || !strings.Contains(before.Toast, "still going through") {
					t.Errorf("before it is done: %q", before.Toast)
				}
				w.Occupied(func() { coached(w, over, town.Eva) })
				if v, _ := verdict(t, w, over, town.Eva); v.Done || v.Choices > 0 {
					t.Error("it thought without room for it")
				}
				w.Pass(time.Minute)
				v, _ := verdict(t, w, over, town.Eva)
				if !v.Done || len(v.Remarks) != len(over.Past) {
					t.Fatalf("done: %v, %d deals of %d", v.Done, len(v.Remarks), len(over.Past))
				}
				if _, size := verdict(t, w, over, town.Ota); size > 0 {
					t.Error("Ota's choices were analysed too")
				}
				seat := slices.IndexFunc(over.Seats, func(s table.Seat) bool { return s.Player.ID == town.Eva })
				choices := 0
				for no := range over.Past {
					s := dealt(t, w, over, no+1)
					at, err := game.Deal(s.Rules, game.Shuffle(s.Rules.Pack(), over.Past[no].Seed), s.Dealer)
					if err != nil {
						t.Fatal(err)
					}
					for _, e := range s.Log {
						if len(at.Legal()) > 1 && e.Seat == seat {
							choices++
						}
						if at, err = game.Apply(at, e.Seat, e.Move); err != nil {
							t.Fatal(err)
						}
					}
				}
				kept, lost, stake := 0, 0, 0
				for _, deal := range v.Remarks {
					for _, c := range deal {
						kept, lost, stake = kept+1, lost+c.Cost, stake+slices.Max(c.Scores)-slices.Min(c.Scores)
					}
				}
				if v.Choices != choices || kept != choices || v.Lost != lost || v.Stake != stake {
					t.Errorf("%d choices, %d of %d; %d choices kept, %d of %d; want %d", v.Choices, v.Lost, v.Stake, kept, lost, stake, choices)
				}

				seen := w.PressButton(town.Eva, here, first, "Coach")
				of := 0 // a match has at most three moments
				if seen.Screen != nil {
					_, after, _ := strings.Cut(seen.Screen.String(), "Moment 1 of ")
					of = int(append([]byte(after), '0')[0] - '0')
				}
				if of < 2 || of > 3 || seen.Screen.Picture == nil || !strings.Contains(seen.Screen.String(), "You played ") ||
					strings.Contains(seen.Screen.String(), "%") {
					t.Fatalf("the coach says %+v", seen)
				}
				numbers := w.PressButton(town.Eva, here, seen, "Numbers")
				if got := numbers.Screen.String(); !numbers.Replace || !strings.Contains(got, fmt.Sprintf("Your accuracy: %d%%", 100-(100*lost+stake-1)/stake)) || !strings.Contains(got, "1. Deal ") {
					t.Fatalf("the numbers are %+v", numbers)
				}
				if last := w.PressButton(town.Eva, here, numbers, fmt.Sprint("Moment ", of)); !last.Replace || !strings.Contains(last.Screen.String(), fmt.Sprintf("Moment %d of %d", of, of)) {
					t.Errorf("the last moment is %+v", last)
				}
				step := w.PressButton(town.Eva, here, seen, "Replay")
				if got := step.Screen.String(); !strings.Contains(got, " · Better: ") || strings.Contains(got, soon) {
					t.Errorf("at the costliest choice:\n%s", got)
				}
				if other := replayed(w, "test:zoe", here, id); can(other, "Coach") {
					t.Error("somebody who did not play has a coach")
				}

				replayed(w, town.Ota, here, id)
				w.Pass(time.Minute)
				_, eva := verdict(t, w, over, town.Eva)
				if _, ota := verdict(t, w, over, town.Ota); ota == 0 || eva+ota > 4096 {
					t.Errorf("%d and %d bytes are kept", eva, ota)
				}
			}, func(c *bot.Config) { c.Worlds = 4 }) // with these, there are mistakes in each game
		})
	}
}

// If the AI played for somebody, the coach says so, instead of that they had nothing to choose.
func TestCoachOfAStandIn(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	town.In(t, func(t *testing.T, w *town.Town) {
		over := w.PlayOut(here, r, 1)
		key, _ := doc.MatchKey(over.ID, 1)
		if err := w.Docs.Update(t.Context(), "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
			var m doc.Match
			if err := doc.Decode(docs[0], &m); err != nil {
				return err
			}
			m.Auto = [][]int{nil}
			for i, e := range dealt(t, w, over, 1).Log {
				if m.Seats[e.Seat].Player.ID == town.Eva {
					m.Auto[0] = append(m.Auto[0], i)
				}
			}
			c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(m)}}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		const want = "For part of this match, the AI played for you. The coach rates only your own choices."
		for player, played := range map[string]bool{town.Eva: true, town.Ota: false} {
			in := w.Input(player, here)
			in.Press = screen.PressOf("coach", over.ID, "1", "0", "0", "")
			w.Handle(t.Context(), in)
			w.Pass(time.Minute)
			got := w.Handle(t.Context(), in)
			if got.Screen == nil || strings.Contains(got.Screen.String(), want) != played || strings.Contains(got.Screen.String(), "You played ") == played {
				t.Errorf("%s: %q\n%s", player, got.Toast, got.Screen)
			}
		}
	})
}

// If the coach runs out of time, or there is no idle capacity, its progress in a deal is
// kept. The result is the same as in one go.
func TestCoachGoesOn(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	at := func(slow bool) (v review.Verdict) {
		town.In(t, func(t *testing.T, w *town.Town) {
			over := w.PlayOut(here, r, 1)
			replayed(w, town.Eva, here, doc.MatchID(over.ID, 1))
			if slow {
				normal := w.Slow(review.CoachPart / 3)
				coached(w, over, town.Eva)
				first, _ := verdict(t, w, over, town.Eva)
				if first.Done || first.Deal > 0 || first.Choices == 0 || first.From == 0 {
					t.Errorf("after a part: %+v", first)
				}
				normal()
				w.Occupied(func() { coached(w, over, town.Eva) })
				if second, _ := verdict(t, w, over, town.Eva); second.Choices != first.Choices || !cmp.Equal(first.Remarks, second.Remarks) {
					t.Errorf("without room to think %s", cmp.Diff(first, second))
				}
				if soon, later := w.Due("verdict", review.CoachRest/2), w.Due("verdict", review.CoachRest); len(soon) > 0 || len(later) != 1 {
					t.Errorf("it comes back with %v, then %v", soon, later)
				}
				normal = w.Slow(review.CoachPart / 3)
				for parts := 0; !v.Done; parts++ {
					coached(w, over, town.Eva)
					if v, _ = verdict(t, w, over, town.Eva); v.Done && parts == 0 {
						t.Error("the rest took one part")
					}
				}
				normal()
			}
			w.Pass(time.Minute)
			if v, _ = verdict(t, w, over, town.Eva); !v.Done {
				t.Fatalf("%+v", v)
			}
		})
		return v
	}
	if diff := cmp.Diff(at(false), at(true)); diff != "" {
		t.Errorf("in parts it is another: %s", diff)
	}
}

// The coach simulates enough worlds for what it says: with eight times as many, the same
// choices are mistakes, and they cost the same.
func TestCoachSeesEnoughWorlds(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := gametest.Preset(t, "sedma-4p")
	judged := func(worlds int) (v review.Verdict) {
		town.In(t, func(t *testing.T, w *town.Town) {
			over := w.PlayOut(here, r, 3)
			replayed(w, town.Eva, here, doc.MatchID(over.ID, 1))
			w.Pass(time.Minute)
			v, _ = verdict(t, w, over, town.Eva)
		}, func(c *bot.Config) { c.Worlds = worlds })
		return v
	}
	usual, many := judged(bot.EnoughWorlds), judged(8*bot.EnoughWorlds)
	differ := 0
	for i, deal := range usual.Remarks {
		for j, c := range deal {
			if d := c.Cost - many.Remarks[i][j].Cost; d < -10 || d > 10 { // a tenth of a stake
				differ++
			}
		}
	}
	if 20*differ > usual.Choices || usual.Choices < 20 {
		t.Errorf("%d of %d choices cost more or less by a tenth", differ, usual.Choices)
	}
	share := func(v review.Verdict) float64 { return float64(v.Lost) / float64(v.Stake) }
	if d := share(usual) - share(many); d < -0.02 || d > 0.02 {
		t.Errorf("the accuracy is %.3f, with more worlds %.3f", 1-share(usual), 1-share(many))
	}
}

// A record that can't be replayed is dropped. The coach's analysis is kept as long as the
// home keeps its records.
func TestCoachLetsGo(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-4p")
	town.In(t, func(t *testing.T, w *town.Town) {
		home := doc.HomeKey(here)
		w.Put(home.Partition, map[string]any{home.Name: doc.Home{Keep: 30}})
		over := w.PlayOut(here, r, 1)
		ended := time.Now()
		text, err := record.Read(w.PressButton(town.Eva, here, replayed(w, town.Eva, here, doc.MatchID(over.ID, 1)), "Download").Screen.File.Data)
		if err != nil {
			t.Fatal(err)
		}
		actions := text.Deals[0].Actions
		actions[0].Move, actions[1].Move = actions[1].Move, actions[0].Move // cards of others
		var out bytes.Buffer
		if err := record.Write(&out, text); err != nil {
			t.Fatal(err)
		}
		w.Put(home.Partition, map[string]any{doc.RecordName(over.ID, 1): json.RawMessage(out.Bytes())})
		coached(w, over, town.Eva)
		if v, _ := verdict(t, w, over, town.Eva); !v.Done || v.Choices > 0 {
			t.Errorf("%+v", v)
		}
		for days, want := range []bool{true, false} { // after 29 and 30 days
			time.Sleep(time.Until(ended.Add(time.Duration(29+days)*24*time.Hour + time.Second)))
			if _, size := verdict(t, w, over, town.Eva); (size != 0) != want {
				t.Errorf("after %d days it takes %d bytes", 29+days, size)
			}
		}
	})
}
