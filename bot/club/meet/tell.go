package meet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Wishes is the document with the wishes of the people on a home's list. The list itself is
// doc.Home.Tell. Earlier versions of the program know only the list.
type Wishes struct {
	People map[string]Wish      `json:"people,omitempty"` // by id
	Called map[string]time.Time `json:"called,omitempty"` // by chat: when the latest call was made
}

// Wish is the choice of one person on the list. The zero value is any game, at any hour.
type Wish struct {
	Game  string    `json:"game,omitempty"`  // family of games; "": any
	Quiet string    `json:"quiet,omitempty"` // one of quietHours in the home's time zone; "": none
	Since time.Time `json:"since,omitzero"`  // when the person was put on the list
}

const (
	callEvery = 10 * time.Minute    // shortest time between two calls in a chat
	idleFor   = 30 * 24 * time.Hour // how long after their latest match people stay on the list
)

// errListeners reports that a home's list is full.
var errListeners = chat.NewLimit("listeners", doc.MaxListeners)

// wishesName returns the name of the document with the wishes of the people on a home's list.
func wishesName(home string) string { return "tell:" + home }

// quietHours are the hours in which a person may choose not to be told of new tables.
var quietHours = []string{doc.Off, "20-8", "21-7", "22-8", "23-7", "23-9", "8-16", "9-17"}

// anyGame is the choice to hear of tables with any game.
const anyGame = "any"

// tellSettings are a person's settings about new tables in a home.
func (room *Room) tellSettings() []doc.Setting[doc.Player] {
	wishes := &doc.Keeper{Read: room.wishes, Set: room.setWish}
	return []doc.Setting[doc.Player]{
		{Name: "tell", Group: screen.GroupPosts, Order: 110, Choices: []string{doc.Off, doc.On}, Keeper: wishes},
		{Name: "tell_game", Group: screen.GroupPosts, Order: 120, Choices: append([]string{anyGame}, game.Families()...), Label: gameName, Keeper: wishes},
		{Name: "tell_quiet", Group: screen.GroupPosts, Order: 130, Choices: quietHours, Label: tellHoursName, Keeper: wishes},
	}
}

// gameName returns the name of a family of games, or of anyGame.
func gameName(c *lang.Catalogue, family string) string {
	if family == anyGame {
		return c.Text("pref.tell_game.any")
	}
	return screen.FamilyName(c, family)
}

// tellHoursName returns one of quietHours as people write it.
func tellHoursName(c *lang.Catalogue, hours string) string {
	if from, to, ok := strings.Cut(hours, "-"); ok {
		return from + ":00–" + to + ":00"
	}
	return c.Text("pref.tell_quiet.off")
}

// wishes returns a person's settings about new tables in a home. Someone who isn't on the list
// has only the setting that puts them there.
func (room *Room) wishes(ctx context.Context, home, player string) (map[string]string, error) {
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(home), doc.InHome(home, wishesName(home)))
	if err != nil {
		return nil, err
	}
	var h doc.Home
	var w Wishes
	if err := errors.Join(doc.Decode(docs[0], &h), doc.Decode(docs[1], &w)); err != nil {
		return nil, err
	}
	if _, listed := h.Tell[player]; !listed {
		return map[string]string{"tell": doc.Off}, nil
	}
	wish := w.People[player]
	return map[string]string{"tell": doc.On, "tell_game": cmp.Or(wish.Game, anyGame), "tell_quiet": cmp.Or(wish.Quiet, doc.Off)}, nil
}

// setWish changes one of tellSettings.
func (room *Room) setWish(ctx context.Context, in chat.Input, home, name, value string) error {
	return room.change(ctx, in, home, func(h *doc.Home, wish *Wish) error {
		_, listed := h.Tell[in.Player.ID]
		switch {
		case name == "tell" && value == doc.Off:
			delete(h.Tell, in.Player.ID)
		case name == "tell" && value == doc.On:
			return room.list(h, in, wish)
		case name == "tell_game" && listed && (value == anyGame || slices.Contains(game.Families(), value)):
			if wish.Game = value; value == anyGame {
				wish.Game = ""
			}
		case name == "tell_quiet" && listed && slices.Contains(quietHours, value):
			if wish.Quiet = value; value == doc.Off {
				wish.Quiet = ""
			}
		default:
			return chat.ErrForged
		}
		return nil
	})
}

// Flip handles the button under a lobby: it puts a person on the list of the chat's home, or
// takes them off.
func (room *Room) Flip(ctx context.Context, in chat.Input, _ string) chat.Reply {
	if in.Chat.Private {
		return in.Refuse(chat.ErrForged)
	}
	key := ""
	err := room.change(ctx, in, in.Chat.Home, func(h *doc.Home, wish *Wish) error {
		if _, listed := h.Tell[in.Player.ID]; listed {
			delete(h.Tell, in.Player.ID)
			key = "tell.stopped"
			return nil
		}
		key = "tell.listed"
		return room.list(h, in, wish)
	})
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text(key)}
}

// Hush handles the button under a call: it takes a person off the list of the chat's home.
func (room *Room) Hush(ctx context.Context, in chat.Input, _ string) chat.Reply {
	if err := room.setWish(ctx, in, in.Chat.Home, "tell", doc.Off); err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("tell.stopped")}
}

