// Package discordtest is a fake Discord for tests. It serves the part of Discord's API and gateway that the bot uses,
// on a loopback address. Scripted people use commands, press buttons and read what they see. Start it with [New]. It is
// separate from the tests of bot/discord, because the tests of cmd/sedmabot start the whole program against it.
//
// It checks what Discord would refuse. Lengths and counts must be within the limits, and a message must say whom it
// mentions. Every interaction must be answered once and within three seconds. Those are measured on a [clocktest.Clock],
// which waits for an overloaded machine. Each problem makes the test fail when it ends, with the request in the
// message.
package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sedmabot/bot/bottest/cable"
	"sedmabot/bot/clocktest"
)

// patience is how long Until waits before the test fails. It only prevents an endless wait; it is no measure of speed.
const patience = 2 * time.Minute

// firstAnswer is how long Discord waits for the first answer to an interaction.
const firstAnswer = 3 * time.Second

// tokenLife is how long an interaction's token is valid.
const tokenLife = 15 * time.Minute

type object = map[string]any

// clock measures the time in which the bot was able to run.
type clock interface{ Now() time.Duration }

// bubble is the clock of a synctest bubble, where no machine is overloaded.
type bubble time.Time

func (b bubble) Now() time.Duration { return time.Since(time.Time(b)) }

// Server is a Discord with one bot.
type Server struct {
	tb    testing.TB
	http  *httptest.Server
	token string
	app   string
	clock clock

	Private bool              // only its owner can add the application to servers. Set it before the bot starts
	Saw     func(what string) // is called when something rare happens; nil: nobody counts. Set it before the bot starts

	mu           sync.Mutex
	public       string        // address at which the bot reaches the server
	ahead        time.Duration // difference of Discord's clock to this machine's
	late         time.Duration // delay of an interaction on its way to the bot
	changed      chan struct{} // closed at every change
	last         int           // last id given out
	problems     []string
	calls        []Call
	faults       []*Fault
	commands     []any
	emojis       []Emoji
	people       map[string]*Person
	channels     map[string]*Channel
	guilds       []*Guild
	interactions []*Interaction
	sessions     map[string]*session
	heartbeat    time.Duration     // how often new connections must send a heartbeat
	closed       int               // close code of the connection that the bot closed last, or 0
	anywhere     bool              // the address for resuming sessions is unreachable
	tried        bool              // the bot gave up a connection to resume a session: on a busy machine, a dial takes too long
	refuse       int               // close code for every new connection, or 0
	shards       int               // number of shards that the bot is told to have
	concurrency  int               // number of shards that may start at a time
	begun        map[int]time.Time // by group: when a session last began
	apart        time.Duration     // minimum time between two starts of shards in one group
	lateAnswers  bool              // see AllowLateAnswers
	started      int               // number of sessions so far
	limit        int               // allowed requests of a kind per period; 0 for any number
	period       time.Duration
	buckets      map[string]*bucket
	key          ed25519.PrivateKey
	endpoint     string // URL for interactions, or "" to use the gateway
	activity     activity
}

// Call is a request from the bot.
type Call struct {
	Method string
	Path   string // below /api/v10
	Body   json.RawMessage
	Files  []File
	Status int
}

// File is a file that was sent with a request.
type File struct{ Name, Data string }

// Fault is an error answer for some requests.
type Fault struct {
	Method string // "" for any method
	Path   string // prefix of the path
	Times  int    // number of requests that fail
	Status int
	Code   int
	After  float64       // retry_after, in seconds
	Cut    bool          // the connection breaks in the middle of the answer, and the request has no effect
	Page   bool          // the answer is an HTML page, like a proxy's
	Hold   chan struct{} // delay the normal answer until this is closed
	Lost   bool          // the request has its effect, and the connection breaks in the middle of the answer
}

// New starts a Discord, which stops when the test ends. If there were problems, the test then fails.
func New(tb testing.TB) *Server {
	s := made(tb, clocktest.Start(tb))
	s.http = cable.Serve(tb, s, true)
	s.public = s.http.URL
	tb.Cleanup(func() {
		s.Drop()
		s.http.Close()
		for _, p := range s.Problems() {
			tb.Errorf("discord: %s", p)
		}
	})
	return s
}

