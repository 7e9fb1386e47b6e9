/**
 * Returns a function that reports the first event at once, and later events of the same time span together, as the
 * latest one and their number.
 */
function oncePer<T>(milliseconds: number, report: (latest: T, count: number) => void): (event: T) => void {
  let latest: T;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (count === 0) return;
    timer = setTimeout(flush, milliseconds).unref();
    report(latest, count);
    count = 0;
  };
  return (event) => {
    latest = event;
    count += 1;
    if (!timer) flush();
  };
}

type Throttle = <T>(report: (latest: T, count: number) => void) => (event: T) => void;

/** Reports events at most once a second: a failure of every request must not fill the disk with log lines. */
export const oncePerSecond: Throttle = (report) => oncePer(1000, report);

/** Reports events at most once a minute: for what keeps failing without a request. */
export const oncePerMinute: Throttle = (report) => oncePer(60_000, report);
