package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// otlp sends spans to a collector by OTLP over HTTP. The exporter of the OpenTelemetry project does the same, with gRPC
// in it: it would make the program half as large again.
// https://opentelemetry.io/docs/specs/otlp/#otlphttp
type otlp struct {
	client  http.Client
	address string
	headers http.Header
}

// newOTLP returns an exporter that follows OpenTelemetry's variables for endpoint, headers and timeout.
// https://opentelemetry.io/docs/specs/otel/protocol/exporter/
func newOTLP(getenv func(string) string) (*otlp, error) {
	value := func(name string) (key, value string) {
		for _, key := range []string{"OTEL_EXPORTER_OTLP_TRACES_" + name, "OTEL_EXPORTER_OTLP_" + name} {
			if v := getenv(key); v != "" {
				return key, v
			}
		}
		return "", ""
	}
	o := &otlp{client: http.Client{Timeout: 10 * time.Second}, address: "http://localhost:4318/v1/traces", headers: http.Header{}}
	if key, v := value("ENDPOINT"); v != "" {
		u, err := url.Parse(v)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("%s: write an address such as http://localhost:4318", key)
		}
		if key == "OTEL_EXPORTER_OTLP_ENDPOINT" {
			u = u.JoinPath("v1", "traces")
		}
		o.address = u.String()
	}
	if key, v := value("TIMEOUT"); v != "" {
		ms, err := strconv.Atoi(v)
		if err != nil || ms < 0 {
			return nil, fmt.Errorf("%s: write a number of milliseconds", key)
		}
		o.client.Timeout = time.Duration(ms) * time.Millisecond
	}
	key, v := value("HEADERS")
	for pair := range strings.SplitSeq(v, ",") {
		name, escaped, found := strings.Cut(pair, "=")
		text, err := url.PathUnescape(strings.TrimSpace(escaped))
		if name = strings.TrimSpace(name); pair != "" && (!found || err != nil || name == "") {
			return nil, fmt.Errorf("%s: write name=value pairs, separated by commas", key) // the value may be a token
		}
		if name != "" {
			o.headers.Set(name, text)
		}
	}
	if key, v := value("PROTOCOL"); v != "" && v != "http/protobuf" {
		return nil, fmt.Errorf("%s is %.20q: this program has http/protobuf, which collectors accept at port 4318", key, v)
	}
	return o, nil
}

// ExportSpans implements trace.SpanExporter. Spans that the collector doesn't take are lost.
func (o *otlp) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	body, err := proto.Marshal(tracesOf(spans))
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("send spans: %w", err)
	}
	req.Header = o.headers.Clone()
	req.Header.Set("Content-Type", "application/x-protobuf")
	resp, err := o.client.Do(req)
	if err != nil {
		return fmt.Errorf("send spans: %w", err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection is used again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("send spans: the collector answers %s", resp.Status)
	}
	return nil
}

// Shutdown implements trace.SpanExporter.
func (o *otlp) Shutdown(context.Context) error {
	o.client.CloseIdleConnections()
	return nil
}

// tracesOf returns the spans as a request of OTLP, which has the form of a TracesData. All have the same resource.
func tracesOf(spans []trace.ReadOnlySpan) *tracepb.TracesData {
	scope := spans[0].InstrumentationScope()
	out := &tracepb.ScopeSpans{Scope: &commonpb.InstrumentationScope{Name: scope.Name, Version: scope.Version}}
	for _, s := range spans {
		id, trace, parent := s.SpanContext().SpanID(), s.SpanContext().TraceID(), s.Parent().SpanID()
		span := &tracepb.Span{
			TraceId: trace[:], SpanId: id[:], Name: s.Name(),
			Kind:              tracepb.Span_SPAN_KIND_INTERNAL,
			StartTimeUnixNano: uint64(s.StartTime().UnixNano()),
			EndTimeUnixNano:   uint64(s.EndTime().UnixNano()),
			Attributes:        attributesOf(s.Attributes()),
			Flags:             uint32(s.SpanContext().TraceFlags()),
			Status:            &tracepb.Status{Message: s.Status().Description},
		}
		if s.Parent().HasSpanID() {
			span.ParentSpanId = parent[:]
		}
		if s.Status().Code == codes.Error {
			span.Status.Code = tracepb.Status_STATUS_CODE_ERROR
		}
		out.Spans = append(out.Spans, span)
	}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: attributesOf(spans[0].Resource().Attributes())},
		ScopeSpans: []*tracepb.ScopeSpans{out},
	}}}
}

// attributesOf returns attributes as OTLP has them. All of this program's are texts.
func attributesOf(all []attribute.KeyValue) []*commonpb.KeyValue {
	var out []*commonpb.KeyValue
	for _, a := range all {
		text := &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: a.Value.String()}}
		out = append(out, &commonpb.KeyValue{Key: string(a.Key), Value: text})
	}
	return out
}
