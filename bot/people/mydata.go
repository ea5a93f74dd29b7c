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

// personData is the export of everything that is stored about a person. PRIVACY.md
// describes its format. The Export functions of the document kinds fill the sections after Settings.
type personData struct {
	Player      string         `json:"player"`
	Name        string         `json:"name"`
	At          time.Time      `json:"at"`
	Settings    doc.Player     `json:"settings"`
	TellIn      []any          `json:"told_of_tables_in,omitempty"` // homes that notify the person of new tables
	AddedBotTo  []any          `json:"added_bot_to,omitempty"`      // homes to which the person has just added the bot
	Tables      []any          `json:"tables,omitempty"`
	Homes       map[string]any `json:"homes,omitempty"` // totals and ratings, by home; "*" is all homes combined
	Medals      []any          `json:"medals,omitempty"`
	Matches     []any          `json:"matches,omitempty"`
	Tournaments []any          `json:"tournaments,omitempty"`
	Evenings    []any          `json:"evenings,omitempty"` // tournaments at set times, planned or signed up for
	Marks       map[string]any `json:"marks,omitempty"`    // the tag or role that the bot gave, by home
	Coach       []any          `json:"coach,omitempty"`
	Skill       map[string]any `json:"skill,omitempty"`               // the coach's rating of the person's choices, by home
	Streaks     map[string]any `json:"streaks,omitempty"`             // days in a row at the deal of the day, by home
	Wishes      map[string]any `json:"wishes_about_tables,omitempty"` // the game and the hours of told_of_tables_in, by home
	Daily       map[string]any `json:"daily,omitempty"`               // attempts at deals of the day, by home and date
	Puzzles     []any          `json:"puzzles,omitempty"`
	Ladder      []any          `json:"ladder,omitempty"`
	Apart       []any          `json:"apart,omitempty"` // tables where the person met someone with whom they don't want to be paired again
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
	data := personData{
		Player: in.Player.ID, Name: chat.CleanName(in.Player.Name), At: room.docs.Now().UTC(), Settings: own,
		TellIn: found.Lists["told_of_tables_in"], AddedBotTo: found.Lists["added_bot_to"], Tables: found.Lists["tables"], Homes: found.Maps["homes"],
		Medals: found.Lists["medals"], Matches: found.Lists["matches"], Tournaments: found.Lists["tournaments"], Evenings: found.Lists["evenings"], Marks: found.Maps["marks"],
		Coach: found.Lists["coach"], Skill: found.Maps["skill"], Daily: found.Maps["daily"], Puzzles: found.Lists["puzzles"],
		Ladder:  found.Lists["ladder"],
		Apart:   found.Lists["apart"],
		Streaks: found.Maps["streaks"], Wishes: found.Maps["wishes_about_tables"],
	}
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return in.Refuse(err)
	}
	screen := MyDataFile(append(text, '\n'), in.Catalogue())
	return chat.Reply{Screen: &screen}
}
