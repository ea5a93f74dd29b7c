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
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// hanging is how long one step of a test may take. Only a test that hangs reaches it: a test with many steps may take longer.
const hanging = 3 * time.Minute

// hang is the key of a page's timer in its context.
type hang struct{}

// step begins another step of the page's test.
func step(ctx context.Context) {
	if timer, ok := ctx.Value(hang{}).(*time.Timer); ok {
		timer.Reset(hanging)
	}
}

// Tests are a package's tests, which may call [Open]. goleak takes this type as well as a *testing.M.
type Tests struct{ *testing.M }

// Run runs the tests, and then ends the browser that they share. The package's TestMain has to call it.
func (s Tests) Run() int {
	defer func() {
		shared.Lock()
		defer shared.Unlock()
		if shared.end != nil {
			shared.end()
		}
	}()
	shared.Lock()
	shared.allowed = true
	shared.Unlock()
	return s.M.Run()
}

// shared is the browser of all tests of this process. The first one starts it.
var shared struct {
	sync.Mutex
	allowed bool            // [Tests.Run] will end it
	ctx     context.Context // nil: it hasn't started
	end     func()
}

// Open opens a page of that size, in the browser that all tests of the package share, apart from the pages, cookies and
// files of other tests. The package's TestMain has to call [Tests.Run]. Every error of the browser, the script or
// the content policy fails the test. The page's server has to start earlier, so that it
// outlives the page, which would report its end as an error. With -short, the test is skipped.
// Without a browser it is skipped, too, unless SEDMABOT_TEST_REQUIRE names chromium.
func Open(t *testing.T, width, height int64, view ...chromedp.EmulateViewportOption) context.Context {
	t.Helper()
	return open(t, func(*target.CreateBrowserContextParams) {}, width, height, view...)
}

func open(t *testing.T, with chromedp.CreateBrowserContextOption, width, height int64, view ...chromedp.EmulateViewportOption) context.Context {
	t.Helper()
	path := needed(t)
	shared.Lock()
	defer shared.Unlock()
	if !shared.allowed {
		t.Fatal("TestMain has to call browser.Tests.Run")
	}
	if shared.ctx == nil {
		ctx, end, err := start(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		shared.ctx, shared.end = ctx, end
	}
	ctx, cancel := context.WithCancel(shared.ctx)
	t.Cleanup(cancel)
	timer := time.AfterFunc(hanging, func() {
		t.Errorf("a step takes more than %v", hanging)
		cancel()
	})
	t.Cleanup(func() { timer.Stop() })
	ctx, cancel = chromedp.NewContext(context.WithValue(ctx, hang{}, timer), chromedp.WithNewBrowserContext(with))
	return prepare(t, ctx, cancel, width, height, view...)
}

// OpenBehind is like Open for a page whose requests all go through a proxy, but for those to this machine. Certificates may be
// anybody's.
func OpenBehind(t *testing.T, proxy string, width, height int64, view ...chromedp.EmulateViewportOption) context.Context {
	t.Helper()
	return open(t, func(c *target.CreateBrowserContextParams) { c.ProxyServer = proxy }, width, height, view...)
}

// needed returns the path of the browser, or skips the test.
func needed(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if slices.Contains(strings.Split(os.Getenv("SEDMABOT_TEST_REQUIRE"), ","), "chromium") {
		t.Fatal("chromium is required and not installed")
	}
	t.Skip("chromium is not installed")
	return ""
}

// unneeded are parts of the browser that no test sees. Drawing the address bar's suggestions takes as much of the processor as a
// test's page.
const unneeded = "Translate,AutofillServerCommunication,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"

// start starts a browser. end ends it. Like future browsers, it keeps cookies from frames of other sites only if they are
// partitioned.
func start(ctx context.Context, path string) (_ context.Context, end func(), err error) {
	// chromedp removes the folder with the browser's files. The browser's children still write there after its end.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-features", unneeded), chromedp.Flag("lang", "en"),
		chromedp.Flag("ignore-certificate-errors", true), chromedp.Flag("test-third-party-cookie-phaseout", true))
	ctx, free := chromedp.NewExecAllocator(ctx, options...)
	ctx, stop := chromedp.NewContext(ctx)
	end = func() { stop(); free() }
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return ctx, end, nil
}

// prepare makes a new page ready for a test. At the test's end it calls cancel, which has to close the page.
func prepare(t *testing.T, ctx context.Context, cancel context.CancelFunc, width, height int64, view ...chromedp.EmulateViewportOption) context.Context {
	t.Helper()
	// A page that sleeps loses its connections. One that can be installed offers that itself. On a busy machine, a page gives up
	// a line that takes too long to open, and tries again.
	Complaints(t, ctx, cancel, "Page entered Back-Forward Cache", "Banner not shown", "WebSocket is closed before the connection is established")
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
	step(ctx)
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
	step(ctx)
	value, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+script+")"))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Frame waits until the page has been drawn again, with what it does when a size has changed.
func Frame(t *testing.T, ctx context.Context) {
	t.Helper()
	step(ctx)
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
}

// Until waits for a script to return true.
func Until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	step(ctx)
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](script, chromedp.WithPollingTimeout(0), chromedp.WithPollingInterval(20*time.Millisecond))); err != nil {
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
