package redisstore

import (
	"context"
	"fmt"
	"strings"
)

// Server describes a Redis or Valkey server: the facts that the store's guarantees depend on.
type Server struct {
	Name     string // Redis or Valkey
	Version  string
	Replica  bool   // it isn't a master
	AOF      string // "1" if it has an append-only file, "0" if not, "" if it doesn't say
	Fsync    string // the appendfsync setting; "" if CONFIG is forbidden
	Eviction string // maxmemory-policy; "" if it doesn't say
}

// Server returns facts about the server, or about one node of the cluster.
func (s *Store) Server(ctx context.Context) (Server, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	text, err := s.client.Info(ctx, "everything").Result()
	if err != nil {
		return Server{}, fmt.Errorf("ask redis about itself: %w", plain(ctx, err))
	}
	info := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		info[key] = value
	}
	server := Server{Name: "Redis", Version: info["redis_version"], Replica: info["role"] == "slave" || info["role"] == "replica", AOF: info["aof_enabled"], Eviction: info["maxmemory_policy"]}
	if info["server_name"] == "valkey" { // its redis_version is that of the Redis it is compatible with
		server.Name, server.Version = "Valkey", info["valkey_version"]
	}
	if config, err := s.client.ConfigGet(ctx, "appendfsync").Result(); err == nil { // a hosted Redis may forbid it
		server.Fsync = config["appendfsync"]
	}
	return server, nil
}
