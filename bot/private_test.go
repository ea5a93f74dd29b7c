package bot

import (
	"context"
	"slices"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// opener is a platform that opens private chats. It records the known address of each.
type opener struct {
	chats
	known []chat.Address
}

func (p *opener) PrivateChat(_ context.Context, player string, known func() chat.Address) (chat.Address, error) {
	at := known()
	p.known = append(p.known, at)
	return chat.Address("test:dm/" + player), p.note("open " + player)
}

// The platform's note about a private chat must be kept, and passed to every process. It must not be kept while the
// person's data is being deleted. If nothing else is stored about the person, it must expire.
func TestAPrivateChatIsKept(t *testing.T) {
	t.Parallel()
	s := storetest.NewMemory()
	defer s.Close()
	now := time.Now()
	p := &opener{}
	ask := func(player string) (doc.Player, store.Doc) {
		b := New(Config{Store: s, Platforms: []chat.Platform{p}, Now: func() time.Time { return now }}) // a new process each time
		at, err := b.deliver.PrivateChat(t.Context(), p, player)
		if err != nil || at != chat.Address("test:dm/"+player) {
			t.Errorf("%s: %q, %v", player, at, err)
		}
		docs, err := s.Get(t.Context(), doc.PlayerKey(player))
		if err != nil {
			t.Fatal(err)
		}
		var person doc.Player
		if err := doc.Decode(docs[0], &person); err != nil {
			t.Fatal(err)
		}
		return person, docs[0]
	}
	ask("test:ann")
	person, read := ask("test:ann")
	if want := []chat.Address{"", "test:dm/test:ann"}; !slices.Equal(p.known, want) {
		t.Errorf("known was %q", p.known)
	}
	put := func(player string, w store.Write) {
		t.Helper()
		if err := s.Commit(t.Context(), store.Change{Partition: doc.PlayerKey(player).Partition, Writes: []store.Write{w}, Now: now}); err != nil {
			t.Fatal(err)
		}
	}
	if w := doc.WriteOf(read, person, now); w.Data == nil || !w.Expires.Equal(now.Add(doc.KeepPrivateChat)) {
		t.Errorf("an address alone is kept until %v", w.Expires)
	}
	person.Tables = []string{"1234567890123"}
	if w := doc.WriteOf(read, person, now); w.Data == nil || !w.Expires.IsZero() {
		t.Errorf("an address and a table are kept until %v", w.Expires)
	}
	if w := doc.WriteOf(read, doc.Player{}, now); w.Data != nil {
		t.Error("nothing is kept")
	}
	put("test:bob", store.Write{Name: doc.PlayerName("test:bob"), Data: doc.Encode(doc.Player{Erasing: true})})
	if person, _ := ask("test:bob"); person.PrivateChat != "" {
		t.Error("an address was kept of a person whose data is being deleted")
	}
}
