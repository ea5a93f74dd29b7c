package puzzle

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/league"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Quiz is the document of a home whose managers want the day's puzzle posted: at which hour and in which chat, and what people
// answered there. Its job posts the puzzle. There is one message; the next day's replaces it.
type Quiz struct {
	ID   string     `json:"id"` // has the form of a table's; shown:<id> has the message
	Home string     `json:"home"`
	Chat table.Chat `json:"chat"`
	Hour string     `json:"hour,omitempty"` // when the puzzle is posted; "": never
	Due  time.Time  `json:"due,omitzero"`   // when the next one is due

	Date  string         `json:"date,omitempty"`  // the day whose puzzle is posted; "": none
	Why   string         `json:"why,omitempty"`   // why its best choice is better than the second, in the chat's language
	Votes map[string]int `json:"votes,omitempty"` // by player: the number of the choice that they pressed under the post, from 1
}

// Why the puzzle can't be posted.
var errQuizWhere = chat.NewRefusal("news_where")

// quizWhyLimit is the longest explanation of a poll (https://core.telegram.org/bots/api#sendpoll).
const quizWhyLimit = 200

func quizKey(home string) store.Key { return doc.InHome(home, "quiz:"+home) }

// quizSetting is the setting about the day's puzzle in a chat.
func (room *Room) quizSetting() doc.Setting[doc.Home] {
	return doc.Setting[doc.Home]{
		Name: "quiz", Group: view.GroupPosts, Order: 145, Choices: doc.PostHours, Label: doc.HourName,
		Keeper: &doc.Keeper{
			Read: func(ctx context.Context, home, _ string) (map[string]string, error) {
				q := Quiz{Hour: doc.Off}
				_, err := room.docs.Get(ctx, quizKey(home), &q)
				if q.Hour == "" {
					q.Hour = doc.Off
				}
				return map[string]string{"quiz": q.Hour}, err
			},
			Set: func(ctx context.Context, in chat.Input, home, _, value string) error {
				if !slices.Contains(doc.PostHours, value) {
					return chat.ErrForged
				}
				return room.changeQuiz(ctx, in.Once, home, func(q *Quiz, h doc.Home) error {
					if value == doc.Off {
						q.Hour, q.Votes = "", nil
						return nil
					}
					here, known, err := room.docs.PostsChat(ctx, in, home, h, q.Chat)
					if err == nil && !known {
						err = errQuizWhere
					}
					q.Hour, q.Chat = value, here
					return err
				})
			},
		},
	}
}

// changeQuiz lets step change a home's Quiz, and commits it with the time of its job.
func (room *Room) changeQuiz(ctx context.Context, event, home string, step func(*Quiz, doc.Home) error) error {
	keys := []store.Key{quizKey(home), doc.HomeKey(home)}
	return room.docs.Update(ctx, event, keys, func(docs []store.Doc, c *store.Change) error {
		q := Quiz{ID: doc.NewTableID(home), Home: home}
		var h doc.Home
		if err := errors.Join(doc.Decode(docs[0], &q), doc.Decode(docs[1], &h)); err != nil {
			return err
		}
		if err := step(&q, h); err != nil {
			return err
		}
		q.Due = q.next(h, c.Now)
		c.Writes = []store.Write{{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(q)}}
		c.Due = []store.Mark{{ID: keys[0].Name, At: c.Now}} // the job parks itself until q.Due
		return nil
	})
}

// next returns when the next puzzle is due after now, or zero for never.
func (q Quiz) next(h doc.Home, now time.Time) time.Time {
	if q.Hour == "" {
		return time.Time{}
	}
	return doc.NextHour(q.Hour, -1, league.CalendarOf(h).Zone, now)
}

