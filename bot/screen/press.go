package screen

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// PressLimit is the maximum length of a press, in bytes. It is Telegram's limit of
// callback_data (https://core.telegram.org/bots/api#inlinekeyboardbutton).
const PressLimit = 64

// ErrPress reports that a text is no press that a button of this bot has.
var ErrPress = errors.New("no button of this bot")

// PressOf returns a press: its first word, which says whose it is, and the fields that are read by whoever made it. Buttons
// with old presses remain in chats, so the fields of a word never change.
func PressOf(word string, fields ...string) string { return word + ":" + strings.Join(fields, ":") }

// PressWord returns the first word of a press.
func PressWord(press string) string {
	word, _, _ := strings.Cut(press, ":")
	return word
}

// Fields reads the fields of a press, one after the other. After a field that isn't as its
// method says, or if there are none or too many left, End returns ErrPress.
type Fields struct {
	left string
	more bool // there is a field in left, which may be ""
	bad  bool
}

// FieldsOf returns the first word of a press, and its fields.
func FieldsOf(press string) (word string, f Fields) {
	word, left, more := strings.Cut(press, ":")
	return word, Fields{left: left, more: more}
}

// End returns ErrPress unless all fields were read and are valid.
func (f *Fields) End() error {
	if f.bad || f.more {
		return ErrPress
	}
	return nil
}

// AtEnd reports whether no field is left.
func (f *Fields) AtEnd() bool { return !f.more }

// next returns the next field.
func (f *Fields) next() string {
	f.bad = f.bad || !f.more
	field, left, more := strings.Cut(f.left, ":")
	f.left, f.more = left, more
	return field
}

// check returns s if it is valid.
func (f *Fields) check(s string, valid bool) string {
	f.bad = f.bad || !valid
	return s
}

const (
	small   = "0123456789abcdefghijklmnopqrstuvwxyz"
	letters = small + "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
)

// The maximum lengths of fields.
const (
	nameLimit   = 16
	wordLimit   = 24
	ticketLimit = 11
	numberLimit = 9
	markLength  = 4
)

// Name returns the id of a table: 1 to 16 of [0-9a-z].
func (f *Fields) Name() string {
	s := f.next()
	return f.check(s, s != "" && len(s) <= nameLimit && strings.Trim(s, small) == "")
}

// Word returns 1 to 24 of [0-9a-z_-].
func (f *Fields) Word() string {
	s := f.next()
	return f.check(s, s != "" && len(s) <= wordLimit && strings.Trim(s, small+"_-") == "")
}

// Ticket returns at most 11 of [0-9A-Za-z_-].
func (f *Fields) Ticket() string {
	s := f.next()
	return f.check(s, len(s) <= ticketLimit && strings.Trim(s, letters) == "")
}

// Mark returns four of [0-9a-f].
func (f *Fields) Mark() string {
	s := f.next()
	return f.check(s, len(s) == markLength && strings.Trim(s, small[:16]) == "")
}

// Words returns any number of [0-9A-Za-z_-], but not none.
func (f *Fields) Words() string {
	s := f.next()
	return f.check(s, s != "" && strings.Trim(s, letters) == "")
}

// Number returns a count of at most nine digits.
func (f *Fields) Number() int {
	s := f.next()
	n, err := strconv.Atoi(s)
	f.bad = f.bad || err != nil || n < 0 || len(s) > numberLimit || strconv.Itoa(n) != s
	return n
}

// homeName matches the ids of homes: a platform, and the platform's own id.
var homeName = regexp.MustCompile(`^[a-z]{1,16}:-?[0-9a-z]{1,24}$`)

// IsHome reports whether a text has the form of a home's id.
func IsHome(s string) bool { return homeName.MatchString(s) }

// Home returns the id of a home, which is the last field.
func (f *Fields) Home() string {
	s := f.rest()
	return f.check(s, IsHome(s))
}

// HomeOrNone returns the id of a home or "", which is the last field.
func (f *Fields) HomeOrNone() string {
	s := f.rest()
	return f.check(s, s == "" || IsHome(s))
}

func (f *Fields) rest() string {
	f.bad = f.bad || !f.more
	s := f.left
	f.left, f.more = "", false
	return s
}

// dayName matches the days of presses.
var dayName = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// Day returns a day, like 2026-11-21.
func (f *Fields) Day() string {
	s := f.next()
	return f.check(s, dayName.MatchString(s))
}
