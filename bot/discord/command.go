package discord

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
)

// rootCommand is the one command; all others are its subcommands.
const rootCommand = "sedma"

// maxDescription is the longest description, in characters
// (https://discord.com/developers/docs/interactions/application-commands#application-command-object-application-command-structure).
const maxDescription = 100

// maxChoices is how many values an option may suggest
// (https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object-autocomplete).
const maxChoices = 25

// register tells Discord the commands, unless it has them so already. One process at
// a time does so. A refusal is logged: the bot can do with those that are there.
func (a *Adapter) register(ctx context.Context, app application) {
	a.apart.Add(1)
	defer a.apart.Add(-1)
	for wait := (backOff{}); ; {
		same, err := a.rest.registered(ctx, app)
		if err == nil && !same {
			a.log.Info("registering the commands with discord")
			want := []*discordgo.ApplicationCommand{command(installTypes(app.Installs))}
			err = a.rest.call(ctx, request{method: http.MethodPut, path: commandPath(app), limit: "register", body: want}, nil)
		}
		switch {
		case err == nil:
			return
		case !isRetry(deliveryError(err)):
			a.log.Error("discord refused the commands", "err", err)
			return
		case !wait.again(ctx, a, "cannot register the commands yet", err):
			return
		}
	}
}

// turnTimeout is how long to wait for the turn to register the commands before
// anything else is done.
const turnTimeout = 200 * time.Millisecond

// registerInTurn registers the commands once no other process does. If another one
// does now, that goes on in the background, as a part of busy.
func (a *Adapter) registerInTurn(ctx context.Context, app application, busy *sync.WaitGroup) {
	begun, done := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	busy.Go(func() {
		defer close(done)
		_ = a.hold(ctx, "discord commands", func(ctx context.Context) error {
			begin()
			a.register(ctx, app)
			return nil
		})
	})
	timer := time.NewTimer(turnTimeout)
	defer timer.Stop()
	select {
	case <-begun:
		<-done
	case <-timer.C:
	case <-ctx.Done():
	}
}

// registered reports whether Discord has the commands as they should be.
func (c *rest) registered(ctx context.Context, app application) (bool, error) {
	var have []*discordgo.ApplicationCommand
	err := c.call(ctx, request{method: http.MethodGet, path: commandPath(app) + "?with_localizations=true", limit: "commands"}, &have)
	return sameCommands([]*discordgo.ApplicationCommand{command(installTypes(app.Installs))}, have), err
}

func commandPath(app application) string { return "/applications/" + app.ID + "/commands" }

// command is /sedma with all its subcommands. Who installed it for himself has
// it everywhere; where the bot is not, the shell opens no table. Permissions of
// members are asked for by command and not here: Discord knows them of the whole
// only (https://discord.com/developers/docs/interactions/application-commands#permissions).
func command(installs []discordgo.ApplicationIntegrationType) *discordgo.ApplicationCommand {
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
	for _, b := range chat.Commands {
		key := "cmd." + b.Name
		sub := &discordgo.ApplicationCommandOption{
			Type:                     discordgo.ApplicationCommandOptionSubCommand,
			Name:                     b.Name,
			NameLocalizations:        translations(nameKey(key)),
			Description:              cut(lang.For().Text(key), maxDescription),
			DescriptionLocalizations: translations(key),
		}
		for _, o := range b.Options {
			sub.Options = append(sub.Options, commandOption(key, o))
		}
		c.Options = append(c.Options, sub)
	}
	return c
}

func commandOption(key string, o chat.Option) *discordgo.ApplicationCommandOption {
	key += "." + o.Name
	out := &discordgo.ApplicationCommandOption{
		Type:                     discordgo.ApplicationCommandOptionString,
		Name:                     o.Name,
		NameLocalizations:        translations(nameKey(key)),
		Description:              cut(lang.For().Text(key), maxDescription),
		DescriptionLocalizations: translations(key),
		Required:                 o.Required,
	}
	switch o.Kind {
	case chat.OptionText: // as above
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
			choice.Name = cut(lang.For().Text(name), maxDescription)
			choice.NameLocalizations = translations(name)
		}
		out.Choices = append(out.Choices, choice)
	}
	return out
}

// nameKey is where the catalogues have the name of what they describe under key:
// "slash.new.game" for "cmd.new.game".
func nameKey(key string) string { return "slash" + strings.TrimPrefix(key, "cmd") }

// installTypes are the ways to install an application, from what Discord says of
// it; to a server where it says nothing.
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

// translations is a text in each language that Discord knows, but English.
func translations(key string) map[discordgo.Locale]string {
	out := map[discordgo.Locale]string{}
	for _, code := range lang.Languages() {
		locale := discordgo.Locale(code)
		if _, known := discordgo.Locales[locale]; known && code != lang.For().Code() {
			out[locale] = cut(lang.For(code).Text(key), maxDescription)
		}
	}
	return out
}

// sameCommands reports whether Discord has the commands as they should be. It
// adds fields of its own to those that it was given, and leaves out empty ones.
func sameCommands(want, have []*discordgo.ApplicationCommand) bool {
	return slices.EqualFunc(want, have, func(w, h *discordgo.ApplicationCommand) bool {
		return reflect.DeepEqual(definition(w), definition(h))
	})
}

// definition is what a command and Discord's copy of it have in common.
func definition(c *discordgo.ApplicationCommand) any {
	data, err := json.Marshal(c)
	if err != nil {
		return nil
	}
	var v map[string]any
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	for _, name := range []string{"id", "application_id", "guild_id", "version", "default_member_permissions", "dm_permission", "default_permission", "nsfw"} {
		delete(v, name)
	}
	return filled(v)
}

// filled is a JSON value without its empty fields.
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
