package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

func (s *Server) setCommands(body json.RawMessage) (any, *refusal) {
	var list []any
	if json.Unmarshal(body, &list) != nil {
		return nil, invalidForm
	}
	if entry := s.activity.entry; entry != nil && !slices.ContainsFunc(list, func(v any) bool { return sameEntry(v, entry) }) {
		return nil, &refusal{status: 400, code: 50240, text: "You cannot remove this app's Entry Point command in a bulk update operation."}
	}
	for i, v := range list {
		c, _ := v.(object)
		if c["type"] == float64(entryPoint) {
			list[i] = s.activity.entry
			continue
		}
		c["id"], c["application_id"], c["version"] = s.id(), s.app, s.id()
		c["default_member_permissions"], c["nsfw"] = nil, false
		list[i] = c
	}
	s.commands = list
	return list, nil
}

func (s *Server) openDM(body json.RawMessage) (any, *refusal) {
	var b struct {
		Recipient string `json:"recipient_id"`
	}
	_ = json.Unmarshal(body, &b)
	p := s.people[b.Recipient]
	if p == nil {
		return nil, &refusal{status: 400, code: 50033, text: "Invalid Recipient(s)"}
	}
	return object{"id": p.dm.ID, "type": 1}, nil
}

func (s *Server) post(channel string, c Call) (any, *refusal) {
	ch := s.channels[channel]
	if ch == nil {
		return nil, unknownChannel
	}
	if ch.person != nil && ch.person.noDMs {
		return nil, noDMs
	}
	if refused := s.reach(ch); refused != nil {
		return nil, refused
	}
	if ch.guild != nil && ch.guild.may&(MaySend|MayThreads) == 0 || ch.locked || ch.refusesFiles(c) {
		return nil, missingPermission
	}
	ch.archived = false
	m := &message{id: s.id(), at: s.now(), channel: ch}
	if refused := s.fill(m, c, flagV2, true); refused != nil {
		return nil, refused
	}
	for _, old := range ch.messages {
		if m.nonce != "" && old.nonce == m.nonce {
			return object{"id": old.id, "channel_id": channel, "timestamp": old.at}, nil
		}
	}
	ch.messages = append(ch.messages, m)
	return object{"id": m.id, "channel_id": channel, "timestamp": m.at}, nil
}

// join adds the bot to a thread. The bot can join a private thread only if it is a member already.
func (s *Server) join(channel, what, who string) *refusal {
	ch := s.channels[channel]
	switch {
	case ch == nil || !ch.thread || what != "thread-members" || who != "@me":
		return unknownChannel
	case ch.archived:
		return archived
	}
	return s.reach(ch)
}

func (s *Server) change(channel, id string, c Call) (any, *refusal) {
	ch := s.channels[channel]
	if ch == nil {
		return nil, unknownChannel
	}
	if refused := s.reach(ch); refused != nil {
		return nil, refused
	}
	if ch.archived {
		return nil, archived
	}
	if ch.refusesFiles(c) {
		return nil, missingPermission
	}
	for _, m := range ch.messages {
		if m.id == id && !m.deleted && m.only == nil {
			return s.changeMessage(m, c)
		}
	}
	return nil, unknownMessage
}

func (s *Server) changeMessage(m *message, c Call) (any, *refusal) {
	if c.Method == http.MethodDelete {
		m.deleted = true
		return nil, nil
	}
	if refused := s.fill(m, c, flagV2, false); refused != nil {
		return nil, refused
	}
	m.loading = false
	m.edits++
	return object{"id": m.id}, nil
}

// valid reports whether the interaction's token is valid. s.mu must be held.
func (i *Interaction) valid() bool { return i.s.clock.Now()-i.created <= tokenLife && !i.expired }

// answeredBy sets the message that answers the interaction. s.mu must be held.
func (i *Interaction) answeredBy(m *message) {
	i.original = m
	m.answers = append(m.answers, i)
}

// Reader returns the only person who reads what a request shows, or nil if others read it, too.
func (s *Server) Reader(c Call) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.Split(strings.Trim(c.Path, "/"), "/")
	if ch := s.channels[parts[min(1, len(parts)-1)]]; ch != nil {
		return ch.person
	}
	var body struct {
		Type, Flags int
		Data        struct{ Flags int }
	}
	_ = json.Unmarshal(c.Body, &body)
	for _, i := range s.interactions {
		switch {
		case len(parts) < 3 || i.token != parts[2]:
		case i.channel.person != nil:
			return i.channel.person
		case parts[0] == "webhooks" && len(parts) == 5 && i.original != nil, body.Type == 7:
			if body.Type == 7 {
				return i.message.only
			}
			return i.original.only
		default:
			return i.onlyIf(body.Flags | body.Data.Flags)
		}
	}
	return nil
}

