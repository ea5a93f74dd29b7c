package main

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"sedmabot/bot/chat"
	"sedmabot/bot/web"
)

// pages are the servers of the tables' pages.
type pages struct {
	all        []*web.Site
	playground http.Handler // serves the playground's own tables; nil without a playground
}

// pages returns the servers of the tables' pages. The one at web.url is registered at
// http.listen; the playground has its own.
func (c Config) pages(server *server, log *slog.Logger, shell *restartable) (pages, error) {
	var p pages
	add := func(address string) (*web.Site, error) {
		site, err := web.New(web.Config{
			URL: address, Pages: func() chat.Pages { return shell.current().Pages() }, Handler: shell, Log: log,
		})
		if err == nil {
			p.all = append(p.all, site)
		}
		return site, err
	}
	if c.playground() {
		site, err := add("")
		if err != nil {
			return p, err
		}
		p.playground = site
	}
	if c.Web.URL != "" {
		site, err := add(c.Web.URL)
		if err != nil {
			return p, err
		}
		u, err := url.Parse(c.Web.URL)
		if err != nil {
			return p, err
		}
		path := strings.TrimSuffix(u.Path, "/")
		server.public = u.Host
		server.Handle(path+"/", http.StripPrefix(path, site))
	}
	return p, nil
}

// pageAddresses returns the addresses of the tables' pages by platform.
func (c Config) pageAddresses() map[string]string {
	all := map[string]string{"playground": "table/"}
	if c.Web.URL != "" {
		address := strings.TrimSuffix(c.Web.URL, "/") + "/"
		all["discord"], all["telegram"] = address, address
	}
	return all
}
