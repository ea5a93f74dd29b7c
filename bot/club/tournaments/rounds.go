package tournaments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/game/tournament"
	"sedmabot/store"
)

// tendTournament runs the job of a tournament. It begins rounds, and opens all tables of a round in
// one commit. When the last table has ended, it ends the round. Then it updates the messages
// in the tournament's chat. The end of each table makes the job due.
func (room *Room) tendTournament(ctx context.Context, id string, job store.Job, ends time.Time) error {
	keys, ok := tournamentKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	return room.deliver.Tend(ctx, room.queue, job, ends, keys[1], func() (n deliver.Notice, err error) {
		d, err := room.advanceTournament(ctx, id)
		if errors.Is(err, errTournamentOver) {
			return n, doc.ErrNoTable
		}
		if err != nil {
			return n, err
		}
		if d.Ended() {
			n.Expires = room.docs.Now().Add(doc.KeepClosed)
		}
		n.Messages = deliver.Messages{ID: id, Chats: []table.Chat{d.Chat}, Stage: strconv.Itoa(len(d.Swiss.Rounds))}
		n.Posts, n.Asked, n.Due = Posts(d.view(), d.Chat), map[string]table.Player{d.Chat.ID: d.Host}, d.Due
		n.Moved = func(from, to string) error { return room.moveTournament(ctx, id, from, to) }
		return n, nil
	})
}

// moveTournament updates a tournament after its chat got a new id.
func (room *Room) moveTournament(ctx context.Context, id, from, to string) error {
	if err := room.tables.Migrate(ctx, from, to); err != nil {
		return err
	}
	return room.update(ctx, "", id, func(d *Tournament) error {
		if d.Chat.ID != from {
			return doc.ErrSame
		}
		d.Chat.ID = to
		return nil
	})
}

// CopySettings applies a home's settings to its tournament, if one is open. It ignores a
// tournament that can't be read.
func (room *Room) CopySettings(ctx context.Context, home doc.Home) error {
	err := room.update(ctx, "", home.Tournament, func(d *Tournament) error {
		here := home.Refresh(d.Chat)
		if d.Ended() || here == d.Chat {
			return doc.ErrSame
		}
		d.Chat = here
		return nil
	})
	if errors.Is(err, chat.ErrForged) || errors.Is(err, errTournamentOver) || errors.Is(err, doc.ErrNewer) || errors.Is(err, doc.ErrUnreadable) {
		return nil
	}
	return err
}

// Remember causes a tournament's current message to be sent again. It also causes the
// messages of the current round's tables to be edited again.
func (room *Room) Remember(ctx context.Context, id string) error {
	d, version, err := room.Load(ctx, id)
	if errors.Is(err, errTournamentOver) || err == nil && d.Ended() {
		return nil
	}
	if err != nil {
		return err
	}
	for i, table := range d.Tables {
		if d.Stage != StageRound || d.Done[i] {
			continue
		}
		if err := room.tables.Note(ctx, table, func(n *doc.Notes) { n.Doubts++ }); err != nil {
			return err
		}
	}
	d.Chat.Bump++
	return room.commitTournament(ctx, "", d, version)
}

// Raise causes a tournament's message to be sent again, unless the tournament has ended.
func (room *Room) Raise(ctx context.Context, id string) error {
	err := room.update(ctx, "", id, bump)
	if errors.Is(err, errTournamentOver) {
		return nil
	}
	return err
}

// bump causes a tournament's message to be sent again. It returns errTournamentOver if the
// tournament has ended.
func bump(d *Tournament) error {
	if d.Ended() {
		return errTournamentOver
	}
	d.Chat.Bump++
	return nil
}

// advanceTournament takes all steps that are due in a tournament, and commits each one. It returns
// the tournament after the last step.
func (room *Room) advanceTournament(ctx context.Context, id string) (Tournament, error) {
	for range 2 * doc.Attempts {
		d, version, err := room.Load(ctx, id)
		if err != nil {
			return d, err
		}
		now := room.docs.Now()
		c := store.Change{Partition: store.Partition(d.Home), Now: now}
		longest := lobbyLasts
		if d.Stage == StageBreak {
			longest = cmp.Or(d.Pause, breakLasts)
		}
		changed := !store.Believed(d.Due, now, longest)
		d.Due = store.Believe(d.Due, now, longest)
		switch due := !d.Due.IsZero() && !d.Due.After(now); {
		case due && now.Sub(d.Due) >= table.Overdue: // the bot was away
			if d.Stage == StageBreak && len(d.Swiss.Rounds) > 0 && now.Sub(d.Due) >= tooLate {
				d.Pause, longest = lateBreak, lateBreak
				d.Chat.Bump++
			}
			d.Due, changed = now.Add(longest), true
		case d.lobby() && due:
			d.end(StageOff, now)
			changed = true
		case d.Stage == StageBreak && due:
			changed = true
			err = room.beginRound(ctx, &d, &c)
		case d.Stage == StageRound:
			changed, err = room.collect(ctx, &d, now)
		case d.Stage == StageOff:
			changed, err = room.dissolve(ctx, &d)
		}
		if err != nil || !changed {
			return d, err
		}
		c.Writes = append(c.Writes, d.write(version, now))
		if err := room.docs.Commit(ctx, "", c); err != nil && !errors.Is(err, store.ErrConflict) {
			return d, err
		}
	}
	return Tournament{}, doc.ErrBusy
}

