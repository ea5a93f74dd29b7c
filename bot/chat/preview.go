package chat

import (
	"encoding/json"
)

// Preview is the request that would post a screen as a new message, for tools that
// inspect the bot.
type Preview struct {
	Body   json.RawMessage // body of the request
	Limits []Measure       // the platform's limits; anything beyond one would be cut or omitted
}

// Measure compares a screen with one limit of the platform.
type Measure struct {
	Name string `json:"name"` // as in the platform's documentation: "characters", "components"
	Have int    `json:"have"` // how much the screen uses
	Most int    `json:"most"` // how much the platform allows
}
