package bottest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/bottest/town"
	"sedmabot/bot/chat"
	"sedmabot/bot/view"
)

// delivery is one message or edit that Telegram accepted.
type delivery struct {
	chat int64
	new  bool
	at   time.Time
	text string
	play string // data of its first button that plays a card
}

// overheard is a limited server that records what it was sent.
type overheard struct {
	*limited
	mu     sync.Mutex
	log    []delivery
	latest map[int64]delivery // by chat

	requests *town.Requests // nil: they aren't counted
}

func (s *overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer, err := s.limited.RoundTrip(r)
	method := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if s.requests != nil && method == "deleteMessage" {
		s.requests.Count("deletion")
	}
	if err != nil || answer.StatusCode != http.StatusOK || !strings.HasPrefix(method, "editMessage") && method != "sendMessage" && method != "sendPhoto" {
		return answer, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	p := asked(r)
	d := delivery{new: strings.HasPrefix(method, "send"), at: time.Now(), text: p.Get("text")}
	d.chat, _ = strconv.ParseInt(p.Get("chat_id"), 10, 64)
	if s.requests != nil {
		kind := ""
		if d.new {
			kind = "new message"
		}
		s.requests.Show(kind, p.Get("chat_id"), d.text)
	}
	var keys struct {
		Rows [][]struct {
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	}
	_ = json.Unmarshal([]byte(p.Get("reply_markup")), &keys)
	for _, row := range keys.Rows {
		for _, b := range row {
			if press, err := view.ParsePress(b.Data); err == nil && press.Action == view.ActPlay && d.play == "" {
				d.play = b.Data
			}
		}
	}
	s.mu.Lock()
	s.log = append(s.log, d)
	if s.latest == nil {
		s.latest = map[int64]delivery{}
	}
	s.latest[d.chat] = d
	s.mu.Unlock()
	return answer, err
}

// deliveries returns how many messages and edits a chat has got.
func (s *overheard) deliveries(peer int64) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.log {
		if d.chat == peer {
			n++
		}
	}
	return n
}

// newest returns what a chat shows now.
func (s *overheard) newest(peer int64) delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest[peer]
}

// Two people and two AIs play a deal as fast as they can in a Telegram group. The group must see one new message for
// the deal and an edit at most every three seconds, so edits combine several cards. Hands in private chats must be
// shown without that wait.
func TestADealInAGroup(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &overheard{limited: newLimited()}
		b, ctx, end := runOnTelegram(t, server, bot.Config{Pace: 1500 * time.Millisecond})
		defer end()
		defer close(server.released)
		time.Sleep(2 * time.Second)

		const group = -1000
		people := []int64{11, 12}
		do := func(person int64, command, press string) {
			home := "telegram:" + strconv.Itoa(group)
			b.Handle(ctx, chat.Input{
				Player: chat.Player{ID: "telegram:" + strconv.FormatInt(person, 10), Name: "P" + strconv.FormatInt(person, 10), Lang: "en"},
				Chat:   chat.Chat{ID: home, Home: home}, Command: command, Press: press,
			})
		}
		do(11, "new", "")
		do(12, "join", "")
		do(11, "start", "")
		begun := time.Now()
		waits := map[int64]time.Time{} // when each person pressed a card that their hand does not show as played yet
		over := func(text string) bool {
			return strings.Contains(text, "Deal 1 goes to") || strings.Contains(text, "the match is over")
		}
		for !over(server.newest(group).text) {
			if time.Since(begun) > 5*time.Minute {
				t.Fatalf("the deal does not end:\n%s", server.newest(group).text)
			}
			for _, person := range people {
				hand := server.newest(person)
				if since, ok := waits[person]; ok && hand.at.After(since) {
					if late := hand.at.Sub(since); late > 1500*time.Millisecond {
						t.Errorf("a hand was shown %v after the press", late)
					}
					delete(waits, person)
				}
				if _, ok := waits[person]; !ok && strings.Contains(hand.text, "Your turn") && hand.play != "" {
					waits[person] = time.Now()
					do(person, "", hand.play)
				}
			}
			time.Sleep(50 * time.Millisecond)
		}

		posts, edits := 0, 0
		var last time.Time
		server.mu.Lock()
		defer server.mu.Unlock()
		for _, d := range server.log {
			if d.chat != group {
				continue
			}
			if gap := d.at.Sub(last); !last.IsZero() && gap < 3*time.Second {
				t.Errorf("%v between two deliveries to the group", gap)
			}
			last = d.at
			switch {
			case strings.Contains(d.text, "who plays?"), strings.Contains(d.text, "first to"), strings.Contains(d.text, "the match is over"):
			case d.new:
				posts++
			default:
				edits++
			}
		}
		t.Logf("a deal of %v: %d new message, %d edits", time.Since(begun), posts, edits)
		if posts != 1 || edits > 21 {
			t.Errorf("a deal of 32 cards: %d new messages, %d edits", posts, edits)
		}
		if server.refused > 0 {
			t.Errorf("%d answers of 429", server.refused)
		}
	})
}
