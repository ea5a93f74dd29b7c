package bot

import (
	"context"
	"encoding/binary"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/record"
	"sedmabot/game/table"
	"sedmabot/store/storetest"
)

// shell is a Bot on its own store, without any waits.
type shell struct {
	*Bot
	t     *testing.T
	now   time.Time
	seeds uint64
	stop  func(table.Table) bool // if set: reports whether play stops before the match is over
}

func newShell(t *testing.T) *shell {
	t.Helper()
	s := storetest.NewMemory()
	t.Cleanup(func() { s.Close() })
	w := &shell{t: t, now: comingNoon(time.Now())}
	w.Bot = New(Config{
		Store: s, Worlds: 20, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now },
		Think: func(_ context.Context, level string, v game.View, m game.Match) game.Move { return choose(level, v, m) },
		Seed: func() (seed table.Seed) {
			w.seeds++
			binary.BigEndian.PutUint64(seed[:], w.seeds)
			return seed
		},
	})
	return w
}

// comingNoon returns noon of the next UTC day. So no day ends during a test, and the test's documents are not out of
// date by the wall clock.
func comingNoon(at time.Time) time.Time {
	const day = 24 * time.Hour
	return at.UTC().Truncate(day).Add(day + day/2)
}

const (
	here      = "test:here"
	elsewhere = "test:elsewhere"
)

func (w *shell) input(player, home string) chat.Input {
	return chat.Input{Player: chat.Player{ID: player, Name: player, Lang: "en"}, Chat: chat.Chat{ID: home, Home: home}}
}

// playOut plays a match of these rules between Eva, Ota and the AI. It commits every deal like the bot, and returns the
// table after the match. If last is not 0, it makes that deal the last one.
func (w *shell) playOut(r game.Rules, last int) table.Table {
	w.t.Helper()
	t := table.New(doc.NewTableID(here), here, table.Chat{ID: here}, w.input("test:eva", here).TablePlayer(), r, 0, 0, w.now)
	kept := doc.Table{Table: table.Table{Phase: table.Closed}}
	apply := func(player string, command table.Command) []table.Event {
		next, events, err := table.Apply(t, w.input(player, here).TablePlayer(), command, w.tables.Env())
		if err != nil {
			w.t.Fatalf("%s: %#v: %v", player, command, err)
		}
		t = next
		return events
	}
	apply("test:ota", table.Join{Seat: -1})
	events := apply("test:eva", table.Start{})
	for {
		if len(events) > 0 {
			kept = w.commit(kept, t, events)
		}
		public := t.Public()
		switch {
		case t.Phase == table.Over, w.stop != nil && w.stop(t):
			return t
		case t.Phase == table.Playing && last == t.DealNo && !t.LastDeal:
			events = apply("test:eva", table.LastDeal{})
		case t.Phase == table.Playing && t.Seats[public.Turn].AI == "" && !t.Deal.Forced():
			move := choose("", t.Deal.View(public.Turn), game.Match{})
			events = apply(t.Seats[public.Turn].Player.ID, table.Play{Deal: t.DealNo, Decision: t.Deal.Decisions(public.Turn), Move: move})
		default:
			if due := t.Due(); due.After(w.now) {
				w.now = due
			}
			env := w.tables.Env()
			next, happened, wanted := table.Advance(t, env)
			for wanted != nil {
				var more []table.Event
				next, more, wanted = table.Answer(next, env, choose(wanted.Level, wanted.View, wanted.Match))
				happened = append(happened, more...)
			}
			t, events = next, happened
		}
	}
}

// choose plays a varied selection of legal moves.
func choose(_ string, v game.View, _ game.Match) game.Move {
	return v.Legal[len(v.Log)*7%len(v.Legal)]
}