// Within returns a Discord for a test inside a synctest bubble. The test serves it at that address, asks it for Problems, and
// drops its connections at the end. A bubble begins before Discord did, so Discord's clock is ahead.
func Within(tb testing.TB, url string) *Server {
	s := made(tb, bubble(time.Now()))
	s.public, s.ahead = url, 30*365*24*time.Hour
	return s
}

func made(tb testing.TB, c clock) *Server {
	s := &Server{
		tb:        tb,
		clock:     c,
		token:     "test-token-that-nobody-may-see",
		last:      1000,
		apart:     5 * time.Second,
		heartbeat: 40 * time.Second,
		changed:   make(chan struct{}),
		people:    map[string]*Person{},
		channels:  map[string]*Channel{},
		sessions:  map[string]*session{},
		shards:    1, concurrency: 1, begun: map[int]time.Time{},
		key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)),
	}
	s.app = s.id()
	return s
}

// URL returns the server's address, without /api/….
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.public
}

// Via sets the server's address for a bot that reaches it another way, such as over a cable. Set it before the bot starts.
func (s *Server) Via(url string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.public = url
}

// socket returns the address of a path of the gateway. s.mu must be held.
func (s *Server) socket(path string) string {
	return "ws" + strings.TrimPrefix(s.public, "http") + strings.TrimSuffix(path, "/")
}

// Token returns the bot's token.
func (s *Server) Token() string { return s.token }

// Advance moves Discord's clock forward or back. That clock is used in dates of answers, ids of interactions, and
// signatures.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
}

// Delay delays new interactions on their way to the bot. The bot need not answer those that arrive too late.
func (s *Server) Delay(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = d
}

// now returns the time on Discord's clock. s.mu must be held.
func (s *Server) now() time.Time { return time.Now().Add(s.ahead) }

// epoch is the start of Discord's ids, in milliseconds of Unix time
// (https://discord.com/developers/docs/reference#snowflakes).
const epoch = 1420070400000

// snowflake returns an id that contains its creation time. s.mu must be held.
func (s *Server) snowflake(at time.Time) string {
	s.last++
	return strconv.FormatInt((at.UnixMilli()-epoch)<<22|int64(s.last)&(1<<22-1), 10)
}

// Problems returns what Discord would have refused, or what people would have seen as a failure.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	out := slices.Clone(s.problems)
	for _, i := range s.interactions {
		if i.kind == 0 && !i.late && now-i.created > firstAnswer {
			out = append(out, fmt.Sprintf("%s of %s was never answered", i.what, i.person.Name))
		}
	}
	return out
}

// Forgive lets the interactions so far remain without an answer, for a bot that was killed.
func (s *Server) Forgive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.interactions {
		i.late = true
	}
}

// AllowLateAnswers lets answers to interactions come late, for a bot whose connection was dead meanwhile.
func (s *Server) AllowLateAnswers() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lateAnswers = true
}

// Calls returns the requests so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Fail makes requests fail.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &f)
}

// Heal removes all faults.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// Commands returns the definitions of the registered commands.
func (s *Server) Commands() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.commands)
}

// Until waits until ok returns true, and checks again after every change. If it takes too long, the test fails and
// shows what everybody sees.
func (s *Server) Until(what string, ok func() bool) {
	s.tb.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if ok() {
			return
		}
		select {
		case <-changed:
		case <-deadline.C:
			s.tb.Fatalf("discord: %s: not within %v\n%s", what, patience, s)
		}
	}
}

// String returns the content of all channels.
func (s *Server) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for _, c := range s.channels {
		fmt.Fprintf(&b, "# %s\n", c.Name)
		for _, m := range c.messages {
			if !m.deleted {
				fmt.Fprintf(&b, "%s\n", m.snapshot())
			}
		}
	}
	for _, p := range s.problems {
		fmt.Fprintf(&b, "problem: %s\n", p)
	}
	return b.String()
}

// id returns a new id. s.mu must be held, unless nobody else has s yet.
func (s *Server) id() string {
	s.last++
	return strconv.Itoa(s.last)
}

// wake makes everybody who waits check again. s.mu must be held.
func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// saw tells that something rare has happened. s.mu must be held.
func (s *Server) saw(what string) {
	if s.Saw != nil {
		s.Saw(what)
	}
}

