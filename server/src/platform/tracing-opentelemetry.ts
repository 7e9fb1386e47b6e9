import {
  context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { codeOf, messageOf } from './database/error-details.ts';
import { oncePerMinute } from './throttle.ts';
import type { RequestSpan, Tracing } from './tracing.ts';
import { VERSION } from './version.ts';

// Spans are made here instead of by OpenTelemetry's instrumentation, which replaces modules as they are loaded and can't
// do so in programs that import them (docs/decisions/0080-monitoring.md).

/** The process must end within ten seconds of the signal, of which the requests may take eight. */
const STOP_MILLISECONDS = 1000;
const STATEMENT_NAMES_MAX = 1000;

/** Starts sending spans as the environment says (OTEL_…). Replaces the process's tracing until it is stopped. */
export function openTelemetry(onProblem: (reason: string) => void): Tracing {
  const report = oncePerMinute<string>(onProblem);
  const warn = (...parts: unknown[]) => report(parts.filter((part) => typeof part === 'string').join(' '));
  const ignore = () => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  // Answers of collectors may repeat what they were sent, and are left out.
  setGlobalErrorHandler((error) => report(messageOf(error)));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'hourshare', 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('hourshare', VERSION);
  const propagator = new W3CTraceContextPropagator();
  const nameOf = nameStatements();

  return {
    startRequest({ id, method, route, headers }) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, {
        get: (carrier: typeof headers, name) => carrier[name],
        keys: Object.keys,
      });
      const attributes = { 'http.request.method': method, 'http.route': route, 'hourshare.request_id': id };
      const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
      return requestSpan(span, trace.setSpan(parent, span));
    },
    startStatement(text) {
      if (trace.getActiveSpan() === undefined) return undefined;
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
      const span = tracer.startSpan(nameOf(text), { kind: SpanKind.CLIENT, attributes });
      return (error) => {
        if (error !== undefined) fail(span, codeOf(error) ?? 'error');
        span.end();
      };
    },
    logFields() {
      const active = trace.getActiveSpan()?.spanContext();
      return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MILLISECONDS);
      });
      await Promise.race([provider.shutdown().catch((error: unknown) => report(messageOf(error))), tooLate]);
      clearTimeout(timer);
      context.disable();
      diag.disable();
    },
  };
}

function requestSpan(span: Span, inside: Context): RequestSpan {
  return {
    run: (work) => context.with(inside, work),
    end(status) {
      if (status === undefined) fail(span, 'aborted');
      else {
        span.setAttribute('http.response.status_code', status);
        if (status >= 500) fail(span, String(status));
      }
      span.end();
    },
  };
}

/** Marks a span as failed by a short code. Messages of errors may quote what people sent. */
function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns a function that names statements by what they do and to which table, such as `update sessions`. */
function nameStatements(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const verb = /^\s*\(*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement';
    const table = /\b(?:from|into|update|join)\s+"?([a-z_]+)"?/i.exec(text)?.[1];
    const name = table === undefined ? verb : `${verb} ${table}`;
    if (names.size < STATEMENT_NAMES_MAX) names.set(text, name);
    return name;
  };
}
