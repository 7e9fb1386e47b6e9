import type { Tracing } from './tracing.ts';

/** The settings that decide whether and how there is tracing; the library reads the others itself. */
export interface TracingSettings {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | undefined;
  OTEL_TRACES_EXPORTER: 'otlp' | 'none' | undefined;
  OTEL_SDK_DISABLED: 'true' | 'false' | undefined;
}

/** Starts tracing if the settings ask for it; only then is the library loaded. Problems with the collector are reported, never thrown. */
export async function startTracing(
  settings: TracingSettings,
  onProblem: (reason: string) => void,
): Promise<Tracing | undefined> {
  const isAsked =
    settings.OTEL_TRACES_EXPORTER === 'otlp' ||
    settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined;
  if (!isAsked || settings.OTEL_TRACES_EXPORTER === 'none' || settings.OTEL_SDK_DISABLED === 'true') return undefined;
  const { openTelemetry } = await import('./tracing-opentelemetry.ts');
  return openTelemetry(onProblem);
}
