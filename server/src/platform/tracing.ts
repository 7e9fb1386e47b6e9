import type { IncomingHttpHeaders } from 'node:http';

/** The span of a request, open until `end` is called. */
export interface RequestSpan {
  /** Runs work whose statements and log lines belong to this span. */
  run: <T>(work: () => T) => T;
  /** Takes the status of the answer, or undefined if the client was gone before its end. */
  end: (status: number | undefined) => void;
}

export interface RequestToTrace {
  id: string;
  method: string;
  route: string;
  /** Only what the W3C's trace context says is read from them. */
  headers: IncomingHttpHeaders;
}

/** Sends spans to a collector. What they contain is in docs/monitoring.md: never an id, a name, or a value that people sent. */
export interface Tracing {
  startRequest: (request: RequestToTrace) => RequestSpan;
  /** Starts the span of a database statement, if it belongs to a request. Returns a function to call at its end. */
  startStatement: (text: string) => ((error?: unknown) => void) | undefined;
  /** Returns what log lines of the current span say about it. */
  logFields: () => Record<string, string>;
  /** Sends what is left, for at most a second. */
  stop: () => Promise<void>;
}
