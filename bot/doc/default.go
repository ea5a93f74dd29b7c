package doc

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game"
	"sedmabot/game/table"
)

// Default holds the initial settings of a home's new tables.
type Default struct {
	Rules game.Rules    `json:"rules"`
	Limit time.Duration `json:"limit"`
	Level string        `json:"level,omitempty"` // level of the AI; empty: table.DefaultLevel
}

// IsZero reports whether no default is set, which is so if it has no game.
func (d *Default) IsZero() bool { return d == nil || d.Rules.Players == 0 }

// First returns the initial settings of a new table in this home. They are those of Beginning. But if no default is set, the
// match is as long as the latest one here, and the first match is short.
func (h Home) First() (Default, error) {
	begin, err := h.Beginning()
	if err != nil || !h.Default.IsZero() {
		return begin, err
	}
	length := h.Length
	if h.Played == 0 && len(h.Matches) == 0 {
		length = table.FirstLength
	}
	if rules, err := game.WithLength(begin.Rules, length); err == nil { // the latest match may have been of another game
		begin.Rules = rules
	}
	return begin, nil
}

// Beginning returns the usual settings of this home: its default, or table.DefaultPreset.
func (h Home) Beginning() (Default, error) {
	if !h.Default.IsZero() {
		return *h.Default, nil
	}
	rules, err := game.Preset(table.DefaultPreset)
	return Default{Rules: rules, Limit: table.DefaultLimit}, err
}

// Opens returns errOpeners if the person may not open a table here.
func (h Home) Opens(ctx context.Context, in chat.Input) error {
	if h.Openers == "" {
		return nil
	}
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if err == nil && !manages {
		err = errOpeners
	}
	return err
}

// errOpeners reports that only people who manage the chat may open tables there.
var errOpeners = chat.NewRefusal("openers")
