package discordtest

import (
	"encoding/json"
)

// kind returns the type of the channel
// (https://discord.com/developers/docs/resources/channel#channel-object-channel-types).
func (ch *Channel) kind() int {
	switch {
	case ch.person != nil || ch.guild == nil:
		return 1
	case ch.private:
		return 12
	case ch.thread:
		return 11
	}
	return 0
}

// reach returns Discord's refusal if the bot may not see the channel.
func (s *Server) reach(ch *Channel) *refusal {
	if ch.guild == nil && ch.person == nil || ch.guild != nil && (ch.guild.gone || ch.guild.may&MayView == 0) {
		return missingAccess
	}
	if ch.private && !ch.invited {
		return missingAccess
	}
	return nil
}

// refusesFiles reports whether the bot may not attach the request's files there.
func (ch *Channel) refusesFiles(c Call) bool {
	return len(c.Files) > 0 && ch.guild != nil && ch.guild.may&MayAttach == 0
}

// changeChannel reopens a thread. The bot must not change anything else about a channel.
func (s *Server) changeChannel(channel string, body json.RawMessage) (any, *refusal) {
	ch := s.channels[channel]
	var change struct{ Archived *bool }
	switch {
	case ch == nil:
		return nil, unknownChannel
	case json.Unmarshal(body, &change) != nil || !ch.thread || change.Archived == nil || *change.Archived:
		s.wrong("PATCH channels/%s: it only opens threads again: %s", channel, body)
		return nil, invalidForm
	case s.reach(ch) != nil:
		return nil, missingAccess
	case ch.locked || ch.guild.may&(MaySend|MayThreads) == 0:
		return nil, missingPermission
	}
	ch.archived = false
	return object{"id": channel, "type": 11}, nil
}
