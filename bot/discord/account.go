package discord

import (
	"context"
	"errors"
	"net/http"
)

// ErrToken: Discord does not know the token.
var ErrToken = errors.New("discord: " + badToken)

// Account is what Discord says of the bot.
type Account struct {
	Name     string
	Endpoint string // the web address that gets all interactions, or "": then they come through the gateway
}

// Account asks Discord who the bot is. Run need not run, in this process or any
// other. A token that Discord does not know is ErrToken.
// https://discord.com/developers/docs/resources/user#get-current-user
// https://discord.com/developers/docs/resources/application#get-current-application
func (a *Adapter) Account(ctx context.Context) (Account, error) {
	var user struct {
		Username string `json:"username"`
	}
	var app application
	err := a.rest.call(ctx, request{method: http.MethodGet, path: "/users/@me", limit: "user"}, &user)
	if err == nil {
		app, err = a.rest.application(ctx)
	}
	var e *apiError
	if errors.As(err, &e) && e.status == http.StatusUnauthorized {
		err = ErrToken
	}
	return Account{user.Username, app.Endpoint}, err
}

// application is the bot's, as Discord tells of it.
type application struct {
	ID       string         `json:"id"`
	Key      string         `json:"verify_key"`
	Endpoint string         `json:"interactions_endpoint_url"`
	Installs map[string]any `json:"integration_types_config"` // by the ways to install it
}

func (c *rest) application(ctx context.Context) (app application, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/applications/@me", limit: "application"}, &app)
	return app, err
}
