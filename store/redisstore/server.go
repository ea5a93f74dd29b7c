package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Server describes a Redis or Valkey server: the facts that the store's guarantees depend on.
type Server struct {
	Name     string // Redis or Valkey
	Version  string
	AOF      bool          // whether it has an append-only file
	Fsync    string        // the appendfsync setting; "" if CONFIG is forbidden
	Eviction string        // maxmemory-policy
	Ahead    time.Duration // how far its clock is ahead of this machine's, to within the time of the request
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
	server := Server{Name: "Redis", Version: info["redis_version"], AOF: info["aof_enabled"] == "1", Eviction: info["maxmemory_policy"]}
	if info["server_name"] == "valkey" { // its redis_version is that of the Redis it is compatible with
		server.Name, server.Version = "Valkey", info["valkey_version"]
	}
	if micros, err := strconv.ParseInt(info["server_time_usec"], 10, 64); err == nil {
		server.Ahead = time.Until(time.UnixMicro(micros))
	}
	if config, err := s.client.ConfigGet(ctx, "appendfsync").Result(); err == nil { // a hosted Redis may forbid it
		server.Fsync = config["appendfsync"]
	}
	return server, nil
}
