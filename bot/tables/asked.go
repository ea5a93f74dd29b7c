package tables

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Beginning returns the settings that the command asks for. The home's defaults fill in the rest.
func (ts *Tables) Beginning(ctx context.Context, in chat.Input) (doc.Default, error) {
	home, err := ts.docs.Home(ctx, in.Chat.Home)
	if err != nil {
		return doc.Default{}, err
	}
	begin, err := home.First()
	if err != nil {
		return begin, err
	}
	return asked(chat.ArgWords(in, GameOptions()), begin, in.Catalogue())
}

// asked returns the settings that the words after a command ask for. The words can
// be in any order. They may name a preset, a variant, a number of players, or, in any
// language, a game or the AI's level. from has the defaults for everything else. If they
// name only a number of players, the default game must be one for that many.
func asked(words []string, from doc.Default, c *lang.Catalogue) (doc.Default, error) {
	words, level := cutLevel(words)
	from.Level = cmp.Or(level, from.Level)
	family, players, preset, err := understood(words, c)
	switch {
	case err != nil:
		return from, err
	case family == "" && players == 0 && preset == "":
		return from, nil
	case preset != "":
	case family == "":
		if preset = game.Like(from.Rules.Preset, players); preset == "" {
			return from, otherGames(game.Family(from.Rules.Preset), players, c)
		}
	case players == 0:
		for _, n := range game.FamilyPlayers(family) {
			if players != 4 {
				players = n
			}
		}
		preset = game.Like(family, players)
	default:
		preset = game.Like(family, players)
	}
	rules, err := game.Preset(preset)
	if err != nil {
		return from, noPlayers(family, c)
	}
	return doc.Default{Rules: game.LengthOf(rules, from.Rules), Limit: from.Limit, Level: from.Level}, nil
}

// Wants reports whether a game is one that the command's words name. No words name every game.
func Wants(in chat.Input, r game.Rules) (bool, error) {
	words, _ := cutLevel(chat.ArgWords(in, GameOptions()))
	family, players, preset, err := understood(words, in.Catalogue())
	return (family == "" || family == game.Family(r.Preset)) && (players == 0 || players == r.Players) && (preset == "" || preset == r.Preset), err
}

// understood parses the words into a game family, a number of players, or a preset
// that fits both. It returns a zero value for anything that the words don't name.
func understood(words []string, c *lang.Catalogue) (family string, players int, preset string, err error) {
	var rest []string // words of a preset's name, or of a variant of the family
	var name []string // words that may form a game's name in some language
	for _, word := range words {
		word = chat.Plain(word)
		switch {
		case players == 0 && len(word) == 1 && word >= "2" && word <= "6":
			players = int(word[0] - '0')
		case family == "" && slices.Contains(game.Families(), word) && !slices.Contains(game.Presets(), word+"-"+strings.Join(rest, "-")):
			family = word
			name = append(name, word)
		default:
			rest, name = append(rest, word), append(name, word)
		}
	}
	if len(rest) > 0 {
		if named := chat.FamilyCalled(name); named != "" {
			family, rest = named, nil
		}
	}
	if len(rest) == 0 {
		return family, players, "", nil
	}
	var fits []string
	for _, p := range game.Presets() {
		r, presetErr := game.Preset(p)
		if presetErr != nil || family != "" && game.Family(p) != family || players > 0 && r.Players != players {
			continue
		}
		variant := strings.Replace(p, fmt.Sprintf("-%dp", r.Players), "", 1)
		if word := strings.Join(rest, "-"); word == p || word == variant || word == strings.TrimPrefix(variant, game.Family(p)+"-") {
			fits = append(fits, p)
		}
	}
	if len(fits) == 0 {
		fits = presetsNamed(name, players)
	}
	if len(fits) == 0 && players == 0 && !slices.ContainsFunc(rest, func(word string) bool { _, err := strconv.Atoi(word); return err != nil }) {
		return "", 0, "", noPlayers(family, c)
	}
	if len(fits) == 0 {
		said := screen.Cut(strings.Join(words, " "), 20)
		if names := nearest(c, family, strings.Join(rest, "-")); len(names) > 0 {
			return "", 0, "", chat.NewRefusal("no_game", "words", said, "names", strings.Join(names, " · "))
		}
		return "", 0, "", chat.NewRefusal("unknown_game", "words", said)
	}
	return family, players, cmp.Or(like4(fits), fits[0]), nil
}

// like4 returns the first of the presets that is for four players, or "" if there is none.
func like4(presets []string) string {
	for _, p := range presets {
		if r, err := game.Preset(p); err == nil && r.Players == 4 {
			return p
		}
	}
	return ""
}

// cutLevel removes the names of AI levels from the words: a level's name in any language, or its opponent's name there. The
// words of a name may be in any order, because a command's options take some of them. The longest name counts.
func cutLevel(words []string) (rest []string, level string) {
	var plain, name []string
	for _, word := range words {
		plain = append(plain, chat.Plain(word))
	}
	fits := func(candidate, of string) {
		parts := strings.Fields(chat.Plain(candidate))
		if len(parts) > len(name) && !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(plain, part) }) {
			name, level = parts, of
		}
	}
	for _, l := range table.Levels {
		fits(l, l)
		for _, code := range lang.Languages() {
			fits(lang.For(code).Text("level."+l), l)
			fits(lang.For(code).Text("ai."+l), l)
		}
	}
	if level == "" {
		return words, ""
	}
	rest, _ = cutLevel(slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(name, chat.Plain(word)) }))
	return rest, level
}

