package discordtest

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// Form is a modal that the bot opened.
// https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-modal
type Form struct {
	CustomID   string  `json:"custom_id"`
	Title      string  `json:"title"`
	Components []Field `json:"components"`

	i *Interaction
}

// Field is a field of a Form.
type Field struct {
	Type      int    `json:"type"`
	Label     string `json:"label"`
	Component struct {
		Type     int      `json:"type"`
		CustomID string   `json:"custom_id"`
		Default  bool     `json:"default"`
		Options  []Option `json:"options"`
	} `json:"component"`
}

// Types of components of modals, and the limits of a modal
// (https://discord.com/developers/docs/components/reference#component-object-component-types).
const (
	typeLabel    = 18
	typeRadio    = 21
	typeCheckbox = 23

	maxFields     = 5
	maxFieldLabel = 45
	maxRadios     = 10
)

// wrong returns what Discord refuses about the modal, or "".
func (f *Form) wrong() string {
	fits := func(s string, most int) bool { n := utf8.RuneCountInString(s); return n > 0 && n <= most }
	switch {
	case !fits(f.CustomID, maxCustomID):
		return fmt.Sprintf("the id %q", f.CustomID)
	case !fits(f.Title, maxFieldLabel):
		return fmt.Sprintf("the title %q", f.Title)
	case len(f.Components) == 0 || len(f.Components) > maxFields:
		return fmt.Sprintf("%d fields", len(f.Components))
	}
	var ids []string
	for _, field := range f.Components {
		c := field.Component
		most := map[int]int{typeSelect: maxOptions, typeRadio: maxRadios}[c.Type]
		defaults := 0
		for i, o := range c.Options {
			if !fits(o.Label, 100) || !fits(o.Value, 100) || slices.ContainsFunc(c.Options[:i], func(other Option) bool { return other.Value == o.Value }) {
				return fmt.Sprintf("the option %+v", o)
			}
			if o.Default {
				defaults++
			}
		}
		if field.Type != typeLabel || !fits(field.Label, maxFieldLabel) || !fits(c.CustomID, maxCustomID) || slices.Contains(ids, c.CustomID) ||
			c.Type != typeCheckbox && most == 0 || len(c.Options) > most || most > 0 && len(c.Options) < 2 || defaults > 1 {
			return fmt.Sprintf("the field %+v", field)
		}
		ids = append(ids, c.CustomID)
	}
	return ""
}

// Form waits for the answer to the interaction and returns the modal that it opened, or nil.
func (i *Interaction) Form() *Form {
	i.s.tb.Helper()
	i.Wait()
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	return i.modal
}

// Field returns the field with that label, or nil.
func (f *Form) Field(label string) *Field {
	n := slices.IndexFunc(f.Components, func(field Field) bool { return field.Label == label })
	if n < 0 {
		return nil
	}
	return &f.Components[n]
}

// Submit submits the modal. choices are the labels of options, or "true" and "false" for a checkbox, by the labels of
// fields. Other fields keep what the bot has set.
func (f *Form) Submit(choices map[string]string) *Interaction {
	s := f.i.s
	s.tb.Helper()
	for label := range choices {
		if f.Field(label) == nil {
			s.tb.Fatalf("discord: there is no field %q in %+v", label, f)
		}
	}
	answers := []any{}
	for _, field := range f.Components {
		c := field.Component
		chosen, given := choices[field.Label]
		var value any
		for _, o := range c.Options {
			if given && o.Label == chosen || !given && o.Default {
				value = o.Value
			}
		}
		answer := object{"type": c.Type, "id": 1, "custom_id": c.CustomID}
		switch c.Type {
		case typeCheckbox:
			answer["value"] = given && chosen == "true" || !given && c.Default
		case typeRadio:
			answer["value"] = value
		default:
			answer["values"] = []any{}
			if value != nil {
				answer["values"] = []any{value}
			}
		}
		if given && value == nil && c.Type != typeCheckbox {
			s.tb.Fatalf("discord: %q isn't in the field %+v", chosen, field)
		}
		answers = append(answers, object{"type": typeLabel, "id": 2, "component": answer})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := &Interaction{person: f.i.person, channel: f.i.channel, message: f.i.message, what: "the form " + f.CustomID}
	s.begin(i, object{"type": 5, "data": object{"custom_id": f.CustomID, "components": answers}, "message": f.i.message.event()})
	return i
}
