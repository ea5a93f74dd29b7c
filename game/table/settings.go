package table

import "encoding/json"

// ChatSettings are how one chat shows a table. A stored table and a stored home
// have them among their own keys.
type ChatSettings struct {
	Lang       string `json:"lang,omitempty"`
	Face       string `json:"face,omitempty"`  // of the cards
	Quiet      bool   `json:"quiet,omitempty"` // nobody is called by name
	NoPictures bool   `json:"words,omitempty"`
}

// PlayerSettings are how one player is shown their tables. A stored table and a
// stored person have them among their own keys.
type PlayerSettings struct {
	Lang       string `json:"lang,omitempty"`
	Face       string `json:"face,omitempty"`    // of the cards
	Locale     string `json:"locale,omitempty"`  // the language that the player's app had when it was last known; nobody sets it
	Quiet      bool   `json:"quiet,omitempty"`   // the player is not called by name
	OnCall     bool   `json:"on_call,omitempty"` // no hand is sent to the player, who calls it up
	NoPictures bool   `json:"words,omitempty"`
}

// InPrivate returns how the player's private chat shows a table.
func (s PlayerSettings) InPrivate() ChatSettings {
	return ChatSettings{Lang: s.Lang, Face: s.Face, Quiet: s.Quiet, NoPictures: s.NoPictures}
}

// MarshalJSON keeps the order that the keys have in stored tables: bump stands
// among the settings.
func (c Chat) MarshalJSON() ([]byte, error) {
	type rest Chat
	return json.Marshal(struct {
		ID   string `json:"id"`
		Lang string `json:"lang,omitempty"`
		Face string `json:"face,omitempty"`
		Bump int    `json:"bump,omitempty"`
		rest        // its keys that are not above
	}{c.ID, c.Lang, c.Face, c.Bump, rest(c)})
}
