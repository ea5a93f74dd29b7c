package table

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"sedmabot/game"
)

// Contest is the tournament that a table is of. All tables of a round play the
// same decks, dealt by the same seats, so nobody else may see the cards of one
// before the others are done: such a table is shown to its players alone, each
// in his private chat. It has no host and no rematch. Whoever is away or has left
// is played for by the AI to the end, and it is not closed for being abandoned.
type Contest struct {
	ID    string `json:"id"`
	Chat  string `json:"chat"`  // where the tournament stands
	Round int    `json:"round"` // from 1
	Table int    `json:"table"` // its number in the round, from 1
	Decks Seed   `json:"decks"` // what the round's decks are shuffled from: as secret as they are
}

// deck is the seed of a deal of the round, from 0: SHA-256(decks || "deck" || no),
// the number as eight bytes, big-endian. The seeds of others do not tell it.
func (c Contest) deck(no int) Seed {
	return sha256.Sum256(binary.BigEndian.AppendUint64(append(c.Decks[:], "deck"...), uint64(no)))
}

// ContestGames returns the families of games that a tournament can be of.
func ContestGames() []string {
	return slices.DeleteFunc(game.Families(), func(family string) bool {
		return ContestGame(family, 1) == nil && ContestGame(family, 2) == nil
	})
}

// ContestGame returns the rules of the family's plain game for so many players on a
// side; nil if no tournament can be of it.
func ContestGame(family string, perSide int) *game.Rules {
	for _, name := range game.FamilyPresets(family, 2*perSide) {
		r, err := game.Preset(name)
		if err != nil {
			continue
		}
		if _, err := ContestRules(r, 1); err == nil {
			return &r
		}
	}
	return nil
}

// ContestRules are the rules of a game as a tournament plays it: so many deals,
// which the seats deal in turn, whoever wins them, since the same deck must give
// the same hands at every table. The error is [ErrNoChoice] for a game that is not
// between two sides that stay, or whose dealing is part of it.
func ContestRules(r game.Rules, deals int) (game.Rules, error) {
	if r.Players != 2 && r.Players != 4 || r.Sides() != 2 || r.Teams == game.SoloKing || r.Soccer() {
		return r, ErrNoChoice
	}
	r.NextDeal, r.Target, r.Hands, r.HalfTime = game.Rotate, 0, deals, 0
	if r.Validate() != nil {
		return r, ErrNoChoice
	}
	return r, nil
}

// NewContest is a table of a tournament with its first deal. The seats have been
// given out; those without a player are the AI's. limit is above 0.
func NewContest(id, home string, c Contest, seats []Seat, rules game.Rules, pace, limit time.Duration, now time.Time) (Table, []Event, error) {
	t := Table{
		ID: id, Home: home, Contest: &c, Rules: rules, Seats: seats, Phase: Lobby,
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

// Void closes a table of a tournament that was called off. It is no person's command.
type Void struct{}

func (Void) command() {}

// contested says whether the command may be given at a table of a tournament.
func contested(cmd Command) error {
	switch cmd.(type) {
	case Rest, Close, SetRules, Choose, Start, LastDeal, Rematch, Share, Unshare, AddAI, RemoveAI, Resume:
		return ErrContest
	}
	return nil
}
