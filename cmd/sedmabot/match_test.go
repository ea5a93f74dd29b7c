package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/game/record"
	"sedmabot/store"
	"sedmabot/store/boltstore"
	"sedmabot/store/redisstore"
	"sedmabot/store/redistest"
)

// kept is the store of a test's program: its configuration line, and how the test opens it afterwards.
type kept struct {
	config string
	open   func() (store.Store, error)
}

func onBolt(t *testing.T) kept {
	config := dataFile(t)
	return kept{config, func() (store.Store, error) { return boltstore.Open(strings.TrimPrefix(config, "store.path: ")) }}
}

func onRedis(t *testing.T) kept {
	url := redistest.Start(t).URL()
	return kept{"store.redis_url: " + url, func() (store.Store, error) {
		return redisstore.Open(context.WithoutCancel(t.Context()), url, redisstore.Options{})
	}}
}

// everyStore runs a test on each store.
func everyStore(t *testing.T, f func(t *testing.T, k kept)) {
	for name, open := range map[string]func(*testing.T) kept{"bolt": onBolt, "redis": onRedis} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, open(t))
		})
	}
}

// A whole match is played and counted on each platform.
func TestMatchOnTelegram(t *testing.T) {
	t.Parallel()
	unhurried(t)
	k, server := onRedis(t), telegramtest.New(t)
	p := startEager(t, k.config, "telegram.token: "+server.Token, "telegram.api_base: "+server.URL, "table.pace: 0")
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	playUntil(c, everybody(c, 1), finished)
	checkBoard(t, c)
	p.end()
	checkRecords(t, k, 0)
}

func TestMatchOnDiscord(t *testing.T) {
	t.Parallel()
	unhurried(t)
	k, server := onBolt(t), discordtest.New(t)
	p := startEager(t, k.config, "discord.token: "+server.Token(), "discord.api_base: "+server.URL(), "table.pace: 0")
	c := newDiscord(t, server, "Ann", "Ben")
	c.open()
	playUntil(c, everybody(c, 1), finished)
	checkBoard(t, c)
	p.end()
	checkRecords(t, k, 0)
}

func TestMatchInThePlayground(t *testing.T) {
	t.Parallel()
	clocktest.Whole(t)
	unhurried(t)
	k := onBolt(t)
	p := start(t, k.config, "playground.listen: 127.0.0.1:0", "table.pace: 0")
	c := newPage(t, "Ann", "Ben", "Cat", "Dan")
	c.connect(p.playgroundURL())
	c.open()
	playUntil(c, everybody(c, 1), finished)
	checkBoard(t, c)
	p.end()
	checkRecords(t, k, 0)
}

// A match of one deal must be played and counted within Telegram's rate limits.
func TestPacedOnTelegram(t *testing.T) {
	t.Parallel()
	unhurried(t)
	clocktest.Whole(t)
	server := telegramtest.New(t)
	start(t, dataFile(t), "telegram.token: "+server.Token, "telegram.api_base: "+server.URL, "table.pace: 0")
	c := newTelegram(t, server, "Ann", "Ben")
	c.open()
	c.lastDeal()
	playUntil(c, everybody(c, 1), finished)
	checkBoard(t, c)
}

// checkBoard checks the leaderboard after a match. Everybody must have played it, and the announced winners must have
// won it.
func checkBoard(t *testing.T, c crowd) {
	t.Helper()
	result := ""
	for _, text := range c.group() {
		if strings.Contains(text, over) {
			result = text
		}
	}
	winner := regexp.MustCompile(`(?m)^(?:.* )??(?:([^ ].*) wins? \d.*|\d.*, a draw)$`).FindStringSubmatch(result)
	if winner == nil {
		t.Fatalf("no winner in\n%s", result)
	}
	board := c.board()
	for _, name := range c.names() {
		wins := 0
		if strings.Contains(winner[1], name) {
			wins = 1
		}
		if row := fmt.Sprintf(`(?m)%s\b.*\b%d of 1 won`, name, wins); !regexp.MustCompile(row).MatchString(board) {
			t.Errorf("the winner is %s; %s has not won %d of 1 in\n%s", winner[1], name, wins, board)
		}
	}
}