// beginRound pairs the next round and adds its tables to c. If fewer than two entrants are
// left, it ends the tournament instead.
func (room *Room) beginRound(ctx context.Context, d *Tournament, c *store.Change) error {
	d.Due = time.Time{}
	if len(d.Swiss.Playing()) < 2 {
		d.end(StageOver, c.Now)
		return nil
	}
	rules, err := table.TournamentRules(d.Rules, d.Deals)
	if err != nil {
		return fmt.Errorf("begin a round: %w", err)
	}
	decks, err := room.decks(rules, c.Now)
	if err != nil {
		return err
	}
	r := d.Swiss.Pair(room.tables.Seed())
	d.Stage, d.Tables, d.Done = StageRound, nil, make([]bool, len(r.Tables))
	for i, pair := range r.Tables {
		seats := make([]table.Seat, rules.Players)
		for side, entrant := range pair.Sides {
			players := d.Entrants[entrant].here()
			for seat := range seats {
				switch {
				case rules.Side(seat) != side:
				case len(players) == 0:
					seats[seat].AI = table.StandInLevel
				default:
					seats[seat] = table.Seat{Player: players[0], Away: slices.Contains(d.Absent, players[0].ID)}
					players = players[1:]
				}
			}
		}
		at := table.Tournament{ID: d.ID, Chat: d.Chat.ID, Round: len(d.Swiss.Rounds), Table: i + 1, Decks: decks}
		t, events, err := table.NewTournamentTable(doc.NewTableID(d.Home), d.Home, at, seats, rules, room.pace, d.Limit, c.Now)
		if err != nil {
			return fmt.Errorf("open a table: %w", err)
		}
		opened, err := room.tables.Opening(ctx, &t, events)
		if err != nil {
			return err
		}
		c.Writes, c.Rows = append(c.Writes, opened.Writes...), append(c.Rows, opened.Rows...)
		c.Due = append(c.Due, opened.Due...)
		d.Tables = append(d.Tables, t.ID)
	}
	return nil
}

// decks returns the seed of a round's decks. It leaves out seeds whose first deal is over when it is dealt.
func (room *Room) decks(rules game.Rules, now time.Time) (seed table.Seed, err error) {
	seats := make([]table.Seat, rules.Players)
	for i := range seats {
		seats[i].Player.ID = "?"
	}
	for range 100 { // no rules burn so many deals
		seed = room.tables.Seed()
		t, _, err := table.NewTournamentTable("", "", table.Tournament{Decks: seed}, seats, rules, room.pace, time.Minute, now)
		if err != nil {
			return seed, fmt.Errorf("deal the cards of a round: %w", err)
		}
		if t.Phase == table.Playing {
			break
		}
	}
	return seed, nil
}

// Ends has a tournament look at a table that has ended, and notes it in the table's match.
func (room *Room) Ends(_ context.Context, c *store.Change, t *table.Table, over *doc.Match) error {
	if over != nil {
		over.Tournament, over.Round = t.Tournament.ID, t.Tournament.Round
	}
	c.Due = append(c.Due, store.Mark{ID: doc.TournamentName(t.Tournament.ID), At: c.Now})
	return nil
}

