package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A home has one deal a day: the same cards for everybody, on the same seat,
// against the AI at its best, which makes the same moves for all who make the same.
// Whoever asks for it gets a table of his own in his private chat. That table lies
// in the partition of the home, so that it begins together with the note that this
// player has had his try, and ends together with his row on the day's board.
// Nothing of the deal is told before the day is over.

// dailyDoc is a home's deal of one day.
type dailyDoc struct {
	Seed  table.Seed   `json:"seed"`
	Rules game.Rules   `json:"rules"`
	Zone  string       `json:"zone"`
	Ends  time.Time    `json:"ends"`
	Moves []game.Move  `json:"moves,omitempty"` // with the AI on all seats, as far as they are thought of
	AI    *table.Tally `json:"ai,omitempty"`    // what that came to on the player's seat
}

// tryDoc is one player's try at it.
type tryDoc struct {
	Table string       `json:"table"`
	Name  string       `json:"name"`
	Tally *table.Tally `json:"tally,omitempty"` // what he came to in time
}

// dailyRow is what a row of a day's board carries.
type dailyRow struct {
	Name  string      `json:"name"`
	Tally table.Tally `json:"tally"`
}

const (
	keepDaily  = 8 * 24 * time.Hour // after its day a deal's board, but for the row of who plays on, is kept so long
	dailyLevel = "hard"             // of the AI
	dailyPart  = 4 * time.Second    // how long a part of the AI's own deal may take: well within a lease
	dailyNear  = 5                  // rows that are shown around the reader's
	dailyShown = 10                 // rows of a board that are shown
	dailyAgain = time.Second        // when to look again for what the AI came to
)

// day names a day of a home: in the names of documents, jobs and boards.
func day(home, date string) string { return home + "|" + date }

func dailyName(day string) string       { return "daily:" + day } // a document, a job and a board
func tryName(day, player string) string { return "try:" + day + "|" + player }

func inHome(home, name string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: name}
}

// today is the day of the calendar in which now lies, and when it ends.
func (c calendar) today(now time.Time) (date string, ends time.Time) {
	now = now.In(c.zone)
	return now.Format(time.DateOnly), time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, c.zone)
}

// daily deals the deal of the day, leads back to it, or shows what came of it.
func (b *Bot) daily(ctx context.Context, in Input) Reply {
	home := in.Chat.Home
	for range attempts {
		var h homeDoc
		docs, err := b.docs.Store.Get(ctx, homeKey(home))
		if err == nil {
			err = decode(docs[0], &h)
		}
		if err != nil {
			return in.Refuse(err)
		}
		calendar, now := calendarOf(h), b.docs.Now()
		date, ends := calendar.today(now)
		today := day(home, date)
		if docs, err = b.docs.Store.Get(ctx, inHome(home, dailyName(today)), inHome(home, tryName(today, in.Player.ID))); err != nil {
			return in.Refuse(err)
		}
		var d dailyDoc
		var own tryDoc
		if err := errors.Join(decode(docs[0], &d), decode(docs[1], &own)); err != nil {
			return in.Refuse(err)
		}
		if docs[1].Version != 0 {
			return b.dailyStands(ctx, in, own, home, date)
		}
		if docs[0].Version == 0 {
			begin, err := h.beginning()
			if err != nil {
				return in.Refuse(err)
			}
			d = dailyDoc{Seed: b.seed(), Rules: begin.Rules, Zone: calendar.zone.String(), Ends: ends}
		}
		id, err := b.beginDaily(ctx, in, d, docs[0].Version == 0, home, date)
		switch {
		case err == nil:
			return b.dailyReply(in, id, "reply.solo")
		case !errors.Is(err, store.ErrConflict):
			return in.Refuse(err)
		}
	}
	return in.Refuse(errBusy)
}

