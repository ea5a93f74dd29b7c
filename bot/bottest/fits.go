package bottest

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"unicode"
	"unicode/utf8"

	"sedmabot/bot/screen"
)

// Limits of a screen that every platform can show.
const (
	maxRows    = 5       // screen.Screen
	maxButtons = 5       // in a row: screen.Screen
	maxMenus   = 3       // screen.Screen
	maxOptions = 25      // of a menu: screen.Menu
	maxLabel   = 34      // characters: screen.Button
	maxPress   = 64      // bytes: screen.Button
	maxLink    = 512     // characters: https://discord.com/developers/docs/components/reference#button
	maxToast   = 200     // characters: chat.Reply
	maxFile    = 8 << 20 // bytes: less than any platform's limit
	maxText    = 4000    // characters in all: https://discord.com/developers/docs/components/reference
)

var fileName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

var private = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Fits returns an error if some platform would refuse the toast or the screen, which may be nil. The error names the place
// in the screen, never the text.
func Fits(toast string, s *screen.Screen) error {
	if n := utf8.RuneCountInString(toast); n > maxToast {
		return fmt.Errorf("a toast of %d characters, %d fit", n, maxToast)
	}
	if s == nil {
		return nil
	}
	if len(s.Blocks) == 0 {
		return errors.New("a screen without words")
	}
	length := 0
	for i, block := range s.Blocks {
		if block.Look > screen.Code {
			return fmt.Errorf("block %d: unknown look %d", i, block.Look)
		}
		if len(block.Spans) == 0 {
			return fmt.Errorf("block %d: empty", i)
		}
		for j, span := range block.Spans {
			n, err := checkSpan(block, span)
			if err != nil {
				return fmt.Errorf("block %d, span %d: %w", i, j, err)
			}
			length += n
		}
	}
	if length > maxText {
		return fmt.Errorf("%d characters of text, %d fit", length, maxText)
	}
	if s.File != nil && (!fileName.MatchString(s.File.Name) || len(s.File.Data) == 0 || len(s.File.Data) > maxFile) {
		return errors.New("a file without a good name, or none, or too long")
	}
	for i, person := range s.Notify {
		if person.ID == "" {
			return fmt.Errorf("notify %d: nobody", i)
		}
	}
	seen := map[string]bool{}
	if err := checkMenus(s.Menus, seen); err != nil {
		return err
	}
	return checkRows(s.Rows, seen)
}

func checkMenus(menus []screen.Menu, seen map[string]bool) error {
	if len(menus) > maxMenus {
		return fmt.Errorf("%d menus, %d fit", len(menus), maxMenus)
	}
	for i, m := range menus {
		if n := utf8.RuneCountInString(m.Label); n == 0 || n > maxLabel {
			return fmt.Errorf("menu %d: a label of %d characters, 1 to %d fit", i, n, maxLabel)
		}
		if n := len(m.Options); n < 2 || n > maxOptions || m.Chosen < -1 || m.Chosen >= n {
			return fmt.Errorf("menu %d: option %d of %d is chosen, 2 to %d fit", i, m.Chosen, n, maxOptions)
		}
		for j, option := range m.Options {
			if option.Press == "" || option.Off {
				return fmt.Errorf("menu %d, option %d: it cannot be chosen", i, j)
			}
			if err := checkButton(option, seen); err != nil {
				return fmt.Errorf("menu %d, option %d: %w", i, j, err)
			}
		}
	}
	return nil
}

func checkSpan(block screen.Block, span screen.Span) (length int, err error) {
	text := span.Text
	switch span.Kind {
	case screen.SpanText, screen.SpanBold, screen.SpanTime, screen.SpanDate:
		if text == "" {
			return 0, errors.New("no text")
		}
	case screen.SpanPerson:
		if text = span.Person.Name; text == "" {
			return 0, errors.New("no name")
		}
	case screen.SpanCard:
		if span.Card == 0 {
			return 0, errors.New("no card")
		}
		return 3, nil
	case screen.SpanBreak:
		if block.Look == screen.Title {
			return 0, errors.New("a title of two lines")
		}
		return 1, nil
	default:
		return 0, fmt.Errorf("unknown kind %d", span.Kind)
	}
	return utf8.RuneCountInString(text), checkLine(text)
}

func checkRows(rows [][]screen.Button, seen map[string]bool) error {
	if len(rows) > maxRows {
		return fmt.Errorf("%d rows of buttons, %d fit", len(rows), maxRows)
	}
	for i, row := range rows {
		if len(row) == 0 || len(row) > maxButtons {
			return fmt.Errorf("row %d: %d buttons, 1 to %d fit", i, len(row), maxButtons)
		}
		for j, button := range row {
			if err := checkButton(button, seen); err != nil {
				return fmt.Errorf("row %d, button %d: %w", i, j, err)
			}
		}
	}
	return nil
}

func checkButton(button screen.Button, seen map[string]bool) error {
	if n := utf8.RuneCountInString(button.Label); n == 0 || n > maxLabel {
		return fmt.Errorf("a label of %d characters, 1 to %d fit", n, maxLabel)
	}
	if err := checkLine(button.Label); err != nil {
		return err
	}
	if button.Tone > screen.Danger {
		return fmt.Errorf("unknown tone %d", button.Tone)
	}
	n := 0
	for _, field := range []string{button.Press, button.Private, cmp.Or(button.Link, button.Page), button.Copy} {
		if field != "" {
			n++
		}
	}
	if n != 1 && !(n == 2 && button.Copy != "" && button.Private != "") {
		return errors.New("exactly one of Press, Private, Link, Page and Copy is wanted, or Link with Page, or Copy with Private")
	}
	if utf8.RuneCountInString(button.Copy) > screen.CopyLimit {
		return fmt.Errorf("a text to copy of more than %d characters", screen.CopyLimit)
	}
	if button.Link != "" {
		if _, err := url.Parse(button.Link); err != nil || len(button.Link) > maxLink {
			return errors.New("a link that no platform accepts")
		}
		return nil
	}
	if button.Private != "" {
		if !private.MatchString(button.Private) {
			return errors.New("a payload that no link can carry")
		}
		return nil
	}
	if button.Copy != "" {
		return nil
	}
	if len(button.Press) > maxPress || !utf8.ValidString(button.Press) {
		return fmt.Errorf("press data of %d bytes, %d fit", len(button.Press), maxPress)
	}
	// A Discord message refuses two components with one custom_id.
	if seen[button.Press] {
		return errors.New("the same press data twice")
	}
	seen[button.Press] = true
	return nil
}

// checkLine returns an error if text isn't a single line.
func checkLine(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("not UTF-8")
	}
	for _, r := range text {
		if unicode.IsControl(r) {
			return fmt.Errorf("a control character %U", r)
		}
	}
	return nil
}
