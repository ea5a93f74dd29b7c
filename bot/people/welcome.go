package people

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/store"
)

// When the bot is added to a home, it writes one message there: what it is, and how to
// begin. The input that reports the addition stores a document, whose job sends the
// message. If somebody has opened a table in that chat meanwhile, it isn't sent: it would only
// stand below the table. The first table in that chat deletes it, as it would only push it up. The document outlasts the job, so a repeated report sends nothing. It
// is deleted with the home's data.
//
// The bot may be added while no process runs. Telegram reports that later. Discord reports at
// each start when the bot joined each server. If there is no Welcome for a server, and the bot
// joined it after it had begun to store Welcomes (see Heard), it missed that addition. Then each
// server has a Welcome, and no private chat has one.

// Welcome is the document of a home's latest addition of the bot.
type Welcome struct {
	Event  string    `json:"event"`             // identifies the addition
	At     time.Time `json:"at"`                // when it was reported
	Lang   string    `json:"lang,omitempty"`    // language of the home, as the platform says
	Places []string  `json:"places,omitempty"`  // chats that may take the message, the best first; empty once it is sent
	By     string    `json:"by,omitempty"`      // Person who added the bot: they get a message if no chat takes it
	ByLang string    `json:"by_lang,omitempty"` // language of that person
	Fails  int       `json:"fails,omitempty"`   // failed attempts for the first of Places
	Open   []string  `json:"open,omitempty"`    // ids of the home's tables that were open when it was reported

	Sent *SentWelcome `json:"sent,omitempty"` // the message in a chat, until that chat has a table
}

// SentWelcome is a welcome that stands in a chat.
type SentWelcome struct {
	Chat string       `json:"chat"`
	At   chat.Address `json:"at"`
}

// open reports whether a message may still have to be sent.
func (w Welcome) open() bool { return len(w.Places) > 0 || w.By != "" }

// Expiry implements [doc.Expiring]: a Welcome that is open expires even if its job is lost.
func (w Welcome) Expiry(time.Time) (time.Time, bool) {
	if !w.open() {
		return time.Time{}, true
	}
	return w.At.Add(welcomeFor), true
}

// close ends all attempts to send a message.
func (w *Welcome) close() { w.Places, w.By, w.ByLang, w.Fails, w.Open = nil, "", "", 0, nil }

// next moves on to the next chat, or to the person who added the bot.
func (w *Welcome) next() {
	if len(w.Places) == 0 {
		w.close()
		return
	}
	w.Places, w.Fails = w.Places[1:], 0
}

// Times and counts of a welcome.
const (
	// welcomeAfter is the delay of the message. By then it is known whether the new chat is
	// an old one whose id has changed.
	welcomeAfter = 2 * time.Second
	// welcomeFor is how long the bot tries to send the message. Later, people wouldn't expect
	// it.
	welcomeFor = time.Hour
	// takeBacks is how often the bot tries again to delete the message.
	takeBacks = 5
	// welcomeMoved is how long a chat with a new id may be reported as an addition.
	welcomeMoved = 10 * time.Minute
)

// WelcomeKey returns the key of a home's Welcome. Its name is also that of the job.
func WelcomeKey(home string) store.Key { return doc.InHome(home, doc.WelcomeName(home)) }

// Heard is the document of a platform that reports additions and removals.
type Heard struct {
	Since time.Time `json:"since,omitzero"` // every later addition has a Welcome, unless it was missed; zero: only Until counts
	Until time.Time `json:"until,omitzero"` // every earlier removal is known; zero: the platform keeps no reports
}

// heardName returns the name of a platform's Heard.
func heardName(platform string) string { return "heard:" + platform }

// heardSince returns the Since of the platform's Heard. If there is no such document, it makes
// one.
func (room *Room) heardSince(ctx context.Context, platform string) (time.Time, error) {
	if since, ok := room.heard.Load(platform); ok {
		return since.(time.Time), nil
	}
	key := doc.InHome(platform, heardName(platform))
	var h Heard
	err := room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		if err := doc.Decode(docs[0], &h); err != nil {
			return err
		}
		if docs[0].Version != 0 {
			return doc.ErrSame
		}
		h.Since = c.Now.Round(0)
		c.Writes = []store.Write{{Name: key.Name, Data: doc.Encode(h)}}
		return nil
	})
	if err == nil {
		room.heard.Store(platform, h.Since)
	}
	return h.Since, err
}

