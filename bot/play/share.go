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
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A table can also be shown in a chat of another home, on any platform. The host
// gets a code, and someone enters it in the other chat. The table then names both
// chats, and messages go to both. The other home's index and boards are in another
// partition. The table's job updates them, and retries until that succeeds.

// Share is the document of a sharing code that has not been used yet.
type Share struct {
	Table string `json:"table"`
}

// Expiry implements [doc.Expiring].
func (Share) Expiry(now time.Time) (time.Time, bool) { return now.Add(CodeLife), true }

// CodeLife is how long a sharing code is valid.
const CodeLife = 15 * time.Minute

// codeLetters are the characters of a code. It omits 0, 1, I and O, which look alike.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// CodeLength is the number of characters in a code.
const CodeLength = 8

// errNoCode reports that a code was used already, has expired, or never existed.
var errNoCode = chat.NewRefusal("no_code")

// ShareKey returns the store key of a code's document.
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

// ShareTable shows another chat's table in this chat if the command has a code.
// Without a code, it gives the host of this chat's table a new one.
func (room *Room) ShareTable(ctx context.Context, in chat.Input) chat.Reply {
	if in.Chat.Private {
		return chat.Reply{Toast: in.Text("reply.share_private"), Outcome: chat.Refused}
	}
	if code := strings.ToUpper(strings.TrimSpace(in.Args["code"])); code != "" {
		if err := room.docs.Ask(ctx, in); err != nil {
			return in.Refuse(err)
		}
		return room.shareHere(ctx, in, code, false)
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
	case len(t.Chats) >= table.MaxChats:
		err = table.ErrShared
	}
	if err != nil {
		return in.Refuse(err)
	}
	code, now := newCode(), room.docs.Now()
	key := ShareKey(code)
	err = room.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: now,
		Writes: []store.Write{doc.WriteOf(store.Doc{Key: key}, Share{Table: id}, now)},
	})
	if err != nil {
		return in.Refuse(err)
	}
	shown := shareCode(code, room.deliver.Posts(in.Player.ID), in.Catalogue(), spellings(room.deliver.Platforms, "share", in.Player.Lang)...)
	return chat.Reply{Screen: &shown}
}

// spellings returns the different ways to type a command about a table on the platforms.
func spellings(platforms map[string]chat.Platform, name, language string) []string {
	var all []string
	for _, platform := range slices.Sorted(maps.Keys(platforms)) {
		if s := platforms[platform].Spelling(chat.Command{Name: name, Group: "table"}, language); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// SharePressed shows the table of a code, as the person has confirmed.
func (room *Room) SharePressed(ctx context.Context, in chat.Input, code string) chat.Reply {
	there, err := room.docs.Where(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	reply := room.shareHere(ctx, there, code, true)
	if reply.Outcome == chat.Done && reply.Screen == nil {
		said := view.Said(reply.Toast, in.Catalogue())
		reply.Screen, reply.Replace = &said, true // the button has done its work
	}
	return reply
}

// sharePress is a press that shows a table in another chat. It carries the code.
func sharePress(data string) (code string, err error) {
	_, f := screen.FieldsOf(data)
	code = f.Ticket()
	return code, f.End()
}

// shareHere shows the table that a code belongs to in this chat. If the person isn't sure, it only asks them.
func (room *Room) shareHere(ctx context.Context, in chat.Input, code string, sure bool) chat.Reply {
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
		switch freed, err := room.tables.Free(ctx, in.Chat.Home, open); {
		case err != nil:
			return in.Refuse(err)
		case !freed:
			return room.tables.TableExists(ctx, in, open)
		}
		return room.shareHere(ctx, in, code, sure)
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
	if !sure {
		question := askShare(t.Public(), code, in.Catalogue())
		return chat.Reply{Screen: &question}
	}
	// The code is deleted first, so that it can't share the table twice.
	err = room.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: room.docs.Now(), Writes: []store.Write{{Name: key.Name, Expect: docs[1].Version}},
	})
	if errors.Is(err, store.ErrConflict) {
		err = errNoCode
	}
	if err != nil {
		return in.Refuse(err)
	}
	here := home.WithSettings(in.TableChat())
	here.Home = in.Chat.Home
	_, err = room.tables.Update(ctx, share.Table, func(t table.Table) (table.Table, []table.Event, error) {
		return table.Apply(t, table.Player{}, table.Share{Chat: here}, room.tables.Env())
	})
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("reply.shared"), Echo: true}
}

// indexGuests updates the indexes of the other homes whose chats show the table. It
// records finished updates in shown. If a chat has opened another table meanwhile,
// this table is no longer shown there.
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
