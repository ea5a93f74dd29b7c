package discordtest

import (
	"encoding/json"
	"net/http"
	"unicode/utf8"
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
	case ch.voice:
		return 2
	}
	return 0
}

// Status returns the text under the name of a voice channel.
func (ch *Channel) Status() string {
	ch.s.mu.Lock()
	defer ch.s.mu.Unlock()
	return ch.status
}

// ofChannel answers a request about a channel, and not about its messages.
func (s *Server) ofChannel(channel string, c Call) (any, *refusal) {
	switch c.Method {
	case http.MethodPatch:
		return s.changeChannel(channel, c.Body)
	case http.MethodPut:
		return nil, s.setStatus(channel, c.Body)
	}
	return s.get(channel)
}

// get answers a request for a channel.
func (s *Server) get(channel string) (any, *refusal) {
	ch := s.channels[channel]
	switch {
	case ch == nil:
		return nil, unknownChannel
	case s.reach(ch) != nil:
		return nil, missingAccess
	}
	return object{"id": ch.ID, "type": ch.kind(), "name": ch.Name}, nil
}

// setStatus sets the status of a voice channel. The bot isn't connected to it, so it also has to manage channels
// (https://discord.com/developers/docs/resources/channel#set-voice-channel-status).
func (s *Server) setStatus(channel string, body json.RawMessage) *refusal {
	ch := s.channels[channel]
	var set struct{ Status *string }
	switch {
	case ch == nil:
		return unknownChannel
	case s.reach(ch) != nil:
		return missingAccess
	case ch.guild == nil || ch.guild.may&MayStatus == 0 || ch.guild.may&MayManage == 0:
		return missingPermission
	case !ch.voice:
		s.wrong("PUT channels/%s/voice-status: it isn't a voice channel", channel)
		return invalidForm
	case json.Unmarshal(body, &set) != nil || set.Status != nil && utf8.RuneCountInString(*set.Status) > 500:
		return invalidForm
	}
	if ch.status = ""; set.Status != nil {
		ch.status = *set.Status
	}
	return nil
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
