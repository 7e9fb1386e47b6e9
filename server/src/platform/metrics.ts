import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock, Uptime } from './clock.ts';
import { codeOf } from './database/error-details.ts';
import { DatabaseDeadlineError } from './database/database-deadline-error.ts';
import { isTransient, isUnavailable } from './database/failure.ts';
import type { PoolState } from './database/open-database.ts';
import { VERSION } from './version.ts';

/** The labels that a request is counted by, none of which may contain text from a client. */
export interface RequestLabels {
  method: string;
  route: string;
  /** The class of the status, such as `2xx`, or `aborted` if the client was gone before the end. */
  status: string;
}

/**
 * The figures of this process for Prometheus. docs/monitoring.md repeats those of alerts, which a test compares. A second
 * registration of a name replaces the first.
 */
export interface Metrics {
  /** Returns everything in Prometheus' text format. */
  render: () => Promise<string>;
  contentType: string;
  /**
   * Registers a figure that is read when Prometheus asks, but at most every 10 seconds. While it can't be read within
   * 3 seconds, it is left out, or the given value takes its place: an old figure would hide that.
   */
  gauge: (name: string, help: string, read: () => Promise<number>, whenUnreadable?: number) => void;
  /** The same for figures that one reading gives, by their names. */
  gauges: <Name extends string>(helps: Record<Name, string>, read: () => Promise<Record<Name, number>>) => void;
  /** Registers a figure of this process, which takes no time to read. */
  ownGauge: (name: string, help: string, read: () => number) => void;
  /** Registers a count that starts at 0. */
  counter: (name: string, help: string) => void;
  /** Adds 1 to a registered count. */
  count: (name: string) => void;
  observeRequest: (labels: RequestLabels, seconds: number) => void;
  observeStatement: (seconds: number, error?: unknown) => void;
  /** Registers a job that runs at an interval. Returns a function to call at the start of a run, which returns one for its end. */
  job: (name: string, everyMilliseconds: number) => () => (error?: unknown) => void;
  /** Returns the jobs of this process, in the order in which they were registered. */
  jobs: () => JobState[];
}

export interface JobState {
  name: string;
  everyMilliseconds: number;
  /** When the last run ended, and when one last succeeded. */
  lastRunAt: Date | null;
  lastSuccessAt: Date | null;
  /** Whether the last run failed. */
  failing: boolean;
}

/** For how long a figure from the database is reused, however many programs ask for it. */
const KEPT_MILLISECONDS = 10_000;
/** Prometheus gives up after 10 seconds, and would then get no figure at all. */
const READ_MILLISECONDS = 3000;

const FAILURES = ['conflict', 'constraint', 'timeout', 'unavailable', 'other'] as const;

function reasonOf(error: unknown): (typeof FAILURES)[number] {
  const code = codeOf(error) ?? '';
  if (isTransient(error)) return 'conflict';
  if (code.startsWith('23')) return 'constraint';
  if (error instanceof DatabaseDeadlineError || code === '57014') return 'timeout';
  return isUnavailable(error) ? 'unavailable' : 'other';
}

