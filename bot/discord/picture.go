package discord

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/cache"
	"sedmabot/bot/view"
)

// A picture is an attachment that a media gallery shows. Its name says what is
// drawn, so a message that keeps its attachments is shown to keep its picture by
// naming it again: nothing is sent twice.
func pictureName(p view.Picture) string { return p.Name() + ".png" }

// description is what is said of a picture to those who do not see it.
func description(p view.Picture) string {
	lines := strings.Split(p.Alt, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return cut(strings.Join(lines, "\n"), maxAlt)
}

// plainFor is how long a channel that took no picture gets words alone. Nothing tells
// for sure when the bot may attach files again, so it has to try. plainGap is the
// time between two tries in all channels together: refusals count against the bot's
// address (see shutFor).
const (
	plainFor = 10 * time.Second
	plainGap = time.Second
)

// mayAttach is the permission to attach files
// (https://discord.com/developers/docs/topics/permissions).
const mayAttach = 1 << 15

// plain remembers the channels that take no pictures, for want of the permission
// to attach files.
type plain struct {
	mu    sync.Mutex
	until cache.Cache[string, time.Time] // when the next picture is tried; it stays when that is past
}

// is reports whether a place gets words alone for now.
func (p *plain) is(place string) bool {
	until, _ := p.until.Get(place)
	return until.After(time.Now())
}

// note remembers that a place took no picture, and reports whether that is news.
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
	p.until.Put(place, now.Add(max(plainFor, time.Duration(waiting)*plainGap)), mostShut)
	return !known
}

// forget has the next picture tried at a place.
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

// attempt has a screen, or nil, shown at a place. What Discord refuses for the
// sake of an emoji or of a picture is tried again without it: the words say all.
func (a *Adapter) attempt(place string, s *view.Screen, try func(*view.Screen) error) error {
	if s != nil && s.Picture != nil && a.plain.is(place) {
		s = redrawn(s, nil)
	}
	news := false // the place takes no pictures
	for tries := 1; ; tries++ {
		err := try(s)
		if err == nil && news {
			a.log.Info("a channel takes no pictures, and gets words", "platform", a.Name())
		}
		pictured := s != nil && s.Picture != nil
		switch {
		case err == nil, s == nil, tries == 4:
			return err
		case a.withoutEmojis(err):
		case pictured && s.Picture.Kept && isInvalid(err):
			anew := *s.Picture
			anew.Kept = false // it is not there after all
			s = redrawn(s, &anew)
		case pictured && !s.Picture.Kept && isHeavy(err):
			news, s = a.plain.note(place), redrawn(s, nil)
			a.shut.forget(place) // it is not known yet whether words are refused too
		default:
			return err
		}
	}
}

// redrawn is the screen with another picture, or none.
func redrawn(s *view.Screen, p *view.Picture) *view.Screen {
	other := *s
	other.Picture = p
	return &other
}

// isHeavy says that a message may have been refused for its picture: the bot may
// not attach files there, or the file is too large.
func isHeavy(err error) bool {
	var e *apiError
	return errors.As(err, &e) && (e.status == http.StatusRequestEntityTooLarge || e.code == codeTooLarge || e.code == codeNoPermission)
}
