// Package redisstore keeps the store in Redis (7.0 or later) or in a Redis Cluster, by the same code: each partition is
// one hash slot. Every change is one Lua script, so it is atomic and takes one round trip, which changes that many clients
// of a Store make at a time may share. Several processes may share one Redis; keys begin with a prefix, so that several
// bots may too.
//
// # Failures
//
// Every call ends within two seconds, or sooner if its context does. A call that certainly was not executed (Redis refuses
// connections, loads its file, or a cluster moves the slot at this moment) is tried again until then, and so is a
// reading one; in a cluster it then goes to whoever has the slot. A commit whose answer was lost is not: its error says that the outcome is open.
//
// # Addresses
//
//	redis://[user:password@]host:port[/database]            one Redis; rediss:// for TLS
//	unix:///path                                            one Redis on this machine
//	redis://[user:password@]a:port,b:port,c:port            nodes of one Redis Cluster
//	redis+sentinel://[user:password@]a:port,b:port/master[/database]
//	                                                        the Redis of that name that these Sentinels watch
//
// User and password are an ACL user's; without a user they are the default user's. The first address of several says
// them, and whether there is TLS, for all. With rediss+sentinel:// both the Sentinels and the Redis have TLS; Sentinels that
// ask for a password of their own get ?sentinel_username=…&sentinel_password=…. Special characters are percent-encoded. The
// user needs the keys sedma:* and all commands that are not dangerous (ACL SETUSER bot on >password ~sedma:* +@all -@dangerous).
//
// Behind Sentinels a commit that was answered may be undone by a failover, as in a cluster; a Redis that was replaced
// refuses changes when it comes back, and the store asks the Sentinels again.
//
// Redis must not evict keys (maxmemory-policy noeviction, its default). Out of memory, it refuses changes as a whole and
// the store goes on when there is room again.
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
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"sedmabot/store"
)

// limit is how long a call may take: less than the three seconds in which Discord wants an answer.
const limit = 2 * time.Second

// DefaultPrefix is what keys begin with if Options says nothing else.
const DefaultPrefix = "sedma"

// Options are what an address does not say.
type Options struct {
	Prefix string         // of all keys, without braces; empty: DefaultPrefix
	Roots  *x509.CertPool // who may sign the certificates of a Redis with TLS; nil: whom the system trusts

	limit time.Duration // instead of limit, for tests that ask what is answered, and not how soon

	onConnect func(context.Context, *redis.Conn) error
}

// Store is a store.Store in Redis.
type Store struct {
	client redis.UniversalClient
	keys   *space
	wires  []wire        // one, or in a cluster one a partition
	limit  time.Duration // how long a call may take
	turn   atomic.Int32  // the partition that Claim asks first

	interruptions atomic.Int64
}

var _ store.Store = (*Store)(nil)

// script is a Lua script and the name under which Redis keeps it.
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

// Open connects to the Redis at address and makes sure that it answers: see the package comment for its forms. No error
// contains a password.
func Open(ctx context.Context, address string, options Options) (*Store, error) {
	prefix := options.Prefix
	if prefix == "" {
		prefix = DefaultPrefix
	}
	if strings.ContainsAny(prefix, "{}") {
		return nil, fmt.Errorf("redis key prefix %q: braces are not allowed", prefix)
	}
	options.limit = cmp.Or(options.limit, limit)
	s := &Store{keys: newSpace(prefix), limit: options.limit, wires: make([]wire, 1)}
	options.onConnect = func(context.Context, *redis.Conn) error { s.interruptions.Add(1); return nil }
	client, where, err := connect(address, options)
	if err != nil {
		return nil, err
	}
	s.client = client
	logging.Disable() // to standard error, in a form of its own, what its errors say anyway
	if _, ok := client.(*redis.ClusterClient); ok {
		s.wires = make([]wire, store.Partitions) // a master that hangs holds up none of another's
	}
	for i := range s.wires {
		s.wires[i].client, s.wires[i].limit = client, s.limit
	}
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	if err := client.Ping(limited).Err(); err != nil {
		client.Close()
		advice := "start it, or correct store.redis_url"
		var untrusted *tls.CertificateVerificationError
		if errors.As(err, &untrusted) {
			advice = "name a file with who signed its certificate in store.redis_ca, or correct store.redis_url"
		}
		return nil, fmt.Errorf("redis at %s: %w: %s", where, plain(ctx, err), advice)
	}
	return s, nil
}

// Interruptions implements store.Store. In a cluster a replica may become a master to which there is a connection
// already; then the calls that its master did not answer count.
func (s *Store) Interruptions() int64 { return s.interruptions.Load() }

// Close closes the connections.
func (s *Store) Close() error { return s.client.Close() }

// once is a command that the client never repeats by itself after its outcome became unknown.
type once struct{ *redis.Cmd }

func (once) NoRetry() bool { return true }

// run runs a script by send in one round trip, or in two if Redis does not have it yet.
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

// retry calls f until it succeeds, fails for good, or the time for a call is over. If repeatable, f may also be called
// again when its outcome is unknown.
func (s *Store) retry(ctx context.Context, repeatable bool, f func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, 250*time.Millisecond) {
		err := f(limited)
		if err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrFenced) {
			s.interruptions.Add(1)
			if cluster, ok := s.client.(*redis.ClusterClient); ok {
				cluster.ReloadState(limited) // by itself it looks for another master only when the old one says so
			}
		}
		if err == nil || !(unexecuted(err) || repeatable && broken(err)) {
			return plain(ctx, err)
		}
		select {
		case <-limited.Done():
			return plain(ctx, err)
		case <-time.After(wait):
		}
	}
}

// unexecuted reports whether a command that failed with err certainly had no effect, and may have one soon.
func unexecuted(err error) bool {
	for _, prefix := range []string{"TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "READONLY", "MOVED", "ASK"} {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// broken reports whether err is a connection's that was cut.
func broken(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &op) && !op.Timeout()
}

// errSilent is what a call gets from a Redis that does not answer.
var errSilent = fmt.Errorf("redis does not answer within %v", limit)

// plain says in our words what the client says about time; ctx is the caller's.
func plain(ctx context.Context, err error) error {
	var timeout net.Error
	switch deadline, ok := ctx.Deadline(); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case ok && !time.Now().Before(deadline): // a connection's deadline may be noticed before the context's own
		return context.DeadlineExceeded
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return errSilent
	}
	return err
}

// millis is a time as it is stored, rounded up so that nothing is early.
func millis(t time.Time) int64 { return max(1, t.Add(time.Millisecond-1).UnixMilli()) }

// present is the later of a caller's now and the wall clock, rounded down: what documents expire by.
func present(now time.Time) int64 { return max(now.UnixMilli(), time.Now().UnixMilli()) }
