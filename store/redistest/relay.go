package redistest

import (
	"net"
	"testing"
)

// Ears are called with the number of bytes of each piece that a relay has read, before it is passed on: Asked for what
// the client sent, Answered for what the server sent. If one returns false, the piece is dropped and the connection ends.
type Ears struct{ Asked, Answered func(n int) bool }

// Listen returns a listener on a free port of the loopback, closed when the test ends.
func Listen(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// Relay passes the connections of a listener on to a server until the listener is closed. It calls link once for each
// connection.
func Relay(l net.Listener, server string, link func() Ears) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", server)
		if err != nil {
			in.Close()
			continue
		}
		ears := link()
		go relay(out, in, ears.Asked)
		go relay(in, out, ears.Answered)
	}
}

func relay(to, from net.Conn, heard func(n int) bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if heard != nil && !heard(n) {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
