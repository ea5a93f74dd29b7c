// Package browser drives headless Chromium in tests of web pages. A test calls [Open] for a
// page, and the other functions act on it.
package browser

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// hanging is the timeout of a test. Only a test that hangs reaches it.
const hanging = 3 * time.Minute

// Open opens a browser with a page of that size. Every error of the browser, the script or
// the content policy fails the test. The page's server has to start earlier, so that it
// outlives the browser, which would report its end as an error. With -short, the test is skipped.
// Without a browser it is skipped, too, unless SEDMABOT_TEST_REQUIRE names chromium.
func Open(t *testing.T, width, height int64, view ...chromedp.EmulateViewportOption) context.Context {
	t.Helper()
	return OpenWith(t, nil, width, height, view...)
}

// OpenWith is Open with more options of the browser itself.
func OpenWith(t *testing.T, more []chromedp.ExecAllocatorOption, width, height int64, view ...chromedp.EmulateViewportOption) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs a browser")
	}
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
	ctx, cancel := context.WithTimeout(t.Context(), hanging)
	t.Cleanup(cancel)
	// chromedp removes the folder with the browser's files. The browser's children still write there after its end.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en"))
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(options, more...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	// A page that sleeps loses its connections. One that can be installed offers that itself.
	Complaints(t, ctx, cancel, "Page entered Back-Forward Cache", "Banner not shown")
	Do(t, ctx, chromedp.EmulateViewport(width, height, view...))
	return ctx
}

// Complaints makes each error of the browser or of a script on a page fail the test, but for those whose text contains one
// of the expected words. At the end of the test it calls cancel, which has to close the page.
func Complaints(t *testing.T, ctx context.Context, cancel context.CancelFunc, expected ...string) {
	t.Helper()
	console := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for message, err := range console {
			if err != nil {
				return
			}
			if !slices.ContainsFunc(expected, func(words string) bool { return strings.Contains(message.Text, words) }) {
				t.Errorf("the browser complains: %s %s", message.Text, message.URL)
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
}

// Do performs actions on the page.
func Do(t *testing.T, ctx context.Context, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// Prefer sets what the system prefers, in pairs such as "prefers-color-scheme", "dark".
func Prefer(t *testing.T, ctx context.Context, pairs ...string) {
	t.Helper()
	var params emulation.SetEmulatedMediaParams
	for pair := range slices.Chunk(pairs, 2) {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: pair[0], Value: pair[1]})
	}
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, params); err != nil {
		t.Fatal(err)
	}
}

// Eval returns the result of a script on the page, as text.
func Eval(t *testing.T, ctx context.Context, script string) string {
	t.Helper()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Until waits for a script to return true.
func Until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](script, chromedp.WithPollingTimeout(0), chromedp.WithPollingInterval(50*time.Millisecond))); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

// Shot saves a screenshot in the folder SEDMABOT_TEST_SHOTS, if there is one.
func Shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("SEDMABOT_TEST_SHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		t.Fatal(err)
	}
}
