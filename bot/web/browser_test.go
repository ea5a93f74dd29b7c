package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sedmabot/bot/face"
	"sedmabot/bot/playground"
	"sedmabot/game"
)

// browser is a page in headless Chromium, of the given size. Every error of the browser,
// the script or the content policy fails the test. The page's server has to start earlier,
// so that it outlives the browser, which would report its end as an error.
func browser(t *testing.T, width, height int64) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "chromium") {
			t.Fatal("chromium is required and not installed")
		}
		t.Skip("chromium is not installed")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // only a hanging test reaches this timeout
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en"))
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	console := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for message, err := range console {
			if err != nil {
				return
			}
			t.Errorf("the browser complains: %s %s", message.Text, message.URL)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	do(t, ctx, chromedp.EmulateViewport(width, height, chromedp.EmulateTouch))
	return ctx
}

func do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// media sets what the system prefers, such as "prefers-color-scheme" dark.
func media(t *testing.T, ctx context.Context, pairs ...string) {
	t.Helper()
	var params emulation.SetEmulatedMediaParams
	for i := 0; i < len(pairs); i += 2 {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, params); err != nil {
		t.Fatal(err)
	}
}

// eval returns the result of a script on the page, as text.
func eval(t *testing.T, ctx context.Context, script string) string {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// until waits for a script to return true.
func until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](script, chromedp.WithPollingTimeout(0))); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

// shot saves a screenshot in the folder SEDMABOT_TEST_SHOTS, if there is one.
func shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("SEDMABOT_TEST_SHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "table-"+name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}

// short opens a table for Ann and AIs in the channel, whose match is one deal long, and
// returns the link to its page.
func (r *room) short(t *testing.T, players int) string {
	t.Helper()
	if _, err := r.Command(t.Context(), playground.Ann, playground.Channel, fmt.Sprintf("/new %d", players)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{":length:h1", "start:"} {
		r.tap(t, part)
	}
	return r.site.URL + "/#t=" + r.link(t, playground.Ann, "")
}

// tap waits for a button in the channel whose press contains part, and presses it.
func (r *room) tap(t *testing.T, part string) {
	t.Helper()
	var press string
	var at playground.Message
	if err := r.Wait(t.Context(), func() bool {
		for _, m := range r.Channel() {
			for _, b := range slices.Concat(append(m.Screen.MenuRows(), m.Screen.Rows...)...) {
				if strings.Contains(b.Press, part) {
					press, at = b.Press, m
				}
			}
		}
		return press != ""
	}); err != nil {
		t.Fatalf("no button for %q: %v", part, err)
	}
	if _, err := r.PressData(t.Context(), playground.Ann, at.Address, press); err != nil {
		t.Fatal(err)
	}
}

// These scripts see what the reader can do now.
const (
	over    = `document.body.dataset.phase === "over"`
	choices = `[...document.querySelectorAll(".slot[aria-disabled=false], #moves [data-press^='play:']")]`
	myTurn  = `document.body.dataset.turn === "mine" && !document.querySelector(".sent") && ` + choices + `.length > 0`
)

// playOn plays until the match is over, with what chooses and touches.
func playOn(t *testing.T, ctx context.Context, touch func()) {
	t.Helper()
	for {
		until(t, ctx, over+" || "+myTurn)
		if eval(t, ctx, over) == "true" {
			return
		}
		touch()
	}
}

func TestAMatchByTouch(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int64{"upright": {390, 844}, "sideways": {844, 390}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t)
			link := r.short(t, 4)
			ctx := browser(t, size[0], size[1])
			media(t, ctx, "prefers-reduced-motion", "reduce")
			do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
			shot(t, ctx, name)
			playOn(t, ctx, func() {
				var x, y float64
				at := eval(t, ctx, `(() => { const r = `+choices+`[0].getBoundingClientRect(); return (r.left + r.width / 2) + " " + (r.top + r.height / 2); })()`)
				if _, err := fmt.Sscan(at, &x, &y); err != nil {
					t.Fatal(err)
				}
				if x < 0 || x > float64(size[0]) || y < 0 || y > float64(size[1]) {
					t.Fatalf("a card is at %s, outside the screen", at)
				}
				for _, params := range []input.DispatchTouchEventParams{
					{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}}, {Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
				} {
					if _, err := chromedp.Call(ctx, input.DispatchTouchEvent, params); err != nil {
						t.Fatal(err)
					}
				}
			})
			until(t, ctx, `!document.querySelector(".panel").hidden`)
			shot(t, ctx, name+"-over")
			if got := eval(t, ctx, `document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight`); got != "false" {
				t.Error("the page is larger than the phone")
			}
			do(t, ctx, chromedp.Click(`.panel [data-press^="rematch:"]`))
			until(t, ctx, myTurn)
		})
	}
}

