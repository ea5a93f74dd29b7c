// Package redisstore keeps the store in Redis (7.0 or later) or Valkey, or in a cluster. Both use the same code: each
// partition is one hash slot. Every change is one Lua script, so it is atomic and takes one round trip. Concurrent
// changes and reads of one Store may share a round trip. Several processes may share one Redis. Keys begin with a
// prefix, so several bots may share it too.
//
// # Failures
//
// Every call ends within two seconds, or sooner if its context does. Until then, a call is retried if it certainly was
// not executed: Redis refuses connections or loads its file, or a cluster is moving the slot. Reads are always retried.
// In a cluster, the retry goes to the node that has the slot. A commit whose answer was lost is not retried, and its
// outcome is unknown. After a call without an answer, the idle connections must answer within a second, or are closed.
//
// # Addresses
//
//	redis://[user:password@]host:port[/database]            one Redis; rediss:// for TLS
//	unix:///path                                            one Redis on this machine
//	redis://[user:password@]a:port,b:port,c:port            nodes of one Redis Cluster
//	redis+sentinel://[user:password@]a:port,b:port/master[/database]
//	                                                        the Redis that these Sentinels watch under that name
//	rediss://10.0.0.5:6379?server_name=cards.example        a certificate with another name than the host's
//
// User and password belong to an ACL user; without a user, the password is the default user's. If there are several
// addresses, the first one sets user, password and TLS for all. With rediss+sentinel:// both the Sentinels and the Redis
// use TLS. If the Sentinels have a password of their own, add ?sentinel_username=…&sentinel_password=…. Percent-encode
// special characters. The user needs the keys sedma:* and all commands that are not dangerous
// (ACL SETUSER bot on >password ~sedma:* &sedma:* +@all -@dangerous). The channels (&sedma:*) let a process notice the changes
// of other processes at once; without them, watches notice them within a few seconds.
//
// With Sentinels, as in a cluster, a failover may undo a commit that was already answered. If a replaced Redis comes
// back, it refuses changes, and the store asks the Sentinels again.
//
// Redis must not evict keys (maxmemory-policy noeviction, its default). If Redis is out of memory, it refuses changes as
// a whole, and the store continues when there is room again.
package redisstore

import (
	"cmp"
	"context"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"sedmabot/store"
)

// limit is the timeout of a call: less than the three seconds within which Discord wants an answer.
const limit = 2 * time.Second

// DefaultPrefix is the key prefix if Options sets none.
const DefaultPrefix = "sedma"

// Options are the settings that an address doesn't contain.
type Options struct {
	Prefix string           // prefix of all keys, without braces; empty: DefaultPrefix
	Roots  *x509.CertPool   // the CAs trusted for a Redis with TLS; nil: the system's CAs
	Now    func() time.Time // this process's own clock; nil: time.Now

	// Certificate returns the certificate that a Redis with TLS gets from this client; nil: it gets none. Each connection
	// asks again, so a renewed one is used.
	Certificate func() (*tls.Certificate, error)

	name  string        // replaces the host's name that the certificate must have, if not empty; the address says so
	limit time.Duration // replaces the default limit, for tests that check the answer and not the time

	onConnect func(context.Context, *redis.Conn) error
}

// Store is a store.Store that keeps its data in Redis.
type Store struct {
	client redis.UniversalClient
	keys   *space
	wires  []wire                  // a single one, or in a cluster one for each partition
	limit  time.Duration           // how long a call may take
	own    func() time.Time        // this process's own clock
	clock  atomic.Pointer[reading] // the latest answer of Redis' clock; nil: none yet
	turn   atomic.Int32            // the partition from which Claim starts to divide jobs

	listeners []listener // a single one, or in a cluster one for each partition
	closed    context.Context
	close     context.CancelFunc

	interruptions atomic.Int64
	looked        atomic.Int64 // interruptions at the latest Claim
	holder        store.Holder
	doubting      atomic.Bool // doubt is running
}

