package daily

import (
	"cmp"
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
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Final is the document of a home whose managers want a match on Sundays: the best of the week's deals of the day, among those
// who press the button, play it at one table. Its job posts the sign-up and begins the match.
type Final struct {
	ID   string     `json:"id"` // has the form of a table's; shown:<id> has the message
	Home string     `json:"home"`
	Chat table.Chat `json:"chat"`
	On   bool       `json:"on,omitempty"`
	Due  time.Time  `json:"due,omitzero"` // when the next step is due

	Date   string         `json:"date,omitempty"`   // the Sunday of the latest sign-up; "": there was none
	At     time.Time      `json:"at,omitzero"`      // when that match begins
	In     []table.Player `json:"in,omitempty"`     // who pressed the button; after the beginning: who plays
	Result string         `json:"result,omitempty"` // finalPlays and so on; "": people sign up
}

// The results of a sign-up. The catalogues have their texts under "final.<result>".
const (
	finalPlays  = "plays"
	finalFew    = "few"    // fewer than two pressed
	finalBusy   = "busy"   // another table was open in the chat
	finalMissed = "missed" // no process ran when it should have begun
)

// Times of the match.
const (
	finalOpens = "18"            // hour of the sign-up
	finalAfter = 2 * time.Hour   // from the sign-up to the match
	finalAgain = 5 * time.Minute // how long to wait if another table is open in the chat
	finalLate  = 2 * time.Hour   // how late the match may begin
	finalMost  = 100             // people who sign up
)

// Refusals of presses on a sign-up.
var (
	errFinalWhere = chat.NewRefusal("news_where")
	errFinalNone  = chat.NewRefusal("final_none") // the person has no result this week
	errFinalOver  = chat.NewRefusal("final_over")
)

func finalKey(home string) store.Key { return doc.InHome(home, "final:"+home) }

// finalSetting is the setting about the match on Sundays.
func (room *Room) finalSetting() doc.Setting[doc.Home] {
	return doc.Setting[doc.Home]{
		Name: "final", Group: view.GroupPosts, Order: 146, Choices: []string{doc.Off, doc.On},
		Keeper: &doc.Keeper{
			Read: func(ctx context.Context, home, _ string) (map[string]string, error) {
				var f Final
				_, err := room.docs.Get(ctx, finalKey(home), &f)
				choice := doc.Off
				if f.On {
					choice = doc.On
				}
				return map[string]string{"final": choice}, err
			},
			Set: func(ctx context.Context, in chat.Input, home, _, value string) error {
				if value != doc.On && value != doc.Off {
					return chat.ErrForged
				}
				return room.changeFinal(ctx, in.Once, home, func(f *Final, h doc.Home) error {
					if f.On = value == doc.On; !f.On {
						return nil
					}
					here, known, err := room.docs.PostsChat(ctx, in, home, h, f.Chat)
					if err == nil && !known {
						err = errFinalWhere
					}
					f.Chat = here
					return err
				})
			},
		},
	}
}

// changeFinal lets step change a home's Final, and commits it with the time of its job.
func (room *Room) changeFinal(ctx context.Context, event, home string, step func(*Final, doc.Home) error) error {
	keys := []store.Key{finalKey(home), doc.HomeKey(home)}
	return room.docs.Update(ctx, event, keys, func(docs []store.Doc, c *store.Change) error {
		f := Final{ID: doc.NewTableID(home), Home: home}
		var h doc.Home
		if err := errors.Join(doc.Decode(docs[0], &f), doc.Decode(docs[1], &h)); err != nil {
			return err
		}
		if err := step(&f, h); err != nil {
			return err
		}
		f.Due = f.next(h, c.Now)
		c.Writes = []store.Write{{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(f)}}
		c.Due = []store.Mark{{ID: keys[0].Name, At: c.Now}} // the job parks itself until f.Due
		return nil
	})
}

// open reports whether people sign up now.
func (f Final) open() bool { return f.Date != "" && f.Result == "" }

// next returns when the next step is due after now, or zero for never.
func (f Final) next(h doc.Home, now time.Time) time.Time {
	switch {
	case f.open() && f.At.After(now):
		return f.At
	case f.open():
		return now.Add(finalAgain)
	case !f.On:
		return time.Time{}
	}
	return doc.NextHour(finalOpens, time.Sunday, league.CalendarOf(h).Zone, now)
}

// standing is what a person did in a week's deals of the day.
type standing struct {
	Player, Name  string
	Score         float64 // of all deals together
	Points, Deals int
}

// week returns the standings of the week that ends with that Sunday, the best first.
func (room *Room) week(ctx context.Context, home, sunday string) ([]standing, error) {
	last, err := time.Parse(time.DateOnly, sunday)
	if err != nil {
		return nil, fmt.Errorf("rank a week: %w", err)
	}
	by := map[string]*standing{}
	for day := range 7 {
		date := last.AddDate(0, 0, -day).Format(time.DateOnly)
		rows, _, err := room.docs.Store.Board(ctx, store.Partition(home), league.DailyName(league.Day(home, date)), 0, finalRows, "")
		if err != nil {
			return nil, err
		}
		for _, s := range rows {
			var row league.DailyRow
			if err := json.Unmarshal(s.Data, &row); err != nil {
				return nil, fmt.Errorf("read a board row: %w", err)
			}
			of := by[s.Member]
			if of == nil {
				of = &standing{Player: s.Member, Name: row.Name}
				by[s.Member] = of
			}
			of.Score, of.Points, of.Deals = of.Score+row.Tally.Score, of.Points+row.Tally.Points, of.Deals+1
		}
	}
	var all []standing
	for _, of := range by {
		all = append(all, *of)
	}
	slices.SortFunc(all, func(a, b standing) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Points, a.Points), cmp.Compare(a.Player, b.Player))
	})
	return all, nil
}

