package discord

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

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

// plainFor is how long a channel that took no picture gets words alone. Refusals
// count against the bot's address: see shutFor.
const plainFor = time.Hour

// plain remembers the channels that take no pictures, for want of the permission
// to attach files, until time has passed.
type plain struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (p *plain) is(place string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.until[place].After(time.Now())
}

func (p *plain) note(place string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if len(p.until) >= mostShut {
		maps.DeleteFunc(p.until, func(_ string, at time.Time) bool { return !at.After(now) })
	}
	if p.until == nil || len(p.until) >= mostShut {
		p.until = map[string]time.Time{}
	}
	p.until[place] = now.Add(plainFor)
}

// attempt has a screen, or nil, shown at a place. What Discord refuses for the
// sake of an emoji or of a picture is tried again without it: the words say all.
func (a *Adapter) attempt(place string, s *view.Screen, try func(*view.Screen) error) error {
	if s != nil && s.Picture != nil && a.plain.is(place) {
		s = redrawn(s, nil)
	}
	refused := false
	for tries := 1; ; tries++ {
		err := try(s)
		if err == nil && refused {
			a.plain.note(place)
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
			refused, s = true, redrawn(s, nil)
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
