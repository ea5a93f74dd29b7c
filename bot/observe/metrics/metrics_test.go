package metrics

import (
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"sedmabot/bot/doc"
	"sedmabot/bot/observe"
	"sedmabot/store"
	"sedmabot/store/storetest"
)

// Open tables are counted in all partitions. If the store doesn't answer, there is no number, and not 0.
func TestTablesOpen(t *testing.T) {
	t.Parallel()
	kept := storetest.NewMemory()
	for _, p := range []int{0, 3} {
		if err := kept.Commit(t.Context(), store.Change{Partition: p, Rows: []store.Row{{Board: doc.OpenBoard, Member: "a", Data: []byte("x")}}}); err != nil {
			t.Fatal(err)
		}
	}
	var text strings.Builder
	if TablesOpen(&text, kept); !strings.HasSuffix(text.String(), "sedmabot_tables_open 2\n") {
		t.Errorf("2 tables are open, but:\n%s", text.String())
	}
	kept.Close()
	text.Reset()
	if TablesOpen(&text, kept); text.Len() != 0 {
		t.Errorf("the store doesn't answer, but:\n%s", text.String())
	}
}

// A delivery that the adapter held back took no time, so the durations leave it out.
func TestHeldDeliveriesHaveNoDuration(t *testing.T) {
	t.Parallel()
	set := metrics.NewSet()
	m := New(set, "telegram")
	for _, outcome := range []string{observe.Held, "done"} {
		m.Delivered("telegram", observe.Edit, outcome, time.Second)
	}
	var text strings.Builder
	set.WritePrometheus(&text)
	for _, line := range []string{
		`sedmabot_delivery_seconds_count{platform="telegram"} 1`,
		`sedmabot_deliveries_total{kind="edit",outcome="done",platform="telegram"} 1`,
		`sedmabot_deliveries_total{kind="edit",outcome="held",platform="telegram"} 1`,
	} {
		if !strings.Contains(text.String(), line+"\n") {
			t.Errorf("no line %s in\n%s", line, text.String())
		}
	}
}
