package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// server is the program's own HTTP server, at http.listen. All handlers are
// registered on its mux before it runs: those for monitoring, and those that the
// platforms call.
type server struct {
	*http.ServeMux
	listener net.Listener // nil if http.listen is empty
	public   string       // host of web.url, where monitoring isn't answered; "": none
}

// monitoring are the paths that are for this machine's operator.
var monitoring = []string{"/livez", "/readyz", "/metrics"}

// ServeHTTP answers a request. Monitoring is not for requests to web.url's host, nor for
// those that a proxy passed on from elsewhere.
func (w *server) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if w.public != "" && slices.Contains(monitoring, r.URL.Path) {
		passed := slices.ContainsFunc([]string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "Via"}, func(h string) bool { return r.Header.Get(h) != "" })
		if passed || strings.EqualFold(r.Host, w.public) {
			http.NotFound(out, r)
			return
		}
	}
	w.ServeMux.ServeHTTP(out, r)
}

// Limits of a request and of its answer. A handler may change the deadlines.
const (
	maxRequest = 1 << 20          // maximum size of a body in bytes
	answering  = 15 * time.Second // timeout of a request and its answer
	lastWords  = 5 * time.Second  // time to finish open requests when the program stops
)

// listen opens the server's port. If the address is "", it opens none.
func listen(address string) (*server, error) {
	w := &server{ServeMux: http.NewServeMux()}
	w.HandleFunc("GET /livez", func(out http.ResponseWriter, _ *http.Request) { io.WriteString(out, "alive\n") })
	if address == "" {
		return w, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("open http.listen (another address or none will do, too): %w", err)
	}
	w.listener = l
	return w, nil
}

// close closes the port, if run hasn't closed it.
func (w *server) close() {
	if w.listener != nil {
		w.listener.Close()
	}
}

// run answers requests until ctx ends. Open requests then have 5 s to finish.
func (w *server) run(ctx context.Context) error {
	if w.listener == nil {
		<-ctx.Done()
		return nil
	}
	s := &http.Server{
		Handler:           http.MaxBytesHandler(w, maxRequest),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       answering,
		WriteTimeout:      answering,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(w.listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve http.listen: %w", err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		s.Close()
	}
	return nil
}
