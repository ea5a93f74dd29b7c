package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// keptOpen is how many idle connections to one platform are kept open. It covers all the
// deliveries and answers that the bot makes at the same time under load.
const keptOpen = 256

// A connection may be dead without an end: a proxy hangs, or the machine has slept. After silence of pingAfter, an HTTP/2
// connection gets a ping, and it is closed without an answer within pingAnswer. An HTTP/1.1 connection knows no pings; see
// doubting.
const (
	pingAfter  = 15 * time.Second
	pingAnswer = 5 * time.Second
)

// platformClient returns an HTTP client for requests to platforms. The standard client keeps only two
// connections to a host open, so most requests at a busy time would begin with a TLS handshake.
// Answers aren't compressed: they are short, and decompressing takes longer than reading them.
func platformClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, keptOpen // 0: no limit
	t.DisableCompression = true
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingAnswer}
	return &http.Client{Transport: doubting{t}}
}

// doubting is a transport that closes its idle connections when a request has failed: they may be as dead as the one
// of the request, and each would cost another request.
type doubting struct{ *http.Transport }

// RoundTrip implements http.RoundTripper.
func (d doubting) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.Transport.RoundTrip(r)
	if err != nil {
		d.doubt(r)
		return nil, err
	}
	resp.Body = doubted{resp.Body, func() { d.doubt(r) }}
	return resp, nil
}

// doubt closes the idle connections, unless the caller has ended the request.
func (d doubting) doubt(r *http.Request) {
	if !errors.Is(r.Context().Err(), context.Canceled) {
		d.CloseIdleConnections()
	}
}

// doubted is the body of an answer. It calls fail if it can't be read to its end.
type doubted struct {
	io.ReadCloser
	fail func()
}

func (b doubted) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.fail()
	}
	return n, err
}
