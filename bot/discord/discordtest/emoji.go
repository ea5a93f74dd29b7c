package discordtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"regexp"
	"slices"
	"strings"
)

// Emoji is an emoji of the application.
type Emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// String returns the emoji as it is written in a text.
func (e Emoji) String() string { return "<:" + e.Name + ":" + e.ID + ">" }

// Limits of application emojis (https://discord.com/developers/docs/resources/emoji#application-owned-emoji).
const (
	emojiBytes = 256 << 10
	emojiSide  = 128
	maxEmojis  = 2000
)

var emojiName = regexp.MustCompile(`^\w{2,32}$`)

// Emojis returns the application's emojis in the order in which they were added.
func (s *Server) Emojis() []Emoji {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.emojis)
}

// AddEmoji adds an emoji that the bot did not upload.
func (s *Server) AddEmoji(name string) Emoji {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := Emoji{s.id(), name}
	s.emojis = append(s.emojis, e)
	return e
}

// RemoveEmojis deletes all emojis.
func (s *Server) RemoveEmojis() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emojis = nil
}

// hasEmoji reports whether the emoji exists. s.mu must be held.
func (s *Server) hasEmoji(e Emoji) bool { return slices.Contains(s.emojis, e) }

func (s *Server) emojiList() []any {
	out := []any{}
	for _, e := range s.emojis {
		out = append(out, e.object())
	}
	return out
}

func (e Emoji) object() object {
	return object{"id": e.ID, "name": e.Name, "roles": []any{}, "require_colons": true, "managed": false, "animated": false, "available": true}
}

// addEmoji adds an emoji that the bot uploads. s.mu must be held.
func (s *Server) addEmoji(c Call) (any, *refusal) {
	var b struct{ Name, Image string }
	if json.Unmarshal(c.Body, &b) != nil {
		return nil, invalidForm
	}
	code, ok := strings.CutPrefix(b.Image, "data:image/png;base64,")
	data, err := base64.StdEncoding.DecodeString(code)
	config, pngErr := png.DecodeConfig(bytes.NewReader(data))
	switch {
	case !ok || err != nil || pngErr != nil || len(data) > emojiBytes || config.Width != emojiSide || config.Height != emojiSide:
		s.wrong("the emoji %s is none of %d pixels, as PNG, of %d bytes at most", b.Name, emojiSide, emojiBytes)
		return nil, invalidForm
	case !emojiName.MatchString(b.Name) || slices.ContainsFunc(s.emojis, func(e Emoji) bool { return e.Name == b.Name }):
		s.wrong("the name %q of an emoji is malformed, or there twice", b.Name)
		return nil, &refusal{status: 400, code: 50035, text: "Invalid Form Body"}
	case len(s.emojis) >= maxEmojis:
		return nil, &refusal{status: 400, code: 30008, text: "Maximum number of emojis reached (2000)"}
	}
	e := Emoji{s.id(), b.Name}
	s.emojis = append(s.emojis, e)
	return e.object(), nil
}