var _ store.Store = (*Store)(nil)

// script is a Lua script, and the hash under which Redis caches it.
type script struct{ source, hash string }

func newScript(source string) *script {
	sum := sha1.Sum([]byte(source))
	return &script{source, hex.EncodeToString(sum[:])}
}

var (
	//go:embed commit.lua
	commitSource string
	//go:embed peek.lua
	peekSource string
	//go:embed claim.lua
	claimSource string
	//go:embed sweep.lua
	sweepSource string
	//go:embed board.lua
	boardSource string

	commit = newScript(commitSource)
	peek   = newScript(peekSource)
	claim  = newScript(claimSource)
	sweep  = newScript(sweepSource)
	board  = newScript(boardSource)
)

// Open connects to the Redis at address and checks that it answers. The package comment lists the forms of an address. No
// error contains a password.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	prefix := options.Prefix
	if prefix == "" {
		prefix = DefaultPrefix
	}
	if strings.ContainsAny(prefix, "{}") {
		return nil, fmt.Errorf("redis key prefix %q: braces are not allowed", prefix)
	}
	options.limit = cmp.Or(options.limit, limit)
	s := &Store{keys: newSpace(prefix), limit: options.limit, wires: make([]wire, 1), own: time.Now}
	if options.Now != nil {
		s.own = options.Now
	}
	options.onConnect = func(context.Context, *redis.Conn) error { s.interruptions.Add(1); return nil }
	client, where, err := connect(address, options)
	if err != nil {
		return nil, err
	}
	s.client = client
	logging.Disable() // go-redis would only repeat its errors on standard error, in its own format
	if _, ok := client.(*redis.ClusterClient); ok {
		s.wires = make([]wire, store.Partitions) // a master that hangs doesn't delay the partitions of others
	}
	s.listeners = make([]listener, len(s.wires))
	s.closed, s.close = context.WithCancel(context.Background())
	for i := range s.wires {
		s.wires[i].client, s.wires[i].limit = client, s.limit
		s.listeners[i].client, s.listeners[i].ctx = client, s.closed
	}
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	err = client.Ping(limited).Err()
	if err == nil { // a node of a cluster that is down answers to that, too
		if refused := client.Exists(limited, s.keys.set(0)).Err(); has(refused, "") {
			err = refused
		}
	}
	if err != nil {
		s.Close()
		return nil, unopened(ctx, client, where, err)
	}
	_, _ = s.Sync(ctx) // without the right to ask, Now is this process's own time
	return s, nil
}

// Interruptions implements store.Store. In a cluster, a replica that is already connected may become a master. Then the
// calls that the old master did not answer count.
func (s *Store) Interruptions() int64 { return s.interruptions.Load() }

// Close closes the connections.
func (s *Store) Close() error {
	s.close()
	return s.client.Close()
}

// once is a command that the client never retries automatically after its outcome became unknown.
type once struct{ *redis.Cmd }

func (once) NoRetry() bool { return true }

// run runs a script through send. It takes one round trip, or two if Redis hasn't cached the script yet.
func run(ctx context.Context, send func(context.Context, redis.Cmder) error, script *script, keys []string, args []any) (*redis.Cmd, error) {
	words := make([]any, 0, 3+len(keys)+len(args))
	words = append(words, "evalsha", script.hash, len(keys))
	for _, key := range keys {
		words = append(words, key)
	}
	words = append(words, args...)
	cmd := once{redis.NewCmd(ctx, words...)}
	err := send(ctx, cmd)
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		words[0], words[1] = "eval", script.source
		cmd = once{redis.NewCmd(ctx, words...)}
		err = send(ctx, cmd)
	}
	if err != nil {
		return nil, err
	}
	return cmd.Cmd, nil
}

