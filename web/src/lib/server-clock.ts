// The server's clock times sessions. A running clock on the screen therefore counts from the server's time, as far as
// the Date header of its answers tells it: to the second, which is why small differences are left alone.
const NOTICEABLE_MS = 3_000;

let offsetMs = 0;

export function noteServerDate(header: string | null, now = Date.now()): void {
  if (header === null) return;
  const difference = Date.parse(header) - now;
  if (Number.isFinite(difference)) offsetMs = Math.abs(difference) >= NOTICEABLE_MS ? difference : 0;
}

/** Milliseconds since the epoch by the server's clock. */
export const serverNow = (): number => Date.now() + offsetMs;
