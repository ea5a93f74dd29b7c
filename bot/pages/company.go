package pages

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Company is the document of what the pages of a table show of its people. It is apart from the table, so that
// neither the match nor its records keep any of it.
type Company struct {
	Photos map[string]Photo `json:"photos,omitempty"` // by player
	Said   map[string]Said  `json:"said,omitempty"`   // by player: what they said last
}

// Expiry implements [doc.Expiring].
func (d Company) Expiry(now time.Time) (time.Time, bool) {
	return now.Add(companyFor), len(d.Photos)+len(d.Said) > 0
}

// Photo is the address of a person's profile photo, while they have the page open.
type Photo struct {
	Address string    `json:"address"`
	Until   time.Time `json:"until"`
}

// Said is a phrase or an emote that a player said.
type Said struct {
	What string    `json:"what"`
	At   time.Time `json:"at"`
}

const (
	// companyFor is how long a photo is kept after the page was last seen open.
	companyFor = time.Hour
	// sayEvery is the shortest time between two phrases of a player.
	sayEvery = 3 * time.Second
	// saidFor is how long the store keeps a phrase. Pages show it for some seconds.
	saidFor = time.Minute
)

// errSay reports that a player has just said something.
var errSay = chat.NewRefusal("page_say")

// people returns what pages show of a table's players, by seat. Strangers don't see each other's photos, and have other
// marks at each table.
func (d Company) people(secret []byte, t doc.Table, now time.Time) []chat.Person {
	all := make([]chat.Person, len(t.Seats))
	for seat, s := range t.Seats {
		id := s.Player.ID
		if id == "" {
			continue
		}
		mark := id
		if t.Policy.Masked {
			mark += " " + t.ID
		}
		all[seat] = chat.Person{Mark: markOf(secret, mark), Said: d.Said[id].What, At: d.Said[id].At}
		if photo := d.Photos[id]; !t.Policy.Masked && now.Before(photo.Until) {
			all[seat].Photo = photo.Address
		}
	}
	return all
}

// markOf returns the mark of a person, from which nobody can tell who they are.
func markOf(secret []byte, player string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("mark " + player))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:9])
}

// Say implements [chat.Pages].
func (room *Room) Say(ctx context.Context, id, player, what string) error {
	t, _, _, err := room.load(ctx, id)
	if err != nil {
		return err
	}
	if _, sits := t.Private(player); !sits || doc.Ended(t.Phase) {
		return chat.ErrForged
	}
	return room.changeCompany(ctx, id, func(d *Company, now time.Time) error {
		if last := d.Said[player].At; now.Before(last.Add(sayEvery)) && store.Believed(last, now, 0) {
			return errSay
		}
		d.Said[player] = Said{what, now}
		return nil
	})
}

// showPhotos keeps the photos of players who have the page open, while they do.
func (room *Room) showPhotos(ctx context.Context, id string, players []chat.Visitor) error {
	players = slices.DeleteFunc(slices.Clone(players), func(v chat.Visitor) bool { return v.Photo == "" })
	key, ok := doc.CompanyKey(id)
	if !ok || len(players) == 0 {
		return nil
	}
	var d Company
	if _, err := room.docs.Get(ctx, key, &d); err != nil {
		return err
	}
	now := room.docs.Now()
	players = slices.DeleteFunc(players, func(v chat.Visitor) bool {
		had := d.Photos[v.Player.ID]
		return had.Address == v.Photo && now.Before(had.Until.Add(-companyFor/2))
	})
	if len(players) == 0 {
		return nil
	}
	return room.changeCompany(ctx, id, func(d *Company, now time.Time) error {
		for _, v := range players {
			d.Photos[v.Player.ID] = Photo{v.Photo, now.Add(companyFor)}
		}
		return nil
	})
}

// changeCompany changes what the pages of a table show of its people, without what is over.
func (room *Room) changeCompany(ctx context.Context, id string, change func(d *Company, now time.Time) error) error {
	key, ok := doc.CompanyKey(id)
	if !ok {
		return doc.ErrNoTable
	}
	return room.docs.Update(ctx, "", []store.Key{key}, func(docs []store.Doc, c *store.Change) error {
		d := Company{}
		if err := doc.Decode(docs[0], &d); err != nil {
			return err
		}
		if d.Photos == nil {
			d.Photos = map[string]Photo{}
		}
		if d.Said == nil {
			d.Said = map[string]Said{}
		}
		maps.DeleteFunc(d.Photos, func(_ string, p Photo) bool { return !c.Now.Before(p.Until) })
		maps.DeleteFunc(d.Said, func(_ string, s Said) bool { return !c.Now.Before(s.At.Add(saidFor)) })
		if err := change(&d, c.Now); err != nil {
			return err
		}
		c.Writes = []store.Write{doc.WriteOf(docs[0], d, c.Now)}
		return nil
	})
}

// without removes a person from what the pages of a table show.
func (d *Company) without(s doc.Sweep, _ string) bool {
	_, photo := d.Photos[s.Player]
	_, said := d.Said[s.Player]
	delete(d.Photos, s.Player)
	delete(d.Said, s.Player)
	return photo || said
}

// about tells the address of the person's photo, and what they said.
func (d Company) about(x *doc.Export, _ string) {
	if p, ok := d.Photos[x.Player]; ok {
		x.Add("page_photos", p)
	}
	if s, ok := d.Said[x.Player]; ok {
		x.Add("page_phrases", s)
	}
}
