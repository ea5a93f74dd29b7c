package message

import (
	"strings"

	"sedmabot/bot/screen"
)

// pictureName returns the file name of a picture, an attachment shown in a media gallery.
// The name says what is drawn. If an edit keeps the picture, it only names the attachment
// again, and the file isn't sent twice.
func pictureName(p screen.Picture) string { return p.Name() + ".png" }

// description returns the text of a picture for people who cannot see it.
func description(p screen.Picture) string {
	lines := strings.Split(p.Alt, "\n")
	for i := range lines {
		lines[i] = screen.Line(lines[i])
	}
	return Cut(strings.Join(lines, "\n"), maxAlt)
}
