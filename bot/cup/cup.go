package cup

import (
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/game/tournament"
	"sedmabot/store"
)

// Ruled reports whether the tournament has the rules of its game.
func (d *Tournament) Ruled() bool { return d.Rules.Players != 0 }

// Tournament is a tournament of a home. Presses change it; what follows of itself
// (rounds, their tables, their results) is done by its job: see tendCup.
type Tournament struct {
	ID       string           `json:"id"`
	Home     string           `json:"home"`
	Chat     table.Chat       `json:"chat"` // where it stands
	Host     table.Player     `json:"host"` // who opened it
	Stage    view.Stage       `json:"stage"`
	Pairs    bool             `json:"pairs,omitempty"`
	Rules    game.Rules       `json:"rules"` // of the game, as the home or its preset has them
	Limit    time.Duration    `json:"limit"`
	Deals    int              `json:"deals"`            // in a round
	Rounds   int              `json:"rounds,omitempty"` // 0: as many as the entrants need
	Entrants []cupEntrant     `json:"entrants,omitempty"`
	Entered  int              `json:"entered,omitempty"` // how many numbers were given out
	Swiss    tournament.Swiss `json:"swiss,omitzero"`    // its entrants are Entrants, from the start on
	Tables   []string         `json:"tables,omitempty"`  // of the latest round
	Done     []bool           `json:"done,omitempty"`    // which of those have ended
	Absent   []string         `json:"absent,omitempty"`  // who was not there at the end of his latest match
	Due      time.Time        `json:"due,omitzero"`      // when the next round begins, or the lobby ends
}

// cupEntrant is a person or a pair.
type cupEntrant struct {
	No      int            `json:"no"` // from 1, for good
	Players []table.Player `json:"players"`
	Out     []string       `json:"out,omitempty"` // those of them who have left
}

// The times of a tournament, and what it begins with.
const (
	cupLobby = 24 * time.Hour  // how long one that nobody does anything about waits for its start
	cupBreak = 2 * time.Minute // between two rounds
	cupDeals = 4
)

// The refusals of tournaments.
var (
	errCupFull    = chat.NewLimit("cup_full", tournament.Most)
	errCupFew     = chat.NewLimit("cup_few", tournament.Least)
	errCupIn      = chat.NewRefusal("cup_in")
	errCupOut     = chat.NewRefusal("cup_out")
	errCupBegun   = chat.NewRefusal("cup_begun")
	errCupHost    = chat.NewRefusal("cup_host")
	errCupOver    = chat.NewRefusal("cup_over")
	errCupLast    = chat.NewRefusal("cup_last")
	errCupNobody  = chat.NewRefusal("cup_nobody")
	errCupNoTable = chat.NewRefusal("cup_no_table")
	errCupSealed  = chat.NewRefusal("cup_sealed")
)

// cupKeys are the keys of a tournament, and of what is shown of it.
func cupKeys(id string) (keys []store.Key, ok bool) {
	partition, ok := doc.TablePartition(id)
	return []store.Key{{Partition: partition, Name: doc.CupName(id)}, {Partition: partition, Name: doc.ShownName(id)}}, ok
}

// write is the document as it is stored over that version.
func (d Tournament) write(version int64, now time.Time) store.Write {
	w := store.Write{Name: doc.CupName(d.ID), Expect: version, Data: doc.Encode(d)}
	if d.Ended() {
		w.Expires = now.Add(doc.KeepRecord)
	}
	return w
}

// Ended reports whether the tournament is over or was called off.
func (d Tournament) Ended() bool { return d.Stage == view.StageOver || d.Stage == view.StageOff }

// lobby tells whether it has not begun.
func (d Tournament) lobby() bool { return d.Stage == view.StageLobby || d.Stage == view.StageSettings }

// perSide is how many play together.
func (d Tournament) perSide() int {
	if d.Pairs {
		return 2
	}
	return 1
}

// rounds is how many there are to be.
func (d Tournament) rounds() int {
	n := max(tournament.Least, len(d.Entrants))
	if d.Rounds == 0 {
		return tournament.DefaultRounds(n)
	}
	return min(d.Rounds, tournament.MostRounds(n))
}

