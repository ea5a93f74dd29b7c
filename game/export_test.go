package game

import "encoding/json"

// AppendLegal appends what Legal lists.
func (s *State) AppendLegal(dst []Move) []Move { return s.appendLegal(dst) }

// Option is the value of the named option as JSON, nil if there is none of that
// name.
func (r Rules) Option(name string) json.RawMessage {
	for _, o := range options {
		if o.name == name {
			return o.write(&r, nil)
		}
	}
	return nil
}
