package table

import (
	"slices"
	"strconv"
	"time"

	"sedmabot/game"
)

// ofStrangers is the policy of a table of people from different chats, who don't know each other. Each of them sees it only
// in their private chat. Nobody learns another person's id there, or a name that this person doesn't show outside: see
// [Table.Public]. There is no host with power over others, and no rematch.
var ofStrangers = Policy{
	Owner: "meet", Refusal: ErrStrangers, Hostless: true, Once: true, NoLate: true, Phrases: true, Private: true, Masked: true, Unlisted: true,
}

// Strangers is set at such a table, for the version before there were policies.
type Strangers struct {
	Said []Said `json:"said,omitempty"` // latest phrase of each seat that said one
}

// Said is a fixed phrase that a player said to the table.
type Said struct {
	Seat   int       `json:"seat"`
	Phrase string    `json:"phrase"` // one of Phrases
	At     time.Time `json:"at"`
}

// Phrases are the phrases that a player can say to strangers. Catalogues have their texts.
var Phrases = []string{"game", "played", "bye"}

// SayEvery is the shortest time between two phrases of a player.
const SayEvery = 10 * time.Second

// Say says a phrase to a table of strangers, which shows it until the next deal. During SayEvery after it, the player
// can't say another one.
type Say struct{ Phrase string }

func (Say) command() {}

// Refusals at a table of strangers.
const (
	ErrStrangers Refusal = "strangers" // not allowed at a table of strangers
	ErrSaid      Refusal = "said"      // the player said something just now
)

// NewStrangers returns a table of strangers in its lobby, with its first player. Its match starts after CountDown.
func NewStrangers(id, home string, p Player, rules game.Rules, pace, limit time.Duration, now time.Time) Table {
	t := New(id, home, Chat{ID: p.ID, ChatSettings: p.InPrivate()}, p, rules, pace, limit, now)
	t.Strangers, t.Policy, t.Begins = &Strangers{}, ofStrangers, now.Add(CountDown)
	return t
}

// The match of a lobby that counts down starts on its own. The AI gets the seats that are free then.
const (
	CountDown = 30 * time.Second // time from the opening to the start
	FullWait  = 5 * time.Second  // time to the start once people have all seats, if that is sooner
)

// hurry starts the match of a lobby that counts down soon, if people have all its seats.
func hurry(s *step) {
	soon := s.env.Now.Add(FullWait)
	if s.Phase == Lobby && soon.Before(s.Begins) && !slices.ContainsFunc(s.Seats, func(s Seat) bool { return !s.person() }) {
		s.Begins = soon
	}
}

// say records a phrase.
func say(s *step, seat int, phrase string) error {
	switch {
	case !s.Policy.Phrases || !slices.Contains(Phrases, phrase):
		return ErrNoChoice
	case s.Seats[seat].Left:
		return ErrStranger
	}
	if slices.ContainsFunc(s.Said, func(said Said) bool { return said.Seat == seat && said.fresh(s.env.Now) }) {
		return ErrSaid
	}
	other := without(s.Said, func(said Said) bool { return said.Seat == seat })
	s.setSaid(append(slices.Clip(other), Said{seat, phrase, s.env.Now}))
	return nil
}

// setSaid sets the phrases, also where the version before policies has them.
func (s *step) setSaid(said []Said) {
	if s.Said = said; s.Strangers != nil {
		s.Strangers = &Strangers{Said: said}
	}
}

// fresh reports whether the phrase was said less than SayEvery ago.
func (s Said) fresh(now time.Time) bool { return now.Before(s.At.Add(SayEvery)) }

// hush removes the phrases that were said during an earlier deal.
func hush(s *step) {
	s.setSaid(without(s.Said, func(said Said) bool { return !said.fresh(s.env.Now) }))
}

// arrive shows a private table in the private chat of a player who took a seat.
func arrive(s *step, p Player) {
	if s.Policy.Private && s.chat(p.ID) < 0 {
		s.Chats = append(s.Chats, Chat{ID: p.ID, ChatSettings: p.InPrivate()})
	}
}

// depart stops showing a private lobby to a player who gave up the seat. The last player's chat stays, because
// the table then closes.
func depart(s *step, player string) {
	if i := s.chat(player); s.Policy.Private && i >= 0 && len(s.Chats) > 1 {
		s.Chats = slices.Delete(s.Chats, i, i+1)
	}
}

// Outside returns the player as strangers may know them: without the id, and with the name that they show outside, which
// is "" if they show none.
func (p Player) Outside(seat int) Player {
	if p.ID == "" {
		return p
	}
	return Player{ID: outside + strconv.Itoa(seat+1), Name: p.Seen}
}

// outside is the prefix of the id that stands for the player of a seat.
const outside = "seat:"

// masked returns what reader may know of players who don't know each other. A reader of "" has no seat.
func (p Public) masked(reader string) Public {
	if !p.Policy.Masked {
		return p
	}
	names := map[string]string{"": "", reader: reader}
	for i, s := range p.Seats {
		if names[s.Player.ID] == "" && s.Player.ID != "" {
			names[s.Player.ID] = s.Player.Outside(i).ID
		}
	}
	hide := func(seats []Seat) []Seat {
		seats = slices.Clone(seats)
		for i, s := range seats {
			if s.Player.ID != reader {
				seats[i].Player = s.Player.Outside(i)
			}
			seats[i].Against = nil
		}
		return seats
	}
	p.Seats, p.Host = hide(p.Seats), names[p.Host]
	p.Break = slices.Clone(p.Break)
	for i, id := range p.Break {
		p.Break[i] = names[id]
	}
	p.Chats = without(p.Chats, func(c Chat) bool { return c.ID != reader })
	if p.Result != nil {
		o := *p.Result
		o.Seats = hide(o.Seats)
		p.Result = &o
	}
	return p
}

// PublicTo returns what a reader may know who may have a seat at the table. It differs from Public only at a
// masked table, where a player knows their own name.
func (t Table) PublicTo(reader string) Public {
	if p, ok := t.Private(reader); ok {
		return p.Public
	}
	return t.Public()
}
