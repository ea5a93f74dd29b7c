// Package telegramtest is a Bot API server for tests, with people who can be
// scripted. It stands apart from the adapter's tests because the tests of the
// whole program play with it too. It holds every call to the published limits; what
// Telegram would refuse, and what a person would see fail, is a problem, and
// each problem fails the test.
package telegramtest

import (
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
)

// Server is a Bot API server with one bot.
type Server struct {
	URL      string // what stands before /bot<token>/…
	Token    string
	Username string // the bot's
	Alone    bool   // it cannot be added to groups
	ReadsAll bool   // its privacy mode is off
	Asides   Asides // what the server knows of ephemeral messages
	Sparing  bool   // no photo may be sent as a file for a second time: the bot is one process, and nothing fails

	http    *httptest.Server
	spec    *spec // nil where the specification isn't at hand
	mu      sync.Mutex
	changed chan struct{} // closed at the next change

	next     int64 // the next id of a person, a chat, a query
	people   map[int64]*Person
	chats    map[int64]*Chat
	queries  map[string]*query
	menus    map[string]string // commands by scope and language
	photos   map[string]int    // how often each was sent as a file, by its id
	calls    []Call
	failures []*Failure
	problems []string

	updates   []update
	last      update
	nextID    int64 // of the next update
	hook      *hook // nil: updates are polled for
	conflicts int   // how many polls a later one ended
	pollers   int   // counts getUpdates: a later one ends an earlier one
	offset    int64 // of the last poll
	polled    time.Time
	stopping  bool
}

type update struct {
	id   int64
	body map[string]any
}

// Call is a call of the bot, polls excluded.
type Call struct {
	Method string
	Params map[string]string
}

// Failure makes calls fail.
type Failure struct {
	Method      string // "" for every method
	Chat        int64  // 0 for every chat
	Times       int    // how many calls; 0 for all
	Code        int    // 0: the connection is dropped
	Description string
	RetryAfter  int
	MigrateTo   int64
	Page        bool          // answer with a page of a proxy
	Hold        chan struct{} // answer only when it is closed
	Delay       time.Duration // answer only after it
	Cut         bool          // the connection ends in the middle of the answer; nothing was done

	hits int
}

// Person is somebody with the app. His private chat with the bot is not open
// until he starts it.
type Person struct {
	ID    int64
	First string
	Lang  string

	s       *Server
	started bool
	blocked bool
}

// Chat is a group or somebody's private chat with the bot.
type Chat struct {
	ID    int64
	Title string

	s        *Server
	person   *Person // whose private chat it is
	became   int64   // the supergroup that it is now
	admins   map[int64]bool
	gone     map[int64]bool // who is no member any more
	manager  bool           // the bot is an administrator
	closed   map[int64]bool // topics that are closed
	reacted  map[int64]string
	lastID   int64
	messages []*Message
	watchers []chan struct{}

	uploads   []int // the bytes of each photo that was sent here as a file
	lastAside int64
	commands  map[int64]*Person // ephemeral commands, by whom
}

// Message is a message of the bot as people see it now.
type Message struct {
	ID       int64
	Chat     int64
	Thread   int64
	Aside    int64  // the number of an ephemeral message, which has no ID
	For      int64  // who alone sees it
	Text     string // what can be read
	HTML     string // what the bot sent
	Entities []Entity
	Buttons  [][]Button
	File     string // a file's name, a line break and what is in it
	Photo    string // a photo's file id
	ReplyTo  int64
	Silent   bool
	Edits    int

	deleted bool
}

// Button is a button of a message.
type Button struct {
	Label, Data, URL, Style string
}

// Answer is what a presser is told.
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
	answer   Answer
	told     chan struct{} // closed when it is answered
}

// New starts a server that lives as long as the test. At the end, its problems
// fail the test.
func New(t testing.TB) *Server {
	s := made(t)
	s.http = httptest.NewServer(s)
	s.URL = s.http.URL
	t.Cleanup(func() {
		s.stop()
		s.http.CloseClientConnections()
		s.http.Close()
		s.report(t)
	})
	return s
}

// Within is New for a test in a bubble of time: only its Client leads to the server, by no network.
func Within(t testing.TB) *Server {
	s := made(t)
	s.URL = "http://telegram.test"
	t.Cleanup(func() {
		s.stop()
		s.report(t)
	})
	return s
}