// wrong records a problem. s.mu must be held.
func (s *Server) wrong(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// refusal is an error answer.
type refusal struct {
	status, code int
	text         string
	after        float64
	cut, page    bool
	lost         bool
	hold         chan struct{}
	errors       object
}

// errorsAt returns the JSON in which Discord says where a body is wrong
// (https://discord.com/developers/docs/reference#error-messages).
func errorsAt(code string, path ...string) object {
	out := object{"_errors": []any{object{"code": code, "message": "as the test wants it"}}}
	for _, name := range slices.Backward(path) {
		out = object{name: out}
	}
	return out
}

var (
	unknownMessage     = &refusal{status: 404, code: 10008, text: "Unknown Message"}
	unknownChannel     = &refusal{status: 404, code: 10003, text: "Unknown Channel"}
	unknownWebhook     = &refusal{status: 404, code: 10015, text: "Unknown Webhook"}
	unknownInteraction = &refusal{status: 404, code: 10062, text: "Unknown interaction"}
	invalidEmoji       = &refusal{status: 400, code: 50035, text: "Invalid Form Body", errors: errorsAt("BUTTON_COMPONENT_INVALID_EMOJI", "components", "0", "components", "1", "emoji", "id")}
	noAttachment       = &refusal{status: 400, code: 50035, text: "Invalid Form Body", errors: errorsAt("UNKNOWN_ATTACHMENT", "components", "0", "components", "0", "items", "0", "media", "url")}
	invalidForm        = &refusal{status: 400, code: 50035, text: "Invalid Form Body"}
	missingAccess      = &refusal{status: 403, code: 50001, text: "Missing Access"}
	missingPermission  = &refusal{status: 403, code: 50013, text: "Missing Permissions"}
	archived           = &refusal{status: 400, code: 50083, text: "This thread is archived"}
	noDMs              = &refusal{status: 403, code: 50007, text: "Cannot send messages to this user"}
)

// ServeHTTP answers a request, or starts a gateway connection.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == gatewayPath || r.URL.Path == resumePath {
		s.serveGateway(w, r)
		return
	}
	if r.Method == http.MethodHead && r.URL.Path == "/" {
		return // the front page; only its Date header matters
	}
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return // the bot gave up in the middle of its request
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v10")
	call := callOf(r, path)
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.wake()
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	var answer any
	refused := s.fault(call)
	if refused != nil && refused.hold != nil {
		s.mu.Unlock()
		select {
		case <-refused.hold:
		case <-r.Context().Done():
		}
		s.mu.Lock()
		if r.Context().Err() != nil {
			return
		}
		refused = nil
	}
	lost := refused != nil && refused.lost
	if lost {
		refused = nil
	}
	switch {
	case !ok:
		refused = &refusal{status: 404, text: "no such path"}
		s.wrong("%s %s: no such path", r.Method, r.URL.Path)
	case refused == nil:
		if refused = s.count(call, w.Header()); refused == nil {
			answer, refused = s.route(r, call)
		}
	}
	call.Status = http.StatusOK
	if refused != nil && refused.page {
		w.WriteHeader(refused.status)
		fmt.Fprint(w, "<html><body>Bad Gateway</body></html>")
		return
	}
	if lost && refused == nil {
		s.saw("discord did it, and its answer was lost")
		s.calls = append(s.calls, call)
	}
	if lost || refused != nil && refused.cut {
		w.Header().Set("Content-Length", "1000")
		fmt.Fprint(w, `{"id":`)
		panic(http.ErrAbortHandler)
	}
	switch {
	case refused != nil:
		call.Status = refused.status
		answer = object{"code": refused.code, "message": refused.text, "retry_after": refused.after, "global": false}
		switch {
		case path == "/oauth2/token" && refused.code == 0:
			answer = object{"error": refused.text}
		case refused.errors != nil:
			answer.(object)["errors"] = refused.errors
		}
	case answer == nil:
		call.Status = http.StatusNoContent
	}
	s.calls = append(s.calls, call)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(call.Status)
	if answer != nil {
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// callOf reads a request, whose path is this one.
func callOf(r *http.Request, path string) Call {
	call := Call{Method: r.Method, Path: path}
	var body io.Reader = r.Body
	if r.ParseMultipartForm(1<<20) == nil {
		body = strings.NewReader(r.FormValue("payload_json"))
		for i := range len(r.MultipartForm.File) {
			if f, head, err := r.FormFile("files[" + strconv.Itoa(i) + "]"); err == nil {
				data, _ := io.ReadAll(f)
				call.Files = append(call.Files, File{head.Filename, string(data)})
			}
		}
	}
	if err := json.NewDecoder(body).Decode(&call.Body); err != nil {
		call.Body = nil
	}
	return call
}

func (s *Server) fault(c Call) *refusal {
	for _, f := range s.faults {
		if f.Times > 0 && (f.Method == "" || f.Method == c.Method) && strings.HasPrefix(c.Path, f.Path) {
			f.Times--
			text := "as the test wants it"
			if f.Code == 0 {
				text = fmt.Sprintf("%d: %s", f.Status, http.StatusText(f.Status))
			}
			return &refusal{status: f.Status, code: f.Code, text: text, after: f.After, cut: f.Cut, page: f.Page, hold: f.Hold, lost: f.Lost}
		}
	}
	return nil
}

// route answers a request. If it returns neither an answer nor a refusal, the status is 204.
func (s *Server) route(r *http.Request, c Call) (any, *refusal) {
	parts := strings.Split(strings.Trim(c.Path, "/"), "/")
	open := parts[0] == "interactions" || parts[0] == "webhooks" || parts[0] == "oauth2" || strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !open && r.Header.Get("Authorization") != "Bot "+s.token {
		return nil, &refusal{status: 401, text: "401: Unauthorized"}
	}
	if !strings.HasPrefix(r.Header.Get("User-Agent"), "DiscordBot (") {
		s.wrong("%s %s: the user agent is not as Discord asks for it", c.Method, c.Path)
	}
	if s.http != nil { // in a bubble it would be a quarter of the work
		for _, p := range schemaProblems(c) {
			s.wrong("%s %s: %s: %s", c.Method, c.Path, p, c.Body)
		}
	}
	at := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	pattern := c.Method + " " + parts[0] + "/" + strconv.Itoa(len(parts))
	if at(2) == "emojis" {
		pattern += " emojis"
	}
	if at(2) == "activity-instances" {
		pattern += " instances"
	}
	switch pattern {
	case "GET applications/2":
		return object{"id": s.app, "name": "sedmabot", "verify_key": s.PublicKey(), "bot_public": !s.Private,
			"integration_types_config": object{"0": object{}, "1": object{}}, "interactions_endpoint_url": s.endpoint}, nil
	case "GET users/2":
		return s.user(at(1))
	case "GET applications/3":
		return slices.Concat([]any{}, s.commands), nil
	case "GET applications/3 emojis":
		return object{"items": s.emojiList()}, nil
	case "POST applications/3 emojis":
		return s.addEmoji(c)
	case "PUT applications/3":
		return s.setCommands(c.Body)
	case "GET applications/4 instances", "GET users/5", "POST applications/3", "POST oauth2/2", "GET oauth2/2":
		return s.ofActivity(pattern, r, at)
	case "GET gateway/2":
		return object{"url": s.socket(gatewayPath), "shards": s.shards,
			"session_start_limit": object{"total": 1000, "remaining": 999, "reset_after": 14400000, "max_concurrency": s.concurrency}}, nil
	case "POST users/3":
		return s.openDM(c.Body)
	case "GET guilds/4", "PUT guilds/6", "DELETE guilds/6":
		return s.member(at(1), at(3), at(5), c)
	case "GET guilds/2", "GET guilds/3", "POST guilds/3":
		return s.guildInfo(at(1), at(2), c)
	case "POST channels/3":
		return s.post(at(1), c)
	case "PUT channels/4":
		return nil, s.join(at(1), at(2), at(3))
	case "PATCH channels/2":
		return s.changeChannel(at(1), c.Body)
	case "PATCH channels/4", "DELETE channels/4":
		return s.change(at(1), at(3), c)
	case "POST interactions/4":
		return nil, s.answer(at(1), at(2), c)
	case "POST webhooks/3":
		return s.follow(at(1), at(2), c)
	case "PATCH webhooks/5", "DELETE webhooks/5":
		return s.changeAnswer(at(1), at(2), at(4), c)
	}
	s.wrong("%s %s: no such path", c.Method, c.Path)
	return nil, &refusal{status: 404, text: "404: Not Found"}
}
