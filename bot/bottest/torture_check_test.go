package bottest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/league"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

func (r *torture) scan(kind string) (all []store.Doc) {
	for partition := range store.Partitions {
		for cursor, more := "", true; more; more = cursor != "" {
			docs, next, err := r.ledger.Scan(context.Background(), partition, kind, cursor)
			if err != nil {
				r.t.Fatal(err)
			}
			all, cursor = append(all, docs...), next
		}
	}
	return all
}

type shown struct {
	Posts map[string]struct {
		Address chat.Address
		Passing bool
	}
	Places map[string]struct{ Closed time.Time }
}

// settled checks that every message is as it should be. An AI may move between a commit and its message. So each
// message only has to be right at one of several looks.
func (r *torture) settled(when string) {
	var still map[string]string
	for range 40 {
		synctest.Wait()
		wrong := r.wrong()
		if still == nil {
			still = wrong
		}
		maps.DeleteFunc(still, func(what, _ string) bool { return wrong[what] == "" })
		if len(still) == 0 {
			return
		}
		time.Sleep(370 * time.Millisecond)
	}
	for what, how := range still {
		r.t.Errorf("%s: %s %s", when, what, how)
	}
}

// wrong returns what is wrong with the messages, by message.
func (r *torture) wrong() map[string]string {
	wrong := map[string]string{}
	say := func(what, format string, args ...any) { wrong[what] = fmt.Sprintf(format, args...) }
	standing := map[chat.Address]playground.Message{}
	all := r.ground.Channel()
	for _, person := range cast {
		all = append(all, r.ground.Direct(id(person))...)
	}
	for _, m := range all {
		standing[m.Address] = m
	}
	known := map[chat.Address]bool{}
	for _, doc := range r.scan("table:") {
		tab := read[table.Table](doc.Data)
		docs, err := r.ledger.Get(context.Background(), store.Key{Partition: doc.Key.Partition, Name: "shown:" + tab.ID})
		if err != nil {
			r.t.Fatal(err)
		}
		seen := read[shown](docs[0].Data)
		older := 0 // hands that people opened again; 16 of each person are kept
		for key := range seen.Posts {
			if strings.Contains(key, " answer older ") {
				older++
			}
		}
		if n := len(seen.Posts) - older; n > 30+2*tab.DealNo || older > 16*len(cast) || len(seen.Places) > 16 {
			say(tab.ID, "%d posts, %d older hands and %d places", n, older, len(seen.Places))
		}
		for _, p := range seen.Posts {
			known[p.Address] = true
		}
		for _, p := range append(view.PastPosts(tab.Public()), view.PresentPosts(tab.Public(), tab.Private, nil, nil)...) {
			place := p.Chat + p.Player
			what := fmt.Sprintf("%s of %s in %s", p.Key, tab.ID, place)
			sent, ok := seen.Posts[place+" "+p.Key]
			switch m, there := standing[sent.Address]; {
			case r.gone[sent.Address], ok && p.OldOnly && sent.Address == "":
			case (tab.Phase == table.Closed || tab.Phase == table.Over && !r.open(tab, place)) && !seen.Places[place].Closed.IsZero():
				// The deletion was refused, and nothing asks for it again.
			case !ok && p.OldOnly, !ok && tab.Phase == table.Closed:
			case !ok || !there:
				say(what, "does not stand (%s): %v", tab.Phase, seen)
			default:
				was, should := m.Screen, p.Screen
				was.Notify, should.Notify = nil, nil
				if diff := cmp.Diff(should, was, cmp.Comparer(func(a, b game.Card) bool { return a == b })); diff != "" {
					say(what, "is wrong (%s):\n%s", docs[0].Data, diff)
				}
				if m.Chat != place {
					say(what, "stands in %s", m.Chat)
				}
			}
		}
	}
	stray := 0
	for a, m := range standing {
		if known[a] || m.Answer || !slices.ContainsFunc(buttons(m.Screen), plays) {
			continue
		}
		stray++
		if r.mild {
			say(string(a), "is a message that nobody knows of any more:\n%s", m.Screen)
		}
	}
	if most := int(r.doubts.Load()); stray > most && !r.mild {
		say("messages", "that nobody knows of: %d, at most %d may be", stray, most)
	}
	return wrong
}

// plays reports whether a button acts on an open table.
func plays(b screen.Button) bool {
	p, err := view.ParsePress(b.Press)
	return err == nil && slices.Contains([]string{view.ActPlay, view.ActPlace, view.ActJoin, view.ActStart}, p.Action)
}

// open reports whether the chat's current table is t.
func (r *torture) open(t table.Table, chatID string) bool {
	docs, err := r.ledger.Get(context.Background(), store.Key{Partition: store.Partition(t.Home), Name: "home:" + t.Home})
	if err != nil {
		r.t.Fatal(err)
	}
	return read[struct{ Open map[string]string }](docs[0].Data).Open[chatID] == t.ID
}

// accounts checks records and boards.
func (r *torture) accounts() {
	w := &world{t: r.t, store: r.ledger}
	if err := w.records(); err != nil && err.Error() != "no records" {
		r.t.Error(err)
	}
	found := map[string]league.Totals{}
	for key := range r.ledger.totals {
		board := key[:strings.LastIndex(key, " ")]
		_, home, _ := strings.Cut(board, ":")
		home = strings.TrimSuffix(home, ":all")
		home = home[:strings.LastIndex(home, ":")]
		rows, _, err := r.ledger.Board(context.Background(), store.Partition(home), board, 0, 100, "")
		if err != nil {
			r.t.Fatal(err)
		}
		for _, row := range rows {
			var sum league.Totals
			if err := json.Unmarshal(row.Data, &sum); err != nil {
				r.t.Fatal(err)
			}
			if _, people := league.PairOf(row.Member); len(people) == 0 {
				found[board+" "+row.Member] = sum
			}
		}
	}
	if diff := cmp.Diff(r.ledger.totals, found); diff != "" {
		r.t.Errorf("boards: %s", diff)
	}
	if a, err := upkeep.CheckBoards(context.Background(), r.ledger); err != nil || len(a.Wrong) > 0 || a.Waiting > 0 {
		r.t.Errorf("the boards are not what the records say: %+v, %v", a, err)
	}
	r.t.Logf("%d commits, %d records, boards %v", r.ledger.count(), len(r.scan("record:")), found)
}
