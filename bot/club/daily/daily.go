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
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/game"
	"sedmabot/game/ai"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A home has one deal a day, with the same cards for everybody on the same seat. The AI
// plays at full strength, and answers the same moves with the same moves. Players who ask
// for the deal get a table of their own in their private chat.
//
// That table is stored in the partition of the home. So one commit begins the table and
// uses up the player's try. Likewise, one commit ends the table and adds the row to the
// day's board. Nothing about the deal is revealed before the day is over.

// Deal is a home's deal of the day, as it is stored.
type Deal struct {
	Seed  table.Seed   `json:"seed"`
	Rules game.Rules   `json:"rules"`
	Zone  string       `json:"zone"`
	Ends  time.Time    `json:"ends"`
	Moves []game.Move  `json:"moves,omitempty"` // moves of the AI's own game on all seats, as far as they are computed
	AI    *table.Tally `json:"ai,omitempty"`    // result of that game on the player's seat; nil: not finished yet
	Marks string       `json:"marks,omitempty"` // who took each trick of that game: see table.Marks
}

// Expiry implements [doc.Expiring].
func (d Deal) Expiry(time.Time) (time.Time, bool) { return d.Ends.Add(league.KeepDaily), true }

const (
	Level      = "hard"          // strength of the AI
	dailyPart  = 4 * time.Second // how long one run of the AI's own game may take: well within a lease
	dailyNear  = 5               // rows of a board shown around the reader's own
	dailyShown = 10              // rows shown at the top of a board
	rivals     = 4               // others in the picture of a player's result
	dailyAgain = time.Second     // how long to wait before checking for the AI's result again
)

// Command begins the player's try at the deal of the day. If there is one already, it leads
// back to it, or shows the board if the try is over.
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

// today makes one attempt at Command, which retries it after conflicts.
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
		return room.dailyBegun(ctx, in, own, home, date), nil
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

// beginDaily deals the cards to the player and uses up their only try. If first is true, it
// also creates the day's document. It returns the id of the player's table.
func (room *Room) beginDaily(ctx context.Context, in chat.Input, d Deal, first bool, home, date string) (id string, err error) {
	person, err := room.docs.Own(ctx, in.Player.ID)
	if err == nil {
		err = room.tables.RoomFor(ctx, person, in.Player.ID, "")
	}
	if err != nil {
		return "", err
	}
	player, env, today := person.WithSettings(in.TablePlayer()), room.tables.Env(), league.Day(home, date)
	env.Seed = d.Seed
	private := table.Chat{ID: player.ID, ChatSettings: player.InPrivate()}
	private.Quiet = true // no other player waits there, so no calls are needed
	t := table.New(doc.NewTableID(home), home, private, player, d.Rules, room.pace, tables.SoloLimit, env.Now)
	t.Level = Level
	streak, err := room.Streak(ctx, home, player.ID)
	if err != nil {
		return "", err
	}
	t, events, err := table.StartDaily(t, table.Daily{Date: date, Zone: d.Zone, Ends: d.Ends, Streak: streak.At(date, d.Zone), Again: streak.Best > 0}, env)
	if err != nil {
		return "", err
	}
	c, err := room.tables.Opening(ctx, &t, events)
	if err != nil {
		return "", err
	}
	try := doc.WriteOf(store.Doc{Key: store.Key{Name: league.TryName(today, player.ID)}}, league.Try{Table: t.ID, Name: player.Name, Ends: d.Ends}, env.Now)
	if i := slices.IndexFunc(c.Writes, func(w store.Write) bool { return w.Name == try.Name }); i >= 0 {
		c.Writes[i].Expect = try.Expect // the deal was over when it was dealt: the try has its result
	} else {
		c.Writes = append(c.Writes, try)
	}
	if first {
		c.Writes = append(c.Writes, doc.WriteOf(store.Doc{Key: store.Key{Name: league.DailyName(today)}}, d, env.Now))
		c.Due = append(c.Due, store.Mark{ID: league.DailyName(today), At: env.Now})
	}
	return t.ID, room.docs.Commit(ctx, "", c)
}

// dailyBegun leads players back to their try, or shows the board if the try is over.
func (room *Room) dailyBegun(ctx context.Context, in chat.Input, own league.Try, home, date string) chat.Reply {
	t, err := room.tables.Load(ctx, own.Table)
	if err != nil && !errors.Is(err, doc.ErrNoTable) {
		return in.Refuse(err)
	}
	if err != nil || doc.Ended(t.Phase) {
		return room.dailyBoard(ctx, in, press{word: actDaily, date: date, home: home})
	}
	if r := room.tables.Act(ctx, in, t.ID, table.Bump{Chat: in.Player.ID}); r.Outcome != chat.Done {
		return r
	}
	return room.dailyReply(in, t.ID, "reply.solo_stands")
}