// checkRecords runs checkDeals on the only stored match, and returns its records. It has that many deals; 0: it is a whole
// match.
func checkRecords(t *testing.T, k kept, deals int) []string {
	t.Helper()
	s, err := k.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	docs := map[string]json.RawMessage{}
	for partition := range store.Partitions {
		for cursor := ""; ; {
			page, next, err := s.Scan(t.Context(), partition, "record:", cursor)
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range page {
				var body struct{ D json.RawMessage }
				if err := json.Unmarshal(doc.Data, &body); err != nil {
					t.Fatal(err)
				}
				docs[doc.Key.Name] = body.D
			}
			if cursor = next; cursor == "" {
				break
			}
		}
	}
	all := recordsOf(t, docs)
	if len(all) != 1 {
		t.Fatalf("records of %d tables are kept", len(all))
	}
	for table, records := range all {
		if deals > 0 && len(records) != deals {
			t.Fatalf("%d deals are kept, want %d", len(records), deals)
		}
		if scores := checkDeals(t, records); deals == 0 && slices.Max(scores) < target(t, records[0]) {
			t.Errorf("after %d deals the match at %s stands at %v and is not over", len(records), table, scores)
		}
		return records
	}
	return nil
}

// recordsOf returns the records among the documents, by table and in the order of the deals. docs are by name.
func recordsOf(t *testing.T, docs map[string]json.RawMessage) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for name := range docs {
		if id, ok := strings.CutPrefix(name, "record:"); ok {
			table, _, _ := strings.Cut(id, ":")
			all[table] = append(all[table], "")
		}
	}
	for table, records := range all {
		for i := range records {
			doc, ok := docs[fmt.Sprintf("record:%s:%d", table, i+1)]
			if !ok {
				t.Fatalf("%d deals of %s are kept, and deal %d is not", len(records), table, i+1)
			}
			records[i] = string(doc)
		}
	}
	return all
}

// checkDeals replays the records of a match. Each deal must be legal and finished, and begin with the scores that the
// one before it ended with. None may come after the end of the match. It returns the final scores.
func checkDeals(t *testing.T, records []string) []int {
	t.Helper()
	out, err := tool(t, strings.Join(records, "\n")+"\n", "replay", "--jsonl")
	if err != nil {
		t.Fatal(err)
	}
	scores, dealer, enough := []int{0, 0}, -1, target(t, records[0])
	for i, line := range linesOf(out) {
		var began struct {
			Scores []int
			Dealer int
		}
		var ended struct {
			Error, Message string
			Scores         []int
			Over           bool
			Deals          []struct {
				Finished   bool
				NextDealer int `json:"next_dealer"`
			}
		}
		if err := json.Unmarshal([]byte(records[i]), &began); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(line), &ended); err != nil {
			t.Fatal(err)
		}
		if ended.Error != "" || len(ended.Deals) != 1 || !ended.Deals[0].Finished {
			t.Fatalf("deal %d does not replay: %s\n%s", i+1, line, records[i])
		}
		if began.Scores == nil {
			began.Scores = []int{0, 0}
		}
		if !slices.Equal(began.Scores, scores) || dealer >= 0 && began.Dealer != dealer {
			t.Errorf("deal %d begins at %v with dealer %d, after %v and %d", i+1, began.Scores, began.Dealer, scores, dealer)
		}
		if slices.Max(scores) >= enough {
			t.Errorf("deal %d comes after the end of the match", i+1)
		}
		scores, dealer = ended.Scores, ended.Deals[0].NextDealer
	}
	return scores
}

// target returns the score that ends the match of a record.
func target(t *testing.T, data string) int {
	t.Helper()
	r, err := record.Read([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return r.Rules.Target
}