// tendQuiz runs the job of a home's Quiz. If the day's puzzle is due, it commits that first; then it sends or edits the message.
// So several processes post it once.
func (room *Room) tendQuiz(ctx context.Context, home string, job store.Job, ends time.Time) error {
	q, h, err := room.advanceQuiz(ctx, home)
	if err != nil {
		return err
	}
	messages, err := room.deliver.Notices(ctx, doc.InHome(home, doc.ShownName(q.ID)))
	if err != nil {
		return err
	}
	c := store.Change{Partition: job.Partition, Done: &job, Next: q.Due}
	if q.Date == "" && messages.None() {
		return room.queue.Complete(ctx, c, ends)
	}
	if room.docs.Now().Add(work.Showing + work.Delivery).After(ends) {
		return room.docs.Store.Release(ctx, job, room.docs.Now(), room.docs.Now())
	}
	here := h.Refresh(q.Chat)
	shown, err := room.quizScreen(q, lang.For(here.Lang))
	if err != nil {
		return err
	}
	at := table.Table{ID: q.ID, Home: home, Chats: []table.Chat{here}, Phase: table.Playing, DealNo: q.Chat.Bump}
	posts := view.AddressTo([]screen.Post{{Key: "quiz", Screen: shown}}, here)
	next := room.deliver.ShowNotices(ctx, messages, at, posts, nil, func(from, to string) error {
		if err := room.tables.Migrate(ctx, from, to); err != nil {
			return err
		}
		return room.changeQuiz(ctx, "", home, func(q *Quiz, _ doc.Home) error {
			if q.Chat.ID != from {
				return doc.ErrSame
			}
			q.Chat.ID = to
			return nil
		})
	})
	c.Next, c.Writes = work.Earlier(q.Due, next), messages.Writes(time.Time{})
	return room.queue.Complete(ctx, c, ends)
}

// advanceQuiz commits the puzzle of the day, if it is due.
func (room *Room) advanceQuiz(ctx context.Context, home string) (q Quiz, h doc.Home, err error) {
	keys := []store.Key{quizKey(home), doc.HomeKey(home)}
	err = doc.Retry(func() error {
		docs, err := room.docs.Store.Get(ctx, keys...)
		if err != nil {
			return err
		}
		q, h = Quiz{}, doc.Home{}
		if err := errors.Join(doc.Decode(docs[0], &q), doc.Decode(docs[1], &h)); err != nil {
			return err
		}
		now := room.docs.Now()
		switch {
		case docs[0].Version == 0:
			return doc.ErrNoTable
		case q.Due.IsZero() || now.Before(q.Due):
			return nil
		}
		if date, _ := league.CalendarOf(h).Today(now); date != q.Date {
			q.Date, q.Votes = date, nil
			q.Chat.Bump++
			of, err := room.quizOf(date)
			if err != nil {
				return err
			}
			w := view.NewWriter(lang.For(h.Refresh(q.Chat).Lang), face.French)
			choices := of.sheet.Puzzle.Choices
			q.Why = view.Reason(room.thinkers.Why(ctx, of.View, game.Match{}, choices[0].Move, choices[1].Move)).Brief(w, quizWhyLimit)
		}
		q.Due = q.next(h, now)
		return room.docs.Store.Commit(ctx, store.Change{
			Partition: keys[0].Partition, Now: now,
			Writes: []store.Write{{Name: keys[0].Name, Expect: docs[0].Version, Data: doc.Encode(q)}},
		})
	})
	return q, h, err
}

// quizOf returns the puzzle of a day as everybody in a chat sees it.
func (room *Room) quizOf(date string) (q question, err error) {
	name, ok, err := room.dayPuzzle(date, date)
	if err != nil || !ok {
		return q, errors.Join(err, errNoPuzzle)
	}
	book, err := room.book()
	if err != nil {
		return q, err
	}
	p, _ := book.find(name)
	q.sheet.Puzzle = p
	q.Position = Position{Name: name, Choices: movesOf(p.Choices), Theme: p.Theme(), Steps: len(p.Then) + 1, Date: date}
	q.View, err = p.View()
	return q, err
}

