import { readFileSync } from 'node:fs';

// What the processes of a Linux machine use.

/** Settings of servers that are measured. */
export const MEASURED = { LOG_LEVEL: 'warn', SECRET: 'known to measurements alone, 32 characters' };

/** @param {number[]} values */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Returns the value that a part of the others doesn't exceed: 0.99 for p99. @param {number[]} values @param {number} part */
export const quantile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

/** Returns the megabytes of memory that a process uses now, or has used at most; NaN where that is unknown. @param {number} pid @param {'VmRSS' | 'VmHWM'} [figure] */
export function memoryOf(pid, figure = 'VmRSS') {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Returns the CPU milliseconds of a process so far, optionally with its ended children's. @param {number} pid */
export function cpuOf(pid, withChildren = false) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return 10 * fields.slice(11, withChildren ? 15 : 13).reduce((sum, ticks) => sum + ticks, 0);
}