// Present handles a platform's report that the bot is in a home. If the bot was added just
// now, or while no process ran, Present makes the job due that welcomes the people there, once
// for each addition.
func (room *Room) Present(ctx context.Context, in chat.Input) chat.Reply {
	added := in.Presence == chat.Added
	if !added && in.Joined.IsZero() {
		return chat.Reply{}
	}
	if !in.Joined.IsZero() { // the platform reports it at each start
		platform, _, _ := strings.Cut(in.Chat.Home, ":")
		since, err := room.heardSince(ctx, platform)
		if err != nil {
			room.docs.Log.Error("record when reports of additions began", "err", err)
			return chat.Reply{Outcome: doc.Outcome(err)}
		}
		missed := len(in.Places) > 0 && in.Joined.After(since) && room.docs.Now().Sub(in.Joined) < chat.MissedFor
		added = added || missed
	}
	return room.remember(ctx, in, added)
}

// remember stores the Welcome of an addition, unless it was reported before. If the bot has been there for long, nobody is
// welcomed, and an earlier Welcome stays.
func (room *Room) remember(ctx context.Context, in chat.Input, added bool) chat.Reply {
	in, err := room.docs.Settled(ctx, in)
	if err == nil {
		key := WelcomeKey(in.Chat.Home)
		err = room.docs.Update(ctx, "", []store.Key{key, doc.HomeKey(in.Chat.Home)}, func(docs []store.Doc, c *store.Change) error {
			var w Welcome
			var h doc.Home
			if err := errors.Join(doc.Decode(docs[0], &w), doc.Decode(docs[1], &h)); err != nil {
				return err
			}
			if docs[0].Version != 0 && (w.Event == in.Once || !added) {
				return doc.ErrSame
			}
			w = Welcome{Event: in.Once, At: c.Now}
			if added {
				w.Lang, w.Places, w.By, w.ByLang, w.Open = in.Chat.Lang, in.Places, in.Player.ID, in.Player.Lang, slices.Sorted(maps.Values(h.Open))
				c.Due = []store.Mark{{ID: key.Name, At: c.Now.Add(welcomeAfter)}}
			}
			c.Writes = []store.Write{doc.WriteOf(docs[0], w, c.Now)}
			return nil
		})
	}
	if err != nil {
		room.docs.Log.Error("note that the bot was added", "err", err)
		return chat.Reply{Outcome: doc.Outcome(err)}
	}
	return chat.Reply{}
}

// tendWelcome runs the job that welcomes a home. Each run makes one attempt.
func (room *Room) tendWelcome(ctx context.Context, home string, job store.Job, ends time.Time) error {
	key := WelcomeKey(home)
	docs, err := room.docs.Store.Get(ctx, key, doc.PurgeKey(home), doc.HomeKey(home))
	if err != nil {
		return err
	}
	var w Welcome
	var h doc.Home
	if err := errors.Join(doc.Decode(docs[0], &w), doc.Decode(docs[2], &h)); err != nil {
		return err
	}
	now := room.docs.Now()
	c := store.Change{Partition: job.Partition, Done: &job}
	if docs[0].Version == 0 || !w.open() && (w.Sent == nil || h.Open[w.Sent.Chat] == "") {
		return room.queue.Complete(ctx, c, ends)
	}
	if now.Add(work.Showing).After(ends) {
		return room.docs.Store.Release(ctx, job, now, now)
	}
	moved, err := room.moved(ctx, w)
	if err != nil {
		return err
	}
	opened := false
	if len(w.Places) > 0 {
		at := h.Open[w.Places[0]]
		opened = at != "" && !slices.Contains(w.Open, at)
	}
	if removed := docs[1].Version != 0; removed || moved || opened || now.Sub(w.At) > welcomeFor {
		w.close()
	}
	if w.open() {
		c.Next = room.greet(ctx, home, h, &w)
	} else if w.Sent != nil && h.Open[w.Sent.Chat] != "" {
		c.Next = room.takeBack(ctx, home, &w)
	}
	c.Writes = []store.Write{doc.WriteOf(docs[0], w, now)}
	return room.queue.Complete(ctx, c, ends)
}

