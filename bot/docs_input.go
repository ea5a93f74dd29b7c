package bot

import (
	"cmp"
	"context"

	"sedmabot/store"
)

// Home loads what is kept of a home.
func (d *Docs) Home(ctx context.Context, home string) (homeDoc, error) {
	var h homeDoc
	_, err := d.Get(ctx, homeKey(home), &h)
	return h, err
}

// Own loads what is kept of a person. The error is errErasing while that is being deleted.
func (d *Docs) Own(ctx context.Context, player string) (playerDoc, error) {
	var p playerDoc
	_, err := d.Get(ctx, playerKey(player), &p)
	if err == nil && p.Erasing {
		err = errErasing
	}
	return p, err
}

// Known is the input in the languages that the person and the chat's home
// chose, with pictures or without, as the home wants them, and in private the
// person. Where that cannot be read, the platform's languages stand. A home from
// which something comes has the bot, unless that was a visit.
func (d *Docs) Known(ctx context.Context, in Input) Input {
	docs, err := d.Store.Get(ctx, playerKey(in.Player.ID), homeKey(in.Chat.Home), purgeKey(in.Chat.Home))
	if err != nil {
		return in
	}
	if !in.Chat.Visit {
		if err := d.KeepHome(ctx, docs[2]); err != nil {
			d.Log.Warn("note that the bot is back", "err", err)
		}
	}
	var own playerDoc
	if decode(docs[0], &own) == nil {
		in.Player.App, in.Player.Lang = cmp.Or(in.Player.App, in.Player.Lang), cmp.Or(own.Lang, in.Player.Lang)
		in.Chat.Words = in.Chat.Private && own.Words
	}
	var home homeDoc
	if decode(docs[1], &home) == nil {
		in.Chat.Lang = cmp.Or(home.Lang, in.Chat.Lang)
		in.Chat.Words = in.Chat.Words || home.Words
	}
	return in
}

// KeepHome deletes the note that the home removed the bot, if there is one.
func (d *Docs) KeepHome(ctx context.Context, doc store.Doc) error {
	if doc.Version == 0 {
		return nil
	}
	return d.Store.Commit(ctx, store.Change{
		Partition: doc.Key.Partition, Writes: []store.Write{{Name: doc.Key.Name, Expect: store.Any}}, Now: d.Now(),
	})
}

// Settled is the input with the home that its chat really has.
func (d *Docs) Settled(ctx context.Context, in Input) (Input, error) {
	home, err := d.HomeOf(ctx, in.Chat.Home)
	in.Chat.Home = home
	return in, err
}

// HomeOf is the home of a group that a platform calls by that id.
func (d *Docs) HomeOf(ctx context.Context, id string) (string, error) {
	docs, err := d.Store.Get(ctx, chatKey(id))
	if err != nil {
		return id, err
	}
	at := chatDoc{Home: id}
	err = decode(docs[0], &at)
	return at.Home, err
}
