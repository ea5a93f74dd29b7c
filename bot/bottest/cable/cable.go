// Package cable is the network of tests: servers that speak TLS and HTTP/2, as the platforms' own do, and cables to
// servers that can go dead. A dead connection loses all data, and neither end learns of it, as when a proxy hangs or a
// machine has slept. New connections over the same cable work. A frozen cable reads nothing, so that writers wait once
// the buffers are full, and that holds for new connections, too: nobody answers them.
package cable

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Serve starts a server with TLS, which speaks HTTP/2 and HTTP/1.1, or only HTTP/1.1. This process and those that it
// starts from now on trust its certificate. The caller must close it.
func Serve(tb testing.TB, h http.Handler, http2 bool) *httptest.Server {
	tb.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = http2
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // a bot that is killed ends handshakes early
	own, err := certificate()
	if err == nil {
		err = trust()
	}
	if err != nil {
		tb.Fatal(err)
	}
	s.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
	s.StartTLS()
	return s
}

// certificate is that of all test servers, in every process. To sign with it takes a fortieth of what it takes with the one that
// httptest has, and each connection signs once.
var certificate = sync.OnceValues(func() (tls.Certificate, error) {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Date(2084, 1, 1, 0, 0, 0, 0, time.UTC),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	data, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{data}, PrivateKey: key}, err
})

// trust makes the certificate of test servers one of the system's.
var trust = sync.OnceValue(func() error {
	own, err := certificate()
	if err != nil {
		return err
	}
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})
	name := filepath.Join(os.TempDir(), fmt.Sprintf("sedmabot-test-ca-%d-%x.pem", os.Getuid(), sha256.Sum256(data)))
	if known, err := os.ReadFile(name); err != nil || string(known) != string(data) {
		f, err := os.CreateTemp("", "sedmabot-test-ca-")
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if f.Close(); err == nil {
			err = os.Rename(f.Name(), name) // other processes may read it
		}
		if err != nil {
			return err
		}
	}
	return os.Setenv("SSL_CERT_FILE", name)
})

// Cable carries connections to a server.
type Cable struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	dead  []chan struct{} // of the connections so far; closed when they go dead
	conns []net.Conn
	ice   chan struct{} // closed when the cable freezes
	ends  chan struct{} // closed when the test ends
	wg    sync.WaitGroup
}

// New lays a cable to the server at an address, until the test ends.
func New(tb testing.TB, to string) *Cable {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	c := &Cable{listener: l, to: to, ice: make(chan struct{}), ends: make(chan struct{})}
	c.wg.Go(c.accept)
	tb.Cleanup(func() {
		_ = l.Close()
		close(c.ends)
		c.mu.Lock()
		for _, conn := range c.conns {
			_ = conn.Close()
		}
		c.mu.Unlock()
		c.wg.Wait()
	})
	return c
}

// Addr returns the address of the near end.
func (c *Cable) Addr() string { return c.listener.Addr().String() }

// Cut makes all connections so far go dead, and returns how many there were.
func (c *Cable) Cut() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.dead)
	for _, dead := range c.dead {
		close(dead)
	}
	c.dead = nil
	return n
}

// Freeze lets no more data be read from any connection, old or new. The cable never thaws.
func (c *Cable) Freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		_ = conn.(*net.TCPConn).SetReadBuffer(1)
	}
	close(c.ice)
}

func (c *Cable) accept() {
	for {
		near, err := c.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", c.to)
		if err != nil {
			_ = near.Close()
			continue
		}
		dead := make(chan struct{})
		c.mu.Lock()
		c.dead, c.conns = append(c.dead, dead), append(c.conns, near, far)
		c.mu.Unlock()
		for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
			c.wg.Go(func() { c.carry(way[0], way[1], dead) })
		}
	}
}

// carry carries what comes from one end to the other. Once the connection is dead it carries nothing, not even its end.
// Once the cable is frozen it reads nothing.
func (c *Cable) carry(from, to net.Conn, dead <-chan struct{}) {
	some := make([]byte, 32<<10)
	for {
		n, err := from.Read(some)
		select {
		case <-c.ice:
			<-c.ends
			return
		case <-dead:
			_, _ = io.Copy(io.Discard, from)
			return
		default:
		}
		if err != nil {
			_ = to.Close()
			return
		}
		if _, err := to.Write(some[:n]); err != nil {
			_ = from.Close()
			return
		}
	}
}
