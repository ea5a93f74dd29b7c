package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// openCup opens a tournament in this chat. Where the home has one, it is brought
// to the bottom of its chat.
func (b *Bot) openCup(ctx context.Context, in Input) Reply {
	if why := unfit(in); why != "" {
		return Reply{Toast: why, Outcome: Refused}
	}
	if in.Chat.Private {
		return Reply{Toast: in.Text("reply.cup_private"), Outcome: Refused}
	}
	for range attempts {
		r, err := b.tryOpenCup(ctx, in)
		if !errors.Is(err, store.ErrConflict) {
			if err != nil {
				return in.Refuse(err)
			}
			return r
		}
	}
	return in.Refuse(errBusy)
}

func (b *Bot) tryOpenCup(ctx context.Context, in Input) (Reply, error) {
	docs, err := b.docs.Store.Get(ctx, homeKey(in.Chat.Home), playerKey(in.Player.ID))
	if err != nil {
		return Reply{}, err
	}
	var home homeDoc
	var own playerDoc
	if err := errors.Join(decode(docs[0], &home), decode(docs[1], &own)); err != nil {
		return Reply{}, err
	}
	if own.Erasing {
		return Reply{}, errErasing
	}
	now := b.docs.Now()
	if home.Cup != "" {
		d, version, err := b.loadCup(ctx, home.Cup)
		if err != nil && !errors.Is(err, errCupOver) {
			return Reply{}, err
		}
		if err == nil && !d.ended() {
			d.Chat.Bump++
			return Reply{Toast: in.Text("reply.cup_stands"), Echo: true}, b.commitCup(ctx, in.Once, d, version)
		}
	}
	if err := home.opens(ctx, in); err != nil {
		return Reply{}, err
	}
	begin, err := home.beginning()
	if err != nil {
		return Reply{}, err
	}
	d := cupDoc{
		ID: newTableID(in.Chat.Home), Home: in.Chat.Home, Chat: home.dress(table.Chat{ID: in.Chat.ID, Lang: in.Chat.Lang}),
		Host: own.dress(in.TablePlayer()), Stage: view.StageLobby, Pairs: true, Rules: begin.Rules, Limit: begin.Limit,
		Deals: cupDeals, Due: now.Add(cupLobby),
	}
	if d.Limit <= 0 {
		d.Limit = table.DefaultLimit // somebody who went must not hold up everybody
	}
	if family := in.Args["game"]; family != "" {
		if d.Pairs = table.ContestGame(family, 2) != nil; !d.Pairs && table.ContestGame(family, 1) == nil {
			return Reply{}, table.ErrNoChoice
		}
		d.Rules = *table.ContestGame(family, d.perSide())
	}
	kind := in.Args["kind"]
	d.setKind(kind == "pairs" || kind == "" && d.Pairs)
	if _, err := table.ContestRules(d.Rules, d.Deals); err != nil {
		d.Rules = *table.ContestGame(game.Family(defaultPreset), d.perSide())
	}
	home.Cup = d.ID
	err = b.docs.CommitOnce(ctx, in.Once, store.Change{
		Partition: store.Partition(d.Home), Now: now,
		Writes: []store.Write{d.write(0, now), {Name: homeName(d.Home), Expect: docs[0].Version, Data: encode(home)}},
		Due:    []store.Mark{{ID: cupName(d.ID), At: now}},
	})
	if err == nil {
		b.docs.Nudge()
	}
	return Reply{Toast: in.Text("reply.cup_opened"), Echo: true}, err
}

// loadCup loads a tournament; errCupOver if there is none of that id.
func (b *Bot) loadCup(ctx context.Context, id string) (d cupDoc, version int64, err error) {
	keys, ok := cupKeys(id)
	if !ok {
		return d, 0, errForged
	}
	docs, err := b.docs.Store.Get(ctx, keys[0])
	if err != nil {
		return d, 0, err
	}
	if docs[0].Version == 0 {
		return d, 0, errCupOver
	}
	return d, docs[0].Version, decode(docs[0], &d)
}

// commitCup commits a tournament, once for an event unless that is "", and makes it due.
func (b *Bot) commitCup(ctx context.Context, event string, d cupDoc, version int64) error {
	now := b.docs.Now()
	err := b.docs.CommitOnce(ctx, event, store.Change{
		Partition: store.Partition(d.Home), Now: now,
		Writes: []store.Write{d.write(version, now)}, Due: []store.Mark{{ID: cupName(d.ID), At: now}},
	})
	if err == nil {
		b.docs.Nudge()
	}
	return err
}

