package discord

import (
	"context"
	"errors"
	"net/http"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
)

// channelVoice is the type of a voice channel, the only one that has a status
// (https://discord.com/developers/docs/resources/channel#channel-object-channel-types).
const channelVoice = 2

// maxVoices is the maximum number of channels whose type is remembered.
const maxVoices = 20_000

// SetStatus shows a text under the name of a voice channel, or none. For that, the bot needs the permission Set Voice
// Channel Status, and also Manage Channels while it isn't connected to the channel
// (https://discord.com/developers/docs/resources/channel#set-voice-channel-status).
func (a *Adapter) SetStatus(ctx context.Context, where, text string) error {
	channel, ok := message.Snowflake(where, prefix)
	if !ok {
		return deliveryError(malformed("channel"))
	}
	path := "/channels/" + channel
	voice, known := a.voices.Get(channel)
	if !known {
		var is struct {
			Type int `json:"type"`
		}
		if err := a.client.call(ctx, request{method: http.MethodGet, path: path, limit: "channel " + channel, late: true}, &is); err != nil {
			return deliveryError(err)
		}
		voice = is.Type == channelVoice
		a.voices.Put(channel, voice, maxVoices)
	}
	if !voice {
		return &chat.DeliveryError{Fault: chat.Gone, Err: errNoVoice}
	}
	body := map[string]any{"status": nil}
	if text != "" {
		body["status"] = message.Cut(text, maxStatus)
	}
	return deliveryError(a.client.call(ctx, request{method: http.MethodPut, path: path + "/voice-status", limit: "status " + channel, late: true, body: body}, nil))
}

// maxStatus is the maximum length of a status, in characters.
const maxStatus = 500

// errNoVoice reports that a channel isn't a voice channel.
var errNoVoice = errors.New("the channel isn't a voice channel")
