package doc

import (
	"crypto/rand"
	"encoding/base32"
	"strconv"
	"strings"

	"sedmabot/store"
)

// TableName returns the name of a table's document and of its job.
func TableName(id string) string { return "table:" + id }

// ShownName returns the name of the document with the messages of a table or a tournament.
func ShownName(id string) string { return "shown:" + id }

// NotesName returns the name of the document with the notes about the messages of a table or a tournament.
func NotesName(id string) string { return "notes:" + id }

// CompanyKey returns the key of what the pages of a table show of its people. It returns false if id is no valid id.
func CompanyKey(id string) (key store.Key, ok bool) {
	p, ok := TablePartition(id)
	return store.Key{Partition: p, Name: "company:" + id}, ok
}

// WelcomeName returns the name of the document of a home's welcome, and of its job.
func WelcomeName(home string) string { return "welcome:" + home }

// HomeName returns the name of a home's document and of its job.
func HomeName(home string) string { return "home:" + home }

// RecordName returns the name of the record of a table's deal.
func RecordName(id string, deal int) string {
	return "record:" + id + ":" + strconv.Itoa(deal)
}

// MatchName returns the name of a table's finished match.
func MatchName(id string, match int) string { return "match:" + id + ":" + strconv.Itoa(match) }

// CoachName returns the name of the analysis of a match by an earlier version of the program.
func CoachName(id string, match int) string { return "coach:" + id + ":" + strconv.Itoa(match) }

// VerdictName returns the name of the coach's analysis of a player's choices in a match, and
// of the job that computes it.
func VerdictName(id string, match int, player string) string {
	return "verdict:" + id + ":" + strconv.Itoa(match) + "|" + player
}

// MemberName returns the name of the document of a player in a home.
func MemberName(home, player string) string { return "member:" + home + "|" + player }

// HomeKey returns the key of a home's document.
func HomeKey(home string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: HomeName(home)}
}

// PlayerName returns the name of a person's document and of its job.
func PlayerName(player string) string { return "player:" + player }

// PlayerKey returns the key of a person's document.
func PlayerKey(player string) store.Key {
	return store.Key{Partition: store.Partition(player), Name: PlayerName(player)}
}

// ApartKey returns the key of the list of people with whom a player doesn't want to be paired.
func ApartKey(player string) store.Key {
	return store.Key{Partition: store.Partition(player), Name: "apart:" + player}
}

// SessionsKey returns the key of the list of a person's sessions on web pages. It is in the
// partition of the person's document.
func SessionsKey(player string) store.Key {
	return store.Key{Partition: store.Partition(player), Name: "sessions:" + player}
}

// InHome returns the key of a document in a home's partition.
func InHome(home, name string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: name}
}

// ChatKey returns the key of the document that says which home has a chat's data.
func ChatKey(id string) store.Key {
	return store.Key{Partition: store.Partition(id), Name: "chat:" + id}
}

// PurgeKey returns the key of the note that a home removed the bot. Its name is also that of the job.
func PurgeKey(home string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: "purge:" + home}
}

// TournamentName returns the name of a tournament's document and of its job.
func TournamentName(id string) string { return "tournament:" + id }

// UndoneJob returns the id of the job that redraws a table or a tournament, given the name of its document.
func UndoneJob(name string) string { return "undone:" + name }

// NewTableID returns a new table's id: its home's partition as one hexadecimal
// digit, then twelve random letters and digits.
func NewTableID(home string) string {
	random := make([]byte, 8)
	rand.Read(random)
	name := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(random)
	return strconv.FormatInt(int64(store.Partition(home)), 16) + strings.ToLower(name[:12])
}

// TablePartition returns the partition in a table's id. It returns false if id is no valid id.
func TablePartition(id string) (int, bool) {
	if len(id) != 13 {
		return 0, false
	}
	n, err := strconv.ParseUint(id[:1], 16, 8)
	return int(n), err == nil && n < store.Partitions
}

// TableKeys returns the keys of a table's three documents: the table, the messages
// shown, and the notes. It returns false if id is no valid id.
func TableKeys(id string) (keys [3]store.Key, ok bool) {
	p, ok := TablePartition(id)
	for i, name := range []string{TableName(id), ShownName(id), NotesName(id)} {
		keys[i] = store.Key{Partition: p, Name: name}
	}
	return keys, ok
}

// KindOf returns the kind in a document's name, which is the part that may be logged.
func KindOf(name string) string {
	kind, _, _ := strings.Cut(name, ":")
	return kind
}

// KindAndRest splits a document's name at the colon after its kind.
func KindAndRest(name string) (kind, rest string) {
	kind, rest, _ = strings.Cut(name, ":")
	return kind, rest
}

// PairOf returns the two parts of a document's name after its kind, which a bar separates: a home and a player, for example.
func PairOf(name string) (first, second string) {
	_, rest := KindAndRest(name)
	first, second, _ = CutLast(rest, "|")
	return first, second
}

// CutLast cuts s at the last sep.
func CutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
