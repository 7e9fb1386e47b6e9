// Running clocks use the server's time, because the server times sessions. The Date header is exact only to the second,
// so small differences are ignored.
const MIN_OFFSET_MS = 3_000;

let offsetMs = 0;

export function recordServerDate(header: string | null, now = Date.now()): void {
  if (header === null) return;
  const difference = Date.parse(header) - now;
  if (Number.isFinite(difference)) offsetMs = Math.abs(difference) >= MIN_OFFSET_MS ? difference : 0;
}

/** Returns milliseconds since the epoch by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