// list puts the person on the list.
func (room *Room) list(h *doc.Home, in chat.Input, wish *Wish) error {
	if _, listed := h.Tell[in.Player.ID]; !listed && len(h.Tell) >= doc.MaxListeners {
		return errListeners
	}
	if h.Tell == nil {
		h.Tell = map[string]string{}
	}
	h.Tell[in.Player.ID] = chat.CleanName(in.Player.Name)
	wish.Since = room.docs.Now()
	return nil
}

// change lets step change the home and the person's wish, and commits both. If the person is
// no longer on the list, their wish is deleted.
func (room *Room) change(ctx context.Context, in chat.Input, home string, step func(*doc.Home, *Wish) error) error {
	if _, err := room.docs.Own(ctx, in.Player.ID); err != nil {
		return err
	}
	keys := []store.Key{doc.HomeKey(home), doc.InHome(home, wishesName(home))}
	return room.docs.Update(ctx, in.Once, keys, func(docs []store.Doc, c *store.Change) error {
		var h doc.Home
		var w Wishes
		if err := errors.Join(doc.Decode(docs[0], &h), doc.Decode(docs[1], &w)); err != nil {
			return err
		}
		wish := w.People[in.Player.ID]
		if err := step(&h, &wish); err != nil {
			return err
		}
		if w.People == nil {
			w.People = map[string]Wish{}
		}
		if w.People[in.Player.ID] = wish; h.Tell[in.Player.ID] == "" {
			delete(w.People, in.Player.ID)
		}
		c.Writes = []store.Write{{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(h)}, w.write(docs[1])}
		return nil
	})
}

// write returns the write that replaces the document that was read.
func (w Wishes) write(read store.Doc) store.Write {
	out := store.Write{Name: read.Key.Name, Expect: read.Version}
	if len(w.People)+len(w.Called) > 0 {
		out.Data = doc.Encode(w)
	}
	return out
}

// Call returns the people to call about a new table in a chat: those on the list who want to
// hear about that family of games at this hour. Within callEvery of the chat's latest call, it
// returns nobody. writes record the call; the caller commits them with the table. Before that,
// Call takes people off the list who haven't played in the home for idleFor.
func (room *Room) Call(ctx context.Context, in chat.Input, h doc.Home, family string) (who []table.Player, writes []store.Write, err error) {
	home := in.Chat.Home
	if len(h.Tell) == 0 {
		return nil, nil, nil
	}
	ids := slices.Sorted(maps.Keys(h.Tell))
	keys := []store.Key{doc.InHome(home, wishesName(home))}
	for _, id := range ids {
		keys = append(keys, doc.InHome(home, doc.MemberName(home, id)))
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return nil, nil, err
	}
	var w Wishes
	if err := doc.Decode(docs[0], &w); err != nil {
		return nil, nil, err
	}
	now, idle := room.docs.Now(), []string(nil)
	before := string(doc.Encode(w))
	if w.People == nil {
		w.People = map[string]Wish{}
	}
	for i, id := range ids {
		var m league.Member
		if err := doc.Decode(docs[i+1], &m); err != nil {
			return nil, nil, err
		}
		wish := w.People[id]
		if wish.Since.IsZero() { // listed by an earlier version of the program
			wish.Since = now
			w.People[id] = wish
		}
		latest := m.Lately(h)
		if latest.Before(wish.Since) {
			latest = wish.Since
		}
		switch {
		case now.After(latest.Add(idleFor)):
			idle = append(idle, id)
		case id != in.Player.ID && wish.wants(family, now.In(league.CalendarOf(h).Zone)):
			who = append(who, table.Player{ID: id, Name: h.Tell[id]})
		}
	}
	if len(idle) > 0 {
		if err := room.drop(ctx, home, idle); err != nil {
			return nil, nil, err
		}
		h.Tell = maps.Clone(h.Tell)
		for _, id := range idle {
			delete(h.Tell, id)
		}
		return room.Call(ctx, in, h, family)
	}
	if at := w.Called[in.Chat.ID]; now.Before(at.Add(callEvery)) && store.Believed(at, now, 0) {
		who = nil
	}
	maps.DeleteFunc(w.Called, func(_ string, at time.Time) bool { return !now.Before(at.Add(callEvery)) })
	if len(who) > 0 {
		if w.Called == nil {
			w.Called = map[string]time.Time{}
		}
		w.Called[in.Chat.ID] = now
	}
	if string(doc.Encode(w)) == before {
		return who, nil, nil
	}
	return who, []store.Write{w.write(docs[0])}, nil
}

// drop takes people off a home's list.
func (room *Room) drop(ctx context.Context, home string, ids []string) error {
	keys := []store.Key{doc.HomeKey(home), doc.InHome(home, wishesName(home))}
	return room.docs.Update(ctx, "", keys, func(docs []store.Doc, c *store.Change) error {
		var h doc.Home
		var w Wishes
		if err := errors.Join(doc.Decode(docs[0], &h), doc.Decode(docs[1], &w)); err != nil {
			return err
		}
		for _, id := range ids {
			delete(h.Tell, id)
			delete(w.People, id)
		}
		c.Writes = []store.Write{{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(h)}, w.write(docs[1])}
		return nil
	})
}

// wants reports whether the person wants to hear about a table with that family of games at
// that time.
func (w Wish) wants(family string, now time.Time) bool {
	if w.Game != "" && w.Game != family {
		return false
	}
	var from, to int
	if n, err := fmt.Sscanf(w.Quiet, "%d-%d", &from, &to); n != 2 || err != nil {
		return true
	}
	if hour := now.Hour(); from > to { // over midnight
		return hour < from && hour >= to
	}
	return now.Hour() < from || now.Hour() >= to
}
