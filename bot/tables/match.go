package tables

import (
	"crypto/rand"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/game/record"
	"sedmabot/game/table"
)

// matchOf returns the document of a table's finished match.
func matchOf(t table.Table, over table.MatchOver, now time.Time) doc.Match {
	m := doc.Match{
		Home: t.Home, Guests: t.Guests(), At: now, Rules: over.Match.Rules, Scores: over.Match.Scores,
		First: t.Past[0].No, Key: make([]byte, 16), Uncounted: t.Policy.Uncounted, Equals: t.Policy.Equals,
		Sealed: t.Policy.Sealed, Zone: t.Policy.Zone, Masked: t.Policy.Masked,
	}
	rand.Read(m.Key)
	for _, s := range over.Seats {
		who := table.Player{ID: s.Player.ID, Name: s.Player.Name}
		if m.Masked {
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
