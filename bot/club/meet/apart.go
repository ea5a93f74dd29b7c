package meet

import (
	"context"
	"slices"
	"strconv"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/game/table"
	"sedmabot/store"
)

// Apart is the document of the people whom a person doesn't want to be paired with.
type Apart struct {
	People []Other `json:"people"` // the latest last
}

// Other is someone whom a person doesn't want to be paired with.
type Other struct {
	Player string    `json:"player"`
	Table  string    `json:"table"` // where they met
	At     time.Time `json:"at"`
}

// maxApart is the maximum number of people in an Apart. Beyond that, the oldest are dropped.
const maxApart = 500

func (a Apart) has(player string) bool {
	return slices.ContainsFunc(a.People, func(o Other) bool { return o.Player == player })
}

// apart reports whether the player and someone at the table don't want to be paired.
func (room *Room) apart(ctx context.Context, player string, t table.Table) (bool, error) {
	keys := []store.Key{doc.ApartKey(player)}
	var others []string
	for _, s := range t.Seats {
		if s.Player.ID != "" {
			keys, others = append(keys, doc.ApartKey(s.Player.ID)), append(others, s.Player.ID)
		}
	}
	docs, err := room.docs.Store.Get(ctx, keys...)
	if err != nil {
		return false, err
	}
	var mine Apart
	if err := doc.Decode(docs[0], &mine); err != nil {
		return false, err
	}
	for i, other := range others {
		var theirs Apart
		if err := doc.Decode(docs[i+1], &theirs); err != nil {
			return false, err
		}
		if mine.has(other) || theirs.has(player) {
			return true, nil
		}
	}
	return false, nil
}

// setApart records that the person doesn't want to be paired with the player of a seat
// again. If the press names no seat, it shows a list of the players to choose from.
func (room *Room) setApart(ctx context.Context, in chat.Input, p press) chat.Reply {
	t, err := room.tables.Load(ctx, p.table)
	if err != nil {
		return in.Refuse(err)
	}
	own, sits := t.Private(in.Player.ID)
	if !sits || !t.Policy.Masked {
		return in.Refuse(table.ErrStranger)
	}
	if p.value == view.MeetAsk {
		screen := whom(own.Public, own.Seat, in.Catalogue())
		return chat.Reply{Screen: &screen}
	}
	seat, err := strconv.Atoi(p.value)
	if err != nil || seat < 0 || seat >= len(t.Seats) || seat == own.Seat || t.Seats[seat].Player.ID == "" {
		return in.Refuse(table.ErrNobody)
	}
	other := t.Seats[seat].Player.ID
	if _, err := room.docs.Own(ctx, in.Player.ID); err != nil {
		return in.Refuse(err) // perhaps the person's data is being deleted
	}
	key := doc.ApartKey(in.Player.ID)
	err = room.docs.Update(ctx, in.Once, []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		var a Apart
		if err := doc.Decode(docs[0], &a); err != nil {
			return err
		}
		if a.has(other) {
			return doc.ErrSame
		}
		a.People = append(a.People, Other{Player: other, Table: t.ID, At: c.Now.Round(0)})
		a.People = a.People[max(0, len(a.People)-maxApart):]
		c.Writes = []store.Write{{Name: key.Name, Expect: docs[0].Version, Data: doc.Encode(a)}}
		return nil
	})
	if err != nil {
		return in.Refuse(err)
	}
	return chat.Reply{Toast: in.Text("meet.apart_done")}
}
