package web_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// rgb is a colour, its parts from 0 to 255.
type rgb [3]float64

// parsed returns a colour of the form #rgb or #rrggbb, and what it lets through of it of the form #rgba.
func parsed(t *testing.T, s string) (c rgb, opacity float64) {
	t.Helper()
	s = strings.TrimPrefix(s, "#")
	if len(s) < 6 {
		long := ""
		for _, digit := range s {
			long += strings.Repeat(string(digit), 2)
		}
		s = long
	}
	opacity = 1
	for i := 0; i < len(s); i += 2 {
		v, err := strconv.ParseUint(s[i:i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		if i < 6 {
			c[i/2] = float64(v)
		} else {
			opacity = float64(v) / 255
		}
	}
	return c, opacity
}

// laid returns the colour c with this opacity on a ground.
func laid(c rgb, opacity float64, ground rgb) rgb {
	for i := range c {
		c[i] = c[i]*opacity + ground[i]*(1-opacity)
	}
	return c
}

// contrast returns the contrast ratio of two colours: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
func contrast(a, b rgb) float64 {
	light := func(c rgb) float64 {
		sum := 0.0
		for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
			s := c[i] / 255
			if s <= 0.04045 {
				s /= 12.92
			} else {
				s = math.Pow((s+0.055)/1.055, 2.4)
			}
			sum += weight * s
		}
		return sum + 0.05
	}
	x, y := light(a), light(b)
	return max(x, y) / min(x, y)
}

// All texts of the page have a contrast of 7 : 1 in both themes, also on the brightest part of the felt. The cards' colours are
// those of package face, which has a test of its own.
func TestContrastOfThePage(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("page/page.css")
	if err != nil {
		t.Fatal(err)
	}
	css := string(data)
	vars := map[string]string{}
	read := func(block string) {
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+): (#[0-9a-f]{3,8});`).FindAllStringSubmatch(block, -1) {
			vars[m[1]] = m[2]
		}
	}
	block := func(from string) string {
		m := regexp.MustCompile(`(?m)^ *` + regexp.QuoteMeta(from) + `([^}]*)`).FindStringSubmatch(css)
		if m == nil {
			t.Fatalf("the styles have no %q", from)
		}
		return m[1]
	}
	// One pattern finds the colours of a rule.
	value := func(rule, property string) string {
		m := regexp.MustCompile(`(?:^|[ ;{])` + property + `: ([^;]*)`).FindStringSubmatch(block(rule + " {"))
		if m == nil {
			t.Fatalf("%s has no %s", rule, property)
		}
		return m[1]
	}
	for _, theme := range []string{"light", "dark"} {
		if theme == "light" {
			read(block(":root {\n  color-scheme: light dark;"))
		} else {
			read(block(":root[data-look=dark] {"))
		}
		color := func(s string) (rgb, float64) {
			if name, ok := strings.CutPrefix(s, "var(--"); ok {
				s = vars[strings.TrimSuffix(name, ")")]
			}
			return parsed(t, s)
		}
		check := func(what, text string, opacity float64, grounds ...string) {
			t.Helper()
			ground := rgb{}
			for _, g := range grounds {
				c, a := color(g)
				ground = laid(c, a, ground)
			}
			c, _ := color(text)
			if got := contrast(laid(c, opacity, ground), ground); got < 7 {
				t.Errorf("%s, %s: %.2f", theme, what, got)
			}
		}
		for _, ground := range []string{"panel", "button"} {
			check("a text on "+ground, "var(--ink)", 1, "var(--"+ground+")")
		}
		check("small print", "var(--faint)", 1, "var(--panel)")
		for _, tone := range []string{"blue", "green", "red"} {
			check("a button in "+tone, "#fff", 1, "var(--"+tone+")")
		}
		check("what matters now", "var(--amber-ink)", 1, "var(--amber)")
		check("a plate", "var(--plate-ink)", 1, "var(--plate)")
		check("a remark on a plate", "var(--plate-ink)", .85, "var(--plate)")
		check("a free seat", "var(--plate-ink)", .75, "var(--plate)")
		check("a plate at its turn", "var(--plate-ink)", .85, value(".plate.turn", "background"))
		check("the AI's disc", "#fff", 1, value(".face.machine", "background"))
		check("what a lesson says", value("#remark", "color"), 1, value("#remark", "background"))
		check("its small print", value("#remark .small", "color"), 1, value("#remark", "background"))
		check("the points of a trick on a card", "var(--plate-ink)", 1, "#fbf8f1", value(".worth", "background"))
		check("a toast", value(".toast", "color"), 1, value(".toast", "background"))
		check("the star of a card that takes", value(".slot.takes::before", "color"), 1, "#fbf8f1")
		check("the mark of the best card", "#fff", 1, value(":is(.slot, #moves button):is(.best, .wrong)::after", "background"))
		check("the mark of the wrong card", "#fff", 1, value(":is(.slot, #moves button).wrong::after", "background"))
		check("the mark of the chosen card", value(".slot.chosen::after", "color"), 1, value(".slot.chosen::after", "background"))
		for _, felt := range []string{"var(--glow)", "var(--felt)", "var(--felt-edge)"} {
			for _, rule := range []string{"#title", "#score"} {
				check(rule, "var(--on-faint)", 1, felt, value(rule, "background"))
			}
			check("the tricks beside the felt", "var(--on-faint)", 1, felt, regexp.MustCompile(`#side \{[^}]*background: (#[0-9a-f]+)`).FindStringSubmatch(css)[1])
			check("points that have just changed", "var(--amber)", 1, felt, value("#score", "background"))
			check("the next card", "var(--on)", 1, felt, value("#next", "background"))
			check("no connection", "var(--on)", 1, felt, value("#lost", "background"))
		}
		for hue := range 360 {
			disc := fromHSL(t, regexp.MustCompile(`hsl\(var\(--hue\) (\d+)% (\d+)%\)`).FindStringSubmatch(css), hue)
			if got := contrast(rgb{255, 255, 255}, disc); got < 7 {
				t.Errorf("an initial on a disc of hue %d: %.2f", hue, got)
				break
			}
		}
	}
	for _, c := range regexp.MustCompile(`path \{ fill: (#[0-9a-f]{6}); \}`).FindAllStringSubmatch(css, -1) { // a deck in four colours
		four, _ := parsed(t, c[1])
		if got := contrast(four, rgb{0xfb, 0xf8, 0xf1}); got < 7 {
			t.Errorf("%s on a card: %.2f", c[1], got)
		}
		script, err := os.ReadFile("page/make.js")
		if err != nil || !strings.Contains(string(script), c[1]) {
			t.Errorf("the drawings of cards have another colour than %s: %v", c[1], err)
		}
	}
}

// fromHSL returns the colour of a hue with a saturation and a lightness in percent, the two groups of a match.
func fromHSL(t *testing.T, m []string, hue int) (c rgb) {
	t.Helper()
	var s, l float64
	if _, err := fmt.Sscan(m[1], &s); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(m[2], &l); err != nil {
		t.Fatal(err)
	}
	s, l = s/100, l/100
	for i, n := range [3]float64{0, 8, 4} { // https://www.w3.org/TR/css-color-4/#hsl-to-rgb
		k := math.Mod(n+float64(hue)/30, 12)
		c[i] = 255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1)))
	}
	return c
}
