package tables

import (
	"context"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/store"
)

// Note changes the table's notes, for the worker that shows the table, and makes the
// table due. It doesn't change the table itself.
func (ts *Tables) Note(ctx context.Context, id string, f func(*doc.Notes)) error {
	keys, ok := doc.TableKeys(id)
	if !ok {
		return doc.ErrNoTable
	}
	return ts.docs.Update(ctx, "", keys[2:3], func(docs []store.Doc, c *store.Change) error {
		var notes doc.Notes
		if err := doc.Decode(docs[0], &notes); err != nil {
			return err
		}
		f(&notes)
		c.Writes = []store.Write{doc.WriteOf(docs[0], notes, c.Now)}
		c.Due = []store.Mark{{ID: doc.TableName(id), At: c.Now}}
		return nil
	})
}

// noteReply returns the write that notes where the reply to the command that opens a table will be. If the chat and the
// person's private chat refuse messages, that reply can still tell the person so.
func noteReply(in chat.Input, id string, now time.Time) []store.Write {
	keys, ok := doc.TableKeys(id)
	if !ok || in.Answer == "" || in.Chat.Private {
		return nil
	}
	notes := doc.Notes{Replies: map[string]doc.Answer{in.Player.ID: {Address: in.Answer, Until: in.Until}}}
	return []store.Write{doc.WriteOf(store.Doc{Key: keys[2]}, notes, now)}
}
