package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/face"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game/table"
)

// unhurried skips a test of matches, processes or browsers with -short and under the race detector.
func unhurried(t *testing.T) {
	t.Helper()
	if clocktest.Raced || testing.Short() {
		t.Skip("-short and the race detector leave out matches, processes and browsers")
	}
}

// unraced skips a test under the race detector: it runs in one goroutine, so there is no race to find.
func unraced(t *testing.T) {
	t.Helper()
	if clocktest.Raced {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
}

// docs returns all stored documents by name, from a backup made while the processes run.
func (d *drill) docs() map[string]json.RawMessage {
	d.Helper()
	config := write(d.T, "config.yaml", sections([]string{d.kept.config, "playground.enabled: true"}))
	file := filepath.Join(d.TempDir(), "backup")
	if out, err := tool(d.T, "", "--config", config, "backup", file); err != nil {
		d.Fatal(err, out)
	}
	in, err := os.Open(file)
	if err != nil {
		d.Fatal(err)
	}
	defer in.Close()
	docs := map[string]json.RawMessage{}
	lines := bufio.NewScanner(in)
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var line struct {
			Name string
			Doc  struct{ D json.RawMessage }
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			d.Fatal(err)
		}
		if line.Name != "" {
			docs[line.Name] = line.Doc.D
		}
	}
	return docs
}

// parsed reads a document that must be there.
func parsed[T any](t testing.TB, docs map[string]json.RawMessage, name string) (v T) {
	t.Helper()
	if err := json.Unmarshal(docs[name], &v); err != nil {
		t.Fatalf("%s: %v: %s", name, err, docs[name])
	}
	return v
}

// settle waits until every message is as it should be. A killed process's leases expire after 15 s at most.
func (d *drill) settle(ctx context.Context) {
	d.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	twin := telegramtest.New(d.T)
	c, err := loadConfig("", variables("SEDMABOT_TELEGRAM_TOKEN", twin.Token, "SEDMABOT_TELEGRAM_API_BASE", twin.URL))
	if err != nil {
		d.Fatal(err)
	}
	c.eager = true
	platforms, err := c.platforms(io.Discard, slog.New(slog.DiscardHandler), others{election: chat.Alone}, nil, nil, pages{easel: face.NewEasel()})
	if err != nil {
		d.Fatal(err)
	}
	adapter := platforms[0]
	go func() {
		if err := adapter.Run(ctx, nobody{}); err != nil {
			d.Error(err)
		}
	}()
	if err := twin.Until(ctx, func() bool { return len(twin.Calls("setMyCommands")) > 0 }); err != nil {
		d.Fatal(err)
	}
	place := twin.Group("Twin")
	for {
		wrong := d.wrong(adapter, place)
		if len(wrong) == 0 {
			return
		}
		select {
		case <-time.After(time.Second): // there is no event when a worker takes over expired leases
		case <-ctx.Done():
			d.Errorf("%d messages do not stand as they should, such as\n%s", len(wrong), strings.Join(wrong[:min(len(wrong), 5)], "\n"))
			return
		}
	}
}

// nobody is a handler for an adapter that gets no input.
type nobody struct{}

func (nobody) Handle(context.Context, chat.Input) chat.Reply          { return chat.Reply{} }
func (nobody) Complete(context.Context, chat.Input) []chat.Suggestion { return nil }

// wrong returns the messages that don't match the tables. It sends the expected message through the same adapter to
// another server and compares the two. If the shown message has no photo, the expected one is sent without a photo too.
func (d *drill) wrong(adapter chat.Platform, place *telegramtest.Chat) (wrong []string) {
	d.Helper()
	docs := d.docs()
	standing := map[string]telegramtest.Message{} // by address
	for _, r := range d.rooms {
		for _, c := range []*telegramtest.Chat{r.chat, r.people[0].Private(), r.people[1].Private()} {
			for _, m := range c.Messages() {
				standing[addressOf(c, m)] = m
			}
		}
	}
	for _, r := range d.rooms {
		tab := parsed[table.Table](d, docs, "table:"+r.table)
		shown := parsed[struct {
			Posts map[string]struct{ Address string }
		}](d, docs, "shown:"+r.table)
		for _, p := range append(view.PastPosts(tab.Public()), view.PresentPosts(tab.Public(), tab.Private, nil, nil)...) {
			key := p.Chat + p.Player + " " + p.Key
			at, ok := shown.Posts[key]
			if p.OldOnly && (!ok || at.Address == "") {
				continue // a temporary message that was never sent
			}
			p.Screen.Notify = nil
			is, sent := standing[at.Address]
			if sent && is.Photo == "" {
				p.Screen.Picture = nil // a message sent without a picture never gets one
			}
			a, err := adapter.Send(d.Context(), chat.Target{Chat: fmt.Sprintf("telegram:%d", place.ID)}, p.Screen, "")
			if err != nil {
				d.Fatalf("%s: %v", key, err)
			}
			var should telegramtest.Message
			for _, m := range place.Messages() {
				if addressOf(place, m) == string(a) {
					should = m
				}
			}
			if err := adapter.Delete(d.Context(), a); err != nil {
				d.Fatal(err)
			}
			if !sent || is.Text != should.Text || !reflect.DeepEqual(is.Buttons, should.Buttons) {
				wrong = append(wrong, fmt.Sprintf("%s of %s (%s) is\n%s\n%v\nand should be\n%s\n%v", key, r.table, tab.Phase, is.Text, is.Buttons, should.Text, should.Buttons))
			}
		}
	}
	return wrong
}

