package bot

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// TablesOpen is the metric of open tables, sedmabot_tables_open. It counts the rows of the boards of open
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
