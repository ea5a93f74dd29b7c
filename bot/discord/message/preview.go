package message

import (
	"encoding/json"
	"fmt"
	"math"

	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// Preview returns the message that would show a screen on Discord, and how much of
// Discord's limits it uses.
func Preview(s screen.Screen) (chat.Preview, error) {
	body, err := json.Marshal(Draft(s, true, nil))
	if err != nil {
		return chat.Preview{}, fmt.Errorf("encode message: %w", err)
	}
	s = s.WithCopies(copyLink)
	characters, components, label, id, options := 0, 1, 0, 0, 0
	m := &markup{left: math.MaxInt}
	for _, b := range s.Blocks {
		block(m, s, b, nil, nil)
		components++
	}
	characters = units(m.end())
	for _, row := range s.Rows {
		n := 0
		for _, b := range row {
			if b.Press != "" {
				n++
				label, id = max(label, units(screen.Line(b.Label))), max(id, len(b.Press))
			}
		}
		components += n + (n+maxRow-1)/maxRow
	}
	for _, menu := range s.Menus {
		components += 2
		options = max(options, len(menu.Options))
		for _, b := range menu.Options {
			label, id = max(label, units(screen.Line(b.Label))), max(id, len(b.Press))
		}
	}
	if s.File != nil {
		components++
	}
	alt := 0
	if s.Picture != nil {
		components++
		alt = units(description(*s.Picture))
	}
	return chat.Preview{Body: body, Limits: []chat.Measure{
		{Name: "components", Have: components, Most: maxComponents},
		{Name: "characters", Have: characters, Most: maxText},
		{Name: "label", Have: label, Most: maxLabel},
		{Name: "custom_id", Have: id, Most: maxCustomID},
		{Name: "options", Have: options, Most: maxOptions},
		{Name: "description", Have: alt, Most: maxAlt},
	}}, nil
}
