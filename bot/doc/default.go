package doc

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game"
	"sedmabot/game/table"
)

// DefaultPreset is what a new table plays unless something else is asked for.
const DefaultPreset = "sedma-4p"

// Default is what new tables of a home begin with.
type Default struct {
	Rules game.Rules    `json:"rules"`
	Limit time.Duration `json:"limit"`
	Level string        `json:"level,omitempty"` // of the AI; empty: table.DefaultLevel
}

// IsZero tells whether there is none: without a game it is none.
func (d *Default) IsZero() bool { return d == nil || d.Rules.Players == 0 }

// Beginning is what a new table in this home begins with when nothing is asked for.
func (h Home) Beginning() (Default, error) {
	if !h.Default.IsZero() {
		return *h.Default, nil
	}
	rules, err := game.Preset(DefaultPreset)
	return Default{Rules: rules, Limit: table.DefaultLimit}, err
}

// Opens returns errOpeners for people who may not open a table here.
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

// errOpeners means that only those who manage the chat open tables there.
var errOpeners = chat.NewRefusal("openers")
