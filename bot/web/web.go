// Package web serves a table as a web page: felt, cards that one can touch, and the same
// presses as the buttons of a chat. A page is opened with a login, which proves who its
// reader is: a personal link, Telegram's Mini App, or Discord's Activity. From then on a
// signed cookie identifies the reader, until the store no longer knows the cookie's session:
// after a day, or when the reader signs out, has left the chat, or wants their data deleted.
// No login believes a person, chat or table that the
// page itself names.
//
// # One socket for each page
//
// A page keeps one WebSocket open, its socket. Down the socket comes the whole table, as far
// as its reader may know it ([view.Live]), after every change. So a gap needs no repair.
// A reader who is at no table is shown the front door instead: what they can play.
// Up the socket come presses, which go through [chat.Handler] like any button's. Start with
// routes in this file, then socket.go; hub.go joins the sockets of a table, front.go has the front door, replay.go finished matches, picture.go has pictures for platforms, session.go has
// the cookies, and login.go the logins.
//
// # Figures
//
// On two cores that other programs used as well, 2,000 pages at 500 tables with a move in 5 s take 0.3 cores and 136 MB, if
// GOGC is 100 (TestManyPages). A page takes a goroutine, which reads, and about 20 KB; what is sent to it is sent by a
// goroutine that ends. A move reaches 1,000 spectators of a table in 0.12 s, at most in 0.30 s (TestManySpectators).
package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
)

// Config holds the settings of a Site. Pages and Handler are required.
type Config struct {
	// Apps are the platforms whose apps open the page, by name.
	Apps map[string]chat.Authenticator
	// Exchange returns the access token for a code of Discord's app. nil: nobody logs in from Discord.
	Exchange func(ctx context.Context, code string) (string, error)

	// URL is the page's public address, which may end in a path. "" is the address of each
	// request, for pages that only this machine can reach.
	URL     string
	Pages   func() chat.Pages // returns the bot, which may be another one after a restart
	Handler chat.Handler
	// Steps returns all steps of a finished match. nil: a page shows one step at a time, as chats do.
	Steps func(ctx context.Context, in chat.Input, match string) ([]chat.Step, error)
	// Photos loads people's photos from their platforms. nil: pages show none.
	Photos *http.Client
	// Easel draws the pictures. nil: one of the site's own.
	Easel *face.Easel
	Log   *slog.Logger
}

// Site serves the pages. It is safe for concurrent use.
type Site struct {
	Config
	hub         hub
	mux         *http.ServeMux
	assets      assets
	packed      sync.Map // what pack has compressed, by name
	origin      *url.URL // nil: any request's own host
	own         func() origins
	attempts    attempts // by address
	faults      faults
	entries     attempts // by person
	connections connections
	photos      photos
}

// New returns a Site.
func New(c Config) (*Site, error) {
	s := &Site{Config: c, mux: http.NewServeMux()}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.Easel = cmp.Or(s.Easel, face.NewEasel())
	if c.URL != "" {
		u, err := url.Parse(c.URL)
		if err != nil {
			return nil, err
		}
		s.origin = u
	}
	var err error
	if s.assets, err = loaded(); err != nil {
		return nil, err
	}
	s.own = sync.OnceValue(s.origins)
	s.hub.site, s.hub.tables = s, map[string]*subscribers{}
	s.hub.ctx, s.hub.stop = context.WithCancel(context.Background())
	s.routes()
	return s, nil
}

// routes lists all paths of the page, relative to its address. Nothing else is served
// under it.
func (s *Site) routes() {
	s.mux.HandleFunc("GET /{$}", s.page)
	s.mux.HandleFunc("GET /a/{hash}/{name...}", s.asset)
	s.mux.HandleFunc("GET /cards/{name}", s.cards)
	s.mux.HandleFunc("GET /api/setup", s.setup)
	s.mux.HandleFunc("GET /photos/{table}/{mark}/{hash}", s.photo)
	s.mux.HandleFunc("GET /pictures/{name}", s.picture)
	s.mux.HandleFunc("GET /api/live", s.live)
	s.mux.HandleFunc("POST /api/door", s.login) // pages that are open have this path
	s.mux.HandleFunc("POST /api/token", s.token)
	s.mux.HandleFunc("POST /api/close", s.close)
	s.mux.HandleFunc("POST /api/fault", s.fault)
}

// ServeHTTP answers a request for the page. The path is relative to the page's address.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if !strings.HasPrefix(r.URL.Path, "/a/") || strings.HasSuffix(r.URL.Path, ".svg") { // scripts and styles are no documents
		h.Set("Content-Security-Policy", s.policy(r))
		h.Set("Permissions-Policy", denied)
	}
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if s.secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if err := s.own().posts.Check(r); err != nil {
		http.Error(w, "the request comes from another site", http.StatusForbidden)
		return
	}
	defer s.contain(func() { http.Error(w, "the request can't be answered", http.StatusInternalServerError) })
	s.mux.ServeHTTP(w, r)
}

