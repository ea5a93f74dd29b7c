package call

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sedmabot/bot/bottest/cable"
)

// patience is how long a busy machine may take for an answer.
const patience = 2 * time.Minute

// TestTheClientKeepsItsConnections checks that after many requests at the same time, as many
// more need no new connection.
func TestTheClientKeepsItsConnections(t *testing.T) {
	t.Parallel()
	const many = 40
	var opened atomic.Int64
	var here sync.WaitGroup
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		here.Done()
		here.Wait() // all requests are open at the same time
		_, _ = io.WriteString(w, "{}\n")
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := Client()
	defer client.CloseIdleConnections()
	for range 3 {
		here.Add(many)
		var all sync.WaitGroup
		for range many {
			all.Go(func() {
				resp, err := client.Get(server.URL)
				if err != nil {
					t.Error(err)
					return
				}
				defer resp.Body.Close()
				_, _ = io.ReadAll(resp.Body)
			})
		}
		all.Wait()
	}
	if n := opened.Load(); n >= 2*many { // a connection may come back a little after its answer
		t.Errorf("%d connections for %d requests at the same time", n, many)
	}
}

// TestADeadConnectionIsGivenUp checks that requests don't wait on connections that have gone dead: a ping finds it out over
// HTTP/2, and over HTTP/1.1 one request that fails is enough for all connections.
func TestADeadConnectionIsGivenUp(t *testing.T) {
	t.Parallel()
	if found := pingAfter + pingAnswer; found > 22*time.Second { // half of the time in which a bot must be back
		t.Errorf("a dead connection is found out after %v", found)
	}
	for name, http2 := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const many = 5
			var here sync.WaitGroup
			server := cable.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/together" {
					here.Done()
					here.Wait()
				}
				_, _ = io.WriteString(w, r.Proto)
			}), http2)
			defer server.Close()
			line := cable.New(t, server.Listener.Addr().String())
			client := Client(func(t *http.Transport) {
				t.HTTP2.SendPingTimeout /= 100
				t.HTTP2.PingTimeout /= 10
			})
			defer client.CloseIdleConnections()
			get := func(path string, patience time.Duration) (string, error) {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+line.Addr()+path, nil)
				if err != nil {
					return "", err
				}
				resp, err := client.Do(req)
				if err != nil {
					return "", err
				}
				defer resp.Body.Close()
				text, err := io.ReadAll(resp.Body)
				return string(text), err
			}
			if proto, err := get("/", patience); proto != name {
				t.Errorf("answered by %s: %v", proto, err)
			}
			here.Add(many)
			var all sync.WaitGroup
			for range many {
				all.Go(func() {
					if proto, err := get("/together", patience); proto != name {
						t.Errorf("answered by %s: %v", proto, err)
					}
				})
			}
			all.Wait()
			if n := line.Cut(); http2 != (n == 1) {
				t.Errorf("%d connections", n)
			}
			wait := patience // a ping ends the request long before
			if !http2 {
				wait = 100 * time.Millisecond
			}
			if _, err := get("/", wait); err == nil {
				t.Error("a dead connection answered")
			}
			if proto, err := get("/", patience); proto != name {
				t.Errorf("then it was answered by %s: %v", proto, err)
			}
		})
	}
}
