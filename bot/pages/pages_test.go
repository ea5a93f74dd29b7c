package pages_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/pages"
	"sedmabot/bot/view"
	"sedmabot/store"
)

const (
	here = "test:here"
	ann  = "test:ann"
	ben  = "test:ben"
)

func onPages(c *bot.Config) { c.Pages = map[string]string{"test": "https://cards.example.org/"} }

// token returns the token of a player's personal link to a table.
func token(t *testing.T, room *pages.Room, id, player string) string {
	t.Helper()
	at, err := room.Table(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	own, _ := at.Private(player)
	link, err := room.LinkNow(t.Context(), own)
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(link, "#t=")
	return token
}

// used reports whose link a token is, or "" if it is refused.
func used(t *testing.T, room *pages.Room, token string) string {
	t.Helper()
	v, err := room.UseLink(t.Context(), token)
	var refusal *chat.Refusal
	if err != nil && !errors.As(err, &refusal) {
		t.Fatal(err)
	}
	if err != nil {
		return ""
	}
	return v.Player.ID
}

// A personal link is for one person, and is used once, in the deal whose hand it came with or in the next one.
func TestAPersonalLink(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		room := w.Pages().(*pages.Room)
		id := w.Sit(here, "2", ann, ben).ID
		w.Command(ann, here, "start")
		w.Pass(0)
		hers, his, late := token(t, room, id, ann), token(t, room, id, ben), ""
		if hers == his || hers == "" {
			t.Fatalf("the links are %q and %q", hers, his)
		}
		for name, wrong := range map[string]string{
			"of nobody": "", "too short": "a.1.1", "of no table": strings.Replace(hers, id, "zzzzzzzzzzzzzzzz", 1),
			"of another deal": strings.Replace(hers, ".1.", ".2.", 1), "with another signature": hers[:len(hers)-4] + "AAAA",
		} {
			if who := used(t, room, wrong); who != "" {
				t.Errorf("a link %s: it is %s's", name, who)
			}
		}
		if who := used(t, room, hers); who != ann {
			t.Errorf("Ann's link is %q's", who)
		}
		if who := used(t, room, hers); who != "" {
			t.Error("a link was used twice")
		}
		newer := token(t, room, id, ann)
		if at, err := room.Table(t.Context(), id); err != nil || at.Links[ann] != 1 || at.Links[ben] != 0 {
			t.Errorf("after one link: %v, %v", at.Links, err)
		}
		if who := used(t, room, newer); who != ann {
			t.Errorf("Ann's newer link is %q's", who)
		}
		late = token(t, room, id, ann)
		for deal := 1; deal < 3; deal++ {
			for w.Load(id).DealNo == deal && !doc.Ended(w.Load(id).Phase) {
				w.PlayOn(id, 1)
			}
			if deal == 1 {
				if who := used(t, room, his); who != ben {
					t.Errorf("in the next deal, Ben's link is %q's", who)
				}
			}
		}
		if who := used(t, room, late); who != "" {
			t.Errorf("two deals later, or after the match, the link is still %s's", who)
		}
	}, onPages)
}

// A link that one process made opens the table in another one: the key that signs it is in the store.
func TestALinkFromAnotherProcess(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		id := w.Sit(here, "2", ann, ben).ID
		w.Command(ann, here, "start")
		w.Pass(0)
		other := town.New(t, w.Docs.Store, onPages)
		if who := used(t, other.Pages().(*pages.Room), token(t, w.Pages().(*pages.Room), id, ann)); who != ann {
			t.Errorf("the link is %q's", who)
		}
	}, onPages)
}

// Nobody gets a link where their platform has no pages.
func TestNoLinkWithoutPages(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		tab := w.Sit(here, "2", ann, ben)
		w.Command(ann, here, "start")
		w.Pass(0)
		if got := token(t, w.Pages().(*pages.Room), tab.ID, ann); got != "" {
			t.Errorf("the link is %q", got)
		}
	})
}

// hanging is a store that answers no Get before the caller gives up.
type hanging struct {
	store.Store
	asked chan bool
}

func (s hanging) Get(ctx context.Context, _ ...store.Key) ([]store.Doc, error) {
	s.asked <- true
	<-ctx.Done()
	return nil, ctx.Err()
}

// While the store doesn't answer, nobody who needs the secret waits for somebody else who does.
func TestTheSecretIsLoadedByEachAlone(t *testing.T) {
	t.Parallel()
	s := hanging{asked: make(chan bool)}
	links := pages.NewLinks(&doc.Docs{Store: s, Now: time.Now}, nil)
	for range 2 {
		go func() { _, _ = links.Secret(t.Context()) }()
	}
	for range 2 {
		select {
		case <-s.asked:
		case <-time.After(time.Minute):
			t.Fatal("a call waits for another one")
		}
	}
}

// A proof of a platform logs in once.
func TestAProofIsUsedOnce(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		until := time.Now().Add(time.Minute)
		if err := w.Pages().UseProof(t.Context(), "proof", until); err != nil {
			t.Fatal(err)
		}
		var refusal *chat.Refusal
		if err := w.Pages().UseProof(t.Context(), "proof", until); !errors.As(err, &refusal) {
			t.Errorf("the second time: %v", err)
		}
		if err := w.Pages().UseProof(t.Context(), "another", until); err != nil {
			t.Error(err)
		}
		if err := w.Pages().UseProof(t.Context(), "expired", time.Now()); !errors.As(err, &refusal) {
			t.Errorf("an expired one: %v", err)
		}
		if traces := w.Traces("proof"); len(traces) > 0 {
			t.Errorf("the proof is stored in %v", traces)
		}
	})
}

