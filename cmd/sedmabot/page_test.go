package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// onPage is a crowd in the playground that uses the page's HTTP requests. So the program can be another process, and
// can be killed.
type onPage struct {
	t      *testing.T
	url    string
	people []string // ids

	standing map[string]pageMessage
	order    []string
	events   chan pageEvent // closed when the page is gone
	gone     bool
	down     context.CancelFunc
	accepted []string // plays that were answered and not refused
	answers  []string // answer to each play
	failed   error    // error of the latest post without an answer
}

type pageEvent struct {
	Put  []pageMessage `json:"put"`
	Drop []string      `json:"drop"`
	all  bool
}

type pageMessage struct {
	ID     string `json:"id"`
	Chat   string `json:"chat"`
	Only   string `json:"only"`
	Blocks []struct {
		Spans []struct {
			Kind string `json:"kind"`
			Text string `json:"text"`
		} `json:"spans"`
	} `json:"blocks"`
	Rows [][]struct {
		Label string `json:"label"`
		Press string `json:"press"`
		Off   bool   `json:"off"`
	} `json:"rows"`
}

// message returns the message as a person sees it.
func (m pageMessage) message() message {
	out := message{id: m.ID}
	for _, block := range m.Blocks {
		for _, s := range block.Spans {
			if out.text += s.Text; s.Kind == "break" {
				out.text += "\n"
			}
		}
		out.text += "\n"
	}
	for _, row := range m.Rows {
		for _, b := range row {
			if !b.Off {
				out.buttons = append(out.buttons, button{b.Label, b.Press})
			}
		}
	}
	return out
}

const pageChannel = "playground:channel"

func newPage(t *testing.T, names ...string) *onPage {
	c := &onPage{t: t, down: func() {}}
	for _, name := range names {
		c.people = append(c.people, "playground:"+strings.ToLower(name))
	}
	t.Cleanup(func() { c.down() })
	return c
}

// connect opens the page at url, which may differ from the one before.
func (c *onPage) connect(url string) {
	c.t.Helper()
	c.down()
	ctx, cancel := context.WithCancel(c.t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/events", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	events := make(chan pageEvent, 1000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(events)
		defer response.Body.Close()
		kind := ""
		for s := bufio.NewReader(response.Body); ; {
			line, err := s.ReadString('\n')
			if err != nil {
				return
			}
			if k, ok := strings.CutPrefix(line, "event: "); ok {
				kind = strings.TrimSpace(k)
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				e := pageEvent{all: kind == "all"}
				if json.Unmarshal([]byte(data), &e) == nil {
					events <- e
				}
			}
		}
	}()
	c.url, c.events, c.gone = url, events, false
	c.down = func() { cancel(); <-done }
	c.take(<-events)
}

// take applies an event to the shown messages.
func (c *onPage) take(e pageEvent) {
	if e.all {
		c.standing, c.order = map[string]pageMessage{}, nil
	}
	for _, m := range e.Put {
		if _, ok := c.standing[m.ID]; !ok {
			c.order = append(c.order, m.ID)
		}
		c.standing[m.ID] = m
	}
	for _, id := range e.Drop {
		delete(c.standing, id)
	}
}

// post sends a request to the page. It returns the line that the person gets, or false if the page went away before
// answering.
func (c *onPage) post(path string, body map[string]string) (toast string, ok bool) {
	c.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.url+path, bytes.NewReader(data))
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Origin", c.url)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.failed = err
		return "", false
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.failed = err
		return "", false
	}
	var answer struct{ Toast string }
	if err := json.Unmarshal(text, &answer); err != nil || response.StatusCode != http.StatusOK {
		c.t.Errorf("%s %s: %s %s", path, data, response.Status, text)
	}
	return answer.Toast, true
}

// see returns the messages that match, oldest first.
func (c *onPage) see(want func(pageMessage) bool) []message {
	var all []message
	for _, id := range c.order {
		if m, ok := c.standing[id]; ok && want(m) {
			all = append(all, m.message())
		}
	}
	return all
}

func (c *onPage) names() []string {
	var names []string
	for _, id := range c.people {
		name := strings.TrimPrefix(id, "playground:")
		names = append(names, strings.ToUpper(name[:1])+name[1:])
	}
	return names
}

