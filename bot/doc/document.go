package doc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Schema is the number of the schema that this program writes. Schema 1 stored all
// options of the rules, and the cards of a trick one by one. Schema 2 stores the rules of
// a preset as its name, and a trick as one text. A program that reads 2 also reads 1.
const Schema = 2

// newest is the highest schema that this program reads. Schema 3 is that of tables of
// strangers and of their matches only. Programs that don't know it would show strangers
// to each other, so they must leave these documents alone.
const newest = 3

// schemaOf returns the schema in which a value is stored.
func schemaOf(v any) int {
	masked := false
	switch v := v.(type) {
	case table.Table:
		masked = v.Policy.Masked
	case *table.Table:
		masked = v.Policy.Masked
	case Match:
		masked = v.Masked
	}
	if masked {
		return newest
	}
	return Schema
}

// Newer reports whether a document of that schema was written by a newer program.
func Newer(schema int) bool { return schema > newest }

// Home is the document of a home: a community of chats that share settings and boards.
type Home struct {
	Open       map[string]string `json:"open,omitempty"`    // ids of the open tables by chat
	Default    *Default          `json:"default,omitzero"`  // initial settings of new tables
	Matches    []string          `json:"matches,omitempty"` // ids of the latest matches, the newest last
	Season     int               `json:"season,omitempty"`  // length of a season in months; 0: the default of package league
	Played     int               `json:"played,omitempty"`  // number of results in its ledger
	Periods    []string          `json:"periods,omitempty"` // keys of the periods that have boards
	Lengths    []string          `json:"lengths,omitempty"` // keys of the first season of each length, also of one that is yet to begin; empty: none is known
	Rated      int               `json:"rated,omitempty"`   // number of the rule by which its members were last rated; 0 or less: the one before rules had numbers
	Rater      int               `json:"rater,omitempty"`   // mark of a version that rates by this rule, and waits: one of an earlier version drops it
	Tournament string            `json:"cup,omitempty"`     // id of the latest tournament
	Times      table.DealTimes   `json:"times,omitempty"`   // how long deals took in the matches of its ledger
	Length     string            `json:"length,omitempty"`  // of the latest match: see game.Length

	// Settings by the administrators; the zero value is the default.
	table.ChatSettings
	Locale    string            `json:"locale,omitempty"`    // the platform's value of Lang at the time of the last change
	Zone      string            `json:"zone,omitempty"`      // time zone, an IANA name; "": UTC
	Strangers bool              `json:"strangers,omitempty"` // the command play may seat the chat's people with those of other chats
	Openers   string            `json:"openers,omitempty"`   // "admins": only they may open tables
	Tell      map[string]string `json:"tell,omitempty"`      // people to notify when a table opens: names by id
	Marks     bool              `json:"marks,omitempty"`     // the season's ranks are shown beside the names of members
	Keep      int               `json:"keep,omitempty"`      // how many days to keep records of matches; 0: KeepRecord
	Puzzles   bool              `json:"puzzles,omitempty"`   // set by an earlier version, which makes puzzles from its finished matches
	Settings  map[string]string `json:"settings,omitempty"`  // choices of settings without a field here, by name: see Stored
}

// WithSettings returns a chat as a table stores it, with the settings of its home. If the
// home sets no language, the chat keeps the platform's.
func (h Home) WithSettings(c table.Chat) table.Chat {
	platform := c.Lang
	c.ChatSettings = h.ChatSettings
	c.Lang = cmp.Or(h.Lang, platform)
	return c
}

// Keeps returns how long the home keeps records.
func (h Home) Keeps() time.Duration {
	return cmp.Or(time.Duration(h.Keep)*24*time.Hour, KeepRecord)
}

// Refresh gives a chat that a table stores the home's current settings.
func (h Home) Refresh(c table.Chat) table.Chat {
	c.Lang = cmp.Or(h.Locale, c.Lang)
	return h.WithSettings(c)
}

