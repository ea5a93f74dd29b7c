package boards_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/playground"
	"sedmabot/bot/screen/screentest"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// evenings are what friends play, by name: matches of one deal for four seats, with the AI in the others. The first person opens
// each table.
var evenings = map[string]struct {
	friends  string
	together bool   // two of them are partners
	leaves   string // leaves after a card in every other match, and comes back
	late     string // comes late to every other match
}{
	"two":      {friends: "Ann Ben"},
	"three":    {friends: "Ann Ben Cat"},
	"together": {friends: "Ann Ben", together: true},
	"four":     {friends: "Ann Ben Cat Dan", leaves: "Cat", late: "Dan"},
}

// house is a platform on which friends play, with the whole bot.
type house struct {
	bot   *bot.Bot
	kept  store.Store
	match atomic.Uint32 // its number makes the deal
	known doc.Table     // the table as it was last seen
	chat  chat.Chat
	ids   map[string]string
	until func(ok func() bool)
	begin func(name string)            // opens a table
	press func(name, data string) bool // presses a button that the person sees; false: there is none
	force func(name, data string) bool // presses what the table's message doesn't offer, as from the reply to More
}

// open runs a bot on a store, and its platform.
func (h *house) open(t *testing.T, kept store.Store, p chat.Platform, run func(context.Context, chat.Handler) error) {
	t.Helper()
	h.kept = kept
	began := time.Now()
	h.bot = bot.New(bot.Config{
		Store: kept, Platforms: []chat.Platform{p}, Log: slog.New(slog.DiscardHandler), Worlds: 2,
		Think: func(_ context.Context, _ string, v game.View, _ game.Match) game.Move {
			return ai.Beginner.Try(context.Background(), v, 0, 0)
		},
		Now:  func() time.Time { return time.Date(2026, 11, 28, 20, 0, 0, 0, time.UTC).Add(time.Since(began)) },
		Seed: func() (seed table.Seed) { binary.BigEndian.PutUint32(seed[:], h.match.Load()); return seed },
	})
	ctx, stop := context.WithCancel(t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = h.bot.Run(ctx) })
	parts.Go(func() { _ = run(ctx, h.bot) })
	t.Cleanup(func() { stop(); parts.Wait() })
}

