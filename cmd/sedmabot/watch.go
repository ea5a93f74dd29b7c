package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	vm "github.com/VictoriaMetrics/metrics"

	"sedmabot/bot/chat"
	"sedmabot/bot/observe"
	"sedmabot/bot/observe/metrics"
	"sedmabot/store"
)

// readyTime is how long a readiness check waits for the store.
const readyTime = time.Second

// servers opens the public server and the one for monitoring. The caller must close both.
func (c Config) servers(log *slog.Logger) (public, monitor *server, err error) {
	if public, err = listen("http.listen", c.HTTP.Listen); err != nil {
		return nil, nil, err
	}
	if public.listener != nil {
		log.Info("listening", "http", public.listener.Addr().String())
	}
	if monitor, err = c.monitor(log); err != nil {
		public.close()
	}
	return public, monitor, err
}

// monitor opens the server for monitoring. If the default address is taken, as by another bot on this machine, the program
// runs without monitoring.
func (c Config) monitor(log *slog.Logger) (*server, error) {
	w, err := listen("monitor.listen", c.Monitor.Listen)
	if err != nil && c.Monitor.Listen == defaultMonitor {
		log.Warn("nothing can ask this process for its health: set monitor.listen to an address that is free", "err", err)
		return listen("monitor.listen", "")
	}
	if err == nil && w.listener != nil {
		log.Info("monitoring", "listen", w.listener.Addr().String())
	}
	return w, err
}

// watch registers the handlers of /livez, /readyz and /metrics. It returns the observer of the bot.
func (w *server) watch(kept *health, platforms []chat.Platform, identity string) *observe.Observer {
	set, observer := newMetrics(kept, platforms)
	w.HandleFunc("GET /metrics", func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		set.WritePrometheus(out)
	})
	w.alive()
	w.HandleFunc("GET /readyz", func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set(identityHeader, identity)
		if err := ready(r.Context(), kept); err != nil {
			http.Error(out, err.Error(), http.StatusServiceUnavailable)
			return
		}
		io.WriteString(out, "ready\n")
	})
	return observer
}

// newMetrics returns the program's metrics: those of package metrics, those of the process and of Go, and
//
//	sedmabot_build_info{version,commit,go}  always 1
//	sedmabot_ready                          1 if /readyz says that this process is ready, else 0
//	sedmabot_platform_connected{platform}   1 if the platform can be reached, else 0
//	sedmabot_platform_refused{platform}     answers of the last ten minutes that the platform counts against this address:
//	                                        Discord bans it at 10,000
func newMetrics(kept *health, platforms []chat.Platform) (*vm.Set, *observe.Observer) {
	vm.ExposeMetadata(true) // the types of all metrics
	set := vm.NewSet()
	set.RegisterMetricsWriter(vm.WriteProcessMetrics)
	set.RegisterMetricsWriter(vm.WriteFDMetrics)
	set.RegisterMetricsWriter(func(out io.Writer) { metrics.TablesOpen(out, kept) })
	truth := func(name string, trouble func() error) {
		set.NewGauge(name, func() float64 {
			if trouble() != nil {
				return 0
			}
			return 1
		})
	}
	truth("sedmabot_build_info{"+buildLabels()+"}", func() error { return nil })
	truth("sedmabot_ready", func() error { return ready(context.Background(), kept) })
	var names []string
	for _, p := range platforms {
		names = append(names, p.Name())
		truth(fmt.Sprintf("sedmabot_platform_connected{platform=%q}", p.Name()), p.Ready)
		if refused := p.Abilities().Refused; refused != nil {
			set.NewGauge(fmt.Sprintf("sedmabot_platform_refused{platform=%q}", p.Name()), func() float64 { return float64(refused()) })
		}
	}
	return set, observe.New(metrics.New(set, names...), names...)
}

// ready returns an error with a line for each reason why this process can't take requests. A platform that is away is no
// such reason: the other platform's calls and the pages still need this process. Only at the start, their first answers are
// waited for.
func ready(ctx context.Context, kept *health) error {
	if !kept.begun.Load() {
		return errors.New("the bot is starting: a platform has not answered yet")
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	if _, err := kept.Get(ctx, store.Key{Name: "ready"}); err != nil {
		return errors.New("the store does not answer")
	}
	return kept.writable(ctx)
}

// looking is the interval between two looks of lookAfter.
const looking = 5 * time.Second

// lookAfter logs when a platform goes away, and when it is back, until ctx ends.
func lookAfter(ctx context.Context, platforms []chat.Platform, log *slog.Logger) error {
	away := map[string]bool{}
	for chat.Pause(ctx, looking) {
		for _, p := range platforms {
			err := p.Ready()
			switch was := away[p.Name()]; {
			case err != nil && !was:
				log.Warn("a platform is away", "platform", p.Name(), "err", err)
			case err == nil && was:
				log.Info("a platform is back", "platform", p.Name())
			}
			away[p.Name()] = err != nil
		}
	}
	return nil
}

// identityHeader is the header of /readyz that tells bots apart.
const identityHeader = "Sedmabot-Identity"

// identity returns a text that only bots with the same tokens and the same store share, and that reveals neither.
func (c Config) identity() string {
	place := "redis"
	if c.Store.RedisURL.Reveal() == "" {
		place, _ = filepath.Abs(c.Store.Path)
		if folder, err := filepath.EvalSymlinks(filepath.Dir(place)); err == nil { // systemd links its folders
			place = filepath.Join(folder, filepath.Base(place))
		}
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{c.Discord.Token.Reveal(), c.Telegram.Token.Reveal(), place}, "\n")))
	return hex.EncodeToString(sum[:8])
}
