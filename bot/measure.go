package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/chat"
	"sedmabot/bot/deliver"
	"sedmabot/bot/doc"
	"sedmabot/bot/view"
	"sedmabot/bot/work"
	"sedmabot/game"
	"sedmabot/store"
)

// Meter collects metrics of the store, the platforms and the AI that it wraps. No
// metric names a person, a chat, a table or a card: all label values are fixed at
// the start.
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
//	sedmabot_tables_open                              tables that are not over, in the whole store
type Meter struct {
	presses, commands, deliveries, failures *prometheus.CounterVec
	reply, delivery, calls                  *prometheus.HistogramVec
	reconcile, lag, ai                      prometheus.Observer
	registry                                prometheus.Registerer
}

// The values of labels. outcomes is indexed by chat.Outcome, and deliveries by
// chat.Fault and the constants below.
var (
	outcomes      = []string{"done", "refused", "limited", "failed"}
	deliveryKinds = []string{"send", "edit", "delete"}
	deliveries    = []string{"retry", "unreachable", "gone", "invalid", "done", "limited", "held"}
	calls         = []string{"get", "commit", "claim", "release", "board", "scan"}
	troubles      = []string{"conflict", "fenced", "error"}
)

// Outcomes of a delivery that are no Fault.
const (
	delivered = int(chat.Invalid) + 1 + iota // the delivery succeeded
	limited                                  // the platform asked to wait
	held                                     // the adapter held it back, so that the platform need not ask
)

// NewMeter returns a Meter for those platforms and registers its metrics.
func NewMeter(r prometheus.Registerer, platforms ...string) *Meter {
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
	m := &Meter{
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
		registry:   r,
	}
	for _, p := range platforms {
		m.reply.WithLabelValues(p)
		m.delivery.WithLabelValues(p)
		for _, o := range outcomes {
			m.presses.WithLabelValues(p, o)
			m.commands.WithLabelValues(p, o)
		}
		for _, k := range deliveryKinds {
			for _, o := range deliveries {
				m.deliveries.WithLabelValues(p, k, o)
			}
		}
	}
	for _, c := range calls {
		m.calls.WithLabelValues(c)
		for _, k := range troubles {
			m.failures.WithLabelValues(c, k)
		}
	}
	return m
}

// since records the time since begin, in seconds.
func since(o prometheus.Observer, begin time.Time) { o.Observe(time.Since(begin).Seconds()) }

// Think returns think with its duration measured.
func (m *Meter) Think(think work.Think) work.Think {
	return func(ctx context.Context, level string, v game.View, match game.Match) game.Move {
		defer since(m.ai, time.Now())
		return think(ctx, level, v, match)
	}
}

// Platform returns p with its inputs and deliveries measured. p must be one of the
// platforms given to NewMeter.
func (m *Meter) Platform(p chat.Platform) chat.Platform { return &measuredPlatform{p, m} }

type measuredPlatform struct {
	chat.Platform
	m *Meter
}

// Run runs the platform with a Handler that is measured.
func (p *measuredPlatform) Run(ctx context.Context, h chat.Handler) error {
	return p.Platform.Run(ctx, measuredHandler{h, p.m, p.Name()})
}

// Send sends a new message and measures it.
func (p *measuredPlatform) Send(ctx context.Context, to chat.Target, s view.Screen, nonce string) (chat.Address, error) {
	begin := time.Now()
	a, err := p.Platform.Send(ctx, to, s, nonce)
	p.count(deliveryKinds[0], begin, err)
	return a, err
}

// Edit edits a message and measures it.
func (p *measuredPlatform) Edit(ctx context.Context, a chat.Address, s view.Screen) error {
	begin := time.Now()
	err := p.Platform.Edit(ctx, a, s)
	p.count(deliveryKinds[1], begin, err)
	return err
}

// Delete deletes a message and measures it.
func (p *measuredPlatform) Delete(ctx context.Context, a chat.Address) error {
	begin := time.Now()
	err := p.Platform.Delete(ctx, a)
	p.count(deliveryKinds[2], begin, err)
	return err
}

func (p *measuredPlatform) count(kind string, begin time.Time, err error) {
	outcome := delivered
	if err != nil {
		fault, after := deliver.FaultOf(err)
		outcome = int(fault)
		var d *chat.DeliveryError
		switch errors.As(err, &d); {
		case d != nil && d.Held:
			outcome = held
		case fault == chat.Retry && after > 0:
			outcome = limited
		}
	}
	if outcome != held {
		since(p.m.delivery.WithLabelValues(p.Name()), begin)
	}
	p.m.deliveries.WithLabelValues(p.Name(), kind, deliveries[outcome]).Inc()
}

type measuredHandler struct {
	chat.Handler
	m        *Meter
	platform string
}

