package metrics

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// gathered returns the value of the only metric with that name: a gauge, or a histogram's number of observations. It
// returns -1 if there is none.
func gathered(t *testing.T, r *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue() + float64(f.GetMetric()[0].GetHistogram().GetSampleCount())
		}
	}
	return -1
}

// Open tables are counted in all partitions. If the store doesn't answer, there is no number, and not 0.
func TestTablesOpen(t *testing.T) {
	t.Parallel()
	kept, r := storetest.NewMemory(), prometheus.NewRegistry()
	r.MustRegister(TablesOpen{kept})
	for _, p := range []int{0, 3} {
		if err := kept.Commit(t.Context(), store.Change{Partition: p, Rows: []store.Row{{Board: doc.OpenBoard, Member: "a", Data: []byte("x")}}}); err != nil {
			t.Fatal(err)
		}
	}
	if n := gathered(t, r, "sedmabot_tables_open"); n != 2 {
		t.Errorf("%v tables are open, want 2", n)
	}
	kept.Close()
	if n := gathered(t, r, "sedmabot_tables_open"); n != -1 {
		t.Errorf("%v tables are open in a store that doesn't answer", n)
	}
}

// A delivery that the adapter held back took no time, so the durations leave it out.
func TestHeldDeliveriesHaveNoDuration(t *testing.T) {
	t.Parallel()
	r := prometheus.NewRegistry()
	m := New(r, "telegram")
	m.Delivered("telegram", observe.Edit, observe.Held, time.Second)
	if n := gathered(t, r, "sedmabot_delivery_seconds"); n != 0 {
		t.Errorf("%v durations of a delivery that was held back", n)
	}
	m.Delivered("telegram", observe.Edit, "done", time.Second)
	if n := gathered(t, r, "sedmabot_delivery_seconds"); n != 1 {
		t.Errorf("%v durations of a delivery", n)
	}
}
