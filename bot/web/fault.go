package web

import (
	"net/http"
	"regexp"
	"strconv"
	"sync"
)

// Limits for what pages report about their own errors.
const (
	maxFaults  = 100 // different errors that a process logs
	maxReports = 20  // reports from one address in a minute
	maxFrom    = 5   // different errors of one address that are logged, so that invented ones don't displace those of others
)

// faults are the errors of the page's scripts that were logged.
type faults struct {
	mu     sync.Mutex
	logged map[faultAt]bool
	from   map[string]int // by the address that was first to report them
}

// faultAt is an error of a script, and where it happened. It has no text of the error, which could hold a name or a card.
type faultAt struct {
	Kind string `json:"kind"` // such as "TypeError"
	At   string `json:"at"`   // such as "felt.js:12:3"
}

// These are what a page may report; all else is refused, so that nobody can write their own words into the log.
var (
	faultKind  = regexp.MustCompile(`^(DOM|([A-Z][a-z]{1,12}){0,2})(Error|Exception)$`)
	faultPlace = regexp.MustCompile(`^([a-z]+\.js):([0-9]{1,5})(:[0-9]{1,5})$`)
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
	if line, err := strconv.Atoi(place[2]); err == nil && place[1] == script {
		name, at := s.assets.place(line)
		f.At = name + ".js:" + strconv.Itoa(at) + place[3]
	}
	if s.faults.isNew(f, s.address(r)) {
		s.Log.Error("a page's script has failed", "kind", f.Kind, "at", f.At, "version", s.assets.hash)
	}
}

// isNew reports whether an error has to be logged that was reported from an address.
func (f *faults) isNew(at faultAt, address string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.logged[at] || len(f.logged) >= maxFaults || f.from[address] >= maxFrom {
		return false
	}
	if f.logged == nil {
		f.logged, f.from = map[faultAt]bool{}, map[string]int{}
	}
	f.logged[at] = true
	f.from[address]++
	return true
}
