package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// server is one of the program's HTTP servers. The public one, at http.listen, is what the
// platforms and the players call. The other one, at monitor.listen, is for monitoring alone, so
// that no address and no proxy leads strangers there. All handlers are registered on a server's
// mux before it runs.
type server struct {
	*http.ServeMux
	key      string       // the key of its address
	listener net.Listener // nil if the address is empty
}

// Limits of a request and of its answer. A handler may change the deadlines.
const (
	maxRequest = 1 << 20          // maximum size of a body in bytes
	answering  = 15 * time.Second // timeout of a request and its answer
	lastWords  = 5 * time.Second  // time to finish open requests when the program stops
)

// listen opens a server's port, at the address that the key has. If the address is "", it opens none.
func listen(key, address string) (*server, error) {
	w := &server{ServeMux: http.NewServeMux(), key: key}
	if address == "" {
		return w, nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("open %s (another address or none will do, too): %w", key, err)
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
		return fmt.Errorf("serve %s: %w", w.key, err)
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		s.Close()
	}
	return nil
}
