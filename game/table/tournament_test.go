package table_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/table"
)

// tournamentTable returns a table of a tournament, with that many persons on the first seats.
func tournamentTable(t fataler, rules game.Rules, no, persons int) table.Table {
	t.Helper()
	seats := make([]table.Seat, rules.Players)
	for i := range seats {
		if seats[i].AI = "easy"; i < persons {
			seats[i] = table.Seat{Player: people[i]}
		}
	}
	c := table.Tournament{ID: "0", Chat: "discord:100", Round: 1, Table: no, Decks: seedOf(7)}
	got, events, err := table.NewTournamentTable("t1", "discord:99", c, seats, rules, 0, table.DefaultLimit, noon)
	if err != nil || len(events) == 0 {
		t.Fatalf("new table of a tournament: %v, %d events", err, len(events))
	}
	return got
}

// TestDuplicate checks that every table gives the same hands to the same seats in every deal, whatever is played and
// whoever is there. A table must end after the round's number of deals, even if everybody leaves.
func TestDuplicate(t *testing.T) {
	t.Parallel()
	var games []game.Rules
	for _, name := range game.Presets() {
		if r, err := table.TournamentRules(gametest.Preset(t, name), 3); err == nil {
			games = append(games, r)
		}
	}
	if len(games) < 20 {
		t.Fatalf("only %d presets can be played in a tournament", len(games))
	}
	rapid.Check(t, func(t *rapid.T) {
		rules := rapid.SampledFrom(games).Draw(t, "game")
		type dealt struct {
			Dealer int
			Deals  [][]game.Card
			Seed   table.Seed
		}
		var all [2][]dealt
		for no := range all {
			w := tournamentTable(t, rules, no+1, rapid.IntRange(1, rules.Players).Draw(t, "persons"))
			now := noon
			last := 0
			for step := 0; ; step++ {
				if w.DealNo != last {
					last = w.DealNo
					d := dealt{Dealer: w.Deal.Dealer(), Seed: w.Seed}
					for seat := range rules.Players {
						d.Deals = append(d.Deals, game.State.Hand(firstOf(t, w), seat))
					}
					all[no] = append(all[no], d)
				}
				if w.Phase == table.Over {
					break
				}
				if step > 3000 {
					t.Fatalf("table in phase %s does not end", w.Phase)
				}
				env := table.Env{Now: now, Seed: seedOf(step)}
				who := people[rapid.IntRange(0, 3).Draw(t, "who")]
				switch rapid.IntRange(0, 30).Draw(t, "kind") {
				case 30:
					w, _, _ = table.Apply(w, who, table.Leave{}, env)
				case 29:
					w, _, _ = table.Apply(w, who, table.Back{}, env)
				case 28:
					w, _, _ = table.Apply(w, who, table.Kick{Seat: rapid.IntRange(0, rules.Players-1).Draw(t, "seat")}, env)
				case 27:
					for _, c := range []table.Command{table.Close{Admin: true}, table.LastDeal{}, table.Rest{}, table.Rematch{}, table.Choose{What: "limit", Value: "0"}} {
						if _, _, err := table.Apply(w, who, c, env); err == nil {
							t.Fatalf("%T was taken", c)
						}
					}
				default:
					if due := w.Due(); due.After(now) {
						now = due
					}
					w, _ = advance(w, table.Env{Now: now, Seed: seedOf(step)}, func(_ string, v game.View, _ game.Match) game.Move {
						return v.Legal[rapid.IntRange(0, len(v.Legal)-1).Draw(t, "move")]
					})
				}
			}
			if w.Match.Deals != 3 || now.After(noon.Add(24*time.Hour)) {
				t.Fatalf("over after %d deals at %s", w.Match.Deals, now)
			}
			if _, events, err := table.Apply(w, table.Player{}, table.Void{}, table.Env{Now: now}); err != nil || len(events) != 1 {
				t.Fatalf("void: %v, %d events", err, len(events))
			}
		}
		if diff := cmp.Diff(all[0], all[1]); diff != "" {
			t.Fatal(diff)
		}
		seeds := map[table.Seed]bool{}
		for _, d := range all[0] {
			seeds[d.Seed] = true
		}
		if len(seeds) != 3 {
			t.Fatalf("%d decks in 3 deals", len(seeds))
		}
	})
}

// A player's private chat must show a table of a tournament with the player's settings.
func TestTournamentKnowsSettings(t *testing.T) {
	t.Parallel()
	rules, err := table.TournamentRules(gametest.Preset(t, "sedma-4p"), 2)
	if err != nil {
		t.Fatal(err)
	}
	set := table.PlayerSettings{Lang: "cs", Face: "german", Quiet: true, NoPictures: true}
	seats := []table.Seat{{Player: table.Player{ID: "test:1", PlayerSettings: set}}, {AI: "easy"}, {AI: "easy"}, {AI: "easy"}}
	got, _, err := table.NewTournamentTable("t1", "test:home", table.Tournament{ID: "0", Round: 1, Table: 1, Decks: seedOf(7)}, seats, rules, 0, table.DefaultLimit, noon)
	if err != nil {
		t.Fatal(err)
	}
	want := []table.Chat{{ID: "test:1", ChatSettings: table.ChatSettings{Lang: "cs", Face: "german", Quiet: true, NoPictures: true}}}
	if diff := cmp.Diff(want, got.Chats); diff != "" {
		t.Errorf("its chats (-want +got):\n%s", diff)
	}
}

// firstOf returns the first state of the running deal.
func firstOf(t fataler, w table.Table) game.State {
	t.Helper()
	s, err := game.Deal(w.Match.Rules, w.Deal.Deck(), w.Deal.Dealer())
	if err != nil {
		t.Fatalf("deal: %v", err)
	}
	return s
}

// A table of a tournament must not reveal the seed of its round's decks. It must be shown only in its players' private
// chats.
func TestTournamentHidesItsDecks(t *testing.T) {
	t.Parallel()
	rules, err := table.TournamentRules(gametest.Preset(t, "sedma-4p"), 2)
	if err != nil {
		t.Fatal(err)
	}
	w := tournamentTable(t, rules, 3, 3)
	var chats []string
	for _, c := range w.Public().Chats {
		chats = append(chats, c.ID)
	}
	if want := []string{people[0].ID, people[1].ID, people[2].ID}; !slices.Equal(chats, want) {
		t.Errorf("it stands in %v, want %v", chats, want)
	}
	if p := w.Public(); p.Round != 1 || p.RoundTable != 3 || p.Alone() {
		t.Errorf("round %d, table %d, alone %v", p.Round, p.RoundTable, p.Alone())
	}
	if _, err := table.TournamentRules(gametest.Preset(t, "sedma-3p"), 2); err == nil {
		t.Error("three can play in a tournament")
	}
	if _, _, err := table.NewTournamentTable("t", "h", table.Tournament{}, make([]table.Seat, 4), rules, 0, time.Minute, noon); err == nil {
		t.Error("a table of nobody was opened")
	}
}
