package playground

import (
	"context"
	"slices"

	"sedmabot/bot/chat"
)

// Mark sets the tag that the page shows beside a person's name, or takes it away.
func (p *Playground) Mark(_ context.Context, _, person string, was, next chat.Mark) (chat.Mark, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tag := p.tags[person]
	switch {
	case p.faults.noMarks:
		return was, &chat.MarkError{Why: chat.MarkRights}
	case person == "":
		return was, nil
	case !slices.Contains(people, person):
		return was, &chat.MarkError{Why: chat.MarkMember}
	case tag != "" && tag != was.ID && tag != was.Tried:
		return was, &chat.MarkError{Why: chat.MarkTaken}
	}
	p.tags[person] = next.Tag
	next.ID = next.Tag
	return next, nil
}

// Tag returns the tag beside a person's name, or "".
func (p *Playground) Tag(person string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tags[person]
}

// SetTag sets a tag as a manager of the channel would.
func (p *Playground) SetTag(person, tag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tags[person] = tag
}

// Marks sets whether the bot may set tags. The default is true.
func (p *Playground) Marks(may bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults.noMarks = !may
}
