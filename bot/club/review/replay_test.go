package review_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/gametest"
	"sedmabot/game/record"
	"sedmabot/game/table"
)

const (
	here      = "test:here"
	elsewhere = "test:elsewhere"
)

// replayed gives the command that replays a match, or lists the latest ones.
func replayed(w *town.Town, player, home, id string) chat.Reply {
	return w.Command(player, home, "replay", "id", id)
}

// can reports whether a reply has a button with that label.
func can(r chat.Reply, label string) bool {
	return slices.ContainsFunc(r.Screen.Rows, func(row []screen.Button) bool {
		return slices.ContainsFunc(row, func(b screen.Button) bool { return b.Label == label && !b.Off })
	})
}

// dealt returns the public view of a deal of a table's first match, at its end.
func dealt(t *testing.T, w *town.Town, tab table.Table, no int) game.View {
	t.Helper()
	file := w.PressButton(town.Eva, here, replayed(w, town.Eva, here, doc.MatchID(tab.ID, 1)), "Download").Screen.File
	r, err := record.Read(file.Data)
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	return out.Deals[no-1].View
}

// The record of a match that people get replays to the match's own end. That holds in
// every game, played out or ended early, and its decks are made from its seeds.
func TestRecordOfAMatch(t *testing.T) {
	t.Parallel()
	for i, preset := range game.Presets() {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, preset)
			town.In(t, func(t *testing.T, w *town.Town) {
				over := w.PlayOut(here, r, i%3*2).Public()
				id := doc.MatchID(over.ID, over.MatchNo)
				reply := w.PressButton(town.Eva, here, replayed(w, town.Eva, here, id), "Download")
				if reply.Screen == nil || reply.Screen.File == nil || reply.Public || reply.Replace {
					t.Fatalf("no file for the presser alone: %+v", reply)
				}
				rec, err := record.Read(reply.Screen.File.Data)
				if err != nil {
					t.Fatal(err)
				}
				out, err := rec.Replay()
				if err != nil {
					t.Fatal(err)
				}
				played := over.Result.Match
				type end struct {
					Scores, Payments              []int
					Pool, Abeyance, Hands, Dealer int
					Over                          bool
					Winner                        int
				}
				want := end{played.Scores, over.Result.Payments, played.Pool, played.Abeyance, played.Deals, played.Dealer, true, played.Winner}
				got := end{out.Match.Scores, out.Payments, out.Match.Pool, out.Match.Abeyance, out.Match.Deals, out.Match.Dealer, out.Match.Over, out.Match.Winner}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-played +replayed):\n%s", diff)
				}
				if len(rec.Deals) != len(over.Past) {
					t.Fatalf("%d deals, not %d", len(rec.Deals), len(over.Past))
				}
				for i, deal := range rec.Deals {
					if deal.Seed == nil || table.Seed(*deal.Seed) != over.Past[i].Seed || !slices.Equal(deal.Deck, game.Shuffle(r.Pack(), *deal.Seed)) {
						t.Errorf("deal %d does not come of its seed", i+1)
					}
				}
				if rec.DealerBy != record.BySeed || rec.Dealer != table.SeedDealer(over.Past[0].Seed, r.Players) {
					t.Errorf("dealer %d by %q", rec.Dealer, rec.DealerBy)
				}
			})
		})
	}
}