// Handle handles a press or a command and measures it.
func (h measuredHandler) Handle(ctx context.Context, in chat.Input) chat.Reply {
	if in.Former != "" {
		return h.Handler.Handle(ctx, in) // the platform reports a new chat id; no person acted
	}
	begin := time.Now()
	reply := h.Handler.Handle(ctx, in)
	since(h.m.reply.WithLabelValues(h.platform), begin)
	counter := h.m.presses
	if in.Command != "" {
		counter = h.m.commands
	}
	counter.WithLabelValues(h.platform, outcomes[reply.Outcome]).Inc()
	return reply
}

// Store returns s with its calls measured, and registers the count of its open
// tables. It can be called once for each Meter.
func (m *Meter) Store(s store.Store) store.Store {
	m.registry.MustRegister(tablesOpen{s})
	return &measuredStore{Store: s, m: m, claimed: map[claim]time.Time{}}
}

type measuredStore struct {
	store.Store
	m *Meter

	mu      sync.Mutex
	claimed map[claim]time.Time // time of the claim, for jobs that this process holds or held lately
}

// claim identifies one claim of one job.
type claim struct {
	partition int
	id        string
	token     int64
}

func (s *measuredStore) count(call string, begin time.Time, err error) {
	since(s.m.calls.WithLabelValues(call), begin)
	kind := troubles[2]
	switch {
	case err == nil:
		return
	case errors.Is(err, store.ErrConflict):
		kind = troubles[0]
	case errors.Is(err, store.ErrFenced):
		kind = troubles[1]
	}
	s.m.failures.WithLabelValues(call, kind).Inc()
}

// Get reads documents and measures the call.
func (s *measuredStore) Get(ctx context.Context, keys ...store.Key) ([]store.Doc, error) {
	begin := time.Now()
	docs, err := s.Store.Get(ctx, keys...)
	s.count("get", begin, err)
	return docs, err
}

// Commit commits a change and measures the call. It also measures the job that the
// commit completes, and records the job that it claims.
func (s *measuredStore) Commit(ctx context.Context, c store.Change) error {
	begin := time.Now()
	err := s.Store.Commit(ctx, c)
	s.count("commit", begin, err)
	if c.Done != nil {
		s.ended(*c.Done)
	}
	if c.Hold != nil && c.Hold.Held {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.m.lag.Observe(0)
		s.claimed[claim{c.Partition, c.Hold.ID, c.Hold.Token}] = begin
	}
	return err
}

// Claim claims due jobs and measures the call. It also measures how late each claim is.
func (s *measuredStore) Claim(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]store.Job, time.Time, error) {
	begin := time.Now()
	jobs, next, err := s.Store.Claim(ctx, now, lease, limit)
	s.count("claim", begin, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, at := range s.claimed {
		if begin.Sub(at) > 2*lease {
			delete(s.claimed, c) // the lease has long expired without an end in this process
		}
	}
	for _, j := range jobs {
		s.m.lag.Observe(max(0, now.Sub(j.Due)).Seconds())
		s.claimed[claim{j.Partition, j.ID, j.Token}] = begin
	}
	return jobs, next, err
}

// Release releases a job without a commit, and measures both the call and the job.
func (s *measuredStore) Release(ctx context.Context, j store.Job, now, next time.Time) error {
	begin := time.Now()
	err := s.Store.Release(ctx, j, now, next)
	s.count("release", begin, err)
	s.ended(j)
	return err
}

func (s *measuredStore) ended(j store.Job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := claim{j.Partition, j.ID, j.Token}
	if at, ok := s.claimed[key]; ok {
		delete(s.claimed, key)
		since(s.m.reconcile, at)
	}
}

// Board reads a board and measures the call.
func (s *measuredStore) Board(ctx context.Context, partition int, board string, from, n int, around string) ([]store.Standing, int, error) {
	begin := time.Now()
	standings, all, err := s.Store.Board(ctx, partition, board, from, n, around)
	s.count("board", begin, err)
	return standings, all, err
}

// Scan reads a page of documents and measures the call.
func (s *measuredStore) Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error) {
	begin := time.Now()
	docs, next, err := s.Store.Scan(ctx, partition, prefix, cursor)
	s.count("scan", begin, err)
	return docs, next, err
}

// tablesOpen is the metric of open tables. It counts the rows of the boards of open
// tables. If the store doesn't answer, the metric is absent.
type tablesOpen struct{ store store.Store }

var tablesOpenDesc = prometheus.NewDesc("sedmabot_tables_open", "Tables that are not over, in the whole store.", nil, nil)

// Describe sends the description of the metric.
func (tablesOpen) Describe(out chan<- *prometheus.Desc) { out <- tablesOpenDesc }

// Collect counts the open tables and sends the metric. It stops after two seconds.
func (t tablesOpen) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	n := 0
	for p := range store.Partitions {
		_, rows, err := t.store.Board(ctx, p, doc.OpenBoard, 0, 0, "")
		if err != nil {
			return
		}
		n += rows
	}
	out <- prometheus.MustNewConstMetric(tablesOpenDesc, prometheus.GaugeValue, float64(n))
}
