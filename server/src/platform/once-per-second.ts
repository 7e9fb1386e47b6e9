/**
 * Returns a function that reports the first event at once, and later events of the same second together, as the latest
 * one and their number. A failure of every request must not fill the disk with log lines.
 */
export function oncePerSecond<T>(report: (latest: T, count: number) => void): (event: T) => void {
  let latest: T;
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (count === 0) return;
    timer = setTimeout(flush, 1000).unref();
    report(latest, count);
    count = 0;
  };
  return (event) => {
    latest = event;
    count += 1;
    if (!timer) flush();
  };
}
