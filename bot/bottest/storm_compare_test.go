package bottest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/upkeep"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// leftovers returns what a store still has of tables long after the last game, except settings that somebody chose.
func leftovers(t *testing.T, kept store.Store) (left []string) {
	all := func(kind string) []store.Doc {
		docs, err := scan(kept, kind)
		if err != nil {
			t.Fatal(err)
		}
		return docs
	}
	for _, kind := range []string{"table:", "shown:", "notes:", "player:"} {
		for _, d := range all(kind) {
			if kind == "player:" {
				own := read[doc.Player](d.Data) // the address of a private chat is kept for longer
				if expires, _ := own.Expiry(time.Now()); expires.IsZero() || own.PrivateChat != "" {
					continue
				}
			}
			left = append(left, fmt.Sprintf("%s is left: %s", d.Key.Name, d.Data))
		}
	}
	for _, d := range all("home:") {
		if home := read[struct{ Open map[string]string }](d.Data); len(home.Open) > 0 {
			left = append(left, fmt.Sprintf("%s still has %v", d.Key.Name, home.Open))
		}
	}
	return left
}

// scan returns all documents of a kind.
func scan(kept store.Store, kind string) (all []store.Doc, err error) {
	for partition := range store.Partitions {
		for cursor, more := "", true; more; more = cursor != "" {
			docs, next, err := kept.Scan(context.Background(), partition, kind, cursor)
			if err != nil {
				return nil, err
			}
			all, cursor = append(all, docs...), next
		}
	}
	return all, nil
}

type shown struct {
	Posts map[string]struct {
		Address chat.Address
		Passing bool
	}
	Places map[string]struct {
		Closed time.Time
		Asked  bool

		NotBefore time.Time `json:"not_before"`
	}
	Undone   time.Time
	UndoneAt time.Time `json:"undone_at"`
}

// lost reports whether the messages say that moves of the table were lost.
func (s shown) lost(t table.Table) bool { return !s.Undone.IsZero() && s.UndoneAt.Equal(t.Touched) }

// reach returns how the players get their hands whose private chats are closed.
func (s shown) reach(t table.Table) view.Reach {
	reach := view.Reach{}
	for _, seat := range t.Seats {
		id := seat.Player.ID
		if s.Places[id].Closed.IsZero() {
			continue
		}
		reach[id] = view.ByButton
		for where, at := range s.Places {
			if chatID, who, _ := strings.Cut(where, "@"); who == id && chatID != "" && at.Asked && at.Closed.IsZero() {
				reach[id] = view.Aside
			}
		}
	}
	return reach
}

// standing is a message that somebody sees.
type standing struct {
	chat   string
	screen screen.Screen
}

// compare compares the messages with the stored tables, says what is wrong, and returns the messages that the tables know, and
// those of them that may be old.
// It looks at the tables whose documents have a prefix.
// Messages that are gone may be missing, and those in a chat that has refused the bot may be old: it is tried again at the
// next stage of the table. So may those of somebody who blocked the bot, if they are still shut.
func compare(kept store.Store, prefix string, stand map[chat.Address]standing, gone func(chat.Address) bool, refused func(place string) bool, shut bool, say func(what, format string, args ...any)) (known, old map[chat.Address]bool, err error) {
	known, old = map[chat.Address]bool{}, map[chat.Address]bool{}
	tables, err := scan(kept, prefix)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range tables {
		tab := read[table.Table](d.Data)
		docs, err := kept.Get(context.Background(), store.Key{Partition: d.Key.Partition, Name: "shown:" + tab.ID}, store.Key{Partition: d.Key.Partition, Name: "notes:" + tab.ID})
		if err != nil {
			return nil, nil, err
		}
		seen, notes := read[shown](docs[0].Data), read[doc.Notes](docs[1].Data)
		if n := len(seen.Posts); n > 30+2*tab.DealNo || len(seen.Places) > 16 {
			say(tab.ID, "%d posts and %d places", n, len(seen.Places))
		}
		for key, p := range seen.Posts {
			place, _, _ := strings.Cut(key, " ")
			known[p.Address], old[p.Address] = true, refused(place) && !seen.Places[place].Closed.IsZero()
		}
		var reach view.Reach
		if shut {
			reach = seen.reach(tab)
		}
		for _, p := range append(view.PastPosts(tab.Public()), view.PresentPosts(tab.Public(), tab.Private, reach, nil)...) {
			place := p.Chat + p.Player
			what := fmt.Sprintf("%s of %s in %s", p.Key, tab.ID, place)
			sent, ok := seen.Posts[place+" "+p.Key]
			switch m, there := stand[sent.Address]; {
			case gone(sent.Address), ok && p.OldOnly && sent.Address == "", onPages(tab, notes, p):
			case (refused(place) && (p.Player == "" || shut) || tab.Phase == table.Closed || tab.Phase == table.Over && !isOpen(kept, tab, place)) && !seen.Places[place].Closed.IsZero():
				// The deletion was refused, and nothing asks for it again.
			case !ok && p.OldOnly, !ok && tab.Phase == table.Closed:
			case !ok || !there:
				say(what, "does not stand (%s): %v", tab.Phase, seen)
			default:
				is, should := bare(m.screen), bare(p.Screen)
				if seen.lost(tab) && !reflect.DeepEqual(is, should) {
					should = bare(view.Undone(p.Screen, lang.For("", tab.Chats[0].Lang)))
				}
				if !reflect.DeepEqual(is, should) {
					say(what, "is (%s):\n%s\nand should be:\n%s", docs[0].Data, is, should)
				}
				if m.chat != place {
					say(what, "stands in %s", m.chat)
				}
			}
		}
	}
	return known, old, nil
}

