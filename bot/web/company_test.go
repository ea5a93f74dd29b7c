package web_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/playground"
	"sedmabot/bot/view"
)

// lobby opens a table for two in the channel, at which Ann and Ben sit, and returns its id.
func (r *room) lobby(t *testing.T) string {
	t.Helper()
	for _, c := range []struct{ person, line string }{{playground.Ann, "/new 2"}, {playground.Ben, "/join"}} {
		if _, err := r.Command(t.Context(), c.person, playground.Channel, c.line); err != nil {
			t.Fatal(err)
		}
	}
	id, err := r.bot.Pages().OpenIn(t.Context(), chat.Chat{ID: playground.Channel, Home: playground.Home})
	if err != nil || id == "" {
		t.Fatalf("no table: %v", err)
	}
	return id
}

// at opens a page of a table for a member of the channel.
func (r *room) at(t *testing.T, id string, v chat.Visitor) *page {
	t.Helper()
	client, as := r.forged(t, v)
	p := r.page(t, client, as+"."+id)
	p.next()
	return p
}

// heard reads messages until one says something.
func (p *page) heard() message {
	p.t.Helper()
	for {
		if m := p.next(); m.T == "said" {
			return m
		}
	}
}

// A phrase reaches all pages of the table, also those of spectators and of other processes, but isn't kept with it. A
// player has to wait before they say more. A spectator can't say anything.
func TestPlayersTalk(t *testing.T) {
	t.Parallel()
	r := open(t)
	id := r.lobby(t)
	ann, ben, eve := r.at(t, id, fromChannel(playground.Ann)), r.at(t, id, fromChannel(playground.Ben)), r.at(t, id, fromChannel(playground.Eve))
	say := func(p *page, what string) { p.send(fmt.Sprintf(`{"t":"say","at":%q,"what":%q}`, id, what)) }
	say(ben, "well")
	for _, p := range []*page{ann, ben, eve} {
		if m := p.heard(); m.Seat != 1 || m.What != "well" {
			t.Errorf("a page got %+v", m)
		}
	}
	for _, c := range []struct {
		p    *page
		what string
		want string
	}{{ben, "hello", "You said something just now"}, {eve, "hello", "isn't mine"}, {ann, "<b>", "isn't mine"}} {
		say(c.p, c.what)
		for m := c.p.next(); m.Toast == ""; m = c.p.next() {
			if m.T == "said" {
				t.Fatalf("%q was said", c.what)
			}
		}
	}
	if err := r.bot.Pages().Say(t.Context(), id, playground.Ann, "thanks"); err != nil { // as another process does
		t.Fatal(err)
	}
	if m := ben.heard(); m.Seat != 0 || m.What != "thanks" {
		t.Errorf("Ben's page got %+v", m)
	}
}

// platform answers for the hosts of photos.
type platform map[string]string // the answers by address; "" redirects to the platform's other host

func (p platform) RoundTrip(r *http.Request) (*http.Response, error) {
	body, ok := p[r.URL.String()]
	resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}
	switch {
	case !ok:
		resp.StatusCode = http.StatusNotFound
	case strings.HasPrefix(body, "to "):
		resp.StatusCode = http.StatusFound
		resp.Header.Set("Location", strings.TrimPrefix(body, "to "))
	}
	return resp, nil
}

