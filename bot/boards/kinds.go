package boards

import (
	"context"
	"slices"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/game/table"
	"sedmabot/store"
)

// kinds returns the document kinds of results, members, halls of fame and ladders, and the boards job.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{
			Name: "result", Owner: doc.OfHome(1), New: func() any { return new(league.Result) },
			Restore: doc.RestoreDueIf(func(r league.Result) bool { return len(r.Homes) > 0 }), Forget: room.forgetResult, About: doc.About(aboutResult), Lead: leadResult, Job: room.spreadResult,
		},
		{
			Name: "member", Owner: doc.OfHome(1), New: func() any { return new(league.Member) },
			Restore: restoreMember, Belongs: memberOf, Goes: room.rowsGo, Without: doc.Without(withoutMember), About: doc.About(aboutMember), Lead: leadMember,
		},
		{Name: "hall", Owner: doc.OfOne, New: func() any { return new(league.Hall) }, Belongs: doc.OfItsHome, Without: doc.Without(withoutHall), About: doc.About(aboutHall)},
		{Name: "boards", Job: room.keepBoards},
		{
			Name: "ladder", Owner: doc.OfOne, New: func() any { return new(league.Ladder) }, Own: true,
			About: doc.About(func(d league.Ladder, x *doc.Export, _ string) { x.Add("ladder", d) }),
		},
	}
}

func restoreMember(r *doc.Restored, stored store.Doc) error {
	var member league.Member
	if err := doc.Decode(stored, &member); err != nil {
		return err
	}
	home, player := doc.PairOf(stored.Key.Name)
	rows, err := member.Rows(home, player, league.Rule)
	r.Change.Rows = append(r.Change.Rows, rows...)
	return err
}

// forgetResult replaces the person with a tombstone in a ledger. Before that, it makes sure
// that all homes that count the match have entered it.
func (room *Room) forgetResult(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var r league.Result
	if err := doc.Decode(stored, &r); err != nil {
		return false, err
	}
	home, match := doc.PairOf(stored.Key.Name)
	if home != s.Home && !slices.Contains(r.People(), s.Player) {
		return false, nil
	}
	if len(r.Homes) > 0 {
		for _, other := range r.Homes {
			if err := room.EnterElsewhere(ctx, other, match, r); err != nil {
				return true, err
			}
		}
		return doc.Amend(ctx, room.docs, stored, func(d *league.Result, _ *store.Write) bool { d.Homes = nil; return true })
	}
	if s.Stage < doc.SweepAll {
		return false, nil
	}
	return doc.Amend(ctx, room.docs, stored, func(d *league.Result, _ *store.Write) bool {
		for i := range d.Seats {
			if seat := &d.Seats[i]; home != s.Home && seat.Player == s.Player {
				stone := table.Tombstone(s.Gone(home), i)
				seat.Player, seat.Name = stone.ID, stone.Name
			}
		}
		return true
	})
}

// memberOf is the Belongs of members: people who played together have one with the AI as their opponent.
func memberOf(rest string) (home string, people []string) {
	home, player, _ := doc.CutLast(rest, "|")
	_, people = league.PairOf(player)
	return home, append(people, player)
}

// rowsGo deletes a member's rows on all boards.
func (room *Room) rowsGo(ctx context.Context, c *store.Change, stored store.Doc) error {
	home, player := doc.PairOf(stored.Key.Name)
	h, err := room.docs.Home(ctx, home)
	for _, board := range league.BoardNames(h, home) {
		c.Rows = append(c.Rows, store.Row{Board: board, Member: player, Delete: true})
	}
	return err
}

// withoutMember replaces the person with a tombstone among those whom a member played with.
func withoutMember(d *league.Member, s doc.Sweep, rest string) (found bool) {
	home, _, _ := doc.CutLast(rest, "|")
	for _, with := range []map[string]league.Tally{d.Partners, d.Opponents} {
		if t, met := with[s.Player]; met {
			delete(with, s.Player)
			with[s.Gone(home)], found = t, true
		}
	}
	return found
}

func withoutHall(d *league.Hall, s doc.Sweep, home string) (found bool) {
	for _, season := range d.Seasons {
		for _, places := range season.Games {
			for i := range places {
				if places[i].Player == s.Player {
					stone := table.Tombstone(s.Gone(home), places[i].Rank-1)
					places[i].Player, places[i].Name, found = stone.ID, stone.Name, true
				}
			}
		}
	}
	return found
}

// matchExport is an entry of a home's ledger in the export of one of the match's players.
type matchExport struct {
	Home  string            `json:"home"`
	Match string            `json:"match"`
	At    time.Time         `json:"at"`
	Game  string            `json:"game"`
	Seat  league.ResultSeat `json:"seat"` // the seat of the person whose data is exported
}

// When returns the time at which the match ended.
func (m matchExport) When() time.Time { return m.At }

// leadResult finds what the coach found out about the person in a match that they played.
func leadResult(x *doc.Export, stored store.Doc) {
	_, match, _ := doc.CutLast(stored.Key.Name, "|")
	if table, no, ok := doc.ParseMatchID(match); ok && (stored.Data == nil || x.Mentions(stored)) {
		x.FollowMatch(table, no)
	}
}

func aboutResult(r league.Result, x *doc.Export, rest string) {
	home, match, _ := doc.CutLast(rest, "|")
	for _, s := range r.Seats {
		if s.Player == x.Player && home != league.Everywhere {
			x.Add("matches", matchExport{Home: home, Match: match, At: r.At, Game: r.Family, Seat: s})
		}
	}
}

// leadMember finds the medals and the results of the person in a home where they are a member.
func leadMember(x *doc.Export, stored store.Doc) {
	home, _ := doc.PairOf(stored.Key.Name)
	x.Follow(doc.InHome(home, league.HallName(home)))
	if home != league.Everywhere {
		x.FollowAll(doc.InHome(home, league.ResultName(home, "")))
	}
}

func aboutMember(m league.Member, x *doc.Export, rest string) {
	m.Partners, m.Opponents = nil, nil // they contain other people's ids
	if home, player, _ := doc.CutLast(rest, "|"); player == x.Player {
		x.Put("homes", home, m)
	}
}

// medalExport is a person's place in a hall of fame, in the export of their data.
type medalExport struct {
	Home   string `json:"home"`
	Season string `json:"season"`
	Game   string `json:"game"`
	Rank   int    `json:"rank"`
	Rating int    `json:"rating"`
}

func aboutHall(hall league.Hall, x *doc.Export, home string) {
	for _, season := range hall.Seasons {
		for _, family := range league.BoardFamilies() {
			for _, place := range season.Games[family] {
				if place.Player == x.Player {
					x.Add("medals", medalExport{Home: home, Season: season.Key, Game: family, Rank: place.Rank, Rating: place.Rating})
				}
			}
		}
	}
}
