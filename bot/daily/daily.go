package daily

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/tables"
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

// Deal is a home's deal of one day.
type Deal struct {
	Seed  table.Seed   `json:"seed"`
	Rules game.Rules   `json:"rules"`
	Zone  string       `json:"zone"`
	Ends  time.Time    `json:"ends"`
	Moves []game.Move  `json:"moves,omitempty"` // with the AI on all seats, as far as they are thought of
	AI    *table.Tally `json:"ai,omitempty"`    // what that came to on the player's seat
}

const (
	Level      = "hard"          // of the AI
	dailyPart  = 4 * time.Second // how long a part of the AI's own deal may take: well within a lease
	dailyNear  = 5               // rows that are shown around the reader's
	dailyShown = 10              // rows of a board that are shown
	dailyAgain = time.Second     // when to look again for what the AI came to
)

// Command deals the deal of the day, leads back to it, or shows what came of it.
func (room *Room) Command(ctx context.Context, in chat.Input) chat.Reply {
	var reply chat.Reply
	err := doc.Retry(func() (err error) {
		reply, err = room.today(ctx, in)
		return err
	})
	if err != nil {
		return in.Refuse(err)
	}
	return reply
}

// today is one attempt of Command.
func (room *Room) today(ctx context.Context, in chat.Input) (chat.Reply, error) {
	home := in.Chat.Home
	h, err := room.docs.Home(ctx, home)
	if err != nil {
		return chat.Reply{}, err
	}
	calendar, now := league.CalendarOf(h), room.docs.Now()
	date, ends := calendar.Today(now)
	today := league.Day(home, date)
	docs, err := room.docs.Store.Get(ctx, doc.InHome(home, league.DailyName(today)), doc.InHome(home, league.TryName(today, in.Player.ID)))
	if err != nil {
		return chat.Reply{}, err
	}
	var d Deal
	var own league.Try
	if err := errors.Join(doc.Decode(docs[0], &d), doc.Decode(docs[1], &own)); err != nil {
		return chat.Reply{}, err
	}
	if docs[1].Version != 0 {
		return room.dailyStands(ctx, in, own, home, date), nil
	}
	first := docs[0].Version == 0
	if first {
		begin, err := h.Beginning()
		if err != nil {
			return chat.Reply{}, err
		}
		d = Deal{Seed: room.tables.Seed(), Rules: begin.Rules, Zone: calendar.Zone.String(), Ends: ends}
	}
	id, err := room.beginDaily(ctx, in, d, first, home, date)
	return room.dailyReply(in, id, "reply.solo"), err
}

// beginDaily deals it to the presser, for whom it is the one try. The first one of
// a day also makes the day's document.
func (room *Room) beginDaily(ctx context.Context, in chat.Input, d Deal, first bool, home, date string) (id string, err error) {
	person, err := room.docs.Own(ctx, in.Player.ID)
	if err == nil {
		err = room.tables.RoomFor(ctx, person, in.Player.ID, "")
	}
	if err != nil {
		return "", err
	}
	player, env, today := person.Dress(in.TablePlayer()), room.tables.Env(), league.Day(home, date)
	env.Seed = d.Seed
	private := table.Chat{ID: player.ID, ChatSettings: player.InPrivate()}
	private.Quiet = true // nobody waits there
	t := table.New(doc.NewTableID(home), home, private, player, d.Rules, room.pace, tables.SoloLimit, env.Now)
	t.Level = Level
	t, events, err := table.StartDaily(t, table.Daily{Date: date, Zone: d.Zone, Ends: d.Ends}, env)
	if err != nil {
		return "", err
	}
	c, err := room.tables.Change(ctx, doc.Table{Table: table.Table{Phase: table.Closed}}, &t, events)
	if err != nil {
		return "", err
	}
	expires := d.Ends.Add(league.KeepDaily)
	c.Writes = append(c.Writes, store.Write{Name: league.TryName(today, player.ID), Data: doc.Encode(league.Try{Table: t.ID, Name: player.Name}), Expires: expires})
	c.Due = append(c.Due, store.Mark{ID: doc.TableName(t.ID), At: env.Now})
	if first {
		c.Writes = append(c.Writes, store.Write{Name: league.DailyName(today), Data: doc.Encode(d), Expires: expires})
		c.Due = append(c.Due, store.Mark{ID: league.DailyName(today), At: env.Now})
	}
	return t.ID, room.docs.Commit(ctx, "", c)
}

