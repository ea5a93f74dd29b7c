package table

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"sedmabot/game"
)

// Public is what everybody may know of a table. No field holds anything that is hidden from anybody.
type Public struct {
	Lasting

	View  game.View // view of a spectator, if HasDeal
	Turn  int       // seat whose turn it is, or -1
	Brief bool      // the AI is about to play the next card of the open trick

	Called   bool      // call the player whose turn it is by name
	Warned   bool      // the player whose turn it is will soon run out of time
	Deadline time.Time // when the AI takes over from the player whose turn it is; zero: never
}

// Lasting is the part of Public that doesn't change from move to move.
type Lasting struct {
	ID    string
	Home  string
	Chats []Chat
	Host  string // id of the player who is the host
	Rules game.Rules
	Level string // level of an AI that takes a seat
	Seats []Seat
	Phase Phase

	MatchNo  int
	DealNo   int
	Scores   []int // of the match, by side
	Pool     int
	Abeyance int
	Past     []Past // finished deals of this match
	LastDeal bool   // the match ends with this deal
	Daily    *Daily // set if this is the deal of the day; Past then has no seed

	Policy Policy
	Said   []Said    // phrases that players said
	Begins time.Time // in the lobby: when the match starts on its own; zero: when the host starts it
	Warm   bool      // a game against the AI that ends when a match with people begins

	Round      int // round of the tournament, from 1; 0 if there is none
	RoundTable int // number of the table in that round, from 1

	Page   Page          // open page of the settings, in the lobby
	Draw   [][]DrawnCard // draw for partners, round by round; in the lobby Hash is then the first deal's
	AtHome int           // soccer: seat at home, or with the first lead on neutral ground; -1 if it is drawn at the start

	HasDeal bool     // there is a deal: the running one, or the last one
	Hash    [32]byte // SHA-256 of the deal's seed
	Dealer  int      // dealer's seat

	Times   DealTimes // in the lobby: how long deals take here
	Usual   string    // in the lobby: length of the latest match here
	Tell    []Player  // players to notify that the table opened
	Last    *Outcome  // outcome of the match before this one
	Awaited []string  // in the lobby of a rematch: ids of the players of that match who may still press
	Open    bool      // people of the match before may still press Rematch
	Series  *Series   // the series that the match belongs to
	Joins   bool      // somebody may take an AI's seat of the running match
	Coming  []Player  // people who wait for a seat, in order
	Shut    bool      // nobody may take an AI's seat of a running match
	Break   []string  // ids of the players who want to halt the game
	Resting bool      // the game is halted
	Lapsed  bool      // the game is halted because nobody tended the table

	Began time.Time // when the match began; zero: not known
	Pace  time.Duration
	Limit time.Duration

	Result *Outcome // set after a match, even if the table closed then
}

// Private is what one player may know of a table: Public and the player's own cards.
type Private struct {
	Public
	Seat int
	View game.View // the view of the player's seat, if the table has a deal

	// At a coached table, what the player saw at their latest decision in this deal, and the move
	// that they made. Before the first one, Made is 0.
	Then game.View
	Made game.Move
}

// Public returns what everybody may know of the table.
func (t Table) Public() Public { return t.public().masked("") }

// public returns what everybody may know of the table, with players who don't know each other.
func (t Table) public() Public {
	p := Public{Turn: t.turn(), Called: t.Called, Lasting: Lasting{
		ID: t.ID, Home: t.Home, Chats: slices.Clone(t.Chats),
		Rules: t.Rules, Level: t.level(), Seats: slices.Clone(t.Seats), Phase: t.Phase,
		MatchNo: t.MatchNo, DealNo: t.DealNo, Past: t.Past, LastDeal: t.LastDeal, Policy: t.Policy, Said: t.Said,
		Times: t.Times, Usual: t.Usual, Tell: t.Tell, Last: t.Last, Awaited: t.Awaited, Open: t.open(), Series: t.Series, Break: t.Break, Resting: t.Resting, Lapsed: t.Lapsed,
		Page: t.Page, Draw: t.Draw, AtHome: t.atHome(),
		Dealer: -1, Pace: t.Pace, Limit: t.Limit, Daily: t.Daily, Began: t.Began,
	}}
	if !t.Policy.Hostless {
		p.Host = t.Host
	}
	p.Joins, p.Shut = t.joins() && len(t.free(t.Coming)) > 0, t.Shut
	for _, n := range t.Coming {
		p.Coming = append(p.Coming, n.Player)
	}
	if t.Policy.SecretSeeds {
		p.Past = slices.Clone(p.Past)
		for i := range p.Past {
			p.Past[i].Seed = Seed{}
		}
	}
	p.Begins, p.Warm = t.Begins, t.Warm != ""
	if t.Tournament != nil {
		p.Round, p.RoundTable = t.Tournament.Round, t.Tournament.Table
	}
	if p.HasDeal = t.hasDeal(); p.HasDeal {
		p.Scores, p.Pool, p.Abeyance = slices.Clone(t.Match.Scores), t.Match.Pool, t.Match.Abeyance
		p.View = t.Deal.View(game.Nobody)
		p.Brief = t.Phase == Playing && !t.Resting && len(p.View.Trick) > 0 && t.Seats[t.turn()].auto()
		p.Dealer = p.View.Dealer
		p.Hash = sha256.Sum256(t.Seed[:])
		if t.Rules.Soccer() {
			p.AtHome = t.Match.Home
		}
	} else if t.Draw != nil {
		p.Hash = sha256.Sum256(t.Seed[:])
	}
	if p.Turn >= 0 {
		p.Warned = t.Seats[p.Turn].Warned
		if t.Limit > 0 {
			p.Deadline = t.Since.Add(t.Limit)
		}
	}
	if p.HasDeal && t.Match.Over {
		o := t.outcome()
		p.Result = &o
	}
	return p
}