// here are the players of an entrant who have not left.
func (e cupEntrant) here() []table.Player {
	return slices.DeleteFunc(slices.Clone(e.Players), func(p table.Player) bool { return slices.Contains(e.Out, p.ID) })
}

// waits tells whether somebody could become the partner of that entrant.
func (d Tournament) waits(e cupEntrant) bool { return d.Pairs && len(e.here()) == 1 }

// entrant is which of the entrants the player is one of, even if he left; -1: none.
func (d Tournament) entrant(player string) int {
	return slices.IndexFunc(d.Entrants, func(e cupEntrant) bool {
		return slices.ContainsFunc(e.Players, func(p table.Player) bool { return p.ID == player })
	})
}

// playing counts the entrants who have not left.
func (d Tournament) playing() int {
	n := 0
	for _, e := range d.Entrants {
		if len(e.here()) > 0 {
			n++
		}
	}
	return n
}

// games are the families that this one can be of.
func (d Tournament) games() []string {
	return slices.DeleteFunc(game.Families(), func(family string) bool { return table.ContestGame(family, d.perSide()) == nil })
}

// setKind makes it one for pairs, or for singles.
func (d *Tournament) setKind(pairs bool) {
	var people []table.Player
	for _, e := range d.Entrants {
		people = append(people, e.Players...)
	}
	if pairs != d.Pairs {
		d.Entrants = nil
		for _, p := range people {
			d.enter(p)
		}
	}
	d.Pairs = pairs
	for _, family := range append([]string{game.Family(d.Rules.Preset), game.Family(doc.DefaultPreset)}, d.games()...) {
		if r := table.ContestGame(family, d.perSide()); r != nil {
			if d.Rules.Players != r.Players {
				d.Rules = *r
			}
			return
		}
	}
}

func (d *Tournament) enter(p table.Player) {
	d.Entered++
	d.Entrants = append(d.Entrants, cupEntrant{No: d.Entered, Players: []table.Player{p}})
}

// cupPress is what somebody does about a tournament.
type cupPress struct {
	what, value string
	player      table.Player
	organises   bool // see Tournament.organises
	now         time.Time
}

// do is the tournament after that, and the key of what the presser is told.
func (d *Tournament) do(p cupPress) (string, error) {
	if d.Ended() {
		return "", errCupOver
	}
	if d.lobby() {
		d.Due = p.now.Add(cupLobby)
	}
	switch p.what {
	case "join":
		return d.join(p.player)
	case "partner":
		return d.partner(p)
	case "leave":
		return "reply.cup_left", d.leave(p.player.ID)
	}
	switch {
	case !p.organises:
		return "", errCupHost
	case p.what == "off" && p.value == "yes":
		d.Stage, d.Due = view.StageOff, time.Time{}
		return "cup.off", nil
	case p.what == "next":
		if d.Stage != view.StageBreak || p.value != strconv.Itoa(len(d.Swiss.Rounds)) {
			return "", errCupOver
		}
		d.Due = p.now
		return "", nil
	case !d.lobby():
		return "", errCupBegun
	}
	return "", d.choose(p)
}

// choose is one press of the organiser before the start.
func (d *Tournament) choose(p cupPress) error {
	number, _ := strconv.Atoi(p.value)
	switch {
	case p.what == "start":
		return d.start(p.now)
	case p.what == "page":
		d.Stage = view.StageLobby
		if p.value == string(view.StageSettings) {
			d.Stage = view.StageSettings
		}
	case p.what == "kind" && slices.Contains(view.TournamentKinds, p.value):
		d.setKind(p.value == "pairs")
	case p.what == "game" && slices.Contains(d.games(), p.value):
		d.Rules = *table.ContestGame(p.value, d.perSide())
	case p.what == "rounds" && slices.Contains(view.TournamentRounds, p.value):
		d.Rounds = number // 0 for "auto"
	case p.what == "deals" && slices.Contains(view.TournamentDeals, p.value):
		d.Deals = number
	default:
		return chat.ErrForged
	}
	return nil
}

