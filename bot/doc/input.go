package doc

import (
	"cmp"
	"context"
	"errors"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// Home loads the document of a home. A private chat is in the time zone of its person.
func (d *Docs) Home(ctx context.Context, home string) (Home, error) {
	var h Home
	var own Player
	docs, err := d.Store.Get(ctx, HomeKey(home), PlayerKey(home))
	if err == nil {
		err = errors.Join(Decode(docs[0], &h), Decode(docs[1], &own))
	}
	h.Zone = cmp.Or(own.Zone, own.LastZone, h.Zone)
	return h, err
}

// Own loads the document of a person. The error is ErrErasing while their data is being deleted.
func (d *Docs) Own(ctx context.Context, player string) (Player, error) {
	var p Player
	_, err := d.Get(ctx, PlayerKey(player), &p)
	if err == nil && p.Erasing {
		err = ErrErasing
	}
	return p, err
}

// Known returns the input with the settings of the person and the home applied: the
// languages, and whether pictures are shown. If the settings can't be read, the
// platform's languages remain. Unless the input is a visit, the bot must be in the home, so Known deletes a
// note that the home removed it.
func (d *Docs) Known(ctx context.Context, in chat.Input) chat.Input {
	docs, err := d.Store.Get(ctx, PlayerKey(in.Player.ID), HomeKey(in.Chat.Home), PurgeKey(in.Chat.Home))
	if err != nil {
		return in
	}
	if !in.Chat.Visit {
		if err := d.KeepHome(ctx, docs[2]); err != nil {
			d.Log.Warn("note that the bot is back", "err", err)
		}
	}
	var own Player
	if Decode(docs[0], &own) == nil {
		in.Player.App, in.Player.Lang = cmp.Or(in.Player.App, in.Player.Lang), cmp.Or(own.Lang, in.Player.Lang)
		in.Player.NoPictures = own.NoPictures
	}
	var home Home
	if Decode(docs[1], &home) == nil {
		in.Chat.Lang = cmp.Or(home.Lang, in.Chat.Lang)
		in.Chat.NoPictures = home.NoPictures
	}
	return in
}

// KeepHome cancels the deletion of a home: it deletes the note that the home removed
// the bot. doc is that note; it need not exist.
func (d *Docs) KeepHome(ctx context.Context, doc store.Doc) error {
	if doc.Version == 0 {
		return nil
	}
	return d.Store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Expect: store.Any}}, Now: d.Now(),
	})
}

// Settled returns the input with the home under which its chat is stored. That differs
// from the platform's if the chat's id has changed.
func (d *Docs) Settled(ctx context.Context, in chat.Input) (chat.Input, error) {
	home, err := d.HomeOf(ctx, in.Chat.Home)
	in.Chat.Home = home
	return in, err
}

// HomeOf returns the home of the chat with that id, which is the id itself unless it has changed.
func (d *Docs) HomeOf(ctx context.Context, id string) (string, error) {
	docs, err := d.Store.Get(ctx, ChatKey(id))
	if err != nil {
		return id, err
	}
	at := ChatHome{Home: id}
	err = Decode(docs[0], &at)
	return at.Home, err
}
