package boards

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/view"
)

// boardOptions are the options of the leaderboard's command.
func boardOptions() []chat.Option {
	return []chat.Option{
		{Name: "period", Choices: league.Periods, Names: "period."},
		{Name: "where", Choices: []string{"here", "everywhere"}, Names: "where."},
		{Name: "game", Complete: true},
	}
}

// Feature returns the leaderboards and the statistics.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Commands: []doc.Command{
			{Command: chat.Command{Order: 120, Name: "leaderboard", Masked: true, AnyOrder: true, Private: true, Options: boardOptions()}, Do: room.Command, Complete: tables.Suggest},
			{Command: chat.Command{Order: 150, Name: "stats", Private: true, Ephemeral: true, Options: []chat.Option{{Name: "player", Kind: chat.OptionText}}}, Do: room.Stats},
		},
		Buttons: map[string]doc.Button{
			view.ActBoard: doc.Named(doc.Everything, func(ctx context.Context, in chat.Input, _ string) chat.Reply { return room.Command(ctx, in) }).OnPage(),
			actLadder:     doc.Pressed(doc.Everything, parsePress, room.Ladder).OnPages(),
			actHall:       doc.Pressed(doc.Everything, parsePress, room.Hall).OnPages(),
			actSeen:       room.seen(doc.SeenYes),
			actUnseen:     room.seen(doc.SeenNo),
			view.ActFeats: doc.Pressed(doc.Settings, featsOf, feats).OnPages(),
		},
		Kinds: room.kinds(),
		HomeSettings: []doc.Setting[doc.Home]{
			{Name: "season", Group: screen.GroupRecords, Order: 90, Choices: []string{strconv.Itoa(league.DefaultSeason), "1", "6", "12"}, Field: doc.Number(func(h *doc.Home) *int { return &h.Season }), Changed: room.turnSeason},
		},
		OwnSettings: []doc.Setting[doc.Player]{
			{Name: "seen", Order: 60, Choices: []string{doc.SeenNo, doc.SeenYes}, Field: doc.Field[doc.Player]{
				Get: func(p doc.Player) string { return p.Seen },
				Set: func(p *doc.Player, choice string) { p.Seen = cmp.Or(choice, doc.SeenNo) }, // "" is stored until the person says
			}},
		},
	}
}

// seen is a button that says whether people of other chats may see the presser's name. The
// reply is the board with the button.
func (room *Room) seen(value string) doc.Button {
	return doc.Pressed(doc.Everything, parsePress, func(ctx context.Context, in chat.Input, p Press) chat.Reply {
		if err := room.setSeen(ctx, in, value); err != nil {
			return in.Refuse(err)
		}
		p.word = actLadder
		return room.Ladder(ctx, in, p)
	})
}

// setSeen stores whether people of other chats may see the person's name.
func (room *Room) setSeen(ctx context.Context, in chat.Input, value string) error {
	var person doc.Player
	return doc.Set(ctx, room.docs, in.Once, doc.PlayerKey(in.Player.ID), &person, func() error {
		if person.Erasing {
			return doc.ErrErasing
		}
		if person.Seen == value {
			return doc.ErrSame
		}
		person.Seen = value
		return nil
	})
}

// feats explains the achievements of a match's players.
func feats(_ context.Context, in chat.Input, names string) chat.Reply {
	screen := featsScreen(strings.Split(names, "-"), in.Catalogue())
	reply := chat.Reply{Screen: &screen}
	if words := strings.TrimSpace(screen.String()); utf8.RuneCountInString(words) <= chat.ToastLimit {
		reply.Toast, reply.Alert = words, true
	}
	return reply
}
