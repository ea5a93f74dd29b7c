package bot

import (
	"context"
	"slices"
	"time"

	"sedmabot/bot/boards"
	"sedmabot/bot/chat"
	"sedmabot/bot/club/daily"
	"sedmabot/bot/club/marks"
	"sedmabot/bot/club/meet"
	"sedmabot/bot/club/puzzle"
	"sedmabot/bot/club/review"
	"sedmabot/bot/club/tournaments"
	"sedmabot/bot/doc"
	"sedmabot/bot/people"
	"sedmabot/bot/play"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
)

// features returns what all rooms give to the bot.
func (b *Bot) features() []doc.Feature {
	return append([]doc.Feature{
		b.play.Feature(), b.boards.Feature(), b.people.Feature(), b.upkeep.Feature(), b.pages.Feature(),
		{Kinds: slices.Concat(work.Kinds(), doc.Kinds())},
		{
			Commands: []doc.Command{
				{Command: chat.Command{Order: 250, Name: "help", Masked: true, Private: true, Ephemeral: true}, Do: b.help},
				{Command: chat.Command{Name: "offer", Unlisted: true}, Do: b.offer},
			},
			Buttons: map[string]doc.Button{
				view.ActHelp:    doc.Named(doc.Everything, b.helpPressed),
				view.ActCourses: doc.Plain(b.learn).AtDoor(),
			},
		},
	}, b.club.features...)
}

// owners returns what rooms are told about the tables that they have opened, by the name in [table.Policy].
func (b *Bot) owners() map[string]tables.Owner { return b.club.owned }

// club is what the core gets from the rooms that a match can do without. A room that is left out is [nobody].
type club struct {
	daily interface {
		play.Daily
		Posts(in chat.Input) []chat.Offer
	}
	tournaments interface {
		play.Tournaments
		people.Tournaments
		Remember(ctx context.Context, id string) error
	}
	review interface {
		boards.Coach
		Asked(in chat.Input) bool
		Offers(ctx context.Context, in chat.Input) ([]chat.Offer, error)
		Steps(ctx context.Context, in chat.Input, match string) ([]chat.Step, error)
	}
	meet     tables.Caller
	owned    map[string]tables.Owner // see Bot.owners
	features []doc.Feature
	left     []string // how presses begin that only rooms answer that are left out
}

// noClub returns the club without any room.
func noClub() club {
	return club{daily: nobody{}, tournaments: nobody{}, review: nobody{}, meet: nobody{}, owned: map[string]tables.Owner{}}
}

// Rooms returns the names of the rooms that a deployment may leave out.
func Rooms() []string { return []string{"daily", "marks", "meet", "puzzle", "review", "tournaments"} }

// join makes the rooms of the club, and joins those that aren't left out.
func (b *Bot) join(without []string, pace time.Duration) club {
	c := noClub()
	joins := func(name string, f doc.Feature) bool {
		in := !slices.Contains(without, name)
		if !in {
			f = c.leave(f, b.docs)
		}
		c.features = append(c.features, f)
		return in
	}
	t := tournaments.New(b.docs, b.queue, b.tables, b.deliver, pace)
	if joins("tournaments", t.Feature()) {
		c.tournaments, c.owned["tournaments"] = t, tables.Owner{Ends: t.Ends}
	}
	d := daily.New(b.docs, b.queue, b.tables, b.thinkers, b.deliver, pace)
	if joins("daily", d.Feature()) {
		c.daily, c.owned["daily"] = d, tables.Owner{Ends: d.Ends, Shows: d.Compare}
	}
	m := meet.New(b.docs, b.queue, b.tables, pace)
	if joins("meet", m.Feature()) {
		c.meet = m
	}
	r := review.New(b.docs, b.tables, b.queue.Idle, b.thinkers, t, b.deliver)
	if joins("review", r.Feature()) {
		c.review = r
	}
	joins("puzzle", puzzle.New(b.docs, b.thinkers).Feature())
	joins("marks", marks.New(b.docs, b.queue, b.deliver).Feature())
	return c
}
