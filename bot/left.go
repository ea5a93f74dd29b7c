package bot

import (
	"context"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/game/table"
	"sedmabot/store"
)

// errLeft says that this deployment leaves out the room of a button or command.
var errLeft = chat.NewRefusal("left_out")

// later is when the job of a room that is left out is looked at again. The room may be back by then.
const later = 24 * time.Hour

// leave returns what remains of the feature of a room that is left out. Its documents are still exported, deleted, backed
// up and restored. Its jobs wait. Its commands, and the presses of its buttons and settings, are refused.
func (c *club) leave(f doc.Feature, docs *doc.Docs) doc.Feature {
	rest := doc.Feature{Kinds: slices.Clone(f.Kinds)}
	for i := range rest.Kinds {
		if k := &rest.Kinds[i]; k.Job != nil {
			k.Job = func(ctx context.Context, _ string, job store.Job, _ time.Time) error {
				return docs.Store.Release(ctx, job, docs.Now(), docs.Now().Add(later))
			}
		}
	}
	for _, command := range f.Commands {
		rest.Commands = append(rest.Commands, doc.Command{Command: chat.Command{Name: command.Name, Unlisted: true, Masked: true}, Do: refuseLeft})
	}
	for word := range f.Buttons {
		c.left = append(c.left, screen.PressOf(word))
	}
	for _, s := range f.HomeSettings {
		c.left = append(c.left, screen.PressOf("cfg", s.Name, ""), screen.PressOf("cfg", "page", s.Name, ""))
	}
	for _, s := range f.OwnSettings {
		c.left = append(c.left, screen.PressOf("mine", s.Name, ""), screen.PressOf("mine", "page", s.Name, ""))
	}
	return rest
}

func refuseLeft(_ context.Context, in chat.Input) chat.Reply { return in.Refuse(errLeft) }

// hides reports whether only a room answers a press that is left out. No screen has such a button.
func (b *Bot) hides(press string) bool {
	return slices.ContainsFunc(b.club.left, func(begin string) bool { return strings.HasPrefix(press, begin) })
}

// nobody is in the place of each room that is left out.
type nobody struct{}

func (nobody) Visit(_ context.Context, in chat.Input, _ string) chat.Reply { return in.Refuse(errLeft) }
func (nobody) Posts(chat.Input) []chat.Offer                               { return nil }
func (nobody) Asked(chat.Input) bool                                       { return false }
func (nobody) Offers(context.Context, chat.Input) ([]chat.Offer, error)    { return nil, nil }
func (nobody) Raise(context.Context, string) error                         { return nil }
func (nobody) Remember(context.Context, string) error                      { return nil }
func (nobody) CopySettings(context.Context, doc.Home) error                { return nil }

func (nobody) Call(context.Context, chat.Input, doc.Home, string) ([]table.Player, []store.Write, error) {
	return nil, nil, nil
}

func (nobody) Lately(context.Context, string, []string) (league.Lately, error) {
	return league.Lately{}, nil
}

func (nobody) Steps(context.Context, chat.Input, string) ([]chat.Step, error) {
	return nil, chat.ErrNoMatch
}
