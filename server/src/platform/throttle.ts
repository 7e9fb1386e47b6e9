type Report<T> = (latest: T, count: number) => void;

/** How many sources are told apart at once. Others share a report per kind, so that a flood from everywhere can't fill the disk. */
const SOURCES_MAX = 1000;

/**
 * Returns a function that reports the first event of a kind and source at once, and later events of the same time span together, as
 * the latest one and their number.
 */
function oncePerSource<T>(milliseconds: number, report: Report<T>): (event: T, kind: string, source: string) => void {
  const spans = new Map<string, { latest: T; count: number }>();
  const begin = (key: string, event: T, count: number) => {
    const span = { latest: event, count: 0 };
    spans.set(key, span);
    setTimeout(() => {
      spans.delete(key);
      if (span.count > 0) begin(key, span.latest, span.count);
    }, milliseconds).unref();
    report(event, count);
  };
  return (event, kind, source) => {
    const own = `${kind} ${source}`;
    const key = spans.has(own) || spans.size < SOURCES_MAX ? own : kind;
    const span = spans.get(key);
    if (!span) {
      begin(key, event, 1);
      return;
    }
    span.latest = event;
    span.count += 1;
  };
}

function oncePer<T>(milliseconds: number, report: Report<T>): (event: T) => void {
  const take = oncePerSource(milliseconds, report);
  return (event) => take(event, '', '');
}

type Throttle = <T>(report: Report<T>) => (event: T) => void;

/** Reports events at most once a second: a failure of every request must not fill the disk with log lines. */
export const oncePerSecond: Throttle = (report) => oncePer(1000, report);

/** Reports events at most once a minute: for what keeps failing without a request. */
export const oncePerMinute: Throttle = (report) => oncePer(60_000, report);

/** Reports events at most once a minute per kind and source: for what anyone can cause as often as they like. */
export const oncePerMinuteAndSource = <T>(report: Report<T>): ((event: T, kind: string, source: string) => void) =>
  oncePerSource(60_000, report);
