package doc

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

// Setting is one entry of the settings, of which documents of type D have the choice. The catalogues have its name under
// "pref.<name>" and its choices under "pref.<name>.<choice>".
type Setting[D any] struct {
	Name    string       // also in presses
	Group   screen.Group // the screen that has the entry
	Order   int          // the place of the entry in the list
	Choices []string     // the default first
	// Label returns the text of a choice. nil: the catalogue has it.
	Label func(c *lang.Catalogue, choice string) string

	Field  Field[D] // the part of the document that has the choice
	Keeper *Keeper  // stores the choice instead, if it is in another document

	// Offered reports whether the setting is offered to that home or person. nil: it is.
	Offered func(id string) bool
	// Check returns nil, or the reason why a choice can't be made now. id is that of the home or person. nil: all can.
	Check func(ctx context.Context, id, choice string) error
	// Trouble returns the key of a text that says why the current choice has no effect, or "". nil: it has.
	Trouble func(ctx context.Context, id string, d D) string
	// Changed does what follows from a change of the settings. It may be called more than once. nil: nothing.
	Changed func(ctx context.Context, id string, d D) error
}

// Keeper stores settings in other documents than those of the home and the person.
type Keeper struct {
	// Read returns the current choices by the names of the settings. A setting without one isn't offered.
	Read func(ctx context.Context, home, player string) (map[string]string, error)
	// Set stores a choice. The person was allowed to make it.
	Set func(ctx context.Context, in chat.Input, home, name, choice string) error
}

// Of returns the current choice.
func (s Setting[D]) Of(d D) string { return cmp.Or(s.Field.Get(d), s.Choices[0]) }

// Choose makes a choice. It returns chat.ErrForged if there is no such choice.
func (s Setting[D]) Choose(d *D, choice string) error {
	if !slices.Contains(s.Choices, choice) {
		return chat.ErrForged
	}
	if choice == s.Choices[0] {
		choice = ""
	}
	s.Field.Set(d, choice)
	return nil
}

// Field is the part of a document that has a choice, which is "" for the default.
type Field[D any] struct {
	Get func(d D) string
	Set func(d *D, choice string)
}

// Text is a field that has the choice as a text.
func Text[D any](at func(d *D) *string) Field[D] {
	return Field[D]{func(d D) string { return *at(&d) }, func(d *D, choice string) { *at(d) = choice }}
}

// Number is a field that has the choice as a number, and 0 for the default.
func Number[D any](at func(d *D) *int) Field[D] {
	return Field[D]{
		func(d D) string {
			if n := *at(&d); n != 0 {
				return strconv.Itoa(n)
			}
			return ""
		},
		func(d *D, choice string) { *at(d), _ = strconv.Atoi(choice) },
	}
}

// Flag is a field that is true if the choice isn't the default, but other.
func Flag[D any](other string, at func(d *D) *bool) Field[D] {
	return Field[D]{
		func(d D) string {
			if *at(&d) {
				return other
			}
			return ""
		},
		func(d *D, choice string) { *at(d) = choice == other },
	}
}

// Stored is a home's setting that has no field of its own in the document.
func Stored(name string) Field[Home] {
	return Field[Home]{
		func(h Home) string { return h.Settings[name] },
		func(h *Home, choice string) {
			h.Settings = maps.Clone(h.Settings)
			if h.Settings == nil {
				h.Settings = map[string]string{}
			}
			if h.Settings[name] = choice; choice == "" {
				delete(h.Settings, name)
			}
		},
	}
}

// The choices of a setting that is turned on or off.
const (
	On  = "on"
	Off = "off"
)