// bare returns a screen without what only matters while it is delivered, and without personal links.
func bare(s screen.Screen) screen.Screen {
	s.Notify = nil
	rows := s.Rows
	s.Rows = nil
	for _, row := range rows {
		if row = slices.DeleteFunc(slices.Clone(row), func(b screen.Button) bool { return b.Link != "" && b.Page != "" }); len(row) > 0 {
			s.Rows = append(s.Rows, row)
		}
	}
	if s.Picture != nil {
		same := *s.Picture
		same.Kept = false
		s.Picture = &same
	}
	return s
}

// buttons returns the buttons of a screen.
func buttons(s screen.Screen) (all []screen.Button) {
	for _, row := range slices.Concat(s.MenuRows(), s.Rows, s.Places) {
		all = append(all, row...)
	}
	return all
}

// plays reports whether a button acts on an open table.
func plays(b screen.Button) bool {
	p, err := view.ParsePress(b.Press)
	return err == nil && slices.Contains([]string{view.ActPlay, view.ActPlace, view.ActJoin, view.ActStart}, p.Action)
}

// isOpen reports whether the chat's current table is t.
func isOpen(kept store.Store, t table.Table, chatID string) bool {
	docs, err := kept.Get(context.Background(), store.Key{Partition: store.Partition(t.Home), Name: "home:" + t.Home})
	return err == nil && read[struct{ Open map[string]string }](docs[0].Data).Open[chatID] == t.ID
}

// audit returns what is wrong with the records and boards of a store.
func audit(t *testing.T, kept *ledger) (wrong []string) {
	w := &world{t: t, store: kept}
	if err := w.records(); err != nil && err.Error() != "no records" {
		wrong = append(wrong, err.Error())
	}
	found := map[string]league.Totals{}
	for key := range kept.totals {
		board := key[:strings.LastIndex(key, " ")]
		_, home, _ := strings.Cut(board, ":")
		home = strings.TrimSuffix(home, ":all")
		home = home[:strings.LastIndex(home, ":")]
		rows, _, err := kept.Board(context.Background(), store.Partition(home), board, 0, 100, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			var sum league.Totals
			if err := json.Unmarshal(row.Data, &sum); err != nil {
				t.Fatal(err)
			}
			if _, people := league.PairOf(row.Member); len(people) == 0 {
				found[board+" "+row.Member] = sum
			}
		}
	}
	if diff := cmp.Diff(kept.totals, found); diff != "" {
		wrong = append(wrong, "boards: "+diff)
	}
	if a, err := upkeep.CheckBoards(context.Background(), kept); err != nil || len(a.Wrong) > 0 || a.Waiting > 0 {
		wrong = append(wrong, fmt.Sprintf("the boards are not what the records say: %+v, %v", a, err))
	}
	return wrong
}
