// Package telegramtest is a fake Bot API server for tests, with scripted people. Start it with [New]. It is separate
// from the adapter's tests, because the tests of the whole program use it too. It checks every call against the
// published limits. A problem is a call that Telegram would refuse, or a failure that people would see. Each problem
// makes the test fail.
package telegramtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/bottest/cable"
)

// Server is a Bot API server with one bot.
type Server struct {
	URL        string // address of the server, without /bot<token>/…
	Token      string
	Username   string       // the bot's username
	Inline     bool         // people can ask the bot in chats where it isn't
	Feedback   bool         // the bot hears which of its results people post
	Guests     bool         // people can mention the bot in chats where it isn't
	Web        http.Handler // of a server of Within: what it loads from addresses
	Topics     bool         // private chats can have topics
	Alone      bool         // the bot can't be added to groups
	ReadsAll   bool         // the bot's privacy mode is off
	Ephemerals Ephemerals   // supported version of ephemeral messages
	Sparing    bool         // uploading the same photo twice is a problem; for a bot of one process without failures

	http    *httptest.Server
	mu      sync.Mutex
	changed chan struct{} // closed at the next change

	next     int64 // next id of a person, chat or query
	changes  int64 // how often the status of the bot in a chat has changed
	people   map[int64]*Person
	chats    map[int64]*Chat
	queries  map[string]*query
	inlines  map[string]*Chat // by id of an inline message: the chat that has only this message
	prepared []string
	photos   map[string]int // by file id: number of uploads of each photo
	calls    []Call
	failures []*Failure
	problems []string

	updates    []update
	last       update
	nextID     int64  // id of the next update
	hook       *hook  // nil if the bot polls for updates
	hookError  string // of the last call of the webhook; "": none failed
	hookFailed time.Time
	conflicts  int   // number of polls that were ended by a later one
	pollers    int   // number of getUpdates calls; a later one ends an earlier one
	offset     int64 // offset of the last poll
	polled     time.Time
	stopping   bool
}

type update struct {
	id   int64
	body map[string]any
}

// Call is a call of the bot, except getUpdates.
type Call struct {
	Method string
	Params map[string]string
}

// Failure makes calls fail.
type Failure struct {
	Method      string // "" for any method
	Chat        int64  // 0 for any chat
	Message     int64  // 0 for any message; else only calls about this one fail
	Inline      bool   // only calls about inline messages fail
	Times       int    // number of calls that fail; 0 for all
	Code        int    // 0 drops the connection
	Description string
	RetryAfter  int
	MigrateTo   int64
	Page        string        // the answer is this, like a proxy's, with the status Code
	Hold        chan struct{} // delay the answer until this is closed
	Delay       time.Duration // delay the answer by this time
	Cut         bool          // the connection breaks in the middle of the answer, and the call has no effect

	hits int
}

// Person is a user of Telegram. The bot can't write to a person who hasn't started the private chat.
type Person struct {
	ID    int64
	First string
	Lang  string

	s       *Server
	started bool
	blocked bool
}

// Chat is a group, or a person's private chat with the bot.
type Chat struct {
	ID    int64
	Title string

	s        *Server
	person   *Person // Person whose private chat it is, or nil
	became   int64   // id of the supergroup that it was upgraded to, or 0
	admins   map[int64]bool
	gone     map[int64]bool   // people who are no longer members
	manager  bool             // the bot is an administrator
	bot      string           // status of the bot
	mute     bool             // the bot may not write here
	tagger   bool             // the bot may set tags
	tags     map[int64]string // by person
	closed   map[int64]bool   // closed topics
	topics   map[int64]string // names of the topics of a private chat
	reacted  map[int64]string
	lastID   int64
	messages []*Message
	watchers []chan struct{}

	uploads       []int  // size in bytes of each photo that was uploaded here
	inline        string // id of the inline message that is all that the bot knows of the chat, or ""
	lastEphemeral int64
	commands      map[int64]*Person // by id: senders of ephemeral commands
}

// Message is a message of the bot as people see it now.
type Message struct {
	ID        int64
	Chat      int64
	Thread    int64
	Ephemeral int64  // id of an ephemeral message, whose ID is 0
	For       int64  // id of the only person who sees it, or 0
	Text      string // Text without markup
	HTML      string // Text as the bot sent it
	Entities  []Entity
	Buttons   [][]Button
	File      string // a file's name, a line break and its content
	Photo     string // file id of a photo
	ReplyTo   int64
	Silent    bool
	Edits     int

	deleted bool
}

// Button is a button of a message.
type Button struct {
	Label, Data, URL, Copy, Style string
	App                           string // address of the Mini App that the button opens
	Disabled                      bool   // a press does nothing
}

// Answer is the bot's answer to a press.
type Answer struct {
	Text  string
	Alert bool
	URL   string
}

type query struct {
	id       string
	data     string
	by       *Person
	at       time.Time
	answered bool
	old      bool // it is too late for an answer
	asks     bool // it needn't be answered: somebody asks in a chat where the bot isn't
	answer   Answer
	done     chan struct{} // closed when the query is answered
}

