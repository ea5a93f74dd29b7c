package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/store/redistest"
)

// These scripts see what a player can do on the page of a table.
const (
	feltOver    = `document.body.dataset.phase === "over"`
	feltChoices = `[...document.querySelectorAll(".slot[aria-disabled=false], #moves [data-press^='play:']")]`
	feltTurn    = `document.body.dataset.turn === "mine" && !document.querySelector(".sent") && ` + feltChoices + `.length > 0`
)

// withPages returns the settings of a program that serves Telegram, and the tables' pages at
// an address.
func withPages(server *telegramtest.Server, listen, public string) []string {
	return []string{
		"telegram.token: " + server.Token, "telegram.api_base: " + server.URL, "table.pace: 0",
		"http.listen: " + listen, "web.url: http://" + public,
	}
}

// sit opens a table for two on Telegram, whose only deal is played, and returns a player at
// a browser who has opened the first person's link to the table's page.
func sit(t *testing.T, path string, c *onTelegram) player {
	t.Helper()
	c.people[0].Say(c.chat, "/new sedma-2p")
	lobby := c.wait("who plays?")
	for who := range c.people[1:] {
		c.press(who+1, lobby, "Join")
	}
	c.press(0, lobby, "Start")
	c.lastDeal()
	link := ""
	c.until(func() bool {
		for _, m := range c.people[0].Private().Messages() {
			for _, b := range slices.Concat(m.Buttons...) {
				if strings.Contains(b.URL, "#t=") {
					link = b.URL
				}
			}
		}
		return link != ""
	})
	p := atBrowser(t, path)
	p.do(chromedp.EmulateViewport(phone.wide, phone.high, chromedp.EmulateTouch), chromedp.Navigate(link))
	p.until(`document.body.dataset.ready === ""`)
	return p
}

// until waits for a script to return true.
func (p player) until(script string) {
	p.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](script, chromedp.WithPollingTimeout(0), chromedp.WithPollingInterval(50*time.Millisecond))); err != nil {
		text, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.body.innerText`))
		p.Fatalf("%s: %v; the page says\n%s", script, err, text)
	}
}

// touch makes the first move that can be made on the page, if there still is one: the bot
// makes a forced stop on its own.
func (p player) touch() {
	p.Helper()
	p.eval(feltChoices + `[0]?.click(), ""`)
}

// snap saves the page as it looks now, if SEDMABOT_TEST_SHOTS names a folder.
func (p player) snap(name string) {
	p.Helper()
	folder := os.Getenv("SEDMABOT_TEST_SHOTS")
	if folder == "" {
		return
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		p.Fatal(err)
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		p.Fatal(err)
	}
}

// The process is killed while a page is open: the page says that it has no connection, and
// keeps a card that was touched. When the process is back, the card is played, and the match
// goes on to its end.
func TestAPageOutlivesItsProcess(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	path := chromium(t)
	server, here := telegramtest.New(t), redistest.Address(t)
	config := append(withPages(server, here, here), dataFile(t))
	program := launchUntil(t, "connected to telegram", config...)
	p := sit(t, path, newTelegram(t, server, "Ann"))
	played, killed := 0, false
	for ; ; played++ {
		p.until(feltOver + " || " + feltTurn)
		if p.eval(feltOver+` ? "over" : ""`) == "over" {
			break
		}
		if killed || played == 0 || p.eval(`document.querySelector("#moves [data-press^='play:']") ? "may stop" : ""`) != "" {
			p.touch()
			continue
		}
		killed = true
		program.kill()
		p.until(`document.getElementById("lost").textContent === "No connection. Trying again…" && document.getElementById("lost").checkVisibility({ opacityProperty: true }) && getComputedStyle(document.getElementById("lost")).opacity === "1"`)
		p.touch()
		p.until(`!!document.querySelector(".sent")`)
		p.snap("lost")
		program = launchUntil(t, "connected to telegram", config...)
		p.until(`!document.body.classList.contains("lost") && !document.querySelector(".sent") && !document.getElementById("lost").checkVisibility()`)
		if toast := p.eval(`document.getElementById("toasts").textContent`); toast != "" {
			t.Errorf("the card that was touched without a connection: %s", toast)
		}
		p.snap("found")
	}
	if !killed || played < 3 {
		t.Errorf("the match was over after %d moves", played)
	}
	p.until(`!!document.querySelector('.panel [data-press^="rematch:"]')`)
	if wrong := errorsIn(program.stderr); len(wrong) > 0 {
		t.Errorf("errors in the log:\n%s", strings.Join(wrong, "\n"))
	}
}

// Two processes share one Redis. A player has the page open at one process, and the other
// player presses buttons of messages, which the other process gets. Each sees what the other does.
func TestAPageFollowsAnotherProcess(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	path := chromium(t)
	k, server, here := onRedis(t), telegramtest.New(t), redistest.Address(t)
	messages := startEager(t, append(withPages(server, "127.0.0.1:0", here), k.config)...)
	messages.stderr.wait(t, holds)
	pages := launchUntil(t, waits, append(withPages(server, here, here), k.config)...)
	c := newTelegram(t, server, "Ann", "Ben")
	p := sit(t, path, c)
	// On the page, Ann makes a move whenever it shows that it is her turn.
	p.eval(`setInterval(() => { if (` + feltTurn + `) ` + feltChoices + `[0].click(); }, 50), ""`)
	playUntil(c, everybody(c, 1)[1:], finished)
	p.until(feltOver + ` && /^You (won|lost) /.test(document.querySelector(".panel h2")?.textContent)`)
	if len(errorsIn(pages.stderr)) > 0 || strings.Contains(pages.stderr.String(), holds) {
		t.Errorf("the log of the process with the page:\n%s", pages.stderr)
	}
}
