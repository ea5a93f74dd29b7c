package game

import "encoding/json"

// AppendLegal appends what Legal lists.
func (s *State) AppendLegal(dst []Move) []Move { return s.appendLegal(dst) }

// Option returns the named option as JSON, or nil if there is no such option.
func (r Rules) Option(name string) json.RawMessage {
	for _, o := range options {
		if o.name == name {
			return o.write(&r, nil)
		}
	}
	return nil
}
