package screen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"sedmabot/bot/face"
)

// Picture is a picture that a screen shows beside its text, which says the same. It is
// drawn when the screen is delivered.
type Picture struct {
	Draw face.Picture
	Alt  string // Text for people who cannot see the picture: at most 1000 characters
	// Words say what only the picture shows. They take its place where no picture is shown.
	Words []Block
	// Kept says that an edited message already shows this picture, as far as is known. Then the picture
	// need not be sent again.
	Kept bool `json:"-"`
}

// Name returns 16 hexadecimal digits that identify the picture. Pictures that look the
// same have the same name.
func (p Picture) Name() string {
	data, err := json.Marshal(p.Draw)
	if err != nil {
		panic(err) // cannot fail: the value is strings and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// AltLimit is the maximum length of a description. Discord's limit is 1024 characters
// (https://discord.com/developers/docs/components/reference#media-gallery).
const AltLimit = 1000

// AddPicture adds a picture to the screen written so far. Its description is the screen's
// main text, followed by more.
func (w *Writer) AddPicture(p face.Picture, more string) {
	p.Face = w.Screen.Face
	var main []Block
	for _, b := range w.Screen.Blocks {
		if b.Look == Title || b.Look == Plain {
			main = append(main, b)
		}
	}
	words := strings.TrimSpace(Screen{Blocks: main, Face: w.Screen.Face}.String())
	if more != "" {
		words += "\n" + more
	}
	w.Screen.Picture = &Picture{Draw: p, Alt: Cut(words, AltLimit)}
}

// AltText returns the screen written so far and more words, as the description of its picture.
func (w *Writer) AltText(more []Block) string {
	var some [1024]byte
	all := AppendWords(AppendWords(some[:0], w.Screen.Face, w.Screen.Blocks), w.Screen.Face, more)
	return Cut(string(bytes.TrimSpace(all)), AltLimit)
}
