package playground

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
)

// reader is who looks at a page: one person whose link he opened, or, with
// person "", the one who runs the program and may be everybody.
type reader struct{ person string }

// is says whether the reader may act as that person.
func (r reader) is(person string) bool { return r.person == "" || r.person == person }

// links are the tokens that a page is opened with: one that lets its reader be
// everybody, and one a person.
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

// join reads the token of a request. Without one it is taken only where nobody
// but this machine can reach the page.
func (p site) join(r *http.Request) (reader, bool) {
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

// reached says whether other machines can reach the page.
func (p *Playground) reached() bool {
	host, _, err := net.SplitHostPort(p.config.Listen)
	if err != nil || host == "localhost" {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || !ip.IsLoopback()
}

// joined lets f have only requests of a reader.
func (p site) joined(f func(w http.ResponseWriter, r *http.Request, who reader)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, ok := p.join(r)
		if !ok {
			http.Error(w, "this link leads nowhere: ask for a new one", http.StatusUnauthorized)
			return
		}
		f(w, r, who)
	}
}
