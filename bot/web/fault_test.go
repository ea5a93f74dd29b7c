package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"sedmabot/bot/bottest/browser"
	"sedmabot/bot/clocktest"
)

// The log gets each error of the page's scripts once, and only its kind and its place.
func TestFaultsOfThePageAreLoggedOnce(t *testing.T) {
	t.Parallel()
	h := build(t, "", ample{}, nil, nil)
	for body, want := range map[[2]string]int{
		{"TypeError", "felt.js:12:3"}:              http.StatusNoContent,
		{"DOMException", "line.js:1:1"}:            http.StatusNoContent,
		{"TypeError", "sedma.js:900:1"}:            http.StatusNoContent,
		{"TypeError", "felt.js:12:3 7♥"}:           http.StatusBadRequest,
		{"TypeError", "other.js:12:3"}:             http.StatusBadRequest,
		{"AnnPlaysTheAceOfHearts", "felt.js:12:3"}: http.StatusBadRequest,
		{"", ""}: http.StatusBadRequest,
	} {
		for range 2 {
			if resp, _ := h.post(http.DefaultClient, "/api/fault", map[string]string{"kind": body[0], "at": body[1]}); resp.StatusCode != want {
				t.Errorf("%q: %s", body, resp.Status)
			}
		}
	}
	if n := strings.Count(h.log.String(), "a page's script has failed"); n != 3 || strings.Contains(h.log.String(), "at=sedma.js") || strings.Contains(h.log.String(), "Ann") || strings.Contains(h.log.String(), "7♥") {
		t.Errorf("the log has %d errors:\n%s", n, h.log)
	}
	for i := range 12 {
		h.post(http.DefaultClient, "/api/fault", map[string]string{"kind": "TypeError", "at": fmt.Sprintf("felt.js:%d:1", i)})
	}
	if n := strings.Count(h.log.String(), "a page's script has failed"); n != 5 {
		t.Errorf("one address has filled the log with %d errors", n)
	}
	for range 20 {
		h.post(http.DefaultClient, "/api/fault", map[string]string{"kind": "TypeError", "at": "felt.js:12:3"})
	}
	if resp, _ := h.post(http.DefaultClient, "/api/fault", map[string]string{"kind": "TypeError", "at": "felt.js:12:3"}); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("many reports: %s", resp.Status)
	}
}

// A script that fails in a browser reports where. Until the first card can be touched, it asks for at most ten files.
func TestAScriptThatFailsReportsWhere(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	r := open(t)
	link := r.short(t, 2)
	ctx := browser.Open(t, 390, 844, chromedp.EmulateTouch)
	browser.Do(t, ctx, chromedp.Navigate(link), chromedp.WaitVisible("body[data-ready] .slot .card"))
	if got := browser.Eval(t, ctx, `(1 + performance.getEntriesByType("resource").length <= 10) + " " + performance.getEntriesByType("resource").map((e) => e.name).join(" ")`); !strings.HasPrefix(got, "true") || !strings.Contains(got, "/sedma.js") {
		t.Errorf("at most ten requests: %s", got)
	}
	browser.Eval(t, ctx, `(() => {
		window.told = "";
		window.real = fetch;
		window.fetch = (path, how) => path === "api/fault" ? (told += how.body, Promise.resolve()) : real(path, how);
		import(document.querySelector("link[href$='fault.js']").href).then(({ report }) => {
			const broken = new TypeError("Ann has the ace");
			broken.stack = "TypeError: Ann has the ace\n at draw (" + location.origin + "/a/0123/felt.js:12:3)";
			report(broken);
			report(broken);
		});
	})()`)
	browser.Until(t, ctx, `told !== ""`)
	if got := browser.Eval(t, ctx, `told`); !regexp.MustCompile(`^\{"kind":"TypeError","at":"felt\.js:12:3"\}$`).MatchString(got) {
		t.Errorf("the page reports %s", got)
	}
	browser.Eval(t, ctx, `(window.told = "", Promise.all(["fault", "steps"].map((name) => import(document.querySelector("link[href$='" + name + ".js']").href))).then(async ([{ report }, { steps }]) => {
		try { steps(null, null); } catch (e) { report(e); }
		const [name, line] = JSON.parse(told).at.split(":"), { src } = document.querySelector("script[type=module]");
		window.found = name + " " + (await (await real(src)).text()).split("\n")[line - 1];
	}), 0)`)
	browser.Until(t, ctx, `!!window.found`)
	if got := browser.Eval(t, ctx, `found`); !regexp.MustCompile(`^sedma\.js .*\bb\.felt\b`).MatchString(got) {
		t.Errorf("an error was reported in %s", got)
	}
}
