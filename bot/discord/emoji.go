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

// The cards are emojis of the application, which it may use everywhere, in
// buttons and in text. [Adapter.SyncEmojis] uploads them; without them cards are
// text. An emoji is found by its name: the card's, its face's, and five digits of
// what is on it, so that another drawing is another emoji. No emoji is ever
// deleted: old messages and other processes show the older ones.
// https://discord.com/developers/docs/resources/emoji#application-owned-emoji

// emoji is one of the application's.
type emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// emojis are those of the cards, by emojiName.
type emojis map[string]emoji

// faces are those that have emojis. Plain is for who wants text.
var faces = []face.Face{face.French, face.German, face.Czech}

// nameDigits is how many digits an emoji's name ends with.
const nameDigits = 5

// Words for readers whose screen is read to them. In a text an emoji's name
// counts against Discord's limit, so they are short.
var (
	rankNames = map[game.Rank]string{'T': "10", 'U': "J", 'O': "Q"} // others are their own
	suitNames = map[game.Suit][2]string{                            // French and German
		'c': {"clubs", "acorns"}, 'a': {"clubs", "acorns"}, 's': {"spades", "leaves"}, 'l': {"spades", "leaves"},
		'h': {"hearts", "hearts"}, 'd': {"diamonds", "bells"}, 'b': {"diamonds", "bells"},
	}
)

// emojiName is what the name of a card's emoji begins with, such as "K_hearts_g",
// "" if the card has none.
func emojiName(f face.Face, c game.Card) string {
	f = cmp.Or(f, face.French)
	suit := suitNames[c.Suit()][0]
	if f == face.German || f == face.Czech {
		suit = suitNames[c.Suit()][1]
	}
	if c == 0 || suit == "" || f == face.Plain {
		return ""
	}
	return cmp.Or(rankNames[c.Rank()], string(c.Rank())) + "_" + suit + "_" + string(f[0])
}

// named are all cards that have an emoji, each in the faces that it has one in,
// by the emoji's name.
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

// pixels are the digits that name a picture, however it was compressed.
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

// emojiPath is where an application's emojis are.
func emojiPath(app string) string { return "/applications/" + app + "/emojis" }

// listEmojis are all emojis of the application.
func (c *rest) listEmojis(ctx context.Context, app string) ([]emoji, error) {
	var list struct {
		Items []emoji `json:"items"`
	}
	err := c.call(ctx, request{method: http.MethodGet, path: emojiPath(app), limit: "emojis"}, &list)
	return list.Items, err
}

// cardsAmong finds the cards' emojis; of several of a card the latest.
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

// later compares ids, which grow with time.
func later(id, other string) bool {
	return cmp.Or(cmp.Compare(len(id), len(other)), strings.Compare(id, other)) > 0
}

// Emojis is how many cards have an emoji, and how many could. Run need not run.
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

// SyncEmojis uploads the emojis of all cards that the application lacks, waits
// as Discord asks, and calls told after each. It may be called again at any time.
func (a *Adapter) SyncEmojis(ctx context.Context, told func(uploaded, missing int)) error {
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
	told(0, len(missing))
	for i, name := range slices.Sorted(maps.Keys(missing)) {
		if err := a.rest.upload(ctx, app.ID, name, missing[name]); err != nil {
			return fmt.Errorf("upload %s: %w", name, err)
		}
		told(i+1, len(missing))
	}
	return nil
}

// upload uploads one emoji, whatever Discord's limits make of it.
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
		if wait == 0 { // it is no limit that ends
			failed++
			wait = time.Duration(failed) * 200 * time.Millisecond
		}
		if failed == lateTries || !chat.Pause(ctx, wait) {
			return err
		}
	}
}

// draw makes a message of a screen, with the cards' emojis if there are any.
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

// withoutEmojis goes on with text if Discord refused a message for an emoji in
// it: somebody has deleted it. It reports whether the message is to be drawn again.
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
