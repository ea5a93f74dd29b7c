package redistest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// The range of the tests' ports. It is below the range that Linux uses for listeners on port 0 and for outgoing
// connections (net.ipv4.ip_local_port_range). A Redis Cluster node's bus port is its own port plus busAbove.
const (
	firstPort, ports = 10_000, 10_000
	busAbove         = 10_000
)

// Address returns a free host:port on this machine and reserves it until the test ends. Only the caller knows it, so a
// server can stop there and start again.
func Address(t testing.TB) string {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(ports)
		// Redis doesn't use UDP, so an open UDP port serves as a lock on the whole port, across all test processes.
		guard, err := net.ListenPacket("udp", local(port))
		if err != nil {
			continue
		}
		if !vacant(port) || !vacant(port+busAbove) {
			guard.Close()
			continue
		}
		t.Cleanup(func() { guard.Close() })
		return local(port)
	}
	t.Fatal("there is no free port")
	return ""
}

func local(port int) string { return fmt.Sprint("127.0.0.1:", port) }

// vacant reports whether nobody listens at a port.
func vacant(port int) bool {
	l, err := net.Listen("tcp", local(port))
	if err != nil {
		return false
	}
	l.Close()
	return true
}
