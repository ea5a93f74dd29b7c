package playground

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
)

// reader is the user of a page. A person's link makes the reader that one person.
// With person "", the reader runs the program and may act as anybody.
type reader struct{ person string }

// is reports whether the reader may act as that person.
func (r reader) is(person string) bool { return r.person == "" || r.person == person }

// links holds the tokens that open a page: one lets its reader act as anybody, and
// each person has one of their own.
type links struct {
	all    string
	person map[string]string // by id
}

func newLinks() links {
	l := links{all: rand.Text(), person: map[string]string{}}
	for _, id := range people {
		l.person[id] = rand.Text()
	}
	return l
}

// join returns the reader that a request's token names. It accepts a request without
// a token only if no other machine can reach the page.
func (p *Playground) join(r *http.Request) (reader, bool) {
	token := r.Header.Get("X-Join")
	if token == "" {
		token = r.URL.Query().Get("join")
	}
	if token == "" {
		return reader{}, !p.reached()
	}
	same := func(want string) bool { return subtle.ConstantTimeCompare([]byte(token), []byte(want)) == 1 }
	if same(p.links.all) {
		return reader{}, true
	}
	for id, want := range p.links.person {
		if same(want) {
			return reader{id}, true
		}
	}
	return reader{}, false
}

// reached reports whether other machines can reach the page.
func (p *Playground) reached() bool {
	host, _, err := net.SplitHostPort(p.config.Listen)
	if err != nil || host == "localhost" {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || !ip.IsLoopback()
}

// joined calls f only for requests with a valid reader, and refuses the others.
func (p *Playground) joined(f func(w http.ResponseWriter, r *http.Request, who reader)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, ok := p.join(r)
		if !ok {
			http.Error(w, "this link leads nowhere: ask for a new one", http.StatusUnauthorized)
			return
		}
		f(w, r, who)
	}
}
