package playground

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
)

const (
	maxBody      = 4 << 10          // bytes of a post
	replyTimeout = 10 * time.Second // longest wait for a reply
)

func (p *Playground) postPress(w http.ResponseWriter, r *http.Request, who reader) {
	var in struct {
		Person  string       `json:"person"`
		Message chat.Address `json:"message"`
		Press   string       `json:"press"`
		Lang    string       `json:"lang"`
	}
	if !readJSON(w, r, &in) || !may(w, who, in.Person) {
		return
	}
	if in.Press == "" || len(in.Press) > screen.PressLimit {
		http.Error(w, "press is 1 to 64 bytes", http.StatusBadRequest)
		return
	}
	p.answer(w, r, in.Lang, func(ctx context.Context, lang string) (chat.Reply, error) {
		return p.press(ctx, in.Person, lang, in.Message, in.Press)
	})
}

func (p *Playground) postCommand(w http.ResponseWriter, r *http.Request, who reader) {
	var in struct {
		Person string `json:"person"`
		Chat   string `json:"chat"`
		Line   string `json:"line"`
		Lang   string `json:"lang"`
	}
	if !readJSON(w, r, &in) || !may(w, who, in.Person) {
		return
	}
	p.answer(w, r, in.Lang, func(ctx context.Context, lang string) (chat.Reply, error) {
		return p.command(ctx, in.Person, lang, in.Chat, in.Line)
	})
}

// postHello tells the bot that a person has opened the page, and their language.
func (p *Playground) postHello(w http.ResponseWriter, r *http.Request, who reader) {
	var in struct {
		Person string `json:"person"`
		Lang   string `json:"lang"`
	}
	if !readJSON(w, r, &in) || !may(w, who, in.Person) {
		return
	}
	p.answer(w, r, in.Lang, func(ctx context.Context, lang string) (chat.Reply, error) {
		return chat.Reply{}, p.Hello(ctx, in.Person, lang)
	})
}

// may reports whether the reader may act as a person, and refuses the request if not.
func may(w http.ResponseWriter, who reader, person string) bool {
	if !who.is(person) {
		http.Error(w, "this link is another person's", http.StatusForbidden)
	}
	return who.is(person)
}

// answer does what a post asks for, in the person's language, and sends the result to the page. It finishes the work
// even if the page is closed.
func (p *Playground) answer(w http.ResponseWriter, r *http.Request, code string, do func(ctx context.Context, lang string) (chat.Reply, error)) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), replyTimeout)
	defer cancel()
	texts := lang.For(code, p.config.Lang)
	reply, err := do(ctx, texts.Code())
	var line *lineError
	switch {
	case errors.As(err, &line):
		reply.Toast = texts.Text(line.Key, "word", line.Word, "choices", strings.Join(line.Choices, ", "))
	case errors.Is(err, errSight):
		reply.Toast = texts.Text("page.gone")
	case errors.Is(err, errPerson), errors.Is(err, errChat):
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	case err != nil:
		http.Error(w, "the bot could not answer", http.StatusInternalServerError)
		return
	}
	if reply.Screen != nil {
		reply.Toast = "" // the page shows the screen instead
	}
	writeJSON(w, struct {
		Toast string `json:"toast"`
		Alert bool   `json:"alert"`
	}{reply.Toast, reply.Alert})
}

// readJSON decodes exactly one JSON value without unknown fields. Otherwise it
// refuses the request and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		http.Error(w, "the body must be application/json", http.StatusUnsupportedMediaType)
		return false
	}
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	err = d.Decode(into)
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return true
		}
	}
	if tooLong := new(http.MaxBytesError); errors.As(err, &tooLong) {
		http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
		return false
	}
	http.Error(w, "the body is not the JSON that belongs here", http.StatusBadRequest)
	return false
}

func writeJSON(w http.ResponseWriter, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "the answer could not be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(data)
}
