package tournaments

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/game/tournament"
	"sedmabot/store"
)

// Ruled reports whether the stored tournament contains the rules of its game.
func (d *Tournament) Ruled() bool { return d.Rules.Players != 0 }

// Tournament is the document of a tournament in a home. Presses change it. Its job takes
// care of the rounds, their tables and their results: see tendTournament.
type Tournament struct {
	ID        string           `json:"id"`
	Home      string           `json:"home"`
	Chat      table.Chat       `json:"chat"` // chat with the tournament's messages
	Host      table.Player     `json:"host"` // the person who opened the tournament
	Stage     Stage            `json:"stage"`
	Pairs     bool             `json:"pairs,omitempty"`
	Rules     game.Rules       `json:"rules,omitzero"` // rules of the game, from the home's settings or a preset
	Limit     time.Duration    `json:"limit"`
	Deals     int              `json:"deals"`            // deals in a round
	Rounds    int              `json:"rounds,omitempty"` // number of rounds; 0: as many as the entrants need
	Entrants  []entry          `json:"entrants,omitempty"`
	Entered   int              `json:"entered,omitempty"`   // the highest entrant number so far
	Swiss     tournament.Swiss `json:"swiss,omitzero"`      // pairings and results; after the start, its entrants match Entrants by index
	Tables    []string         `json:"tables,omitempty"`    // ids of the tables in the latest round
	Done      []bool           `json:"done,omitempty"`      // by index in Tables: whether the table has ended
	Absent    []string         `json:"absent,omitempty"`    // ids of players who were absent at the end of their latest match
	Withdrawn []string         `json:"withdrawn,omitempty"` // ids of players who left because they did nothing for a whole round
	Due       time.Time        `json:"due,omitzero"`        // when the next round begins, or the lobby expires
	Pause     time.Duration    `json:"pause,omitempty"`     // how long this break lasts; 0: breakLasts
	Over      time.Time        `json:"over,omitzero"`       // when it ended; zero: it hasn't, or an earlier version ended it
}

// entry is a person or a pair in a tournament.
type entry struct {
	No      int            `json:"no"` // the entrant's number, from 1; it never changes
	Players []table.Player `json:"players"`
	Out     []string       `json:"out,omitempty"` // ids of the players who have left
}

// Times of a tournament, and the default number of deals a round.
const (
	lobbyLasts   = 24 * time.Hour  // expiry of a lobby without presses
	breakLasts   = 2 * time.Minute // pause between two rounds
	lateBreak    = 12 * time.Hour  // the same, after the bot was away for so long that nobody is waiting any more
	defaultDeals = 4
)

// Refusals that a press on a tournament may get.
var (
	errTournamentFull    = chat.NewLimit("cup_full", tournament.Most)
	errTournamentFew     = chat.NewLimit("cup_few", tournament.Least)
	errTournamentIn      = chat.NewRefusal("cup_in")
	errTournamentOut     = chat.NewRefusal("cup_out")
	errTournamentBegun   = chat.NewRefusal("cup_begun")
	errTournamentHost    = chat.NewRefusal("cup_host")
	errTournamentOver    = chat.NewRefusal("cup_over")
	errTournamentLast    = chat.NewRefusal("cup_last")
	errTournamentNobody  = chat.NewRefusal("cup_nobody")
	errTournamentNoTable = chat.NewRefusal("cup_no_table")
	errTournamentSealed  = chat.NewRefusal("cup_sealed")
)

// tournamentKeys returns the keys of a tournament's document and of its deliver.Shown. It returns
// false if id is malformed.
func tournamentKeys(id string) (keys []store.Key, ok bool) {
	partition, ok := doc.TablePartition(id)
	return []store.Key{{Partition: partition, Name: doc.TournamentName(id)}, {Partition: partition, Name: doc.ShownName(id)}}, ok
}

// write returns the write that stores the document over that version.
func (d Tournament) write(version int64, now time.Time) store.Write {
	return doc.WriteOf(store.Doc{Key: store.Key{Name: doc.TournamentName(d.ID)}, Version: version}, d, now)
}

// Expiry implements [doc.Expiring]: a tournament expires half a year after its end.
func (d Tournament) Expiry(now time.Time) (time.Time, bool) {
	if !d.Ended() {
		return time.Time{}, true
	}
	if !d.Over.IsZero() {
		now = d.Over
	}
	return now.Add(doc.KeepRecord), true
}

// end ends the tournament.
func (d *Tournament) end(stage Stage, now time.Time) {
	d.Stage, d.Due, d.Over = stage, time.Time{}, now
}

// Ended reports whether the tournament is over or was cancelled.
func (d Tournament) Ended() bool { return d.Stage == StageOver || d.Stage == StageOff }