// quizScreen returns the message in the chat.
func (room *Room) quizScreen(q Quiz, c *lang.Catalogue) (screen.Screen, error) {
	of, err := room.quizOf(q.Date)
	if err != nil {
		return screen.Screen{}, err
	}
	votes := make([]int, len(of.Choices))
	for _, n := range q.Votes {
		if 0 < n && n <= len(votes) {
			votes[n-1]++
		}
	}
	right := slices.Index(of.Choices, of.sheet.Puzzle.Choices[0].Move)
	return QuizPost{Position: of.Position, Chat: q.Home, Votes: votes, Right: right, Why: q.Why}.Screen(c), nil
}

// quizPressed handles an answer below the post: the number of the choice, a hyphen and the day. The person gets the reply in
// private, and their first answer there counts in the bar.
func (room *Room) quizPressed(ctx context.Context, in chat.Input, home, value string) chat.Reply {
	number, date, _ := strings.Cut(value, "-")
	today, err := room.today(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	name, ok, err := room.dayPuzzle(date, today)
	if err != nil {
		return in.Refuse(err)
	}
	if !ok {
		return in.Refuse(chat.ErrForged)
	}
	reply := room.answer(ctx, in, home, name, number)
	reply.Replace = false // the post stays
	if n, err := strconv.Atoi(number); err == nil && reply.Screen != nil && home != "" {
		err := room.vote(ctx, in, home, date, n)
		if err != nil {
			room.docs.Log.Warn("count an answer to the day's puzzle", "err", err)
		}
	}
	return reply
}

// vote notes a person's first answer below the post of that day, unless posts are turned off: then nothing would delete it.
func (room *Room) vote(ctx context.Context, in chat.Input, home, date string, n int) error {
	key := quizKey(home)
	return room.docs.Update(ctx, in.Once, []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var q Quiz
		if err := doc.Decode(docs[0], &q); err != nil {
			return err
		}
		if _, voted := q.Votes[in.Player.ID]; voted || q.Hour == "" || q.Date != date || len(q.Votes) >= maxVotes {
			return doc.ErrSame
		}
		if q.Votes == nil {
			q.Votes = map[string]int{}
		}
		q.Votes[in.Player.ID] = n
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(q)}}
		c.Due = []store.Mark{{ID: key.Name, At: c.Now}}
		return nil
	})
}

// maxVotes is how many answers the bar counts.
const maxVotes = 500

// forgetQuiz deletes the document with its home, or a person's answer with their data.
func (room *Room) forgetQuiz(ctx context.Context, s doc.Sweep, stored store.Doc) (bool, error) {
	var q Quiz
	if err := doc.Decode(stored, &q); err != nil {
		return false, err
	}
	if s.Home != "" && q.Home == s.Home {
		return true, room.docs.Store.Commit(ctx, store.Change{
			Partition: stored.Key.Partition, Now: room.docs.Now(), Due: []store.Mark{{ID: stored.Key.Name, At: room.docs.Now()}},
			Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version}, {Name: doc.ShownName(q.ID), Expect: store.Any}},
		})
	}
	if _, voted := q.Votes[s.Player]; s.Player == "" || !voted {
		return false, nil
	}
	delete(q.Votes, s.Player)
	return true, room.docs.Store.Commit(ctx, store.Change{
		Partition: stored.Key.Partition, Now: room.docs.Now(),
		Writes: []store.Write{{Name: stored.Key.Name, Expect: stored.Version, Data: doc.Encode(q)}},
	})
}

// exportQuiz adds a person's answer to the export of their data.
func exportQuiz(x *doc.Export, stored store.Doc) error {
	var q Quiz
	if err := doc.Decode(stored, &q); err != nil {
		return err
	}
	if n, voted := q.Votes[x.Player]; voted {
		x.Put("quiz", q.Home, map[string]any{"date": q.Date, "choice": n})
	}
	return nil
}
