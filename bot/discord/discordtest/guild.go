package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// Event is a scheduled event of a guild.
type Event struct {
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Start time.Time `json:"scheduled_start_time"`
	End   time.Time `json:"scheduled_end_time"`
	Kind  int       `json:"entity_type"`
	Where struct {
		Location string `json:"location"`
	} `json:"entity_metadata"`
}

// Events returns the guild's scheduled events.
func (g *Guild) Events() []Event {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return slices.Clone(g.events)
}

// guildEvents answers a request about a guild's scheduled events
// (https://discord.com/developers/docs/resources/guild-scheduled-event).
func (s *Server) guildEvents(guild, what, id string, c Call) (any, *refusal) {
	g := s.guilds[guild]
	if g == nil || what != "scheduled-events" {
		return nil, &refusal{status: 404, code: 10004, text: "Unknown Guild"}
	}
	if c.Method == http.MethodGet {
		return append([]Event{}, g.events...), nil
	}
	if g.may&MayEvents == 0 {
		return nil, missingPermission
	}
	if c.Method == http.MethodDelete {
		n := len(g.events)
		g.events = slices.DeleteFunc(g.events, func(e Event) bool { return e.ID == id })
		if len(g.events) == n {
			return nil, &refusal{status: 404, code: 10070, text: "Unknown Guild Scheduled Event"}
		}
		return nil, nil
	}
	var e Event
	if json.Unmarshal(c.Body, &e) != nil || e.Kind != 3 || e.Where.Location == "" || !e.End.After(e.Start) || e.Name == "" {
		return nil, invalidForm
	}
	e.ID = s.id()
	g.events = append(g.events, e)
	return e, nil
}
