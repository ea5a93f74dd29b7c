package web_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/web"
	"sedmabot/game/table"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// idle is a store that knows whether all jobs that are due were done.
type idle struct {
	store.Store
	mu      sync.Mutex
	marks   map[string]int // by job that isn't done: how often it was marked
	claimed map[string]int // by held job: how often it had been marked when it was claimed
	changed chan struct{}  // closed at the next change
}

func newIdle(t *testing.T) *idle {
	t.Helper()
	kept := storetest.NewMemory()
	return &idle{Store: kept, marks: map[string]int{}, claimed: map[string]int{}, changed: make(chan struct{})}
}

// note runs f, which changes the numbers.
func (s *idle) note(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// done notes the end of a job's work. The job is due again if it was marked meanwhile.
func (s *idle) done(job store.Job) {
	s.note(func() {
		if s.marks[job.ID] == s.claimed[job.ID] {
			delete(s.marks, job.ID)
		}
	})
}

func (s *idle) Commit(ctx context.Context, c store.Change) error {
	s.note(func() {
		for _, m := range c.Due {
			if !m.At.After(c.Now) {
				s.marks[m.ID]++
			}
		}
		if c.Claim != nil {
			s.marks[c.Claim.ID]++
		}
	})
	err := s.Store.Commit(ctx, c)
	if err == nil && c.Claim != nil && c.Claim.Claimed {
		s.note(func() { s.claimed[c.Claim.ID] = s.marks[c.Claim.ID] })
	}
	if err == nil && c.Done != nil {
		s.done(*c.Done)
	}
	return err
}

func (s *idle) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	jobs, next, err := s.Store.Claim(ctx, now, lease, limit)
	s.note(func() {
		for _, j := range jobs {
			s.claimed[j.ID] = s.marks[j.ID]
		}
	})
	return jobs, next, err
}

func (s *idle) Release(ctx context.Context, job store.Job, now, next time.Time) error {
	err := s.Store.Release(ctx, job, now, next)
	if err == nil {
		s.done(job)
	}
	return err
}

// until waits until no job is due and ok returns true.
func (s *idle) until(t *testing.T, ok func() bool) {
	t.Helper()
	late := time.After(time.Minute)
	for {
		s.mu.Lock()
		free, changed := len(s.marks) == 0, s.changed
		s.mu.Unlock()
		if free && ok() {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("nothing happens any more; due jobs: %v", s.marks)
		}
	}
}

// four are four people at a table in a chat on a platform.
type four struct {
	*house
	kept     *idle
	players  []string // ids, by seat
	press    func(who int, data string)
	links    func(who int) []string // addresses of the buttons in private messages
	requests func() map[string]int  // the bot's requests so far, by kind
}

// alike returns the same seeds in each run.
func alike() func() table.Seed {
	var mu sync.Mutex
	n := uint64(0)
	return func() (seed table.Seed) {
		mu.Lock()
		defer mu.Unlock()
		n++
		binary.LittleEndian.PutUint64(seed[:], n)
		return seed
	}
}

