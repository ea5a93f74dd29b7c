package doc

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Schema is the number of the schema that this program writes. Schema 1 wrote the options
// of all rules and the tricks of a deal one by one. Since 2, rules that are a preset are
// stored as its name, and a trick as a text. Reading 2 also reads 1.
const Schema = 2

// ErrNewer refuses a document that a later version of this program wrote: it is left alone.
var ErrNewer = chat.NewRefusal("gone")

// ErrUnreadable: the document is none of ours, and stays as it is.
var ErrUnreadable = errors.New("read document")

// Unreadable reports whether an error is about a document that can't be read, and that trying again soon won't help.
func Unreadable(err error) bool {
	return errors.Is(err, ErrUnreadable) || errors.Is(err, store.ErrDamaged)
}

type Home struct {
	Open    map[string]string `json:"open,omitempty"`    // table by chat
	Default *Default          `json:"default,omitzero"`  // what new tables begin with
	Matches []string          `json:"matches,omitempty"` // the ids of the latest matches, the newest last
	Season  int               `json:"season,omitempty"`  // how many months a season has; 0: defaultSeason
	Played  int               `json:"played,omitempty"`  // how many results its ledger has
	Periods []string          `json:"periods,omitempty"` // the keys of the periods that have boards
	Cup     string            `json:"cup,omitempty"`     // the id of the latest tournament

	// What its administrators set. Empty is as it is without them.
	table.ChatSettings
	Locale  string            `json:"locale,omitempty"`  // what the platform said of Lang, when something was set last
	Zone    string            `json:"zone,omitempty"`    // an IANA name; "": UTC
	Openers string            `json:"openers,omitempty"` // "admins": they alone open tables
	Tell    map[string]string `json:"tell,omitempty"`    // who wants to hear when a table opens: names by id
	Keep    int               `json:"keep,omitempty"`    // how many days the records of matches stay; 0: keepRecord
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

type Answer struct {
	Address chat.Address `json:"address"`
	Until   time.Time    `json:"until"`
	Origin  string       `json:"origin,omitempty"` // as Input has it
	Older   []Answer     `json:"older,omitempty"`  // called up before it: they are taken away
}

type Player struct {
	Tables []string `json:"tables,omitempty"`

	// What the player set. Empty is as it is without that. Locale is from when something was set last.
	table.PlayerSettings
	Asked string `json:"asked,omitempty"` // the home in which he asked for the settings last: their buttons may stand in his private chat

	Door chat.Address `json:"door,omitempty"` // to the private chat, as Platform.Door returned it

	Erasing bool `json:"erasing,omitempty"` // all this is being deleted: see erase.go
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

func TableName(id string) string { return "table:" + id }

func ShownName(id string) string { return "shown:" + id }

func notesName(id string) string { return "notes:" + id }

func HomeName(home string) string { return "home:" + home }

func RecordName(id string, deal int) string {
	return "record:" + id + ":" + strconv.Itoa(deal)
}

func MatchName(id string, match int) string { return "match:" + id + ":" + strconv.Itoa(match) }

func CoachName(id string, match int) string { return "coach:" + id + ":" + strconv.Itoa(match) }

func MemberName(home, player string) string { return "member:" + home + "|" + player }

func HomeKey(home string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: HomeName(home)}
}

func PlayerName(player string) string { return "player:" + player }

func PlayerKey(player string) store.Key {
	return store.Key{Partition: store.Partition(player), Name: PlayerName(player)}
}

// NewTableID returns a new table's id: its home's partition as one hexadecimal
// digit, then twelve random letters and digits.
func NewTableID(home string) string {
	random := make([]byte, 8)
	rand.Read(random)
	name := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(random)
	return strconv.FormatInt(int64(store.Partition(home)), 16) + strings.ToLower(name[:12])
}

// TablePartition reads the partition out of a table's id; false if that is no id.
func TablePartition(id string) (int, bool) {
	if len(id) != 13 {
		return 0, false
	}
	n, err := strconv.ParseUint(id[:1], 16, 8)
	return int(n), err == nil && n < store.Partitions
}

// TableKeys are the keys of a table's three documents.
func TableKeys(id string) (keys [3]store.Key, ok bool) {
	p, ok := TablePartition(id)
	for i, name := range []string{TableName(id), ShownName(id), notesName(id)} {
		keys[i] = store.Key{Partition: p, Name: name}
	}
	return keys, ok
}

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

func (l *Table) Ruled() bool {
	begun := !reflect.ValueOf(l.Match).IsZero() // or there was no deal yet
	return l.Rules.Players != 0 && (!begun || l.Match.Rules.Players != 0)
}

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

// KindOf is the part of a document's name that may be logged.
func KindOf(name string) string {
	kind, _, _ := strings.Cut(name, ":")
	return kind
}

// Table is a table with the version that it was read at.
type Table struct {
	table.Table
	Version int64
}

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

const (
	redrawEvery = 10 * time.Second // how often a table is drawn again at most
)

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

// UndoneJob is the id of the job that draws a table or a tournament again, by the name of its document.
func UndoneJob(name string) string { return "undone:" + name }
