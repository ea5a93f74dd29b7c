package web

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"sedmabot/bot/chat"
)

// Limits for one person, for one address, and for all together.
const (
	maxAttempts       = 60     // refused requests to log in from one address in a minute
	maxEntries        = 30     // entries of one person by a platform's app in a minute
	maxSaid           = 12     // phrases of one person in a minute
	maxCounted        = 50_000 // addresses, or people, that are counted in a minute
	maxConnections    = 10     // open pages of one person in a process
	maxAllConnections = 20_000 // open pages of a process
)

var (
	// errBusy reports that an address was refused too often, that a person came in too often, or
	// that the process has too many open pages.
	errBusy = chat.NewRefusal("page_busy")
	// errLines reports that a person has too many pages open.
	errConnections = chat.NewRefusal("page_lines")
)

// attempts counts requests by address or person, a minute at a time.
type attempts struct {
	mu    sync.Mutex
	since time.Time
	by    map[string]int
}

// allow counts a request, and reports whether it is one of the first most.
func (a *attempts) allow(who string, most int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now := time.Now(); now.Sub(a.since) >= time.Minute {
		a.since, a.by = now, map[string]int{}
	}
	if n := a.by[who]; n >= most || n == 0 && len(a.by) >= maxCounted {
		return false
	}
	a.by[who]++
	return true
}

// forget takes the latest request of an address out of the count, because it wasn't refused.
func (a *attempts) forget(address string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.by[address] > 0 {
		a.by[address]--
	}
}

// address returns the network from which a request came. If a proxy on this machine or in
// its network has passed it on, that is the address that the proxy saw. All addresses of
// one home or phone with IPv6 count as one.
func (*Site) address(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	ip, err := netip.ParseAddr(host)
	if forwarded := r.Header.Values("X-Forwarded-For"); err == nil && len(forwarded) > 0 && (ip.IsLoopback() || ip.IsPrivate()) {
		seen := forwarded[len(forwarded)-1]
		seen = strings.TrimSpace(seen[strings.LastIndex(seen, ",")+1:])
		if there, err := netip.ParseAddr(seen); err == nil {
			ip = there
		}
	}
	if ip = ip.Unmap(); ip.Is6() {
		if net, err := ip.Prefix(64); err == nil {
			return net.String()
		}
	}
	return ip.String()
}

// connections counts the open pages.
type connections struct {
	mu  sync.Mutex
	all int
	by  map[string]int // by person
}

// enter counts a socket of a person. The error says why it may not be opened.
func (c *connections) enter(player string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.all >= maxAllConnections:
		return errBusy
	case c.by[player] >= maxConnections:
		return errConnections
	}
	if c.by == nil {
		c.by = map[string]int{}
	}
	c.all++
	c.by[player]++
	return nil
}

// leave counts a socket of a person that has ended.
func (c *connections) leave(player string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if c.by[player]--; c.by[player] == 0 {
		delete(c.by, player)
	}
}