// beginDaily deals it to the presser, for whom it is the one try. The first one of
// a day also makes the day's document.
func (b *Bot) beginDaily(ctx context.Context, in Input, d dailyDoc, first bool, home, date string) (id string, err error) {
	doc, err := b.docs.Own(ctx, in.Player.ID)
	if err == nil {
		err = b.roomFor(ctx, doc, in.Player.ID, "")
	}
	if err != nil {
		return "", err
	}
	player, env, today := doc.dress(in.TablePlayer()), b.env(), day(home, date)
	env.Seed = d.Seed
	private := table.Chat{ID: player.ID, Lang: player.Lang, Face: player.Face, Quiet: true}
	t := table.New(newTableID(home), home, private, player, d.Rules, b.pace, soloLimit, env.Now)
	t.Level = dailyLevel
	t, events, err := table.StartDaily(t, table.Daily{Date: date, Zone: d.Zone, Ends: d.Ends}, env)
	if err != nil {
		return "", err
	}
	c, err := b.change(ctx, loaded{Table: table.Table{Phase: table.Closed}}, &t, events)
	if err != nil {
		return "", err
	}
	expires := d.Ends.Add(keepDaily)
	c.Writes = append(c.Writes, store.Write{Name: tryName(today, player.ID), Data: encode(tryDoc{Table: t.ID, Name: player.Name}), Expires: expires})
	c.Due = append(c.Due, store.Mark{ID: tableName(t.ID), At: env.Now})
	if first {
		c.Writes = append(c.Writes, store.Write{Name: dailyName(today), Data: encode(d), Expires: expires})
		c.Due = append(c.Due, store.Mark{ID: dailyName(today), At: env.Now})
	}
	if err := b.docs.Store.Commit(ctx, c); err != nil {
		return "", err
	}
	b.docs.Nudge()
	return t.ID, nil
}

// dailyStands leads somebody to the deal that he plays, or to the board if he has played it.
func (b *Bot) dailyStands(ctx context.Context, in Input, own tryDoc, home, date string) Reply {
	t, err := b.table(ctx, own.Table)
	if err != nil && !errors.Is(err, errNoTable) {
		return in.Refuse(err)
	}
	if err != nil || done(t.Phase) {
		return b.dailyBoard(ctx, in, view.Press{Action: view.ActDaily, What: date, Home: home})
	}
	if r := b.act(ctx, in, t.ID, table.Bump{Chat: in.Player.ID}); r.Outcome != Done {
		return r
	}
	return b.dailyReply(in, t.ID, "reply.solo_stands")
}

func (b *Bot) dailyReply(in Input, id, key string) Reply {
	if in.Chat.Private {
		return Reply{Toast: in.Text(key), Echo: true}
	}
	screen := view.Daily(id, in.Catalogue())
	return Reply{Screen: &screen}
}

// dailyPress does a press that asks for the deal of a day.
func (b *Bot) dailyPress(ctx context.Context, in Input, p view.Press) Reply {
	if p.What == view.DailyNow {
		return b.daily(ctx, in)
	}
	return b.dailyBoard(ctx, in, p)
}

// dailyBoard shows the board of a day. It is for the people of its home, and for
// who has a try at it.
func (b *Bot) dailyBoard(ctx context.Context, in Input, p view.Press) Reply {
	at, err := time.Parse(time.DateOnly, p.What)
	if err != nil {
		return in.Refuse(errForged)
	}
	dates := []string{p.What, at.AddDate(0, 0, -1).Format(time.DateOnly), at.AddDate(0, 0, 1).Format(time.DateOnly)}
	var keys []store.Key
	for _, date := range dates {
		keys = append(keys, inHome(p.Home, dailyName(day(p.Home, date))), inHome(p.Home, tryName(day(p.Home, date), in.Player.ID)))
	}
	docs, err := b.docs.Store.Get(ctx, keys...)
	if err != nil {
		return in.Refuse(err)
	}
	seen := func(i int) bool {
		return docs[2*i].Version != 0 && (in.Chat.Home == p.Home || docs[2*i+1].Version != 0)
	}
	if !seen(0) {
		return in.Refuse(ErrNoMatch)
	}
	var d dailyDoc
	var own tryDoc
	if err := errors.Join(decode(docs[0], &d), decode(docs[1], &own)); err != nil {
		return in.Refuse(err)
	}
	over := !b.docs.Now().Before(d.Ends)
	if !over && docs[1].Version == 0 {
		return b.daily(ctx, in) // he has not played yet: first the deal, then what others made of it
	}
	screen := view.DailyBoard{Home: p.Home, Date: p.What, Zone: d.Zone, Rules: d.Rules, AI: d.AI, Over: over, Own: own.Table}
	if seen(1) {
		screen.Earlier = dates[1]
	}
	if seen(2) {
		screen.Later = dates[2]
	}
	if docs[1].Version != 0 && own.Tally == nil {
		t, err := b.table(ctx, own.Table)
		if err != nil && !errors.Is(err, errNoTable) {
			return in.Refuse(err)
		}
		screen.Late = err == nil && t.Daily != nil && t.Daily.Late
		screen.Gone = !screen.Late && (err != nil || t.Phase == table.Closed)
	}
	if err := b.dailyRows(ctx, &screen, in.Player.ID); err != nil {
		return in.Refuse(err)
	}
	shown := screen.Screen(in.Catalogue())
	return Reply{Screen: &shown, Replace: in.Press != ""}
}