// denied is the Permissions-Policy: the page needs nothing of the device, only sound.
const denied = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), serial=(), usb=()"

// secure reports whether the page's public address is https.
func (s *Site) secure() bool { return s.origin != nil && s.origin.Scheme == "https" }

// contain has to be deferred. It recovers from a panic, logs it and calls then. So one
// page's request never stops the bot.
func (s *Site) contain(then func()) {
	r := recover()
	if r == nil {
		return
	}
	stack, ok := r.(stackTrace)
	if !ok {
		stack = stackTrace(debug.Stack())
	}
	// Only the stack is logged: the panic's message may contain anything, even a hand.
	s.Log.Error("a page's request panicked", "stack", string(stack))
	then()
}

// Run serves the sockets until ctx ends, and then closes them.
func (s *Site) Run(ctx context.Context) error {
	s.hub.run(ctx)
	return nil
}

// policy returns the Content-Security-Policy: the page loads nothing from elsewhere and
// has no inline scripts. Only platforms whose apps open the page may show it in a frame.
func (s *Site) policy(r *http.Request) string {
	line := "ws://" + r.Host
	if s.origin != nil {
		line = "wss://" + s.origin.Host
	}
	frames := "'self'"
	for _, name := range slices.Sorted(maps.Keys(s.Apps)) {
		frames += " " + strings.Join(s.Apps[name].Frames(), " ")
		if origin, ok := strings.CutPrefix(s.Apps[name].Origin(), "https"); ok {
			line += " wss" + origin
		}
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' " + line +
		"; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors " + frames
}

// origins says which origins may use the page: its own host, its public address, and the platforms' apps.
type origins struct {
	posts *http.CrossOriginProtection
	hosts []string // of sockets, besides the request's own
}

// origins returns which origins may use the page. Apps are complete by the first request.
func (s *Site) origins() origins {
	o := origins{posts: http.NewCrossOriginProtection()}
	all := []string{}
	if s.origin != nil {
		all = append(all, s.origin.Scheme+"://"+s.origin.Host)
	}
	for _, app := range s.Apps {
		if origin := app.Origin(); origin != "" {
			all = append(all, origin)
		}
	}
	for _, origin := range all {
		if err := o.posts.AddTrustedOrigin(origin); err != nil {
			s.Log.Error("trust the origin of a page", "origin", origin, "err", err)
		}
		_, host, _ := strings.Cut(origin, "://")
		o.hosts = append(o.hosts, host)
	}
	return o
}

// shared lists texts that the page has in common with the bot's screens: their names on the
// page, and their keys in the catalogues.
var shared = map[string]string{
	"points": "picture.points", "score": "picture.score", "dealer": "mark.dealer", "dealer_letter": "picture.dealer",
	"leads": "mark.leads", "free": "seat.free", "door": "reply.page_door", "again_here": "button.retry", "sharing": "button.send",
	"language": "pref.lang", "face": "pref.face", "face.german": "pref.face.german", "face.french": "pref.face.french", "face.plain": "pref.face.plain",
}

// setup serves the page's own texts in a language.
func (s *Site) setup(w http.ResponseWriter, r *http.Request) {
	c := lang.For(r.FormValue("lang"), spoken(r))
	words := c.Under("web.")
	for name, key := range shared {
		words[name] = c.Text(key)
	}
	for name, text := range c.Under("card.") {
		words["card."+name] = text
	}
	data, _ := json.Marshal(struct { // texts can always be written
		Lang  string            `json:"lang"`
		Langs []string          `json:"langs"`
		Words map[string]string `json:"words"`
	}{c.Code(), lang.Languages(), words})
	w.Header().Set("Content-Type", "application/json")
	s.pack(w, r, "setup "+c.Code(), data)
}

// refuse answers a request with the error, as a text in the reader's language.
func (s *Site) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusForbidden
	if refusal := (*chat.Refusal)(nil); !errors.As(err, &refusal) {
		if r.Context().Err() == nil { // otherwise the browser has gone
			s.Log.Error("answer a page", "err", err)
		}
		status = http.StatusServiceUnavailable
	} else if refusal == errBusy || refusal.Outcome == chat.Failed { // the bot had no room for it, as with too many logins at once
		status = http.StatusTooManyRequests
	}
	in := chat.Input{Player: chat.Player{Lang: spoken(r)}, Page: true}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": in.Refuse(err).Toast})
}

// spoken returns the tag of the language that the browser wants most, or "".
func spoken(r *http.Request) string {
	wanted, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if i := slices.IndexFunc(wanted, func(t language.Tag) bool { return t != anyone }); err == nil && i >= 0 {
		return wanted[i].String()
	}
	return ""
}

// anyone is the tag of any language.
var anyone = language.Make("mul")

// reply writes v as the answer.
func reply(w http.ResponseWriter, v any) {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		http.Error(w, "the answer can't be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b.Bytes())
}
