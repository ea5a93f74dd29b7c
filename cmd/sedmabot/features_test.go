package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/lang"
	"sedmabot/bot/playground"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store/boltstore"
)

// championOf returns the name of the champion's role in a language.
func championOf(language string) string { return lang.For(language).Text("marks.role") }

// features plays what people come back for, on one platform in one language.
type features struct {
	app
	t       *testing.T
	c       *lang.Catalogue
	began   time.Time
	ahead   atomic.Int64    // how far the bot's clock is ahead
	pressed map[string]bool // hands that were played from
	without []string        // rooms that are left out
}

// now is the bot's clock. It starts on a Friday at noon, so that no day ends in the middle of the test.
func (f *features) now() time.Time {
	return time.Date(2027, 1, 8, 12, 0, 0, 0, time.UTC).Add(time.Since(f.began) + time.Duration(f.ahead.Load()))
}

// pass lets time pass.
func (f *features) pass(d time.Duration) { f.ahead.Add(int64(d)) }

// tune gives the bot the test's clock, known cards, and an AI that plays at once.
func (f *features) tune(c *bot.Config) {
	f.began, f.pressed = time.Now(), map[string]bool{}
	seeds := atomic.Int64{}
	c.Worlds, c.Now, c.Pace = 2, f.now, 0
	c.Think = func(_ context.Context, _ string, v game.View, _ game.Match) game.Move { return v.Legal[0] }
	c.Seed = func() (seed table.Seed) {
		seed[0] = byte(seeds.Add(1) + 20) // with these, Ben wins matches too: on Telegram, Ann made the group and can bear no tag
		return seed
	}
}

// program runs the program with these lines of configuration until the test ends.
func (f *features) program(config ...string) {
	f.t.Helper()
	c, err := loadConfig(write(f.t, "config.yaml", testSections(append(config, dataFile(f.t)))), none)
	if err != nil {
		f.t.Fatal(err)
	}
	c.eager, c.tune, c.Rooms = true, f.tune, f.without
	begin(f.t, func(ctx context.Context, stdout, stderr io.Writer) error { return serve(ctx, c, stdout, stderr) })
}

// runs runs a bot in the playground until the test ends.
func (f *features) runs(p *playground.Playground) {
	file, err := boltstore.Open(filepath.Join(f.t.TempDir(), "data.db"))
	if err != nil {
		f.t.Fatal(err)
	}
	c := bot.Config{Store: file, Platforms: []chat.Platform{p}, Log: slog.New(slog.DiscardHandler)}
	f.tune(&c)
	b := bot.New(c)
	ctx, stop := context.WithCancel(f.t.Context())
	var parts sync.WaitGroup
	parts.Go(func() { _ = b.Run(ctx) })
	parts.Go(func() {
		if err := p.Run(ctx, b); err != nil {
			f.t.Error(err)
		}
	})
	f.t.Cleanup(func() {
		stop()
		parts.Wait()
		if err := file.Close(); err != nil {
			f.t.Error(err)
		}
	})
}

// until waits until ok is true. It looks again and again, because no platform reports a new mark.
func (f *features) until(what string, ok func() bool) {
	f.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !ok() {
		select {
		case <-look.C:
		case <-deadline.C:
			f.t.Fatalf("nothing happens any more; missing is %s in:\n%s", what, told(f.sees(0), f.sees(1)))
		}
	}
}

// words returns the longest literal part of a text.
func (f *features) words(key string, args ...any) (longest string) {
	for _, part := range f.c.Parts(key, args...) {
		if part.Arg == "" && len(part.Text) > len(longest) {
			longest = part.Text
		}
	}
	return strings.TrimSpace(longest)
}

// find returns the newest message that the person sees with the words and with a button whose data begins so. Either may
// be "".
func (f *features) find(who int, words, begin string) (seen, bool) {
	for _, m := range slices.Backward(f.sees(who)) {
		if strings.Contains(m.text, words) && (begin == "" || m.offers(begin) != "") {
			return m, true
		}
	}
	return seen{}, false
}

// shows waits for such a message.
func (f *features) shows(who int, words, begin string) (m seen) {
	f.t.Helper()
	f.until(fmt.Sprintf("%q, %q", words, begin), func() (ok bool) { m, ok = f.find(who, words, begin); return ok })
	return m
}

