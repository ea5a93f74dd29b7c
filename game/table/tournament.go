package table

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"sedmabot/game"
)

// Tournament is the tournament that a table belongs to. All tables of a round play the same decks with the same dealers.
// So nobody else may see a table's cards before all others are done: the table is shown only in its players' private
// chats. It has no host and no rematch. The AI plays for anyone who is away or has left, until the end. The table
// doesn't close when it is abandoned.
type Tournament struct {
	ID    string   `json:"id"`
	Chat  string   `json:"chat"`           // chat that shows the tournament
	Round int      `json:"round"`          // from 1
	Table int      `json:"table"`          // number of the table in the round, from 1
	Came  []string `json:"came,omitempty"` // ids of the players who have done something at the table
	Decks Seed     `json:"decks"`          // seed of the round's decks; as secret as they are
}

// ofTournament returns the policy of a tournament's table.
func ofTournament(c Tournament) Policy {
	return Policy{
		Owner: "tournaments", Refusal: ErrTournament, Hostless: true, Once: true, Runs: true, NoVotes: true, NoLate: true,
		Private: true, Aside: c.Chat, SecretSeeds: true, Unlisted: true,
	}
}

// deck returns the seed of deal no of a match with the given Decks, from 0: SHA-256(decks || "deck" || no), with no as
// eight bytes, big-endian. The seeds of other deals don't reveal it.
func deck(decks Seed, no int) Seed {
	return sha256.Sum256(binary.BigEndian.AppendUint64(append(decks[:], "deck"...), uint64(no)))
}

// TournamentGames returns the families of games that a tournament can play.
func TournamentGames() []string {
	return slices.DeleteFunc(game.Families(), func(family string) bool {
		return TournamentGame(family, 1) == nil && TournamentGame(family, 2) == nil
	})
}

// TournamentGame returns the rules of the family's plain game for that many players on a side, or nil if a tournament
// can't play it.
func TournamentGame(family string, perSide int) *game.Rules {
	for _, name := range game.FamilyPresets(family, 2*perSide) {
		r, err := game.Preset(name)
		if err != nil {
			continue
		}
		if _, err := TournamentRules(r, 1); err == nil {
			return &r
		}
	}
	return nil
}

// TournamentRules returns the rules with which a tournament plays a game. The match has that many deals, and the seats
// deal in turn, whoever wins. So the same deck gives the same hands at every table. For a game without two fixed sides,
// or where the dealer is part of the game, the error is [ErrNoChoice].
func TournamentRules(r game.Rules, deals int) (game.Rules, error) {
	if r.Players != 2 && r.Players != 4 || r.Sides() != 2 || r.Teams == game.SoloKing || r.Soccer() {
		return r, ErrNoChoice
	}
	r.NextDeal, r.Target, r.Deals, r.HalfTime = game.Rotate, 0, deals, 0
	if r.Validate() != nil {
		return r, ErrNoChoice
	}
	return r, nil
}

// NewTournamentTable returns a table of a tournament with its first deal. seats are assigned already; those without a player
// are the AI's. limit must be above 0.
func NewTournamentTable(id, home string, c Tournament, seats []Seat, rules game.Rules, pace, limit time.Duration, now time.Time) (Table, []Event, error) {
	t := Table{
		ID: id, Home: home, Tournament: &c, Policy: ofTournament(c), Decks: c.Decks, Rules: rules, Seats: seats, Phase: Lobby,
		MatchNo: 1, Pace: pace, Limit: limit, Since: now, Touched: now,
	}
	for _, s := range seats {
		if p := s.Player; p.ID != "" {
			t.Chats = append(t.Chats, Chat{ID: p.ID, ChatSettings: p.InPrivate()})
		}
	}
	if len(t.Chats) == 0 {
		return t, nil, ErrNobody
	}
	s := newStep(t, Env{Now: now})
	if err := s.startMatch(); err != nil {
		return t, nil, err
	}
	return s.Table, s.events, nil
}

// came records that a player did something at a table of a tournament.
func (s *step) came(player string, cmd Command) {
	switch cmd.(type) {
	case Play, PlayPlace, Back, Join, Kick:
	default:
		return
	}
	if s.Tournament == nil || s.SeatOf(player) < 0 || slices.Contains(s.Tournament.Came, player) {
		return
	}
	c := *s.Tournament
	c.Came = append(slices.Clip(c.Came), player)
	s.Tournament = &c
}

// Void closes the table whatever its policy says. It does not come from a player.
type Void struct{}

func (Void) command() {}

// MoveAside changes the id of the chat beside a private table, also where the version before policies has it.
func (t *Table) MoveAside(to string) {
	t.Policy.Aside = to
	if t.Tournament != nil {
		c := *t.Tournament
		c.Chat, t.Tournament = to, &c
	}
}

// forgetTournament removes a person from what the table knows about its tournament.
func (s *step) forgetTournament(player string) {
	if s.Tournament == nil {
		return
	}
	c := *s.Tournament
	c.Came = without(c.Came, func(id string) bool { return id == player })
	s.Tournament = &c
}
