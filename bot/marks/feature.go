package marks

import (
	"context"

	"sedmabot/bot/doc"
)

// Feature returns the marks beside names.
func (room *Room) Feature() doc.Feature {
	return doc.Feature{
		Kinds: room.kinds(),
		HomeSettings: []doc.Setting[doc.Home]{{
			Name: "marks", Group: doc.GroupRecords, Order: 110, Choices: []string{doc.Off, doc.On}, Field: doc.Flag(doc.On, func(h *doc.Home) *bool { return &h.Marks }),
			Check: func(ctx context.Context, home, choice string) error {
				if choice != doc.On {
					return nil
				}
				return room.may(ctx, home)
			},
			Trouble: room.trouble, Changed: room.wake,
		}},
	}
}