// presses waits for a button whose data begins so, and presses it.
func (f *features) presses(who int, begin string) {
	f.t.Helper()
	m := f.shows(who, "", begin)
	f.press(who, m, m.offers(begin))
}

// plays plays from all hands that come until ok is true.
func (f *features) plays(ok func() bool) {
	f.t.Helper()
	for {
		var press func()
		f.until("a turn, or the end", func() bool {
			for who := range 2 {
				for _, m := range slices.Backward(f.sees(who)) {
					data := m.offers("play:")
					key := fmt.Sprint(who, data[:strings.LastIndex(data, ":")+1])
					if turn := strings.Contains(m.text, f.words("your.lead")) || strings.Contains(m.text, f.words("your.follow")) || strings.Contains(m.text, f.words("your.decide")); data == "" || !turn || f.pressed[key] {
						continue
					}
					press = func() { f.pressed[key] = true; f.press(who, m, data) }
					return true
				}
			}
			return ok()
		})
		if press == nil {
			return
		}
		press()
	}
}

// match plays a match of one deal at the chat's table, which is in its lobby. no is the number of its match.
func (f *features) match(no int) {
	f.t.Helper()
	f.presses(1, "join:")
	if no == 1 { // a rematch starts by itself when all have pressed
		f.presses(0, "start:")
	}
	m := f.shows(0, "", "cards:")
	_, id, _ := strings.Cut(m.offers("cards:"), ":")
	f.press(0, m, "sure:"+id+":last")
	end := fmt.Sprintf("replay:%s:%d:", id, no)
	if slices.Contains(f.without, "review") {
		end = "rematch:"
	}
	f.plays(func() bool {
		m, ok := f.find(0, f.words("result.title"), end)
		return ok && m.offers("rematch:") != ""
	})
}

// core plays a match from the lobby to the leaderboard. The club is left out, and nothing leads to it.
func (f *features) core() {
	f.t.Helper()
	f.sets("lang", f.c.Code())
	f.say(0, "new", "players=2")
	f.match(1)
	f.say(0, "help")
	f.shows(0, f.words("help.title"), "solo:")
	f.say(1, "leaderboard")
	board := f.shows(1, "Ann", "ladder:")
	if !strings.Contains(board.text, "Ben") {
		f.t.Errorf("the leaderboard has one of two people:\n%s", board.text)
	}
	for who := range 2 {
		for _, m := range f.sees(who) {
			for _, begin := range []string{"now:", "daily:", "day:", "puzzle:", "replay:", "coach:", "send:", "film:", "hint:", "tell:", "hush:", "meet:", "cfg:page:marks:", "cfg:page:strangers:", "cfg:page:morning:"} {
				if data := m.offers(begin); data != "" {
					f.t.Errorf("%s leads to the club, which is left out:\n%s", data, m.text)
				}
			}
		}
	}
}

// sets changes a setting of the chat.
func (f *features) sets(what, value string) {
	f.t.Helper()
	f.say(0, "settings")
	m := f.shows(0, "", "cfg:page:")
	home := strings.SplitN(m.offers("cfg:page:"), ":", 4)[3]
	f.press(0, m, "cfg:"+what+":"+value+":"+home)
}

// daily plays the deal of the day and returns its result.
func (f *features) daily() (result seen) {
	f.t.Helper()
	f.say(0, "daily")
	date := f.now().Format(time.DateOnly)
	f.plays(func() (ok bool) { result, ok = f.find(0, "", "daily:"+date); return ok })
	return result
}