// DealInMatch returns the number of a deal in the match, from 1. no is the deal's DealNo, which keeps growing in rematches.
func (l Lasting) DealInMatch(no int) int {
	first := l.DealNo
	if len(l.Past) > 0 {
		first = l.Past[0].No
	}
	return no - first + 1
}

// markLetters is the length of a Mark: enough to tell players apart, too little to find out a player's id.
const markLetters = 4

// Mark returns the letters by which a button tells the player on a seat from anyone who has that seat later. At a
// masked table they come from what the reader may know of that player.
func (l Lasting) Mark(seat int) string {
	who := l.Seats[seat].Player.ID
	if l.Policy.Masked {
		who += l.Seats[seat].Player.Name
	}
	sum := sha256.Sum256([]byte(l.ID + " " + who))
	return hex.EncodeToString(sum[:])[:markLetters]
}

// Settled returns p with only its Lasting part, for screens that look back on a table.
func (p Public) Settled() Public {
	none := game.View{Solo: game.Nobody}
	return Public{Lasting: p.Lasting, View: none, Turn: game.Nobody}
}

// Alone reports whether only one person plays, with and against the AI, and nobody else could have come.
func (p Public) Alone() bool {
	if p.Policy.Private {
		return false
	}
	people := 0
	for _, s := range p.Seats {
		if s.Player.ID != "" {
			people++
		}
	}
	return people == 1
}

// Hurries reports whether the next deal begins as soon as the only person wants it.
func (p Public) Hurries() bool { return p.Phase == Pause && p.People() == 1 }

// People returns how many people have seats.
func (p Public) People() (n int) {
	for _, s := range p.Seats {
		if s.person() {
			n++
		}
	}
	return n
}

// Partners reports whether the people in a lobby can choose who plays with whom: seats of the game are partners, two
// people or more are there, and nobody else is awaited.
func (p Public) Partners() bool {
	return p.Phase == Lobby && p.Rules.Teams == game.TeamsAuto && p.Rules.Players > 3 && p.People() > 1 && len(p.Awaited) == 0
}

// AILevel returns the level of an AI that has the seat permanently, as far as everybody can know it. It is "" for a
// person's seat.
func (p Public) AILevel(seat int) string {
	if p.Seats[seat].AI == "" {
		return ""
	}
	solo := game.Nobody
	if p.HasDeal {
		solo = p.View.Solo
	}
	return p.Policy.LevelOf(p.Seats, p.Rules, solo, seat)
}

// Opponent returns who plays an AI's seat: the level that the AI has there, and how many seats before it have the same.
// It stays the same for the whole deal, even if a solo player shows up. The level is "" for a person's seat.
func (p Public) Opponent(seat int) (level string, before int) {
	if p.Seats[seat].AI == "" {
		return "", 0
	}
	level = p.Policy.LevelOf(p.Seats, p.Rules, game.Nobody, seat)
	for other := range seat {
		if p.Seats[other].AI != "" && p.Policy.LevelOf(p.Seats, p.Rules, game.Nobody, other) == level {
			before++
		}
	}
	return level, before
}

// Private returns what a player may know of the table, or false if the player has no seat there. A player who left and
// may come back still has one.
func (t Table) Private(player string) (Private, bool) {
	if t.SeatOf(player) < 0 {
		return Private{}, false
	}
	whole := reading{t.public(), t.Deal}
	return whole.private(player)
}

// Readers returns the results of Public and Private for many readers of one table. The public part is computed only
// once.
func (t Table) Readers() (public Public, private func(player string) (Private, bool)) {
	whole := &reading{t.public(), t.Deal}
	return whole.public.masked(""), whole.private
}

// reading is what Private needs of a table: less than a copy of the table.
type reading struct {
	public Public
	deal   game.State
}

func (r *reading) private(player string) (Private, bool) {
	seat := seatOf(r.public.Seats, player)
	if seat < 0 {
		return Private{}, false
	}
	p := Private{Public: r.public.masked(player), Seat: seat}
	if p.HasDeal {
		p.View = r.deal.ViewWith(r.public.View, p.Seat)
	}
	if p.HasDeal && p.Policy.Coached {
		p.Then, p.Made = latest(&r.deal, p.Seat)
	}
	return p, true
}
