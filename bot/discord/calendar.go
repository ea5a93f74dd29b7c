package discord

import (
	"context"
	"errors"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
)

// PutEvent creates a scheduled event in a server. For that, the bot needs the permission
// Create Events
// (https://discord.com/developers/docs/resources/guild-scheduled-event#create-guild-scheduled-event).
// An event of the same name at the same time is left as it is, so that a repeat creates no
// second one.
func (a *Adapter) PutEvent(ctx context.Context, e chat.Event) (string, error) {
	guild, ok := message.Snowflake(e.Home, prefix)
	channel, ok2 := message.Snowflake(e.Chat, prefix)
	if !ok || !ok2 {
		return "", deliveryError(malformed("server"))
	}
	path := "/guilds/" + guild + "/scheduled-events"
	var all []discordgo.GuildScheduledEvent
	if err := a.client.call(ctx, request{method: http.MethodGet, path: path, limit: "events " + guild}, &all); err != nil {
		return "", deliveryError(err)
	}
	for _, s := range all {
		if s.Name == e.Name && s.ScheduledStartTime.Equal(e.Start) {
			return s.ID, nil
		}
	}
	start, end := e.Start.UTC(), e.End.UTC()
	var made discordgo.GuildScheduledEvent
	err := a.client.call(ctx, request{method: http.MethodPost, path: path, limit: "events " + guild, body: discordgo.GuildScheduledEventParams{
		Name: e.Name, Description: e.About, ScheduledStartTime: &start, ScheduledEndTime: &end,
		PrivacyLevel: discordgo.GuildScheduledEventPrivacyLevelGuildOnly, EntityType: discordgo.GuildScheduledEventEntityTypeExternal,
		EntityMetadata: &discordgo.GuildScheduledEventEntityMetadata{Location: "https://discord.com/channels/" + guild + "/" + channel},
	}}, &made)
	if err != nil {
		return "", deliveryError(err)
	}
	return made.ID, nil
}

// DropEvent deletes a scheduled event of a server.
func (a *Adapter) DropEvent(ctx context.Context, home, id string) error {
	guild, ok := message.Snowflake(home, prefix)
	event, ok2 := message.Snowflake(id, "")
	if !ok || !ok2 {
		return deliveryError(malformed("event"))
	}
	err := a.client.call(ctx, request{method: http.MethodDelete, path: "/guilds/" + guild + "/scheduled-events/" + event, limit: "events " + guild}, nil)
	var d *chat.DeliveryError
	if err = deliveryError(err); errors.As(err, &d) && d.Fault == chat.Gone {
		return nil
	}
	return err
}
