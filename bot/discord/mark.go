package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
)

// Mark gives the season's champion, who has rank 1, a role, and takes it away from a member who
// no longer has that rank. The bot needs the permission Manage Roles, and a role of its own
// above the champion's (https://discord.com/developers/docs/topics/permissions#permission-hierarchy).
func (a *Adapter) Mark(ctx context.Context, home, player string, was, next chat.Mark) (chat.Mark, error) {
	guild, ok := message.Snowflake(home, prefix)
	if !ok {
		return was, deliveryError(malformed("server"))
	}
	mark, err := a.mark(ctx, guild, player, was, next)
	var refused *chat.MarkError
	switch {
	case err == nil || errors.As(err, &refused):
		return mark, err
	case hasCode(err, codeNoPermission) || hasCode(err, codeNoAccess):
		return was, &chat.MarkError{Why: chat.MarkRights}
	case hasCode(err, codeUnknownMember):
		return was, &chat.MarkError{Why: chat.MarkMember}
	}
	return was, deliveryError(err)
}

func (a *Adapter) mark(ctx context.Context, guild, player string, was, next chat.Mark) (chat.Mark, error) {
	keeps := next.Rank == 1
	if player != "" && !keeps && was.ID == "" && was.Tried == "" {
		return next, nil // a rank without a role
	}
	of, err := a.power(ctx, guild)
	if err != nil {
		return was, err
	}
	role := of.find(was.ID, next.Known, cmp.Or(next.Role, was.Role))
	if role != nil && role.Position >= of.top {
		return was, &chat.MarkError{Why: chat.MarkAbove}
	}
	if player == "" {
		return was, nil
	}
	user, ok := message.Snowflake(player, prefix)
	if !ok {
		return was, &chat.MarkError{Why: chat.MarkMember} // someone from another platform, at a shared table
	}
	if role == nil {
		if !keeps {
			next.ID = ""
			return next, nil // the role was deleted
		}
		if role, err = a.newRole(ctx, guild, next.Role); err != nil {
			return was, err
		}
	}
	path := "/guilds/" + guild + "/members/" + user
	var member discordgo.Member
	if err := a.client.call(ctx, request{method: http.MethodGet, path: path, limit: "member " + guild}, &member); err != nil {
		return was, err
	}
	has := slices.Contains(member.Roles, role.ID)
	ours := was.ID == role.ID || was.Tried != ""
	method := ""
	switch {
	case has && !ours:
		return was, &chat.MarkError{Why: chat.MarkTaken}
	case keeps && !has:
		method = http.MethodPut
	case !keeps && has:
		method = http.MethodDelete
	}
	if method != "" {
		if err := a.client.call(ctx, request{method: method, path: path + "/roles/" + role.ID, limit: "role " + guild}, nil); err != nil {
			return was, err
		}
	}
	if next.ID = ""; keeps {
		next.ID = role.ID
	}
	return next, nil
}

// The colours of the champion's role, from gold to red. Servers with the feature gradients show them; others have no
// colour for it (https://discord.com/developers/docs/topics/permissions#role-object-role-colors-object).
const (
	gold, red = 0xf1c40f, 0xe74c3c
	gradients = "ENHANCED_ROLE_COLORS"
)

// newRole creates the champion's role. It is the lowest one of the server, without permissions
// (https://discord.com/developers/docs/resources/guild#create-guild-role).
func (a *Adapter) newRole(ctx context.Context, guild, name string) (*discordgo.Role, error) {
	body := map[string]any{"name": name, "permissions": 0} // discordgo sends the permissions as text
	var server struct {
		Features []string `json:"features"`
	}
	err := a.client.call(ctx, request{method: http.MethodGet, path: "/guilds/" + guild, limit: "guild " + guild}, &server)
	if err != nil {
		return nil, err
	}
	if slices.Contains(server.Features, gradients) {
		body["colors"] = map[string]int{"primary_color": gold, "secondary_color": red}
	}
	var made discordgo.Role
	err = a.client.call(ctx, request{method: http.MethodPost, path: "/guilds/" + guild + "/roles", limit: "roles " + guild, body: body}, &made)
	return &made, err
}

// power is the bot's power over the roles of a server.
type power struct {
	roles []*discordgo.Role
	top   int // position of the bot's highest role
}

// power asks for the roles of a server. If the bot may not manage roles, the error is a
// *chat.MarkError.
func (a *Adapter) power(ctx context.Context, guild string) (p power, err error) {
	var self user
	var member discordgo.Member
	err = a.client.call(ctx, request{method: http.MethodGet, path: "/users/@me", limit: "user"}, &self)
	if err == nil {
		err = a.client.call(ctx, request{method: http.MethodGet, path: "/guilds/" + guild + "/members/" + self.ID, limit: "member " + guild}, &member)
		if hasCode(err, codeUnknownMember) {
			err = &chat.MarkError{Why: chat.MarkRights} // the server has the bot's commands, but not the bot
		}
	}
	if err == nil {
		err = a.client.call(ctx, request{method: http.MethodGet, path: "/guilds/" + guild + "/roles", limit: "roles " + guild}, &p.roles)
	}
	if err != nil {
		return p, err
	}
	var may int64
	for _, r := range p.roles {
		if r.ID == guild || slices.Contains(member.Roles, r.ID) { // everyone has the role with the server's id
			may |= r.Permissions
			p.top = max(p.top, r.Position)
		}
	}
	if may&(discordgo.PermissionManageRoles|discordgo.PermissionAdministrator) == 0 {
		err = &chat.MarkError{Why: chat.MarkRights}
	}
	return p, err
}

// find returns the first role that has one of the ids, else the one with that name, else nil.
func (p power) find(id, other, name string) *discordgo.Role {
	for _, is := range []func(*discordgo.Role) bool{
		func(r *discordgo.Role) bool { return id != "" && r.ID == id },
		func(r *discordgo.Role) bool { return other != "" && r.ID == other },
		func(r *discordgo.Role) bool { return name != "" && r.Name == name },
	} {
		if i := slices.IndexFunc(p.roles, is); i >= 0 {
			return p.roles[i]
		}
	}
	return nil
}
