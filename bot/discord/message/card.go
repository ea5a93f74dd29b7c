package message

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	pixel "image/draw"
	"image/png"
	"slices"
	"strings"

	"sedmabot/bot/face"
	"sedmabot/game"
)

// Cards are shown as emojis of the application, which it may use everywhere, in buttons
// and in text. Package discord uploads them. Without emojis, cards are shown as text.
// An emoji's name consists of the card, its face and five digits of a hash of the picture.
// So a changed drawing gets a new emoji. Old emojis are never deleted: old messages and
// other processes still show them.
// https://discord.com/developers/docs/resources/emoji#application-owned-emoji

// Emoji is an emoji of the application.
type Emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Cards maps the names from emojiName to the cards' emojis.
type Cards map[string]Emoji

// faces are the faces that have emojis. The face Plain has none: it shows cards as text.
var faces = []face.Face{face.French, face.Skat, face.German, face.Czech, face.Slovak, face.Hungarian}

// initials are the letters of the faces in the emojis' names. A card that looks the same
// in several faces has the emoji of the first of them.
var initials = map[face.Face]string{
	face.French: "f", face.Skat: "b", face.German: "g", face.Czech: "c", face.Slovak: "s", face.Hungarian: "h",
}

// nameDigits is the number of hash digits at the end of an emoji's name.
const nameDigits = 5

// Words in the emojis' names, for people who use screen readers. They are short, because
// an emoji's name in a text counts against Discord's limit.
var (
	rankNames = map[game.Rank]string{'T': "10", 'U': "J", 'O': "Q"} // other ranks keep their letter
	suitNames = map[game.Suit][2]string{                            // French name, German name
		'c': {"clubs", "acorns"}, 'a': {"clubs", "acorns"}, 's': {"spades", "leaves"}, 'l': {"spades", "leaves"},
		'h': {"hearts", "hearts"}, 'd': {"diamonds", "bells"}, 'b': {"diamonds", "bells"},
	}
)

// emojiName returns the name of a card's emoji without the hash digits, such as
// "K_hearts_g". It returns "" if the card has no emoji.
func emojiName(f face.Face, c game.Card) string {
	if f.Like() == face.Plain {
		return ""
	}
	suit := suitNames[c.Suit()][0]
	if f.Like() == face.German {
		suit = suitNames[c.Suit()][1]
	}
	if c == 0 || suit == "" {
		return ""
	}
	label := face.Text(f, c)
	first := faces[slices.IndexFunc(faces, func(f face.Face) bool { return face.Text(f, c) == label })]
	return cmp.Or(rankNames[c.Rank()], string(c.Rank())) + "_" + suit + "_" + initials[first]
}

// named returns functions that draw the emojis of all cards in all faces, by emojiName.
func named() map[string]func() []byte {
	out := map[string]func() []byte{}
	for _, f := range faces {
		for _, deck := range []game.Deck{game.German32, game.French52} {
			for _, c := range (game.Rules{Deck: deck}).Pack() {
				out[emojiName(f, c)] = func() []byte { return face.Emoji(f, c) }
			}
		}
	}
	return out
}

// pixels returns the hash digits of a picture. They depend only on its pixels, not on the
// compression.
func pixels(data []byte) (string, error) {
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	all := image.NewNRGBA(m.Bounds())
	pixel.Draw(all, all.Bounds(), m, m.Bounds().Min, pixel.Src)
	sum := sha256.Sum256(all.Pix)
	return hex.EncodeToString(sum[:])[:nameDigits], nil
}

// CardsAmong returns the cards' emojis among all. If a card has several, it picks the latest.
func CardsAmong(all []Emoji) Cards {
	want := named()
	found := Cards{}
	for _, e := range all {
		name := e.Name[:max(0, len(e.Name)-nameDigits)]
		_, known := want[name]
		_, sound := Snowflake(e.ID, "")
		if known && sound && later(e.ID, found[name].ID) {
			found[name] = e
		}
	}
	return found
}

// CardEmojis returns how many emojis the cards of all faces have.
func CardEmojis() int { return len(named()) }

// Missing returns the pictures of the cards' emojis that are not among all, by the names
// under which to upload them.
func Missing(all []Emoji) (map[string][]byte, error) {
	have := map[string]bool{}
	for _, e := range all {
		have[e.Name] = true
	}
	missing := map[string][]byte{}
	for name, drawn := range named() {
		data := drawn()
		digits, err := pixels(data)
		if err != nil {
			return nil, fmt.Errorf("draw %s: %w", name, err)
		}
		if name += digits; !have[name] {
			missing[name] = data
		}
	}
	return missing, nil
}

// later reports whether an id is newer than another. Ids grow with time.
func later(id, other string) bool {
	return cmp.Or(cmp.Compare(len(id), len(other)), strings.Compare(id, other)) > 0
}
