package playground

import (
	"context"
	"slices"
	"sync"

	"sedmabot/bot/chat"
)

// tagged holds the tags beside people's names. Its methods are safe for concurrent use.
type tagged struct {
	mu      sync.Mutex
	tags    map[string]string // by person
	refused bool              // the bot may not set tags
}

// Mark sets the tag that the page shows beside a person's name, or takes it away.
func (p *tagged) Mark(_ context.Context, _, person string, was, next chat.Mark) (chat.Mark, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tag := p.tags[person]
	switch {
	case p.refused:
		return was, &chat.MarkError{Why: chat.MarkTags}
	case person == "":
		return was, nil
	case !slices.Contains(people, person):
		return was, &chat.MarkError{Why: chat.MarkMember}
	case tag != "" && tag != was.ID && tag != was.Tried:
		return was, &chat.MarkError{Why: chat.MarkTaken}
	}
	p.put(person, next.Tag)
	next.ID = next.Tag
	return next, nil
}

// Tag returns the tag beside a person's name, or "".
func (p *tagged) Tag(person string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tags[person]
}

// SetTag sets a tag as a manager of the channel would.
func (p *tagged) SetTag(person, tag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.put(person, tag)
}

// Marks sets whether the bot may set tags. The default is true.
func (p *tagged) Marks(may bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refused = !may
}

// put sets a tag; the caller holds p.mu.
func (p *tagged) put(person, tag string) {
	if p.tags == nil {
		p.tags = map[string]string{}
	}
	p.tags[person] = tag
}
