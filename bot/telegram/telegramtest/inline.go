package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// result is an InlineQueryResultArticle, as far as the server reads it.
// https://core.telegram.org/bots/api#inlinequeryresultarticle
type result struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Title   string          `json:"title"`
	Buttons json.RawMessage `json:"reply_markup"`
	Message struct {
		Text string `json:"message_text"`
		Mode string `json:"parse_mode"`
	} `json:"input_message_content"`
}

// Post asks the bot with a text in a chat where the bot isn't, and posts the result with that id. It returns the chat,
// of which the bot knows only the posted message.
func (p *Person) Post(ctx context.Context, text, id string) (*Chat, error) {
	a, err := p.Ask(ctx, text)
	if err != nil {
		return nil, err
	}
	var found []result
	if err := json.Unmarshal([]byte(a.Text), &found); err != nil {
		return nil, fmt.Errorf("the results of %q: %w", text, err)
	}
	s := p.s
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range found {
		if r.ID == id {
			c := s.post(r)
			if s.Feedback {
				s.push("chosen_inline_result", map[string]any{"result_id": id, "from": p.body(), "query": text, "inline_message_id": c.inline})
			}
			return c, nil
		}
	}
	return nil, fmt.Errorf("no result %q for %q: %s", id, text, a.Text)
}

// Summon mentions the bot in a chat where it isn't, and returns that chat with the bot's answer. The chat has the id of
// like, which is another chat.
func (p *Person) Summon(ctx context.Context, like *Chat, text string) (*Chat, error) {
	s := p.s
	s.mu.Lock()
	s.next++
	q := &query{id: strconv.FormatInt(s.next, 10), data: text, by: p, at: time.Now(), asks: true, done: make(chan struct{})}
	s.queries[q.id] = q
	s.push("guest_message", map[string]any{"message_id": 5, "date": time.Now().Unix(), "chat": like.body(), "from": p.body(),
		"text": "@" + s.Username + " " + text, "guest_query_id": q.id})
	s.mu.Unlock()
	select {
	case <-q.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the answer to %q: %w", text, ctx.Err())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inlines[q.answer.Text], nil
}

// answerGuest runs answerGuestQuery. https://core.telegram.org/bots/api#answerguestquery
func (s *Server) answerGuest(p map[string]string) (any, *refusal) {
	q := s.queries[p["guest_query_id"]]
	if q == nil || q.answered {
		s.answeredTwice("answerGuestQuery", q)
		return nil, bad("query is too old and response timeout expired or query ID is invalid")
	}
	var r result
	if err := json.Unmarshal([]byte(p["result"]), &r); err != nil {
		s.problem("answerGuestQuery: %v", err)
		return nil, bad("can't parse the result")
	}
	c := s.post(r)
	q.answered = true
	q.answer = Answer{Text: c.inline}
	close(q.done)
	return map[string]any{"inline_message_id": c.inline}, nil
}

// post posts a result in a chat where the bot isn't. s.mu must be held.
func (s *Server) post(r result) *Chat {
	c := s.supergroup("elsewhere")
	c.inline = fmt.Sprintf("BAAAA_-%d", s.next)
	s.inlines[c.inline] = c
	m := &Message{ID: 1, Chat: c.ID}
	if r.Type != "article" || r.Title == "" || r.ID == "" || len(r.ID) > 64 {
		s.problem("a result of kind %q with the id %q and the title %q", r.Type, r.ID, r.Title)
	}
	if refused := s.content("sendMessage", map[string]string{"text": r.Message.Text, "parse_mode": r.Message.Mode, "reply_markup": string(r.Buttons)}, m); refused != nil {
		s.problem("a posted result: %s", refused.text)
	}
	c.messages = append(c.messages, m)
	c.touched()
	s.change()
	return c
}

// maxLoaded is the size of the largest photo that the server loads from an address, in bytes.
// https://core.telegram.org/bots/api#sending-files
const maxLoaded = 5 << 20

// get asks an address, over the network if there is one.
func (s *Server) get(address string) (*http.Response, error) {
	if s.http != nil {
		return s.http.Client().Get(address)
	}
	answer := httptest.NewRecorder()
	s.Web.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, address, nil))
	return answer.Result(), nil
}

// load sets m's photo to the one at an address, which is its id from then on.
func (s *Server) load(address string, m *Message) *refusal {
	resp, err := s.get(address)
	if err != nil {
		return bad("failed to get HTTP URL content")
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxLoaded+1))
	switch img, decoded := png.DecodeConfig(bytes.NewReader(data)); {
	case err != nil || resp.StatusCode != http.StatusOK || len(data) > maxLoaded || len(address) > 2048:
		return bad("failed to get HTTP URL content")
	case resp.Header.Get("Content-Type") != "image/png" || decoded != nil || img.Width+img.Height > 10000:
		return bad("wrong type of the web page content")
	}
	m.Photo = address
	return nil
}