// dailyStands leads somebody to the deal that he plays, or to the board if he has played it.
func (room *Room) dailyStands(ctx context.Context, in chat.Input, own league.Try, home, date string) chat.Reply {
	t, err := room.tables.Load(ctx, own.Table)
	if err != nil && !errors.Is(err, doc.ErrNoTable) {
		return in.Refuse(err)
	}
	if err != nil || doc.Ended(t.Phase) {
		return room.dailyBoard(ctx, in, view.Press{Action: view.ActDaily, What: date, Home: home})
	}
	if r := room.Act(ctx, in, t.ID, table.Bump{Chat: in.Player.ID}); r.Outcome != chat.Done {
		return r
	}
	return room.dailyReply(in, t.ID, "reply.solo_stands")
}

func (room *Room) dailyReply(in chat.Input, id, key string) chat.Reply {
	if in.Chat.Private {
		return chat.Reply{Toast: in.Text(key), Echo: true}
	}
	screen := view.Daily(id, in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// Press does a press that asks for the deal of a day.
func (room *Room) Press(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
	if p.What == view.DailyNow {
		return room.Command(ctx, in)
	}
	return room.dailyBoard(ctx, in, p)
}

// dailyBoard shows the board of a day. It is for the people of its home, and for
// who has a try at it.
func (room *Room) dailyBoard(ctx context.Context, in chat.Input, p view.Press) chat.Reply {
	at, err := time.Parse(time.DateOnly, p.What)
	if err != nil {
		return in.Refuse(chat.ErrForged)
	}
	dates := []string{p.What, at.AddDate(0, 0, -1).Format(time.DateOnly), at.AddDate(0, 0, 1).Format(time.DateOnly)}
	var keys []store.Key
	for _, date := range dates {
		keys = append(keys, doc.InHome(p.Home, league.DailyName(league.Day(p.Home, date))), doc.InHome(p.Home, league.TryName(league.Day(p.Home, date), in.Player.ID)))
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return in.Refuse(err)
	}
	seen := func(i int) bool {
		return docs[2*i].Version != 0 && (in.Chat.Home == p.Home || docs[2*i+1].Version != 0)
	}
	if !seen(0) {
		return in.Refuse(chat.ErrNoMatch)
	}
	var d Deal
	var own league.Try
	if err := errors.Join(doc.Decode(docs[0], &d), doc.Decode(docs[1], &own)); err != nil {
		return in.Refuse(err)
	}
	over := !room.docs.Now().Before(d.Ends)
	if !over && docs[1].Version == 0 {
		return room.Command(ctx, in) // he has not played yet: first the deal, then what others made of it
	}
	screen := view.DailyBoard{Home: p.Home, Date: p.What, Zone: d.Zone, Rules: d.Rules, AI: d.AI, Over: over, Own: own.Table}
	if seen(1) {
		screen.Earlier = dates[1]
	}
	if seen(2) {
		screen.Later = dates[2]
	}
	if docs[1].Version != 0 && own.Tally == nil {
		t, err := room.tables.Load(ctx, own.Table)
		if err != nil && !errors.Is(err, doc.ErrNoTable) {
			return in.Refuse(err)
		}
		screen.Late = err == nil && t.Daily != nil && t.Daily.Late
		screen.Gone = !screen.Late && (err != nil || t.Phase == table.Closed)
	}
	if err := room.dailyRows(ctx, &screen, in.Player.ID); err != nil {
		return in.Refuse(err)
	}
	shown := screen.Screen(in.Catalogue())
	return chat.Reply{Screen: &shown, Replace: in.Press != ""}
}

// dailyRows puts the board's rows on its screen.
func (room *Room) dailyRows(ctx context.Context, d *view.DailyBoard, reader string) error {
	board, partition := league.DailyName(league.Day(d.Home, d.Date)), store.Partition(d.Home)
	standings, total, err := room.docs.Store.Board(ctx, partition, board, 0, dailyShown, "")
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
	if standings, _, err = room.docs.Store.Board(ctx, partition, board, 0, dailyNear, reader); err != nil {
		return err
	}
	d.Near, err = dailyViews(standings, reader)
	return err
}

func dailyViews(standings []store.Standing, reader string) ([]view.DailyRow, error) {
	var rows []view.DailyRow
	for _, s := range standings {
		var row league.DailyRow
		if err := json.Unmarshal(s.Data, &row); err != nil {
			return nil, fmt.Errorf("read a board row: %w", err)
		}
		rows = append(rows, view.DailyRow{Rank: s.Rank, Person: view.Person{ID: s.Member, Name: row.Name}, Tally: row.Tally, Me: s.Member == reader})
	}
	return rows, nil
}

// Compare tells a table whose deal of the day is over what the AI came to, and
// returns when to look again if that is not known yet.
func (room *Room) Compare(ctx context.Context, t doc.Table) (doc.Table, time.Time, error) {
	if t.Daily == nil || t.Daily.AI != nil || t.Phase != table.Over {
		return t, time.Time{}, nil
	}
	docs, err := room.docs.Store.Get(ctx, doc.InHome(t.Home, league.DailyName(league.Day(t.Home, t.Daily.Date))))
	if err != nil {
		return t, time.Time{}, err
	}
	var d Deal
	if err := doc.Decode(docs[0], &d); err != nil || docs[0].Version == 0 {
		return t, time.Time{}, err
	}
	if d.AI == nil {
		return t, room.docs.Now().Add(dailyAgain), nil
	}
	told, err := room.tables.Update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
		return table.Apply(t, table.Player{}, table.Compare{AI: *d.AI}, room.tables.Env())
	})
	if err == nil {
		t.Table = told
	}
	return t, time.Time{}, err
}

