package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// web is the program's own HTTP server, at http.listen. Whatever is asked of
// the program hangs on its mux before it runs: what watches it, and what the
// platforms call.
type web struct {
	*http.ServeMux
	listener net.Listener // nil: http.listen is empty
}

// Limits of a request and of its answer; a handler may set the deadlines anew.
const (
	maxRequest = 1 << 20          // bytes of a body
	answering  = 15 * time.Second // for a request and its answer
	lastWords  = 5 * time.Second  // for what is in hand when the program stops
)

// listen opens the server's port; "" is none.
func listen(address string) (*web, error) {
	w := &web{ServeMux: http.NewServeMux()}
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

// close lets go of the port, if run did not.
func (w *web) close() {
	if w.listener != nil {
		w.listener.Close()
	}
}

// run answers until ctx ends; what is in hand then is finished, within 5 s.
func (w *web) run(ctx context.Context) error {
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
