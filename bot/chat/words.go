package chat

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/game"
)

// ErrAdmin reports that only a person who manages the chat may do that.
var ErrAdmin = NewRefusal("admin_only")

// FamilyCalled returns the family whose name in any language consists of these words,
// in any order, or "" if there is none. It sorts name.
func FamilyCalled(name []string) string {
	slices.Sort(name)
	for _, code := range lang.Languages() {
		for _, family := range game.Families() {
			if slices.Equal(slices.Sorted(strings.FieldsSeq(Plain(screen.FamilyName(lang.For(code), family)))), name) {
				return family
			}
		}
	}
	return ""
}

// Plain returns a word in lower case, without diacritics.
func Plain(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(word))
}

// ArgWords returns the words after a command, in the order of its options.
func ArgWords(in Input, options []Option) []string {
	var out []string
	for _, option := range options {
		out = append(out, strings.Fields(in.Args[option.Name])...)
	}
	return out
}

// Suggestion is a suggested value for an option that a person is typing.
type Suggestion struct {
	Name  string // the text shown to people, at most 100 characters
	Value string
}
