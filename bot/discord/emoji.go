package discord

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	pixel "image/draw"
	"image/png"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/view"
	"sedmabot/game"
)

// Cards are shown as emojis of the application, which it may use everywhere, in buttons
// and in text. [Adapter.SyncEmojis] uploads them. Without emojis, cards are shown as text.
// An emoji's name consists of the card, its face and five digits of a hash of the picture.
// So a changed drawing gets a new emoji. Old emojis are never deleted: old messages and
// other processes still show them.
// https://discord.com/developers/docs/resources/emoji#application-owned-emoji

// emoji is an emoji of the application.
type emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// emojis maps the names from emojiName to the cards' emojis.
type emojis map[string]emoji

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

// emojiPath returns the path of an application's emojis.
func emojiPath(app string) string { return "/applications/" + app + "/emojis" }

// listEmojis returns all emojis of the application.
func (c *rest) listEmojis(ctx context.Context, app string) ([]emoji, error) {
	var list struct {
		Items []emoji `json:"items"`
	}
	err := c.call(ctx, request{method: http.MethodGet, path: emojiPath(app), limit: "emojis"}, &list)
	return list.Items, err
}

// cardsAmong returns the cards' emojis among all. If a card has several, it picks the latest.
func cardsAmong(all []emoji) emojis {
	want := named()
	found := emojis{}
	for _, e := range all {
		name := e.Name[:max(0, len(e.Name)-nameDigits)]
		_, known := want[name]
		_, sound := snowflake(e.ID, "")
		if known && sound && later(e.ID, found[name].ID) {
			found[name] = e
		}
	}
	return found
}

// later reports whether an id is newer than another. Ids grow with time.
func later(id, other string) bool {
	return cmp.Or(cmp.Compare(len(id), len(other)), strings.Compare(id, other)) > 0
}

// Emojis returns how many of the cards' emojis exist, and how many there should be. Run
// doesn't have to be running.
func (a *Adapter) Emojis(ctx context.Context) (have, want int, err error) {
	app, err := a.rest.application(ctx)
	if err != nil {
		return 0, 0, err
	}
	all, err := a.rest.listEmojis(ctx, app.ID)
	if err != nil {
		return 0, 0, err
	}
	return len(cardsAmong(all)), len(named()), nil
}

// SyncEmojis uploads the cards' emojis that the application is missing. It waits as
// Discord asks, and calls progress first and after each upload. It is safe to call it again.
func (a *Adapter) SyncEmojis(ctx context.Context, progress func(uploaded, missing int)) error {
	app, err := a.rest.application(ctx)
	if err != nil {
		return err
	}
	all, err := a.rest.listEmojis(ctx, app.ID)
	if err != nil {
		return err
	}
	have := map[string]bool{}
	for _, e := range all {
		have[e.Name] = true
	}
	missing := map[string][]byte{}
	for name, drawn := range named() {
		data := drawn()
		digits, err := pixels(data)
		if err != nil {
			return fmt.Errorf("draw %s: %w", name, err)
		}
		if name += digits; !have[name] {
			missing[name] = data
		}
	}
	progress(0, len(missing))
	for i, name := range slices.Sorted(maps.Keys(missing)) {
		if err := a.rest.upload(ctx, app.ID, name, missing[name]); err != nil {
			return fmt.Errorf("upload %s: %w", name, err)
		}
		progress(i+1, len(missing))
	}
	return nil
}

// upload uploads one emoji. It waits for Discord's rate limits and retries other failures.
// https://discord.com/developers/docs/resources/emoji#create-application-emoji
func (c *rest) upload(ctx context.Context, app, name string, data []byte) error {
	body := map[string]string{"name": name, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)}
	for failed := 0; ; {
		err := c.call(ctx, request{method: http.MethodPost, path: emojiPath(app), limit: "emoji", body: body}, nil)
		var d *chat.DeliveryError
		if !errors.As(deliveryError(err), &d) || d.Fault != chat.Retry {
			return err
		}
		wait := d.After
		if wait == 0 { // not a rate limit, so it counts as a failure
			failed++
			wait = time.Duration(failed) * 200 * time.Millisecond
		}
		if failed == lateTries || !chat.Pause(ctx, wait) {
			return err
		}
	}
}

// draw returns a message that shows a screen, with its picture and the cards' emojis, if any.
func (a *Adapter) draw(s view.Screen, fresh bool) message {
	var cards emojis
	if found := a.emojis.Load(); found != nil {
		cards = *found
	}
	m := draft(s, fresh, cards)
	for i, f := range m.files {
		if s.Picture != nil && f.Name == pictureName(*s.Picture) {
			m.files[i].Data = a.easel.Named(f.Name, s.Picture.Draw)
		}
	}
	return m
}

// withoutEmojis switches to text if Discord refused a message because of an emoji, which
// somebody has deleted. It reports whether to draw the message again.
func (a *Adapter) withoutEmojis(err error) bool {
	var e *apiError
	if !errors.As(err, &e) || e.code != codeInvalidForm || !strings.Contains(strings.ToLower(e.text), "emoji") {
		return false
	}
	if a.emojis.Swap(nil) != nil {
		a.log.Warn("an emoji of a card is gone: cards are text until the next start; sedmabot discord sync-emojis uploads what is missing", "platform", a.Name())
	}
	return true
}
