package cable

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Air is a network in memory, for tests in a synctest bubble. Data arrives after the latency, in order. Data sent on two
// lines at the same moment arrives at two moments, which depend on the lines: so the network decides what happens first, and
// not the scheduler. Writers never wait.
type Air struct {
	mu        sync.Mutex
	latency   time.Duration
	listeners map[string]*airport
	machines  map[string]*machine
}

// machine is one that opens connections, and perhaps accepts them.
type machine struct {
	away   bool          // nobody can be reached from it, and it can't be reached
	slow   time.Duration // additional latency
	number uint64        // of the machine
	lines  uint64        // number of its lines so far
	conns  []*airConn
}

// NewAir returns a network with that latency.
func NewAir(latency time.Duration) *Air {
	return &Air{latency: latency, listeners: map[string]*airport{}, machines: map[string]*machine{}}
}

// Listen opens a server's address, such as "discord.test:80".
func (a *Air) Listen(address string) net.Listener {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := &airport{address: airAddress(address), calls: make(chan net.Conn, 1024), closed: make(chan struct{})}
	a.listeners[address] = l
	return l
}

// Dial returns how a machine opens connections.
func (a *Air) Dial(from string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, _, address string) (net.Conn, error) {
		wait := time.NewTimer(a.takes(from, 0))
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		m, to := a.machine(from), a.listeners[address]
		host, _, _ := strings.Cut(address, ":")
		server := a.machines[host] // nil: not a machine
		if to == nil || to.isClosed() || m.away || server != nil && server.away {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}
		near, far := a.line(m, from), a.line(m, from)
		conn, other := &airConn{in: near, out: far, to: to.address, dialed: true}, &airConn{in: far, out: near, to: airAddress(from)}
		select {
		case to.calls <- other:
		default:
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}
		m.conns = append(m.conns, conn)
		if server != nil {
			server.conns = append(server.conns, other)
		}
		return conn, nil
	}
}

// machine returns a machine. a.mu must be held.
func (a *Air) machine(name string) *machine {
	if a.machines[name] == nil {
		a.machines[name] = &machine{number: uint64(len(a.machines))}
	}
	return a.machines[name]
}

// takes returns how long the next thing takes on a line of a machine.
func (a *Air) takes(from string, line uint64) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.machine(from)
	return a.latency + m.slow + time.Duration((m.number*7919+line*104729)%1_000_003)
}

// Stall lets a machine's connections go dead: all that is written to them from now on is lost, and neither end learns of
// it. With back, only what the machine should get on connections that it opened is lost. It returns the number of connections.
func (a *Air) Stall(name string, back bool) int {
	return a.each(name, func(c *airConn) {
		if back && !c.dialed {
			return
		}
		c.in.lose()
		if !back {
			c.out.lose()
		}
	})
}

// Cut breaks a machine's connections. Both ends learn of it.
func (a *Air) Cut(name string) int {
	return a.each(name, func(c *airConn) {
		c.in.fail(syscall.ECONNRESET)
		c.out.fail(syscall.ECONNRESET)
	})
}

// each calls do for a machine's connections. It returns how many are open.
func (a *Air) each(name string, do func(c *airConn)) (n int) {
	a.mu.Lock()
	m := a.machine(name)
	m.conns = slices.DeleteFunc(m.conns, func(c *airConn) bool { return !c.in.reads() })
	conns := slices.Clone(m.conns)
	a.mu.Unlock()
	for _, c := range conns {
		if c.in.open() {
			n++
		}
		do(c)
	}
	return n
}

// Slow adds to the latency from and to a machine.
func (a *Air) Slow(name string, by time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.machine(name).slow = by
}

// Away sets whether a machine can open connections to nobody, and nobody to it.
func (a *Air) Away(name string, away bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.machine(name).away = away
}

type airAddress string

func (airAddress) Network() string  { return "tcp" }
func (a airAddress) String() string { return string(a) }

// airport is a listener.
type airport struct {
	address airAddress
	calls   chan net.Conn
	once    sync.Once
	closed  chan struct{}
}

func (l *airport) Accept() (net.Conn, error) {
	select {
	case c := <-l.calls:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *airport) isClosed() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

func (l *airport) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *airport) Addr() net.Addr { return l.address }

// airConn is one end of a connection.
type airConn struct {
	in, out *airLine
	to      airAddress
	dialed  bool // by this end
}