// addressOf returns the message's address in the program's form.
func addressOf(c *telegramtest.Chat, m telegramtest.Message) string {
	kind := ""
	if m.Photo != "" {
		kind = "p"
	}
	return fmt.Sprintf("telegram:%d:%s%d", c.ID, kind, m.ID)
}

// check checks everything that is left, and returns how many presses were accepted.
func (d *drill) check() (presses int) {
	d.Helper()
	docs := d.docs()
	all := recordsOf(d.T, docs)
	if len(all) != len(d.rooms) {
		d.Errorf("%d tables have records, of %d", len(all), len(d.rooms))
	}
	owners := map[string]string{} // owner of each card, by table, deal and card
	for _, r := range d.rooms {
		tab := parsed[table.Table](d, docs, "table:"+r.table)
		scores := checkDeals(d.T, all[r.table])
		match := parsed[struct{ Scores []int }](d, docs, "match:"+r.table+":1")
		if !slices.Equal(match.Scores, scores) || !slices.Equal(tab.Match.Scores, scores) {
			d.Errorf("the match at %s was counted %v and stands at %v; its records replay to %v", r.table, match.Scores, tab.Match.Scores, scores)
		}
		if d.last == "" && slices.Max(scores) < target(d.T, all[r.table][0]) || d.last != "" && len(all[r.table]) != 1 {
			d.Errorf("the match at %s ended at %v after %d deals", r.table, scores, len(all[r.table]))
		}
		d.announced(r, tab)
		presses += d.played(r, tab, all[r.table], owners)
	}
	counted := fmt.Sprintf("(%d of them played again from their records)", len(d.rooms))
	if out, err := with(d.T, []string{d.kept.config}, "boards", "check"); err != nil || !strings.Contains(out, "everything matches") || !strings.Contains(out, counted) {
		d.Errorf("%v\n%s", err, out)
	}
	d.private(owners)
	d.problems()
	return presses
}

// announced checks that the group was told who won.
func (d *drill) announced(r *room, tab table.Table) {
	d.Helper()
	result := tab.Public().Result
	for _, m := range r.chat.Messages() {
		if !strings.Contains(m.Text, over) {
			continue
		}
		winners := ""
		for _, line := range linesOf(m.Text) {
			if strings.Contains(line, " win ") || strings.Contains(line, " wins ") {
				winners += line
			}
		}
		for i, s := range tab.Seats {
			if s.Player.ID != "" && strings.Contains(winners, s.Player.Name) != slices.Contains(result.Winners, i) {
				d.Errorf("%s: %s and the announcement %q", r.table, s.Player.Name, winners)
			}
		}
		return
	}
	d.Errorf("%s: no result is announced", r.table)
}

// played compares a table's records with the presses. Every accepted press is in them, and every card of a person was
// pressed by that person. It records whose each card was, and returns the number of accepted presses.
func (d *drill) played(r *room, tab table.Table, records []string, owners map[string]string) (accepted int) {
	d.Helper()
	moves := make([]map[string][]string, len(records)) // by deal and player
	for i, text := range records {
		var record struct {
			Actions []string
			Deals   []struct{ Actions []string }
		}
		if err := json.Unmarshal([]byte(text), &record); err != nil {
			d.Fatal(err)
		}
		if len(record.Deals) == 1 {
			record.Actions = record.Deals[0].Actions
		}
		moves[i] = map[string][]string{}
		for _, action := range record.Actions {
			who, move, _ := strings.Cut(action, ":")
			seat, err := strconv.Atoi(who)
			if err != nil || seat >= len(tab.Seats) {
				d.Fatalf("an action %q at %s", action, r.table)
			}
			player := tab.Seats[seat].Player.ID
			if player == "" {
				player = "an AI"
			}
			if move != "stop" {
				owners[fmt.Sprint(r.table, " ", i+1, " ", move)] = player
			}
			if player == "an AI" {
				continue
			}
			n := len(moves[i][player])
			moves[i][player] = append(moves[i][player], move)
			if press := fmt.Sprintf("play:%s:%d:%d:%s", r.table, i+1, n, move); move != "stop" && !r.pressed[press] {
				d.Errorf("%s: nobody pressed what is in the record of deal %d", press, i+1)
			}
		}
	}
	for press := range r.accepted {
		p, err := view.ParsePress(press)
		if err != nil || !strings.HasPrefix(press, "play:") {
			continue // accepted presses other than plays
		}
		accepted++
		found := false
		for _, own := range []string{fmt.Sprintf("telegram:%d", r.people[0].ID), fmt.Sprintf("telegram:%d", r.people[1].ID)} {
			if p.Deal <= len(moves) && p.Turn < len(moves[p.Deal-1][own]) && moves[p.Deal-1][own][p.Turn] == p.Move.String() {
				found = true
			}
		}
		if !found {
			d.Errorf("%s was accepted, and the record of deal %d has not got it", press, p.Deal)
		}
	}
	return accepted
}

