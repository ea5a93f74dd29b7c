package redistest

import (
	"fmt"
	"net"
	"strings"
	"testing"
)

// Sentinels is a Redis with a replica, watched by three Sentinels.
type Sentinels struct {
	Master *Server // the first master

	t         testing.TB
	replica   *Server
	sentinels []*Server
}

// master is the name by which the Sentinels know the Redis.
const master = "cards"

// StartSentinels starts the servers, which stop when the test ends. The Redis has an ACL user bot with password "s3cret",
// who has the permissions that the store needs.
func StartSentinels(t testing.TB) *Sentinels {
	t.Helper()
	acl := []string{"--user", "bot", "on", ">s3cret", "~sedma:*", "~test*", "&sedma:*", "&test*", "+@all", "-@dangerous", "--repl-diskless-sync-delay", "0"}
	s := &Sentinels{t: t, Master: Start(t, acl...)}
	host, port, err := net.SplitHostPort(s.Master.Addr)
	if err != nil {
		t.Fatal(err)
	}
	s.replica = Start(t, append(acl, "--replicaof", host, port)...)
	s.wait("the replica follows", func() bool {
		return strings.Contains(s.replica.text("INFO", "replication"), "master_link_status:up")
	})
	for range 3 {
		s.sentinels = append(s.sentinels, begin(t, &Server{config: fmt.Sprintf(
			"sentinel monitor %[1]s %[2]s %[3]s 2\nsentinel down-after-milliseconds %[1]s 2000\nsentinel failover-timeout %[1]s 5000\n", master, host, port)}))
	}
	s.wait("the Sentinels know each other and the replica", func() bool {
		for _, one := range s.sentinels {
			if _, err := one.try("SENTINEL", "CKQUORUM", master); err != nil {
				return false
			}
			if text := one.text("INFO", "sentinel"); !strings.Contains(text, "status=ok") || !strings.Contains(text, "slaves=1,sentinels=3") {
				return false
			}
		}
		return true
	})
	return s
}

// URL returns the address for redisstore.Open: the Sentinels and the ACL user.
func (s *Sentinels) URL() string {
	var all []string
	for _, one := range s.sentinels {
		all = append(all, one.Addr)
	}
	return "redis+sentinel://bot:s3cret@" + strings.Join(all, ",") + "/" + master
}

// Detach waits until the replica has everything, and then cuts it off. If the master fails after that, everything
// written since is lost.
func (s *Sentinels) Detach() {
	s.t.Helper()
	if n, err := s.Master.try("WAIT", 1, 0); err != nil || n != int64(1) {
		s.t.Fatal(n, err)
	}
	s.replica.Pause()
	if _, err := s.Master.try("CLIENT", "KILL", "TYPE", "replica"); err != nil {
		s.t.Fatal(err)
	}
}

// FailOver kills the master, resumes the replica if it is detached, and waits until the replica is the new master.
func (s *Sentinels) FailOver() {
	s.t.Helper()
	s.Master.Kill()
	s.replica.Resume()
	s.Replaced()
}

// Replaced waits until the Sentinels have made the replica the master.
func (s *Sentinels) Replaced() {
	s.t.Helper()
	s.wait("another master", func() bool {
		for _, one := range s.sentinels {
			answer, err := one.try("SENTINEL", "GET-MASTER-ADDR-BY-NAME", master)
			if words, ok := answer.([]any); err != nil || !ok || len(words) != 2 || fmt.Sprint(words[0], ":", words[1]) == s.Master.Addr {
				return false
			}
		}
		return true
	})
}

// wait waits until ok returns true.
func (s *Sentinels) wait(what string, ok func() bool) {
	s.t.Helper()
	waitFor(s.t, what, ok, func() string { return s.sentinels[0].text("INFO", "sentinel") })
}