func made(t testing.TB) *Server {
	s := &Server{
		Token:    "123456789:AAtest-Token_of_the_fake_server",
		Username: "SedmaTestBot",
		changed:  make(chan struct{}),
		next:     5400000000,
		nextID:   700,
		people:   map[int64]*Person{},
		chats:    map[int64]*Chat{},
		menus:    map[string]string{},
		queries:  map[string]*query{},
	}
	var err error
	if s.spec, err = loadSpec(); err != nil {
		t.Logf("calls are not checked against the API's specification: %v", err)
	}
	return s
}

// stop ends the polls that are open.
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

// Client leads to a server that was made by Within, and is nil for one of New.
func (s *Server) Client() *http.Client {
	if s.http != nil {
		return nil
	}
	return &http.Client{Transport: within{s}}
}

// within takes requests to the server as a network does.
type within struct{ s *Server }

func (w within) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, ended := httptest.NewRecorder(), make(chan bool)
	go func() {
		whole := false
		defer func() {
			r := recover()
			if err, ok := r.(error); r != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) {
				panic(r)
			}
			ended <- whole
		}()
		w.s.ServeHTTP(answer, r.Clone(r.Context()))
		whole = true
	}()
	whole := <-ended
	switch {
	case r.Context().Err() != nil:
		return nil, r.Context().Err()
	case !whole:
		return nil, io.ErrUnexpectedEOF
	}
	return answer.Result(), nil
}

// Problems are what Telegram would have refused, and presses without an answer.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := append([]string(nil), s.problems...)
	for _, q := range s.queries {
		if !q.answered {
			out = append(out, fmt.Sprintf("the press %q was never answered", q.data))
		}
	}
	return out
}

// Forgive forgets the problems so far, for tests that cause one, and presses that still wait for an answer.
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

// Calls are the calls so far of a method, or of all with "".
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

// Fail makes coming calls fail.
func (s *Server) Fail(f Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, &f)
}

// Heal ends all failures.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = nil
}

// Until waits until ok holds, or for the end of ctx. It asks again whenever
// something changed.
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

// Watch returns a channel that gets something whenever a message of one of the
// chats comes, changes or goes. Nobody else is woken for it, so that many may
// watch many chats.
func (s *Server) Watch(chats ...*Chat) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := make(chan struct{}, 1)
	for _, c := range chats {
		c.watchers = append(c.watchers, w)
	}
	return w
}

// touched wakes those who watch the chat. c.s.mu is held.
func (c *Chat) touched() {
	for _, w := range c.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// change wakes those who wait. s.mu is held.
func (s *Server) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) problem(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// refusal is an answer that is no result.
type refusal struct {
	code       int
	text       string
	retryAfter int
	migrateTo  int64
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{code: code, text: fmt.Sprintf(format, args...)}
}

// ServeHTTP is the Bot API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, "/bot")
	token, method, _ := strings.Cut(path, "/")
	if !ok || token != s.Token {
		respond(w, nil, refuse(http.StatusUnauthorized, "Unauthorized"))
		return
	}
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
		s.change() // who waits for the call finds it done, for s.mu is held
	}
	named := maps.Clone(params)
	if method == "editMessageMedia" {
		delete(named, "photo") // the file that media names
	}
	for _, p := range s.spec.check(method, named) {
		s.problem("%s: %s", method, p)
	}
	f := s.failure(method, params)
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
		case f.Page:
			w.WriteHeader(f.Code)
			fmt.Fprint(w, "<html><body>Bad Gateway</body></html>")
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

// content is what was sent as a file.
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

// failure is the failure that this call meets, if any.
func (s *Server) failure(method string, params map[string]string) *Failure {
	for _, f := range s.failures {
		if f.Method != "" && f.Method != method || f.Times > 0 && f.hits >= f.Times ||
			f.Chat != 0 && params["chat_id"] != strconv.FormatInt(f.Chat, 10) {
			continue
		}
		f.hits++
		return f
	}
	return nil
}

// poll is getUpdates.
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
	_ = s.Until(ctx, func() bool { // or for as long as the poll may last
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

// push tells the bot of something. s.mu is held.
func (s *Server) push(kind string, body map[string]any) {
	s.nextID++
	s.last = update{s.nextID, map[string]any{"update_id": s.nextID, kind: body}}
	s.updates = append(s.updates, s.last)
	if s.hook != nil {
		go s.deliver(s.hook, s.last)
	}
	s.change()
}

// Repeat delivers the last update once more under the same id.
func (s *Server) Repeat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updates = append(s.updates, s.last)
	if s.hook != nil {
		go s.deliver(s.hook, s.last)
	}
	s.change()
}

// Conflicts is how many polls were ended by another's.
func (s *Server) Conflicts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conflicts
}

// Pending is how many updates the bot has not acknowledged.
func (s *Server) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.updates)
}