// noPlayers returns the refusal of a number of players. It says which numbers can play
// the family of games, or any game if family is "".
func noPlayers(family string, c *lang.Catalogue) error {
	if family != "" {
		return chat.NewRefusal("no_players", "game", screen.FamilyName(c, family), "numbers", screen.EitherOf(c, game.FamilyPlayers(family)))
	}
	var all []int
	for _, f := range game.Families() {
		all = append(all, game.FamilyPlayers(f)...)
	}
	slices.Sort(all)
	return chat.NewRefusal("no_number", "numbers", screen.EitherOf(c, slices.Compact(all)))
}

// otherGames returns the refusal of a number of players that can't play the family of
// games. It names the families that they can play.
func otherGames(family string, players int, c *lang.Catalogue) error {
	var names []string
	for _, f := range game.Families() {
		if slices.Contains(game.FamilyPlayers(f), players) {
			names = append(names, screen.FamilyName(c, f))
		}
	}
	if len(names) == 0 {
		return noPlayers("", c)
	}
	return chat.NewRefusal("other_games", "game", screen.FamilyName(c, family), "numbers", screen.EitherOf(c, game.FamilyPlayers(family)),
		"n", players, "names", strings.Join(names, " · "))
}

// presetsNamed returns the presets for that number of players whose name in any language
// consists of these words, in any order. 0 players means any number.
func presetsNamed(words []string, players int) (presets []string) {
	words = slices.Sorted(slices.Values(words))
	for _, p := range game.Presets() {
		if r, err := game.Preset(p); err != nil || players > 0 && r.Players != players {
			continue
		}
		if slices.ContainsFunc(lang.Languages(), func(code string) bool {
			return slices.Equal(slices.Sorted(strings.FieldsSeq(chat.Plain(screen.PresetName(lang.For(code), p)))), words)
		}) {
			presets = append(presets, p)
		}
	}
	return presets
}

// nearest returns the names of at most three games that are similar to the word: less than half of its letters are
// different. If the family is known, they are the most similar ones of that family.
func nearest(c *lang.Catalogue, family, word string) []string {
	far := map[string]int{} // by name
	for _, p := range game.Presets() {
		if family != "" && game.Family(p) != family {
			continue
		}
		name := screen.PresetName(c, p)
		plain := strings.ReplaceAll(chat.Plain(name), " ", "-")
		d := min(editDistance(word, plain), editDistance(strings.TrimPrefix(family+"-"+word, "-"), p), editDistance(word, game.Family(p)))
		if was, ok := far[name]; (family != "" || 2*d < len([]rune(word))) && (!ok || d < was) {
			far[name] = d
		}
	}
	names := slices.SortedFunc(maps.Keys(far), func(a, b string) int { return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(a, b)) })
	return names[:min(3, len(names))]
}

// editDistance returns how many letters must be inserted, deleted or changed to make the name of the word. If the name
// contains the word, it is 0.
func editDistance(word, name string) int {
	if strings.Contains(name, word) {
		return 0
	}
	return levenshtein.ComputeDistance(screen.Cut(word, 64), name)
}

// GameOptions are the options of a command that opens a table.
func GameOptions() []chat.Option {
	return []chat.Option{
		{Name: "game", Choices: game.Families(), Names: "game."},
		{Name: "players", Kind: chat.OptionNumber, Choices: []string{"2", "3", "4", "6"}},
		{Name: "level", Choices: table.Levels, Names: "level."},
		{Name: "rules", Complete: true},
	}
}

// maxSuggestions is how many suggestions a platform can show. This is Discord's limit
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-autocomplete).
const maxSuggestions = 25

// Suggest suggests values for the option that in.Focus names. in.Args contains the
// text typed so far and the values of the other options.
func Suggest(_ context.Context, in chat.Input) []chat.Suggestion {
	c := in.Catalogue()
	var out []chat.Suggestion
	if in.Focus == "game" {
		for _, family := range game.Families() {
			name, typed := screen.FamilyName(c, family), chat.Plain(in.Args["game"])
			if strings.Contains(chat.Plain(name), typed) || strings.Contains(family, typed) {
				out = append(out, chat.Suggestion{Name: screen.Cut(name, 100), Value: family})
			}
		}
		return out[:min(len(out), maxSuggestions)]
	}
	if in.Focus != "rules" {
		return nil
	}
	for _, preset := range game.Presets() {
		r, err := game.Preset(preset)
		name := screen.GameName(c, r)
		family, players := in.Args["game"], in.Args["players"]
		if err != nil || family != "" && game.Family(preset) != family || players != "" && fmt.Sprint(r.Players) != players {
			continue
		}
		if typed := chat.Plain(in.Args["rules"]); !strings.Contains(chat.Plain(name), typed) && !strings.Contains(preset, typed) {
			continue
		}
		if out = append(out, chat.Suggestion{Name: screen.Cut(name, 100), Value: preset}); len(out) == maxSuggestions {
			break
		}
	}
	return out
}
