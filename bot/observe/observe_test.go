package observe_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/chat"
	"sedmabot/bot/observe"
	"sedmabot/bot/observe/metrics"
	"sedmabot/bot/playground"
	"sedmabot/store"
)

// count returns the value of the counter whose name and labels, in the order of their names, are these.
func count(t *testing.T, r *prometheus.Registry, name string, labels ...string) (n float64) {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var has []string
			for _, l := range m.GetLabel() {
				has = append(has, l.GetValue())
			}
			if f.GetName() == name && slices.Equal(has, labels) {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

// Each delivery is counted by its outcome.
func TestOutcomesOfDeliveries(t *testing.T) {
	t.Parallel()
	p, err := playground.New(playground.Config{})
	if err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	o := observe.New(metrics.New(registry, "playground"), "playground")
	for want, err := range map[string]error{
		"done":        nil,
		"retry":       errors.New("network"),
		"limited":     fmt.Errorf("wrapped: %w", &chat.DeliveryError{Fault: chat.Retry, After: time.Second}),
		"held":        &chat.DeliveryError{Fault: chat.Retry, After: time.Second, Held: true},
		"unreachable": &chat.DeliveryError{Fault: chat.Unreachable},
		"gone":        &chat.DeliveryError{Fault: chat.Gone},
		"invalid":     &chat.DeliveryError{Fault: chat.Invalid},
	} {
		o.Delivery(p, observe.Edit)(err)
		if n := count(t, registry, "sedmabot_deliveries_total", "edit", want, "playground"); n != 1 {
			t.Errorf("%v: %v deliveries are counted as %s", err, n, want)
		}
	}
}

// No input makes a new value of a label, and what a platform reports is no press.
func TestInputsOfNobody(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	o := observe.New(metrics.New(registry, "telegram"), "telegram")
	for _, in := range []chat.Input{
		{Player: chat.Player{ID: "forged:1"}, Press: "x"},
		{Former: "telegram:-1"},
		{Presence: chat.Added, Player: chat.Player{ID: "telegram:1"}},
	} {
		o.Input(in)(chat.Reply{})
	}
	if n := count(t, registry, "sedmabot_presses_total", "done", "telegram"); n != 0 {
		t.Errorf("%v presses", n)
	}
	families, err := registry.Gather()
	if text := fmt.Sprint(families); err != nil || strings.Contains(text, "forged") {
		t.Errorf("%v, %s", err, text)
	}
	o.Input(chat.Input{Player: chat.Player{ID: "telegram:1"}, Press: "x"})(chat.Reply{})
	if count(t, registry, "sedmabot_presses_total", "done", "telegram") != 1 {
		t.Error("a press isn't counted")
	}
}

// BenchmarkObserver observes a read and a commit, without an Observer and with metrics.
func BenchmarkObserver(b *testing.B) {
	for name, o := range map[string]*observe.Observer{
		"none":    nil,
		"metrics": observe.New(metrics.New(prometheus.NewRegistry(), "test"), "test"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.Call("get")(nil)
				o.Commit(store.Change{})(nil)
			}
		})
	}
}
