package main

import (
	"fmt"
	"io"
)

// Secret is a token or an address with a password. If it is printed, logged or
// encoded in any way, the result is "<secret>", or "" if it is empty. Only
// Reveal returns the secret itself.
type Secret struct {
	value *string // a pointer, so that printing unexported fields doesn't show the secret; nil is empty
}

// Reveal returns the secret itself.
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

// Format writes s.String() for every verb of package fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalText returns s.String(), for JSON, YAML and slog.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the secret.
func (s *Secret) UnmarshalText(text []byte) error {
	s.value = nil
	if value := string(text); value != "" {
		s.value = &value
	}
	return nil
}