// join enters somebody, or brings him back who had left.
func (d *Tournament) join(p table.Player) (string, error) {
	i := d.entrant(p.ID)
	switch {
	case i >= 0 && !slices.Contains(d.Entrants[i].Out, p.ID):
		return "", errCupIn
	case !d.lobby() && len(d.Swiss.Rounds) >= d.rounds():
		return "", errCupLast
	case i >= 0:
		d.Entrants[i].Out = slices.DeleteFunc(slices.Clone(d.Entrants[i].Out), func(id string) bool { return id == p.ID })
		d.Swiss.Entrants[i].Gone = false
		return "reply.cup_late", nil
	case d.playing() >= tournament.Most:
		return "", errCupFull
	}
	d.enter(p)
	if !d.lobby() {
		d.Swiss.Enter()
		return "reply.cup_late", nil
	}
	if d.Pairs {
		return "reply.cup_waits", nil
	}
	return "reply.cup_joined", nil
}

// partner makes somebody the partner of an entrant who looks for one.
func (d *Tournament) partner(p cupPress) (string, error) {
	no, err := strconv.Atoi(p.value)
	with := slices.IndexFunc(d.Entrants, func(e cupEntrant) bool { return e.No == no })
	if err != nil || with < 0 || !d.waits(d.Entrants[with]) {
		return "", errCupNobody
	}
	if !d.lobby() && len(d.Swiss.Rounds) >= d.rounds() {
		return "", errCupLast
	}
	if i := d.entrant(p.player.ID); i >= 0 {
		// Who looks for a partner himself, before the start, gives that up.
		if !d.lobby() || i == with || !d.waits(d.Entrants[i]) {
			return "", errCupIn
		}
		d.Entrants = slices.Delete(slices.Clone(d.Entrants), i, i+1)
		with = slices.IndexFunc(d.Entrants, func(e cupEntrant) bool { return e.No == no })
	}
	e := &d.Entrants[with]
	e.Players = append(e.here(), p.player) // in the place of one who left
	e.Out = nil
	return "reply.cup_paired", nil
}

// leave takes somebody out of it: before the start wholly, later from the next
// round on. The AI takes the place of one of a pair.
func (d *Tournament) leave(player string) error {
	i := d.entrant(player)
	if i < 0 || slices.Contains(d.Entrants[i].Out, player) {
		return errCupOut
	}
	e := &d.Entrants[i]
	e.Out = append(slices.Clip(e.Out), player)
	left := e.here()
	switch {
	case !d.lobby():
		d.Swiss.Entrants[i].Gone = len(left) == 0
	case len(left) == 0:
		d.Entrants = slices.Delete(d.Entrants, i, i+1)
	default:
		e.Players, e.Out = left, nil
	}
	return nil
}

// forget takes somebody out without a trace, and reports whether there was one:
// once it has begun, gone stands for him, who has left.
func (d *Tournament) forget(player, gone string) bool {
	is := func(id string) bool { return id == player }
	found := d.Host.ID == player || slices.ContainsFunc(d.Absent, is)
	if d.Host.ID == player {
		d.Host = table.Tombstone(gone, 0)
	}
	d.Absent = slices.DeleteFunc(d.Absent, is)
	i := d.entrant(player)
	if i < 0 {
		return found
	}
	if err := d.leave(player); err == nil && d.lobby() {
		return true
	}
	e := &d.Entrants[i]
	for n := range e.Players {
		if e.Players[n].ID == player {
			e.Players[n] = table.Tombstone(gone, i)
		}
	}
	for n := range e.Out {
		if e.Out[n] == player {
			e.Out[n] = gone
		}
	}
	return true
}

// start closes the lobby, and the first round is due. Those who look for a
// partner become pairs in the order in which they came, as long as enough
// entrants remain; the others have the AI for one.
func (d *Tournament) start(now time.Time) error {
	var entrants []cupEntrant
	open := -1
	spare := len(d.Entrants) - tournament.Least
	for _, e := range d.Entrants {
		switch {
		case d.waits(e) && open >= 0 && spare > 0:
			spare--
			entrants[open].Players = append(slices.Clone(entrants[open].Players), e.Players...)
			open = -1
			continue
		case d.waits(e):
			open = len(entrants)
		}
		entrants = append(entrants, e)
	}
	if len(entrants) < tournament.Least {
		return errCupFew
	}
	d.Entrants = entrants
	for range entrants {
		d.Swiss.Enter()
	}
	d.Rounds = d.rounds()
	d.Stage, d.Due = view.StageBreak, now
	return nil
}
