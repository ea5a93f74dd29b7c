package tables

import (
	"cmp"
	"crypto/rand"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game/record"
	"sedmabot/game/table"
)

// sealedOf returns the time until which nothing about the table's match may be shown,
// and the time zone in which that is midnight. It returns zero values unless the table
// plays a daily deal.
func sealedOf(t table.Table) (until time.Time, zone string) {
	if t.Daily == nil {
		return time.Time{}, ""
	}
	return t.Daily.Ends, cmp.Or(t.Daily.Zone, "UTC")
}

// matchOf returns the document of a table's finished match.
func matchOf(t table.Table, over table.MatchOver, now time.Time) doc.Match {
	m := doc.Match{
		Home: t.Home, Guests: t.Guests(), At: now, Rules: over.Match.Rules, Scores: over.Match.Scores,
		First: t.Past[0].No, Key: make([]byte, 16), Uncounted: t.Guest() || t.Daily != nil,
	}
	rand.Read(m.Key)
	m.Strangers = t.Strangers != nil
	m.Sealed, m.Zone = sealedOf(t)
	if t.Tournament != nil {
		m.Tournament, m.Round = t.Tournament.ID, t.Tournament.Round
	}
	for _, s := range over.Seats {
		who := table.Player{ID: s.Player.ID, Name: s.Player.Name}
		if m.Strangers {
			who.Seen = s.Player.Seen
		}
		m.Seats = append(m.Seats, table.Seat{Player: who, AI: s.AI, Away: s.Away, Left: s.Left, Late: s.Late, Was: s.Was})
	}
	for _, past := range t.Past {
		m.Seeds = append(m.Seeds, past.Seed)
		m.Auto = append(m.Auto, past.Auto)
	}
	switch {
	case t.Draw != nil:
		m.DealerBy = record.ByDraw
	case t.MatchNo == 1 && t.Venue == 0:
		m.DealerBy = record.BySeed
	}
	return m
}

// SoloLimit is the turn limit of a person who plays alone. After that they count as gone.
const SoloLimit = 24 * time.Hour
