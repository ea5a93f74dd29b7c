package playground

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"sedmabot/bot/chat"
	"sedmabot/bot/lang"
	"sedmabot/bot/screen"
	"sedmabot/bot/view"
)

// replay serves all steps of a finished match at once.
func (p *Playground) replay(w http.ResponseWriter, r *http.Request, who reader) {
	person := r.FormValue("person")
	if !may(w, who, person) {
		return
	}
	if p.config.Steps == nil {
		http.NotFound(w, r)
		return
	}
	p.mu.Lock()
	in := p.input(person, lang.For(r.FormValue("lang"), p.config.Lang).Code(), Channel)
	delete(p.at, in.Answer)
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(r.Context(), replyTimeout)
	defer cancel()
	steps, err := p.config.Steps(ctx, in, r.FormValue("match"))
	switch {
	case errors.Is(err, chat.ErrNoMatch):
		http.NotFound(w, r)
		return
	case err != nil:
		p.config.Log.Error("replay a match", "error", err)
		http.Error(w, "the match could not be replayed", http.StatusInternalServerError)
		return
	}
	type step struct {
		Deal   int         `json:"deal"`
		No     int         `json:"no"`
		Screen pageMessage `json:"screen"`
	}
	out := make([]step, 0, len(steps))
	for _, s := range steps {
		s.Screen.Menus, s.Screen.Rows = nil, nil // the viewer has its own
		if pic := s.Screen.Picture; pic != nil {
			p.replayed.Put(pic.Name(), pic.Draw, maxReplayed)
		}
		out = append(out, step{s.Deal, s.No, onPage(&message{Message: Message{Screen: s.Screen}})})
	}
	writeJSON(w, out)
}

// matchOf returns the one finished match that a screen's buttons lead to, or "".
func matchOf(s screen.Screen) string {
	id := ""
	for _, row := range s.Rows {
		for _, b := range row {
			word, f := screen.FieldsOf(b.Press)
			if word != view.ActReplay && word != view.ActDeals {
				continue
			}
			one := f.Name() + "-" + strconv.Itoa(f.Number())
			if id != "" && id != one {
				return ""
			}
			id = one
		}
	}
	return id
}
