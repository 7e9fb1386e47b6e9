import { toHours } from '@hourshare/contract/fields';
import { METER_NAMES_MAX } from '@hourshare/contract/limits';
import type { EventReason, ImportAnswer, ImportedName, ImportedPart, ImportRequest } from '@hourshare/contract/meters';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import type { Limit } from '../../../platform/http/rate-limits.ts';
import { ok, type Result } from '../../../platform/result.ts';
import { extendPeriods } from '../../periods/upkeep/service.ts';
import { writeImported } from '../../sessions/imported/service.ts';
import { readMetered, readOthers, readOtherUse } from '../../sessions/metered/service.ts';
import { yieldDays } from '../../sessions/totals/service.ts';
import { updateAccessInTime } from '../../shares/starts/service.ts';
import { meterNotFound, perMember } from '../errors.ts';
import { keepWithin, openSinceOf } from '../rules.ts';
import * as meters from '../store.ts';
import { planRows, type Barred, type Part, type Plan, type Row, type Surroundings } from './rules.ts';
import * as store from './store.ts';

export { deleteRows, deleteSettledRows } from './store.ts';

const HOUR_MS = 3_600_000;

// Each may read and write thousands of sessions.
const IMPORTS: Limit = { name: 'imports', max: 60, windowSeconds: 60 };

interface MeterKey {
  userId: number;
  assetId: number;
  meterId: number;
}

/** Returns the rows that wait, as events. */
export async function readWaitingRows(
  db: Deps['db'],
  meterId: number,
): Promise<{ external_name: string; event_id: string; type: 'session'; at: Date; until: Date }[]> {
  return (await store.readWaitingRows(db, meterId)).map(({ external_name, started_at: at, ended_at: until }) => ({
    external_name,
    event_id: '',
    type: 'session',
    at,
    until,
  }));
}

/** Imports rows of a file into a meter of an asset that a user manages, or says what would become of them. */
export async function importRows(
  deps: Deps,
  key: MeterKey,
  { dry_run: isDryRun, rows }: ImportRequest,
): Promise<Result<ImportAnswer>> {
  const refused = deps.limits.take(IMPORTS, String(key.userId));
  if (refused) return refused;
  await extendPeriods(deps);
  await updateAccessInTime(deps);
  return transaction(deps, async (deps) => {
    const { db } = deps;
    const isManaged = await (isDryRun ? meters.managesAsset(db, key) : meters.lockAsset(db, key));
    const [found] = isManaged ? await meters.readMeters(db, key.assetId, key.meterId) : [];
    const meter = found && !isDryRun ? await meters.lockMeter(db, found.id) : found;
    if (!meter) return meterNotFound();
    if (meter.per_member) return perMember();
    return ok({ names: await take(deps, meter, { isDryRun: isDryRun === true, rows }) });
  });
}

interface GivenRow {
  name: string;
  from: number;
  to: number;
}

const keyOf = ({ name, from, to }: GivenRow) => JSON.stringify([name, from, to]);