// finalRows is how many results of a day count.
const finalRows = 500

// tendFinal runs the job of a home's Final. It commits what is due first, and then shows it. So several processes do it once.
func (room *Room) tendFinal(ctx context.Context, home string, job store.Job, ends time.Time) error {
	f, h, err := room.advanceFinal(ctx, home)
	if err != nil {
		return err
	}
	messages, err := room.deliver.Notices(ctx, doc.InHome(home, doc.ShownName(f.ID)))
	if err != nil {
		return err
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: f.Due}
	if f.Date == "" {
		return room.queue.Complete(ctx, c, ends)
	}
	if room.docs.Now().Add(work.Showing + work.Delivery).After(ends) {
		return room.docs.Store.Release(ctx, job, room.docs.Now(), room.docs.Now())
	}
	here := h.Refresh(f.Chat)
	week, err := room.week(ctx, home, f.Date)
	if err != nil {
		return err
	}
	f.At = f.At.In(league.CalendarOf(h).Zone)
	at := table.Table{ID: f.ID, Home: home, Chats: []table.Chat{here}, Phase: table.Playing, DealNo: f.Chat.Bump}
	next := room.deliver.ShowNotices(ctx, messages, at, f.posts(week, lang.For(here.Lang), here), nil, func(from, to string) error {
		if err := room.tables.Migrate(ctx, from, to); err != nil {
			return err
		}
		return room.changeFinal(ctx, "", home, func(f *Final, _ doc.Home) error {
			if f.Chat.ID != from {
				return doc.ErrSame
			}
			f.Chat.ID = to
			return nil
		})
	})
	c.Next, c.Writes = work.Earlier(f.Due, next), messages.Writes(time.Time{})
	return room.queue.Complete(ctx, c, ends)
}

// advanceFinal takes the step that is due, if there is one, and commits it.
func (room *Room) advanceFinal(ctx context.Context, home string) (f Final, h doc.Home, err error) {
	keys := []store.Key{finalKey(home), doc.HomeKey(home)}
	err = doc.Retry(func() error {
		docs, err := room.docs.Store.Get(ctx, keys...)
		if err != nil {
			return err
		}
		f, h = Final{}, doc.Home{}
		if err := errors.Join(doc.Decode(docs[0], &f), doc.Decode(docs[1], &h)); err != nil {
			return err
		}
		now := room.docs.Now()
		switch {
		case docs[0].Version == 0:
			return doc.ErrNoTable
		case f.Due.IsZero() || now.Before(f.Due):
			return nil
		}
		c := store.Change{Partition: keys[0].Partition, Now: now}
		if f.open() {
			err = room.beginFinal(ctx, &f, h, &c)
		} else {
			err = room.openFinal(ctx, &f, h, now)
		}
		if err != nil {
			return err
		}
		f.Due = f.next(h, now)
		c.Writes = append(c.Writes, store.Write{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(f)})
		return room.docs.Commit(ctx, "", c)
	})
	return f, h, err
}

// openFinal opens the sign-up of this Sunday, unless it is too late, or nobody could sign up.
func (room *Room) openFinal(ctx context.Context, f *Final, h doc.Home, now time.Time) error {
	at := f.Due.Add(finalAfter)
	date, _ := league.CalendarOf(h).Today(f.Due)
	if !now.Before(at) || date == f.Date {
		return nil
	}
	week, err := room.week(ctx, f.Home, date)
	if err != nil || len(week) < 2 {
		return err
	}
	f.Date, f.At, f.In, f.Result = date, at, nil, ""
	f.Chat.Bump++
	return nil
}