// dailyRows puts the board's rows on its screen.
func (b *Bot) dailyRows(ctx context.Context, d *view.DailyBoard, reader string) error {
	board, partition := dailyName(day(d.Home, d.Date)), store.Partition(d.Home)
	standings, total, err := b.docs.Store.Board(ctx, partition, board, 0, dailyShown, "")
	if err != nil {
		return err
	}
	d.Total = total
	if d.Rows, err = dailyViews(standings, reader); err != nil {
		return err
	}
	if slices.ContainsFunc(d.Rows, func(r view.DailyRow) bool { return r.Me }) {
		return nil
	}
	if standings, _, err = b.docs.Store.Board(ctx, partition, board, 0, dailyNear, reader); err != nil {
		return err
	}
	d.Near, err = dailyViews(standings, reader)
	return err
}

func dailyViews(standings []store.Standing, reader string) ([]view.DailyRow, error) {
	var rows []view.DailyRow
	for _, s := range standings {
		var row dailyRow
		if err := json.Unmarshal(s.Data, &row); err != nil {
			return nil, fmt.Errorf("read a board row: %w", err)
		}
		rows = append(rows, view.DailyRow{Rank: s.Rank, Person: view.Person{ID: s.Member, Name: row.Name}, Tally: row.Tally, Me: s.Member == reader})
	}
	return rows, nil
}

// row is the try's row on the board of its day, if it counts.
func (d tryDoc) row(day, player string) ([]store.Row, error) {
	if d.Tally == nil {
		return nil, nil
	}
	data, err := json.Marshal(dailyRow{Name: d.Name, Tally: *d.Tally})
	if err != nil {
		return nil, fmt.Errorf("write a board row: %w", err)
	}
	return []store.Row{{Board: dailyName(day), Member: player, Score: d.Tally.Score*1000 + float64(d.Tally.Points), Data: data}}, nil
}

// endDaily adds to the commit that begins or ends a table with the deal of the day
// what a home's index is for other tables: with its result the try counts, if it
// came in time.
func endDaily(c *store.Change, t table.Table, finished bool) error {
	c.Rows = append(c.Rows, openRow(t))
	if !finished || t.Daily.Late {
		return nil
	}
	seat := slices.IndexFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID != "" && !s.Left && !s.Away })
	if seat < 0 {
		return nil
	}
	tally := table.TallyOf(t.Match.Rules, seat, t.Past[len(t.Past)-1].Score)
	today, player := day(t.Home, t.Daily.Date), t.Seats[seat].Player
	doc := tryDoc{Table: t.ID, Name: player.Name, Tally: &tally}
	rows, err := doc.row(today, player.ID)
	c.Rows = append(c.Rows, rows...)
	c.Writes = append(c.Writes, store.Write{Name: tryName(today, player.ID), Expect: store.Any, Data: encode(doc), Expires: t.Daily.Ends.Add(keepDaily)})
	return err
}