async function take(
  deps: Deps,
  meter: meters.StoredMeter,
  { isDryRun, rows }: { isDryRun: boolean; rows: ImportRequest['rows'] },
): Promise<ImportedName[]> {
  const { db, clock } = deps;
  const now = clock().getTime();
  const meterId = meter.id;
  const given = rows.map(({ name, start, end }) => ({ name, from: Date.parse(start), to: Date.parse(end) }));
  const names = [...new Set(given.map(({ name }) => name))].toSorted();
  const matched = await store.readShareOfNames(db, meterId);
  const answers = await meters.readAnswers(db, meterId);
  let room = Math.max(0, METER_NAMES_MAX - matched.size);
  // One of totals has days instead of times.
  const hasTimes = meter.kind === 'sessions';
  const accepted = new Set(names.filter((name) => hasTimes && (matched.has(name) || room-- > 0)));
  // A new name means the member who is called that, unless someone says otherwise.
  const namesakes = await store.readNamesakes(db, {
    assetId: meter.asset_id,
    names: [...accepted].filter((name) => !matched.has(name)),
  });
  const shareOf = new Map([...matched, ...namesakes]);

  const isRefused = (name: string) => answers.get(shareOf.get(name) ?? 0) === false;

  const known = await store.readRows(db, {
    meterId,
    shareIds: [...new Set(names.flatMap((name) => shareOf.get(name) ?? []))],
    names,
  });
  const knownRows = known.map(({ share_id: shareId, external_name: name, started_at: from, ended_at: to }) => ({
    shareId,
    row: { name, from: from.getTime(), to: to.getTime(), known: true },
  }));
  const knownKeys = new Set(knownRows.map(({ row }) => keyOf(row)));
  const sums = new Map(names.map((name) => [name, new Sum()]));
  /** By share, or by name if the name isn't matched yet. */
  const groups = new Map<number | string, GivenRow[]>();
  const wrong = (row: GivenRow): EventReason | undefined => {
    if (!hasTimes) return 'wrong_kind';
    if (row.to < row.from) return 'end_before_start';
    if (row.to > now) return 'in_future';
    if (row.to === row.from) return 'not_counted';
    if (isRefused(row.name)) return 'refused';
    return accepted.has(row.name) ? undefined : 'unknown_name';
  };
  for (const row of given) {
    const problem = wrong(row);
    sums.get(row.name)?.addRow(Math.max(0, row.to - row.from));
    if (problem) {
      sums.get(row.name)?.add([{ result: 'ignored', reason: problem, rows: 1, ms: Math.max(0, row.to - row.from) }]);
      continue;
    }
    const group = shareOf.get(row.name) ?? row.name;
    const sameGroup = groups.get(group);
    if (sameGroup) sameGroup.push(row);
    else groups.set(group, [row]);
  }

  const shareIds = [...groups.keys()]
    .filter((group) => typeof group === 'number')
    .toSorted((one, other) => one - other);
  if (!isDryRun) {
    await meters.lockShares(db, shareIds);
    const noted = [...accepted].filter((name) => !isRefused(name));
    await store.noteNames(db, {
      meterId,
      names: noted.map((name) => ({ name, shareId: shareOf.get(name) ?? null })),
      now: clock(),
    });
  }
  const fresh: GivenRow[] = [];
  // The same for all names that aren't matched, of which there may be many.
  const unmatched = groups.size > shareIds.length ? await surroundingsOf(deps, meter, null) : undefined;
  for (const [group, rows] of groups) {
    const shareId = typeof group === 'number' ? group : null;
    const around = shareId === null ? unmatched : await surroundingsOf(deps, meter, shareId);
    if (!around) {
      for (const row of rows)
        sums.get(row.name)?.add([{ result: 'ignored', reason: 'no_access', rows: 1, ms: row.to - row.from }]);
      continue;
    }
    const { surroundings, openSince } = around;
    const kept = knownRows.filter((each) => (shareId === null ? each.row.name === group : each.shareId === shareId));
    const added = rows.map((row) => ({ ...row, known: knownKeys.has(keyOf(row)) }));
    const addedKeys = new Set(added.map(keyOf));
    // What is in this file, too, is reported of once.
    const others = kept.map(({ row }) => row).filter((row) => !addedKeys.has(keyOf(row)));
    const { parts, ...planned } = planRows([...others.map((row) => ({ ...row, name: '' })), ...added], surroundings);
    for (const [name, ofName] of parts) sums.get(name)?.add(ofName);
    fresh.push(
      ...added.flatMap((row) =>
        !row.known && row.to > openSince ? { ...row, from: Math.max(row.from, openSince) } : [],
      ),
    );
    if (!isDryRun && shareId !== null && answers.get(shareId) === true) await write(deps, around, planned);
  }
  if (!isDryRun)
    await store.keepRows(
      db,
      meterId,
      fresh.map(({ name, from, to }) => ({
        external_name: name,
        started_at: new Date(from),
        ended_at: new Date(to),
      })),
    );
  return names.map((name) => sums.get(name)?.toName(name, shareOf.get(name) ?? null) ?? noRows(name));
}

const noRows = (name: string): ImportedName => ({ external_name: name, share_id: null, rows: 0, hours: 0, parts: [] });

/** What became of the rows of a name. */
class Sum {
  #rows = 0;
  #ms = 0;
  readonly #parts = new Map<string, Part>();

  addRow(ms: number): void {
    this.#rows += 1;
    this.#ms += ms;
  }

  add(parts: readonly Part[]): void {
    for (const { result, reason, rows, ms } of parts) {
      const key = `${result} ${reason ?? ''}`;
      const before = this.#parts.get(key);
      this.#parts.set(key, { result, reason, rows: (before?.rows ?? 0) + rows, ms: (before?.ms ?? 0) + ms });
    }
  }

  toName(name: string, shareId: number | null): ImportedName {
    return {
      external_name: name,
      share_id: shareId,
      rows: this.#rows,
      hours: hoursOf(this.#ms),
      parts: [...this.#parts.values()].map(({ result, reason, rows, ms }): ImportedPart => ({
        result,
        reason,
        rows,
        hours: hoursOf(ms),
      })),
    };
  }
}

