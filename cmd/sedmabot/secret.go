package main

import (
	"fmt"
	"io"
)

// Secret is a token or an address with a password. It shows itself nowhere,
// however it is printed, logged or encoded: as "<secret>", or as "" when it is
// empty. Only Reveal tells it.
type Secret struct {
	value *string // a pointer, so that not even a print of unexported fields shows it; nil is empty
}

// Reveal is the secret itself.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

func (s Secret) String() string {
	if s.value == nil {
		return ""
	}
	return "<secret>"
}

// Format writes s for every verb of package fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText is what JSON, YAML and slog show.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the secret.
func (s *Secret) UnmarshalText(text []byte) error {
	s.value = nil
	if value := string(text); value != "" {
		s.value = &value
	}
	return nil
}