// compare tells a table whose deal of the day is over what the AI came to, and
// returns when to look again if that is not known yet.
func (b *Bot) compare(ctx context.Context, t loaded) (loaded, time.Time, error) {
	if t.Daily == nil || t.Daily.AI != nil || t.Phase != table.Over {
		return t, time.Time{}, nil
	}
	docs, err := b.docs.Store.Get(ctx, inHome(t.Home, dailyName(day(t.Home, t.Daily.Date))))
	if err != nil {
		return t, time.Time{}, err
	}
	var d dailyDoc
	if err := decode(docs[0], &d); err != nil || docs[0].Version == 0 {
		return t, time.Time{}, err
	}
	if d.AI == nil {
		return t, b.docs.Now().Add(dailyAgain), nil
	}
	told, err := b.update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
		return table.Apply(t, table.Player{}, table.Compare{AI: *d.AI}, b.env())
	})
	if err == nil {
		t.Table = told
	}
	return t, time.Time{}, err
}

// tendDaily does the job of a day's deal: the AI plays it on all seats, and long after
// the day its board goes.
func (b *Bot) tendDaily(ctx context.Context, today string, job store.Job, ends time.Time) error {
	docs, err := b.docs.Store.Get(ctx, store.Key{Partition: job.Partition, Name: job.ID})
	if err != nil {
		return err
	}
	var d dailyDoc
	if err := decode(docs[0], &d); err != nil {
		return err
	}
	gone := d.Ends.Add(keepDaily - 24*time.Hour)
	switch {
	case docs[0].Version == 0:
		return errNoTable
	case b.docs.Now().After(gone):
		if err := b.docs.ClearBoard(ctx, job.Partition, dailyName(today)); err != nil {
			return err
		}
		return errNoTable
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: gone}
	if d.AI == nil {
		switch err := b.playDaily(ctx, &d); {
		case errors.Is(err, ai.ErrCrowded):
			c.Next = b.docs.Now().Add(dailyAgain)
		case err != nil:
			return err
		case d.AI == nil:
			c.Next = b.docs.Now()
		}
		c.Writes = []store.Write{{Name: job.ID, Expect: docs[0].Version, Data: encode(d), Expires: d.Ends.Add(keepDaily)}}
	}
	return b.complete(ctx, c, ends)
}

// playDaily goes on with the AI's own deal where the document ends, for as long as
// a part may take. It thinks as it does for a player's table, with all its time.
func (b *Bot) playDaily(ctx context.Context, d *dailyDoc) error {
	dealer := table.SeedDealer(d.Seed, d.Rules.Players)
	before := game.NewMatch(d.Rules, dealer)
	s, err := game.Deal(d.Rules, game.Shuffle(d.Rules.Pack(), d.Seed), dealer)
	for end, i := b.docs.Now().Add(dailyPart), 0; err == nil && !s.Over(); i++ {
		if i == len(d.Moves) {
			if !b.docs.Now().Before(end) {
				return nil
			}
			v := s.View(s.Turn())
			move := v.Legal[0]
			if len(v.Legal) > 1 {
				if err := b.thinking(ctx, func(context.Context) { move = b.think(ctx, dailyLevel, v, table.LastOf(before)) }); err != nil {
					return err
				}
				if !slices.Contains(v.Legal, move) {
					move = v.Legal[0]
				}
			}
			d.Moves = append(d.Moves, move)
		}
		s, err = game.Apply(s, s.Turn(), d.Moves[i])
	}
	if err != nil {
		return fmt.Errorf("play the deal of a day: %w", err)
	}
	result, _ := s.Result()
	_, settled := before.Settle(result)
	tally := table.TallyOf(d.Rules, 0, settled)
	d.Moves, d.AI = nil, &tally
	return nil
}

// sealedOf is until when nothing of the table's match is told, and where that is midnight.
func sealedOf(t table.Table) (until time.Time, zone string) {
	if t.Daily == nil {
		return time.Time{}, ""
	}
	return t.Daily.Ends, cmp.Or(t.Daily.Zone, "UTC")
}
