package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"sedmabot/bot/call"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/activity"
	"sedmabot/bot/face"
	"sedmabot/bot/telegram"
	"sedmabot/bot/telegram/miniapp"
	"sedmabot/bot/web"
)

// pages are the servers of the tables' pages.
type pages struct {
	all        []*web.Site
	playground http.Handler // serves the playground's own tables; nil without a playground
	// logins are those of the platforms whose apps open the pages at web.url. They are added before
	// the servers run.
	logins map[string]chat.Authenticator
	// picture returns the address from which a platform can load a picture; nil without web.url.
	picture func(ctx context.Context, p face.Picture) (string, error)
	easel   *face.Easel // draws what pages and platforms show
}

// pages returns the servers of the tables' pages. The one at web.url is registered at
// http.listen; the playground has its own.
func (c Config) pages(server *server, log *slog.Logger, shell *restartable) (pages, error) {
	p := pages{logins: map[string]chat.Authenticator{}, easel: face.NewEasel()}
	add := func(config web.Config) (*web.Site, error) {
		config.Pages = func() chat.Pages { return shell.current().Pages() }
		config.Handler, config.Log, config.Steps, config.Easel = shell, log, shell.steps, p.easel
		site, err := web.New(config)
		if err == nil {
			p.all = append(p.all, site)
		}
		return site, err
	}
	if c.playground() {
		site, err := add(web.Config{})
		if err != nil {
			return p, err
		}
		p.playground = site
	}
	if c.Web.URL == "" {
		return p, nil
	}
	config := web.Config{URL: c.Web.URL, Apps: p.logins, Photos: call.Client()}
	if c.Discord.Token.Reveal() != "" && c.Discord.ClientID != "" {
		login := c.activityLogin()
		p.logins["discord"], config.Exchange = login, login.Exchange
	}
	site, err := add(config)
	if err != nil {
		return p, err
	}
	u, err := url.Parse(c.Web.URL)
	if err != nil {
		return p, err
	}
	p.picture = site.PictureAddress
	path := strings.TrimSuffix(u.Path, "/")
	server.Handle(path+"/", http.StripPrefix(path, site))
	return p, nil
}

// activityLogin returns the login of Discord's Activity.
func (c Config) activityLogin() *activity.Login {
	return &activity.Login{
		Token: c.Discord.Token.Reveal(), Client: c.Discord.ClientID, Secret: c.Discord.ClientSecret.Reveal(),
		APIBase: c.Discord.APIBase, HTTP: call.Client(), Easel: face.NewEasel(),
	}
}

// telegramLogin adds the login of Telegram's Mini App, if there are pages.
func (p pages) telegramLogin(c Config, a *telegram.Adapter) {
	if c.Web.URL != "" {
		p.logins["telegram"] = miniapp.Login{Token: c.Telegram.Token.Reveal(), Member: a.Member, Link: a.AppLink, Prepare: a.Prepare}
	}
}

// pageAddresses returns the addresses of the tables' pages by platform.
func (c Config) pageAddresses() map[string]string {
	all := map[string]string{"playground": "table/"}
	if c.Web.URL != "" {
		all["discord"], all["telegram"] = c.pageAddress(), c.pageAddress()
	}
	return all
}

// pageAddress returns web.url with a slash at its end.
func (c Config) pageAddress() string { return strings.TrimSuffix(c.Web.URL, "/") + "/" }

// miniApp returns the address that Telegram's app opens from private chats, which has to
// be https, or "".
func (c Config) miniApp() string {
	if strings.HasPrefix(c.Web.URL, "https://") {
		return c.pageAddress()
	}
	return ""
}

// apps returns the platforms on which a button in the chat opens the table's page in the
// platform's own app.
func (c Config) apps() map[string]bool {
	all := map[string]bool{}
	if c.Discord.ClientID != "" {
		all["discord"] = true
	}
	if c.Telegram.App != "" {
		all["telegram"] = true
	}
	return all
}