// tendDaily does the job of a day's deal: the AI plays it on all seats, and long after
// the day its board goes.
func (room *Room) tendDaily(ctx context.Context, today string, job store.Job, ends time.Time) error {
	docs, err := room.docs.Store.Get(ctx, store.Key{Partition: job.Partition, Name: job.ID})
	if err != nil {
		return err
	}
	var d Deal
	if err := doc.Decode(docs[0], &d); err != nil {
		return err
	}
	gone := d.Ends.Add(league.KeepDaily - 24*time.Hour)
	switch {
	case docs[0].Version == 0:
		return doc.ErrNoTable
	case room.docs.Now().After(gone):
		if err := room.docs.ClearBoard(ctx, job.Partition, league.DailyName(today)); err != nil {
			return err
		}
		return doc.ErrNoTable
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: gone}
	if d.AI == nil {
		switch err := room.playDaily(ctx, &d); {
		case errors.Is(err, ai.ErrCrowded):
			c.Next = room.docs.Now().Add(dailyAgain)
		case err != nil:
			return err
		case d.AI == nil:
			c.Next = room.docs.Now()
		}
		c.Writes = []store.Write{{Name: job.ID, Expect: docs[0].Version, Data: doc.Encode(d), Expires: d.Ends.Add(league.KeepDaily)}}
	}
	return room.queue.Complete(ctx, c, ends)
}

// playDaily goes on with the AI's own deal where the document ends, for as long as
// a part may take. It thinks as it does for a player's table, with all its time.
func (room *Room) playDaily(ctx context.Context, d *Deal) error {
	dealer := table.SeedDealer(d.Seed, d.Rules.Players)
	before := game.NewMatch(d.Rules, dealer)
	s, err := game.Deal(d.Rules, game.Shuffle(d.Rules.Pack(), d.Seed), dealer)
	for end, i := room.docs.Now().Add(dailyPart), 0; err == nil && !s.Over(); i++ {
		if i == len(d.Moves) {
			if !room.docs.Now().Before(end) {
				return nil
			}
			v := s.View(s.Turn())
			move := v.Legal[0]
			if len(v.Legal) > 1 {
				if err := room.thinkers.Take(ctx, func(context.Context) { move = room.thinkers.Move(ctx, Level, v, table.LastOf(before)) }); err != nil {
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

// Ruled reports whether the deal has the rules of its game.
func (d *Deal) Ruled() bool { return d.Rules.Players != 0 }
