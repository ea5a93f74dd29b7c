package bot

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sedmabot/store"
	"sedmabot/store/boltstore"
)

// doors is a platform that opens private chats. It notes what was known of each.
type doors struct {
	chats
	known []Address
}

func (p *doors) Door(_ context.Context, player string, known func() Address) (Address, error) {
	at := known()
	p.known = append(p.known, at)
	return Address("test:door/" + player), p.note("open " + player)
}

// TestADoorIsKept: what a platform told of a private chat is told to it again by
// every process, except while the person's data is being deleted. Where nothing else
// is kept of the person, it goes away in time.
func TestADoorIsKept(t *testing.T) {
	t.Parallel()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "data.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Now()
	p := &doors{}
	ask := func(player string) (playerDoc, store.Doc) {
		b := New(Config{Store: s, Platforms: []Platform{p}, Now: func() time.Time { return now }}) // another process each time
		at, err := b.door(t.Context(), p, player)
		if err != nil || at != Address("test:door/"+player) {
			t.Errorf("%s: %q, %v", player, at, err)
		}
		docs, err := s.Get(t.Context(), playerKey(player))
		if err != nil {
			t.Fatal(err)
		}
		var doc playerDoc
		if err := decode(docs[0], &doc); err != nil {
			t.Fatal(err)
		}
		return doc, docs[0]
	}
	ask("test:ann")
	doc, read := ask("test:ann")
	if want := []Address{"", "test:door/test:ann"}; !slices.Equal(p.known, want) {
		t.Errorf("known was %q", p.known)
	}
	put := func(player string, w store.Write) {
		t.Helper()
		if err := s.Commit(t.Context(), store.Change{Partition: playerKey(player).Partition, Writes: []store.Write{w}, Now: now}); err != nil {
			t.Fatal(err)
		}
	}
	if w := doc.write(read, now); w.Data == nil || !w.Expires.Equal(now.Add(keepDoor)) {
		t.Errorf("a door alone is kept until %v", w.Expires)
	}
	doc.Tables = []string{"1234567890123"}
	if w := doc.write(read, now); w.Data == nil || !w.Expires.IsZero() {
		t.Errorf("a door and a table are kept until %v", w.Expires)
	}
	if w := (playerDoc{}).write(read, now); w.Data != nil {
		t.Error("nothing is kept")
	}
	put("test:bob", store.Write{Name: playerName("test:bob"), Data: encode(playerDoc{Erasing: true})})
	if doc, _ := ask("test:bob"); doc.Door != "" {
		t.Error("a door was kept of a person whose data is being deleted")
	}
}
