import type { Uptime } from './clock.ts';
import type { ObserveStatement } from './database/open-database.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

/** Returns what tells the metrics and the traces about each statement; undefined if there are neither. */
export function observeStatements({
  uptime,
  metrics,
  tracing,
}: {
  uptime: Uptime;
  metrics: Metrics | undefined;
  tracing: Tracing | undefined;
}): ObserveStatement | undefined {
  if (!metrics && !tracing) return undefined;
  return (text) => {
    const startedAt = uptime();
    const endSpan = tracing?.startStatement(text);
    return (error) => {
      metrics?.observeStatement((uptime() - startedAt) / 1000, error);
      endSpan?.(error);
    };
  };
}
