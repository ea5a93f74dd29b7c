package doc

import "encoding/json"

// Stored homes and people have had their keys in one order from the beginning,
// and settings stand among the others. A key that these lists do not name comes
// before or after them.

// MarshalJSON keeps the order of the keys.
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

// MarshalJSON keeps the order of the keys.
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
