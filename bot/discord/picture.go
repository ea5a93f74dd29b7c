package discord

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
)

// textOnlyFor is how long a channel gets text only after it refused a picture. Nothing says
// for sure when the bot may attach files again, so it has to try. pictureGap is the average
// time between two such attempts in all channels together. Refusals count against the
// bot's IP address (see invalids).
const (
	textOnlyFor = 10 * time.Second
	pictureGap  = time.Second
)

// maxPlaces is the maximum number of channels, and of messages, of which the bot remembers that they show words.
const maxPlaces = 20_000

// mayAttach is the permission to attach files
// (https://discord.com/developers/docs/topics/permissions).
const mayAttach = 1 << 15

// textOnly remembers the channels that refused a picture, usually because the bot may not
// attach files there.
type textOnly struct {
	mu    sync.Mutex
	until cache.Cache[string, time.Time] // by place: when to try the next picture; entries remain after that time
}

// has reports whether a place gets text only for now.
func (p *textOnly) has(place string) bool {
	until, _ := p.until.Get(place)
	return until.After(time.Now())
}

// add remembers that a place refused a picture, and reports whether that is new.
func (p *textOnly) add(place string) bool {
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
	p.until.Put(place, now.Add(max(textOnlyFor, time.Duration(waiting)*pictureGap)), maxPlaces)
	return !known
}

// forget discards the refusal of a place, so the next picture is sent there again.
func (p *textOnly) forget(place string) {
	p.until.Take(place)
}

// learn learns from an interaction that the bot may attach files in its channel.
func (p *textOnly) learn(it *interaction) {
	have, err := strconv.ParseUint(it.AppPermissions, 10, 64)
	if err == nil && have&(mayAll|mayAttach) != 0 {
		p.forget(prefix + it.ChannelID)
	}
}

// attempt calls try to show a screen, which may be nil, at a place. If Discord refuses an
// emoji or the picture, attempt tries again without it: the text says the same. It reports whether the picture was left out.
func (o *outbox) attempt(place string, s *screen.Screen, try func(*screen.Screen) error) (words bool, err error) {
	whole := s
	if s != nil && s.Picture != nil && o.textOnly.has(place) {
		s = withoutPicture(s)
	}
	news := false // the place refused a picture for the first time
	for tries := 1; ; tries++ {
		err = try(s)
		if err == nil && news {
			o.log.Info("a channel takes no pictures, and gets words", "platform", platform)
		}
		pictured := s != nil && s.Picture != nil
		switch {
		case err == nil, s == nil, tries == 4:
			return s != nil && whole.Picture != nil && s.Picture == nil, err
		case o.withoutEmojis(err):
		case pictured && s.Picture.Kept && isInvalid(err):
			redraw := *s.Picture
			redraw.Kept = false // the message doesn't have the picture after all
			s = redrawn(s, &redraw)
		case pictured && !s.Picture.Kept && refusesPicture(err):
			news, s = o.textOnly.add(place), withoutPicture(s)
		case s.About && (isInvalid(err) || refusesPicture(err)): // without the picture of a person beside the text
			alone := *s
			alone.About, s = false, &alone
		default:
			return false, err
		}
	}
}

// inWords remembers whether the message at an address shows words, although its screen has a picture.
func (o *outbox) inWords(at chat.Address, words bool) {
	if words {
		o.words.Put(at, struct{}{}, maxPlaces)
	} else {
		o.words.Take(at)
	}
}

// pictured reports whether the message at an address shows the picture of the screen that this process last sent there.
func (o *outbox) pictured(at chat.Address) bool {
	_, words := o.words.Get(at)
	return !words
}

// withoutPicture returns the screen for a place that shows no pictures.
func withoutPicture(s *screen.Screen) *screen.Screen {
	words := s.WithoutPicture()
	return &words
}

// redrawn returns the screen with another picture.
func redrawn(s *screen.Screen, p *screen.Picture) *screen.Screen {
	other := *s
	other.Picture = p
	return &other
}

// refusesPicture reports whether a message may have been refused because of its picture: the bot
// may not attach files there, or the file is too large.
func refusesPicture(err error) bool {
	var e *apiError
	return errors.As(err, &e) && (e.status == http.StatusRequestEntityTooLarge || e.code == codeTooLarge || e.code == codeNoPermission)
}
