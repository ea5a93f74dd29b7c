package bot

import (
	"context"
	"strings"

	"sedmabot/store"
)

// peopleKinds returns the kinds of documents that settings are kept in.
func (b *Bot) peopleKinds() []Kind {
	return []Kind{
		{
			Name: "home", Owner: OfOne, New: func() any { return new(homeDoc) },
			Restore: restoreHome, Forget: b.forgetHome, Export: exportHome, Job: b.tendHome,
		},
		{Name: "player", Owner: OfOne, New: func() any { return new(playerDoc) }, Forget: b.forgetPlayer, Job: b.tendPlayer},
	}
}

func restoreHome(r *Restored, doc store.Doc) error {
	var home homeDoc
	if err := decode(doc, &home); err != nil {
		return err
	}
	if _, id, _ := strings.Cut(doc.Key.Name, ":"); len(home.Periods) > 0 {
		r.Change.Due = append(r.Change.Due, store.Mark{ID: boardsJob(id), At: r.Now})
	}
	return nil
}

// forgetHome deletes the home's own document and its boards, and takes the person off
// the list of those whom another home tells of new tables.
func (b *Bot) forgetHome(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	_, home, _ := strings.Cut(doc.Key.Name, ":")
	if home != s.Home {
		return Amend(ctx, b.docs, doc, func(d *homeDoc, _ *store.Write) bool {
			_, told := d.Tell[s.Player]
			delete(d.Tell, s.Player)
			return told
		})
	}
	var h homeDoc
	if err := decode(doc, &h); err != nil {
		return false, err
	}
	for _, board := range boardNames(h, home) {
		if err := b.docs.ClearBoard(ctx, doc.Key.Partition, board); err != nil {
			return true, err
		}
	}
	now := b.docs.Now()
	return true, b.docs.Drop(ctx, doc, store.Mark{ID: boardsJob(home), At: now}, store.Mark{ID: doc.Key.Name, At: now})
}

// forgetPlayer clears the home in which another person asked for their settings.
// The person's own document is deleted at the end.
func (b *Bot) forgetPlayer(ctx context.Context, s Sweep, doc store.Doc) (bool, error) {
	return Amend(ctx, b.docs, doc, func(d *playerDoc, _ *store.Write) bool {
		asked := doc.Key.Name != playerName(s.Player) && d.Asked == s.Home
		if asked {
			d.Asked = ""
		}
		return asked
	})
}

func exportHome(x *Export, doc store.Doc) error {
	var h homeDoc
	if err := decode(doc, &h); err != nil {
		return err
	}
	if _, told := h.Tell[x.Player]; told {
		_, home, _ := strings.Cut(doc.Key.Name, ":")
		x.Add("told_of_tables_in", home)
	}
	return nil
}
