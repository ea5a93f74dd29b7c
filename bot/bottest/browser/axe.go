package browser

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// Axe returns the script of axe-core, or "" if SEDMABOT_TEST_AXE names none.
func Axe(t *testing.T) string {
	t.Helper()
	file := os.Getenv("SEDMABOT_TEST_AXE")
	if file == "" {
		return ""
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(axe)
}

// Faults returns the faults of any weight that axe-core finds on the page.
func Faults(t *testing.T, ctx context.Context, axe string) string {
	t.Helper()
	faults, err := chromedp.Run(ctx, chromedp.Evaluate[string](axe+`;
		axe.run().then(({ violations, passes }) => passes.length < 10 ? "it looked at nothing" : violations
			.map((v) => v.impact + ": " + v.help + " " + v.nodes.map((n) => n.html).join(" "))
			.join("\n"))`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return faults
}