func (c *airConn) Read(p []byte) (int, error)  { return c.in.read(p) }
func (c *airConn) Write(p []byte) (int, error) { return c.out.write(p) }
func (c *airConn) LocalAddr() net.Addr         { return airAddress("here:1") }
func (c *airConn) RemoteAddr() net.Addr        { return c.to }

func (c *airConn) Close() error {
	c.in.fail(net.ErrClosed)
	c.out.end()
	return nil
}

func (c *airConn) SetDeadline(at time.Time) error { return c.SetReadDeadline(at) }

func (c *airConn) SetReadDeadline(at time.Time) error {
	c.in.change(func() { c.in.deadline = at })
	return nil
}

// SetWriteDeadline does nothing, because writers don't wait.
func (*airConn) SetWriteDeadline(time.Time) error { return nil }

// airLine is one direction of a connection.
type airLine struct {
	air     *Air
	machine string
	number  uint64 // among the machine's lines

	mu       sync.Mutex
	changed  chan struct{} // closed at the next change
	parts    []airPart
	latest   time.Time // when the latest part arrives
	lost     bool      // nothing arrives any more
	err      error     // of reads, once all parts are read; io.EOF after the other end's Close
	cut      bool      // err holds at once, also for writes
	deadline time.Time // of reads
}

type airPart struct {
	at   time.Time
	data []byte // nil: the end
}

// line returns a new line to or from a machine. a.mu must be held.
func (a *Air) line(m *machine, name string) *airLine {
	m.lines++
	return &airLine{air: a, machine: name, number: m.lines, changed: make(chan struct{})}
}

func (l *airLine) change(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *airLine) lose() { l.change(func() { l.lost, l.parts = true, nil }) }

func (l *airLine) fail(err error) {
	l.change(func() {
		if !l.cut {
			l.err, l.cut, l.parts = err, true, nil
		}
	})
}

// reads reports whether somebody may read from the line.
func (l *airLine) reads() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.cut
}

// open reports whether something can arrive on the line.
func (l *airLine) open() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.cut && !l.lost
}

func (l *airLine) end() { _, _ = l.carry(nil) }

func (l *airLine) write(p []byte) (int, error) { return l.carry(append([]byte{}, p...)) }

func (l *airLine) carry(data []byte) (n int, err error) {
	at := time.Now().Add(l.air.takes(l.machine, l.number))
	l.change(func() {
		switch {
		case l.cut && errors.Is(l.err, net.ErrClosed): // the reader has closed its end
			err = syscall.EPIPE
		case l.cut:
			err = l.err
		case l.lost: // as if it had arrived
		default:
			if at.Before(l.latest) {
				at = l.latest.Add(1)
			}
			l.latest = at
			l.parts = append(l.parts, airPart{at, data})
		}
	})
	if err != nil {
		return 0, err
	}
	return len(data), nil
}

// take reads what can be read now. If nothing can, it returns a channel that is closed when that changes, and a time when it
// may change, or zero.
func (l *airLine) take(p []byte) (n int, changed chan struct{}, wait time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	switch {
	case l.cut:
		return 0, nil, wait, l.err
	case !l.deadline.IsZero() && !l.deadline.After(now):
		return 0, nil, wait, os.ErrDeadlineExceeded
	case len(l.parts) > 0 && !l.parts[0].at.After(now):
		if l.parts[0].data == nil {
			return 0, nil, wait, io.EOF
		}
		n = copy(p, l.parts[0].data)
		if l.parts[0].data = l.parts[0].data[n:]; len(l.parts[0].data) == 0 {
			l.parts = l.parts[1:]
		}
		return n, nil, wait, nil
	case len(l.parts) > 0:
		wait = l.parts[0].at
	}
	if !l.deadline.IsZero() && (wait.IsZero() || l.deadline.Before(wait)) {
		wait = l.deadline
	}
	return 0, l.changed, wait, nil
}

func (l *airLine) read(p []byte) (int, error) {
	for {
		n, changed, wait, err := l.take(p)
		if changed == nil {
			return n, err
		}
		var timer <-chan time.Time
		stop := func() bool { return true }
		if !wait.IsZero() {
			t := time.NewTimer(time.Until(wait))
			timer, stop = t.C, t.Stop
		}
		select {
		case <-timer:
		case <-changed:
		}
		stop()
	}
}