// New starts a server, which stops when the test ends. If there were problems, the test then fails.
func New(t testing.TB) *Server {
	s := made()
	s.http = cable.Serve(t, s, true)
	s.URL = s.http.URL
	t.Cleanup(func() {
		s.stop()
		s.http.CloseClientConnections()
		s.http.Close()
		s.report(t)
	})
	return s
}

// Within is like New, for a test inside a synctest bubble. The server is reachable only through its Client, without a
// network.
func Within(t testing.TB) *Server {
	s := made()
	s.URL = "http://telegram.test"
	t.Cleanup(func() {
		s.stop()
		s.report(t)
	})
	return s
}

func made() *Server {
	return &Server{
		Token:    "123456789:AAtest-Token_of_the_fake_server",
		Username: "SedmaTestBot",
		changed:  make(chan struct{}),
		next:     5400000000,
		nextID:   700,
		people:   map[int64]*Person{},
		chats:    map[int64]*Chat{},
		queries:  map[string]*query{},
		inlines:  map[string]*Chat{},
	}
}

// stop ends all open polls.
func (s *Server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping = true
	s.change()
}

func (s *Server) report(t testing.TB) {
	for _, p := range s.Problems() {
		t.Errorf("telegram: %s", p)
	}
}

// Client returns a client for a server of Within. For a server of New it returns nil.
func (s *Server) Client() *http.Client {
	if s.http != nil {
		return nil
	}
	return &http.Client{Transport: within{s}}
}

// within passes requests to the server and behaves like a network.
type within struct{ s *Server }

func (w within) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, ended := httptest.NewRecorder(), make(chan bool)
	go func() {
		complete := false
		defer func() {
			r := recover()
			if err, ok := r.(error); r != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) {
				panic(r)
			}
			ended <- complete
		}()
		w.s.ServeHTTP(answer, r.Clone(r.Context()))
		complete = true
	}()
	complete := <-ended
	switch {
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	case !complete:
		return nil, io.ErrUnexpectedEOF
	}
	return answer.Result(), nil
}

// Problems returns what Telegram would have refused, and presses without an answer.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := append([]string(nil), s.problems...)
	for _, q := range s.queries {
		if !q.answered && !q.asks && !q.old {
			out = append(out, fmt.Sprintf("the press %q was never answered", q.data))
		}
	}
	return out
}

// Forgive drops the problems so far and the presses without an answer, for tests that cause them.
func (s *Server) Forgive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = nil
	for id, q := range s.queries {
		if !q.answered {
			delete(s.queries, id)
		}
	}
}

// Calls returns the calls of a method so far, or all calls for "".
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			out = append(out, c)
		}
	}
	return out
}

// Fail makes future calls fail.
func (s *Server) Fail(f Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, &f)
}

// Heal removes all failures.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = nil
}

// Until waits until ok returns true or ctx ends. It checks again after every change.
func (s *Server) Until(ctx context.Context, ok func() bool) error {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if ok() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Watch returns a channel that gets a value whenever a message in one of the chats appears, changes or disappears. Only
// the chats' own watchers are woken, so many tests can watch many chats.
func (s *Server) Watch(chats ...*Chat) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := make(chan struct{}, 1)
	for _, c := range chats {
		c.watchers = append(c.watchers, w)
	}
	return w
}