// pixel is a picture.
const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\xdac\xfc\xcf\xc0P\x0f\x00\x04\x85\x01\x80\x84\xa9\x8c!\x00\x00\x00\x00IEND\xaeB`\x82"

// A photo is shown to those who may see the table. Nobody gets its address, and it comes only from the platforms' own hosts.
func TestPhotosOfPlayers(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.pages.Photos = &http.Client{Transport: platform{
		"https://t.me/i/userpic/320/ann.jpg": "to https://cdn4.telesco.pe/file/ann.jpg", "https://cdn4.telesco.pe/file/ann.jpg": pixel,
		"https://t.me/i/userpic/320/ben.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
		"https://t.me/i/userpic/320/cat.jpg": "to https://127.0.0.1/cat.png", "https://127.0.0.1/cat.png": pixel,
	}}
	id := r.lobby(t)
	with := func(person, photo string) chat.Visitor {
		v := fromChannel(person)
		v.Photo = photo
		return v
	}
	get := func(client *http.Client, path, as string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.site.URL+"/"+path+"?as="+as, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	eve := r.at(t, id, fromChannel(playground.Eve))
	for i, c := range []struct {
		photo string
		want  int
	}{
		{"https://t.me/i/userpic/320/ann.jpg", http.StatusOK}, {"https://t.me/i/userpic/320/ben.svg", http.StatusNoContent},
		{"https://t.me/i/userpic/320/cat.jpg", http.StatusNoContent}, {"https://example.org/ann.png", http.StatusNoContent},
	} {
		r.at(t, id, with(playground.Ann, c.photo))
		had := eve.live.Seats[0].Photo
		for eve.live.Seats[0].Photo == had {
			eve.next()
		}
		path := eve.live.Seats[0].Photo
		client, as := r.forged(t, fromChannel(playground.Eve))
		if got := get(client, path, as); got != c.want {
			t.Errorf("%s: %d, want %d", c.photo, got, c.want)
		}
		if i > 0 {
			continue
		}
		stranger, as := r.forged(t, chat.Visitor{Player: chat.Player{ID: playground.Dan}})
		if got := get(stranger, path, as); got != http.StatusNotFound {
			t.Errorf("somebody who may not see the table gets %d", got)
		}
		if got := get(http.DefaultClient, path, as); got != http.StatusNotFound {
			t.Errorf("a browser without a session gets %d", got)
		}
	}
	for _, data := range eve.got {
		if strings.Contains(string(data), "userpic") || strings.Contains(string(data), "example.org") {
			t.Errorf("a page got the address of a photo: %s", data)
		}
	}
}

// In a browser, a phrase is a bubble at the seat of the one who says it, and goes. A muted person says nothing there.
func TestTheSheetOfPhrases(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	r.pages.Photos = &http.Client{Transport: platform{"https://t.me/i/userpic/320/ben.jpg": pixel}}
	id := r.lobby(t)
	v := fromChannel(playground.Ben)
	v.Photo = "https://t.me/i/userpic/320/ben.jpg"
	ben := r.at(t, id, v)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(r.tableAddress(t, ctx, playground.Ann, id)), chromedp.WaitVisible(`[data-tool=say]`))
	browser.Until(t, ctx, `document.querySelectorAll(".photo").length === 1 && document.querySelector(".photo").naturalWidth === 1`)
	browser.Do(t, ctx, chromedp.Click(`[data-tool=say]`), chromedp.WaitVisible(`dialog [data-say=party]`))
	shots(t, ctx, "say-sheet")
	if axe := browser.Axe(t); axe != "" {
		if faults := browser.Faults(t, ctx, axe); faults != "" {
			t.Error(faults)
		}
	}
	browser.Do(t, ctx, chromedp.Click(`dialog [data-say=luck]`))
	browser.Until(t, ctx, `document.querySelector(".speech")?.textContent === "Good luck!" && document.getElementById("news").textContent.includes("Good luck!")`)
	ben.send(fmt.Sprintf(`{"t":"say","at":%q,"what":"party"}`, id))
	browser.Until(t, ctx, `document.querySelectorAll(".speech").length === 2`)
	shots(t, ctx, "say")
	browser.Until(t, ctx, `!document.querySelector(".speech")`)
	browser.Do(t, ctx, chromedp.Click(`[data-tool=say]`), chromedp.WaitVisible(`dialog .mutes input`), chromedp.Click(`dialog .mutes input`), chromedp.Click(`.shut`))
	if err := r.bot.Pages().Say(t.Context(), id, playground.Ben, "hello"); err != nil {
		t.Fatal(err)
	}
	for ben.heard().What != "hello" {
	}
	if err := r.bot.Pages().Say(t.Context(), id, playground.Ann, "oops"); err != nil {
		t.Fatal(err)
	}
	browser.Until(t, ctx, `document.querySelector(".speech")?.textContent === "Oops!"`)
	if got := browser.Eval(t, ctx, `document.querySelectorAll(".speech").length + document.getElementById("news").textContent.includes("Hello")`); got != "1" {
		t.Errorf("a person who is muted is shown: %s", got)
	}
}

// Spectators are told that they watch, and how many they are. In a lobby they can take a free seat by a touch.
func TestSpectatorsTakeASeat(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	for _, c := range []struct{ person, line string }{{playground.Ann, "/new 3"}, {playground.Ben, "/join"}} {
		if _, err := r.Command(t.Context(), c.person, playground.Channel, c.line); err != nil {
			t.Fatal(err)
		}
	}
	id, err := r.bot.Pages().OpenIn(t.Context(), chat.Chat{ID: playground.Channel, Home: playground.Home})
	if err != nil {
		t.Fatal(err)
	}
	dan := r.at(t, id, fromChannel(playground.Dan))
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(r.tableAddress(t, ctx, playground.Eve, id)), chromedp.WaitVisible(".sit"))
	browser.Until(t, ctx, `document.getElementById("watching").textContent.includes("You are watching") && document.getElementById("watching").textContent.includes("2")`)
	shots(t, ctx, "watching")
	browser.Do(t, ctx, chromedp.Click(".sit"))
	browser.Until(t, ctx, `document.getElementById("watching").textContent === "" && [...document.querySelectorAll(".plate .name")].some((e) => e.textContent.toLowerCase() === "eve")`)
	dan.until(func(l view.Live) bool { return l.Watching == 1 || l.Seats[2].Name != "" })
}
