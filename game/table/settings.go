package table

// ChatSettings are how one chat shows a table. In stored tables and homes they are inlined among the other keys.
type ChatSettings struct {
	Lang       string `json:"lang,omitempty"`
	Face       string `json:"face,omitempty"`  // design of the cards
	Quiet      bool   `json:"quiet,omitempty"` // don't call players by name
	NoPictures bool   `json:"words,omitempty"`
	Late       bool   `json:"late,omitempty"` // spectators see the table's page a few seconds late
}

// PlayerSettings are how one player sees their tables. In stored tables and people they are inlined among the other
// keys.
type PlayerSettings struct {
	Lang       string `json:"lang,omitempty"`
	Face       string `json:"face,omitempty"`    // design of the cards
	Locale     string `json:"locale,omitempty"`  // last known language of the player's app; not a setting of the player
	Quiet      bool   `json:"quiet,omitempty"`   // don't call the player by name
	OnCall     bool   `json:"on_call,omitempty"` // don't send the hand; the player opens it
	NoPictures bool   `json:"words,omitempty"`
	Speed      Speed  `json:"speed,omitempty"` // how fast the AI plays for the player
}

// Speed is how fast the AI plays against one person.
type Speed string

// The speeds.
const (
	Normal Speed = ""
	Slow   Speed = "slow"
	Fast   Speed = "fast"
	AtOnce Speed = "once"
)

// InPrivate returns how the player's private chat shows a table.
func (s PlayerSettings) InPrivate() ChatSettings {
	return ChatSettings{Lang: s.Lang, Face: s.Face, Quiet: s.Quiet, NoPictures: s.NoPictures}
}
