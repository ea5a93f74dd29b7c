package discord

import (
	"context"
	"net/http"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/activity"
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
	if s.About != nil {
		if photo, _ := o.photos.Get(s.About.ID); photo != "" {
			m.Portray(*s.About, photo)
		}
	}
	return m
}

// maxFaces is the number of people whose pictures are remembered.
const maxFaces = 20_000

// meetAll remembers the pictures of the people in an interaction.
func (o *outbox) meetAll(it *interaction) {
	o.meet(*it.who())
	for _, u := range it.Data.Resolved.Users {
		o.meet(u)
	}
}

// meet remembers the picture of a person, or that they have none.
func (o *outbox) meet(u user) {
	o.photos.Put(prefix+u.ID, activity.AvatarOf(u.ID, u.Avatar), maxFaces)
}

// face asks Discord for the picture of the person whom a new message is about, if it isn't known: a message that nobody
// asked for can wait for that. Without an answer, the message has no picture.
// https://discord.com/developers/docs/resources/user#get-user
func (o *outbox) face(ctx context.Context, s screen.Screen) {
	if s.About == nil {
		return
	}
	id, ok := message.Snowflake(s.About.ID, prefix)
	if _, known := o.photos.Get(s.About.ID); known || !ok {
		return
	}
	of := user{ID: id}
	if err := o.client.call(ctx, request{method: http.MethodGet, path: "/users/" + id, limit: "users"}, &of); err == nil {
		o.meet(of)
	}
}

// Preview returns the message that would show a screen on Discord, and how much of
// Discord's limits it uses.
func Preview(s screen.Screen) (chat.Preview, error) { return message.Preview(s) }
