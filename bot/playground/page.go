package playground

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/face"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

//go:embed page
var files embed.FS

const (
	maxPages  = 32               // pages open at a time without a person's link
	maxGuests = 8                // pages open at a time through each person's link
	alive     = 10 * time.Second // longest time without an event; after 25 s of silence the page opens another stream
	reading   = 5 * time.Second  // how long a page may take to read an event
	lastWords = 5 * time.Second  // time to finish pending requests when the program stops
)

// words lists the page's own texts, under "page." in the catalogues.
var words = []string{
	"title", "language", "offline", "channel", "you_are", "beside", "new_table", "empty", "direct", "direct_empty", "only", "edited",
	"dismiss", "close", "commands", "line", "send", "messages", "below", "failed", "invite", "copied", "link", "faults", "fault.closed", "fault.slow",
	"fault.crash", "crashed", "look", "look.discord", "look.telegram", "request", "beyond",
	"replay", "replay.first", "replay.back", "replay.on", "replay.last", "replay.play", "replay.step", "replay.share", "replay.copied", "replay.none",
}

// URL returns the address of the page, or "" without a listener. If other machines
// can reach the page, the address contains the token that lets its reader act as
// anybody.
func (p *Playground) URL() string {
	if p.listener == nil {
		return ""
	}
	host, port, err := net.SplitHostPort(p.listener.Addr().String())
	if err != nil {
		return ""
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	at := "http://" + net.JoinHostPort(host, port)
	if p.reached() {
		at += "/?join=" + p.links.all
	}
	return at
}

// serve runs the page until ctx ends.
func (p *Playground) serve(ctx context.Context) error {
	s := &http.Server{
		Handler:           p.Page(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(p.listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve the playground's page: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		s.Close()
	}
	return nil
}

// Page returns the handler that serves the page and its requests, with all checks.
func (p *Playground) Page() http.Handler {
	static, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // can't happen: the folder is embedded
	}
	mux := http.NewServeMux()
	file := http.FileServerFS(static)
	for _, path := range []string{"/{$}", "/page.css", "/page.js", "/draw.js", "/lists.js", "/look.js", "/replay.js", "/icon.svg"} {
		mux.Handle("GET "+path, file)
	}
	pages := map[string]chan struct{}{"": make(chan struct{}, maxPages)} // slots of open pages, by reader
	for _, person := range people {
		pages[person] = make(chan struct{}, maxGuests)
	}
	mux.HandleFunc("GET /setup", p.joined(p.setup))
	mux.HandleFunc("GET /events", p.joined(func(w http.ResponseWriter, r *http.Request, who reader) {
		select {
		case pages[who.person] <- struct{}{}:
			defer func() { <-pages[who.person] }()
			p.events(w, r, who)
		default:
			http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		}
	}))
	mux.HandleFunc("GET /file", p.joined(p.file))
	mux.HandleFunc("GET /picture", p.joined(p.picture))
	mux.HandleFunc("GET /look", p.joined(p.look))
	mux.HandleFunc("GET /replay", p.joined(p.replay))
	if p.config.Tables != nil {
		mux.Handle("/table/", http.StripPrefix("/table", p.config.Tables))
	}
	mux.HandleFunc("POST /press", p.joined(p.postPress))
	mux.HandleFunc("POST /command", p.joined(p.postCommand))
	mux.HandleFunc("POST /hello", p.joined(p.postHello))
	mux.HandleFunc("POST /fault", p.joined(p.postFault))
	return p.guard(mux)
}

// setup serves the data of the page that doesn't change.
func (p *Playground) setup(w http.ResponseWriter, r *http.Request, who reader) {
	type person struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		Join string `json:"join,omitempty"` // token of the person's link
	}
	type command struct {
		Name    string   `json:"name"`
		Line    string   `json:"line"`
		About   string   `json:"about"`
		Private bool     `json:"private"`
		More    []string `json:"more"` // lines for each choice of an argument
	}
	texts := lang.For(r.FormValue("lang"))
	var out struct {
		Lang     string            `json:"lang"`
		Langs    []string          `json:"langs"`
		Channel  string            `json:"channel"`
		People   []person          `json:"people"`           // people that the reader may act as
		Others   []person          `json:"others,omitempty"` // all other people
		Commands []command         `json:"commands"`
		Words    map[string]string `json:"words"`
		Looks    []string          `json:"looks"`
		Faults   *faultState       `json:"faults,omitempty"` // only if the reader may act as anybody
	}
	out.Lang, out.Langs, out.Channel = texts.Code(), lang.Languages(), Channel
	for _, id := range people {
		one := person{ID: id, Name: name(id, texts.Code())}
		if who.person == "" {
			one.Join = p.links.person[id]
		}
		if who.is(id) {
			out.People = append(out.People, one)
		} else {
			out.Others = append(out.Others, one)
		}
	}
	if who.person == "" {
		state := p.faultState()
		out.Faults = &state
	}
	for _, c := range p.config.Commands {
		if c.Spare {
			continue
		}
		line := p.Spelling(c, "")
		more := []string{}
		if len(c.Options) > 0 {
			for _, option := range c.Options {
				for _, choice := range option.Choices {
					more = append(more, line+" "+choice)
				}
			}
		}
		out.Commands = append(out.Commands, command{Name: c.Name, Line: line, About: texts.Text("cmd." + c.Name), Private: c.Private, More: more})
	}
	out.Looks = []string{}
	for _, l := range p.config.Looks {
		out.Looks = append(out.Looks, l.Name)
	}
	out.Words = map[string]string{}
	for _, word := range words {
		out.Words[word] = texts.Text("page." + word)
	}
	writeJSON(w, out)
}

// events streams the messages: all of them at first, then the changes. If changes
// come faster than the page reads, they are merged into one event.
func (p *Playground) events(w http.ResponseWriter, r *http.Request, who reader) {
	flush := http.NewResponseController(w)
	_ = flush.SetReadDeadline(time.Time{}) // the stream stays open; a test's recorder has no deadline
	w.Header().Set("Content-Type", "text/event-stream")
	tick := time.NewTicker(alive)
	defer tick.Stop()
	known := map[chat.Address]int{} // revisions that the page has
	write := func(event, data string) bool {
		_ = flush.SetWriteDeadline(time.Now().Add(reading)) // of a page that has gone without a word, the buffers fill up
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data)
		return err == nil && flush.Flush() == nil
	}
	for event := "all"; ; event = "more" {
		p.mu.Lock()
		changed := p.changed
		put, dropped := p.news(known, who)
		p.mu.Unlock()
		if event == "all" || len(put)+len(dropped) > 0 {
			data, err := json.Marshal(struct {
				Put  []pageMessage  `json:"put"`
				Drop []chat.Address `json:"drop"`
			}{put, dropped})
			if err != nil {
				p.config.Log.Error("write the page's messages", "error", err)
				return
			}
			if !write(event, string(data)) {
				return
			}
		}
		select {
		case <-changed:
		case <-tick.C:
			if !write("alive", "{}") {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// news returns the changes since known to the messages that the reader may see, and
// updates known. The caller holds p.mu.
func (p *Playground) news(known map[chat.Address]int, who reader) (put []pageMessage, dropped []chat.Address) {
	put, dropped = []pageMessage{}, []chat.Address{}
	standing := map[chat.Address]bool{}
	for _, m := range p.standing {
		if who.person != "" && !m.sees(who.person) {
			continue
		}
		standing[m.Address] = true
		if known[m.Address] != m.revision {
			known[m.Address] = m.revision
			one := onPage(m)
			one.Tag = p.Tag(m.By)
			put = append(put, one)
		}
	}
	for a := range known {
		if !standing[a] {
			delete(known, a)
			dropped = append(dropped, a)
		}
	}
	slices.Sort(dropped)
	return put, dropped
}

// file serves the file of a message.
func (p *Playground) file(w http.ResponseWriter, r *http.Request, who reader) {
	s, ok := p.asked(r, who)
	f := s.File
	if !ok || f == nil {
		http.NotFound(w, r)
		return
	}
	kind := "application/octet-stream"
	if strings.HasSuffix(f.Name, ".gif") {
		kind = "image/gif" // the page shows it, too
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	w.Write(f.Data)
}

// picture serves the current picture of a message. Without a message, it serves one of a
// replay that was opened: only its readers know its name.
func (p *Playground) picture(w http.ResponseWriter, r *http.Request, who reader) {
	name := r.FormValue("name")
	draw, ok := face.Picture{}, false
	if r.FormValue("message") == "" {
		draw, ok = p.replayed.Get(name)
	} else if s, seen := p.asked(r, who); seen && s.Picture != nil {
		draw, ok = s.Picture.Draw, true
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	now := screen.Picture{Draw: draw}.Name()
	if name == now {
		w.Header().Set("Cache-Control", "private, max-age=86400, immutable")
	}
	w.Write(p.easel.Named(now, draw))
}

// asked returns the screen of the message that a request names, if its reader sees it.
func (p *Playground) asked(r *http.Request, who reader) (screen.Screen, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.at[chat.Address(r.FormValue("message"))]
	if at == nil || at.m == nil || who.person != "" && !at.m.sees(who.person) {
		return screen.Screen{}, false
	}
	return at.m.Screen, true
}

// look serves the request that another platform would be sent to show a message.
func (p *Playground) look(w http.ResponseWriter, r *http.Request, who reader) {
	s, ok := p.asked(r, who)
	i := slices.IndexFunc(p.config.Looks, func(l Look) bool { return l.Name == r.FormValue("as") })
	if !ok || i < 0 {
		http.NotFound(w, r)
		return
	}
	out := struct {
		Body   json.RawMessage `json:"body,omitempty"`
		Limits []chat.Measure  `json:"limits,omitempty"`
		Error  string          `json:"error,omitempty"` // why the platform can't show the message
	}{}
	preview, err := p.config.Looks[i].Preview(s)
	if err != nil {
		out.Error = err.Error()
	}
	out.Body, out.Limits = preview.Body, preview.Limits
	writeJSON(w, out)
}

// pageMessage is a message in the form that the page draws.
type pageMessage struct {
	ID     chat.Address   `json:"id"`
	Chat   string         `json:"chat"`
	Only   string         `json:"only,omitempty"`
	By     string         `json:"by,omitempty"`
	Line   string         `json:"line,omitempty"`
	Tag    string         `json:"tag,omitempty"` // the tag of the person who gave the command
	Sent   int64          `json:"sent"`          // milliseconds since 1970
	Edited bool           `json:"edited,omitempty"`
	Called []string       `json:"called,omitempty"` // ids of the people mentioned
	Face   face.Face      `json:"face"`
	Blocks []pageBlock    `json:"blocks"`
	File   string         `json:"file,omitempty"` // name of the message's file
	Image  *pageImage     `json:"image,omitempty"`
	Rows   [][]pageButton `json:"rows"`
	Match  string         `json:"match,omitempty"` // finished match that the message leads to
}

type pageImage struct {
	Alt    string `json:"alt"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Name   string `json:"name"`           // changes with the picture
	Save   bool   `json:"save,omitempty"` // the picture is made for sharing
	Hand   bool   `json:"hand,omitempty"` // the picture shows a hand, as the message's buttons do
}

type pageBlock struct {
	Look  string     `json:"look,omitempty"`
	Spans []pageSpan `json:"spans"`
}

type pageSpan struct {
	Kind   string `json:"kind,omitempty"` // bold, person, card, break, time
	Text   string `json:"text,omitempty"`
	Suit   string `json:"suit,omitempty"`
	Strong bool   `json:"strong,omitempty"`
	At     int64  `json:"at,omitempty"` // time: seconds since 1970
}

type pageButton struct {
	Label string `json:"label"`
	Press string `json:"press,omitempty"`
	Link  string `json:"link,omitempty"` // address that the button opens, instead of a press
	Card  string `json:"card,omitempty"`
	Suit  string `json:"suit,omitempty"`
	Takes bool   `json:"takes,omitempty"` // the card takes the open trick
	Tone  string `json:"tone,omitempty"`
	Off   bool   `json:"off,omitempty"`
}

var (
	looks = [...]string{screen.Title: "title", screen.Small: "small", screen.Quote: "quote", screen.Code: "code"}
	kinds = [...]string{screen.SpanBold: "bold", screen.SpanPerson: "person", screen.SpanCard: "card", screen.SpanBreak: "break", screen.SpanTime: "time", screen.SpanDate: "date"}
	tones = [...]string{screen.Primary: "primary", screen.Success: "success", screen.Danger: "danger"}
)

func onPage(m *message) pageMessage {
	out := pageMessage{
		ID: m.Address, Chat: m.Chat, Only: m.Only, By: m.By, Line: m.Line, Sent: m.Sent.UnixMilli(),
		Edited: m.Edits > 0, Face: m.Screen.Face, Rows: [][]pageButton{}, Match: matchOf(m.Screen),
	}
	for _, person := range m.Called {
		out.Called = append(out.Called, person.ID)
	}
	if m.Screen.File != nil {
		out.File = m.Screen.File.Name
	}
	if p := m.Screen.Picture; p != nil {
		size := p.Draw.Size()
		out.Image = &pageImage{Alt: p.Alt, Width: size.X, Height: size.Y, Name: p.Name(), Save: p.Draw.Result != nil, Hand: p.Draw.Hand != nil}
	}
	shown := m.Screen.WithCopies("/daily")
	for _, block := range shown.Blocks {
		b := pageBlock{Look: looks[block.Look]}
		for _, span := range block.Spans {
			s := pageSpan{Kind: kinds[span.Kind], Text: span.Words(m.Screen.Face), Strong: span.Strong, At: span.At}
			if span.Kind == screen.SpanCard {
				s.Suit = span.Card.Suit().String()
			}
			b.Spans = append(b.Spans, s)
		}
		out.Blocks = append(out.Blocks, b)
	}
	for _, row := range slices.Concat(shown.MenuRows(), shown.Rows) {
		var shown []pageButton
		for _, button := range row {
			if button.Private != "" {
				continue // the page shows direct messages next to the channel
			}
			b := pageButton{Label: button.Label, Press: button.Press, Link: button.Link, Tone: tones[button.Tone], Off: button.Off}
			if button.Card != 0 {
				b.Label, b.Takes = strings.CutPrefix(button.Label, screen.TakesMark+" ")
				b.Card, b.Suit = button.Card.String(), button.Card.Suit().String()
			}
			shown = append(shown, b)
		}
		if len(shown) > 0 {
			out.Rows = append(out.Rows, shown)
		}
	}
	return out
}
