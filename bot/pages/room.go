// Package pages lets web pages show tables. It loads what a visitor of a page may know about
// a table, reports changes, checks personal links, and records which players have a page open.
// Package web is the server of the pages; it knows this package only as [chat.Pages].
//
// A personal link is for one person and one table. It is signed with a secret of the
// store, so it needs no document. It can be used once, in the deal whose hand it came
// with or in the next one. Using a newer link ends the page that an older one opened.
//
// A browser keeps the content of a session in a signed cookie. The store keeps only which
// sessions go on, so that they can be ended.
package pages

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/tables"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Room implements [chat.Pages]. It is safe for concurrent use.
type Room struct {
	*Links
	allows func(t table.Public, press string) bool
	atDoor func(press string) bool
	apps   bool // platforms open the pages in their own apps

	docs   *doc.Docs
	tables *tables.Tables
}

// Links makes personal links to the pages of tables. It is safe for concurrent use.
type Links struct {
	docs      *doc.Docs
	addresses map[string]string // by platform: the address of the pages; a platform without one has no links

	secret atomic.Pointer[[]byte] // nil until it is loaded
}

// NewLinks returns Links. addresses has the address of the pages by platform; a platform without one has no links.
func NewLinks(docs *doc.Docs, addresses map[string]string) *Links {
	return &Links{docs: docs, addresses: addresses}
}

var _ chat.Pages = (*Room)(nil)

// New returns a Room. apps: platforms open the pages in their own apps, so people of a chat find them there. allows reports whether the page of a table may make a press,
// and atDoor whether the front door may.
func New(docs *doc.Docs, ts *tables.Tables, links *Links, apps bool, allows func(t table.Public, press string) bool, atDoor func(press string) bool) *Room {
	return &Room{Links: links, allows: allows, atDoor: atDoor, apps: apps, docs: docs, tables: ts}
}

// Secret is the document with the key that signs links and sessions.
type Secret struct {
	Key []byte `json:"key"`
}

// kinds returns the kinds of documents of pages. The secret is in a backup, so links and
// sessions outlive a restore.
func (room *Room) kinds() []doc.Kind {
	return []doc.Kind{
		{Name: "secret", Owner: doc.OfOne, New: func() any { return new(Secret) }},
		{
			Name: "sessions", Owner: doc.OfOne, Own: true, New: func() any { return new(Sessions) }, About: doc.About(Sessions.about),
		},
		{
			Name: "company", Owner: doc.OfTable, Scan: true, New: func() any { return new(Company) },
			Without: doc.Without((*Company).without), About: doc.About(Company.about),
		},
		{Name: "spent", Owner: doc.OfOne, New: func() any { return new(UsedProof) }},
	}
}

// UsedProof is the document of a proof that was used to log in, until it expires.
type UsedProof struct{}

// Expiry implements [doc.Expiring]: no proof is valid for longer than a day.
func (UsedProof) Expiry(now time.Time) (time.Time, bool) { return now.Add(24 * time.Hour), true }

// errSpent reports a proof that was used before, or is too old.
var errSpent = chat.NewRefusal("page_old")

// UseProof marks a proof as used. The store holds only a hash of it.
func (room *Room) UseProof(ctx context.Context, proof string, until time.Time) error {
	now := room.docs.Now()
	if !now.Before(until) {
		return errSpent
	}
	sum := sha256.Sum256([]byte(proof))
	id := hex.EncodeToString(sum[:16])
	key := store.Key{Partition: store.Partition(id), Name: "spent:" + id}
	err := room.docs.Store.Commit(ctx, store.Change{Partition: key.Partition, Now: now, Writes: []store.Write{doc.WriteOf(store.Doc{Key: key}, UsedProof{}, now)}})
	if errors.Is(err, store.ErrConflict) {
		return errSpent
	}
	return err
}

// OpenIn returns the id of the table that is open in a chat, or "".
func (room *Room) OpenIn(ctx context.Context, where chat.Chat) (string, error) {
	return room.tables.OpenTable(ctx, where)
}

// secretKey is the key of the only document of its kind.
var secretKey = store.Key{Partition: store.Partition("pages"), Name: "secret:pages"}