// moved reports whether the chat that was added is an old one, whose id has just changed.
func (room *Room) moved(ctx context.Context, w Welcome) (bool, error) {
	if len(w.Places) == 0 {
		return false, nil
	}
	docs, err := room.docs.Store.Get(ctx, doc.ChatKey(w.Places[0]))
	if err != nil {
		return false, err
	}
	var at doc.ChatHome
	err = doc.Decode(docs[0], &at)
	return w.At.Sub(at.At).Abs() < welcomeMoved, err
}

// greet makes one attempt to send the message, and records its outcome in w. It returns
// when to make the next one, or zero if there is none.
func (room *Room) greet(ctx context.Context, home string, h doc.Home, w *Welcome) time.Time {
	p := room.deliver.PlatformOf(chat.Address(home))
	if p == nil {
		w.close()
		return time.Time{}
	}
	var to chat.Target
	var screen screen.Screen
	if len(w.Places) > 0 {
		to, screen = chat.Target{Chat: w.Places[0]}, greeting(home, room.start(w.Places[0]), lang.For(cmp.Or(h.Lang, w.Lang)))
	} else {
		c := lang.For(w.ByLang)
		to, screen = chat.Target{Player: w.By}, greetingRefused(p.Spelling(chat.Command{Name: "new"}, c.Code()), c)
	}
	ctx, cancel := context.WithTimeout(ctx, work.Showing)
	defer cancel()
	at, err := room.deliver.Send(ctx, p, to, screen, deliver.Nonce(home, w.Event+" "+to.Chat, deliver.ShownPost{}))
	now := room.docs.Now()
	switch fault, after := deliver.FaultOf(err); {
	case err == nil:
		if len(w.Places) > 0 {
			w.Sent = &SentWelcome{w.Places[0], at}
		}
		w.close()
		return time.Time{}
	case fault == chat.Retry:
		w.Fails++
		return now.Add(max(after, deliver.BackOff(w.Fails)))
	case fault == chat.Invalid:
		room.docs.Log.Error("a welcome was refused", "platform", p.Name(), "err", err)
	}
	if w.next(); !w.open() {
		return time.Time{}
	}
	return now
}

// takeBack makes one attempt to delete the message. It returns when to make the next one, or zero if there is none.
func (room *Room) takeBack(ctx context.Context, home string, w *Welcome) time.Time {
	if p := room.deliver.PlatformOf(chat.Address(home)); p != nil {
		ctx, cancel := context.WithTimeout(ctx, work.Showing)
		defer cancel()
		err := room.deliver.Delete(ctx, p, w.Sent.At)
		if fault, after := deliver.FaultOf(err); err != nil && fault == chat.Retry && w.Fails < takeBacks {
			w.Fails++
			return room.docs.Now().Add(max(after, deliver.BackOff(w.Fails)))
		}
	}
	w.Sent, w.Fails = nil, 0
	return time.Time{}
}

// start returns what the app of a chat's platform opens for the front door of the pages, or "" if there is no app.
func (room *Room) start(place string) string {
	if platform, _, _ := strings.Cut(place, ":"); !room.deliver.Apps[platform] {
		return ""
	}
	return cmp.Or(chat.StartIn(place), view.FrontDoor)
}

// without removes the person who added the bot.
func (w *Welcome) without(s doc.Sweep, _ string) bool {
	by := w.By == s.Player
	if by {
		w.By, w.ByLang = "", ""
	}
	return by
}

func (w Welcome) about(x *doc.Export, home string) {
	if w.By == x.Player {
		x.Add("added_bot_to", home)
	}
}
