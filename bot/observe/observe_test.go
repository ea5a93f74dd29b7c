package observe_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"sedmabot/bot/chat"
	"sedmabot/bot/observe"
	meter "sedmabot/bot/observe/metrics"
	"sedmabot/bot/playground"
	"sedmabot/store"
)

// has reports whether the metrics have that line.
func has(set *metrics.Set, line string) bool {
	var text strings.Builder
	set.WritePrometheus(&text)
	return strings.Contains("\n"+text.String(), "\n"+line+"\n")
}

// Each delivery is counted by its outcome.
func TestOutcomesOfDeliveries(t *testing.T) {
	t.Parallel()
	p, err := playground.New(playground.Config{})
	if err != nil {
		t.Fatal(err)
	}
	set := metrics.NewSet()
	o := observe.New(meter.New(set, "playground"), "playground")
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
		if !has(set, fmt.Sprintf(`sedmabot_deliveries_total{kind="edit",outcome=%q,platform="playground"} 1`, want)) {
			t.Errorf("%v: no delivery is counted as %s", err, want)
		}
	}
}

// No input makes a new value of a label, and what a platform reports is no press.
func TestInputsOfNobody(t *testing.T) {
	t.Parallel()
	set := metrics.NewSet()
	o := observe.New(meter.New(set, "telegram"), "telegram")
	for _, in := range []chat.Input{
		{Player: chat.Player{ID: "forged:1"}, Press: "x"},
		{Former: "telegram:-1"},
		{Presence: chat.Added, Player: chat.Player{ID: "telegram:1"}},
	} {
		o.Input(in)(chat.Reply{})
	}
	if line := `sedmabot_presses_total{outcome="done",platform="telegram"} 0`; !has(set, line) {
		t.Errorf("no line %s", line)
	}
	if names := fmt.Sprint(set.ListMetricNames()); strings.Contains(names, "forged") {
		t.Error(names)
	}
	o.Input(chat.Input{Player: chat.Player{ID: "telegram:1"}, Press: "x"})(chat.Reply{})
	if !has(set, `sedmabot_presses_total{outcome="done",platform="telegram"} 1`) {
		t.Error("a press isn't counted")
	}
}

// BenchmarkObserver observes a read and a commit, without an Observer and with metrics.
func BenchmarkObserver(b *testing.B) {
	for name, o := range map[string]*observe.Observer{
		"none":    nil,
		"metrics": observe.New(meter.New(metrics.NewSet(), "test"), "test"),
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