// Secret returns the key that signs links and sessions. The first call makes it.
func (l *Links) Secret(ctx context.Context) ([]byte, error) {
	if known := l.secret.Load(); known != nil {
		return *known, nil
	}
	var s Secret
	err := l.docs.Update(ctx, "", []store.Key{secretKey}, func(docs []store.Doc, c *store.Change) error {
		s = Secret{}
		if err := doc.Decode(docs[0], &s); err != nil || len(s.Key) > 0 {
			return err
		}
		s.Key = make([]byte, 32)
		rand.Read(s.Key)
		c.Writes = []store.Write{{Name: secretKey.Name, Expect: docs[0].Version, Data: doc.Encode(s)}}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.secret.Store(&s.Key)
	return s.Key, nil
}

// Table returns the current state of a table.
func (room *Room) Table(ctx context.Context, id string) (chat.PageTable, error) {
	secret, err := room.Secret(ctx)
	if err != nil {
		return chat.PageTable{}, err
	}
	t, notes, company, err := room.load(ctx, id)
	if err != nil {
		return chat.PageTable{}, err
	}
	out := chat.PageTable{Version: store.Writes(t.Version), Links: map[string]int{}}
	out.Public, out.Private = t.Readers()
	out.Allows = func(press string) bool { return room.allows(out.Public, press) }
	for player, page := range notes.Pages {
		out.Links[player] = page.Link
	}
	out.People = company.people(secret, t, room.docs.Now())
	return out, nil
}

// load loads a table with its notes, and what its pages show of its people.
func (room *Room) load(ctx context.Context, id string) (t doc.Table, notes doc.Notes, company Company, err error) {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return t, notes, company, doc.ErrNoTable
	}
	here, _ := doc.CompanyKey(id)
	docs, err := room.docs.Store.Get(ctx, keys[0], keys[2], here)
	if err != nil {
		return t, notes, company, err
	}
	if docs[0].Version == 0 {
		return t, notes, company, doc.ErrNoTable
	}
	if t, err = room.tables.ReadTable(docs[0]); err != nil {
		return t, notes, company, err
	}
	return t, notes, company, errors.Join(doc.Decode(docs[1], &notes), doc.Decode(docs[2], &company))
}

// Tables returns the ids of the open tables at which a person sits, the latest last.
func (room *Room) Tables(ctx context.Context, player string) ([]string, error) {
	return room.tables.TablesOf(ctx, player)
}

// Link returns the address of a player's personal link to a table, or "" if their platform
// has no pages. The token is in the fragment, which browsers don't send to the server.
func (l *Links) Link(ctx context.Context, own table.Private, notes doc.Notes) (string, error) {
	player := own.Seats[own.Seat].Player.ID
	platform, _, _ := strings.Cut(player, ":")
	address := l.addresses[platform]
	if address == "" {
		return "", nil
	}
	secret, err := l.Secret(ctx)
	if err != nil {
		return "", err
	}
	return address + "#t=" + link(secret, own.ID, player, own.DealNo, notes.Pages[player].Link+1), nil
}

// LinkNow does the same as Link, and loads the table's notes itself.
func (l *Links) LinkNow(ctx context.Context, own table.Private) (string, error) {
	platform, _, _ := strings.Cut(own.Seats[own.Seat].Player.ID, ":")
	keys, ok := doc.TableKeys(own.ID)
	if !ok || l.addresses[platform] == "" {
		return "", nil
	}
	docs, err := l.docs.Store.Get(ctx, keys[2])
	if err != nil {
		return "", err
	}
	var notes doc.Notes
	if err := doc.Decode(docs[0], &notes); err != nil {
		return "", err
	}
	return l.Link(ctx, own, notes)
}

// link returns a signed link: the table, the deal, the link's number, and the signature.
func link(secret []byte, id, player string, deal, no int) string {
	what := fmt.Sprintf("%s.%d.%d", id, deal, no)
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "link %s %s", what, player)
	return what + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:16])
}

// errLink reports that a link was used before, is too old, or isn't signed.
var errLink = chat.NewRefusal("page_link")

// UseLink returns the visitor that a link is for, and marks the link as used.
func (room *Room) UseLink(ctx context.Context, token string) (chat.Visitor, error) {
	secret, err := room.Secret(ctx)
	if err != nil {
		return chat.Visitor{}, err
	}
	part := strings.Split(token, ".")
	if len(part) != 4 {
		return chat.Visitor{}, errLink
	}
	id := part[0]
	deal, err1 := strconv.Atoi(part[1])
	no, err2 := strconv.Atoi(part[2])
	if err1 != nil || err2 != nil {
		return chat.Visitor{}, errLink
	}
	t, _, _, err := room.load(ctx, id)
	if errors.Is(err, doc.ErrNoTable) {
		return chat.Visitor{}, errLink
	} else if err != nil {
		return chat.Visitor{}, err
	}
	var who table.Player
	for _, s := range t.Seats {
		if s.Player.ID != "" && hmac.Equal([]byte(token), []byte(link(secret, id, s.Player.ID, deal, no))) {
			who = s.Player
		}
	}
	if who.ID == "" || t.DealNo < deal || t.DealNo > deal+1 || doc.Ended(t.Phase) {
		return chat.Visitor{}, errLink
	}
	err = room.note(ctx, id, func(n *doc.Notes) (due bool, err error) {
		page := n.Pages[who.ID]
		if page.Link+1 != no {
			return false, errLink
		}
		n.Saw(who.ID, no, room.docs.Now())
		return true, nil
	})
	return chat.Visitor{
		Player: chat.Player{ID: who.ID, Name: who.Name, Lang: who.Lang, App: who.Locale}, Table: id, Link: no,
	}, err
}

// note changes the notes of a table. If change returns true, it also makes the table due.
func (room *Room) note(ctx context.Context, id string, change func(n *doc.Notes) (due bool, err error)) error {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	return room.docs.Update(ctx, "", keys[2:3], func(docs []store.Doc, c *store.Change) error {
		var notes doc.Notes
		if err := doc.Decode(docs[0], &notes); err != nil {
			return err
		}
		due, err := change(&notes)
		if err != nil {
			return err
		}
		c.Writes = []store.Write{doc.WriteOf(docs[0], notes, c.Now)}
		if due {
			c.Due = []store.Mark{{ID: doc.TableName(id), At: c.Now}}
		}
		return nil
	})
}

// Seen records that these players have the page of a table open. The table is shown again
// if one of them has just opened it. A program without pages drops the number of a link
// when it writes the notes. Seen restores it.
func (room *Room) Seen(ctx context.Context, id string, players []chat.Visitor) error {
	if err := room.showPhotos(ctx, id, players); err != nil {
		return err
	}
	return room.note(ctx, id, func(n *doc.Notes) (due bool, err error) {
		now := room.docs.Now()
		for _, v := range players {
			due = due || !n.Pages[v.Player.ID].Open(now)
			n.Saw(v.Player.ID, v.Link, now)
		}
		return due, nil
	})
}
