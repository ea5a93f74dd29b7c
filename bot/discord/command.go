package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/lang"
)

// rootCommand is the bot's only top-level command that people type; all others are its
// subcommands.
const rootCommand = "sedma"

// personKey is the catalogue key of the name of the command on a person.
const personKey = "invite.command"

// maxDescription is the maximum length of a description, in characters
// (https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-structure).
const maxDescription = 100

// maxChoices is the maximum number of suggestions for an option
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-autocomplete).
const maxChoices = 25

// register registers the commands with Discord, unless they are up to date. Only one
// process may do so at a time. If Discord refuses, register logs it, and the bot works
// with the commands that are there.
func (a *Adapter) register(ctx context.Context, app application) {
	err := a.repeat(ctx, "cannot register the commands yet", func() error {
		same, entry, err := a.client.registered(ctx, app, a.definitions(app))
		if err != nil || same {
			return err
		}
		a.log.Info("registering the commands with discord")
		want := slices.Clone(entry)
		for _, c := range a.definitions(app) {
			want = append(want, c)
		}
		return a.client.call(ctx, request{method: http.MethodPut, path: commandPath(app), limit: "register", body: want}, nil)
	})
	if err != nil {
		a.log.Error("discord refused the commands", "err", err)
	}
}

// entryPoint is the type of the command that launches the application's Activity. Discord
// makes it, and refuses a list of commands without it (error 50240).
// https://discord.com/developers/docs/interactions/application-commands#entry-point-commands
const entryPoint = 4

// readOnly are the fields of a command that Discord adds, and doesn't take.
var readOnly = []string{"application_id", "guild_id", "version"}

// registered reports whether the commands at Discord are those wanted. entry is the Entry
// Point command, if there is one: each new list of commands has to contain it, unchanged.
func (c *client) registered(ctx context.Context, app application, want []*discordgo.ApplicationCommand) (same bool, entry []any, err error) {
	var all []json.RawMessage
	if err := c.call(ctx, request{method: http.MethodGet, path: commandPath(app) + "?with_localizations=true", limit: "commands"}, &all); err != nil {
		return false, nil, err
	}
	var have []*discordgo.ApplicationCommand
	for _, data := range all {
		var fields map[string]json.RawMessage
		var full *discordgo.ApplicationCommand
		if json.Unmarshal(data, &fields) == nil && string(fields["type"]) == strconv.Itoa(entryPoint) {
			for _, given := range readOnly {
				delete(fields, given)
			}
			entry = append(entry, fields)
		} else if err := json.Unmarshal(data, &full); err != nil {
			return false, nil, errReach
		} else {
			have = append(have, full)
		}
	}
	return sameCommands(want, have), entry, nil
}

// definitions returns all commands of the bot, as Discord defines them.
func (a *Adapter) definitions(app application) []*discordgo.ApplicationCommand {
	installs := installTypes(app.Installs)
	return []*discordgo.ApplicationCommand{command(a.commands, installs), personCommand(installs)}
}

// personCommand returns the command in the menu of each member of a server. It invites that
// person to a table.
// https://discord.com/developers/docs/interactions/application-commands#user-commands
func personCommand(installs []discordgo.ApplicationIntegrationType) *discordgo.ApplicationCommand {
	return &discordgo.ApplicationCommand{
		Type:              discordgo.UserApplicationCommand,
		Name:              lang.For().Text(personKey),
		NameLocalizations: new(translations(personKey)),
		Contexts:          &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild},
		IntegrationTypes:  &installs,
	}
}

func commandPath(app application) string { return "/applications/" + app.ID + "/commands" }

// command returns /sedma with all its subcommands, of which some are in groups. People who installed it for themselves
// have it everywhere, but tables can only be opened where the bot is a member. Members'
// permissions are checked when a subcommand is handled, since Discord can require them
// only for the whole command
// (https://discord.com/developers/docs/interactions/application-commands#permissions).
func command(commands []chat.Command, installs []discordgo.ApplicationIntegrationType) *discordgo.ApplicationCommand {
	contexts := []discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM}
	if slices.Contains(installs, discordgo.ApplicationIntegrationUserInstall) {
		contexts = append(contexts, discordgo.InteractionContextPrivateChannel)
	}
	c := &discordgo.ApplicationCommand{
		Type:                     discordgo.ChatApplicationCommand,
		Name:                     rootCommand,
		Description:              lang.For().Text("cmd"),
		Contexts:                 &contexts,
		IntegrationTypes:         &installs,
		DescriptionLocalizations: new(translations("cmd")),
	}
	groups := map[string]*discordgo.ApplicationCommandOption{}
	for _, b := range commands {
		if b.Spare && b.Group == "" {
			continue
		}
		key := "cmd." + b.Name
		sub := &discordgo.ApplicationCommandOption{
			Type:                     discordgo.ApplicationCommandOptionSubCommand,
			Name:                     cmp.Or(b.In, b.Name),
			NameLocalizations:        translations(spelled(b)),
			Description:              message.Cut(lang.For().Text(key), maxDescription),
			DescriptionLocalizations: translations(key),
		}
		for _, o := range b.Options {
			sub.Options = append(sub.Options, commandOption(key, o))
		}
		if b.Group == "" {
			c.Options = append(c.Options, sub)
			continue
		}
		group := groups[b.Group]
		if group == nil {
			group = commandGroup(b.Group)
			groups[b.Group] = group
			c.Options = append(c.Options, group)
		}
		group.Options = append(group.Options, sub)
	}
	return c
}

