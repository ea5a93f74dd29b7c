package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector is an OpenTelemetry collector that keeps what it is sent.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	data   []*tracepb.TracesData
	spans  []*tracepb.Span
	labels map[string]string // of the resource
	wrong  []string
}

func newCollector(t *testing.T) *collector {
	c := &collector{labels: map[string]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var data tracepb.TracesData
		if err == nil {
			err = proto.Unmarshal(body, &data)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("X-Key") != "a b" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			c.wrong = append(c.wrong, r.URL.Path+" "+r.Header.Get("X-Key"))
		}
		c.data = append(c.data, &data)
		for _, resource := range data.ResourceSpans {
			for _, a := range resource.Resource.Attributes {
				c.labels[a.Key] = a.Value.GetStringValue()
			}
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// under reports whether a span of that name is below one that parent accepts, at any depth.
func (c *collector) under(name string, parent func(*tracepb.Span) bool) bool {
	byID := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		byID[string(s.SpanId)] = s
	}
	return slices.ContainsFunc(c.spans, func(s *tracepb.Span) bool {
		if s.Name != name {
			return false
		}
		for at := byID[string(s.ParentSpanId)]; at != nil; at = byID[string(at.ParentSpanId)] {
			if parent(at) && bytes.Equal(at.TraceId, s.TraceId) {
				return true
			}
		}
		return false
	})
}

// A press, its commit and the delivery of what it changed are one trace, and no span has a name, a chat, a table or a card.
func TestTraces(t *testing.T) {
	t.Parallel()
	collector := newCollector(t)
	p := launch(t, []string{
		variable(dataFile(t)), "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0", "SEDMABOT_TABLE_PACE=0",
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-key=a%20b", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=test",
	})
	c := newPage(t, "Ann", "Cat")
	c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
	c.open()
	moves(c, everybody(c, 1), 4)
	if status := p.status(syscall.SIGTERM); status != 0 {
		t.Fatalf("exit status %d\n%s", status, p.stderr)
	}

	collector.mu.Lock()
	defer collector.mu.Unlock()
	if len(collector.wrong) > 0 {
		t.Errorf("wrong requests: %q", collector.wrong)
	}
	if l := collector.labels; l["service.name"] != "sedmabot" || l["deployment.environment.name"] != "test" || l["telemetry.sdk.language"] != "go" {
		t.Errorf("the resource is %v", l)
	}
	named := func(name string) func(*tracepb.Span) bool {
		return func(s *tracepb.Span) bool { return s.Name == name }
	}
	if !collector.under("store.commit", named("press")) {
		t.Error("no press has a commit")
	}
	if !collector.under("job", named("press")) {
		t.Error("no press has a job")
	}
	if !collector.under("edit", named("job")) && !collector.under("send", named("job")) {
		t.Error("no job has a delivery")
	}
	if !collector.under("edit", named("press")) && !collector.under("send", named("press")) {
		t.Error("no press has a delivery")
	}
	values := map[string]bool{}
	for _, s := range collector.spans {
		for _, a := range s.Attributes {
			values[a.Value.GetStringValue()] = true
			if v := a.Value.GetStringValue(); strings.Trim(v, "abcdefghijklmnopqrstuvwxyz_") != "" {
				t.Errorf("a span %s has %s %q, which is no fixed word", s.Name, a.Key, v)
			}
		}
	}
	if len(values) > 30 || !values["playground"] || !values["done"] {
		t.Errorf("the values of attributes are %v", values)
	}
	for _, s := range collector.spans {
		s.TraceId, s.SpanId, s.ParentSpanId = nil, nil, nil // by chance, they may spell a name
	}
	text := fmt.Sprint(collector.data)
	for _, name := range []string{"Ann", "Cat", "playground:"} {
		if strings.Contains(text, name) {
			t.Errorf("%q is in the spans", name)
		}
	}
}

// OpenTelemetry's variables turn traces on and off, and a mistake in them is one line that shows no value of a header.
func TestTracingVariables(t *testing.T) {
	t.Parallel()
	const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318"
	for _, tt := range []struct {
		env  []string
		on   bool
		fail string
	}{
		{nil, false, ""},
		{[]string{endpoint}, true, ""},
		{[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://example.org/x"}, true, ""},
		{[]string{"OTEL_TRACES_EXPORTER=otlp"}, true, ""},
		{[]string{endpoint, "OTEL_TRACES_EXPORTER=none"}, false, ""},
		{[]string{endpoint, "OTEL_SDK_DISABLED=True"}, false, ""},
		{[]string{endpoint, "OTEL_SDK_DISABLED=1"}, true, ""},
		{[]string{endpoint, "OTEL_EXPORTER_OTLP_COMPRESSION=gzip"}, true, ""},
		{[]string{endpoint, "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION=zstd"}, false, "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION"},
		{[]string{endpoint, "OTEL_EXPORTER_OTLP_CERTIFICATE=ca.pem"}, false, "SSL_CERT_FILE"},
		{[]string{endpoint, "OTEL_TRACES_EXPORTER=zipkin"}, false, "OTEL_TRACES_EXPORTER"},
		{[]string{endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"}, false, "http/protobuf"},
		{[]string{"OTEL_EXPORTER_OTLP_ENDPOINT=localhost:4318"}, false, "OTEL_EXPORTER_OTLP_ENDPOINT"},
		{[]string{endpoint, "OTEL_EXPORTER_OTLP_HEADERS=secret"}, false, "OTEL_EXPORTER_OTLP_HEADERS"},
		{[]string{endpoint, "OTEL_EXPORTER_OTLP_TIMEOUT=1s"}, false, "OTEL_EXPORTER_OTLP_TIMEOUT"},
	} {
		getenv := func(name string) string {
			for _, v := range tt.env {
				if key, value, _ := strings.Cut(v, "="); key == name {
					return value
				}
			}
			return ""
		}
		on, err := tracingOn(getenv)
		if on {
			_, err = newOTLP(getenv)
		}
		switch {
		case tt.fail == "" && (err != nil || on != tt.on):
			t.Errorf("%q: %v, %v", tt.env, on, err)
		case tt.fail != "" && (err == nil || !strings.Contains(err.Error(), tt.fail) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%q: %v", tt.env, err)
		}
	}
	if tracer, flush, err := tracing(t.Context(), func(string) string { return "" }, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	} else {
		flush()
		if tracer != nil {
			t.Error("traces are on by default")
		}
	}
}

// answers is a collector that gives these answers, one to each request.
type answers struct {
	left []http.Response
	at   []time.Duration // when each request came
	from time.Time
	got  []byte // the latest body
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.at = append(a.at, time.Since(a.from))
	body, err := gzip.NewReader(r.Body)
	if err != nil || r.Header.Get("Content-Encoding") != "gzip" {
		return nil, fmt.Errorf("the body has no gzip: %w", err)
	}
	if a.got, err = io.ReadAll(body); err != nil {
		return nil, err
	}
	now := a.left[0]
	if len(a.left) > 1 {
		a.left = a.left[1:]
	}
	now.Body = http.NoBody
	return &now, nil
}

// While the collector is busy, spans are sent again: later each time, not before it asks for them, and until the timeout.
func TestSpansAreSentAgain(t *testing.T) {
	t.Parallel()
	busy, full := http.Response{StatusCode: 503}, http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"4"}}}
	for _, tt := range []struct {
		name  string
		left  []http.Response
		tries int
		sent  bool
	}{
		{"busy", []http.Response{busy, busy, {StatusCode: 200}}, 3, true},
		{"full", []http.Response{full, {StatusCode: 200}}, 2, true},
		{"refused", []http.Response{{StatusCode: 400}}, 1, false},
		{"always full", []http.Response{full}, 3, false}, // after 0, 4 and 8 of 10 seconds
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o, err := newOTLP(func(name string) string {
					return map[string]string{"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip"}[name]
				})
				if err != nil {
					t.Fatal(err)
				}
				collector := &answers{left: tt.left, from: time.Now()}
				o.client.Transport = collector
				err = o.UploadTraces(t.Context(), []*tracepb.ResourceSpans{{SchemaUrl: "x"}})
				if (err == nil) != tt.sent || len(collector.at) != tt.tries || time.Since(collector.from) > 10*time.Second {
					t.Errorf("%v after tries at %v", err, collector.at)
				}
				for i := 1; i < len(collector.at); i++ {
					if pause := collector.at[i] - collector.at[i-1]; pause < time.Duration(i)*firstWait/2 || tt.left[0].StatusCode == 429 && pause < 4*time.Second {
						t.Errorf("tries at %v", collector.at)
					}
				}
				if !bytes.Contains(collector.got, []byte("x")) {
					t.Errorf("the collector got %q", collector.got)
				}
			})
		})
	}
}
