package bot

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
)

// commandsOf returns all commands by name.
func commandsOf(features []doc.Feature) map[string]doc.Command {
	all := map[string]doc.Command{}
	for _, f := range features {
		for _, c := range f.Commands {
			once(all, c.Name, c)
		}
	}
	return all
}

// buttonsOf returns all buttons by the first word of their presses.
func buttonsOf(features []doc.Feature) map[string]doc.Button {
	all := map[string]doc.Button{}
	for _, f := range features {
		for action, button := range f.Buttons {
			once(all, action, button)
		}
	}
	return all
}

// kindsOf returns all kinds of documents and jobs by name.
func kindsOf(features []doc.Feature) map[string]doc.Kind {
	all := map[string]doc.Kind{}
	for _, f := range features {
		for _, k := range f.Kinds {
			once(all, k.Name, k)
		}
	}
	return all
}

// settingsOf returns all settings in the order of the lists.
func settingsOf(features []doc.Feature) people.Settings {
	var all people.Settings
	for _, f := range features {
		all.Home = append(all.Home, f.HomeSettings...)
		all.Own = append(all.Own, f.OwnSettings...)
	}
	sortSettings(all.Home)
	sortSettings(all.Own)
	return all
}

// coursesOf returns what asks all rooms for their courses, in the order of the Learn screen.
func coursesOf(features []doc.Feature) func(ctx context.Context, in chat.Input) ([]doc.Course, error) {
	return func(ctx context.Context, in chat.Input) (all []doc.Course, err error) {
		for _, f := range features {
			if f.Courses == nil {
				continue
			}
			some, err := f.Courses(ctx, in)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		slices.SortStableFunc(all, func(a, b doc.Course) int { return cmp.Compare(a.Order, b.Order) })
		return all, nil
	}
}

// sortSettings sorts settings into the order of the list. It panics if two have the same name.
func sortSettings[D any](all []doc.Setting[D]) {
	slices.SortFunc(all, func(a, b doc.Setting[D]) int { return cmp.Compare(a.Order, b.Order) })
	names := map[string]bool{}
	for _, s := range all {
		once(names, s.Name, true)
	}
}

// once adds a value. It panics if two rooms use the same name.
func once[K ~string, V any](all map[K]V, name K, value V) {
	if _, twice := all[name]; twice {
		panic(fmt.Sprintf("two rooms use the name %q", string(name)))
	}
	all[name] = value
}

// Kinds returns all kinds of documents by name, for tools that only read or restore them. Their bot has no store, so
// they must neither do a job nor delete a person's data.
func Kinds() map[string]doc.Kind { return declared(nil).kinds }

// Commands returns the commands that people type, in the order of lists, if a deployment leaves out these rooms.
func Commands(without ...string) []chat.Command {
	var all []chat.Command
	for _, c := range declared(without).commands {
		if !c.Unlisted {
			all = append(all, c.Command)
		}
	}
	slices.SortFunc(all, func(a, b chat.Command) int { return cmp.Compare(a.Order, b.Order) })
	return all
}

// declared returns a bot without a store and platforms.
func declared(without []string) *Bot {
	return New(Config{Without: without, Log: slog.New(slog.DiscardHandler)})
}
