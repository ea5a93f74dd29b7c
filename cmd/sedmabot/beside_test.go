package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/lang"
	"sedmabot/bot/telegram/telegramtest"
)

// newer are kinds of documents that the program of the commit pageless doesn't know.
var newer = []string{"meet", "apart", "tell", "news", "evenings", "solver", "welcome"}

// storedNewer returns the lines of a backup that the older program must leave alone: documents of newer kinds, and those
// with a newer schema.
func storedNewer(t *testing.T, k kept) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "backup")
	if out, err := with(t, []string{k.config}, "backup", file); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range bytes.Lines(text) {
		_, name, _ := strings.Cut(string(line), `"name":"`)
		name, _, _ = strings.Cut(name, `"`)
		kind, _, _ := strings.Cut(name, ":")
		if slices.Contains(newer, kind) || bytes.Contains(line, []byte(`"doc":{"v":3`)) {
			all[name] = string(line)
		}
	}
	return all
}

// TestAnOlderProgramLeavesNewsAlone runs the program of before strangers on a store with everything that came later. It
// plays the tables that it knows, leaves the rest as it is, answers those who press, and logs no error. Then today's program continues.
func TestAnOlderProgramLeavesNewsAlone(t *testing.T) {
	t.Parallel()
	unraced(t)
	if !long() {
		t.Skip("long: it runs with SEDMABOT_TEST_LONG=1")
	}
	older := builtAt(t, pageless)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	k := onRedis(t)
	server := telegramtest.New(t)
	front := newBalancer(t, server)
	env := []string{
		variable(k.config), variable("telegram.token: " + server.Token), variable("telegram.api_base: " + server.URL),
		variable("telegram.mode: webhook"), variable("telegram.webhook_url: " + front.URL + "/telegram"), "SEDMABOT_TABLE_PACE=0",
	}
	today := func() *behindOne { return front.add(t, self, append(slices.Clone(env), eagerly+"=1")) }

	first := today()
	group, apart := newTelegram(t, server, "Ann", "Ben"), newTelegram(t, server, "Cat", "Dan")
	group.chat.Tagger(true)
	f := &features{app: &telegramApp{group}, t: t, c: lang.For("en"), pressed: map[string]bool{}, began: time.Now()}
	f.sets("morning", "9")
	f.sets("weekly", "on")
	f.sets("marks", "on")
	f.sets("puzzles", "on")
	f.say(0, "evening", "kind=singles", "when=friday 20:00")
	f.shows(1, "Begins: ", "")
	f.say(1, "puzzle")
	asked := f.shows(1, f.words("puzzle.ask"), "puzzle:")
	f.press(1, asked, asked.data[0])
	f.say(0, "new", "players=2")
	f.presses(1, "tell:")
	added := server.Group("Added", group.people[0])
	added.BotIs("left", group.people[0])
	group.until(func() bool { return server.Pending() == 0 })
	added.BotIs("member", group.people[0])
	group.until(func() bool { return strings.Contains(strings.Join(texts(added), ""), "Hello!") })
	s := &features{app: &telegramApp{apart}, t: t, c: f.c, pressed: map[string]bool{}, began: f.began}
	for _, p := range apart.people {
		p.Say(p.Private(), "/play 2")
	}
	s.plays(func() bool { return len(s.pressed) >= 3 })
	hand := s.shows(0, "", "more:")
	_, id, _ := strings.Cut(hand.offers("more:"), ":")
	for _, seat := range []string{"0", "1"} { // one of them is Cat's own
		s.press(0, hand, "meet:"+id+":apart:"+seat)
	}

	last := front.add(t, older, env) // both run for a while
	front.remove(t, first)
	before := storedNewer(t, k)
	for _, kind := range append(slices.Clone(newer), "table") {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(before)), func(name string) bool { return strings.HasPrefix(name, kind+":") }) {
			t.Errorf("nothing of the kind %q is stored, so the test proves little", kind)
		}
	}
	f.presses(1, "join:")
	f.presses(0, "start:")
	f.plays(func() bool { return len(f.pressed) >= 6 })
	ctx, cancel := apart.context()
	defer cancel()
	private := apart.people[0].Private().Messages()
	answer, err := apart.people[0].PressData(ctx, private[len(private)-1], "cards:"+id)
	if err != nil || answer.Text == "" {
		t.Errorf("the older program answers nothing at a table of strangers: %v", err)
	}
	for name, was := range before {
		if now := storedNewer(t, k)[name]; now != was {
			t.Errorf("the older program changed %s:\n%sto\n%s", name, was, now)
		}
	}
	if n := strings.Count(last.stderr.String(), "\n"); n > 20 {
		t.Errorf("the older program logged %d lines:\n%s", n, last.stderr)
	}
	second := today()
	front.remove(t, last)
	played := len(s.pressed)
	s.plays(func() bool { return len(s.pressed) >= played+2 })
	played = len(f.pressed)
	f.plays(func() bool { return len(f.pressed) >= played+2 })
	f.say(1, "puzzle")
	front.remove(t, second)
}
