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
	"fmt"
	"io"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/store"
)

// meter is an [observe.Meter]. Its maps have all values of labels, in the order in which the comment above names the labels.
type meter struct {
	presses, commands, failures map[[2]string]*metrics.Counter
	deliveries                  map[[3]string]*metrics.Counter
	reply, delivery, calls      map[string]*metrics.PrometheusHistogram
	reconcile, lag, ai          *metrics.PrometheusHistogram
}

// New returns a Meter whose metrics, for those platforms, are in the set.
func New(set *metrics.Set, platforms ...string) observe.Meter {
	times := func(name string) *metrics.PrometheusHistogram {
		return set.NewPrometheusHistogramExt("sedmabot_"+name, metrics.ExponentialBuckets(0.0005, 2, 16)) // to 16 s
	}
	m := &meter{
		presses: map[[2]string]*metrics.Counter{}, commands: map[[2]string]*metrics.Counter{}, failures: map[[2]string]*metrics.Counter{},
		deliveries: map[[3]string]*metrics.Counter{},
		reply:      map[string]*metrics.PrometheusHistogram{}, delivery: map[string]*metrics.PrometheusHistogram{}, calls: map[string]*metrics.PrometheusHistogram{},
		reconcile: times("reconcile_seconds"), lag: times("due_lag_seconds"), ai: times("ai_seconds"),
	}
	for _, p := range platforms {
		m.reply[p] = times(fmt.Sprintf("reply_seconds{platform=%q}", p))
		m.delivery[p] = times(fmt.Sprintf("delivery_seconds{platform=%q}", p))
		for _, o := range observe.Outcomes {
			m.presses[[2]string{p, o}] = set.NewCounter(fmt.Sprintf("sedmabot_presses_total{outcome=%q,platform=%q}", o, p))
			m.commands[[2]string{p, o}] = set.NewCounter(fmt.Sprintf("sedmabot_commands_total{outcome=%q,platform=%q}", o, p))
		}
		for _, k := range observe.Kinds {
			for _, o := range observe.Deliveries {
				m.deliveries[[3]string{p, k, o}] = set.NewCounter(fmt.Sprintf("sedmabot_deliveries_total{kind=%q,outcome=%q,platform=%q}", k, o, p))
			}
		}
	}
	for _, c := range observe.Calls {
		m.calls[c] = times(fmt.Sprintf("store_seconds{call=%q}", c))
		for _, k := range observe.Troubles {
			m.failures[[2]string{c, k}] = set.NewCounter(fmt.Sprintf("sedmabot_store_failures_total{call=%q,kind=%q}", c, k))
		}
	}
	return m
}

func (m *meter) Replied(platform string, command bool, outcome string, took time.Duration) {
	m.reply[platform].Update(took.Seconds())
	counters := m.presses
	if command {
		counters = m.commands
	}
	counters[[2]string{platform, outcome}].Inc()
}

func (m *meter) Delivered(platform, kind, outcome string, took time.Duration) {
	if outcome != observe.Held {
		m.delivery[platform].Update(took.Seconds())
	}
	m.deliveries[[3]string{platform, kind, outcome}].Inc()
}

func (m *meter) Called(call, trouble string, took time.Duration) {
	m.calls[call].Update(took.Seconds())
	if trouble != "" {
		m.failures[[2]string{call, trouble}].Inc()
	}
}

func (m *meter) Claimed(late time.Duration) { m.lag.Update(late.Seconds()) }

func (m *meter) Worked(took time.Duration) { m.reconcile.Update(took.Seconds()) }

func (m *meter) Thought(took time.Duration) { m.ai.Update(took.Seconds()) }

// TablesOpen writes the metric sedmabot_tables_open: it counts the rows of the boards of open tables. If the store doesn't
// answer within two seconds, it writes nothing.
func TablesOpen(out io.Writer, kept store.Store) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	n := 0
	for p := range store.Partitions {
		_, rows, err := kept.Board(ctx, p, doc.OpenBoard, 0, 0, "")
		if err != nil {
			return
		}
		n += rows
	}
	metrics.WriteGaugeUint64(out, "sedmabot_tables_open", uint64(n))
}