// retry calls f until it succeeds, fails permanently, or the call's timeout expires. If repeatable, f is also retried
// when its outcome is unknown.
func (s *Store) retry(ctx context.Context, repeatable bool, f func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	var told error // the latest answer that says why Redis executes nothing
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 250*time.Millisecond) {
		err := f(limited)
		if err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrFenced) {
			s.interruptions.Add(1)
			if timedOut(err) {
				go s.doubt()
			}
			if cluster, ok := s.client.(*redis.ClusterClient); ok {
				cluster.ReloadState(limited) // automatically, it looks for another master only if the old one names it
			}
		}
		if unexecuted(err) && has(err, "") {
			told = err
		}
		if err == nil || !(unexecuted(err) || repeatable && broken(err)) {
			return explained(plain(ctx, err), told)
		}
		select {
		case <-limited.Done():
			return explained(plain(ctx, err), told)
		case <-time.After(wait):
		}
	}
}

// explained adds to the error of a timeout what Redis answered before.
func explained(err, told error) error {
	if told == nil || !timedOut(err) && !errors.Is(err, ErrSilent) {
		return err
	}
	return fmt.Errorf("%w: %w", err, told)
}

// ReadOnly reports whether an error says that the Redis takes no changes because it is a replica.
func ReadOnly(err error) bool { return redis.HasErrorPrefix(err, "READONLY") }

// Unready reports whether an error says that the Redis can't do anything yet, as while it loads its file.
func Unready(err error) bool {
	return has(err, "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY")
}

// sign is how long doubt waits for a sign of life.
const sign = time.Second

// doubt asks the idle connections for a sign of life after a call got no answer, and closes those that give none. They may
// have died together, as when a proxy hangs, and each would cost a call.
func (s *Store) doubt() {
	if !s.doubting.CompareAndSwap(false, true) {
		return
	}
	defer s.doubting.Store(false)
	ctx, cancel := context.WithTimeout(s.closed, sign)
	defer cancel()
	each := func(ctx context.Context, client *redis.Client) error {
		var all sync.WaitGroup
		for range client.PoolStats().IdleConns {
			conn := client.Conn() // a connection of its own until it is closed
			defer conn.Close()
			all.Go(func() { _ = conn.Ping(ctx).Err() }) // the client closes a connection that doesn't answer
		}
		all.Wait()
		return nil
	}
	switch client := s.client.(type) {
	case *redis.Client:
		_ = each(ctx, client)
	case *redis.ClusterClient:
		_ = client.ForEachShard(ctx, each)
	}
}

// unexecuted reports whether a command that failed with err certainly had no effect, and may soon succeed.
func unexecuted(err error) bool {
	for _, prefix := range []string{"TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY", "MOVED", "ASK", "max number of clients"} {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Op == "dial"
	}
	// The client takes the outermost layer off an error of a handshake, in which a full Redis hangs up.
	return errors.As(err, new(*os.SyscallError))
}

// broken reports whether err means that the connection was cut.
func broken(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.As(err, &op) && !op.Timeout()
}

// ErrSilent reports that Redis does not answer.
var ErrSilent = fmt.Errorf("redis does not answer within %v", limit)

// timedOut reports whether err means that there was no answer in time.
func timedOut(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// plain replaces the client's timeout errors with ours; ctx is the caller's context.
func plain(ctx context.Context, err error) error {
	switch deadline, ok := ctx.Deadline(); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case ok && !time.Now().Before(deadline): // a connection may report its deadline before the context does
		return context.DeadlineExceeded
	case timedOut(err):
		return ErrSilent
	}
	return err
}

// millis returns the stored form of a time, rounded up so that nothing happens early.
func millis(t time.Time) int64 { return max(1, t.Add(time.Millisecond-1).UnixMilli()) }

// caller returns the caller's current time in milliseconds, rounded down.
func (s *Store) caller(c store.Change) int64 {
	if c.Now.IsZero() {
		return s.Now().UnixMilli()
	}
	return c.Now.UnixMilli()
}

// present returns the time that decides about expiry: the later of a caller's now and the store's own, rounded down.
func (s *Store) present(now time.Time) int64 { return max(now.UnixMilli(), s.Now().UnixMilli()) }
