package redistest

import (
	"fmt"
	"net"
	"strings"
	"testing"
)

// Cluster is a private Redis Cluster for one test: three masters with a replica each.
type Cluster struct {
	t     testing.TB
	nodes []*Server
}

// slots is the number of slots in a cluster.
const slots = 16384

// StartCluster starts a Redis Cluster and waits until it accepts every key. The cluster stops when the test ends.
func StartCluster(t testing.TB) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	for range 6 {
		c.nodes = append(c.nodes, Start(t, "--cluster-enabled", "yes", "--cluster-node-timeout", "3000",
			"--cluster-require-full-coverage", "no", "--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"))
	}
	for i, node := range c.nodes {
		c.do(node, "CLUSTER", "SET-CONFIG-EPOCH", i+1)
	}
	for _, node := range c.nodes {
		host, port, err := net.SplitHostPort(node.Addr)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range c.nodes {
			if other != node {
				c.do(other, "CLUSTER", "MEET", host, port)
			}
		}
	}
	for i, node := range c.nodes[:3] {
		c.do(node, "CLUSTER", "ADDSLOTSRANGE", i*slots/3, (i+1)*slots/3-1)
	}
	c.wait("all know each other", func() bool {
		for _, node := range c.nodes {
			if strings.Count(node.text("CLUSTER", "NODES"), "connected") < len(c.nodes) || !strings.Contains(node.text("CLUSTER", "INFO"), fmt.Sprintf("cluster_slots_assigned:%d", slots)) {
				return false
			}
		}
		return true
	})
	for i, node := range c.nodes[:3] {
		c.do(c.nodes[i+3], "CLUSTER", "REPLICATE", node.text("CLUSTER", "MYID"))
	}
	c.Whole()
	return c
}

// URL returns the cluster's address for redisstore.Open, with all its nodes.
func (c *Cluster) URL() string {
	var all []string
	for _, node := range c.nodes {
		all = append(all, node.Addr)
	}
	return "redis://" + strings.Join(all, ",")
}

// Whole waits until every slot has a master, and every running master has a replica that follows it.
func (c *Cluster) Whole() {
	c.t.Helper()
	c.wait("the cluster is whole", func() bool {
		for _, node := range c.nodes {
			if node.cmd == nil {
				continue
			}
			if !strings.Contains(node.text("CLUSTER", "INFO"), "cluster_state:ok") {
				return false
			}
			if info := node.text("INFO", "replication"); strings.Contains(info, "role:slave") && !strings.Contains(info, "master_link_status:up") {
				return false
			}
		}
		return true
	})
}

// Owner returns the master that has a key.
func (c *Cluster) Owner(key string) *Server {
	c.t.Helper()
	var owner *Server
	c.wait("a master has the key", func() bool {
		for _, node := range c.nodes {
			if node.cmd != nil && strings.Contains(node.text("INFO", "replication"), "role:master") {
				if _, err := node.try("EXISTS", key); err == nil {
					owner = node
					return true
				}
			}
		}
		return false
	})
	return owner
}

// Move moves the slot of a key to another master, key by key like a resharding, and returns that master.
func (c *Cluster) Move(key string) *Server {
	c.t.Helper()
	return c.Begin(key)()
}

// Begin begins a Move, and returns what finishes it.
func (c *Cluster) Begin(key string) (finish func() *Server) {
	c.t.Helper()
	from := c.Owner(key)
	slot := c.do(from, "CLUSTER", "KEYSLOT", key)
	var to *Server
	for _, node := range c.nodes {
		if node != from && node.cmd != nil && strings.Contains(node.text("INFO", "replication"), "role:master") {
			to = node
		}
	}
	host, port, err := net.SplitHostPort(to.Addr)
	if err != nil {
		c.t.Fatal(err)
	}
	here, there := from.text("CLUSTER", "MYID"), to.text("CLUSTER", "MYID")
	c.do(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", here)
	c.do(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", there)
	return func() *Server {
		c.t.Helper()
		for {
			keys, _ := c.do(from, "CLUSTER", "GETKEYSINSLOT", slot, 1).([]any)
			if len(keys) == 0 {
				break
			}
			c.do(from, "MIGRATE", host, port, keys[0], 0, patience.Milliseconds())
		}
		c.do(to, "CLUSTER", "SETSLOT", slot, "NODE", there)
		c.do(from, "CLUSTER", "SETSLOT", slot, "NODE", there)
		return to
	}
}

// do sends a command to a node. An error fails the test.
func (c *Cluster) do(node *Server, words ...any) any {
	c.t.Helper()
	answer, err := node.try(words...)
	if err != nil {
		c.t.Fatalf("%v: %v", words, err)
	}
	return answer
}

// wait waits until ok returns true.
func (c *Cluster) wait(what string, ok func() bool) {
	c.t.Helper()
	waitFor(c.t, what, ok, func() string { return c.nodes[0].text("CLUSTER", "NODES") })
}
