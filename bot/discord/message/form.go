package message

import (
	"sedmabot/bot/screen"
)

// Types of components of a modal
// (https://discord.com/developers/docs/components/reference#component-object-component-types).
const (
	typeLabel    = 18
	typeRadio    = 21
	typeCheckbox = 23
)

// maxRadio is how many choices are shown as radio buttons. More are a menu, which takes less room.
const maxRadio = 3

// Modal is the data of an answer that opens a modal
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-modal).
type Modal struct {
	CustomID   string  `json:"custom_id"`
	Title      string  `json:"title"`
	Components []label `json:"components"`
}

// label is a field of a modal with its name (https://discord.com/developers/docs/components/reference#label).
type label struct {
	Type      int     `json:"type"`
	Label     string  `json:"label"`
	Component control `json:"component"`
}

// control is what a person sets in a field: a menu, radio buttons or a checkbox.
type control struct {
	Type     int         `json:"type"`
	CustomID string      `json:"custom_id"`
	Required *bool       `json:"required,omitempty"`
	Default  bool        `json:"default,omitempty"`
	Options  []choosable `json:"options,omitempty"`
}

// Ask returns the modal of a form.
func Ask(f screen.Form) Modal {
	m := Modal{CustomID: f.Press, Title: Cut(screen.Line(f.Title), screen.FormLabel)}
	for _, field := range f.Fields {
		c := control{Type: typeMenu, CustomID: field.Name}
		switch {
		case field.Tick:
			c.Type, c.Default = typeCheckbox, field.Chosen == 0
		case len(field.Choices) <= maxRadio:
			c.Type = typeRadio
		}
		if !field.Tick {
			c.Required = new(field.Chosen >= 0)
			for i, choice := range field.Choices {
				c.Options = append(c.Options, choosable{Label: Cut(screen.Line(choice.Label), maxLabel), Value: choice.Value, Default: i == field.Chosen})
			}
		}
		m.Components = append(m.Components, label{typeLabel, Cut(screen.Line(field.Label), screen.FormLabel), c})
	}
	return m
}

// Answered is a field of a submitted modal. A checkbox has a bool as its value, and radio buttons a text or null.
type Answered struct {
	Component struct {
		CustomID string   `json:"custom_id"`
		Values   []string `json:"values"`
		Value    any      `json:"value"`
	} `json:"component"`
}

// Answers returns the answers of a submitted modal, by the names of the fields. A field without an answer is left out. The
// values of a checkbox are "true" and "false".
func Answers(all []Answered) map[string]string {
	answers := map[string]string{}
	for _, a := range all {
		c := a.Component
		switch value := c.Value.(type) {
		case string:
			answers[c.CustomID] = value
		case bool:
			answers[c.CustomID] = "false"
			if value {
				answers[c.CustomID] = "true"
			}
		default:
			if len(c.Values) == 1 {
				answers[c.CustomID] = c.Values[0]
			}
		}
	}
	return answers
}
