package daily

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
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/work"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Morning is the document of a home's regular post: when its managers want yesterday's board,
// and in which chat. Its job sends it. There is only one message. A new post edits it if the bot
// did nothing else in the home since; otherwise a new message replaces it.
type Morning struct {
	ID   string     `json:"id"` // has the form of a table's; shown:<id> has the message
	Home string     `json:"home"`
	Chat table.Chat `json:"chat"`           // chat with the message
	Hour string     `json:"hour,omitempty"` // hour at which yesterday's board is posted; "": never
	Due  time.Time  `json:"due,omitzero"`   // when the next message is due

	// The latest post.
	Date   string `json:"date,omitempty"`   // the day whose board it shows; "": none
	Before string `json:"before,omitempty"` // what had happened in the home before it: see happened

	// The release before, which may run beside this one, also posted a page of the week.
	Weekly bool   `json:"weekly,omitempty"`
	Week   string `json:"week,omitempty"`
	Fresh  bool   `json:"fresh,omitempty"` // the message shows it
}

// posting sends the boards of deals that homes want every day.
type posting struct {
	docs    *doc.Docs
	queue   *work.Queue
	tables  *tables.Tables
	deliver *deliver.Deliverer
	daily   *Room
}

// errNoChat reports that the settings don't say in which chat the message should be posted.
var errNoChat = chat.NewRefusal("news_where")

// newsName returns the name of a home's Morning, and of its job.
func newsName(home string) string { return "news:" + home }

// happened returns a text that changes with every new table, match or tournament of the home.
// It doesn't change with people's messages, because the bot doesn't see them.
func happened(h doc.Home, chat string) string {
	latest := ""
	if len(h.Matches) > 0 {
		latest = h.Matches[len(h.Matches)-1]
	}
	return fmt.Sprint(h.Played, " ", latest, " ", h.Open[chat], " ", h.Tournament)
}

// next returns when the next post is due after now, or zero for never.
func (d Morning) next(h doc.Home, now time.Time) time.Time {
	if d.Hour == "" {
		return time.Time{}
	}
	return nextHour(d.Hour, league.CalendarOf(h).Zone, now)
}

// settings are a home's settings about regular posts.
func (p *posting) settings() []doc.Setting[doc.Home] {
	return []doc.Setting[doc.Home]{{
		Name: "morning", Group: screen.GroupPosts, Order: 130, Choices: postHours, Label: postHourName,
		Keeper: &doc.Keeper{Read: p.posts, Set: p.setPosts},
	}}
}

// posts returns the settings of a home about regular posts.
func (p *posting) posts(ctx context.Context, home, _ string) (map[string]string, error) {
	docs, err := p.docs.Store.Get(ctx, doc.InHome(home, newsName(home)))
	if err != nil {
		return nil, err
	}
	var d Morning
	if err := doc.Decode(docs[0], &d); err != nil {
		return nil, err
	}
	return map[string]string{"morning": cmp.Or(d.Hour, doc.Off)}, nil
}

// setPosts changes the setting, for a person who manages the
// home. The posts then come to the chat where the settings were opened.
func (p *posting) setPosts(ctx context.Context, in chat.Input, home, name, value string) error {
	return p.change(ctx, in.Once, home, func(d *Morning, h doc.Home) error {
		if name != "morning" || !slices.Contains(postHours, value) {
			return chat.ErrForged
		}
		if d.Hour = value; value == doc.Off {
			d.Hour = ""
			return nil
		}
		here, known, err := p.chatOf(ctx, in, home, h, d.Chat)
		if err == nil && !known {
			err = errNoChat
		}
		d.Chat = here
		return err
	})
}

// silence handles the button under a post: a manager of the home ends the posts.
func (p *posting) silence(ctx context.Context, in chat.Input, _ string) chat.Reply {
	manages, err := in.MayManage(ctx, in.Chat.Home)
	if err == nil && !manages {
		err = chat.ErrAdmin
	}
	if err == nil {
		err = p.change(ctx, in.Once, in.Chat.Home, func(d *Morning, _ doc.Home) error {
			if d.Hour == "" && !d.Weekly {
				return doc.ErrSame
			}
			d.Hour, d.Weekly = "", false
			return nil
		})
	}
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("news.stopped")}
}

// change lets step change a home's Morning, and commits it with the time of its job.
func (p *posting) change(ctx context.Context, event, home string, step func(*Morning, doc.Home) error) error {
	return p.update(ctx, event, home, func(d *Morning, h doc.Home, c *store.Change) error {
		c.Due = []store.Mark{{ID: newsName(home), At: c.Now}} // the job parks itself until d.Due
		return step(d, h)
	})
}

