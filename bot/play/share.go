package play

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A table can be shown in a chat of another home, on whatever platform. Its host
// gets a code, and somebody writes that in the other chat: the table then names
// both chats, and all else follows from it. The index of the other home, and
// its boards, lie in another partition: they are brought up to date by whoever
// holds the table's job, as often as it takes.

// Share is a code that was not used yet.
type Share struct {
	Table string `json:"table"`
}

// CodeLife is how long a code is good for.
const CodeLife = 15 * time.Minute

// codeLetters cannot be taken for one another.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// CodeLength is how many letters a code has.
const CodeLength = 8

// errNoCode refuses a code that was used, is too old, or never was one.
var errNoCode = chat.NewRefusal("no_code")

// ShareKey returns the key of a code's document.
func ShareKey(code string) store.Key {
	return store.Key{Partition: store.Partition(code), Name: "share:" + code}
}

func newCode() string {
	random := make([]byte, CodeLength)
	rand.Read(random)
	for i, b := range random {
		random[i] = codeLetters[int(b)%len(codeLetters)]
	}
	return string(random)
}

// ShareTable gives the host of this chat's table a code, or shows the table of a
// code here.
func (room *Room) ShareTable(ctx context.Context, in chat.Input) chat.Reply {
	if in.Chat.Private {
		return chat.Reply{Toast: in.Text("reply.share_private"), Outcome: chat.Refused}
	}
	if code := strings.ToUpper(strings.TrimSpace(in.Args["code"])); code != "" {
		return room.shareHere(ctx, in, code)
	}
	id, err := room.tables.OpenTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if id == "" {
		return chat.Reply{Toast: in.Text("reply.no_table")}
	}
	t, err := room.tables.Load(ctx, id)
	switch {
	case err != nil:
	case t.Host != in.Player.ID:
		err = table.ErrNotHost
	case len(t.Chats) >= table.MostChats:
		err = table.ErrShared
	}
	if err != nil {
		return in.Refuse(err)
	}
	code, now := newCode(), room.docs.Now()
	key := ShareKey(code)
	err = room.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: now,
		Writes: []store.Write{{Name: key.Name, Data: doc.Encode(Share{Table: id}), Expires: now.Add(CodeLife)}},
	})
	if err != nil {
		return in.Refuse(err)
	}
	screen := view.Share(code, in.Catalogue(), room.spellings("share", in.Player.Lang)...)
	return chat.Reply{Screen: &screen}
}

// spellings are the ways in which a command is typed on the platforms.
func (room *Room) spellings(name, language string) []string {
	var all []string
	for _, platform := range slices.Sorted(maps.Keys(room.deliver.Platforms)) {
		for _, c := range chat.Commands {
			if s := room.deliver.Platforms[platform].Spelling(c, language); c.Name == name && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// shareHere shows the table of a code in this chat.
func (room *Room) shareHere(ctx context.Context, in chat.Input, code string) chat.Reply {
	if why := chat.Unfit(in); why != "" {
		return chat.Reply{Toast: why, Outcome: chat.Refused}
	}
	key := ShareKey(code)
	docs, err := room.docs.Store.Get(ctx, doc.HomeKey(in.Chat.Home), key)
	if err != nil {
		return in.Refuse(err)
	}
	var home doc.Home
	var share Share
	if err := errors.Join(doc.Decode(docs[0], &home), doc.Decode(docs[1], &share)); err != nil {
		return in.Refuse(err)
	}
	switch open := home.Open[in.Chat.ID]; {
	case docs[1].Version == 0:
		return in.Refuse(errNoCode)
	case open == share.Table:
		return in.Refuse(table.ErrShared)
	case open != "":
		return room.tableStands(ctx, in, open)
	}
	if err := home.Opens(ctx, in); err != nil {
		return in.Refuse(err)
	}
	if room.tables.Limits.HomeTables > 0 && len(home.Open) >= room.tables.Limits.HomeTables {
		return in.Refuse(chat.NewLimit("home_full", room.tables.Limits.HomeTables))
	}
	t, err := room.tables.Load(ctx, share.Table)
	if err == nil && t.Home == in.Chat.Home {
		return chat.Reply{Toast: in.Text("reply.share_elsewhere"), Outcome: chat.Refused}
	}
	if err == nil && doc.Ended(t.Phase) {
		err = doc.ErrNoTable
	}
	if err != nil {
		return in.Refuse(err)
	}
	// The code is used up first: it shows the table once, or not at all.
	err = room.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: room.docs.Now(), Writes: []store.Write{{Name: key.Name, Expect: docs[1].Version}},
	})
	if errors.Is(err, store.ErrConflict) {
		err = errNoCode
	}
	if err != nil {
		return in.Refuse(err)
	}
	here := home.Dress(in.TableChat())
	here.Home = in.Chat.Home
	_, err = room.tables.Update(ctx, share.Table, func(t table.Table) (table.Table, []table.Event, error) {
		return table.Apply(t, table.Player{}, table.Share{Chat: here}, room.tables.Env())
	})
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("reply.shared"), Echo: true}
}

// indexGuests brings the indexes of other homes up to date whose chats show the
// table; shown remembers which are done. A chat that has another table by then
// does not show this one any more.
func (room *Room) indexGuests(ctx context.Context, t table.Table, shown *deliver.Shown) error {
	want := map[string]string{}
	for _, c := range t.Chats {
		if c.Home != "" && !doc.Ended(t.Phase) {
			want[c.ID] = c.Home
		}
	}
	for chat, home := range want {
		if shown.Guests[chat] != "" {
			continue
		}
		taken := ""
		var host doc.Home
		err := doc.Set(ctx, room.docs, "", doc.HomeKey(home), &host, func() error {
			if taken = host.Open[chat]; taken != "" {
				return doc.ErrSame
			}
			host.Open = maps.Clone(host.Open)
			if host.Open == nil {
				host.Open = map[string]string{}
			}
			host.Open[chat] = t.ID
			return nil
		})
		if err == nil && taken != "" && taken != t.ID {
			err = room.tables.Bring(ctx, t.ID, func(table.Table) (table.Player, table.Command, bool) {
				return table.Player{}, table.Unshare{Chat: chat}, true
			})
			delete(want, chat)
		}
		if err != nil {
			return err
		}
		if want[chat] == "" {
			continue
		}
		if shown.Guests == nil {
			shown.Guests = map[string]string{}
		}
		shown.Guests[chat] = home
	}
	for chat, home := range shown.Guests {
		if want[chat] != "" {
			continue
		}
		var host doc.Home
		err := doc.Set(ctx, room.docs, "", doc.HomeKey(home), &host, func() error {
			if host.Open[chat] != t.ID {
				return doc.ErrSame
			}
			delete(host.Open, chat)
			return nil
		})
		if err != nil {
			return err
		}
		delete(shown.Guests, chat)
	}
	return nil
}