// collect records the results of the tables that have ended. When the last table has ended,
// it ends the round. It reports whether anything changed.
func (room *Room) collect(ctx context.Context, d *Tournament, now time.Time) (bool, error) {
	var open []int
	var keys []store.Key
	for i, id := range d.Tables {
		if own, ok := doc.TableKeys(id); ok && !d.Done[i] {
			open, keys = append(open, i), append(keys, own[0])
		}
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return false, err
	}
	round := &d.Swiss.Rounds[len(d.Swiss.Rounds)-1]
	ended := 0
	for n, i := range open {
		t, err := doc.DecodeTable(docs[n])
		if err != nil {
			return false, err
		}
		if docs[n].Version != 0 && !doc.Ended(t.Phase) {
			continue
		}
		ended++
		d.Done[i] = true
		if round.Tables[i].Void = !t.Match.Over; t.Match.Over {
			round.Tables[i].Margin = t.Match.Scores[0] - t.Match.Scores[1]
		} else if !t.Resting { // if nobody continued it after the bot was away, they are absent
			continue
		}
		for _, s := range t.Seats {
			id, absent := s.Player.ID, s.Away || s.Left || t.Resting
			if id != "" && absent && !slices.Contains(t.Tournament.Came, id) && d.leave(id) == nil {
				d.Withdrawn = append(d.Withdrawn, id)
			}
			d.Absent = slices.DeleteFunc(d.Absent, func(absent string) bool { return absent == id })
			if id != "" && absent {
				d.Absent = append(d.Absent, id)
			}
		}
	}
	if ended < len(open) {
		return ended > 0, nil
	}
	round.Over = true
	d.Stage, d.Due, d.Pause = StageBreak, now.Add(breakLasts), 0
	if len(d.Swiss.Rounds) >= d.rounds() || len(d.Swiss.Playing()) < 2 && len(d.Withdrawn) == 0 { // those who were absent may come back in the break
		d.end(StageOver, now)
	}
	return true, nil
}

// dissolve closes the tables of a cancelled tournament. It reports whether anything changed.
func (room *Room) dissolve(ctx context.Context, d *Tournament) (bool, error) {
	changed := false
	for i, id := range d.Tables {
		if d.Done[i] {
			continue
		}
		d.Done[i], changed = true, true
		match := &d.Swiss.Rounds[len(d.Swiss.Rounds)-1].Tables[i]
		match.Void = true
		err := room.tables.Bring(ctx, id, func(t table.Table) (table.Player, table.Command, bool) {
			match.Void = !t.Match.Over
			return table.Player{}, table.Void{}, !doc.Ended(t.Phase)
		})
		if err != nil {
			return false, err
		}
	}
	return changed, nil
}

// view returns the tournament in the form that screens need.
func (d Tournament) view() TournamentView {
	rules, err := table.TournamentRules(d.Rules, d.Deals)
	if err != nil {
		rules = d.Rules
	}
	t := TournamentView{
		ID: d.ID, Stage: d.Stage, Rules: rules, Games: d.games(), Pairs: d.Pairs, Rounds: d.rounds(), Auto: d.Rounds == 0,
		Deals: d.Deals, Limit: d.Limit, Break: cmp.Or(d.Pause, breakLasts), Host: screen.Person{ID: d.Host.ID, Name: d.Host.Name},
		Least: tournament.Least, Most: tournament.Most,
	}
	for _, e := range d.Entrants {
		out := Entrant{No: e.No, Waiting: d.waits(e), AI: d.waits(e) && !d.lobby()}
		people := e.here()
		if len(people) == 0 {
			people, out.Gone = e.Players, true
		}
		for _, p := range people {
			out.People = append(out.People, screen.Person{ID: p.ID, Name: p.Name})
		}
		t.Entrants = append(t.Entrants, out)
	}
	for _, id := range d.Withdrawn {
		if i := d.entrant(id); i >= 0 {
			at := slices.IndexFunc(d.Entrants[i].Players, func(p table.Player) bool { return p.ID == id })
			t.Withdrawn = append(t.Withdrawn, screen.Person{ID: id, Name: d.Entrants[i].Players[at].Name})
		}
	}
	for no, r := range d.Swiss.Rounds {
		out := Round{Bye: r.Bye, Over: r.Over}
		gains := r.Gains()
		for i, pair := range r.Tables {
			at := RoundTable{Sides: pair.Sides, Margin: pair.Margin, Void: pair.Void}
			if no == len(d.Swiss.Rounds)-1 {
				at.Done = d.Done[i]
			}
			if r.Over {
				at.Difference, at.Points = gains[i].Difference, gains[i].Points
			}
			out.Tables = append(out.Tables, at)
		}
		if r.Over {
			then := tournament.Swiss{Rounds: d.Swiss.Rounds[:no+1]}
			for _, e := range d.Swiss.Entrants {
				if e.Late <= no { // the others entered in a later round
					then.Entrants = append(then.Entrants, e)
				}
			}
			for _, s := range then.Standings() {
				out.Standings = append(out.Standings, Standing{
					Entrant: s.Entrant, Rank: s.Rank, Points: s.Points, Difference: s.Difference, Buchholz: s.Buchholz,
				})
			}
		}
		t.Played = append(t.Played, out)
	}
	return t
}