// fourOnTelegram seats four people at a table in a group.
func fourOnTelegram(t *testing.T) four {
	t.Helper()
	s := telegramtest.New(t)
	a, err := telegram.New(telegram.Config{Commands: bot.Commands(), Easel: easel, Token: s.Token, Base: s.URL, Log: slog.New(slog.DiscardHandler), Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	kept := newIdle(t)
	f := four{kept: kept, house: buildWith(t, "", bot.Config{Store: kept, Platforms: []chat.Platform{a}, Seed: alike()}, nil, nil)}
	var people []*telegramtest.Person
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		p := s.Person(name)
		p.Start("")
		people = append(people, p)
		f.players = append(f.players, fmt.Sprintf("telegram:%d", p.ID))
	}
	cards := s.Group("Cards", people...)
	f.press = func(who int, data string) {
		t.Helper()
		var on telegramtest.Message
		button := ""
		err := s.Until(t.Context(), func() bool { // a message that was held up comes later
			for _, on = range slices.Concat(cards.Messages(), people[who].Private().Messages()) {
				for _, b := range slices.Concat(on.Buttons...) {
					if strings.Contains(b.Data, data) {
						button = b.Data
						return true
					}
				}
			}
			return false
		})
		if err != nil {
			t.Fatalf("%s has no button %s: %v and %v", people[who].First, data, cards.Messages(), people[who].Private().Messages())
		}
		if got, err := people[who].PressData(t.Context(), on, button); err != nil || got.Alert {
			t.Fatalf("the answer to %s: %+v %v", button, got, err)
		}
	}
	f.links = func(who int) (all []string) {
		for _, m := range people[who].Private().Messages() {
			for _, b := range slices.Concat(m.Buttons...) {
				all = append(all, b.URL)
			}
		}
		return all
	}
	f.requests = func() map[string]int {
		n := map[string]int{}
		for _, c := range s.Calls("") {
			n[c.Method]++
		}
		return n
	}
	people[0].Say(cards, "/new 4")
	f.join(func() bool { return len(cards.Messages()) > 0 })
	return f
}

// fourOnDiscord is fourOnTelegram in a channel on Discord.
func fourOnDiscord(t *testing.T) four {
	t.Helper()
	s := discordtest.New(t)
	a, err := discord.New(discord.Config{Commands: bot.Commands(), Easel: easel, Token: s.Token(), APIBase: s.URL(), Log: slog.New(slog.DiscardHandler), Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	var people []*discordtest.Person
	kept := newIdle(t)
	f := four{kept: kept}
	for _, name := range []string{"Ann", "Ben", "Cat", "Dan"} {
		p := s.NewPerson(name)
		people = append(people, p)
		f.players = append(f.players, "discord:"+p.ID)
	}
	cards := s.NewGuild(people[0]).NewChannel("cards")
	f.house = buildWith(t, "", bot.Config{Store: kept, Platforms: []chat.Platform{a}, Seed: alike()}, nil, nil)
	f.press = func(who int, data string) {
		t.Helper()
		p := people[who]
		var press func() *discordtest.Interaction
		s.Until(p.Name+" has a button "+data, func() bool { // a message that was held up comes later
			for _, m := range slices.Concat(p.Sees(cards), p.Sees(p.DM())) {
				for _, b := range m.Buttons {
					if strings.Contains(b.CustomID, data) && !b.Off {
						press = func() *discordtest.Interaction { return p.Press(m, b.CustomID) }
						return true
					}
				}
				for _, menu := range m.Menus {
					for _, o := range menu.Options {
						if strings.Contains(o.Value, data) {
							press = func() *discordtest.Interaction { return p.Choose(m, o.Label) }
							return true
						}
					}
				}
			}
			return false
		})
		press().Wait()
	}
	f.links = func(who int) (all []string) {
		for _, m := range people[who].Sees(people[who].DM()) {
			for _, b := range m.Buttons {
				all = append(all, b.URL)
			}
		}
		return all
	}
	ids := regexp.MustCompile(`/[0-9]+`)
	tokens := regexp.MustCompile(`interaction-token-[^/]+`)
	f.requests = func() map[string]int {
		n := map[string]int{}
		for _, c := range s.Calls() {
			n[c.Method+" "+tokens.ReplaceAllString(ids.ReplaceAllString(c.Path, "/…"), "…")]++
		}
		return n
	}
	s.Until("the bot is connected", func() bool { return s.Connected() == 1 && len(s.Commands()) > 0 })
	people[0].Slash(cards, "new", map[string]any{"players": 4}).Wait()
	f.join(func() bool { return len(people[0].Sees(cards)) > 0 })
	return f
}

// join makes the others join when the lobby is there. The match is one deal long, or whole
// in the long form of the tests.
func (f four) join(lobby func() bool) {
	f.t.Helper()
	f.kept.until(f.t, lobby)
	for who := range f.players[1:] {
		f.press(who+1, "join:")
		f.kept.until(f.t, func() bool { return true })
	}
	if !long() {
		for _, press := range []string{":page:length", ":length:h1"} {
			f.press(0, press)
			f.kept.until(f.t, func() bool { return true })
		}
	}
}

// begin begins the match. It returns the number of requests by kind before that.
func (f four) begin() map[string]int {
	f.t.Helper()
	before := f.requests()
	f.press(0, "start:")
	f.kept.until(f.t, func() bool { return true })
	return before
}

// play plays the match to its end. Before each card, all that the one before has caused
// is shown. press makes a player's press. It returns all presses.
func (f four) play(press func(who int, data string)) (all []string) {
	f.t.Helper()
	ctx := f.t.Context()
	ids, err := f.bot.Pages().Tables(ctx, f.players[0])
	if err != nil || len(ids) != 1 {
		f.t.Fatal(ids, err)
	}
	for {
		who, data, over := -1, "", false
		f.kept.until(f.t, func() bool {
			t, err := f.bot.Pages().Table(ctx, ids[0])
			if err != nil {
				f.t.Fatal(err)
			}
			for i, player := range f.players {
				p := page{live: web.Live(t, chat.Visitor{Player: chat.Player{ID: player, Lang: "en"}})}
				if c := p.choice(); c != "" && !slices.Contains(all, c) {
					who, data = i, c
				}
			}
			over = t.Public.Phase == table.Over
			return over || data != ""
		})
		if over {
			return all
		}
		all = append(all, data)
		press(who, data)
	}
}

// page opens a player's page with the personal link in their private messages.
func (f four) page(who int) *page {
	f.t.Helper()
	token := ""
	f.kept.until(f.t, func() bool {
		for _, link := range f.links(who) {
			if _, found, ok := strings.Cut(link, "#t="); ok && token == "" {
				token = found
			}
		}
		return token != ""
	})
	return f.house.open(cookies(f.t), map[string]string{"door": "link", "token": token})
}

// since returns the number of requests by kind since before, and their sum. Commands and descriptions, which the bot publishes
// once beside its start, belong to no match.
func (f four) since(before map[string]int) (kinds map[string]int, total int) {
	kinds = map[string]int{}
	for kind, n := range f.requests() {
		once := strings.Contains(kind, "MyCommands") || strings.Contains(kind, "Description") || strings.Contains(kind, "/commands") || strings.Contains(kind, "/emojis")
		if n -= before[kind]; n > 0 && !once {
			kinds[kind] = n
			total += n
		}
	}
	return kinds, total
}

// cards returns presses without their table.
func cards(plays []string) (all []string) {
	for _, p := range plays {
		all = append(all, p[strings.LastIndexByte(p, ':')+1:])
	}
	return all
}

// Four people play a match with all four in private messages, and the same match with all
// four on pages. With pages, the bot makes at most an eighth of the requests to the
// platform, from the start of the match to its result.
func TestPagesTakeRequestsOffThePlatform(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	if clocktest.Raced {
		t.Skip("four whole matches take too long under the race detector")
	}
	for name, open := range map[string]func(*testing.T) four{"telegram": fourOnTelegram, "discord": fourOnDiscord} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := open(t)
			before := plain.begin()
			plays := plain.play(plain.press)
			plainKinds, messages := plain.since(before)

			paged := open(t)
			before = paged.begin()
			var pages []*page
			for who := range paged.players {
				pages = append(pages, paged.page(who))
			}
			paged.kept.until(t, func() bool { return true })
			_, opening := paged.since(before)
			same := paged.play(func(who int, data string) {
				if m := pages[who].press(data); m.Toast != "" {
					t.Fatalf("the answer to %s: %+v", data, m)
				}
			})
			pagedKinds, total := paged.since(before)

			if a, b := cards(plays), cards(same); !slices.Equal(a, b) {
				t.Errorf("the matches differ:\n%v\n%v", a, b)
			}
			t.Logf("%d presses: %d requests in messages, %d with pages (%d until all were open): %.1f times fewer",
				len(plays), messages, total, opening, float64(messages)/float64(total))
			t.Logf("in messages: %v", plainKinds)
			t.Logf("with pages: %v", pagedKinds)
			if messages < 8*total {
				t.Errorf("%d requests with pages are more than an eighth of %d", total, messages)
			}
		})
	}
}
