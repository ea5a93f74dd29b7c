package people

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/doc"
	"sedmabot/bot/screen"
)

// MyData handles /mydata and the buttons of its screen. It exports the person's data
// to a file, or deletes the data after the person has confirmed.
func (room *Room) MyData(ctx context.Context, in chat.Input, what string) chat.Reply {
	var screen screen.Screen
	toast := ""
	switch what {
	case "":
		screen = MyData(in.Catalogue())
	case DataKeep:
		screen, toast = MyData(in.Catalogue()), in.Text("reply.kept")
	case DataDelete:
		screen = EraseSure(in.Catalogue())
	case DataErase:
		return room.Eraser.Erase(ctx, in)
	case DataExport:
		return room.export(ctx, in)
	default:
		return chat.Reply{Toast: in.Text("reply.forged"), Outcome: chat.Refused}
	}
	return chat.Reply{Toast: toast, Screen: &screen, Replace: in.Press != ""}
}

// privacy replies with a summary of the data that is kept about a person.
func privacy(_ context.Context, in chat.Input) chat.Reply {
	screen := Privacy(in.Catalogue())
	return chat.Reply{Screen: &screen}
}

// dated is an export entry that is sorted by time.
type dated interface{ When() time.Time }

// exportWithin is the timeout for collecting a person's data. The person waits
// for the reply meanwhile.
const exportWithin = 15 * time.Second

// export replies with a file of everything that is stored about the person who asks.
// It contains no ids or names of other people.
func (room *Room) export(ctx context.Context, in chat.Input) chat.Reply {
	ctx, cancel := context.WithTimeout(ctx, exportWithin)
	defer cancel()
	select {
	case room.reading <- struct{}{}: // only one export at a time, because it reads much of the store
		defer func() { <-room.reading }()
	case <-ctx.Done():
		return in.Refuse(doc.ErrBusy)
	}
	own, err := room.docs.Own(ctx, in.Player.ID)
	if err != nil {
		return in.Refuse(err)
	}
	found := doc.Export{Player: in.Player.ID, Lists: map[string][]any{}, Maps: map[string]map[string]any{}}
	err = found.Gather(ctx, room.docs.Store, room.Documents(), func(err error) { room.docs.Log.Error("gather a person's data", "err", err) })
	if err != nil {
		return in.Refuse(fmt.Errorf("gather a person's data: %w", err))
	}
	slices.SortFunc(found.Lists["matches"], func(x, y any) int { return x.(dated).When().Compare(y.(dated).When()) })
	data := map[string]any{"player": in.Player.ID, "name": chat.CleanName(in.Player.Name), "at": room.docs.Now().UTC(), "settings": own}
	for section, list := range found.Lists {
		data[section] = list
	}
	for section, entries := range found.Maps {
		data[section] = entries
	}
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return in.Refuse(err)
	}
	screen := MyDataFile(append(text, '\n'), in.Catalogue())
	return chat.Reply{Screen: &screen}
}
