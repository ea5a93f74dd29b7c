package web

import (
	"net/http"
	"regexp"
	"sync"
)

// Limits for what pages report about their own errors.
const (
	maxFaults  = 100 // different errors that a process logs
	maxReports = 20  // reports from one address in a minute
)

// faults are the errors of the page's scripts that were logged.
type faults struct {
	mu     sync.Mutex
	logged map[faultAt]bool
}

// faultAt is an error of a script, and where it happened. It has no text of the error, which could hold a name or a card.
type faultAt struct {
	Kind string `json:"kind"` // such as "TypeError"
	At   string `json:"at"`   // such as "felt.js:12:3"
}

// These are what a page may report; all else is refused, so that nobody can write their own words into the log.
var (
	faultKind  = regexp.MustCompile(`^(DOM|([A-Z][a-z]{1,12}){0,2})(Error|Exception)$`)
	faultPlace = regexp.MustCompile(`^([a-z]+\.js):[0-9]{1,5}:[0-9]{1,5}$`)
)

// fault logs an error of the page's scripts, each one once.
func (s *Site) fault(w http.ResponseWriter, r *http.Request) {
	var f faultAt
	if !s.entries.allow("fault "+s.address(r), maxReports) {
		s.refuse(w, r, errBusy)
		return
	}
	if !s.readLogin(w, r, &f) {
		return
	}
	s.attempts.forget(s.address(r))
	place := faultPlace.FindStringSubmatch(f.At)
	if place == nil || !faultKind.MatchString(f.Kind) || s.assets.files[place[1]] == nil {
		http.Error(w, "this isn't a place in the page's scripts", http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	if s.faults.logged[f] || len(s.faults.logged) >= maxFaults {
		return
	}
	if s.faults.logged == nil {
		s.faults.logged = map[faultAt]bool{}
	}
	s.faults.logged[f] = true
	s.Log.Error("a page's script has failed", "kind", f.Kind, "at", f.At, "version", s.assets.hash)
}
