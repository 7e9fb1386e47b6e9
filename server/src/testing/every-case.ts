import { inspect } from 'node:util';

const shown = (value: unknown) => inspect(value, { depth: 6, breakLength: 120 }).slice(0, 2000);

/** Returns what an assertion compared, because its message only summarizes it. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return shown(error);
  if (!('actual' in error && 'expected' in error)) return error.message;
  return `${error.message}\n  expected: ${shown(error.expected)}\n  received: ${shown(error.actual)}`;
}

/** The failures after these have no details: a failure of every case is one and the same. */
const DETAILED = 10;

/** Checks every case, one after another. Throws one error that names each case that failed, and why. */
export async function everyCase<T>(
  cases: Iterable<T>,
  name: (each: T) => string,
  check: (each: T) => unknown,
): Promise<void> {
  const failures: string[] = [];
  let count = 0;
  for (const each of cases) {
    count += 1;
    try {
      await check(each);
    } catch (error) {
      const [summary, ...details] = describeFailure(error).split('\n');
      failures.push([`${name(each)}: ${summary}`, ...(failures.length < DETAILED ? details : [])].join('\n'));
    }
  }
  if (count === 0) throw new Error('There are no cases.');
  if (failures.length > 0) throw new Error(`${failures.length} of ${count} cases failed.\n${failures.join('\n')}`);
}
