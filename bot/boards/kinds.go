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

// kinds returns the document kinds of results, members, halls of fame, marks and posts, and the boards job.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{
			Name: "result", Owner: doc.OfHome(1), New: func() any { return new(league.Result) },
			Restore: restoreResult, Forget: room.forgetResult, Export: exportResult, Lead: leadResult, Job: room.spread,
		},
		{
			Name: "member", Owner: doc.OfHome(1), New: func() any { return new(league.Member) },
			Restore: restoreMember, Forget: room.forgetMember, Export: exportMember, Lead: leadMember,
		},
		{Name: "hall", Owner: doc.OfOne, New: func() any { return new(league.Hall) }, Forget: room.forgetHall, Export: exportHall},
		{Name: "boards", Job: room.keepBoards},
		{
			Name: "marks", Owner: doc.OfOne, New: func() any { return new(Marks) },
			Restore: doc.RestoreDue, Forget: room.marking.forget, Export: exportMarks, Scan: true, Job: room.marking.tend,
		},
		{
			Name: "ladder", Owner: doc.OfOne, New: func() any { return new(league.Ladder) },
			Forget: room.forgetLadder, Export: league.ExportLadder, Own: true,
		},
		{Name: "news", Owner: doc.OfOne, New: func() any { return new(Morning) }, Restore: doc.RestoreDue, Forget: room.posting.forget, Job: room.posting.tend},
	}
}

// forgetLadder deletes a person's ladder, if their data is being deleted.
func (room *Room) forgetLadder(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	if _, player := doc.KindAndRest(stored.Key.Name); s.Player == "" || player != s.Player {
		return false, nil
	}
	return true, room.docs.Drop(ctx, stored)
}

func restoreResult(r *doc.Restored, stored store.Doc) error {
	var result league.Result
	if err := doc.Decode(stored, &result); err != nil {
		return err
	}
	if len(result.Homes) > 0 {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: stored.Key.Name, At: r.Now})
	}
	return nil
}

func restoreMember(r *doc.Restored, stored store.Doc) error {
	var member league.Member
	if err := doc.Decode(stored, &member); err != nil {
		return err
	}
	home, player := doc.PairOf(stored.Key.Name)
	rows, err := member.Rows(home, player)
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

// forgetMember deletes the person's member document and its board rows, and those of people who played together with them. In other members'
// documents, it replaces the person with a tombstone.
func (room *Room) forgetMember(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	home, player := doc.PairOf(stored.Key.Name)
	if _, people := league.PairOf(player); home == s.Home || player == s.Player || slices.Contains(people, s.Player) {
		c := store.Change{Partition: stored.Key.Partition, Now: room.docs.Now(), Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}}}
		h, err := room.docs.Home(ctx, home)
		if err != nil {
			return false, err
		}
		for _, board := range league.BoardNames(h, home) {
			c.Rows = append(c.Rows, store.Row{Board: board, Member: player, Delete: true})
		}
		return true, room.docs.Store.Commit(ctx, c)
	}
	return doc.Amend(ctx, room.docs, stored, func(d *league.Member, _ *store.Write) bool {
		found := false
		for _, with := range []map[string]league.Tally{d.Partners, d.Opponents} {
			if t, met := with[s.Player]; met {
				delete(with, s.Player)
				with[s.Gone(home)], found = t, true
			}
		}
		return found
	})
}

func (room *Room) forgetHall(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	_, home := doc.KindAndRest(stored.Key.Name)
	return doc.Amend(ctx, room.docs, stored, func(d *league.Hall, _ *store.Write) bool {
		found := home == s.Home
		for _, season := range d.Seasons {
			for _, places := range season.Games {
				for i := range places {
					if home != s.Home && places[i].Player == s.Player {
						stone := table.Tombstone(s.Gone(home), places[i].Rank-1)
						places[i].Player, places[i].Name, found = stone.ID, stone.Name, true
					}
				}
			}
		}
		return found
	})
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

func exportResult(x *doc.Export, stored store.Doc) error {
	var r league.Result
	if err := doc.Decode(stored, &r); err != nil {
		return err
	}
	home, match := doc.PairOf(stored.Key.Name)
	for _, s := range r.Seats {
		if s.Player == x.Player && home != league.Everywhere {
			x.Add("matches", matchExport{Home: home, Match: match, At: r.At, Game: r.Family, Seat: s})
		}
	}
	return nil
}

// leadMember finds the medals and the results of the person in a home where they are a member.
func leadMember(x *doc.Export, stored store.Doc) {
	home, _ := doc.PairOf(stored.Key.Name)
	x.Follow(doc.InHome(home, league.HallName(home)))
	if home != league.Everywhere {
		x.FollowAll(doc.InHome(home, league.ResultName(home, "")))
	}
}

func exportMember(x *doc.Export, stored store.Doc) error {
	home, player := doc.PairOf(stored.Key.Name)
	if player != x.Player {
		return nil
	}
	var m league.Member
	if err := doc.Decode(stored, &m); err != nil {
		return err
	}
	m.Partners, m.Opponents = nil, nil // they contain other people's ids
	x.Put("homes", home, m)
	return nil
}

// medalExport is a person's place in a hall of fame, in the export of their data.
type medalExport struct {
	Home   string `json:"home"`
	Season string `json:"season"`
	Game   string `json:"game"`
	Rank   int    `json:"rank"`
	Rating int    `json:"rating"`
}

func exportHall(x *doc.Export, stored store.Doc) error {
	var hall league.Hall
	if err := doc.Decode(stored, &hall); err != nil {
		return err
	}
	_, home := doc.KindAndRest(stored.Key.Name)
	for _, season := range hall.Seasons {
		for _, family := range league.BoardFamilies() {
			for _, place := range season.Games[family] {
				if place.Player == x.Player {
					x.Add("medals", medalExport{Home: home, Season: season.Key, Game: family, Rank: place.Rank, Rating: place.Rating})
				}
			}
		}
	}
	return nil
}