func (w *shell) commit(old doc.Table, t table.Table, events []table.Event) doc.Table {
	w.t.Helper()
	c, err := w.tables.Change(w.t.Context(), old, &t, events)
	if err == nil {
		err = w.docs.Store.Commit(w.t.Context(), c)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	keys, _ := doc.TableKeys(t.ID)
	docs, err := w.docs.Store.Get(w.t.Context(), keys[0])
	if err != nil {
		w.t.Fatal(err)
	}
	return doc.Table{Table: t, Version: docs[0].Version}
}

func (w *shell) replayed(player, home, id string) chat.Reply {
	in := w.input(player, home)
	in.Command, in.Args = "replay", map[string]string{"id": id}
	return w.Handle(w.t.Context(), in)
}

// press presses the button with that label on a reply's screen.
func (w *shell) press(player, home string, on chat.Reply, label string) chat.Reply {
	w.t.Helper()
	if on.Screen == nil {
		w.t.Fatalf("no screen to press %q on: %q", label, on.Toast)
	}
	for _, row := range on.Screen.Rows {
		for _, b := range row {
			if b.Label == label && !b.Off {
				in := w.input(player, home)
				in.Press = b.Press
				return w.Handle(w.t.Context(), in)
			}
		}
	}
	w.t.Fatalf("no button %q:\n%s", label, on.Screen)
	return chat.Reply{}
}

// The record of a match that people get replays to the match's own end. That holds in
// every game, played out or ended early, and its decks are made from its seeds.
func TestRecordOfAMatch(t *testing.T) {
	t.Parallel()
	for i, preset := range game.Presets() {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r, err := game.Preset(preset)
			if err != nil {
				t.Fatal(err)
			}
			w := newShell(t)
			over := w.playOut(r, i%3*2).Public()
			id := doc.MatchID(over.ID, over.MatchNo)
			reply := w.press("test:eva", here, w.replayed("test:eva", here, id), "Download")
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
			want := end{played.Scores, over.Result.Payments, played.Pool, played.Abeyance, played.Hands, played.Dealer, true, played.Winner}
			got := end{out.Match.Scores, out.Payments, out.Match.Pool, out.Match.Abeyance, out.Match.Hands, out.Match.Dealer, out.Match.Over, out.Match.Winner}
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
	}
}

// Going forward step by step must show every trick of the match once, and going back the same in reverse. Going by
// deals takes as many steps as there are deals.
func TestReplayGoesThroughTheMatch(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"sedma-4p", "sedma-2p-kase1", "sedma-4p-spalena-hra", "ristikontra", "sedma-3p-solo-leaves", "sedma-3p-hartmann", "hola-6p"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			r, err := game.Preset(preset)
			if err != nil {
				t.Fatal(err)
			}
			w := newShell(t)
			over := w.playOut(r, 3)
			reply := w.replayed("test:eva", here, doc.MatchID(over.ID, 1))
			first := reply
			forward := []string{reply.Screen.String()}
			for can(reply, "Trick ›") {
				reply = w.press("test:eva", here, reply, "Trick ›")
				forward = append(forward, reply.Screen.String())
			}
			steps, err := w.review.Steps(t.Context(), w.input("test:eva", here), doc.MatchID(over.ID, 1))
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
			tricks := 0
			for no := range over.DealNo {
				s := w.dealt(over, no+1)
				tricks += len(s.Tricks)
				if len(s.Trick) > 0 {
					tricks++
				}
			}
			if len(forward) != tricks+over.DealNo {
				t.Errorf("%d steps for %d tricks in %d deals", len(forward), tricks, over.DealNo)
			}
			var back []string
			for ; ; reply = w.press("test:eva", here, reply, "‹ Trick") {
				back = append(back, reply.Screen.String())
				if !can(reply, "‹ Trick") {
					break
				}
			}
			slices.Reverse(back)
			if diff := cmp.Diff(forward, back); diff != "" {
				t.Errorf("(-on +back):\n%s", diff)
			}
			deals := 1
			for reply = first; can(reply, "Deal »"); deals++ {
				reply = w.press("test:eva", here, reply, "Deal »")
			}
			if deals != over.DealNo {
				t.Errorf("%d deals by the button, not %d", deals, over.DealNo)
			}
		})
	}
}

func can(r chat.Reply, label string) bool {
	return slices.ContainsFunc(r.Screen.Rows, func(row []screen.Button) bool {
		return slices.ContainsFunc(row, func(b screen.Button) bool { return b.Label == label && !b.Off })
	})
}

// dealt returns the public view of a deal at its end.
func (w *shell) dealt(t table.Table, no int) game.View {
	w.t.Helper()
	m, r, err := w.review.Record(w.t.Context(), w.input("test:eva", here), t.ID, 1, "")
	if err != nil {
		w.t.Fatal(err)
	}
	out, err := r.Replay()
	if err != nil || len(m.Seeds) != len(out.Deals) {
		w.t.Fatalf("%v, %d deals", err, len(out.Deals))
	}
	return out.Deals[no-1].View
}