// Streak returns a player's streak in a home.
func (room *Room) Streak(ctx context.Context, home, player string) (s league.Streak, err error) {
	_, err = room.docs.Get(ctx, doc.InHome(home, league.StreakName(home, player)), &s)
	return s, err
}

// Visit begins today's deal for a person who followed a link to it. The link names a home. A
// member of that home gets its deal. Everyone else gets the deal of their own chat.
func (room *Room) Visit(ctx context.Context, in chat.Input, home string) chat.Reply {
	if in.Belongs != nil && home != in.Chat.Home {
		belongs, err := in.Belongs(ctx, home)
		if err != nil {
			room.docs.Log.Debug("ask who belongs to a chat", "err", err)
		}
		if belongs {
			if in.Chat.Home, err = room.docs.HomeOf(ctx, home); err != nil {
				return in.Refuse(err)
			}
		}
	}
	return room.Command(ctx, in)
}

func (room *Room) dailyReply(in chat.Input, id, key string) chat.Reply {
	if in.Chat.Private {
		return chat.Reply{Toast: in.Text(key), Echo: true, Table: id}
	}
	screen := playedPrivately(id, in.Catalogue())
	return chat.Reply{Screen: &screen, Leads: true, Table: id}
}

// pressed handles a press that asks for today's deal or for the board of a day.
func (room *Room) pressed(ctx context.Context, in chat.Input, p press) chat.Reply {
	if p.date == "" {
		return room.Command(ctx, in)
	}
	return room.dailyBoard(ctx, in, p)
}

// dailyBoard shows the board of a day. Only people in its home, and players with a try at
// its deal, may see it. If that day isn't over, the reader must have begun a try.
func (room *Room) dailyBoard(ctx context.Context, in chat.Input, p press) chat.Reply {
	at, err := time.Parse(time.DateOnly, p.date)
	if err != nil {
		return in.Refuse(chat.ErrForged)
	}
	dates := []string{p.date, at.AddDate(0, 0, -1).Format(time.DateOnly), at.AddDate(0, 0, 1).Format(time.DateOnly)}
	var keys []store.Key
	for _, date := range dates {
		keys = append(keys, doc.InHome(p.home, league.DailyName(league.Day(p.home, date))), doc.InHome(p.home, league.TryName(league.Day(p.home, date), in.Player.ID)))
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return in.Refuse(err)
	}
	seen := func(i int) bool {
		return docs[2*i].Version != 0 && (in.Chat.Home == p.home || docs[2*i+1].Version != 0)
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
		return room.Command(ctx, in) // the reader hasn't played yet: deal first, so they don't see the results of others
	}
	screen := Board{Home: p.home, Date: p.date, Zone: d.Zone, Rules: d.Rules, AI: d.AI, AIMarks: d.Marks, Over: over, Own: own.Table}
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
	if own.Tally != nil {
		streak, err := room.Streak(ctx, p.home, in.Player.ID)
		if err != nil {
			return in.Refuse(err)
		}
		if streak.Last == p.date { // shown only with the latest day: earlier streaks aren't stored
			screen.Streak = streak.Days
		}
		screen.Tally, screen.Marks = own.Tally, own.Marks
	}
	if err := room.dailyRows(ctx, &screen, in.Player.ID); err != nil {
		return in.Refuse(err)
	}
	shown := screen.Screen(in.Catalogue())
	return chat.Reply{Screen: &shown, Replace: p.word == actDay || in.OnAnswer}
}

// board returns the board of a day as everyone in the home may see it after the day, or nil if
// nobody finished the deal in time.
func (room *Room) board(ctx context.Context, home, date string, c *lang.Catalogue) (*screen.Screen, error) {
	docs, err := room.docs.Store.Get(ctx, doc.InHome(home, league.DailyName(league.Day(home, date))))
	if err != nil {
		return nil, err
	}
	var d Deal
	if err := doc.Decode(docs[0], &d); err != nil || docs[0].Version == 0 || room.docs.Now().Before(d.Ends) {
		return nil, err
	}
	board := Board{Home: home, Date: date, Zone: d.Zone, Rules: d.Rules, AI: d.AI, AIMarks: d.Marks, Over: true}
	if err := room.dailyRows(ctx, &board, ""); err != nil || board.Total == 0 {
		return nil, err
	}
	results := board.results(c)
	return &results, nil
}

