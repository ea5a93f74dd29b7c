package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord"
	"sedmabot/bot/discord/activity"
)

// howPages is the advice of checks of the tables' pages.
const howPages = "cmd/sedmabot/deploy/pages.md says how, step by step"

// pages checks whether the tables' pages can be reached at web.url, as far as this machine
// can tell.
func (d *doctor) pages(ctx context.Context) {
	const what = "web.url"
	if d.Web.URL == "" {
		return
	}
	if ourHealth(ctx, d.Config) != nil {
		d.note(what, "no bot answers as ready at monitor.listen, so its pages can't be checked", "start the bot, and run this again")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	address := d.pageAddress() + "api/setup"
	var setup struct {
		Langs []string `json:"langs"`
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err == nil {
		var resp *http.Response
		if resp, err = http.DefaultClient.Do(req); err == nil {
			defer resp.Body.Close()
			err = json.NewDecoder(io.LimitReader(resp.Body, maxRequest)).Decode(&setup)
		}
	}
	if err != nil || len(setup.Langs) == 0 {
		d.bad(what, "the bot's pages don't answer at "+address, "let your proxy pass "+d.Web.URL+" on to http.listen: "+howPages)
		return
	}
	d.good(what, "the bot's pages answer at "+d.Web.URL)
	if d.miniApp() == "" {
		d.note(what, "it is no https address, so Telegram's and Discord's apps can't open it", "use https where people play")
	}
}

// activity checks the settings of the Activity, which opens pages inside Discord.
func (d *doctor) activity(ctx context.Context, account discord.Account) {
	const id, secret = "discord.client_id", "discord.client_secret"
	if d.Discord.ClientID == "" {
		if d.Web.URL != "" {
			d.note(id, "it is not set, so pages can't be opened inside Discord", howPages)
		}
		return
	}
	switch _, err := d.activityLogin().Exchange(ctx, "doctor"); {
	case d.Discord.ClientID != account.App:
		d.bad(id, "the token's application is "+account.App, "copy the Client ID of the same application from https://discord.com/developers/applications (OAuth2)")
	case errors.Is(err, chat.ErrStranger): // Discord knows the secret, and only the code is wrong
		d.good(secret, "Discord accepts it")
	case !errors.Is(err, activity.ErrSecret):
		d.unsure(secret, err.Error())
	default:
		d.bad(secret, "Discord doesn't accept it", "copy it again from https://discord.com/developers/applications (OAuth2), after Reset Secret")
	}
	if account.Launches {
		d.good("discord activity", "it is enabled")
		d.note("discord activity", "until Discord verifies the application, only its testers can open it, and only in servers below 25 members",
			"add testers at https://discord.com/developers/applications (App Testers), or apply for verification")
	} else {
		d.bad("discord activity", "it is not enabled", "enable it at https://discord.com/developers/applications (Activities): "+howPages)
	}
}

// miniAppOf checks the settings of the Mini App, which opens pages inside Telegram.
func (d *doctor) miniAppOf(bot string) {
	const what = "telegram.app"
	switch {
	case d.Web.URL == "":
	case d.Telegram.App == "":
		d.note(what, "it is not set, so groups have no button to the table's page", howPages)
	default:
		d.note(what, "groups open https://t.me/"+bot+"/"+d.Telegram.App, "open that address once: if Telegram doesn't know it, make the app with /newapp at @BotFather")
	}
}
