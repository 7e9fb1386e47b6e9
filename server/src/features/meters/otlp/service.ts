import { createHash } from 'node:crypto';
import type { EventReason } from '@hourshare/contract/meters';
import type { Deps } from '../../../deps.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import type { Result } from '../../../platform/result.ts';
import { countLate, takeFromMeter } from '../senders/service.ts';
import { takeTotals, type Total } from '../totals/service.ts';
import { COST_COUNTER, readExport, type Point } from './rules.ts';
import { decodeExport, type Encoding, type Rejected } from './wire.ts';

// Each program of each person sends once a minute, perhaps with one token.
const EXPORTS_BY_TOKEN: Limit = { name: 'exports by meter', max: 300, windowSeconds: 60 };

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const toTotal = ({ id, reading, ...point }: Point): Total => ({
  ...point,
  id: hashOf(id),
  reading: reading && { ...reading, series: hashOf(reading.series) },
});

/**
 * Takes an export of OpenTelemetry metrics: the counters of a meter of totals. Returns what of it was not taken, or nothing if it can't
 * be read.
 */
export const takeExport = (
  deps: Deps,
  { bearer, body, encoding }: { bearer: string | undefined; body: Uint8Array; encoding: Encoding },
): Promise<Result<Rejected | null>> =>
  takeFromMeter(deps, { bearer, limit: EXPORTS_BY_TOKEN }, async (deps, meter, senderId) => {
    const request = decodeExport(body, encoding);
    if (request === undefined) return null;
    const settings = { ...meter, isMember: senderId !== null, now: deps.clock().getTime() };
    const { points, others, unnamed } = readExport(request, settings);
    if (meter.kind !== 'totals') {
      const rejected = points.length + others + unnamed;
      return { points: rejected, message: rejected > 0 ? 'This meter records sessions, not totals.' : '' };
    }
    const answers = points.length > 0 ? await takeTotals(deps, meter, { senderId, totals: points.map(toTotal) }) : [];
    await countLate(deps, meter.id, answers);
    const ignored = answers.flatMap(({ result, reason }) => (result === 'ignored' && reason ? reason : []));
    return {
      points: others + unnamed + ignored.length,
      message: [
        ...(others > 0 ? [`Only ${meter.counter} and ${COST_COUNTER} are read, as counters.`] : []),
        ...(unnamed > 0 ? [`Without ${meter.name_attribute}: ${unnamed}.`] : []),
        ...[...countOf(ignored)].map(([reason, count]) => `Ignored (${reason}): ${count}.`),
      ].join(' '),
    };
  });

function countOf(reasons: readonly EventReason[]): Map<EventReason, number> {
  const counts = new Map<EventReason, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
