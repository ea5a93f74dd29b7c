package screen

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"sedmabot/bot/face"
	"sedmabot/bot/lang"
)

// InRows spreads buttons evenly over as few rows as possible.
func InRows(buttons []Button) [][]Button {
	if len(buttons) == 0 {
		return nil
	}
	rows := (len(buttons) + RowLength - 1) / RowLength
	return slices.Collect(slices.Chunk(buttons, (len(buttons)+rows-1)/rows))
}

// DurationText returns a duration in hours, minutes or seconds.
func DurationText(c *lang.Catalogue, d time.Duration) string {
	if d >= time.Hour {
		return c.Text("time.hours", "n", int(d.Round(time.Hour)/time.Hour))
	}
	if d >= 2*time.Minute {
		return c.Text("time.minutes", "n", int(d.Round(time.Minute)/time.Minute))
	}
	return c.Text("time.seconds", "n", int(d.Round(time.Second)/time.Second))
}

// Decimal returns a number as the language writes it.
func Decimal(c *lang.Catalogue, n string) string {
	return strings.NewReplacer("-", "−", ".", c.Text("decimal")).Replace(n)
}

// LabelLength is the maximum length of a button's label.
const LabelLength = 34

// DayText returns a day as people write it in the reader's language.
func DayText(c *lang.Catalogue, t time.Time) string { return t.Format(c.Text("date")) }

// KeptDay returns a day as people write it, from the store's format ("2026-03-01").
func KeptDay(c *lang.Catalogue, day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return DayText(c, t)
}

// Signed returns a number with its sign, for payments.
func Signed(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	}
	return "0"
}

// Percent returns a part in percent. It is rounded down: 100 means the whole. A part like 1 - 0.56 is a bit less than 0.44,
// and is 44 percent nevertheless.
func Percent(part float64) int { return int(math.Floor(100*part + 1e-9)) }

// PlainText returns spans in plain words.
func PlainText(f face.Face, spans []Span) string {
	var some [128]byte
	return string(bytes.TrimSpace(appendSpans(some[:0], f, spans)))
}

// Cut shortens a text to n characters.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