// Going forward step by step must show every card of the match once, and going back the same in reverse. Going by
// deals takes as many steps as there are deals.
func TestReplayGoesThroughTheMatch(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-4p", "sedma-2p-kase1", "sedma-4p-spalena-hra", "ristikontra", "sedma-3p-solo-leaves", "sedma-3p-hartmann", "hola-6p"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r := gametest.Preset(t, preset)
			town.In(t, func(t *testing.T, w *town.Town) {
				over := w.PlayOut(here, r, 3)
				reply := replayed(w, town.Eva, here, doc.MatchID(over.ID, 1))
				first := reply
				forward := []string{reply.Screen.String()}
				for can(reply, "Card ›") {
					reply = w.PressButton(town.Eva, here, reply, "Card ›")
					forward = append(forward, reply.Screen.String())
				}
				steps, err := w.Steps(t.Context(), w.Input(town.Eva, here), doc.MatchID(over.ID, 1))
				if err != nil {
					t.Fatal(err)
				}
				var screens []string
				for _, s := range steps {
					screens = append(screens, s.Screen.String())
					if s.Screen.Picture == nil || s.Screen.Picture.Draw.Table == nil {
						t.Errorf("deal %d, step %d has no picture of the table", s.Deal, s.No)
					}
					s.Screen.Rows, s.Screen.Picture = nil, nil
					if n := utf8.RuneCountInString(s.Screen.String()); n > 1000 { // a caption on Telegram holds 1024
						t.Errorf("deal %d, step %d says %d characters beside its picture", s.Deal, s.No, n)
					}
				}
				if diff := cmp.Diff(forward, screens); diff != "" {
					t.Errorf("all steps at once (-on +whole):\n%s", diff)
				}
				cards := 0
				for no := range over.DealNo {
					for _, e := range dealt(t, w, over, no+1).Log {
						if e.Card != 0 {
							cards++
						}
					}
				}
				if len(forward) != cards+over.DealNo {
					t.Errorf("%d steps for %d cards in %d deals", len(forward), cards, over.DealNo)
				}
				var back []string
				for ; ; reply = w.PressButton(town.Eva, here, reply, "‹ Card") {
					back = append(back, reply.Screen.String())
					if !can(reply, "‹ Card") {
						break
					}
				}
				slices.Reverse(back)
				if diff := cmp.Diff(forward, back); diff != "" {
					t.Errorf("(-on +back):\n%s", diff)
				}
				deals := 1
				for reply = first; can(reply, "Deal »"); deals++ {
					reply = w.PressButton(town.Eva, here, reply, "Deal »")
				}
				if deals != over.DealNo {
					t.Errorf("%d deals by the button, not %d", deals, over.DealNo)
				}
			})
		})
	}
}

// Only people of the home and the players get a record. A person who opened it in the
// home can continue in their private chat. Their buttons don't work for anyone else.
func TestWhoMayReplay(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	town.In(t, func(t *testing.T, w *town.Town) {
		id := doc.MatchID(w.PlayOut(here, r, 1).ID, 1)
		opened := replayed(w, "test:pia", here, id)
		list := replayed(w, "test:pia", here, "")
		for name, c := range map[string]struct {
			reply chat.Reply
			may   bool
		}{
			"of the home":              {opened, true},
			"typed in other letters":   {replayed(w, "test:pia", here, " "+strings.ToUpper(id)+" "), true},
			"a player, elsewhere":      {replayed(w, town.Ota, elsewhere, id), true},
			"a stranger, elsewhere":    {replayed(w, "test:pia", elsewhere, id), false},
			"goes on elsewhere":        {w.PressButton("test:pia", "test:pia", opened, "Card ›"), true},
			"downloads elsewhere":      {w.PressButton("test:pia", "test:pia", opened, "Download"), true},
			"from the list, elsewhere": {w.PressButton("test:pia", "test:pia", list, "1"), true},
			"another's button":         {w.PressButton("test:max", "test:max", opened, "Card ›"), false},
			"another's list":           {w.PressButton("test:max", "test:max", list, "1"), false},
			"another's download":       {w.PressButton("test:max", "test:max", opened, "Download"), false},
			"no match":                 {replayed(w, "test:pia", here, "nonsense"), false},
			"no such match":            {replayed(w, "test:pia", here, strings.TrimSuffix(id, "1")+"2"), false},
			"no such table":            {replayed(w, "test:pia", here, "0000000000000-1"), false},
			"no number":                {replayed(w, "test:pia", here, id+"x"), false},
			"a sign":                   {replayed(w, "test:pia", here, strings.Replace(id, "-", "-+", 1)), false},
		} {
			switch {
			case c.may && c.reply.Screen == nil:
				t.Errorf("%s: refused: %q", name, c.reply.Toast)
			case !c.may && (c.reply.Screen != nil || !strings.HasPrefix(c.reply.Toast, "I have no record")):
				t.Errorf("%s: %+v", name, c.reply)
			}
		}
		if reply := replayed(w, "test:pia", elsewhere, ""); reply.Screen == nil || !strings.Contains(reply.Screen.String(), "No match") {
			t.Errorf("another home's list: %+v", reply)
		}
	})
}

