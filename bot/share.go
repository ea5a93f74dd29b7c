package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A table can be shown in a chat of another home, on whatever platform. Its host
// gets a code, and somebody writes that in the other chat: the table then names
// both chats, and all else follows from it. The index of the other home, and
// its boards, lie in another partition: they are brought up to date by whoever
// holds the table's job, as often as it takes.

// shareDoc is a code that was not used yet.
type shareDoc struct {
	Table string `json:"table"`
}

// codeLife is how long a code is good for.
const codeLife = 15 * time.Minute

// codeLetters cannot be taken for one another.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// codeLength is how many letters a code has.
const codeLength = 8

// errNoCode refuses a code that was used, is too old, or never was one.
var errNoCode = NewRefusal("no_code")

func shareKey(code string) store.Key {
	return store.Key{Partition: store.Partition(code), Name: "share:" + code}
}

func newCode() string {
	random := make([]byte, codeLength)
	rand.Read(random)
	for i, b := range random {
		random[i] = codeLetters[int(b)%len(codeLetters)]
	}
	return string(random)
}

// share gives the host of this chat's table a code, or shows the table of a
// code here.
func (b *Bot) share(ctx context.Context, in Input) Reply {
	if in.Chat.Private {
		return Reply{Toast: in.Text("reply.share_private"), Outcome: Refused}
	}
	if code := strings.ToUpper(strings.TrimSpace(in.Args["code"])); code != "" {
		return b.shareHere(ctx, in, code)
	}
	id, err := b.openTable(ctx, in.Chat)
	if err != nil {
		return in.Refuse(err)
	}
	if id == "" {
		return Reply{Toast: in.Text("reply.no_table")}
	}
	t, err := b.table(ctx, id)
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
	code, now := newCode(), b.docs.Now()
	key := shareKey(code)
	err = b.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: now,
		Writes: []store.Write{{Name: key.Name, Data: encode(shareDoc{Table: id}), Expires: now.Add(codeLife)}},
	})
	if err != nil {
		return in.Refuse(err)
	}
	screen := view.Share(code, in.Catalogue(), b.spellings("share", in.Player.Lang)...)
	return Reply{Screen: &screen}
}

// spellings are the ways in which a command is typed on the platforms.
func (b *Bot) spellings(name, language string) []string {
	var all []string
	for _, platform := range slices.Sorted(maps.Keys(b.platforms)) {
		for _, c := range Commands {
			if s := b.platforms[platform].Spelling(c, language); c.Name == name && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// shareHere shows the table of a code in this chat.
func (b *Bot) shareHere(ctx context.Context, in Input, code string) Reply {
	if why := unfit(in); why != "" {
		return Reply{Toast: why, Outcome: Refused}
	}
	key := shareKey(code)
	docs, err := b.docs.Store.Get(ctx, homeKey(in.Chat.Home), key)
	if err != nil {
		return in.Refuse(err)
	}
	var home homeDoc
	var share shareDoc
	if err := errors.Join(decode(docs[0], &home), decode(docs[1], &share)); err != nil {
		return in.Refuse(err)
	}
	switch open := home.Open[in.Chat.ID]; {
	case docs[1].Version == 0:
		return in.Refuse(errNoCode)
	case open == share.Table:
		return in.Refuse(table.ErrShared)
	case open != "":
		return b.tableStands(ctx, in, open)
	}
	if err := home.opens(ctx, in); err != nil {
		return in.Refuse(err)
	}
	if b.limits.HomeTables > 0 && len(home.Open) >= b.limits.HomeTables {
		return in.Refuse(NewLimit("home_full", b.limits.HomeTables))
	}
	t, err := b.table(ctx, share.Table)
	if err == nil && t.Home == in.Chat.Home {
		return Reply{Toast: in.Text("reply.share_elsewhere"), Outcome: Refused}
	}
	if err == nil && done(t.Phase) {
		err = errNoTable
	}
	if err != nil {
		return in.Refuse(err)
	}
	// The code is used up first: it shows the table once, or not at all.
	err = b.docs.Store.Commit(ctx, store.Change{
		Partition: key.Partition, Now: b.docs.Now(), Writes: []store.Write{{Name: key.Name, Expect: docs[1].Version}},
	})
	if errors.Is(err, store.ErrConflict) {
		err = errNoCode
	}
	if err != nil {
		return in.Refuse(err)
	}
	chat := home.dress(table.Chat{ID: in.Chat.ID, Lang: in.Chat.Lang})
	chat.Home = in.Chat.Home
	_, err = b.update(ctx, share.Table, func(t table.Table) (table.Table, []table.Event, error) {
		return table.Apply(t, table.Player{}, table.Share{Chat: chat}, b.env())
	})
	if err != nil {
		return in.Refuse(err)
	}
	return Reply{Toast: in.Text("reply.shared"), Echo: true}
}

// indexGuests brings the indexes of other homes up to date whose chats show the
// table; shown remembers which are done. A chat that has another table by then
// does not show this one any more.
func (b *Bot) indexGuests(ctx context.Context, t table.Table, shown *shownDoc) error {
	want := map[string]string{}
	for _, c := range t.Chats {
		if c.Home != "" && !done(t.Phase) {
			want[c.ID] = c.Home
		}
	}
	for chat, home := range want {
		if shown.Guests[chat] != "" {
			continue
		}
		taken := ""
		var doc homeDoc
		err := set(ctx, b.docs, "", homeKey(home), &doc, func() error {
			if taken = doc.Open[chat]; taken != "" {
				return errSame
			}
			doc.Open = maps.Clone(doc.Open)
			if doc.Open == nil {
				doc.Open = map[string]string{}
			}
			doc.Open[chat] = t.ID
			return nil
		})
		if err == nil && taken != "" && taken != t.ID {
			err = b.bring(ctx, t.ID, func(table.Table) (table.Player, table.Command, bool) {
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
		var doc homeDoc
		err := set(ctx, b.docs, "", homeKey(home), &doc, func() error {
			if doc.Open[chat] != t.ID {
				return errSame
			}
			delete(doc.Open, chat)
			return nil
		})
		if err != nil {
			return err
		}
		delete(shown.Guests, chat)
	}
	return nil
}

// list puts a finished match among the home's latest.
func (h *homeDoc) list(match string) {
	h.Matches = append(h.Matches, match)
	h.Matches = h.Matches[max(0, len(h.Matches)-listed):]
}
