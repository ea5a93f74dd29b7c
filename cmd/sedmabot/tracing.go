package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// flushing is the timeout for the last spans when the program stops.
const flushing = 2 * time.Second

// tracing returns a tracer that sends spans where OpenTelemetry's environment variables say, and a function that sends the
// last ones. It is nil, and sends nothing, unless OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT or OTEL_TRACES_EXPORTER=otlp
// turns it on. newOTLP reads the other variables of the exporter, and the library those of the sampler, the batches and the
// resource: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
//
// For a value that isn't supported, the standard wants a warning, and the library logs one. For the exporter's own variables it
// is an error at the start, as for every other setting.
func tracing(ctx context.Context, getenv func(string) string, log *slog.Logger) (trace.Tracer, func(), error) {
	client, about, err := exporter(ctx, getenv)
	if err != nil || client == nil {
		return nil, func() {}, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "err", err) }))
	spans, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, nil, fmt.Errorf("set up traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(spans), sdk.WithResource(about))
	log.Info("traces are sent")
	return provider.Tracer("sedmabot"), func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushing)
		defer cancel()
		if err := provider.Shutdown(last); err != nil {
			log.Warn("traces", "err", err)
		}
	}, nil
}

// exporter returns the client of the collector, and what it is told about this program. The client is nil if traces are off.
func exporter(ctx context.Context, getenv func(string) string) (*otlp, *resource.Resource, error) {
	on, err := tracingOn(getenv)
	if err != nil || !on {
		return nil, nil, err
	}
	client, err := newOTLP(getenv)
	if err != nil {
		return nil, nil, err
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "sedmabot"), attribute.String("service.version", release)),
		resource.WithTelemetrySDK(), resource.WithFromEnv()) // the last one wins
	if err != nil {
		return nil, nil, fmt.Errorf("set up traces by OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return client, about, nil
}

// tracingOn reports whether the environment turns traces on.
func tracingOn(getenv func(string) string) (bool, error) {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") { // the standard lets no other word mean it
		return false, nil
	}
	set := getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	switch getenv("OTEL_TRACES_EXPORTER") {
	case "none":
		return false, nil
	case "":
		if !set {
			return false, nil
		}
	case "otlp":
	default:
		return false, errors.New("OTEL_TRACES_EXPORTER: this program has otlp and none")
	}
	return true, nil
}
