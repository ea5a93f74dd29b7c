package chat

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sedmabot/bot/lang"
	"sedmabot/bot/view"
	"sedmabot/game"
)

// ErrAdmin refuses what only a manager of the chat may do.
var ErrAdmin = NewRefusal("admin_only")

// FamilyCalled is the family that has these words for its name in some
// language, in whatever order.
func FamilyCalled(name []string) string {
	slices.Sort(name)
	for _, code := range lang.Languages() {
		for _, family := range game.Families() {
			if slices.Equal(slices.Sorted(strings.FieldsSeq(Plain(view.FamilyName(lang.For(code), family)))), name) {
				return family
			}
		}
	}
	return ""
}

// Plain is a word in small letters without the marks on them.
func Plain(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(word))
}

// CutTo shortens a text to n characters.
func CutTo(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// ArgWords are the words after a command, in the order of its options.
func ArgWords(in Input) []string {
	var out []string
	for _, command := range Commands {
		if command.Name != in.Command {
			continue
		}
		for _, option := range command.Options {
			out = append(out, strings.Fields(in.Args[option.Name])...)
		}
	}
	return out
}

// Suggestion is a value of an option that somebody may mean while he types.
type Suggestion struct {
	Name  string // as people read it, at most 100 characters
	Value string
}
