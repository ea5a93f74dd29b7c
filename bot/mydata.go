package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"sedmabot/bot/view"
	"sedmabot/store"
)

// mydata does /mydata, or a press in what it shows: a person's data as a file, or
// deleted, after he has confirmed that.
func (b *Bot) mydata(ctx context.Context, in Input, what string) Reply {
	var screen view.Screen
	switch what {
	case "":
		screen = view.MyData(b.words(in))
	case view.DataDelete:
		screen = view.EraseSure(b.words(in))
	case view.DataErase:
		return b.erase(ctx, in)
	case view.DataExport:
		return b.export(ctx, in)
	default:
		return Reply{Toast: b.text(in, "reply.forged"), Outcome: Refused}
	}
	return Reply{Screen: &screen, Replace: in.Press != ""}
}

// personData is all that is kept of a person, as he gets it. Its form is told in
// PRIVACY.md.
type personData struct {
	Player      string               `json:"player"`
	Name        string               `json:"name"`
	At          time.Time            `json:"at"`
	Settings    playerDoc            `json:"settings"`
	TellIn      []string             `json:"told_of_tables_in,omitempty"` // homes
	Tables      []tableData          `json:"tables,omitempty"`
	Homes       map[string]memberDoc `json:"homes,omitempty"` // his totals and ratings, by home; "*" is all homes together
	Medals      []medalData          `json:"medals,omitempty"`
	Matches     []matchData          `json:"matches,omitempty"`
	Tournaments []tournamentData     `json:"tournaments,omitempty"`
	Coach       []coachData          `json:"coach,omitempty"`
	Skill       map[string]skillDoc  `json:"skill,omitempty"` // how well he chose, as the coach saw it, by home
	Daily       map[string]tryDoc    `json:"daily,omitempty"` // his tries at deals of the day, by home and date
}

// tableData is a table of the last days that names him.
type tableData struct {
	Table string `json:"table"`
	Home  string `json:"home"`
	Phase string `json:"phase"`
}

type medalData struct {
	Home   string `json:"home"`
	Season string `json:"season"`
	Game   string `json:"game"`
	Rank   int    `json:"rank"`
	Rating int    `json:"rating"`
}

// matchData is a match that he finished, as his home's ledger has it.
type matchData struct {
	Home  string     `json:"home"`
	Match string     `json:"match"`
	At    time.Time  `json:"at"`
	Game  string     `json:"game"`
	Seat  resultSeat `json:"seat"` // his own
}

// tournamentData is a tournament that he opened, or took part in.
type tournamentData struct {
	Tournament string `json:"tournament"`
	Home       string `json:"home"`
	Entrant    int    `json:"entrant,omitempty"` // his number in it
	Opened     bool   `json:"opened,omitempty"`
}

type coachData struct {
	Match    string  `json:"match"`
	Choices  int     `json:"choices"`
	Accuracy float64 `json:"accuracy"`
}

// exportWithin is how long a person's data may be gathered: then a platform gives
// up waiting.
const exportWithin = 15 * time.Second

// export answers with a file of all that is kept of who asks. Others' ids and names
// are not in it.
func (b *Bot) export(ctx context.Context, in Input) Reply {
	ctx, cancel := context.WithTimeout(ctx, exportWithin)
	defer cancel()
	select {
	case b.reading <- struct{}{}: // one at a time: it reads all that there is
		defer func() { <-b.reading }()
	case <-ctx.Done():
		return b.refuse(in, errBusy)
	}
	own, err := b.own(ctx, in.Player.ID)
	if err != nil {
		return b.refuse(in, err)
	}
	data := personData{Player: in.Player.ID, Name: cleanName(in.Player.Name), At: b.now().UTC(), Settings: own, Homes: map[string]memberDoc{}, Skill: map[string]skillDoc{}, Daily: map[string]tryDoc{}}
	for p := range store.Partitions {
		for cursor := ""; ; {
			docs, next, err := b.store.Scan(ctx, p, "", cursor)
			var damaged *store.Damaged
			if errors.As(err, &damaged) {
				b.log.Error("gather a person's data", "err", err)
			} else if err != nil {
				return b.refuse(in, fmt.Errorf("gather a person's data: %w", err))
			}
			for _, doc := range docs {
				if err := data.add(doc); err != nil {
					b.log.Error("gather a person's data", "err", err)
				}
			}
			if cursor = next; cursor == "" {
				break
			}
		}
	}
	slices.SortFunc(data.Matches, func(x, y matchData) int { return x.At.Compare(y.At) })
	text, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		return b.refuse(in, err)
	}
	screen := view.MyDataFile(append(text, '\n'), b.words(in))
	return Reply{Screen: &screen}
}

// add takes from a document what it tells of the person.
func (d *personData) add(doc store.Doc) error {
	kind, rest := kindAndRest(doc.Key.Name)
	home, last, _ := cutLast(rest, "|")
	if !bytes.Contains(doc.Data, []byte(d.Player)) && last != d.Player {
		return nil
	}
	switch kind {
	case "table":
		t, err := decodeTable(doc)
		if err != nil {
			return err
		}
		if _, sits := t.Private(d.Player); sits {
			d.Tables = append(d.Tables, tableData{Table: t.ID, Home: t.Home, Phase: string(t.Phase)})
		}
	case "home":
		var h homeDoc
		if err := decode(doc, &h); err != nil {
			return err
		}
		if _, told := h.Tell[d.Player]; told {
			d.TellIn = append(d.TellIn, rest)
		}
	case "member":
		if last != d.Player {
			return nil
		}
		var m memberDoc
		if err := decode(doc, &m); err != nil {
			return err
		}
		m.Partners, m.Opponents = nil, nil // others' ids
		d.Homes[home] = m
	case "result":
		var r resultDoc
		if err := decode(doc, &r); err != nil {
			return err
		}
		for _, s := range r.Seats {
			if s.Player == d.Player && home != everywhere {
				d.Matches = append(d.Matches, matchData{Home: home, Match: last, At: r.At, Game: r.Family, Seat: s})
			}
		}
	case "skill":
		var skill skillDoc
		if last != d.Player {
			return nil
		}
		if err := decode(doc, &skill); err != nil {
			return err
		}
		d.Skill[home] = skill
	case "try":
		var own tryDoc
		if last != d.Player {
			return nil
		}
		if err := decode(doc, &own); err != nil {
			return err
		}
		d.Daily[home] = own
	case "hall":
		var hall hallDoc
		if err := decode(doc, &hall); err != nil {
			return err
		}
		for _, season := range hall.Seasons {
			for _, family := range boardFamilies() {
				for _, place := range season.Games[family] {
					if place.Player == d.Player {
						d.Medals = append(d.Medals, medalData{Home: rest, Season: season.Key, Game: family, Rank: place.Rank, Rating: place.Rating})
					}
				}
			}
		}
	case "tournament":
		var cup cupDoc
		if err := decode(doc, &cup); err != nil {
			return err
		}
		if i := cup.entrant(d.Player); i >= 0 || cup.Host.ID == d.Player {
			d.Tournaments = append(d.Tournaments, tournamentData{Tournament: rest, Home: cup.Home, Entrant: i + 1, Opened: cup.Host.ID == d.Player})
		}
	case "coach":
		var c coachDoc
		if err := decode(doc, &c); err != nil {
			return err
		}
		for _, s := range c.Seats {
			if s.Player == d.Player {
				d.Coach = append(d.Coach, coachData{Match: rest, Choices: s.Choices, Accuracy: s.Accuracy})
			}
		}
	}
	return nil
}
