package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// A message is either text, or a photo with the text as its caption. This is decided
// when the message is sent, and its address records it (see address.go). A caption holds
// less than a text message. It has to fit only the words that players need.

// maxPhotos is the most photos whose file ids are cached.
const maxPhotos = 4096

// photos caches the file ids of the photos that Telegram has, by name. A file id
// can be reused in any chat.
// https://core.telegram.org/bots/api#sending-files
type photos struct {
	mu   sync.Mutex
	ids  cache.Cache[string, string]
	busy map[string]chan struct{} // uploads in progress; closed when one ends
}

// id returns the file id of a photo. If there is none, the caller has to upload the
// file and then call sent. Other callers for the same photo wait until then.
func (k *photos) id(ctx context.Context, name string) (id string, sent func(), err error) {
	for {
		k.mu.Lock()
		id, known := k.ids.Get(name)
		busy := k.busy[name]
		if !known && busy == nil {
			if k.busy == nil {
				k.busy = map[string]chan struct{}{}
			}
			busy = make(chan struct{})
			k.busy[name] = busy
			k.mu.Unlock()
			return "", func() {
				k.mu.Lock()
				defer k.mu.Unlock()
				delete(k.busy, name)
				close(busy)
			}, nil
		}
		k.mu.Unlock()
		if known {
			return id, nil, nil
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return "", nil, &chat.DeliveryError{Fault: chat.Retry, Err: ctx.Err()}
		}
	}
}

// known returns the file id of a picture, or "" if it isn't known.
func (k *photos) known(p *screen.Picture) string {
	if p == nil {
		return ""
	}
	id, _ := k.ids.Get(p.Name())
	return id
}

// keep caches a file id; "" removes it.
func (k *photos) keep(name, id string) {
	if id == "" {
		k.ids.Take(name)
		return
	}
	k.ids.Put(name, id, maxPhotos)
}

// fitting returns a screen in the form that a new message can show. It drops the
// picture if the text is too long for a caption or the chat takes no photos.
func (o *outbox) fitting(peer int64, s screen.Screen) screen.Screen {
	short, fits := captioned(s)
	if fits && !o.refused.has(peer, kindPhoto) {
		return short
	}
	s = s.WithoutPicture()
	return s
}

// captioned shortens a screen's text until it fits a caption, and returns false if
// it can't. As far as needed, it leaves out the oldest lines of a quote, which are
// finished tricks that the replay shows. After that it shortens long names, and
// then drops the small print.
func captioned(s screen.Screen) (screen.Screen, bool) {
	if s.Picture == nil || length(s) < captionLimit {
		return s, true
	}
	for _, letters := range []int{nameLimit, 16, 9} {
		s = named(s, letters)
		if short, ok := quoting(s); ok {
			return short, true
		}
	}
	s, _ = quoting(s)
	for i := len(s.Blocks) - 1; i >= 0; i-- {
		if s.Blocks[i].Look == screen.Small {
			s.Blocks = slices.Delete(slices.Clone(s.Blocks), i, i+1)
			if length(s) < captionLimit {
				return s, true
			}
		}
	}
	return s, false
}

// named returns the screen with names of at most the given number of letters.
func named(s screen.Screen, letters int) screen.Screen {
	s.Blocks = slices.Clone(s.Blocks)
	for i := range s.Blocks {
		spans := slices.Clone(s.Blocks[i].Spans)
		for j := range spans {
			spans[j].Person.Name = cut(spans[j].Person.Name, letters)
		}
		s.Blocks[i].Spans = spans
	}
	return s
}

// quoting shortens the longest quote of a screen to as many of its latest lines as
// fit a caption. It reports whether the screen fits.
func quoting(s screen.Screen) (screen.Screen, bool) {
	quote, most := -1, 0
	for i, b := range s.Blocks {
		if n := len(lines(b.Spans)); b.Look == screen.Quote && n > most {
			quote, most = i, n
		}
	}
	if length(s) < captionLimit || quote < 0 {
		return s, length(s) < captionLimit
	}
	short := s
	for left := most - 1; left >= 0; left-- {
		spans := []screen.Span{{Text: "…"}}
		for _, line := range lines(s.Blocks[quote].Spans)[most-left:] {
			spans = append(append(spans, screen.Span{Kind: screen.SpanBreak}), line...)
		}
		short.Blocks = slices.Clone(s.Blocks)
		short.Blocks[quote].Spans = spans
		if length(short) < captionLimit {
			return short, true
		}
	}
	return short, false
}

// lines splits a block's spans into lines.
func lines(spans []screen.Span) [][]screen.Span {
	out := [][]screen.Span{nil}
	for _, span := range spans {
		if span.Kind == screen.SpanBreak {
			out = append(out, nil)
			continue
		}
		out[len(out)-1] = append(out[len(out)-1], span)
	}
	return out
}