// update is change without the job, which may run now.
func (p *posting) update(ctx context.Context, event, home string, step func(*Morning, doc.Home, *store.Change) error) error {
	keys := []store.Key{doc.InHome(home, newsName(home)), doc.HomeKey(home)}
	return p.docs.Update(ctx, event, keys, func(docs []store.Doc, c *store.Change) error {
		d := Morning{ID: doc.NewTableID(home), Home: home}
		var h doc.Home
		if err := errors.Join(doc.Decode(docs[0], &d), doc.Decode(docs[1], &h)); err != nil {
			return err
		}
		if err := step(&d, h, c); err != nil {
			return err
		}
		d.Due = d.next(h, c.Now)
		c.Writes = []store.Write{{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(d)}}
		return nil
	})
}

// tend runs the job of a home's Morning. If a post is due, it commits the post. Then it sends
// or edits the message.
func (p *posting) tend(ctx context.Context, home string, job store.Job, ends time.Time) error {
	d, h, err := p.advance(ctx, home)
	if err != nil {
		return err
	}
	if d.Date == "" { // a message with a page of the week stays as it is
		return p.queue.Complete(ctx, store.Change{Partition: job.Partition, Done: &job, Next: d.Due}, ends)
	}
	return p.deliver.Tend(ctx, p.queue, job, ends, doc.InHome(home, doc.ShownName(d.ID)), func() (deliver.Notice, error) {
		here := h.Refresh(d.Chat)
		board, err := p.daily.board(ctx, home, d.Date, lang.For(here.Lang))
		return deliver.Notice{
			Messages: deliver.Messages{ID: d.ID, Chats: []table.Chat{here}, Stage: strconv.Itoa(d.Chat.Bump)},
			Posts:    posts(d.ID, board, here), Due: d.Due,
			Moved: func(from, to string) error { return p.move(ctx, home, from, to) },
		}, err
	})
}

// move updates a home's Morning after its chat got a new id.
func (p *posting) move(ctx context.Context, home, from, to string) error {
	if err := p.tables.Migrate(ctx, from, to); err != nil {
		return err
	}
	return p.change(ctx, "", home, func(d *Morning, _ doc.Home) error {
		if d.Chat.ID != from {
			return doc.ErrSame
		}
		d.Chat.ID = to
		return nil
	})
}

// advance composes the post that is due, if there is one, and commits it.
func (p *posting) advance(ctx context.Context, home string) (d *Morning, h doc.Home, err error) {
	err = p.update(ctx, "", home, func(now *Morning, there doc.Home, c *store.Change) error {
		if d, h = now, there; d.Due.IsZero() || c.Now.Before(d.Due) {
			return doc.ErrSame
		}
		return p.compose(ctx, d, h, c.Now)
	})
	return d, h, err
}

// compose makes d the post that is due. If there is nothing to show, d remains the post of an
// earlier day.
func (p *posting) compose(ctx context.Context, d *Morning, h doc.Home, now time.Time) error {
	if d.Hour == "" {
		return nil
	}
	date, _ := league.CalendarOf(h).Today(now.AddDate(0, 0, -1))
	board, err := p.daily.board(ctx, d.Home, date, lang.For(d.Chat.Lang))
	if err != nil || board == nil || date == d.Date {
		return err
	}
	d.Date, d.Fresh = date, false
	if before := happened(h, d.Chat.ID); before != d.Before {
		d.Before = before
		d.Chat.Bump++
	}
	return nil
}

// postHours are the hours at which a chat may have the post; Off is the default.
var postHours = []string{doc.Off, "6", "7", "8", "9", "10", "12", "18", "20"}

// postHourName returns the text of one of postHours.
func postHourName(c *lang.Catalogue, hour string) string {
	if hour == doc.Off {
		return c.Text("pref.morning.off")
	}
	return hour + ":00"
}

// chatOf returns the chat in which a manager of the home asks for the post: the one with the settings, or the one
// from which they opened the settings in private. It returns false if that isn't known. was is the chat of earlier posts.
func (p *posting) chatOf(ctx context.Context, in chat.Input, home string, h doc.Home, was table.Chat) (table.Chat, bool, error) {
	here := in.TableChat()
	if in.Chat.Private {
		own, err := p.docs.Own(ctx, in.Player.ID)
		if err != nil {
			return was, false, err
		}
		here = table.Chat{ID: own.AskedIn}
		if own.Asked != home {
			here.ID = ""
		}
	}
	if here.ID == "" {
		return was, was.ID != "", nil
	}
	here.Lang = cmp.Or(here.Lang, was.Lang, h.Locale)
	here.Bump = was.Bump
	return here, true, nil
}

// nextHour returns the next moment after now at which a clock in the zone shows the hour.
func nextHour(hour string, zone *time.Location, now time.Time) time.Time {
	n, _ := strconv.Atoi(hour)
	local := now.In(zone)
	for date := local.Day(); ; date++ {
		at := time.Date(local.Year(), local.Month(), date, n, 0, 0, 0, zone)
		if at.After(now) {
			return at
		}
	}
}
