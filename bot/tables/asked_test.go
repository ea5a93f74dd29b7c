package tables

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// TestWordsNameGames checks that words open the right preset. They may name a preset,
// or a family in any language with a number of players and a variant. For unknown
// words, the reply suggests names that exist.
func TestWordsNameGames(t *testing.T) {
	t.Parallel()
	begin, err := doc.Home{}.Beginning()
	if err != nil {
		t.Fatal(err)
	}
	c := lang.For("en")
	open := func(line string) (string, error) {
		in := chat.Input{Command: "new", Args: chat.Command{Options: GameOptions()}.Sort(strings.Fields(line))}
		got, err := asked(chat.ArgWords(in, GameOptions()), begin, c)
		return got.Rules.Preset, err
	}
	want := map[string]string{
		"": "sedma-4p", "3": "sedma-3p", "osmova 3": "osmova-3p", "4 hola": "hola-4p", "6 hola": "hola-6p", "HOLA": "hola-4p",
		"kovac": "kovac-4p", "soccer": "soccer-home", "soccer 2 neutral": "soccer-neutral", "170 osmova": "osmova-4p-170",
		"kase4": "sedma-4p-kase4", "2 kase4": "sedma-2p-kase4", "hartmann": "sedma-3p-hartmann", "ristikontra 120": "ristikontra-120",
		"Slovenská sedma 2": "slovak-2p", "zsírozás": "zsirozas-4p", "Ristikontra": "ristikontra", "sedma 3 solo-hearts": "sedma-3p-solo-hearts",
	}
	for _, preset := range game.Presets() {
		want[preset] = preset
	}
	for _, code := range lang.Languages() {
		for _, family := range game.Families() {
			plain, _ := open(family)
			want[screen.FamilyName(lang.For(code), family)] = plain
		}
		if !slices.Contains([]string{"en", "cs", "uk"}, code) {
			continue
		}
		for _, p := range game.Presets() { // a name that is suggested can be typed
			name := screen.PresetName(lang.For(code), p)
			if got, err := open(name); err != nil || screen.PresetName(lang.For(code), got) != name {
				t.Errorf("/new %s opens %q, %v", name, got, err)
			}
		}
	}
	for line, preset := range want {
		if got, err := open(line); err != nil || got != preset {
			t.Errorf("/new %s opens %q, %v, not %q", line, got, err, preset)
		}
	}
	for line, want := range map[string]string{
		"bridge": "I don't know “bridge”", "kovac-3p": "Kováč's Sedma", "6": "Sedma: 2, 3 or 4 can play. For 6, name the game too: Hola.", "3 kovac": "Kováč's Sedma: 2 or 4 can play.",
		"sedma-4p 2": "I don't know", "5": "2, 3, 4 or 6 can play.", "7": "2, 3, 4 or 6 can play.", "10 hola": "Hola: 2, 4 or 6 can play.",
		"1 ristikontra": "Ristikontra: 4 can play.", "osmova kase": "Sedma osmová", "hollla": "Hola", "open": "Open-ended Sedma", strings.Repeat("x ", 500): "x x",
	} {
		preset, err := open(line)
		toast := chat.Input{}.Refuse(err).Toast
		_, names, _ := strings.Cut(toast, "”")
		if slices.ContainsFunc(game.Presets(), func(p string) bool { return strings.Contains(p, "-") && strings.Contains(names, p) }) {
			t.Errorf("/new %s says the internal name of a game: %s", line, toast)
		}
		if !strings.Contains(toast, want) || utf8.RuneCountInString(toast) > 200 {
			t.Errorf("/new %s opens %q, and says %q, not %q", line, preset, toast, want)
		}
	}
}

// TestSuggestionsCountLetters checks that a mistyped game is found in every alphabet, also where a letter has two bytes.
func TestSuggestionsCountLetters(t *testing.T) {
	t.Parallel()
	for code, words := range map[string]map[string]string{
		"uk": {"септіка": "Шептика", "жирозас": "Жирозаш", "рістіконтра": "Ристиконтра"},
		"en": {"sptica": "Șeptică", "zsirozas": "Zsírozás", "ristikntra": "Ristikontra"},
	} {
		for word, want := range words {
			if got := nearest(lang.For(code), "", chat.Plain(word)); got[0] != want {
				t.Errorf("%s, %s: %q are suggested, not first %q", code, word, got, want)
			}
		}
	}
}

// TestWordsNameLevels checks that the AI's level can be anywhere among the words, in
// any language. Without one, the home's default level applies.
func TestWordsNameLevels(t *testing.T) {
	t.Parallel()
	begin, err := doc.Home{}.Beginning()
	if err != nil {
		t.Fatal(err)
	}
	begin.Level = "medium"
	want := map[string][2]string{
		"": {"sedma-4p", "medium"}, "easy": {"sedma-4p", "easy"}, "hola 6 Hard": {"hola-6p", "hard"},
		"STREDNE osmova 3": {"osmova-3p", "medium"}, "2 lehce kase4": {"sedma-2p-kase4", "easy"},
	}
	for _, code := range lang.Languages() {
		for _, level := range table.Levels {
			for _, name := range []string{"level.", "ai."} { // as the bot shows them
				name := lang.For(code).Text(name + level)
				want[name], want["hola "+name+" 6"] = [2]string{"sedma-4p", level}, [2]string{"hola-6p", level}
			}
		}
	}
	for line, want := range want {
		in := chat.Input{Command: "new", Args: chat.Command{Options: GameOptions()}.Sort(strings.Fields(line))}
		got, err := asked(chat.ArgWords(in, GameOptions()), begin, lang.For("en"))
		if err != nil || got.Rules.Preset != want[0] || got.Level != want[1] {
			t.Errorf("/new %s opens %q at level %q, %v", line, got.Rules.Preset, got.Level, err)
		}
	}
}