// A home lists its latest matches, the newest first.
func TestListOfMatches(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	town.In(t, func(t *testing.T, w *town.Town) {
		var ids []string
		for range doc.Listed + 2 {
			ids = append(ids, doc.MatchID(w.PlayOut(here, r, 1).ID, 1))
		}
		list := replayed(w, "test:pia", here, "").Screen.String()
		at := len(list)
		for i, id := range ids {
			switch found := strings.Index(list, id); {
			case i < 2 && found >= 0:
				t.Errorf("match %d is still there", i+1)
			case i >= 2 && (found < 0 || found > at):
				t.Errorf("match %d is not where it should be:\n%s", i+1, list)
			case i >= 2:
				at = found
			}
		}
	})
}

// While a match is running, nothing of it can be replayed, not even its finished deals.
func TestNoRecordBeforeTheEnd(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	town.In(t, func(t *testing.T, w *town.Town) {
		over := w.PlayOut(here, r, 0, func(t table.Table) bool { return t.DealNo == 3 && t.Phase == table.Playing })
		for no := range over.DealNo {
			for _, a := range []string{"replay", "deals", "record"} {
				in := w.Input(town.Eva, here)
				in.Press = screen.PressOf(a, over.ID, "1", strconv.Itoa(no+1), "0", "")
				if reply := w.Handle(t.Context(), in); reply.Screen != nil {
					t.Errorf("%s of deal %d: %s", a, no+1, reply.Screen)
				}
			}
		}
	})
}

// The result leads to the replay, which opens with the table's picture unless the chat
// wants words only. It leads the match's players to the coach, and explains
// achievements to anybody.
func TestTheButtonsOfAResult(t *testing.T) {
	t.Parallel()
	r := gametest.Preset(t, "sedma-2p")
	town.In(t, func(t *testing.T, w *town.Town) {
		over := w.PlayOut(here, r, 1)
		over.Firsts = []table.First{{Seat: 0, Feat: "sweep"}}
		var result chat.Reply
		for _, p := range view.PresentPosts(over.Public(), func(string) (table.Private, bool) { return table.Private{}, false }, nil, nil) {
			if p.Key == "result:1" {
				result.Screen = &p.Screen
			}
		}
		if got := w.PressButton(town.Eva, here, result, "Replay"); got.Screen.Picture == nil || got.Screen.Picture.Draw.Table == nil || got.Screen.Picture.Alt == "" {
			t.Errorf("the replay opens with %s", got.Screen)
		}
		if got := w.PressButton(town.Eva, here, result, "Coach"); !strings.Contains(got.Toast, "still going through") {
			t.Errorf("the coach says %q", got.Toast)
		}
		if got := w.PressButton("test:zoe", here, result, "Coach"); got.Screen != nil || got.Toast != "The coach is only for people who played in this match." {
			t.Errorf("the coach says %q to somebody else", got.Toast)
		}
		more := view.More(over.Public(), view.Presser{ID: "test:zoe"}, lang.For("en"))
		if got := w.PressButton("test:zoe", here, chat.Reply{Screen: &more}, "Achievements"); got.Public || !strings.Contains(got.Screen.String(), "clean sweep – your side takes every trick of a deal") || !strings.Contains(got.Toast, "clean sweep") {
			t.Errorf("explained: %q, %s", got.Toast, got.Screen)
		}
		words := w.Input(town.Eva, here)
		words.Press, words.Admin = town.HomeSetting("pictures", "off", here).String(), true
		w.Handle(t.Context(), words)
		if got := w.PressButton(town.Eva, here, result, "Replay"); got.Screen.Picture != nil || !strings.Contains(got.Screen.String(), "leads.") {
			t.Errorf("in words only: %s", got.Screen)
		}
	})
}
