package storetest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// Where the ports of tests lie: below those that Linux gives to who asks for any (net.ipv4.ip_local_port_range), which
// are listeners on port 0 and the near ends of connections. Its bus has a node of a cluster so much higher.
const (
	firstPort, ports = 10_000, 10_000
	busAbove         = 10_000
)

// Address is a host:port on this machine at which nobody listens, and at which nobody will but who is told it, until the
// test ends: a server may end there and start again.
func Address(t testing.TB) string {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(ports)
		// Redis has no use for the port of UDP: whoever has it there has the whole port, among all processes of tests.
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

// vacant tells whether nobody listens at a port.
func vacant(port int) bool {
	l, err := net.Listen("tcp", local(port))
	if err != nil {
		return false
	}
	l.Close()
	return true
}
