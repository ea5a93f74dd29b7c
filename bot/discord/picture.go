package discord

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/screen"
)

// plainFor is how long a channel gets text only after it refused a picture. Nothing says
// for sure when the bot may attach files again, so it has to try. plainGap is the average
// time between two such attempts in all channels together. Refusals count against the
// bot's IP address (see shutFor).
const (
	plainFor = 10 * time.Second
	plainGap = time.Second
)

// mayAttach is the permission to attach files
// (https://discord.com/developers/docs/topics/permissions).
const mayAttach = 1 << 15

// plain remembers the channels that refused a picture, usually because the bot may not
// attach files there.
type plain struct {
	mu    sync.Mutex
	until cache.Cache[string, time.Time] // by place: when to try the next picture; entries remain after that time
}

// is reports whether a place gets text only for now.
func (p *plain) is(place string) bool {
	until, _ := p.until.Get(place)
	return until.After(time.Now())
}

// note remembers that a place refused a picture, and reports whether that is new.
func (p *plain) note(place string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	_, known := p.until.Get(place)
	waiting := 1
	for _, at := range p.until.All() {
		if at.After(now) {
			waiting++
		}
	}
	p.until.Put(place, now.Add(max(plainFor, time.Duration(waiting)*plainGap)), maxShut)
	return !known
}

// forget discards the refusal of a place, so the next picture is sent there again.
func (p *plain) forget(place string) {
	p.until.Take(place)
}

// heard learns from an interaction that the bot may attach files in its channel.
func (p *plain) heard(it *interaction) {
	have, err := strconv.ParseUint(it.AppPermissions, 10, 64)
	if err == nil && have&(mayAll|mayAttach) != 0 {
		p.forget(prefix + it.ChannelID)
	}
}

// attempt calls try to show a screen, which may be nil, at a place. If Discord refuses an
// emoji or the picture, attempt tries again without it: the text says the same.
func (o *outbox) attempt(place string, s *screen.Screen, try func(*screen.Screen) error) error {
	if s != nil && s.Picture != nil && o.plain.is(place) {
		s = inWords(s)
	}
	news := false // the place refused a picture for the first time
	for tries := 1; ; tries++ {
		err := try(s)
		if err == nil && news {
			o.log.Info("a channel takes no pictures, and gets words", "platform", platform)
		}
		pictured := s != nil && s.Picture != nil
		switch {
		case err == nil, s == nil, tries == 4:
			return err
		case o.withoutEmojis(err):
		case pictured && s.Picture.Kept && isInvalid(err):
			redraw := *s.Picture
			redraw.Kept = false // the message doesn't have the picture after all
			s = redrawn(s, &redraw)
		case pictured && !s.Picture.Kept && isHeavy(err):
			news, s = o.plain.note(place), inWords(s)
			o.refusals.forget(place) // Text alone may be accepted
		default:
			return err
		}
	}
}

// inWords returns the screen for a place that shows no pictures.
func inWords(s *screen.Screen) *screen.Screen {
	words := s.WithoutPicture()
	return &words
}

// redrawn returns the screen with another picture.
func redrawn(s *screen.Screen, p *screen.Picture) *screen.Screen {
	other := *s
	other.Picture = p
	return &other
}

// isHeavy reports whether a message may have been refused because of its picture: the bot
// may not attach files there, or the file is too large.
func isHeavy(err error) bool {
	var e *apiError
	return errors.As(err, &e) && (e.status == http.StatusRequestEntityTooLarge || e.code == codeTooLarge || e.code == codeNoPermission)
}
