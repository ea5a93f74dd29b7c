package doc_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/record"
)

// The two forms in which a deal is stored. Neither may change: stores have both.
const (
	longForm = `{"rules":"sedma-2p","dealer":1,"scores":[2,0],"pool":0,"abeyance":0,"deals":[{"deck":["8h","Oa","Oh","9h","Tl","Aa","7l","Al",` +
		`"7b","Ab","Ka","7a","Uh","8b","Ol","7h","8l","Ta","Th","Ob","Kb","Ah","9l","8a","Ua","Kh","Kl","9a","Ub","9b","Ul","Tb"],` +
		`"actions":["0:8h","1:Al","0:stop","0:Oa"]}]}`
	shortForm = `{"rules":"sedma-2p","dealer":1,"scores":[2,0],"cards":"8hOaOh9hTlAa7lAl7bAbKa7aUh8bOl7h8lTaThObKbAh9l8aUaKhKl9aUb9bUlTb",` +
		`"moves":"08h 1Al 0stop 0Oa"}`
)

func TestBothFormsOfARecord(t *testing.T) {
	t.Parallel()
	var long, short doc.Record
	for form, r := range map[string]*doc.Record{longForm: &long, shortForm: &short} {
		if err := json.Unmarshal([]byte(form), r); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(long, short); diff != "" || len(long.Deals[0].Actions) != 4 {
		t.Errorf("they differ: %s", diff)
	}
	if text, err := json.Marshal(long); err != nil || string(text) != shortForm {
		t.Errorf("it is written as %s, %v", text, err)
	}
}

// A deal of any game is read as it was written.
func TestRecordsOfAllGames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rules, err := game.Preset(rapid.SampledFrom(game.Presets()).Draw(t, "preset"))
		if err != nil {
			t.Fatal(err)
		}
		var seed [32]byte
		seed[0] = rapid.Byte().Draw(t, "seed")
		deal := record.Deal{Deck: game.Shuffle(rules.Pack(), seed)}
		s, err := game.Deal(rules, deal.Deck, 0)
		for range rapid.IntRange(0, 60).Draw(t, "moves") {
			if err != nil || s.Over() {
				break
			}
			a := record.Action{Seat: s.Turn(), Move: rapid.SampledFrom(s.Legal()).Draw(t, "move")}
			deal.Actions = append(deal.Actions, a)
			s, err = game.Apply(s, a.Seat, a.Move)
		}
		if err != nil {
			t.Fatal(err)
		}
		before := game.NewMatch(rules, 0)
		was := doc.Record{Record: record.Record{Rules: rules, Dealer: before.Dealer, Scores: before.Scores, Deals: []record.Deal{deal}}}
		text, err := json.Marshal(was)
		if err != nil {
			t.Fatal(err)
		}
		var is doc.Record
		if err := json.Unmarshal(text, &is); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		one, err := was.Replay()
		if err != nil {
			t.Fatal(err)
		}
		two, err := is.Replay()
		if err != nil {
			t.Fatal(err)
		}
		if !one.Deals[0].State.Equal(two.Deals[0].State) || !cmp.Equal(was.Deals[0].Actions, is.Deals[0].Actions) || len(text) > 450 {
			t.Fatalf("another deal, in %d bytes: %s", len(text), text)
		}
	})
}
