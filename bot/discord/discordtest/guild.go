package discordtest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Role is a role of a guild.
type Role struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Position    int    `json:"position"`
	Permissions string `json:"permissions"`
	Gradient    bool   `json:"-"` // it has two colors
}

// Features sets what the guild has beyond others, such as ENHANCED_ROLE_COLORS.
func (g *Guild) Features(features ...string) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.features = features
}

// Role returns the role with that name, or an empty one.
func (g *Guild) Role(name string) (found Role) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for _, r := range g.roles {
		if r.Name == name {
			found = r
		}
	}
	return found
}

// Place sets the positions of the bot's own role and of the others' roles with that name. With
// may, the bot's role has the permission to manage roles.
func (g *Guild) Place(may bool, own int, name string, position int) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.rank, g.mayRoles = own, may
	for i := range g.roles {
		if g.roles[i].Name == name {
			g.roles[i].Position = position
		}
	}
}

// AddRole adds a role, as a person would.
func (g *Guild) AddRole(name string) {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	g.roles = append(g.roles, Role{ID: g.s.snowflake(g.s.now()), Name: name, Permissions: "0"})
}

// Has reports whether a person has a role with that name.
func (g *Guild) Has(p *Person, name string) bool {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	for _, r := range g.roles {
		if r.Name == name && slices.Contains(g.members[p.ID], r.ID) {
			return true
		}
	}
	return false
}

// roleList answers a request about the guild's roles.
func (g *Guild) roleList(c Call) (any, *refusal) {
	own := Role{ID: g.ID + "1", Name: "sedmabot", Position: g.rank, Permissions: "0"}
	if g.mayRoles {
		own.Permissions = "268435456"
	}
	if c.Method == http.MethodGet {
		return append([]Role{{ID: g.ID, Name: "@everyone", Permissions: "0"}, own}, g.roles...), nil
	}
	var made struct {
		Name        string
		Permissions int
		Colors      *struct {
			Primary   int `json:"primary_color"`
			Secondary int `json:"secondary_color"`
		}
	}
	if !g.mayRoles {
		return nil, missingPermission
	}
	if json.Unmarshal(c.Body, &made) != nil || made.Name == "" || made.Permissions != 0 {
		return nil, invalidForm
	}
	if made.Colors != nil && !slices.Contains(g.features, "ENHANCED_ROLE_COLORS") {
		return nil, invalidForm
	}
	r := Role{ID: g.s.id(), Name: made.Name, Position: 1, Permissions: "0", Gradient: made.Colors != nil && made.Colors.Secondary != 0}
	g.roles = append(g.roles, r)
	return r, nil
}

// guild returns the guild with that id, or nil. s.mu must be held.
func (s *Server) guild(id string) *Guild {
	for _, g := range s.guilds {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// Leave takes a person out of the guild.
func (p *Person) Leave(g *Guild) {
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	g.left[p.ID] = true
}

// member answers a request about a member of a guild, or about one of the member's roles.
func (s *Server) member(guild, id, role string, c Call) (any, *refusal) {
	g := s.guild(guild)
	switch {
	case g == nil:
		return nil, &refusal{status: 404, code: 10004, text: "Unknown Guild"}
	case role == "" && id == s.app:
		return object{"roles": []string{g.ID + "1"}}, nil
	case s.people[id] == nil || g.left[id]:
		return nil, &refusal{status: 404, code: 10007, text: "Unknown Member"}
	case role == "":
		return object{"roles": slices.Concat([]string{}, g.members[id])}, nil
	}
	i := slices.IndexFunc(g.roles, func(r Role) bool { return r.ID == role })
	if i < 0 || !g.mayRoles || g.roles[i].Position >= g.rank {
		return nil, missingPermission
	}
	g.members[id] = slices.DeleteFunc(slices.Clone(g.members[id]), func(r string) bool { return r == role })
	if c.Method == http.MethodPut {
		g.members[id] = append(g.members[id], role)
	}
	return nil, nil
}

// guildInfo answers a request about a guild, or about its roles.
func (s *Server) guildInfo(guild, what string, c Call) (any, *refusal) {
	g := s.guild(guild)
	switch {
	case g == nil:
		return nil, &refusal{status: 404, code: 10004, text: "Unknown Guild"}
	case what == "roles":
		return g.roleList(c)
	case what != "":
		s.wrong("%s %s: no such path", c.Method, c.Path)
		return nil, &refusal{status: 404, text: "404: Not Found"}
	}
	return object{"id": g.ID, "name": "Cards", "features": slices.Concat([]string{}, g.features)}, nil
}
