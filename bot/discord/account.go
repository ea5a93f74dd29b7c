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
	var app struct {
		Endpoint string `json:"interactions_endpoint_url"`
	}
	err := a.rest.call(ctx, request{method: http.MethodGet, path: "/users/@me", limit: "user"}, &user)
	if err == nil {
		err = a.rest.call(ctx, request{method: http.MethodGet, path: "/applications/@me", limit: "application"}, &app)
	}
	var e *apiError
	if errors.As(err, &e) && e.status == http.StatusUnauthorized {
		err = ErrToken
	}
	return Account{user.Username, app.Endpoint}, err
}
