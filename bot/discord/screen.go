package discord

import (
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/screen"
)

// draw returns a message that shows a screen, with its picture and the cards' emojis, if any.
func (o *outbox) draw(s screen.Screen, fresh bool) message.Body {
	var cards message.Cards
	if found := o.emojis.Load(); found != nil {
		cards = *found
	}
	m := message.Draft(s, fresh, cards)
	m.Paint(s, o.easel)
	if about, ok := s.Subject(); ok {
		if photo, _ := o.photos.Get(about.ID); photo != "" {
			m.Portray(about, photo)
		}
	}
	return m
}

// Preview returns the message that would show a screen on Discord, and how much of
// Discord's limits it uses.
func Preview(s screen.Screen) (chat.Preview, error) { return message.Preview(s) }