// A table's page hears of each change of the table, and of its end.
func TestChangesOfATable(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		room := w.Pages()
		id := w.Sit(here, "2", ann, ben).ID
		changed, err := room.Changes(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		changes := make(chan struct{})
		go changed(func() bool {
			select {
			case changes <- struct{}{}:
				return true
			case <-t.Context().Done():
				return false
			}
		})
		heard := func(what string) {
			t.Helper()
			select {
			case <-changes:
			case <-time.After(time.Minute):
				t.Errorf("the page doesn't hear of %s", what)
			}
		}
		w.Presses(ben, here, view.Press{Action: view.ActLeave, Table: id})
		heard("who left")
		w.Presses(ann, here, view.Press{Action: view.ActClose, Table: id})
		heard("the end")
		if ids, err := room.Tables(t.Context(), ann); err != nil || len(ids) > 0 {
			t.Errorf("Ann still sits at %v, %v", ids, err)
		}
	})
}

// The store keeps few sessions of a person, and each only until it ends.
func TestSessionsInTheStore(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		pages, ctx := w.Pages(), t.Context()
		open := func(id string) bool {
			t.Helper()
			ok, err := pages.Open(ctx, "test:1", id)
			if err != nil {
				t.Fatal(err)
			}
			return ok
		}
		now := time.Now()
		begin := func(id string, until time.Time) {
			t.Helper()
			if err := pages.Begin(ctx, "test:1", id, until); err != nil {
				t.Fatal(err)
			}
		}
		begin("over", now.Add(-time.Second))
		for i := range 21 {
			begin(string(rune('a'+i)), now.Add(time.Hour+time.Duration(i)*time.Second))
		}
		if err := pages.End(ctx, "test:1", "c"); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]bool{"over": false, "a": false, "b": true, "c": false, "u": true, "": false} {
			if open(id) != want {
				t.Errorf("session %q goes on: %v", id, !want)
			}
		}
		if err := pages.End(ctx, "test:2", "none"); err != nil {
			t.Error(err)
		}
	})
}

// A table's pages show people only for a while: a phrase at once, and a photo until an hour after its page
// was last open. Until then it is in the export of the person's data, and is deleted with it.
func TestPhotosAndPhrasesGo(t *testing.T) {
	t.Parallel()
	town.In(t, func(t *testing.T, w *town.Town) {
		room := w.Pages().(*pages.Room)
		id := w.Sit(here, "2", ann, ben).ID
		photo := func() string {
			t.Helper()
			at, err := room.Table(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return at.People[0].Photo
		}
		seen := func(address string) {
			t.Helper()
			if err := room.Seen(t.Context(), id, []chat.Visitor{{Player: chat.Player{ID: ann}, Photo: address}}); err != nil {
				t.Fatal(err)
			}
		}
		exported := func() string {
			t.Helper()
			x := &doc.Export{Player: ann, Lists: map[string][]any{}, Maps: map[string]map[string]any{}}
			if err := x.Gather(t.Context(), w.Docs.Store, bot.Kinds(), func(err error) { t.Error(err) }); err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(x.Lists["page_photos"], x.Lists["page_phrases"])
		}
		seen("https://t.me/i/userpic/320/old.jpg")
		seen("https://t.me/i/userpic/320/ann.jpg")
		if err := room.Say(t.Context(), id, ann, "hello"); err != nil {
			t.Fatal(err)
		}
		if err := room.Say(t.Context(), id, ann, "well"); err == nil {
			t.Error("Ann says two phrases at once")
		}
		if err := room.Say(t.Context(), id, "test:eve", "well"); err == nil {
			t.Error("a spectator says something")
		}
		if got := exported(); !strings.Contains(got, "ann.jpg") || strings.Contains(got, "old.jpg") || !strings.Contains(got, "hello") {
			t.Errorf("the export has %s", got)
		}
		for range 3 {
			time.Sleep(40 * time.Minute)
			seen("https://t.me/i/userpic/320/ann.jpg")
		}
		if got := photo(); !strings.Contains(got, "ann.jpg") {
			t.Errorf("the photo of a page that stays open is %q", got)
		}
		time.Sleep(time.Hour)
		if got := photo(); got != "" {
			t.Errorf("the photo of a page that was closed is %q", got)
		}

		seen("https://t.me/i/userpic/320/ann.jpg")
		key, _ := doc.CompanyKey(id)
		i := slices.IndexFunc(room.Feature().Kinds, func(k doc.Kind) bool { return k.Name == "company" })
		for _, want := range []bool{true, false} {
			stored, err := w.Docs.Store.Get(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			if stored[0].Version == 0 {
				break // there is nothing left
			}
			if found, err := room.Feature().Kinds[i].Remove(t.Context(), w.Docs, doc.Sweep{Player: ann}, stored[0]); err != nil || found != want {
				t.Errorf("the deletion found something: %t, want %t; %v", found, want, err)
			}
		}
		if got := photo() + exported(); got != "[] []" {
			t.Errorf("after the deletion: %q", got)
		}
	})
}
