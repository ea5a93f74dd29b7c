package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
)

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
	client := platformClient()
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
