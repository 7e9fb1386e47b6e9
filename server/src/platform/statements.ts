import type { Uptime } from './clock.ts';
import type { ObserveStatement } from './database/open-database.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** Returns what tells the metrics, the traces, and others about each statement; undefined if there are none. */
export function observeStatements({
  uptime,
  metrics,
  tracing,
  onFailure,
}: {
  uptime: Uptime;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
  onFailure?: (error: unknown) => void;
}): ObserveStatement | undefined {
  if (!metrics && !tracing && !onFailure) return undefined;
  return (text) => {
    const startedAt = uptime();
    const endSpan = tracing?.startStatement(text);
    return (error) => {
      metrics?.observeStatement((uptime() - startedAt) / 1000, error);
      endSpan?.(error);
      if (error !== undefined) onFailure?.(error);
    };
  };
}