// byToken returns the interaction that a request with this token is about.
func (s *Server) byToken(app, token string, c Call) (*Interaction, *refusal) {
	for _, i := range s.interactions {
		switch {
		case i.token != token || app != s.app:
		case i.kind == 0:
			if !s.lateAnswers { // the bot can't know which one a dead connection lost
				s.wrong("%s %s: before the first answer", c.Method, c.Path)
			}
			return nil, unknownWebhook
		case !i.valid():
			s.saw("a token had expired")
			return nil, &refusal{status: 401, code: 50027, text: "Invalid Webhook Token"}
		default:
			return i, nil
		}
	}
	return nil, unknownWebhook
}

func (s *Server) follow(app, token string, c Call) (any, *refusal) {
	i, refused := s.byToken(app, token, c)
	if refused != nil {
		return nil, refused
	}
	m := &message{id: s.id(), channel: i.channel, origin: i.id}
	if i.original != nil && i.original.loading && !i.original.deleted {
		m = i.original // the first message replaces the deferred answer
	}
	if refused := s.fill(m, c, flagV2|flagEphemeral, m != i.original); refused != nil {
		return nil, refused
	}
	if m == i.original {
		m.loading = false
	} else {
		m.only = i.onlyIf(m.flags)
		i.channel.messages = append(i.channel.messages, m)
	}
	return object{"id": m.id}, nil
}

func (s *Server) changeAnswer(app, token, id string, c Call) (any, *refusal) {
	i, refused := s.byToken(app, token, c)
	if refused != nil {
		return nil, refused
	}
	if i.original == nil || i.original.deleted || id != "@original" {
		return nil, unknownMessage
	}
	if i.original.loading {
		s.saw("an interaction was answered late")
	}
	return s.changeMessage(i.original, c)
}

// answer handles the first answer to an interaction.
func (s *Server) answer(id, token string, c Call) *refusal {
	n := slices.IndexFunc(s.interactions, func(i *Interaction) bool { return i.id == id && i.token == token })
	if n < 0 {
		s.wrong("%s %s: no such interaction", c.Method, c.Path)
		return unknownInteraction
	}
	i := s.interactions[n]
	if took := s.clock.Now() - i.created; took > firstAnswer && !s.lateAnswers {
		s.wrong("%s of %s was answered after %v", i.what, i.person.Name, took)
		return unknownInteraction
	}
	if i.kind != 0 {
		if !i.replayed {
			s.wrong("%s of %s was answered twice", i.what, i.person.Name)
		}
		return &refusal{status: 400, code: 40060, text: "Interaction has already been acknowledged."}
	}
	var body struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if json.Unmarshal(c.Body, &body) != nil {
		return invalidForm
	}
	c.Body = body.Data
	press := i.message != nil
	switch {
	case body.Type == 4:
		m := &message{id: s.id(), channel: i.channel, origin: i.id}
		if refused := s.fill(m, c, flagV2|flagEphemeral, true); refused != nil {
			return refused
		}
		m.only = i.onlyIf(m.flags)
		i.answeredBy(m)
		i.channel.messages = append(i.channel.messages, m)
	case body.Type == 5:
		var data struct{ Flags int }
		_ = json.Unmarshal(body.Data, &data)
		if data.Flags&^flagEphemeral != 0 {
			s.wrong("%s: a deferred answer may carry only the flag ephemeral, not %d", i.what, data.Flags)
			return invalidForm
		}
		i.answeredBy(&message{id: s.id(), channel: i.channel, loading: true, only: i.onlyIf(data.Flags), origin: i.id})
		i.channel.messages = append(i.channel.messages, i.original)
	case body.Type == answerLaunch:
		if s.activity.entry == nil {
			return &refusal{status: 400, code: 50234, text: "Activities are not enabled for this app."}
		}
	case body.Type == 8 && strings.HasPrefix(i.what, "typing "):
		var data struct {
			Choices []struct{ Name, Value string }
		}
		if json.Unmarshal(body.Data, &data) != nil || len(data.Choices) > maxOptions {
			s.wrong("%s: %d suggestions", i.what, len(data.Choices))
			return invalidForm
		}
		for _, choice := range data.Choices {
			i.choices = append(i.choices, Option{Label: choice.Name, Value: choice.Value})
		}
	case body.Type == 9 && i.event["type"] != 5: // a modal can't open another one
		form := &Form{i: i}
		if json.Unmarshal(body.Data, form) != nil {
			return invalidForm
		}
		if wrong := form.wrong(); wrong != "" {
			s.wrong("%s: a modal with %s", i.what, wrong)
			return invalidForm
		}
		i.modal = form
	case body.Type == 6 && press:
		i.answeredBy(i.message)
	case body.Type == 7 && press:
		if i.message.deleted {
			return unknownMessage
		}
		if refused := s.fill(i.message, c, flagV2|flagEphemeral, false); refused != nil {
			return refused
		}
		i.message.edits++
		i.answeredBy(i.message)
		s.saw("an edit answered a press")
	default:
		s.wrong("%s: an answer of type %d", i.what, body.Type)
		return invalidForm
	}
	i.kind = body.Type
	return nil
}