// commandGroup returns an empty group of subcommands. A command has room for 25 subcommands and groups, and a group for
// 25 subcommands (https://discord.com/developers/docs/interactions/application-commands#subcommands-and-subcommand-groups).
func commandGroup(name string) *discordgo.ApplicationCommandOption {
	about := "cmd.in." + name
	return &discordgo.ApplicationCommandOption{
		Type:                     discordgo.ApplicationCommandOptionSubCommandGroup,
		Name:                     name,
		NameLocalizations:        translations("slash." + name),
		Description:              message.Cut(lang.For().Text(about), maxDescription),
		DescriptionLocalizations: translations(about),
	}
}

// spelled returns the catalogue key of a command's own name, in its group if it has one.
func spelled(c chat.Command) string {
	if c.In != "" {
		return "slash.in." + c.Name
	}
	return "slash." + c.Name
}

func commandOption(key string, o chat.Option) *discordgo.ApplicationCommandOption {
	key += "." + o.Name
	out := &discordgo.ApplicationCommandOption{
		Type:                     discordgo.ApplicationCommandOptionString,
		Name:                     o.Name,
		NameLocalizations:        translations(nameKey(key)),
		Description:              message.Cut(lang.For().Text(key), maxDescription),
		DescriptionLocalizations: translations(key),
		Required:                 o.Required,
	}
	switch o.Kind {
	case chat.OptionText: // the default above
	case chat.OptionNumber:
		out.Type = discordgo.ApplicationCommandOptionInteger
	case chat.OptionPerson:
		out.Type = discordgo.ApplicationCommandOptionUser
	}
	out.Autocomplete = o.Complete
	for _, value := range o.Choices {
		choice := &discordgo.ApplicationCommandOptionChoice{Name: value, Value: value}
		if o.Kind == chat.OptionNumber {
			choice.Value = json.Number(value)
		}
		if name := o.Names + value; o.Names != "" {
			choice.Name = message.Cut(lang.For().Text(name), maxDescription)
			choice.NameLocalizations = translations(name)
		}
		out.Choices = append(out.Choices, choice)
	}
	return out
}

// nameKey returns the catalogue key of a name from the key of its description, such as
// "slash.new.game" for "cmd.new.game".
func nameKey(key string) string { return "slash" + strings.TrimPrefix(key, "cmd") }

// installTypes returns the ways to install an application, from its settings at Discord.
// The default is installation to a server.
// https://discord.com/developers/docs/resources/application#application-object-application-integration-types
func installTypes(config map[string]any) []discordgo.ApplicationIntegrationType {
	out := []discordgo.ApplicationIntegrationType{}
	for _, t := range []discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall} {
		if _, ok := config[strconv.Itoa(int(t))]; ok {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		out = append(out, discordgo.ApplicationIntegrationGuildInstall)
	}
	return out
}

// translations returns a text in all languages that Discord supports, except English.
func translations(key string) map[discordgo.Locale]string {
	out := map[discordgo.Locale]string{}
	for _, code := range lang.Languages() {
		locale := discordgo.Locale(code)
		if _, known := discordgo.Locales[locale]; known && code != lang.For().Code() {
			out[locale] = message.Cut(lang.For(code).Text(key), maxDescription)
		}
	}
	return out
}

// sameCommands reports whether Discord's copies of the commands are up to date. It ignores
// the fields that Discord adds, and empty fields, which Discord leaves out.
func sameCommands(want, have []*discordgo.ApplicationCommand) bool {
	byType := func(a, b *discordgo.ApplicationCommand) int { return cmp.Compare(a.Type, b.Type) }
	slices.SortFunc(want, byType)
	slices.SortFunc(have, byType)
	return slices.EqualFunc(want, have, func(w, h *discordgo.ApplicationCommand) bool {
		return reflect.DeepEqual(definition(w), definition(h))
	})
}

// definition returns the fields that a command and Discord's copy of it have in common.
func definition(c *discordgo.ApplicationCommand) any {
	data, err := json.Marshal(c)
	if err != nil {
		return nil
	}
	var v map[string]any
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	for _, name := range append([]string{"id", "default_member_permissions", "dm_permission", "default_permission", "nsfw"}, readOnly...) {
		delete(v, name)
	}
	return filled(v)
}

// filled returns a JSON value without its empty fields.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			if f := filled(field); f == nil {
				delete(v, name)
			} else {
				v[name] = f
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			if f := filled(v[i]); f != nil {
				v[i] = f
			}
		}
		if len(v) == 0 {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	}
	return v
}
