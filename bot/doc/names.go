package doc

import (
	"strings"

	"sedmabot/store"
)

func InHome(home, name string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: name}
}

// A chat may get another id: a Telegram group becomes a supergroup. What is
// kept of it stays where it is, in the home of the first id, and a document of
// the new one points there (chat:<id>). Whatever tells of the move, the service
// message of the platform or a delivery that fails with the new id, may come
// first, late, again, or not at all: each does all that is left to do.

// ChatHome says where what is kept of a chat is.
type ChatHome struct {
	Home string `json:"home"`
}

func ChatKey(id string) store.Key {
	return store.Key{Partition: store.Partition(id), Name: "chat:" + id}
}

func PurgeKey(home string) store.Key {
	return store.Key{Partition: store.Partition(home), Name: "purge:" + home}
}

// CutLast cuts s at the last sep.
func CutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func CupName(id string) string { return "tournament:" + id }
