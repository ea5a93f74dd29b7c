package doc

import "encoding/json"

// Stored homes and players must keep the order of their JSON keys, in which settings
// are mixed with other keys. The lists below fix that order. Keys that a list doesn't
// name come before or after it.

// MarshalJSON encodes a home with its keys in the stored order.
func (h Home) MarshalJSON() ([]byte, error) {
	type rest Home
	return json.Marshal(struct {
		rest
		Lang       string            `json:"lang,omitempty"`
		Locale     string            `json:"locale,omitempty"`
		Face       string            `json:"face,omitempty"`
		Zone       string            `json:"zone,omitempty"`
		Openers    string            `json:"openers,omitempty"`
		Quiet      bool              `json:"quiet,omitempty"`
		NoPictures bool              `json:"words,omitempty"`
		Tell       map[string]string `json:"tell,omitempty"`
		Keep       int               `json:"keep,omitempty"`
	}{rest(h), h.Lang, h.Locale, h.Face, h.Zone, h.Openers, h.Quiet, h.NoPictures, h.Tell, h.Keep})
}

// MarshalJSON encodes a player with their keys in the stored order.
func (d Player) MarshalJSON() ([]byte, error) {
	type rest Player
	return json.Marshal(struct {
		Tables     []string `json:"tables,omitempty"`
		Lang       string   `json:"lang,omitempty"`
		Locale     string   `json:"locale,omitempty"`
		Face       string   `json:"face,omitempty"`
		Quiet      bool     `json:"quiet,omitempty"`
		NoPictures bool     `json:"words,omitempty"`
		rest
	}{d.Tables, d.Lang, d.Locale, d.Face, d.Quiet, d.NoPictures, rest(d)})
}
