package discord

import (
	"context"
	"errors"
	"net/http"

	"sedmabot/bot/chat"
)

// ErrToken reports that Discord refused the token.
var ErrToken = errors.New("discord: " + badToken)

// Account describes the bot's account on Discord.
type Account struct {
	Name     string
	App      string // the application's id
	Endpoint string // the web address that receives all interactions; "": they arrive through the gateway
	Launches bool   // the application has an Entry Point command, so Activities are enabled
}

// Account asks Discord for the bot's account. Run doesn't have to be running. If Discord
// refuses the token, the error is ErrToken.
// https://discord.com/developers/docs/resources/user#get-current-user
// https://discord.com/developers/docs/resources/application#get-current-application
func (a *Adapter) Account(ctx context.Context) (Account, error) {
	var user struct {
		Username string `json:"username"`
	}
	var app application
	var entry []any
	err := a.client.call(ctx, request{method: http.MethodGet, path: "/users/@me", limit: "user"}, &user)
	if err == nil {
		app, err = a.client.application(ctx)
	}
	if err == nil {
		_, entry, err = a.client.registered(ctx, app, a.definitions(app))
	}
	var e *apiError
	if errors.As(err, &e) && e.status == http.StatusUnauthorized {
		err = ErrToken
	}
	return Account{user.Username, app.ID, app.Endpoint, len(entry) > 0}, err
}

// application is Discord's description of the bot's application.
type application struct {
	ID       string         `json:"id"`
	Key      string         `json:"verify_key"`
	Endpoint string         `json:"interactions_endpoint_url"`
	Public   bool           `json:"bot_public"`               // whether others than its owner can add the bot
	Installs map[string]any `json:"integration_types_config"` // settings by type of installation: to a server, or for a user
}

// application asks Discord for the application. It waits for the limits that hold the request back.
func (c *client) application(ctx context.Context) (app application, err error) {
	for {
		err = c.call(ctx, request{method: http.MethodGet, path: "/applications/@me", limit: "application"}, &app)
		var e *apiError
		if !errors.As(err, &e) || !e.held || !chat.Pause(ctx, e.after) {
			return app, err
		}
	}
}