// Only people of the home and the players get a record. A person who opened it in the
// home can continue in their private chat. Their buttons don't work for anyone else.
func TestWhoMayReplay(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w := newShell(t)
	id := doc.MatchID(w.playOut(r, 1).ID, 1)
	opened := w.replayed("test:pia", here, id)
	list := w.replayed("test:pia", here, "")
	for name, c := range map[string]struct {
		reply chat.Reply
		may   bool
	}{
		"of the home":              {opened, true},
		"typed in other letters":   {w.replayed("test:pia", here, " "+strings.ToUpper(id)+" "), true},
		"a player, elsewhere":      {w.replayed("test:ota", elsewhere, id), true},
		"a stranger, elsewhere":    {w.replayed("test:pia", elsewhere, id), false},
		"goes on elsewhere":        {w.press("test:pia", "test:pia", opened, "Trick ›"), true},
		"downloads elsewhere":      {w.press("test:pia", "test:pia", opened, "Download"), true},
		"from the list, elsewhere": {w.press("test:pia", "test:pia", list, "1"), true},
		"another's button":         {w.press("test:max", "test:max", opened, "Trick ›"), false},
		"another's list":           {w.press("test:max", "test:max", list, "1"), false},
		"another's download":       {w.press("test:max", "test:max", opened, "Download"), false},
		"no match":                 {w.replayed("test:pia", here, "nonsense"), false},
		"no such match":            {w.replayed("test:pia", here, strings.TrimSuffix(id, "1")+"2"), false},
		"no such table":            {w.replayed("test:pia", here, "0000000000000-1"), false},
		"no number":                {w.replayed("test:pia", here, id+"x"), false},
		"a sign":                   {w.replayed("test:pia", here, strings.Replace(id, "-", "-+", 1)), false},
	} {
		switch {
		case c.may && c.reply.Screen == nil:
			t.Errorf("%s: refused: %q", name, c.reply.Toast)
		case !c.may && (c.reply.Screen != nil || !strings.HasPrefix(c.reply.Toast, "I have no record")):
			t.Errorf("%s: %+v", name, c.reply)
		}
	}
	if reply := w.replayed("test:pia", elsewhere, ""); reply.Screen == nil || !strings.Contains(reply.Screen.String(), "No match") {
		t.Errorf("another home's list: %+v", reply)
	}
}

// A home lists its latest matches, the newest first.
func TestListOfMatches(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w := newShell(t)
	var ids []string
	for range doc.Listed + 2 {
		ids = append(ids, doc.MatchID(w.playOut(r, 1).ID, 1))
	}
	list := w.replayed("test:pia", here, "").Screen.String()
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
}

// While a match is running, nothing of it can be replayed, not even its finished deals.
func TestNoRecordBeforeTheEnd(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w := newShell(t)
	w.stop = func(t table.Table) bool { return t.DealNo == 3 && t.Phase == table.Playing }
	over := w.playOut(r, 0)
	for no := range over.DealNo {
		for _, a := range []string{"replay", "deals", "record"} {
			in := w.input("test:eva", here)
			in.Press = screen.PressOf(a, over.ID, "1", strconv.Itoa(no+1), "0", "")
			if reply := w.Handle(t.Context(), in); reply.Screen != nil {
				t.Errorf("%s of deal %d: %s", a, no+1, reply.Screen)
			}
		}
	}
}

// The result leads to the replay, which opens with the table's picture unless the chat
// wants words only. It leads the match's players to the coach, and explains
// achievements to anybody.
func TestTheButtonsOfAResult(t *testing.T) {
	t.Parallel()
	r, err := game.Preset("sedma-2p")
	if err != nil {
		t.Fatal(err)
	}
	w := newShell(t)
	over := w.playOut(r, 1)
	over.Firsts = []table.First{{Seat: 0, Feat: "sweep"}}
	var result chat.Reply
	for _, p := range view.Posts(over.Public(), func(string) (table.Private, bool) { return table.Private{}, false }, nil) {
		if p.Key == "result:1" {
			result.Screen = &p.Screen
		}
	}
	if got := w.press("test:eva", here, result, "Replay"); got.Screen.Picture == nil || got.Screen.Picture.Draw.Table == nil || got.Screen.Picture.Alt == "" {
		t.Errorf("the replay opens with %s", got.Screen)
	}
	if got := w.press("test:eva", here, result, "Coach"); !strings.Contains(got.Toast, "still going through") {
		t.Errorf("the coach says %q", got.Toast)
	}
	if got := w.press("test:zoe", here, result, "Coach"); got.Screen != nil || got.Toast != "The coach is only for people who played in this match." {
		t.Errorf("the coach says %q to somebody else", got.Toast)
	}
	if got := w.press("test:zoe", here, result, "Achievements"); got.Public || !strings.Contains(got.Screen.String(), "clean sweep – your side takes every trick of a deal") || !strings.Contains(got.Toast, "clean sweep") {
		t.Errorf("explained: %q, %s", got.Toast, got.Screen)
	}
	words := w.input("test:eva", here)
	words.Press, words.Admin = homeSetting("pictures", "off", here).String(), true
	w.Handle(t.Context(), words)
	if got := w.press("test:eva", here, result, "Replay"); got.Screen.Picture != nil || !strings.Contains(got.Screen.String(), "leads.") {
		t.Errorf("in words only: %s", got.Screen)
	}
}