// The whole match by keys, with cards that fly.
func TestAMatchByKeys(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 2)
	ctx := browser(t, 1280, 800)
	do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	shot(t, ctx, "desktop")
	playOn(t, ctx, func() {
		do(t, ctx, chromedp.KeyEvent(eval(t, ctx, choices+`[0].getAttribute("aria-keyshortcuts")`)))
	})
	until(t, ctx, `!document.querySelector(".panel").hidden && !document.querySelector(".flying, .loose")`)
	for _, want := range []string{"Ann: ", "AI 2: ", " took: "} {
		if got := eval(t, ctx, `document.getElementById("news").textContent`); !strings.Contains(got, want) {
			t.Errorf("a screen reader was told %q, without %q", got, want)
		}
	}
	if got := eval(t, ctx, `location.hash`); !strings.HasPrefix(got, "#as=") {
		t.Errorf("the address still has %q", got)
	}
	do(t, ctx, chromedp.Reload(), chromedp.WaitVisible(".panel [data-press^='rematch:']"))
}

// A dialog keeps the keyboard, reads toasts aloud, and Escape closes it.
func TestAnswersInADialog(t *testing.T) {
	t.Parallel()
	r := open(t)
	link := r.short(t, 2)
	ctx := browser(t, 390, 844)
	do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"),
		chromedp.Click("[data-tool=more]"), chromedp.WaitVisible(`dialog [data-press^="rules:"]`),
		chromedp.Click(`dialog [data-press^="rest:"]`), chromedp.WaitVisible("dialog [aria-live=assertive] .toast"),
		chromedp.Click(`dialog [data-press^="rules:"]`))
	until(t, ctx, `document.querySelector("dialog").textContent.includes("Trick: The leader plays any card")`)
	if got := eval(t, ctx, `document.querySelector("dialog").contains(document.activeElement)`); got != "true" {
		t.Error("the keyboard is not in the dialog")
	}
	do(t, ctx, chromedp.KeyEvent(kb.Escape))
	until(t, ctx, `!document.querySelector("dialog").open`)
}

// People who can't see the page well, or can't use a mouse, can play: axe-core finds no
// serious fault. SEDMABOT_TEST_AXE is the path of axe.min.js.
func TestThePageForEverybody(t *testing.T) {
	t.Parallel()
	file := os.Getenv("SEDMABOT_TEST_AXE")
	if file == "" {
		t.Skip("SEDMABOT_TEST_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t)
	link := r.short(t, 4)
	ctx := browser(t, 390, 844)
	check := func(state string) {
		t.Helper()
		faults, err := chromedp.Run(ctx, chromedp.Evaluate[string](string(axe)+`;
			axe.run().then(({ violations, passes }) => passes.length < 10 ? "it looked at nothing" : violations
				.filter((v) => v.impact === "serious" || v.impact === "critical")
				.map((v) => v.impact + ": " + v.help + " " + v.nodes.map((n) => n.html).join(" "))
				.join("\n"))`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		if faults != "" {
			t.Errorf("%s:\n%s", state, faults)
		}
	}
	media(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "light")
	do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	until(t, ctx, myTurn)
	check("the first card")
	media(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "dark")
	check("dark")
	do(t, ctx, chromedp.Click("[data-tool=more]"), chromedp.WaitVisible(`dialog [data-press^="rules:"]`))
	check("a dialog")
	do(t, ctx, chromedp.Click(".shut"))
	playOn(t, ctx, func() { eval(t, ctx, choices+`[0].click()`) })
	until(t, ctx, `!document.querySelector(".panel").hidden`)
	check("the result, dark")
	media(t, ctx, "prefers-reduced-motion", "reduce", "prefers-color-scheme", "light")
	check("the result")
}

// A phone loads little before the first card can be touched: the page, its styles and the
// cards of one face.
func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	r := open(t)
	size := 0
	load := func(path string) string {
		resp, err := http.Get(r.site.URL + "/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", path, resp.Status)
		}
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		size += b.Len()
		return string(data)
	}
	index := load("")
	paths := regexp.MustCompile(`a/[0-9a-f]+/[a-z.]+`).FindAllString(index, -1)
	if len(paths) < 8 {
		t.Fatalf("the page loads only %q", paths)
	}
	for _, path := range paths {
		load(path)
	}
	small := size
	for _, f := range []face.Face{face.French, face.German, face.Czech, face.Slovak, face.Hungarian, face.Skat, face.Plain} {
		for _, d := range []game.Deck{game.German32, game.French52} {
			size = small
			load("cards/" + face.SpriteOf(f, d).Name)
			if size > 60_000 {
				t.Errorf("the page has %d bytes with %s cards of %s", size, f, d)
			}
		}
	}
	t.Logf("%d bytes without cards", small)
}