// length returns the length of a screen's whole text in UTF-16 units.
func length(s screen.Screen) int {
	w := writer{left: math.MaxInt}
	for i, block := range s.Blocks {
		if i > 0 {
			w.text("\n")
		}
		for _, span := range block.Spans {
			w.span(s.Face, span, nil)
		}
	}
	return math.MaxInt - w.left
}

// photo calls show with a picture's file id if it is known, and otherwise with the
// file, under the name "photo". It caches the file id that comes back.
func (o *outbox) photo(ctx context.Context, p screen.Picture, show func(at string, files ...tgbotapi.RequestFile) (json.RawMessage, error)) (json.RawMessage, error) {
	name := p.Name()
	id, done, err := o.photos.id(ctx, name)
	if err != nil {
		return nil, err
	}
	if id != "" {
		result, err := show(id)
		if !refusedWith(err, "wrong file identifier") && !refusedWith(err, "wrong remote file") {
			return result, err
		}
		o.photos.keep(name, "") // Telegram no longer has the file
	} else {
		defer done()
	}
	file := tgbotapi.RequestFile{Name: "photo", Data: tgbotapi.FileBytes{Name: name + ".png", Bytes: o.easel.Named(name, p.Draw)}}
	result, err := show("", file)
	if err != nil {
		return nil, err
	}
	var sent struct {
		Photo []struct {
			ID string `json:"file_id"`
		} `json:"photo"`
	}
	if json.Unmarshal(result, &sent) == nil && len(sent.Photo) > 0 {
		o.photos.keep(name, sent.Photo[len(sent.Photo)-1].ID) // the last size is the largest
	}
	return result, nil
}

// sendPhoto sends a screen with its picture. p holds the other parameters.
// https://core.telegram.org/bots/api#sendphoto
func (o *outbox) sendPhoto(ctx context.Context, peer int64, s screen.Screen, p tgbotapi.Params) (json.RawMessage, error) {
	return o.photo(ctx, *s.Picture, func(at string, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
		delete(p, "photo")
		p.AddNonEmpty("photo", at)
		return o.deliver(ctx, peer, "sendPhoto", p, files...)
	})
}

// editPhoto makes a photo message show s. If the picture is the same, or s has none,
// only the caption changes.
// https://core.telegram.org/bots/api#editmessagemedia
func (o *outbox) editPhoto(ctx context.Context, addr chat.Address, peer, message int64, s screen.Screen) error {
	caption := s
	if caption.Picture == nil {
		caption.Picture = &screen.Picture{} // the text is still a caption
	}
	caption, _ = captioned(caption)
	p, err := render(caption, false, o.keyboard(peer))
	if err != nil {
		return invalid(err)
	}
	p["chat_id"] = strconv.FormatInt(peer, 10)
	p["message_id"] = strconv.FormatInt(message, 10)
	if s.Picture == nil || s.Picture.Kept {
		_, err = o.deliver(ctx, peer, "editMessageCaption", p)
		return err
	}
	_, err = o.photo(ctx, *s.Picture, func(at string, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
		photo, err := asPhoto(p, cmp.Or(at, "attach://photo"))
		if err != nil {
			return nil, invalid(err)
		}
		return o.deliver(ctx, peer, "editMessageMedia", photo, files...)
	})
	if refusesPicture(err) {
		// The chat no longer takes photos: Gone makes the shell send the screen again, as text.
		o.refused.note(peer, kindPhoto, textOnlyFor)
		_ = o.Delete(ctx, addr)
		return &chat.DeliveryError{Fault: chat.Gone, Err: err}
	}
	return err
}

// asPhoto returns the parameters of a caption as those of a photo with that caption.
// https://core.telegram.org/bots/api#inputmediaphoto
func asPhoto(caption tgbotapi.Params, media string) (tgbotapi.Params, error) {
	data, err := json.Marshal(map[string]string{"type": "photo", "media": media, "caption": caption["caption"], "parse_mode": caption["parse_mode"]})
	p := maps.Clone(caption)
	delete(p, "caption")
	delete(p, "parse_mode")
	p["media"] = string(data)
	return p, err
}

// refusesPicture reports whether a message was refused because of its photo: the bot may
// not send photos there, or Telegram doesn't accept this one.
func refusesPicture(err error) bool {
	var refused *tgbotapi.Error
	if errors.As(err, &refused) && refused.Code == http.StatusRequestEntityTooLarge {
		return true
	}
	for _, text := range []string{"not enough rights to send photos", "CHAT_SEND_PHOTOS_FORBIDDEN", "CHAT_SEND_MEDIA_FORBIDDEN", "PHOTO_INVALID", "IMAGE_PROCESS_FAILED", "PHOTO_SAVE_FILE_INVALID"} {
		if refusedWith(err, text) {
			return true
		}
	}
	return false
}