// table returns the open table, if there is one.
func (h *house) table(t *testing.T) (tab doc.Table, ok bool) {
	t.Helper()
	docs, err := h.kept.Get(t.Context(), doc.HomeKey(h.chat.Home))
	var home doc.Home
	if err == nil {
		err = doc.Decode(docs[0], &home)
	}
	id := home.Open[h.chat.ID]
	keys, ok := doc.TableKeys(id)
	if err == nil && ok {
		if docs, err = h.kept.Get(t.Context(), keys[0]); err == nil && (id != h.known.ID || docs[0].Version != h.known.Version) {
			h.known = doc.Table{Version: docs[0].Version}
			err = doc.Decode(docs[0], &h.known)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return tab, false
	}
	return h.known, true
}

// shows returns the reply to a command, without what the coach says, which still thinks.
func (h *house) shows(t *testing.T, command string) string {
	t.Helper()
	in := chat.Input{Player: chat.Player{ID: h.ids["Ann"], Name: "Ann", Lang: "en"}, Chat: h.chat, Command: command}
	r := h.bot.Handle(t.Context(), in)
	if r.Screen == nil {
		t.Fatalf("/%s: %+v", command, r)
	}
	var lines strings.Builder
	for line := range strings.Lines(r.Screen.String()) {
		if !strings.Contains(line, "coach") {
			lines.WriteString(line)
		}
	}
	return lines.String()
}

// presses waits for a button, and presses it.
func (h *house) presses(name string, p view.Press) {
	h.until(func() bool { return h.press(name, p.String()) })
}

// plays lets friends play the evening's match of that number.
func (h *house) plays(t *testing.T, name string, no int) {
	t.Helper()
	e := evenings[name]
	friends := strings.Fields(e.friends)
	h.match.Store(uint32(no))
	h.begin(friends[0])
	var tab doc.Table
	look := func(ok func() bool) {
		h.until(func() (there bool) {
			tab, there = h.table(t)
			return ok() && (there || tab.ID == "")
		})
	}
	look(func() bool { return tab.ID != "" })
	id, late := tab.ID, e.late
	if one := game.Lengths(tab.Rules)[0]; game.Length(tab.Rules) != one { // later tables keep it
		h.until(func() bool {
			return h.force(friends[0], view.Press{Action: view.ActSet, Table: id, What: "length", Value: one}.String())
		})
		look(func() bool { return game.Length(tab.Rules) == one })
	}
	if no%2 == 0 {
		late = ""
	}
	for i, friend := range friends[1:] {
		if friend != late {
			h.presses(friend, view.Press{Action: view.ActJoin, Table: id})
			look(func() bool { return tab.Public().People() == i+2 })
		}
	}
	if e.together {
		h.presses(friends[0], view.Press{Action: view.ActSet, Table: id, What: "with", Value: tab.Public().Mark(tab.SeatOf(h.ids[friends[1]]))})
		look(func() bool {
			return tab.Rules.Side(tab.SeatOf(h.ids[friends[0]])) == tab.Rules.Side(tab.SeatOf(h.ids[friends[1]]))
		})
	}
	h.presses(friends[0], view.Press{Action: view.ActStart, Table: id})
	turns := 0
	for {
		var player string
		look(func() bool {
			if tab.ID == "" { // the match is over
				return true
			}
			if tab.Phase != table.Playing || tab.Public().Turn < 0 {
				return false
			}
			seat := tab.Seats[tab.Public().Turn]
			player = seat.Player.ID
			return player != "" && !seat.Away && !seat.Left && !tab.Deal.Forced()
		})
		if tab.ID == "" {
			return
		}
		turns++
		friend := friends[slices.IndexFunc(friends, func(name string) bool { return h.ids[name] == player })]
		here := func(name string) bool {
			s := tab.SeatOf(h.ids[name])
			return s >= 0 && !tab.Seats[s].Away && !tab.Seats[s].Left
		}
		switch {
		case friend == e.leaves && turns > 3 && turns < 9 && no%2 == 1:
			h.until(func() bool {
				return h.force(friend, view.Press{Action: view.ActSure, Table: id, What: view.ActLeave}.String())
			})
			look(func() bool { return !here(friend) })
			continue
		case turns == 9 && e.leaves != "" && !here(e.leaves):
			h.presses(e.leaves, view.Press{Action: view.ActBack, Table: id})
			look(func() bool { return here(e.leaves) })
		case turns == 4 && late != "":
			h.presses(late, view.Press{Action: view.ActJoin, Table: id})
			look(func() bool { return here(late) || len(tab.Coming) > 0 })
		}
		v := tab.Deal.View(tab.Public().Turn)
		h.presses(friend, view.Press{Action: view.ActPlay, Table: id, Deal: tab.DealNo, Turn: v.Decisions[v.Seat], Move: ai.Beginner.Try(t.Context(), v, 0, 0)})
		was := len(v.Log)
		look(func() bool { return tab.ID == "" || tab.Phase != table.Playing || len(tab.Public().View.Log) > was })
	}
}

// evening plays an evening's matches, and returns what the board and the statistics say after one, three and ten of them.
func (h *house) evening(t *testing.T, name string, matches int) string {
	t.Helper()
	var out strings.Builder
	for no := 1; no <= matches; no++ {
		h.plays(t, name, no)
		if no == 1 || no == 3 || no == 10 {
			fmt.Fprintf(&out, "== after %d\n%s%s", no, h.shows(t, "leaderboard"), h.shows(t, "stats"))
		}
	}
	return out.String()
}

// file and redis return new stores.
func file(t *testing.T) store.Store {
	t.Helper()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "evening.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func redis(t *testing.T) store.Store {
	t.Helper()
	s, err := redisstore.Open(t.Context(), redistest.Start(t).URL(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// easel draws for all houses.
var easel = face.NewEasel()

// onPlayground, onDiscord and onTelegram are houses.
func onPlayground(t *testing.T, kept store.Store) *house {
	t.Helper()
	p, err := playground.New(playground.Config{Commands: bot.Commands()})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{
		chat: chat.Chat{ID: playground.Channel, Home: playground.Home},
		ids:  map[string]string{"Ann": playground.Ann, "Ben": playground.Ben, "Cat": playground.Cat, "Dan": playground.Dan},
	}
	h.until = func(ok func() bool) {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		if err := p.Wait(ctx, ok); err != nil {
			for _, m := range p.Channel() {
				t.Log(m.Screen.String())
			}
			for _, m := range append(p.Direct(h.ids["Ann"]), p.Direct(h.ids["Ben"])...) {
				t.Log(m.Screen.String())
			}
			t.Fatal(err)
		}
	}
	h.begin = func(name string) { _, _ = p.Command(t.Context(), h.ids[name], playground.Channel, "/new sedma-4p") }
	h.press = func(name, data string) bool {
		for _, m := range append(p.Channel(), p.Direct(h.ids[name])...) {
			for _, row := range m.Screen.Rows {
				for _, b := range row {
					if b.Press == data && !b.Off {
						_, err := p.PressData(t.Context(), h.ids[name], m.Address, data)
						return err == nil
					}
				}
			}
		}
		return false
	}
	h.force = func(name, data string) bool {
		all := p.Channel()
		if len(all) == 0 {
			return false
		}
		_, err := p.PressData(t.Context(), h.ids[name], all[len(all)-1].Address, data)
		return err == nil
	}
	h.open(t, kept, p, p.Run)
	return h
}

func onDiscord(t *testing.T, kept store.Store) *house {
	t.Helper()
	s := discordtest.New(t)
	people := map[string]*discordtest.Person{}
	h := &house{ids: map[string]string{}}
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		people[name] = s.NewPerson(name)
		h.ids[name] = "discord:" + people[name].ID
	}
	guild := s.NewGuild(people["Ann"])
	c := guild.NewChannel("cards")
	h.chat = chat.Chat{ID: "discord:" + c.ID, Home: "discord:" + guild.ID}
	h.until = func(ok func() bool) { s.Until("the evening goes on", ok) }
	h.begin = func(name string) { people[name].Slash(c, "new", map[string]any{"rules": "sedma-4p"}).Wait() }
	h.press = func(name, data string) bool {
		p := people[name]
		for _, m := range append(p.Sees(c), p.Sees(p.DM())...) {
			for _, b := range m.Buttons {
				if b.CustomID == data && !b.Off {
					p.Press(m, data).Wait()
					return true
				}
			}
		}
		return false
	}
	h.force = func(name, data string) bool {
		all := people[name].Sees(c)
		if len(all) > 0 {
			people[name].Press(all[len(all)-1], data).Wait()
		}
		return len(all) > 0
	}
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: s.Token(), APIBase: s.URL(), Log: slog.New(slog.DiscardHandler), Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	h.open(t, kept, a, a.Run)
	s.Until("the bot is connected", func() bool { return s.Connected() == 1 && len(s.Commands()) > 0 })
	return h
}

func onTelegram(t *testing.T, kept store.Store) *house {
	t.Helper()
	s := telegramtest.New(t)
	people := map[string]*telegramtest.Person{}
	h := &house{ids: map[string]string{}}
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		people[name] = s.Person(name)
		h.ids[name] = "telegram:" + strconv.FormatInt(people[name].ID, 10)
	}
	group := s.Group("Cards", people["Ann"], people["Ben"], people["Cat"], people["Dan"])
	id := "telegram:" + strconv.FormatInt(group.ID, 10)
	h.chat = chat.Chat{ID: id, Home: id}
	h.until = func(ok func() bool) {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := s.Until(ctx, ok); err != nil {
			t.Fatal(err)
		}
	}
	h.begin = func(name string) { people[name].Say(group, "/new sedma-4p") }
	h.press = func(name, data string) bool {
		p := people[name]
		for _, m := range append(group.Messages(), p.Private().Messages()...) {
			for _, row := range m.Buttons {
				for _, b := range row {
					if b.Data == data {
						_, err := p.PressData(t.Context(), m, data)
						return err == nil
					}
				}
			}
		}
		return false
	}
	h.force = func(name, data string) bool {
		all := group.Messages()
		if len(all) == 0 || len(all[len(all)-1].Buttons) == 0 {
			return false
		}
		_, err := people[name].PressData(t.Context(), all[len(all)-1], data)
		return err == nil
	}
	a, err := telegram.New(telegram.Config{Commands: bot.Commands(), Token: s.Token, Base: s.URL, HTTP: s.Client(), Log: slog.New(slog.DiscardHandler), Easel: easel, Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	h.open(t, kept, a, a.Run)
	for _, p := range people {
		p.Start("")
	}
	return h
}

// After one, three and ten matches of friends, with the AI in the other seats, boards and statistics say who leads. They say the
// same in Redis and in a file, and on Discord and Telegram.
func TestEvenings(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	for name := range evenings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			matches := 10
			if !clocktest.IsWhole() {
				matches = 3
			}
			said := onPlayground(t, file(t)).evening(t, name, matches)
			if matches == 10 {
				screentest.Golden(t, "en", "evening-"+name, said)
			}
			if diff := cmp.Diff(said, onPlayground(t, redis(t)).evening(t, name, matches)); diff != "" {
				t.Errorf("(-file +Redis):\n%s", diff)
			}
			if e := evenings[name]; e.leaves == "" && !e.together {
				return // nothing in it depends on the platform
			}
			said, _, _ = strings.Cut(said, "== after 10")
			if diff := cmp.Diff(said, onDiscord(t, file(t)).evening(t, name, 3)); diff != "" {
				t.Errorf("(-playground +Discord):\n%s", diff)
			}
			if diff := cmp.Diff(said, onTelegram(t, redis(t)).evening(t, name, 3)); diff != "" {
				t.Errorf("(-playground +Telegram):\n%s", diff)
			}
		})
	}
}
