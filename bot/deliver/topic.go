package deliver

import (
	"context"
	"errors"
	"maps"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/lang"
	"sedmabot/game/table"
	"sedmabot/store"
)

// A person may want topics in their private chat: one for their tables, and one for the deal of the day. The bot creates a
// topic when it has the first message for it. Where that fails, and after the person has deleted the topic, the messages
// are in the chat itself.

// The names of topics. The catalogues have what people read under "topic.<name>".
const (
	topicTables = "tables"
	topicDaily  = "daily"
)

// topicOf returns the name of the topic for the messages of a table.
func topicOf(t table.Table) string {
	if t.Daily != nil {
		return topicDaily
	}
	return topicTables
}

// HasTopics reports whether the private chat of a person can have topics.
func (d *Deliverer) HasTopics(player string) bool {
	topics := d.Abilities(player).Topics
	return topics != nil && topics.HasTopics()
}

// topic returns the id of a topic in the person's private chat, which it creates if need be. It returns "" if the person
// wants none, and if there is none.
func (d *Deliverer) topic(ctx context.Context, player, name string) string {
	if !d.HasTopics(player) {
		return ""
	}
	id, wanted := d.thread(ctx, player, name)
	if id != "" || !wanted {
		return id
	}
	d.opening.Lock() // or two tables of the person would create two
	defer d.opening.Unlock()
	if id, wanted = d.thread(ctx, player, name); id != "" || !wanted {
		return id
	}
	own, err := d.docs.Own(ctx, player)
	if err != nil {
		return ""
	}
	id, err = d.Abilities(player).Topics.OpenTopic(ctx, player, lang.For(own.Lang, own.Locale).Text("topic."+name))
	if err != nil {
		d.docs.Log.Info("create a topic in a private chat", "err", err)
		return ""
	}
	d.keepThread(ctx, player, name, id)
	return id
}

// thread returns the id of a topic that was created before, or "". wanted reports whether the bot may create it.
func (d *Deliverer) thread(ctx context.Context, player, name string) (id string, wanted bool) {
	own, err := d.docs.Own(ctx, player)
	if err != nil || !own.Topics || own.Threads[name] == doc.NoThread {
		return "", false
	}
	return own.Threads[name], true
}

// keepThread stores the id of a topic in the person's document.
func (d *Deliverer) keepThread(ctx context.Context, player, name, id string) {
	err := d.docs.Update(ctx, "", []store.Key{doc.PlayerKey(player)}, func(docs []store.Doc, c *store.Change) error {
		var own doc.Player
		if err := doc.Decode(docs[0], &own); err != nil {
			return err
		}
		if own.Erasing || !own.Topics {
			return doc.ErrSame
		}
		own.Threads = maps.Clone(own.Threads)
		if own.Threads == nil {
			own.Threads = map[string]string{}
		}
		own.Threads[name] = id
		c.Writes = []store.Write{doc.WriteOf(docs[0], own, c.Now)}
		return nil
	})
	if err != nil {
		d.docs.Log.Warn("keep the id of a topic", "err", err)
	}
}

// sendPrivately sends a message of a table to a player's private chat, in its topic if the player wants that.
func (d *Deliverer) sendPrivately(ctx context.Context, p chat.Platform, t table.Table, to chat.Target, s step, nonce string) (chat.Address, error) {
	name := topicOf(t)
	if to.Topic = d.topic(ctx, to.Player, name); to.Topic != "" {
		at, err := d.Send(ctx, p, to, s.post.Screen, nonce)
		if !errors.Is(err, chat.ErrNoTopic) {
			return at, err
		}
		d.keepThread(ctx, to.Player, name, doc.NoThread)
		to.Topic = ""
	}
	return d.Send(ctx, p, to, s.post.Screen, nonce)
}