// private checks every message that was ever sent or edited.
func (d *drill) private(owners map[string]string) {
	d.Helper()
	faults, seen := foreign(d.T, d.server.Calls(""), owners)
	for _, fault := range faults {
		d.Error(fault)
	}
	if seen == 0 {
		d.Error("no hand was ever shown")
	}
}

// foreign returns the calls with a button for a card that isn't their reader's, and the number of cards that were seen. owners are by
// table, deal and card; a card that nobody has played belongs to whoever saw it first.
func foreign(t *testing.T, calls []telegramtest.Call, owners map[string]string) (faults []string, seen int) {
	t.Helper()
	for _, call := range calls {
		var markup struct {
			Rows [][]struct {
				Data string `json:"callback_data"`
			} `json:"inline_keyboard"`
		}
		if call.Params["reply_markup"] == "" {
			continue
		}
		if err := json.Unmarshal([]byte(call.Params["reply_markup"]), &markup); err != nil {
			t.Fatal(err)
		}
		reader := "telegram:" + call.Params["chat_id"]
		for _, row := range markup.Rows {
			for _, b := range row {
				p, err := view.ParsePress(b.Data)
				if err != nil || p.Action != view.ActPlay {
					continue
				}
				card, is := p.Move.Card()
				if !is {
					continue
				}
				seen++
				key := fmt.Sprint(p.Table, " ", p.Deal, " ", card)
				if owners[key] == "" { // the card was never played
					owners[key] = reader
				}
				if owners[key] != reader {
					faults = append(faults, fmt.Sprintf("%s of %s was shown in %s: %v", key, owners[key], reader, call))
				}
			}
		}
	}
	return faults, seen
}

// A card of Ann's that is shown to Ben or to the group is found, also if nobody has played it.
func TestForeignCardsAreFound(t *testing.T) {
	t.Parallel()
	shown := func(chat, card string) telegramtest.Call {
		press := fmt.Sprintf("play:aaaaaaaaaaaaaaaa:1:0:%s", card)
		return telegramtest.Call{Method: "sendMessage", Params: map[string]string{"chat_id": chat, "reply_markup": `{"inline_keyboard":[[{"text":"x","callback_data":"` + press + `"}]]}`}}
	}
	const ann, ben, group, played, kept = "1", "2", "-3", "9h", "Ts"
	for name, tt := range map[string]struct {
		calls  []telegramtest.Call
		faults int
	}{
		"her own":                      {[]telegramtest.Call{shown(ann, played), shown(ann, kept), shown(ann, kept)}, 0},
		"to another player":            {[]telegramtest.Call{shown(ben, played)}, 1},
		"to the group":                 {[]telegramtest.Call{shown(ann, played), shown(group, played)}, 1},
		"one that was never played":    {[]telegramtest.Call{shown(ann, kept), shown(ben, kept)}, 1},
		"an edit of an older message":  {[]telegramtest.Call{{Method: "editMessageReplyMarkup", Params: shown(ben, played).Params}}, 1},
		"a message without any button": {[]telegramtest.Call{{Method: "sendMessage", Params: map[string]string{"chat_id": ben}}, shown(ann, played)}, 0},
	} {
		owners := map[string]string{"aaaaaaaaaaaaaaaa 1 " + played: "telegram:" + ann}
		if faults, seen := foreign(t, tt.calls, owners); len(faults) != tt.faults || seen == 0 {
			t.Errorf("%s: %d cards were seen, faults %q", name, seen, faults)
		}
	}
}

// problems ignores two kinds of problems that a killed process causes. It may not answer a press that it received.
// Another process may get the same press and answer it a second time.
func (d *drill) problems() {
	d.Helper()
	for _, p := range d.server.Problems() {
		if !strings.Contains(p, "was never answered") && !strings.Contains(p, "a second answer") {
			d.Errorf("telegram: %s", p)
		}
	}
	d.server.Forgive()
}
