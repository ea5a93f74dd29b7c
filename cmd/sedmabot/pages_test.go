package main

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/doc"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// traces returns where the pages left traces: answers of the program's server, requests to
// the platforms, and Redis.
func traces(t *testing.T, c onBoth, at string, server *redistest.Server) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, path := range []string{"/", "/a/0/page.js", "/cards/german.svg", "/api/setup", "/api/live", "/sedma/", "/sedma/api/setup", "/sedma/api/live"} {
		response, err := http.Get("http://" + at + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, response.Body)
		response.Body.Close()
		found["GET "+path] = response.StatusCode != http.StatusNotFound
	}
	for _, path := range []string{"/api/door", "/api/token", "/api/close", "/sedma/api/door", "/sedma/api/token", "/sedma/api/close"} {
		response, err := http.Post("http://"+at+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		found["POST "+path] = response.StatusCode != http.StatusNotFound
	}
	for _, call := range c.telegram.server.Calls("") {
		for _, param := range call.Params {
			for _, word := range []string{"#t=", "web_app", "startapp="} {
				if strings.Contains(param, word) && utf8.ValidString(param) { // not a picture, which may hold anything
					found["Telegram gets "+word] = true
				}
			}
		}
	}
	for _, call := range c.discord.server.Calls() {
		for _, word := range []string{"#t=", "Play here"} {
			if strings.Contains(string(call.Body), word) {
				found["Discord gets "+word] = true
			}
		}
	}
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer client.Close()
	watched, err := client.PubSubShardChannels(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	found["a watched document"] = len(watched) > 0
	kept, err := redisstore.Open(t.Context(), server.URL(), redisstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	for partition := range store.Partitions {
		for _, kind := range []string{"secret", "spent", "notes"} {
			docs, _, err := kept.Scan(t.Context(), partition, kind+":", "")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range docs {
				var notes doc.Notes
				if err := doc.Decode(d, &notes); err != nil {
					t.Fatal(err)
				}
				found["the document "+kind] = found["the document "+kind] || kind != "notes" || len(notes.Pages) > 0
			}
		}
	}
	maps.DeleteFunc(found, func(_ string, there bool) bool { return !there })
	return found
}

// Without web.url, a deal at a table on both platforms leaves none of the traces that pages
// leave: the program's server answers nothing, no message has a link or a button to a page,
// and the store keeps and watches nothing for pages.
func TestWithoutAnAddressNothingIsDoneForPages(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	for name, with := range map[string]bool{"without": false, "with": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, tg := discordtest.New(t), telegramtest.New(t)
			at, server := redistest.Address(t), redistest.Start(t)
			public := "http://" + at + "/sedma"
			config := []string{"store.redis_url: " + server.URL(), "discord.token: " + d.Token(), "discord.api_base: " + d.URL(),
				"telegram.token: " + tg.Token, "telegram.api_base: " + tg.URL, "table.pace: 0", "http.listen: " + at}
			if secret := d.Activities(); with {
				config = append(config, "web.url: "+public, "telegram.app: table", "discord.client_id: \""+d.App()+"\"", "discord.client_secret: "+secret)
			}
			defer startEager(t, config...).end()
			c := onBoth{newDiscord(t, d, "Ann", "Ben"), newTelegram(t, tg, "Cat", "Dan")}
			c.open()
			c.discord.lastDeal()
			if !with {
				playUntil(c, everybody(c, 1), func(crowd) bool { return finished(c.discord) && finished(c.telegram) })
				for trace := range traces(t, c, at, server) {
					t.Errorf("without web.url: %s", trace)
				}
				return
			}
			visit(t, at, public, map[string]string{"door": "link", "token": personalLink(c.telegram, 0)})
			var missing []string
			defer func() {
				if t.Failed() {
					t.Errorf("with web.url, this check doesn't find %q", missing)
				}
			}()
			c.until(func() bool { // messages and subscriptions come when they come
				found := traces(t, c, at, server)
				missing = slices.DeleteFunc([]string{"GET /sedma/", "GET /sedma/api/setup", "POST /sedma/api/door", "Telegram gets #t=", "Telegram gets startapp=",
					"Discord gets #t=", "Discord gets Play here", "a watched document", "the document secret", "the document notes"},
					func(trace string) bool { return found[trace] })
				return len(missing) == 0
			})
		})
	}
}