/** Creates the figures of a process; those of Node.js itself, which cost timers, only on request. */
export function createMetrics({
  clock,
  uptime,
  includeProcessMetrics = false,
}: {
  clock: Clock;
  uptime: Uptime;
  includeProcessMetrics?: boolean;
}): Metrics {
  // Not the library's global registry: tests run several servers in one process.
  const registry = new Registry();
  const registers = [registry];
  const counters = new Map<string, Counter>();
  if (includeProcessMetrics) {
    collectDefaultMetrics({ register: registry });
    // Gauges whose names end as only counters' may, which promtool refuses. Those by type have other names.
    for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  }

  new Gauge({
    name: 'hourshare_build_info',
    help: 'Always 1; its label is the version of this server.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  addGauge('hourshare_clock_seconds', "This server's clock, in seconds since 1970.", () => clock().getTime() / 1000);
  const requests = new Histogram({
    name: 'hourshare_http_request_duration_seconds',
    help: 'Time to answer requests, by method, route, and class of the status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const statements = new Histogram({
    name: 'hourshare_database_statement_duration_seconds',
    help: 'Time that the database took for statements, without waiting for a connection.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5],
    registers,
  });
  const failures = new Counter({
    name: 'hourshare_database_statement_failures_total',
    help: 'Failed statements, by reason; those with the reason conflict are retried up to four times.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of FAILURES) failures.inc({ reason }, 0);

  const jobs = new Map<string, JobState>();
  const labelNames = ['job_name'];
  const lastSuccess = new Gauge({
    name: 'hourshare_job_last_success_timestamp_seconds',
    help: 'When a job last succeeded on this server, in seconds since 1970; 0 if it has not yet.',
    labelNames,
    registers,
  });
  const interval = new Gauge({
    name: 'hourshare_job_interval_seconds',
    help: 'Pause between two runs of a job.',
    labelNames,
    registers,
  });
  const jobFailures = new Counter({
    name: 'hourshare_job_failures_total',
    help: 'Failed runs of a job.',
    labelNames,
    registers,
  });
  const jobDurations = new Histogram({
    name: 'hourshare_job_duration_seconds',
    help: 'Time that runs of a job took.',
    labelNames,
    buckets: [0.01, 0.1, 1, 10, 60],
    registers,
  });

  /** Leaves the figure out while it can't be read. */
  function addGauge(name: string, help: string, read: () => number | Promise<number | undefined>): void {
    registry.removeSingleMetric(name);
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      async collect() {
        const value = await read();
        if (value === undefined) this.remove({});
        else this.set(value);
      },
    });
    registry.registerMetric(gauge);
  }

  return {
    render: () => registry.metrics(),
    contentType: registry.contentType,
    gauge(name, help, read, whenUnreadable) {
      const current = reuse(read, uptime);
      addGauge(name, help, async () => (await current()) ?? whenUnreadable);
    },
    gauges<Name extends string>(helps: Record<Name, string>, read: () => Promise<Record<Name, number>>) {
      const current = reuse(read, uptime);
      for (const name in helps) addGauge(name, helps[name], async () => (await current())?.[name]);
    },
    ownGauge: addGauge,
    counter(name, help) {
      registry.removeSingleMetric(name);
      counters.set(name, new Counter({ name, help, registers }));
    },
    count: (name) => counters.get(name)?.inc(),
    observeRequest: (labels, seconds) => requests.observe({ ...labels }, seconds),
    observeStatement(seconds, error) {
      statements.observe(seconds);
      if (error !== undefined) failures.inc({ reason: reasonOf(error) });
    },
    job(name, everyMilliseconds) {
      const labels = { job_name: name };
      const state: JobState = { name, everyMilliseconds, lastRunAt: null, lastSuccessAt: null, failing: false };
      jobs.set(name, state);
      lastSuccess.set(labels, 0);
      interval.set(labels, everyMilliseconds / 1000);
      jobFailures.inc(labels, 0);
      return () => {
        const startedAt = uptime();
        return (error) => {
          jobDurations.observe(labels, (uptime() - startedAt) / 1000);
          state.lastRunAt = clock();
          state.failing = error !== undefined;
          if (state.failing) return jobFailures.inc(labels);
          state.lastSuccessAt = state.lastRunAt;
          return lastSuccess.set(labels, state.lastSuccessAt.getTime() / 1000);
        };
      };
    },
    jobs: () => [...jobs.values()],
  };
}

/** Registers the figures of a database's pool. */
export function measurePool(metrics: Metrics, pool: () => PoolState): void {
  const gauge = (name: string, help: string, key: keyof PoolState) =>
    metrics.ownGauge(`hourshare_database_pool_${name}`, help, () => pool()[key]);
  gauge('connections', 'Open connections of this server to the database.', 'connections');
  gauge('idle', 'Open connections that no statement uses.', 'idle');
  gauge('waiting', 'Statements and transactions that wait for a connection.', 'waiting');
  gauge('limit', 'Maximum number of connections of this server (DATABASE_POOL_SIZE).', 'limit');
}

/** Returns a function that reads figures, or returns those it read shortly before; undefined if reading failed. */
function reuse<T>(read: () => Promise<T>, uptime: Uptime): () => Promise<T | undefined> {
  let readAt = -Infinity;
  let value: Promise<T | undefined> = Promise.resolve(undefined);
  return () => {
    if (uptime() - readAt >= KEPT_MILLISECONDS) {
      readAt = uptime();
      value = withTimeout(read());
    }
    return value;
  };
}

/** Returns the result of a reading; undefined if it fails or takes too long. */
async function withTimeout<T>(reading: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), READ_MILLISECONDS);
  });
  return Promise.race([reading.catch(() => undefined), tooLate]).finally(() => clearTimeout(timer));
}
