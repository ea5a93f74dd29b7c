package web_test

import (
	"encoding/json"
	"testing"

	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/game/table"
	"sedmabot/store"
)

// If a socket is cut before a press is answered, the page connects again and resends the press.
// The press is played once. The page gets the whole table again, and the other page continues.
func TestAPressResentAfterACutPlaysOnce(t *testing.T) {
	t.Parallel()
	r := open(t)
	ann, ben := r.pair(t)
	for _, p := range []*page{ann, ben} {
		if p.live.Felt.Turn == p.live.Me {
			ply, press := p.live.Felt.Ply, p.choice()
			up, err := json.Marshal(map[string]any{"t": "press", "id": 7, "press": press, "at": p.live.Table})
			if err != nil {
				t.Fatal(err)
			}
			p.send(string(up))
			for p.live.Felt.Ply == ply {
				p.next() // the press was played; its answer gets lost
			}
			for range 3 {
				_ = p.conn.CloseNow()
				p.conn = p.dial(t)
				p.send(string(up))
				for m := p.next(); m.T != "answer" || m.ID != 7; {
					m = p.next()
				}
				now, err := r.bot.Pages().Table(t.Context(), p.live.Table)
				if err != nil {
					t.Fatal(err)
				}
				if now.Public.View.Decisions[p.live.Me] != 1 || now.Public.Phase != table.Playing {
					t.Fatalf("the press was played %d times", now.Public.View.Decisions[p.live.Me])
				}
			}
			break
		}
	}
	done := make(chan struct{})
	go func() { defer close(done); ben.play() }()
	ann.play()
	<-done
}

// A program without pages shares the store during an upgrade. When it writes the notes of a
// table, it loses the numbers of the links. The pages that were opened with them stay open.
func TestAPageOutlastsAnOlderProgram(t *testing.T) {
	t.Parallel()
	f := fourOnTelegram(t)
	f.begin()
	ids, err := f.bot.Pages().Tables(t.Context(), f.players[0])
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	keys, _ := doc.TableKeys(ids[0])
	for who := range f.players {
		p := f.page(who)
		if err := f.kept.Commit(t.Context(), store.Change{Partition: keys[2].Partition, Writes: []store.Write{{Name: keys[2].Name, Expect: store.Any, Data: doc.Encode(doc.Notes{})}}}); err != nil {
			t.Fatal(err)
		}
		if m := p.press("no such button"); m.Toast != lang.For("en").Text("reply.forged") {
			t.Errorf("the page of %s got %+v", f.players[who], m)
		}
	}
}
