package bot

import (
	"context"
	"slices"
	"strings"
	"time"

	"sedmabot/game/table"
	"sedmabot/store"
)

// boardsKinds returns the kinds of documents that results are kept in.
func (b *Bot) boardsKinds() []Kind {
	return []Kind{
		{
			Name: "result", Owner: OfHome(1), New: func() any { return new(resultDoc) },
			Restore: restoreResult, Forget: b.forgetResult, Export: exportResult, Job: b.spread,
		},
		{
			Name: "member", Owner: OfHome(1), New: func() any { return new(memberDoc) },
			Restore: restoreMember, Forget: b.forgetMember, Export: exportMember,
		},
		{Name: "hall", Owner: OfOne, New: func() any { return new(hallDoc) }, Forget: b.forgetHall, Export: exportHall},
		{Name: "boards", Job: b.keepBoards},
	}
}

func restoreResult(r *Restored, doc store.Doc) error {
	var result resultDoc
	if err := decode(doc, &result); err != nil {
		return err
	}
	if len(result.Homes) > 0 {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: doc.Key.Name, At: r.Now})
	}
	return nil
}

func restoreMember(r *Restored, doc store.Doc) error {
	var member memberDoc
	if err := decode(doc, &member); err != nil {
		return err
	}
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	home, player, _ := strings.Cut(rest, "|")
	rows, err := member.rows(home, player)
	r.Change.Rows = append(r.Change.Rows, rows...)
	return err
}

// forgetResult puts a tombstone into a ledger, after all homes that count the
// match have entered it.
func (b *Bot) forgetResult(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	var r resultDoc
	if err := decode(doc, &r); err != nil {
		return false, err
	}
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	home, match, _ := cutLast(rest, "|")
	if home != s.Home && !slices.Contains(r.people(), s.Player) {
		return false, nil
	}
	if len(r.Homes) > 0 {
		for _, other := range r.Homes {
			if err := b.enterElsewhere(ctx, other, match, r); err != nil {
				return true, err
			}
		}
		return Amend(ctx, b.docs, doc, func(d *resultDoc, _ *store.Write) bool { d.Homes = nil; return true })
	}
	if s.Stage < SweepAll {
		return false, nil
	}
	return Amend(ctx, b.docs, doc, func(d *resultDoc, _ *store.Write) bool {
		for i := range d.Seats {
			if seat := &d.Seats[i]; home != s.Home && seat.Player == s.Player {
				stone := table.Tombstone(s.Gone(home), i)
				seat.Player, seat.Name = stone.ID, stone.Name
			}
		}
		return true
	})
}

// forgetMember deletes what a home's results have made of the person, with their
// rows, and renames them in what the results have made of others.
func (b *Bot) forgetMember(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	home, player, _ := cutLast(rest, "|")
	if home == s.Home || player == s.Player {
		c := store.Change{Partition: doc.Key.Partition, Now: b.docs.Now(), Writes: []store.Write{{Name: doc.Key.Name, Expect: doc.Version}}}
		h, err := b.docs.Home(ctx, home)
		if err != nil {
			return false, err
		}
		for _, board := range boardNames(h, home) {
			c.Rows = append(c.Rows, store.Row{Board: board, Member: player, Delete: true})
		}
		return true, b.docs.Store.Commit(ctx, c)
	}
	return Amend(ctx, b.docs, doc, func(d *memberDoc, _ *store.Write) bool {
		found := false
		for _, with := range []map[string]tally{d.Partners, d.Opponents} {
			if t, met := with[s.Player]; met {
				delete(with, s.Player)
				with[s.Gone(home)], found = t, true
			}
		}
		return found
	})
}

func (b *Bot) forgetHall(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	_, home, _ := strings.Cut(doc.Key.Name, ":")
	return Amend(ctx, b.docs, doc, func(d *hallDoc, _ *store.Write) bool {
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

// matchExport is a match that a person finished, as the home's ledger has it.
type matchExport struct {
	Home  string     `json:"home"`
	Match string     `json:"match"`
	At    time.Time  `json:"at"`
	Game  string     `json:"game"`
	Seat  resultSeat `json:"seat"` // the person's own
}

// When returns when the match ended.
func (m matchExport) When() time.Time { return m.At }

func exportResult(x *Export, doc store.Doc) error {
	var r resultDoc
	if err := decode(doc, &r); err != nil {
		return err
	}
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	home, match, _ := cutLast(rest, "|")
	for _, s := range r.Seats {
		if s.Player == x.Player && home != everywhere {
			x.Add("matches", matchExport{Home: home, Match: match, At: r.At, Game: r.Family, Seat: s})
		}
	}
	return nil
}

func exportMember(x *Export, doc store.Doc) error {
	_, rest, _ := strings.Cut(doc.Key.Name, ":")
	home, player, _ := cutLast(rest, "|")
	if player != x.Player {
		return nil
	}
	var m memberDoc
	if err := decode(doc, &m); err != nil {
		return err
	}
	m.Partners, m.Opponents = nil, nil // other people's ids
	x.Put("homes", home, m)
	return nil
}

// medalExport is a person's place in a hall of fame.
type medalExport struct {
	Home   string `json:"home"`
	Season string `json:"season"`
	Game   string `json:"game"`
	Rank   int    `json:"rank"`
	Rating int    `json:"rating"`
}

func exportHall(x *Export, doc store.Doc) error {
	var hall hallDoc
	if err := decode(doc, &hall); err != nil {
		return err
	}
	_, home, _ := strings.Cut(doc.Key.Name, ":")
	for _, season := range hall.Seasons {
		for _, family := range boardFamilies() {
			for _, place := range season.Games[family] {
				if place.Player == x.Player {
					x.Add("medals", medalExport{Home: home, Season: season.Key, Game: family, Rank: place.Rank, Rating: place.Rating})
				}
			}
		}
	}
	return nil
}
