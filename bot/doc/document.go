package doc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Schema is the number of the schema that this program writes. Schema 1 wrote the options
// of all rules and the tricks of a deal one by one. Since 2, rules that are a preset are
// stored as its name, and a trick as a text. Reading 2 also reads 1.
const Schema = 2

// Home is what is stored of a home: a community of chats that share settings and boards.
type Home struct {
	Open    map[string]string `json:"open,omitempty"`    // table by chat
	Default *Default          `json:"default,omitzero"`  // what new tables begin with
	Matches []string          `json:"matches,omitempty"` // the ids of the latest matches, the newest last
	Season  int               `json:"season,omitempty"`  // how many months a season has; 0: as many as package league says
	Played  int               `json:"played,omitempty"`  // how many results its ledger has
	Periods []string          `json:"periods,omitempty"` // the keys of the periods that have boards
	Cup     string            `json:"cup,omitempty"`     // the id of the latest tournament

	// What its administrators set. Empty is as it is without them.
	table.ChatSettings
	Locale  string            `json:"locale,omitempty"`  // what the platform said of Lang, when something was set last
	Zone    string            `json:"zone,omitempty"`    // an IANA name; "": UTC
	Openers string            `json:"openers,omitempty"` // "admins": they alone open tables
	Tell    map[string]string `json:"tell,omitempty"`    // who wants to hear when a table opens: names by id
	Keep    int               `json:"keep,omitempty"`    // how many days the records of matches stay; 0: as KeepRecord
}

// Dress returns a chat as a table keeps it, with the settings of its home. Where
// no language is set, the chat's stays: as the platform says.
func (h Home) Dress(c table.Chat) table.Chat {
	platform := c.Lang
	c.ChatSettings = h.ChatSettings
	c.Lang = cmp.Or(h.Lang, platform)
	return c
}

// Keeps is how long the home keeps records.
func (h Home) Keeps() time.Duration {
	return cmp.Or(time.Duration(h.Keep)*24*time.Hour, KeepRecord)
}

// DressAgain returns the chat with what was set since it was last dressed.
func (h Home) DressAgain(c table.Chat) table.Chat {
	c.Lang = cmp.Or(h.Locale, c.Lang)
	return h.Dress(c)
}

// MostListeners is how many people a home tells of a new table at most.
const MostListeners = 20

// Listeners are those who want to hear when a table opens, but for who opens it.
func (h Home) Listeners(opener string) []table.Player {
	var who []table.Player
	for _, id := range slices.Sorted(maps.Keys(h.Tell)) {
		if id != opener {
			who = append(who, table.Player{ID: id, Name: h.Tell[id]})
		}
	}
	return who
}

// Notes holds what presses say about ways to a player. It is its own
// document so that a press never waits for what is being shown.
type Notes struct {
	Answers map[string]Answer    `json:"answers,omitempty"` // by player: a hand that he called up in the chat
	Reached map[string]time.Time `json:"reached,omitempty"` // by player: when he last wrote to the bot in private
	Doubts  int                  `json:"doubts,omitempty"`  // grows when somebody who had lost the table's job had edited messages
	Redrawn time.Time            `json:"redrawn,omitzero"`  // when the messages were last found to be out of date
	Undone  time.Time            `json:"undone,omitzero"`   // when moves were last found to be undone
}

// Forget takes a person out of the notes.
func (n *Notes) Forget(player string) {
	delete(n.Answers, player)
	delete(n.Reached, player)
}

// Answer is a message that only one player sees in a chat, with their hand.
type Answer struct {
	Address chat.Address `json:"address"`
	Until   time.Time    `json:"until"`
	Origin  string       `json:"origin,omitempty"` // as Input has it
	Older   []Answer     `json:"older,omitempty"`  // called up before it: they are taken away
}

// Player is what is stored of a person.
type Player struct {
	Tables []string `json:"tables,omitempty"`

	// What the player set. Empty is as it is without that. Locale is from when something was set last.
	table.PlayerSettings
	Asked string `json:"asked,omitempty"` // the home in which he asked for the settings last: their buttons may stand in his private chat

	Door chat.Address `json:"door,omitempty"` // to the private chat, as Platform.Door returned it

	Erasing bool `json:"erasing,omitempty"` // all this is being deleted, by package upkeep
}

// Dress returns a player as a table keeps them, with their settings. What the
// platform says of their language stays.
func (d Player) Dress(p table.Player) table.Player {
	platform := p.PlayerSettings
	p.PlayerSettings = d.PlayerSettings
	p.Lang, p.Locale = cmp.Or(d.Lang, platform.Lang), platform.Locale
	return p
}

// DressAgain returns the player with what they set since they were last dressed.
func (d Player) DressAgain(p table.Player) table.Player {
	p.Lang = cmp.Or(d.Locale, p.Lang)
	return d.Dress(p)
}

// Envelope is a document as it is stored.
type Envelope struct {
	V int             `json:"v"`
	D json.RawMessage `json:"d"`
}

// Decode reads a document; an absent one leaves v as it is.
func Decode(doc store.Doc, v any) error {
	if doc.Version == 0 {
		return nil
	}
	var e Envelope
	if err := json.Unmarshal(doc.Data, &e); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreadable, KindOf(doc.Key.Name), err)
	}
	if e.V > Schema {
		return ErrNewer
	}
	if err := json.Unmarshal(e.D, v); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnreadable, KindOf(doc.Key.Name), err)
	}
	if d, ok := v.(ruled); ok && !d.Ruled() {
		return fmt.Errorf("%w: %s: without rules", ErrUnreadable, KindOf(doc.Key.Name))
	}
	return nil
}

// ruled is a document of a game: without its rules it cannot be read.
type ruled interface{ Ruled() bool }

// Ruled reports whether the table has the rules of its game.
func (l *Table) Ruled() bool {
	begun := !reflect.ValueOf(l.Match).IsZero() // or there was no deal yet
	return l.Rules.Players != 0 && (!begun || l.Match.Rules.Players != 0)
}

// Ruled reports whether the match has the rules of its game.
func (d *Match) Ruled() bool { return d.Rules.Players != 0 }

// Encode writes a document. Its values always encode: they hold nothing but
// numbers, strings, slices and maps.
func Encode(v any) []byte {
	var b bytes.Buffer
	b.WriteString(`{"v":` + strconv.Itoa(Schema) + `,"d":`)
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	b.Truncate(b.Len() - 1)
	b.WriteByte('}')
	return b.Bytes()
}

// Table is a table with the version that it was read at.
type Table struct {
	table.Table
	Version int64
}

// DecodeTable reads a table.
func DecodeTable(doc store.Doc) (Table, error) {
	l := Table{Version: doc.Version}
	err := Decode(doc, &l)
	return l, err
}

// KeepDoor is how long the door to a person's private chat is kept while nothing else
// is kept of them.
const KeepDoor = 90 * 24 * time.Hour

// Write returns the write that puts d in the place of the document as it was read.
// A document that holds nothing is deleted, and one that holds only a door expires.
func (d Player) Write(read store.Doc, now time.Time) store.Write {
	w := store.Write{Name: read.Key.Name, Expect: read.Version}
	rest := d
	rest.Door = ""
	switch empty := reflect.ValueOf(rest).IsZero(); {
	case empty && d.Door == "":
		return w
	case empty:
		w.Expires = now.Add(KeepDoor)
	}
	w.Data = Encode(d)
	return w
}

// redrawEvery is how often a table is drawn again at most.
const redrawEvery = 10 * time.Second

// Redraw notes that the messages are to be edited, and reports whether that is new.
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