// play plays it all.
func (f *features) play() {
	f.t.Helper()
	f.sets("lang", f.c.Code())
	f.sets("morning", "9")
	f.sets("marks", "on")

	f.say(0, "new", "players=2") // a person asks to be called, and is called
	f.presses(1, "more:")
	f.presses(1, "tell:")
	f.say(0, "close")
	f.until("the lobby is closed", func() bool { _, ok := f.find(1, "", "start:"); return !ok })
	f.say(0, "new", "players=2")
	f.shows(0, f.words("tell.line"), "hush:")
	f.presses(1, "hush:")
	for no := range 5 { // enough for the season's ranks
		if no > 0 {
			f.presses(0, "rematch:")
		}
		f.match(no + 1)
	}
	f.until("a mark", func() bool {
		f.pass(time.Second) // whenever the result is counted, the mark comes some minutes later
		return f.marked() != ""
	})
	f.pass(11 * time.Minute)
	f.say(0, "play", "players=2")
	f.shows(1, f.words("meet.begins"), "join:")
	if m, called := f.find(1, f.words("tell.line"), ""); called {
		f.t.Errorf("Ben no longer wants to be called: %s", m.text)
	}
	f.say(1, "play")
	f.shows(1, f.words("meet.full"), "")
	f.say(0, "close")

	f.say(1, "puzzle")
	m := f.shows(1, f.words("puzzle.ask"), "puzzle:")
	f.press(1, m, m.data[0])
	f.until("the solution", func() bool {
		_, right := f.find(1, f.words("puzzle.right"), "")
		_, wrong := f.find(1, f.words("puzzle.wrong"), "")
		return right || wrong
	})

	over := f.daily()
	if text := f.copied(over); strings.Count(text, "\n") < 3 || len([]rune(text)) > 256 || strings.ContainsAny(text, "♠♥♦♣") {
		f.t.Errorf("the result to paste: %q in %s", text, over.text)
	}
	f.pass(24 * time.Hour)
	f.shows(1, "", "silence:")
	if over = f.daily(); !strings.Contains(over.text, f.c.Text("daily.streak", "n", 2)) {
		f.t.Errorf("no streak of two days in %s", over.text)
	}
	f.presses(0, "silence:")
}

// featuresOnDiscord runs the program on Discord, without some rooms.
func featuresOnDiscord(t *testing.T, without ...string) *features {
	t.Helper()
	s := discordtest.New(t)
	a := &discordApp{onDiscord: &onDiscord{t: t, server: s}}
	for _, name := range []string{"Ann", "Ben"} {
		p := s.NewPerson(name)
		p.Locale = "de"
		a.people = append(a.people, p)
	}
	a.guild = s.NewGuild(a.people[0])
	a.guild.Locale = "de"
	a.channel = a.guild.NewChannel("cards")
	a.guild.Place(true, 5, championOf("de"), 1)
	f := &features{app: a, t: t, c: lang.For("de"), without: without}
	f.program("discord.token: "+s.Token(), "discord.api_base: "+s.URL())
	s.Until("the commands are there", func() bool { return len(s.Commands()) > 0 && s.Connected() == 1 })
	return f
}

// featuresOnTelegram runs the program on Telegram, without some rooms.
func featuresOnTelegram(t *testing.T, without ...string) *features {
	t.Helper()
	s := telegramtest.New(t)
	a := &telegramApp{&onTelegram{t: t, server: s}}
	for _, name := range []string{"Ann", "Ben"} {
		p := s.Person(name)
		p.Lang = "cs"
		p.Start("")
		a.people = append(a.people, p)
	}
	a.chat = s.Group("Cards", a.people...)
	a.chat.Tagger(true)
	f := &features{app: a, t: t, c: lang.For("cs"), without: without}
	f.program("telegram.token: "+s.Token, "telegram.api_base: "+s.URL)
	return f
}

// TestFeaturesOnDiscord plays what people come back for with the program on Discord.
func TestFeaturesOnDiscord(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	featuresOnDiscord(t).play()
}

// TestFeaturesOnTelegram plays the same with the program on Telegram.
func TestFeaturesOnTelegram(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	featuresOnTelegram(t).play()
}

// TestTheCoreIsAGame plays a match on both platforms with a program that leaves out the club.
func TestTheCoreIsAGame(t *testing.T) {
	t.Parallel()
	unhurried(t)
	for name, run := range map[string]func(t *testing.T, without ...string) *features{"discord": featuresOnDiscord, "telegram": featuresOnTelegram} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, bot.Rooms()...).core()
		})
	}
}

// TestFeaturesInEveryLanguage plays the same in the playground, in each language with SEDMABOT_TEST_LONG=1 and otherwise in
// three of them.
func TestFeaturesInEveryLanguage(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	for i, code := range lang.Languages() {
		if i%3 != 0 && !long() {
			continue
		}
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			p, err := playground.New(playground.Config{Commands: bot.Commands(), Check: bottest.Fits, Lang: code})
			if err != nil {
				t.Fatal(err)
			}
			p.Marks(true)
			f := &features{app: &playgroundApp{t, p}, t: t, c: lang.For(code)}
			f.runs(p)
			f.play()
		})
	}
}
