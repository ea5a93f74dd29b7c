// Package metrics keeps what package observe sees as Prometheus metrics. It is apart from that package, so that the rooms,
// which are observed, don't depend on Prometheus. The metrics are:
//
//	sedmabot_presses_total{platform,outcome}          button presses
//	sedmabot_commands_total{platform,outcome}         commands
//	sedmabot_reply_seconds{platform}                  time from a press or command to its reply
//	sedmabot_deliveries_total{platform,kind,outcome}  messages sent, edited and deleted
//	sedmabot_delivery_seconds{platform}               duration of a delivery
//	sedmabot_store_seconds{call}                      duration of a store call, such as "commit"
//	sedmabot_store_failures_total{call,kind}          store calls that failed or whose outcome is unknown
//	sedmabot_reconcile_seconds                        time from the claim of a job to its end
//	sedmabot_due_lag_seconds                          delay between a job's due time and its claim
//	sedmabot_ai_seconds                               how long the AI thought about a move
//	sedmabot_tables_open                              tables that are not over, in the whole store (see [TablesOpen])
package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/store"
)

// meter is an [observe.Meter].
type meter struct {
	presses, commands, deliveries, failures *prometheus.CounterVec
	reply, delivery, calls                  *prometheus.HistogramVec
	reconcile, lag, ai                      prometheus.Observer
}

// New returns a Meter that registers its metrics, for those platforms, with r.
func New(r prometheus.Registerer, platforms ...string) observe.Meter {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "sedmabot", Name: name, Help: help}, labels)
		r.MustRegister(c)
		return c
	}
	times := func(name, help string, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "sedmabot", Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.0005, 2, 16), // to 16 s
		}, labels)
		r.MustRegister(h)
		return h
	}
	m := &meter{
		presses:    counter("presses_total", "Buttons pressed.", "platform", "outcome"),
		commands:   counter("commands_total", "Commands given.", "platform", "outcome"),
		reply:      times("reply_seconds", "From a press or a command to its reply.", "platform"),
		deliveries: counter("deliveries_total", "Messages sent, edited and deleted.", "platform", "kind", "outcome"),
		delivery:   times("delivery_seconds", "How long a delivery took.", "platform"),
		calls:      times("store_seconds", "How long a call of the store took.", "call"),
		failures:   counter("store_failures_total", "Calls of the store that did nothing, or whose outcome is open.", "call", "kind"),
		reconcile:  times("reconcile_seconds", "From the claim of a table to the end of that work.").WithLabelValues(),
		lag:        times("due_lag_seconds", "How late a due table was claimed.").WithLabelValues(),
		ai:         times("ai_seconds", "How long the AI thought about a move.").WithLabelValues(),
	}
	for _, p := range platforms {
		m.reply.WithLabelValues(p)
		m.delivery.WithLabelValues(p)
		for _, o := range observe.Outcomes {
			m.presses.WithLabelValues(p, o)
			m.commands.WithLabelValues(p, o)
		}
		for _, k := range observe.Kinds {
			for _, o := range observe.Deliveries {
				m.deliveries.WithLabelValues(p, k, o)
			}
		}
	}
	for _, c := range observe.Calls {
		m.calls.WithLabelValues(c)
		for _, k := range observe.Troubles {
			m.failures.WithLabelValues(c, k)
		}
	}
	return m
}

func (m *meter) Replied(platform string, command bool, outcome string, took time.Duration) {
	m.reply.WithLabelValues(platform).Observe(took.Seconds())
	counter := m.presses
	if command {
		counter = m.commands
	}
	counter.WithLabelValues(platform, outcome).Inc()
}

func (m *meter) Delivered(platform, kind, outcome string, took time.Duration) {
	if outcome != observe.Held {
		m.delivery.WithLabelValues(platform).Observe(took.Seconds())
	}
	m.deliveries.WithLabelValues(platform, kind, outcome).Inc()
}

func (m *meter) Called(call, trouble string, took time.Duration) {
	m.calls.WithLabelValues(call).Observe(took.Seconds())
	if trouble != "" {
		m.failures.WithLabelValues(call, trouble).Inc()
	}
}

func (m *meter) Claimed(late time.Duration) { m.lag.Observe(late.Seconds()) }

func (m *meter) Worked(took time.Duration) { m.reconcile.Observe(took.Seconds()) }

func (m *meter) Thought(took time.Duration) { m.ai.Observe(took.Seconds()) }

// TablesOpen is the metric sedmabot_tables_open. It counts the rows of the boards of open
// tables. If the store doesn't answer, the metric is absent.
type TablesOpen struct{ Store store.Store }

var tablesOpenDesc = prometheus.NewDesc("sedmabot_tables_open", "Tables that are not over, in the whole store.", nil, nil)

// Describe sends the description of the metric.
func (TablesOpen) Describe(out chan<- *prometheus.Desc) { out <- tablesOpenDesc }

// Collect counts the open tables and sends the metric. It stops after two seconds.
func (t TablesOpen) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	n := 0
	for p := range store.Partitions {
		_, rows, err := t.Store.Board(ctx, p, doc.OpenBoard, 0, 0, "")
		if err != nil {
			return
		}
		n += rows
	}
	out <- prometheus.MustNewConstMetric(tablesOpenDesc, prometheus.GaugeValue, float64(n))
}