// dailyRows adds the board's rows to its screen.
func (room *Room) dailyRows(ctx context.Context, d *Board, reader string) error {
	board, partition := league.DailyName(league.Day(d.Home, d.Date)), store.Partition(d.Home)
	standings, total, err := room.docs.Store.Board(ctx, partition, board, 0, dailyShown, "")
	if err != nil {
		return err
	}
	d.Total = total
	if d.Rows, err = dailyViews(standings, reader); err != nil {
		return err
	}
	if reader == "" || slices.ContainsFunc(d.Rows, func(r Row) bool { return r.Me }) {
		return nil
	}
	if standings, _, err = room.docs.Store.Board(ctx, partition, board, 0, dailyNear, reader); err != nil {
		return err
	}
	d.Near, err = dailyViews(standings, reader)
	return err
}

func dailyViews(standings []store.Standing, reader string) ([]Row, error) {
	var rows []Row
	for _, s := range standings {
		var row league.DailyRow
		if err := json.Unmarshal(s.Data, &row); err != nil {
			return nil, fmt.Errorf("read a board row: %w", err)
		}
		rows = append(rows, Row{Rank: s.Rank, Person: screen.Person{ID: s.Member, Name: row.Name}, Tally: row.Tally, Marks: row.Marks, Me: s.Member == reader})
	}
	return rows, nil
}

// Ends adds the player's result, its row on the day's board and the player's streak to the commit that ends a table with a
// deal of the day, if they finished it in time.
func (room *Room) Ends(ctx context.Context, c *store.Change, t *table.Table, over *doc.Match) error {
	if over == nil {
		return nil
	}
	d := *t.Daily
	d.Late = !c.Now.Before(d.Ends)
	t.Daily = &d
	seat := slices.IndexFunc(t.Seats, func(s table.Seat) bool { return s.Player.ID != "" && !s.Left && !s.Away })
	if d.Late || seat < 0 {
		return nil
	}
	player := t.Seats[seat].Player
	var streak league.Streak
	kept := doc.InHome(t.Home, league.StreakName(t.Home, player.ID))
	version, err := room.docs.Get(ctx, kept, &streak)
	if err != nil {
		return err
	}
	past := t.Past[len(t.Past)-1]
	tally := table.TallyOf(t.Match.Rules, seat, past.Score)
	today := league.Day(t.Home, d.Date)
	own := league.Try{Table: t.ID, Name: player.Name, Tally: &tally, Marks: table.Marks(t.Match.Rules, seat, past), Ends: d.Ends}
	rows, err := own.Row(today, player.ID)
	if err != nil {
		return err
	}
	streak = streak.Add(d.Date, d.Zone)
	d.Streak = streak.Days
	c.Rows = append(c.Rows, rows...)
	try := doc.WriteOf(store.Doc{Key: store.Key{Name: league.TryName(today, player.ID)}, Version: store.Any}, own, c.Now)
	c.Writes = append(c.Writes, try, store.Write{Name: kept.Name, Expect: version, Data: doc.Encode(streak)})
	return nil
}

// Compare adds the results of the AI, and of the best others who have finished, to a table whose deal of the day is
// finished. If the AI's isn't known yet, it returns when to check again.
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
	others, err := room.rivals(ctx, t)
	if err != nil {
		return t, time.Time{}, err
	}
	compared, err := room.tables.Update(ctx, t.ID, func(t table.Table) (table.Table, []table.Event, error) {
		return table.Apply(t, table.Player{}, table.Compare{AI: *d.AI, Marks: d.Marks, Others: others}, room.tables.Env())
	})
	if err == nil {
		t.Table = compared
	}
	return t, time.Time{}, err
}

// rivals returns the best others in the home who have finished the table's deal.
func (room *Room) rivals(ctx context.Context, t doc.Table) (others []table.Rival, err error) {
	board := Board{Home: t.Home, Date: t.Daily.Date}
	if err := room.dailyRows(ctx, &board, ""); err != nil {
		return nil, err
	}
	for _, row := range board.Rows {
		if t.SeatOf(row.Person.ID) < 0 && len(others) < rivals {
			others = append(others, table.Rival{ID: row.Person.ID, Name: row.Person.Name, Tally: row.Tally, Marks: row.Marks})
		}
	}
	return others, nil
}

// tendDaily runs the job of a day's deal. The AI plays the deal on all seats. About a week
// after the day, the board is cleared.
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
	if !room.docs.Now().Before(gone) { // also if the document has expired
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
		c.Writes = []store.Write{doc.WriteOf(docs[0], d, room.docs.Now())}
	}
	return room.queue.Complete(ctx, c, ends)
}

// playDaily continues the AI's own game after the moves in d, and stops after dailyPart. The
// AI gets as much time for a move as at a player's table.
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
	d.Moves, d.AI, d.Marks = nil, &tally, table.Marks(d.Rules, 0, table.Past{Tricks: s.View(0).Tricks})
	return nil
}

// Ruled reports whether the stored deal contains the rules of its game.
func (d *Deal) Ruled() bool { return d.Rules.Players != 0 }