// MaxListeners is the maximum number of people that a home notifies of a new table.
const MaxListeners = 20

// Notes holds what presses report about a table's messages and how to reach its
// players. It is a separate document, so that a press never waits for the worker that
// is showing the table.
type Notes struct {
	Hands   map[string]Hands     `json:"answers,omitempty"` // by player
	Reached map[string]time.Time `json:"reached,omitempty"` // by player: when they last wrote to the bot in private
	Doubts  int                  `json:"doubts,omitempty"`  // grows when messages may differ from what is recorded: all are shown again
	Redrawn time.Time            `json:"redrawn,omitzero"`  // when the messages were last found to be out of date
	Undone  time.Time            `json:"undone,omitzero"`   // when moves were last found to be undone
	Pages   map[string]Page      `json:"pages,omitempty"`   // by player: their web page of the table
	Replies map[string]Answer    `json:"replies,omitempty"` // by player: the reply to their command that opened the table
}

// Page is a player's web page of a table.
type Page struct {
	Link int       `json:"link,omitempty"` // number of the latest personal link that they used; 0: none yet
	Seen time.Time `json:"seen,omitzero"`  // when the page was last seen open
}

// Saw records that a player's page is open now. link is the number of the link that opened it.
func (n *Notes) Saw(player string, link int, now time.Time) {
	if n.Pages == nil {
		n.Pages = map[string]Page{}
	}
	n.Pages[player] = Page{Link: max(n.Pages[player].Link, link), Seen: now}
}

// Open reports whether the page is open.
func (p Page) Open(now time.Time) bool {
	return now.Before(p.Seen.Add(chat.SeenFor)) && store.Believed(p.Seen, now, 0)
}

// Forget removes a person from the notes, and reports whether they were there.
func (n *Notes) Forget(player string) bool {
	all := func() int { return len(n.Hands) + len(n.Reached) + len(n.Pages) + len(n.Replies) }
	before := all()
	delete(n.Hands, player)
	delete(n.Reached, player)
	delete(n.Pages, player)
	delete(n.Replies, player)
	return all() < before
}

// Answer is a message that only one player sees.
type Answer struct {
	Address chat.Address `json:"address"`
	Until   time.Time    `json:"until"`            // when it can't be edited any more
	Origin  string       `json:"origin,omitempty"` // the input's Origin
	Aside   string       `json:"aside,omitempty"`  // the chat where it is; "": the player's private chat, or not known
}

// Hands are the messages in which a player opened their hand, the newest last. The others are to be deleted. They are never
// empty.
type Hands []Answer

// Newest returns the newest hand.
func (h Hands) Newest() Answer { return h[len(h)-1] }

