package chat

import (
	"encoding/json"
)

// Preview is what a platform would be sent to show a screen in a new message,
// for those who look at the bot from outside.
type Preview struct {
	Body   json.RawMessage // of the request
	Limits []Measure       // of the platform; more than Most of one would be cut, or left out
}

// Measure is how much of something a screen needs, and how much the platform takes.
type Measure struct {
	Name string `json:"name"` // "characters", "components": as the platform's pages say
	Have int    `json:"have"`
	Most int    `json:"most"`
}