// lobby reports whether the tournament hasn't begun.
func (d Tournament) lobby() bool { return d.Stage == StageLobby || d.Stage == StageSettings }

// perSide returns the number of players on a side.
func (d Tournament) perSide() int {
	if d.Pairs {
		return 2
	}
	return 1
}

// rounds returns how many rounds the tournament has in all.
func (d Tournament) rounds() int {
	n := max(tournament.Least, len(d.Entrants))
	if d.Rounds == 0 {
		return tournament.DefaultRounds(n)
	}
	return min(d.Rounds, tournament.MaxRounds(n))
}

// here returns the entrant's players who haven't left.
func (e entry) here() []table.Player {
	return slices.DeleteFunc(slices.Clone(e.Players), func(p table.Player) bool { return slices.Contains(e.Out, p.ID) })
}

// waits reports whether the entrant needs a partner.
func (d Tournament) waits(e entry) bool { return d.Pairs && len(e.here()) == 1 }

// entrant returns the index of the player's entrant, or of the latest one that the player has left, or -1.
func (d Tournament) entrant(player string) int {
	latest := -1
	for i, e := range d.Entrants {
		if e.hasPlayer(player) {
			if latest = i; !slices.Contains(e.Out, player) {
				break
			}
		}
	}
	return latest
}

// hasPlayer reports whether the player belongs to the entrant, even if the player has left.
func (e entry) hasPlayer(player string) bool {
	return slices.ContainsFunc(e.Players, func(p table.Player) bool { return p.ID == player })
}

// playing returns the number of entrants who haven't left.
func (d Tournament) playing() int {
	n := 0
	for _, e := range d.Entrants {
		if len(e.here()) > 0 {
			n++
		}
	}
	return n
}

// people returns the number of players who haven't left.
func (d Tournament) people() (n int) {
	for _, e := range d.Entrants {
		n += len(e.here())
	}
	return n
}

// games returns the families of games that this tournament can play.
func (d Tournament) games() []string {
	return slices.DeleteFunc(game.Families(), func(family string) bool { return table.TournamentGame(family, d.perSide()) == nil })
}

// setKind makes the tournament one for pairs or for singles. If the kind changes, each
// person enters again alone. If the game doesn't suit the kind, the rules change too.
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
	for _, family := range append([]string{game.Family(d.Rules.Preset), game.Family(table.DefaultPreset)}, d.games()...) {
		if r := table.TournamentGame(family, d.perSide()); r != nil {
			if d.Rules.Players != r.Players {
				d.Rules = *r
			}
			return
		}
	}
}

func (d *Tournament) enter(p table.Player) {
	d.Entered++
	d.Entrants = append(d.Entrants, entry{No: d.Entered, Players: []table.Player{p}})
}

// request is one press on a tournament's message.
type request struct {
	what, value string
	player      table.Player
	organises   bool // the person may manage the tournament: see Tournament.organises
	now         time.Time
}

// do applies a press to the tournament. It returns the key of the text that answers the
// press, or "".
func (d *Tournament) do(p request) (string, error) {
	key, err := d.apply(p)
	d.passHost()
	return key, err
}

// passHost makes the first person who is there the host, if the host's data was deleted.
func (d *Tournament) passHost() {
	if !strings.HasPrefix(d.Host.ID, table.Gone) {
		return
	}
	for _, e := range d.Entrants {
		if here := e.here(); len(here) > 0 {
			d.Host = here[0]
			return
		}
	}
}

func (d *Tournament) apply(p request) (string, error) {
	if d.Ended() {
		return "", errTournamentOver
	}
	if d.lobby() {
		d.Due = p.now.Add(lobbyLasts)
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
		return "", errTournamentHost
	case p.what == "off" && (p.value == "yes" || p.value == "ask" && d.lobby() && d.people() == 0):
		d.end(StageOff, p.now)
		return "cup.off", nil
	case p.what == "next":
		if d.Stage != StageBreak || p.value != strconv.Itoa(len(d.Swiss.Rounds)) {
			return "", errTournamentOver
		}
		d.Due = p.now
		return "", nil
	case !d.lobby():
		return "", errTournamentBegun
	}
	return "", d.choose(p)
}

// choose applies an organiser's press before the start.
func (d *Tournament) choose(p request) error {
	number, _ := strconv.Atoi(p.value)
	switch {
	case p.what == "start":
		return d.start(p.now)
	case p.what == "page":
		d.Stage = StageLobby
		if p.value == string(StageSettings) {
			d.Stage = StageSettings
		}
	case p.what == "kind" && slices.Contains(TournamentKinds, p.value):
		if people := d.people(); p.value != "pairs" && people > tournament.Most {
			return errTournamentFull
		}
		d.setKind(p.value == "pairs")
	case p.what == "game" && slices.Contains(d.games(), p.value):
		d.Rules = *table.TournamentGame(p.value, d.perSide())
	case p.what == "rounds" && slices.Contains(TournamentRounds, p.value):
		d.Rounds = number // Atoi gives 0 for "auto"
	case p.what == "deals" && slices.Contains(TournamentDeals, p.value):
		d.Deals = number
	default:
		return chat.ErrForged
	}
	return nil
}