// storedHands is how Hands are stored.
type storedHands struct {
	Answer
	Older []Answer `json:"older,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (h Hands) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedHands{h.Newest(), h[:len(h)-1]})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (h *Hands) UnmarshalJSON(data []byte) error {
	var stored storedHands
	err := json.Unmarshal(data, &stored)
	*h = append(stored.Older, stored.Answer)
	return err
}

// Player is the document of a person.
type Player struct {
	Tables []string `json:"tables,omitempty"` // ids of the tables they sit at, the latest last
	Last   string   `json:"last,omitempty"`   // id of the latest match that they finished and may show elsewhere

	// Player settings; the zero value is the default. Locale is from the time of the last change.
	table.PlayerSettings
	Asked   string `json:"asked,omitempty"`    // the home where they last asked for something whose buttons may be in their private chat, such as the settings
	AskedIn string `json:"asked_in,omitempty"` // the chat of that home

	Zone     string `json:"zone,omitempty"`      // time zone of their private chat, an IANA name; "": LastZone
	LastZone string `json:"last_zone,omitempty"` // time zone of the chat where they last took a seat; "": UTC

	PrivateChat chat.Address `json:"door,omitempty"` // address of the private chat, as Platform.PrivateChat returned it

	// An earlier version divides the private chat into topics. Threads has their ids.
	Topics  bool              `json:"topics,omitempty"`
	Threads map[string]string `json:"threads,omitempty"`

	// Seen says whether people of other chats see the person's name: SeenYes, SeenNo, or ""
	// if the person hasn't said. An earlier version drops it when it writes the document.
	Seen string `json:"seen,omitempty"`

	Erasing bool `json:"erasing,omitempty"` // package upkeep is deleting the person's data
}

// The values of Player.Seen.
const (
	SeenYes = "yes"
	SeenNo  = "no"
)

// Named reports whether people of other chats see the person's name. They do only after
// the person has agreed. Otherwise they see "Player from another chat".
func (d Player) Named() bool { return d.Seen == SeenYes }

// WithSettings returns a player as a table stores them, with their settings. If they set no
// language, they keep the platform's.
func (d Player) WithSettings(p table.Player) table.Player {
	platform := p.PlayerSettings
	p.PlayerSettings = d.PlayerSettings
	p.Lang, p.Locale = cmp.Or(d.Lang, platform.Lang), platform.Locale
	if p.Seen = ""; d.Named() {
		p.Seen = p.Name
	}
	return p
}

// Refresh gives a player whom a table stores their current settings.
func (d Player) Refresh(p table.Player) table.Player {
	p.Lang = cmp.Or(d.Locale, p.Lang)
	return d.WithSettings(p)
}

// Envelope is the stored form of a document: the schema number and the data.
type Envelope struct {
	V int             `json:"v"`
	D json.RawMessage `json:"d"`
}

// Decode decodes a document into v. If the document doesn't exist, v stays unchanged.
func Decode(doc store.Doc, v any) error {
	if doc.Version == 0 {
		return nil
	}
	e, err := open(doc.Data)
	if err != nil {
		return unreadable(doc, err)
	}
	if Newer(e.V) {
		return ErrNewer
	}
	if err := json.Unmarshal(e.D, v); err != nil {
		return unreadable(doc, err)
	}
	if d, ok := v.(ruled); ok && !d.Ruled() {
		return unreadable(doc, errors.New("without rules"))
	}
	if d, ok := v.(checked); ok {
		if err := d.Check(); err != nil {
			return unreadable(doc, err)
		}
	}
	return nil
}

// open reads an envelope. In the form of Encode, it has nothing after the data, which Decode parses anyway.
func open(data []byte) (e Envelope, err error) {
	rest, first := bytes.CutPrefix(data, []byte(`{"v":`))
	v, d, second := bytes.Cut(rest, []byte(`,"d":`))
	d, last := bytes.CutSuffix(d, []byte("}"))
	if e.V, err = strconv.Atoi(string(v)); err == nil && first && second && last {
		e.D = d
		return e, nil
	}
	err = json.Unmarshal(data, &e)
	return e, err
}

// unreadable returns the error of a document that can't be read.
func unreadable(doc store.Doc, err error) error {
	kind := KindOf(doc.Key.Name)
	return &chat.Damage{Kind: kind, Err: fmt.Errorf("%w: %s: %w", ErrUnreadable, kind, err)}
}

// checked is a document, such as a table, that can be decoded and still make no sense.
type checked interface{ Check() error }

// ruled is a document that is unreadable without the rules of its game.
type ruled interface{ Ruled() bool }

// Ruled reports whether the table has the rules of its game.
func (l *Table) Ruled() bool {
	begun := !reflect.ValueOf(l.Match).IsZero() // false before the first deal
	return l.Rules.Players != 0 && (!begun || l.Match.Rules.Players != 0)
}

// Ruled reports whether the match has the rules of its game.
func (d *Match) Ruled() bool { return d.Rules.Players != 0 }

// Encode returns the stored form of a document. It panics if v can't be encoded,
// which can't happen: documents hold only numbers, strings, slices and maps.
func Encode(v any) []byte {
	var b bytes.Buffer
	encodeOpen(&b, v)
	b.WriteByte('}')
	return b.Bytes()
}

// encodeOpen writes what Encode returns, without the last brace.
func encodeOpen(b *bytes.Buffer, v any) {
	b.WriteString(`{"v":` + strconv.Itoa(schemaOf(v)) + `,"d":`)
	encode(b, v)
}

// encode writes v as JSON.
func encode(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	b.Truncate(b.Len() - 1) // Encode ends with a line break
}

// Table is a table with the version of the document it was read from.
type Table struct {
	table.Table
	Version int64
}

// Expiry implements [Expiring]: a table expires after it was closed.
func (l Table) Expiry(time.Time) (time.Time, bool) {
	if l.Phase != table.Closed {
		return time.Time{}, true
	}
	return l.Since.Add(KeepClosed), true
}

// DecodeTable returns the table that a document holds.
func DecodeTable(doc store.Doc) (Table, error) {
	l := Table{Version: doc.Version}
	err := Decode(doc, &l)
	l.Inherit()
	return l, err
}

// KeepPrivateChat is how long the address of a person's private chat is kept if the person's
// document holds nothing else.
const KeepPrivateChat = 90 * 24 * time.Hour

// keepLast is how long the id of a person's latest match, where they last asked for something, the time zone of their last
// chat, and the platform's language are kept if the person's document holds nothing else.
const keepLast = 7 * 24 * time.Hour

// Expiry implements [Expiring]. A document that holds only the address of a private chat, the topics there, and what
// keepLast is about expires.
func (d Player) Expiry(now time.Time) (time.Time, bool) {
	rest := d
	rest.PrivateChat, rest.Threads = "", nil
	reached := d.PrivateChat != "" || len(d.Threads) > 0
	rest.Last, rest.Asked, rest.AskedIn, rest.LastZone, rest.Locale = "", "", "", "", ""
	switch {
	case !reflect.ValueOf(rest).IsZero():
		return time.Time{}, true
	case reached:
		return now.Add(KeepPrivateChat), true
	}
	return now.Add(keepLast), d.Last != "" || d.Asked != "" || d.AskedIn != "" || d.LastZone != "" || d.Locale != ""
}

// redrawEvery is the shortest time between two redraws of a table.
const redrawEvery = 10 * time.Second

// Expiry implements [Expiring].
func (Notes) Expiry(now time.Time) (time.Time, bool) { return now.Add(KeepClosed), true }

// Redraw requests that the table's messages are edited, and reports whether it changed
// the notes. It doesn't if the last request was less than redrawEvery ago.
func (n *Notes) Redraw(now time.Time, undone bool) (changed bool) {
	now = now.Round(0)
	due := func(last time.Time) bool { return now.Sub(last).Abs() >= redrawEvery }
	if due(n.Redrawn) {
		n.Redrawn, changed = now, true
	}
	if undone && due(n.Undone) {
		n.Undone, changed = now, true
	}
	return changed
}

// A chat's id may change, for example when a Telegram group becomes a supergroup. Its
// data stays in the home of the first id, and a document of the new id (chat:<id>)
// points there. The platform reports the change by a service message, or by a failed
// delivery with the new id. Either report may come first, late, twice or never, so
// each of them does all that is left to do.

// ChatHome is the document that says which home has a chat's data. If the home's own id changed, that id has one, too.
type ChatHome struct {
	Home   string    `json:"home"`
	At     time.Time `json:"at,omitzero"`      // when the new id was first reported; zero: long ago
	Former bool      `json:"former,omitempty"` // the id is the home's own, and its chat has another one now
}

// MaxKnown is the size of the caches of tables in a process. They save decoding a
// table again for each press. Each entry is valid only for the stored bytes that it
// was made from, so the store remains the source of truth. A table takes about 40 kB,
// with its document and its posts.
const MaxKnown = 512