const hoursOf = (ms: number) => toHours(Math.round(ms / 1000));

interface Around {
  surroundings: Surroundings;
  /** Before it, nothing changes. */
  openSince: number;
  /** The share that gets the sessions, and its member's answer; undefined for a name that isn't matched. */
  writer: (Parameters<typeof writeImported>[1] & { agreed: boolean | null; hasUncounted: boolean }) | undefined;
}

/** Returns what limits the rows of a share, or of names that aren't matched (null); undefined if the share never gave access. */
async function surroundingsOf(
  deps: Deps,
  meter: meters.StoredMeter,
  shareId: number | null,
): Promise<Around | undefined> {
  const { db, clock } = deps;
  const now = clock();
  const { id: meterId, asset_id: assetId } = meter;
  const share = shareId === null ? undefined : await store.readShare(db, { meterId, shareId });
  if (shareId !== null && !share) return undefined;
  const times = await meters.readBarredTimes(db, { meterId, shareId: shareId ?? 0, assetId, now });
  const since = openSinceOf(times);
  const limits = await meters.readLimits(db, assetId);
  const metered = share && { shareId: share.id, meterId, since, openSince: since, imported: true as const };
  const others = metered ? await readOthers(deps, metered) : [];
  const barred: Barred[] = [
    { from: -Infinity, to: Math.max(since.getTime(), limits[0]?.starts_at.getTime() ?? 0), reason: 'month_closed' },
    ...(share
      ? ([
          { from: -Infinity, to: share.accepted_at.getTime(), reason: 'no_access' },
          { from: share.ended_at?.getTime() ?? Infinity, to: Infinity, reason: 'no_access' },
        ] as const)
      : []),
    ...times.map((each) => ({
      reason: each.reason,
      from: each.since.getTime(),
      to: each.until?.getTime() ?? Infinity,
    })),
    ...others.map((each): Barred => ({
      reason: 'other_session',
      from: each.startedAt.getTime(),
      to: each.endedAt?.getTime() ?? Infinity,
    })),
  ];
  const isLimited = metered && !share.own && !share.beyond_allowance;
  const budgets = isLimited
    ? (await readOtherUse(db, metered, now)).map(({ startsAt, endsAt, seconds }) => ({
        from: startsAt.getTime(),
        to: endsAt.getTime(),
        leftMs: Math.max(0, share.hours * HOUR_MS - seconds * 1000),
      }))
    : null;
  return {
    surroundings: {
      now: now.getTime(),
      minMs: meter.min_seconds * 1000,
      limitAt: (at) =>
        ((limits.findLast(({ starts_at: start }) => start.getTime() <= at) ?? limits[0])?.hours ?? 24) * HOUR_MS,
      barred,
      budgets,
      waitsFor: !share ? 'unknown_name' : share.agreed === true ? null : 'not_agreed',
    },
    openSince: since.getTime(),
    writer: metered &&
      share && {
        ...metered,
        assetId,
        memberId: share.member_id,
        agreed: share.agreed,
        hasUncounted: share.has_uncounted,
      },
  };
}

async function write(
  deps: Deps,
  { writer, surroundings: { limitAt } }: Around,
  { counted, uncounted }: Pick<Plan, 'counted' | 'uncounted'>,
): Promise<void> {
  if (!writer) return;
  if (writer.hasUncounted || uncounted.length > 0) await meters.writeUncounted(deps.db, writer, uncounted);
  await writeImported(
    deps,
    writer,
    counted.map(({ from, to }) => ({
      startedAt: new Date(from),
      endedAt: new Date(to),
      limit: new Date(from + limitAt(from)),
    })),
  );
  const [first] = counted;
  if (first) await yieldDays(deps, { ...writer, since: new Date(first.from) });
}

/** Makes the sessions of a locked share what the kept rows of a meter say about it now; without a yes, only less. */
export async function recordRows(deps: Deps, meter: meters.StoredMeter, shareId: number): Promise<void> {
  const around = await surroundingsOf(deps, meter, shareId);
  if (!around?.writer || around.writer.agreed === null) return;
  const known = await store.readRows(deps.db, { meterId: meter.id, shareIds: [shareId], names: [] });
  const rows = known.map(({ external_name: name, started_at: from, ended_at: to }): Row => ({
    name,
    from: from.getTime(),
    to: to.getTime(),
    known: true,
  }));
  const planned = planRows(rows, around.surroundings);
  if (around.writer.agreed) return write(deps, around, planned);
  const counted = keepWithin(planned.counted, await readMetered(deps.db, around.writer));
  await write(deps, around, { ...planned, counted });
}
