// Package call makes the HTTP client for requests to platforms. It is apart from package chat, the contract with a platform,
// which knows nothing of HTTP.
package call

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

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

// Client returns an HTTP client for requests to platforms, with changes for tests. The standard client keeps only two
// connections to a host open, so most requests at a busy time would begin with a TLS handshake.
// Answers aren't compressed: they are short, and decompressing takes longer than reading them.
func Client(changes ...func(*http.Transport)) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = 0, keptOpen // 0: no limit
	t.DisableCompression = true
	t.WriteBufferSize = 32 << 10 // a picture goes out in one write
	t.HTTP2 = &http.HTTP2Config{SendPingTimeout: pingAfter, PingTimeout: pingAnswer}
	for _, change := range changes {
		change(t)
	}
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
