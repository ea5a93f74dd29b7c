package discord

import (
	"net/http"
	"net/url"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
)

// webhook returns the path for requests about an answered interaction
// (https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages).
func webhook(app, token string) string {
	return "/webhooks/" + app + "/" + url.PathEscape(token)
}

func messageAddress(channel, id string) chat.Address {
	return chat.Address(prefix + "m/" + channel + "/" + id)
}

// channelOf returns the channel in a message's address or a PrivateChat, or "" for other addresses.
func channelOf(at chat.Address) string {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(string(at), prefix), "/")
	channel, _, _ := strings.Cut(rest, "/")
	if _, ok := message.Snowflake(channel, ""); !ok || kind != "m" && kind != "c" {
		return ""
	}
	return channel
}

func answerAddress(app, token string) chat.Address {
	return chat.Address(prefix + "i/" + app + "/" + token)
}

// malformed returns the error for an id that this adapter never made.
func malformed(what string) error {
	return &apiError{status: http.StatusBadRequest, code: codeInvalidForm, text: "the " + what + " is none of discord's"}
}