// anyonesCup are the presses on a tournament's message that need no right.
var anyonesCup = []string{"join", "partner", "leave"}

// organises reports whether a person decides about the tournament: they opened it, or
// manage its chat.
func (d cupDoc) organises(ctx context.Context, in Input) (bool, error) {
	switch {
	case in.Player.ID == d.Host.ID:
		return true, nil
	case in.Chat.Home != d.Home || d.ended():
		return false, nil
	}
	return in.MayManage(ctx, d.Home)
}

// cup does one press on a tournament's message.
func (b *Bot) cup(ctx context.Context, in Input, p view.Press) Reply {
	own, err := b.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	for range attempts {
		d, version, err := b.loadCup(ctx, p.Table)
		if err != nil {
			return in.Refuse(err)
		}
		if r, read := b.readCup(ctx, in, d, p); read {
			return r
		}
		press := cupPress{what: p.What, value: p.Value, player: own.dress(in.TablePlayer()), now: b.docs.Now()}
		if !slices.Contains(anyonesCup, p.What) {
			if press.organises, err = d.organises(ctx, in); err != nil {
				return in.Refuse(err)
			}
		}
		said, err := d.do(press)
		if err == nil {
			err = b.commitCup(ctx, in.Once, d, version)
		}
		switch {
		case errors.Is(err, store.ErrConflict):
			continue
		case err != nil:
			return in.Refuse(err)
		case said == "":
			return Reply{}
		}
		return Reply{Toast: in.Text(said)}
	}
	return in.Refuse(errBusy)
}

// readCup answers presses that change nothing; false if this is none of them.
func (b *Bot) readCup(ctx context.Context, in Input, d cupDoc, p view.Press) (Reply, bool) {
	i := d.entrant(in.Player.ID)
	switch {
	case p.What == "cards":
		if id := d.tableOf(i); id != "" {
			return b.cards(ctx, in, id), true
		}
		return in.Refuse(errCupNoTable), true
	case p.What == "places" || p.What == "tables":
		from, _ := strconv.Atoi(p.Value)
		screen := view.TournamentPage(d.view(), p.What, from, func(e int) bool { return e == i }, in.Catalogue())
		return Reply{Screen: &screen, Replace: true}, true
	case p.What == "partner" && p.Value == "list":
		if d.ended() {
			return in.Refuse(errCupOver), true
		}
		if !slices.ContainsFunc(d.Entrants, func(e cupEntrant) bool { return d.waits(e) && e.Players[0].ID != in.Player.ID }) {
			return in.Refuse(errCupNobody), true
		}
		screen := view.TournamentPartners(d.view(), in.Catalogue())
		return Reply{Screen: &screen}, true
	case p.What == "off" && p.Value == "ask":
		organises, err := d.organises(ctx, in)
		switch {
		case d.ended():
			err = errCupOver
		case err == nil && !organises:
			err = errCupHost
		}
		if err != nil {
			return in.Refuse(err), true
		}
		screen := view.TournamentOff(d.view(), in.Catalogue())
		return Reply{Screen: &screen}, true
	}
	return Reply{}, false
}

// tableOf is the table of an entrant in the running round, or "".
func (d cupDoc) tableOf(entrant int) string {
	if d.Stage != view.StageRound || entrant < 0 {
		return ""
	}
	for i, t := range d.Swiss.Rounds[len(d.Swiss.Rounds)-1].Tables {
		if slices.Contains(t.Sides[:], entrant) {
			return d.Tables[i]
		}
	}
	return ""
}

// unsealed is errCupSealed while the cards of a match are still being played at
// other tables, for those who did not play it.
func (b *Bot) unsealed(ctx context.Context, m matchDoc, reader string) error {
	if m.Cup == "" || m.seatOf(reader) >= 0 {
		return nil
	}
	d, _, err := b.loadCup(ctx, m.Cup)
	switch {
	case errors.Is(err, errCupOver):
		return nil
	case err == nil && d.Stage == view.StageRound && len(d.Swiss.Rounds) == m.Round:
		return errCupSealed
	}
	return err
}