// press waits for a button with that label in the channel and presses it.
func (c *onPage) press(who int, label string) {
	c.t.Helper()
	c.pressAs(who, label, func(data string) string { return data })
}

// pressAs sends what as makes of the data of a button in the channel.
func (c *onPage) pressAs(who int, label string, as func(data string) string) {
	c.t.Helper()
	var found message
	var data string
	c.until(func() bool {
		for _, m := range c.see(func(m pageMessage) bool { return m.Chat == pageChannel && m.Only == "" }) {
			for _, b := range m.buttons {
				if b.label == label {
					found, data = m, b.data
				}
			}
		}
		return data != ""
	})
	c.post("/press", map[string]string{"person": c.people[who], "message": found.id, "press": as(data), "lang": "en"})
}

func (c *onPage) open() {
	c.t.Helper()
	c.post("/command", map[string]string{"person": c.people[0], "chat": pageChannel, "line": "/new 4", "lang": "en"})
	for who := range c.people[1:] {
		c.press(who+1, "Join")
	}
	c.pressAs(0, "Start", toTen)
	c.press(0, "Start")
}

func (c *onPage) lastDeal() {
	c.t.Helper()
	var found message
	c.until(func() bool {
		for _, m := range c.see(func(m pageMessage) bool { return m.Chat == pageChannel && m.Only == "" }) {
			running := slices.ContainsFunc(m.buttons, func(b button) bool { return b.label == "My cards" })
			for _, b := range m.buttons {
				if b.label == "More" && running {
					found = message{m.id, m.text, []button{b}}
				}
			}
		}
		return found.id != ""
	})
	press := strings.Replace(found.buttons[0].data, "more:", "sure:", 1) + ":last"
	if toast, ok := c.post("/press", map[string]string{"person": c.people[0], "message": found.id, "press": press, "lang": "en"}); toast != "" || !ok {
		c.t.Fatalf("the last deal: %q, %v", toast, c.failed)
	}
}

func (c *onPage) group() []string {
	var texts []string
	for _, m := range c.see(func(m pageMessage) bool { return m.Chat == pageChannel && m.Only == "" }) {
		texts = append(texts, m.text)
	}
	return texts
}

func (c *onPage) hands(who int) []message {
	all := c.see(func(m pageMessage) bool { return m.Chat == c.people[who] })
	return slices.DeleteFunc(all, func(m message) bool { return len(m.plays()) == 0 })
}

func (c *onPage) play(who int, m message, b button) {
	c.t.Helper()
	toast, ok := c.post("/press", map[string]string{"person": c.people[who], "message": m.id, "press": b.data, "lang": "en"})
	if ok {
		c.answers = append(c.answers, toast)
	}
	if ok && toast == "" {
		c.accepted = append(c.accepted, b.data)
	}
}

func (c *onPage) board() string {
	c.t.Helper()
	if answer, ok := c.post("/command", map[string]string{"person": c.people[0], "chat": pageChannel, "line": "/leaderboard", "lang": "en"}); answer != "" || !ok {
		c.t.Fatalf("asked for the leaderboard: %q, %v", answer, c.failed)
	}
	board := ""
	c.until(func() bool {
		for _, text := range c.group() {
			if strings.Contains(text, "Leaderboard") {
				board = text
			}
		}
		return board != ""
	})
	return board
}

func (c *onPage) until(ok func() bool) {
	c.t.Helper()
	late := time.After(patience)
	for !ok() && !c.gone {
		select {
		case e, open := <-c.events:
			if c.gone = !open; open {
				c.take(e)
			}
		case <-late:
			c.t.Fatalf("nothing happens any more: %v\nthe latest presses were answered with %q, and one was not: %v",
				c.see(func(pageMessage) bool { return true }), c.answers[max(0, len(c.answers)-5):], c.failed)
		}
	}
}

// quiet reports whether nothing changes for that long. If something changes, it returns false at once.
func (c *onPage) quiet(long time.Duration) bool {
	select {
	case e, open := <-c.events:
		if c.gone = !open; open {
			c.take(e)
		}
		return c.gone
	case <-time.After(long):
		return true
	}
}