// beginFinal seats the best of those who signed up at a table in the chat, and adds it to c. The AI takes the seats that are
// left. The first sits opposite the last, where four play.
func (room *Room) beginFinal(ctx context.Context, f *Final, h doc.Home, c *store.Change) error {
	begin, err := h.Beginning()
	if err != nil {
		return err
	}
	week, err := room.week(ctx, f.Home, f.Date)
	if err != nil {
		return err
	}
	place := func(p table.Player) int {
		return slices.IndexFunc(week, func(s standing) bool { return s.Player == p.ID })
	}
	in := slices.DeleteFunc(slices.Clone(f.In), func(p table.Player) bool { return place(p) < 0 })
	slices.SortFunc(in, func(a, b table.Player) int { return cmp.Compare(place(a), place(b)) })
	in = in[:min(len(in), begin.Rules.Players)]
	if len(in) < 2 {
		f.Result, f.In = finalFew, nil
		return nil
	}
	latest := f.At.Add(finalLate)
	if c.Now.After(latest) {
		f.Result, f.In = finalMissed, nil
		return nil
	}
	seats := make([]int, len(in))
	for i := range seats {
		seats[i] = i
	}
	if begin.Rules.Players == 4 {
		copy(seats, []int{0, 1, 3, 2})
	}
	env := room.tables.Env()
	for i := range in {
		person, err := room.docs.Own(ctx, in[i].ID)
		if err != nil {
			return err
		}
		in[i] = person.Refresh(in[i])
	}
	t := table.New(doc.NewTableID(f.Home), f.Home, h.Refresh(f.Chat), in[0], begin.Rules, room.pace, begin.Limit, c.Now)
	t.Level = begin.Level
	t.Chats[0].Bump = 0
	var events []table.Event
	for i, p := range in[1:] {
		if t, _, err = table.Apply(t, p, table.Join{Seat: seats[i+1]}, env); err != nil {
			return fmt.Errorf("seat a finalist: %w", err)
		}
	}
	if t, events, err = table.Apply(t, in[0], table.Start{}, env); err != nil {
		return fmt.Errorf("begin a final: %w", err)
	}
	opened, err := room.tables.Change(ctx, doc.Table{Table: table.Table{Phase: table.Closed}}, &t, events)
	exists := doc.TableExists("")
	switch {
	case errors.As(err, &exists) && c.Now.Add(finalAgain).After(latest):
		f.Result, f.In = finalBusy, nil
		return nil
	case errors.As(err, &exists):
		return nil // it tries again later
	case err != nil:
		return err
	}
	f.Result, f.In = finalPlays, in
	c.Writes, c.Rows = append(c.Writes, opened.Writes...), append(c.Rows, opened.Rows...)
	c.Due = append(append(c.Due, opened.Due...), store.Mark{ID: doc.TableName(t.ID), At: c.Now})
	return nil
}

// finalPressed signs a person up for the match, or off.
func (room *Room) finalPressed(ctx context.Context, in chat.Input, p press) chat.Reply {
	text := "reply.final_in"
	if p.word == actFinalOut {
		text = "reply.final_out"
	}
	if in.Chat.Home != p.home {
		return in.Refuse(chat.ErrForged)
	}
	err := room.changeFinal(ctx, in.Once, p.home, func(f *Final, _ doc.Home) error {
		if !f.open() || f.Date != p.date || !room.docs.Now().Before(f.At) {
			return errFinalOver
		}
		i := slices.IndexFunc(f.In, func(x table.Player) bool { return x.ID == in.Player.ID })
		if p.word == actFinalOut {
			if i < 0 {
				return doc.ErrSame
			}
			f.In = slices.Delete(slices.Clone(f.In), i, i+1)
			return nil
		}
		week, err := room.week(ctx, p.home, f.Date)
		switch {
		case err != nil:
			return err
		case !slices.ContainsFunc(week, func(s standing) bool { return s.Player == in.Player.ID }):
			return errFinalNone
		case i >= 0 || len(f.In) >= finalMost:
			return doc.ErrSame
		}
		f.In = append(slices.Clip(f.In), in.TablePlayer())
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text(text), Echo: true}
}

// forgetFinal deletes the document with its home, or takes a person out of it.
func (room *Room) forgetFinal(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var f Final
	if err := doc.Decode(stored, &f); err != nil {
		return false, err
	}
	if s.Home != "" && f.Home == s.Home {
		return true, room.docs.Store.Commit(ctx, store.Change{
			Partition: stored.Key.Partition, Now: room.docs.Now(), Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
			Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}, {Name: doc.ShownName(f.ID), Expect: store.Any}},
		})
	}
	was := len(f.In)
	f.In = slices.DeleteFunc(f.In, func(p table.Player) bool { return p.ID == s.Player })
	if s.Player == "" || len(f.In) == was {
		return false, nil
	}
	return true, room.docs.Store.Commit(ctx, store.Change{
		Partition: stored.Key.Partition, Now: room.docs.Now(), Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
		Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version, Data: doc.Encode(f)}},
	})
}

// exportFinal adds that a person signed up to the export of their data.
func exportFinal(x *doc.Export, stored store.Doc) error {
	var f Final
	if err := doc.Decode(stored, &f); err != nil {
		return err
	}
	if slices.ContainsFunc(f.In, func(p table.Player) bool { return p.ID == x.Player }) {
		x.Put("finals", f.Home, map[string]string{"date": f.Date})
	}
	return nil
}