// isHere records that a player has pressed something, so they don't count as absent.
func (d *Tournament) isHere(player string) {
	is := func(id string) bool { return id == player }
	d.Withdrawn, d.Absent = slices.DeleteFunc(slices.Clone(d.Withdrawn), is), slices.DeleteFunc(slices.Clone(d.Absent), is)
}

// join enters a player, or brings back one who left.
func (d *Tournament) join(p table.Player) (string, error) {
	i := d.entrant(p.ID)
	d.isHere(p.ID)
	switch {
	case i >= 0 && !slices.Contains(d.Entrants[i].Out, p.ID):
		return "", errTournamentIn
	case !d.lobby() && len(d.Swiss.Rounds) >= d.rounds():
		return "", errTournamentLast
	case (i < 0 || len(d.Entrants[i].here()) == 0) && d.playing() >= tournament.Most:
		return "", errTournamentFull
	case i >= 0:
		d.Entrants[i].Out = slices.DeleteFunc(slices.Clone(d.Entrants[i].Out), func(id string) bool { return id == p.ID })
		d.Swiss.Entrants[i].Gone = false
		return "reply.cup_late", nil
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

// partner makes a player the partner of an entrant who needs one.
func (d *Tournament) partner(p request) (string, error) {
	d.isHere(p.player.ID)
	no, err := strconv.Atoi(p.value)
	with := slices.IndexFunc(d.Entrants, func(e entry) bool { return e.No == no })
	if err != nil || with < 0 || !d.waits(d.Entrants[with]) {
		return "", errTournamentNobody
	}
	if !d.lobby() && len(d.Swiss.Rounds) >= d.rounds() {
		return "", errTournamentLast
	}
	if i := d.entrant(p.player.ID); i >= 0 && !slices.Contains(d.Entrants[i].Out, p.player.ID) {
		// Before the start, a player who waits for a partner gives up their own entry.
		if !d.lobby() || i == with || !d.waits(d.Entrants[i]) {
			return "", errTournamentIn
		}
		d.Entrants = slices.Delete(slices.Clone(d.Entrants), i, i+1)
		with = slices.IndexFunc(d.Entrants, func(e entry) bool { return e.No == no })
	}
	e := &d.Entrants[with]
	e.Players = append(e.here(), p.player) // the new player replaces one who left
	e.Out = nil
	return "reply.cup_paired", nil
}

// leave takes a player out of the tournament. Before the start, the player is removed; later,
// they are left out from the next round on. If one player of a pair has left, the AI plays
// for them.
func (d *Tournament) leave(player string) error {
	i := d.entrant(player)
	if i < 0 || slices.Contains(d.Entrants[i].Out, player) {
		return errTournamentOut
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

// forget removes all traces of a player, and reports whether there were any. If the
// tournament has begun, the player leaves it, and gone replaces their id. If they were the host, somebody else becomes it.
func (d *Tournament) forget(player, gone string) bool {
	defer d.passHost()
	is := func(id string) bool { return id == player }
	found := d.Host.ID == player || slices.ContainsFunc(d.Absent, is) || slices.ContainsFunc(d.Withdrawn, is)
	if d.Host.ID == player {
		d.Host = table.Tombstone(gone, 0)
	}
	d.isHere(player)
	i := d.entrant(player)
	if i < 0 {
		return found
	}
	if err := d.leave(player); err == nil && d.lobby() {
		return true
	}
	for i, e := range d.Entrants {
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
	}
	return true
}

// start closes the lobby and makes the first round due. Players who wait for a partner are
// paired in the order of entry. If one is left over, the AI is their partner.
func (d *Tournament) start(now time.Time) error {
	var entrants []entry
	open := -1
	for _, e := range d.Entrants {
		switch {
		case d.waits(e) && open >= 0:
			entrants[open].Players = append(slices.Clone(entrants[open].Players), e.Players...)
			open = -1
			continue
		case d.waits(e):
			open = len(entrants)
		}
		entrants = append(entrants, e)
	}
	if d.people() < tournament.Least {
		return errTournamentFew
	}
	d.Entrants = entrants
	for range entrants {
		d.Swiss.Enter()
	}
	d.Rounds = d.rounds()
	d.Stage, d.Due = StageBreak, now
	return nil
}