// touched wakes the watchers of the chat. c.s.mu must be held.
func (c *Chat) touched() {
	for _, w := range c.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// change makes everybody who waits check again. s.mu must be held.
func (s *Server) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) problem(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// refusal is an error answer.
type refusal struct {
	code       int
	text       string
	retryAfter int
	migrateTo  int64
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{code: code, text: fmt.Sprintf(format, args...)}
}

// ServeHTTP serves the Bot API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, "/bot")
	token, method, _ := strings.Cut(path, "/")
	if !ok || token != s.Token {
		respond(w, nil, refuse(http.StatusUnauthorized, "Unauthorized"))
		return
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return // the bot gave up in the middle of its request
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	if err := r.ParseMultipartForm(1 << 20); err != nil && !errors.Is(err, http.ErrNotMultipart) {
		respond(w, nil, refuse(http.StatusBadRequest, "Bad Request: %v", err))
		return
	}
	params := map[string]string{}
	for k := range r.Form {
		params[k] = r.Form.Get(k)
	}
	if r.MultipartForm != nil {
		for k, list := range r.MultipartForm.File {
			params[k] = list[0].Filename + "\n" + content(list[0])
		}
	}
	s.mu.Lock()
	if method != "getUpdates" {
		s.calls = append(s.calls, Call{method, params})
		s.change() // a waiter can't look before the call is done, because s.mu is held
	}
	named := maps.Clone(params)
	if method == "editMessageMedia" {
		delete(named, "photo") // the file that media refers to
	}
	f := s.failure(method, params)
	if f == nil || loadSpec()[method] != nil { // an older program may call a method that the test makes fail
		for _, p := range loadSpec().check(method, named) {
			s.problem("%s: %s", method, p)
		}
	}
	if f == nil && method != "getUpdates" {
		result, refused := s.call(method, params)
		s.mu.Unlock()
		respond(w, result, refused)
		return
	}
	s.mu.Unlock()
	if f != nil {
		if f.Hold != nil {
			select {
			case <-f.Hold:
			case <-r.Context().Done():
				return
			}
		}
		if f.Delay > 0 {
			select {
			case <-time.After(f.Delay):
			case <-r.Context().Done():
				return
			}
		}
		switch {
		case f.Cut:
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"ok":true,"result":{"message_id":`)
			panic(http.ErrAbortHandler)
		case f.Page != "":
			w.WriteHeader(f.Code)
			fmt.Fprint(w, f.Page)
			return
		case f.Code != 0:
			respond(w, nil, &refusal{f.Code, f.Description, f.RetryAfter, f.MigrateTo})
			return
		case f.Hold == nil && f.Delay == 0:
			panic(http.ErrAbortHandler)
		}
	}
	if method == "getUpdates" {
		result, refused := s.poll(r.Context(), params)
		respond(w, result, refused)
		return
	}
	s.mu.Lock()
	result, refused := s.call(method, params)
	s.change()
	s.mu.Unlock()
	respond(w, result, refused)
}

// content returns the content of an uploaded file.
func content(h *multipart.FileHeader) string {
	f, err := h.Open()
	if err != nil {
		return ""
	}
	defer f.Close()
	data, _ := io.ReadAll(f)
	return string(data)
}

func respond(w http.ResponseWriter, result any, refused *refusal) {
	w.Header().Set("Content-Type", "application/json")
	if refused == nil {
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "result": result})
		return
	}
	body := map[string]any{"ok": false, "error_code": refused.code, "description": refused.text}
	parameters := map[string]any{}
	if refused.retryAfter != 0 {
		parameters["retry_after"] = refused.retryAfter
	}
	if refused.migrateTo != 0 {
		parameters["migrate_to_chat_id"] = refused.migrateTo
	}
	if len(parameters) > 0 {
		body["parameters"] = parameters
	}
	w.WriteHeader(refused.code)
	_ = json.NewEncoder(w).Encode(body)
}

// failure returns the failure that applies to this call, or nil.
func (s *Server) failure(method string, params map[string]string) *Failure {
	for _, f := range s.failures {
		if f.Method != "" && f.Method != method || f.Times > 0 && f.hits >= f.Times ||
			f.Inline && params["inline_message_id"] == "" || f.Chat != 0 && params["chat_id"] != strconv.FormatInt(f.Chat, 10) ||
			f.Message != 0 && params["message_id"] != strconv.FormatInt(f.Message, 10) {
			continue
		}
		f.hits++
		return f
	}
	return nil
}

// poll runs getUpdates.
func (s *Server) poll(ctx context.Context, params map[string]string) (any, *refusal) {
	offset, _ := strconv.ParseInt(params["offset"], 10, 64)
	seconds, _ := strconv.Atoi(params["timeout"])
	limit, _ := strconv.Atoi(params["limit"])
	ctx, cancel := context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
	defer cancel()
	s.mu.Lock()
	if s.hook != nil {
		s.mu.Unlock()
		return nil, refuse(http.StatusConflict, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	s.pollers++
	mine := s.pollers
	// https://github.com/tdlib/telegram-bot-api/blob/01a3679/telegram-bot-api/Client.cpp#L15717
	if now := time.Now(); offset == s.offset && now.Sub(s.polled) < time.Second/2 {
		limit = min(limit, 1)
	}
	s.offset, s.polled = offset, time.Now()
	for len(s.updates) > 0 && s.updates[0].id < offset {
		s.updates = s.updates[1:]
	}
	s.change()
	s.mu.Unlock()
	result, ended := []any{}, false
	_ = s.Until(ctx, func() bool { // until there are updates or the poll times out
		s.mu.Lock()
		defer s.mu.Unlock()
		ended = s.pollers != mine
		for _, u := range s.updates {
			if len(result) < limit && !ended {
				result = append(result, u.body)
			}
		}
		return ended || s.stopping || len(result) > 0
	})
	if ended {
		s.mu.Lock()
		s.conflicts++
		s.mu.Unlock()
		return nil, refuse(http.StatusConflict, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
	}
	return result, nil
}

// push sends an update to the bot. s.mu must be held.
func (s *Server) push(kind string, body map[string]any) {
	s.nextID++
	s.last = update{s.nextID, map[string]any{"update_id": s.nextID, kind: body}}
	s.updates = append(s.updates, s.last)
	if s.hook != nil {
		go s.deliver(s.hook, s.last)
	}
	s.change()
}

// Strange sends the bot an update of a shape that the Bot API doesn't have yet.
func (s *Server) Strange() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push("message", map[string]any{"message_id": "one", "chat": "Cards"})
}

// Repeat delivers the last update again, with the same id.
func (s *Server) Repeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updates = append(s.updates, s.last)
	if s.hook != nil {
		go s.deliver(s.hook, s.last)
	}
	s.change()
}

// Conflicts returns how many polls were ended by a later one.
func (s *Server) Conflicts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conflicts
}

// Forget drops the pending updates, as Telegram does after a day.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updates = nil
}

// Pending returns the number of updates that the bot has not acknowledged.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}
