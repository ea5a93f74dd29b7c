package observe

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/chat"
	"sedmabot/store"
)

// metrics are the Prometheus metrics of what is observed.
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
type metrics struct {
	presses, commands, deliveries, failures *prometheus.CounterVec
	reply, delivery, calls                  *prometheus.HistogramVec
	reconcile, lag, ai                      prometheus.Observer
	platforms                               []string

	mu   sync.Mutex
	held map[claim]time.Time // time of the claim, for jobs that this process holds or held lately
}

// claim identifies one claim of one job.
type claim struct {
	partition int
	id        string
	token     int64
}

// The values of labels. outcomes is indexed by chat.Outcome, and deliveries by
// chat.Fault and the constants below.
var (
	outcomes   = []string{"done", "refused", "limited", "failed"}
	deliveries = []string{"retry", "unreachable", "gone", "invalid", "done", "limited", "held"}
	calls      = []string{"get", "commit", "claim", "release", "board", "scan"}
)

// Outcomes of a delivery that are no Fault.
const (
	done    = int(chat.Invalid) + 1 + iota // the delivery succeeded
	limited                                // the platform asked to wait
	held                                   // the adapter held it back, so that the platform need not ask
)

// Reasons why a call of the store did nothing.
const (
	conflict = "conflict"
	fenced   = "fenced"
	failed   = "error"
)

func newMetrics(r prometheus.Registerer, platforms []string) *metrics {
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
	m := &metrics{
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
		platforms:  platforms,
		held:       map[claim]time.Time{},
	}
	for _, p := range platforms {
		m.reply.WithLabelValues(p)
		m.delivery.WithLabelValues(p)
		for _, o := range outcomes {
			m.presses.WithLabelValues(p, o)
			m.commands.WithLabelValues(p, o)
		}
		for _, k := range []string{Send, Edit, Delete} {
			for _, o := range deliveries {
				m.deliveries.WithLabelValues(p, k, o)
			}
		}
	}
	for _, c := range calls {
		m.calls.WithLabelValues(c)
		for _, k := range []string{conflict, fenced, failed} {
			m.failures.WithLabelValues(c, k)
		}
	}
	return m
}

// since records the time since begin, in seconds.
func since(o prometheus.Observer, begin time.Time) { o.Observe(time.Since(begin).Seconds()) }

// knows reports whether there are metrics of the platform.
func (m *metrics) knows(platform string) bool { return slices.Contains(m.platforms, platform) }

// replied records the reply to a press or a command.
func (m *metrics) replied(platform string, command bool, outcome chat.Outcome, begin time.Time) {
	since(m.reply.WithLabelValues(platform), begin)
	counter := m.presses
	if command {
		counter = m.commands
	}
	counter.WithLabelValues(platform, outcomes[outcome]).Inc()
}

// delivered records a delivery. A delivery that the adapter held back took no time.
func (m *metrics) delivered(platform, kind string, outcome int, begin time.Time) {
	if outcome != held {
		since(m.delivery.WithLabelValues(platform), begin)
	}
	m.deliveries.WithLabelValues(platform, kind, deliveries[outcome]).Inc()
}

// called records a call of the store.
func (m *metrics) called(name, trouble string, begin time.Time) {
	since(m.calls.WithLabelValues(name), begin)
	if trouble != "" {
		m.failures.WithLabelValues(name, trouble).Inc()
	}
}

// claimed records that this process has claimed a job, and how late that was.
func (m *metrics) claimed(at time.Time, lag time.Duration, j store.Job) {
	m.lag.Observe(lag.Seconds())
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held[claim{j.Partition, j.ID, j.Token}] = at
}

// ended records the end of the work on a job.
func (m *metrics) ended(j store.Job) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := claim{j.Partition, j.ID, j.Token}
	if at, ok := m.held[key]; ok {
		delete(m.held, key)
		since(m.reconcile, at)
	}
}

// expire forgets the jobs that were claimed before a time: their leases ended long ago, and their work did not end in this
// process.
func (m *metrics) expire(before time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for c, at := range m.held {
		if at.Before(before) {
			delete(m.held, c)
		}
	}
}
