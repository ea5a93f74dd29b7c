package playground

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// guard accepts only requests from this page. It refuses host names that an attacker
// points here (Host), and other sites in the same browser (Origin, Sec-Fetch-Site).
func (p *Playground) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !p.knows(r.Host) {
			http.Error(w, "the page is not at this address", http.StatusForbidden)
			return
		}
		origin := r.Header.Get("Origin")
		own := origin == "http://"+r.Host
		from := r.Header.Get("Sec-Fetch-Site")
		// A link from elsewhere may open the page; all other requests come from the page.
		navigates := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
		if r.Method == http.MethodPost && !own || origin != "" && !own ||
			(from == "cross-site" || from == "same-site") && !navigates {
			http.Error(w, "only the page itself may do that", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knows reports whether a Host header names an address that the page listens on. The
// owner of a host name can point it anywhere, so only the configured name and
// localhost are valid. An IP address can't be redirected like that. The port isn't
// checked, since a tunnel may change it.
func (p *Playground) knows(hostport string) bool {
	u, err := url.Parse("http://" + hostport)
	if err != nil || u.Host != hostport || u.User != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if host == "localhost" {
		return true
	}
	listen, _, _ := net.SplitHostPort(p.config.Listen)
	if host != "" && host == strings.ToLower(listen) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	at, err := netip.ParseAddr(listen)
	everywhere := p.config.Listen != "" && (listen == "" || err == nil && at.IsUnspecified())
	return ip.IsLoopback() || everywhere
}
