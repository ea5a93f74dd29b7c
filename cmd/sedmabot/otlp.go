package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// otlp sends spans to a collector by OTLP over HTTP, as the library encodes them. The library's own client
// does the same with gRPC in it, which adds 11.5 MB to a program of 23, and seven modules.
// https://opentelemetry.io/docs/specs/otlp/#otlphttp
type otlp struct {
	client  *http.Client
	address string
	headers http.Header
	zip     bool
	timeout time.Duration // for one batch, with its retries; 0: none
}

// newOTLP returns a client that follows OpenTelemetry's variables for exporters, or an error that names the one it can't follow.
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
	o := &otlp{client: platformClient(), timeout: 10 * time.Second, address: "http://localhost:4318/v1/traces", headers: http.Header{}}
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
		o.timeout = time.Duration(ms) * time.Millisecond
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
	switch key, v := value("COMPRESSION"); v {
	case "gzip":
		o.zip = true
	case "", "none":
	default:
		return nil, fmt.Errorf("%s is %.20q: this program has gzip and none", key, v)
	}
	for _, name := range []string{"CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"} {
		if key, v := value(name); v != "" {
			return nil, fmt.Errorf("%s: this program doesn't have it; SSL_CERT_FILE names a file of trusted certificates", key)
		}
	}
	if key, v := value("PROTOCOL"); v != "" && v != "http/protobuf" {
		return nil, fmt.Errorf("%s is %.20q: this program has http/protobuf, which collectors accept at port 4318", key, v)
	}
	return o, nil
}

// Start implements otlptrace.Client.
func (o *otlp) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (o *otlp) Stop(context.Context) error {
	o.client.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. It tries again while the collector is busy, until the timeout. Spans that the
// collector doesn't take are lost.
func (o *otlp) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // has the form of a request
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	if o.zip {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write(body); err != nil {
			return fmt.Errorf("compress spans: %w", err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("compress spans: %w", err)
		}
		body = b.Bytes()
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	for wait := firstWait; ; wait *= 2 {
		after, err := o.post(ctx, body)
		if err == nil || after < 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(max(after, wait/2+rand.N(wait/2))):
		}
	}
}

// firstWait is the longest time before the second try. Later ones wait longer.
const firstWait = time.Second

// post sends a request. If it fails, after is how long to wait before another try at least; negative means that another try
// is no use.
func (o *otlp) post(ctx context.Context, body []byte) (after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.address, bytes.NewReader(body))
	if err != nil {
		return -1, fmt.Errorf("send spans: %w", err)
	}
	req.Header = o.headers.Clone()
	req.Header.Set("Content-Type", "application/x-protobuf")
	if o.zip {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := o.client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("send spans: %w", err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection is used again
	if resp.StatusCode/100 == 2 {
		return 0, nil
	}
	err = fmt.Errorf("send spans: the collector answers %s", resp.Status)
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // 0 without one
		return time.Duration(max(seconds, 0)) * time.Second, err
	}
	return -1, err
}
