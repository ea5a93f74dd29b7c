package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/trace"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/observe"
	"sedmabot/store"
)

// Timeouts: readyTime for the store's answer to a readiness check, healthTime
// for a whole healthcheck.
const (
	readyTime  = time.Second
	healthTime = 3 * time.Second
)

// watch registers the handlers of /readyz and /metrics. It returns the observer of the bot, whose spans t begins; nil: none.
func (w *server) watch(kept *health, platforms []chat.Platform, t trace.Tracer) *observe.Observer {
	registry := prometheus.NewRegistry()
	registry.MustRegister(bot.TablesOpen{Store: kept}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	var names []string
	for _, p := range platforms {
		names = append(names, p.Name())
	}
	w.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	w.HandleFunc("GET /readyz", func(out http.ResponseWriter, r *http.Request) {
		if err := ready(r.Context(), kept, platforms); err != nil {
			http.Error(out, err.Error(), http.StatusServiceUnavailable)
			return
		}
		io.WriteString(out, "ready\n")
	})
	return observe.New(registry, t, names...)
}

// ready returns an error with a line for each part that isn't ready: the store, or a platform.
func ready(ctx context.Context, kept *health, platforms []chat.Platform) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	var missing []error
	if _, err := kept.Get(ctx, store.Key{Name: "ready"}); err != nil {
		missing = append(missing, errors.New("the store does not answer"))
	} else {
		missing = append(missing, kept.writable(ctx))
	}
	for _, p := range platforms {
		missing = append(missing, p.Ready())
	}
	return errors.Join(missing...)
}

// healthcheck asks the running bot with the same configuration whether it is
// ready.
func healthcheck(ctx context.Context, c Config, out io.Writer) error {
	if c.HTTP.Listen == "" {
		return errors.New("http.listen is empty: set it for the bot and for this command, such as 127.0.0.1:8081")
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(c.HTTP.Listen)+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("ask the bot at http.listen: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("no bot answers at http.listen: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return fmt.Errorf("read the bot's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the bot is not ready: %s", strings.ReplaceAll(strings.TrimSpace(string(body)), "\n", "; "))
	}
	_, err = out.Write(body)
	return err
}

// reachable returns the address to call for a listening address. It replaces
// "every interface" with this machine.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, port)
}
