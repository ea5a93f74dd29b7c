package discord

import (
	"context"
	"net/http"

	"sedmabot/bot/discord/message"
	"sedmabot/bot/screen"
)

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
	o.photos.Put(prefix+u.ID, message.Avatar(u.ID, u.Avatar), maxFaces)
}

// face asks Discord for the picture of the person whom a new message is about, if it isn't known: a message that nobody
// asked for can wait for that. Without an answer, the message has no picture.
// https://discord.com/developers/docs/resources/user#get-user
func (o *outbox) face(ctx context.Context, s screen.Screen) {
	about, ok := s.Subject()
	id, known := message.Snowflake(about.ID, prefix)
	if !ok || !known {
		return
	}
	if _, known := o.photos.Get(about.ID); known {
		return
	}
	of := user{ID: id}
	if err := o.client.call(ctx, request{method: http.MethodGet, path: "/users/" + id, limit: "users"}, &of); err == nil {
		o.meet(of)
	}
}
