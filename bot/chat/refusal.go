package chat

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sedmabot/bot/lang"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Refusal is an error that tells a person why nothing was done. Its text is in
// the catalogues. Refusals are compared by pointer.
type Refusal struct {
	Key     string  // catalogue key of the text, with the prefix "reply."; "": no text
	Args    []any   // names and values of the text's placeholders, in pairs
	Cause   error   // the error that Unwrap returns, for errors.Is; may be nil
	Outcome Outcome // the outcome for metrics
}

// NewRefusal returns a refusal with the text "reply.<key>" and its placeholders.
func NewRefusal(key string, args ...any) *Refusal {
	return &Refusal{Key: "reply." + key, Args: args, Outcome: Refused}
}

// NewLimit returns a refusal whose text has a placeholder "n" for the number n.
func NewLimit(key string, n int) *Refusal { return NewRefusal(key, "n", strconv.Itoa(n)) }

// Error implements error.
func (r *Refusal) Error() string { return "refused: " + r.Key }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

// Damage is the error of stored data that can't be read. Trying again doesn't help.
type Damage struct {
	Kind string // the kind of document
	Err  error
}

// Error implements error.
func (d *Damage) Error() string { return d.Err.Error() }

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// text returns the key of the text that reports the damage.
func (d *Damage) text() string {
	if slices.Contains([]string{"table", "shown", "notes"}, d.Kind) {
		return "reply.damaged"
	}
	return "reply.damaged_data"
}

// Refuse returns the reply to an input that failed with err. An error that is no
// refusal becomes a general apology, or says what is damaged, and is kept in Reply.Err.
func (in Input) Refuse(err error) Reply {
	var rule game.Rule
	var refused table.Refusal
	var refusal *Refusal
	var damage *Damage
	switch {
	case errors.As(err, &rule), errors.As(err, &refused):
		return Reply{Toast: in.Text(RuleKey(err)), Outcome: Refused}
	case errors.As(err, &refusal) && refusal.Key == "":
		return Reply{Outcome: refusal.Outcome}
	case errors.As(err, &refusal):
		return Reply{Toast: in.Text(refusal.Key, refusal.Args...), Outcome: refusal.Outcome}
	case errors.As(err, &damage):
		return Reply{Toast: in.Text(damage.text()), Outcome: Failed, Err: err}
	}
	return Reply{Toast: in.Text("reply.trouble"), Outcome: Failed, Err: err}
}

// Catalogue returns the texts in the person's language, else the chat's, else English.
func (in Input) Catalogue() *lang.Catalogue { return lang.For(in.Player.Lang, in.Chat.Lang) }

// commandIn has the command that each text with the placeholder {command} names.
var commandIn = map[string]string{
	"reply.no_table":        "new",
	"reply.gone":            "new",
	"reply.damaged":         "new",
	"reply.freed":           "new",
	"refusal.closed":        "new",
	"reply.solo_others":     "close",
	"reply.unknown_command": "help",
	"reply.no_code":         "share",
	"reply.no_match":        "replay",
	"reply.no_puzzle":       "puzzle",
	"reply.evening_when":    "tournament",
	"evening.plan":          "tournament",
	"table.runs.play":       "play",
	"ladder.offer_tutorial": "tutorial",
	"table.runs.tell":       "settings",
	"table.runs.close":      "close",
	"table.runs.own":        "close",
}

// commanded is a sentence that names a command, which stands there as a zero byte.
var commanded = regexp.MustCompile(`[^.!?]*\x00[^.!?]*[.!?]*`)

// Text returns a text in the person's language. A command in it is spelled as on the
// person's platform. A page takes no commands, so it gets what else the text says.
func (in Input) Text(key string, args ...any) string {
	c := in.Catalogue()
	name, ok := commandIn[key]
	if !ok {
		return c.Text(key, args...)
	}
	args = slices.Clip(args)
	if in.Page {
		if rest := strings.TrimSpace(commanded.ReplaceAllString(c.Text(key, append(args, "command", "\x00")...), "")); rest != "" {
			return rest
		}
	}
	return c.Text(key, append(args, "command", in.spelling(name, c.Code()))...)
}

// spelling returns a command as the person types it, in that language.
func (in Input) spelling(name, language string) string {
	if in.Spelling == nil {
		return "/" + name
	}
	return in.Spelling(name, language)
}

// Pictured returns the reply, without its picture if the chat wants none, or if its only reader wants none.
func (in Input) Pictured(r Reply) Reply {
	if r.Screen != nil && (in.Chat.NoPictures || in.Player.NoPictures && !r.Public) {
		words := r.Screen.WithoutPicture()
		r.Screen = &words
	}
	return r
}

// TablePlayer returns the person as a table stores them.
func (in Input) TablePlayer() table.Player {
	app := cmp.Or(in.Player.App, in.Player.Lang)
	return table.Player{ID: in.Player.ID, Name: CleanName(in.Player.Name), PlayerSettings: table.PlayerSettings{Lang: app, Locale: app}}
}

// TableChat returns the chat as a table stores it, in the language that the platform
// reports.
func (in Input) TableChat() table.Chat {
	return table.Chat{ID: in.Chat.ID, ChatSettings: table.ChatSettings{Lang: in.Chat.Lang}, Single: in.Chat.Single}
}
