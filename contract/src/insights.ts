import { z } from 'zod';
import { Hours, Id, listOf, Month } from './fields.ts';

/** How much of an owned asset was used in one month, and what that cost. */
const HistoryMonth = z
  .object({
    month: Month,
    /** Whether the month still runs: its figures are those up to now. */
    running: z.boolean(),
    /** Whether it has ended, and the asset was there, and not in the archive, from its first day: what may be compared. */
    whole: z.boolean(),
    price: z.number(),
    used_hours: Hours,
    offered_hours: Hours,
    /** What the owner keeps: nobody meters it, so it counts neither as used nor as idle. */
    kept_hours: Hours,
    idle_hours: Hours,
    /** Of the hours on offer without those that the owner keeps. */
    idle_percentage: z.number().min(0),
    /** Null when nobody has used anything. */
    price_per_used_hour: z.number().nullable(),
    members: z.array(z.object({ username: z.string(), used_hours: Hours, allocated_hours: z.int() })),
  })
  .meta({ id: 'HistoryMonth' });
export type HistoryMonth = z.infer<typeof HistoryMonth>;

/**
 * What an owner may want to know about an asset, from `months` whole months (three at most) that have ended and in which
 * somebody had it all the time:
 * `unused`: nobody has used it `since` that day, or ever when that is null; `idle`: `percentage` of the hours that others
 * might have used were not; `limit_reached`: `username` used all of theirs in `months_reached` of the months; `low_use`:
 * `username` used `percentage` of `allocated_hours`, all months together. `yearly_cost` is what goes unused in a year.
 */
export const Finding = z
  .object({
    kind: z.enum(['unused', 'idle', 'limit_reached', 'low_use']),
    asset_id: Id,
    asset_name: z.string(),
    currency: z.string(),
    months: z.int().min(1),
    username: z.string().nullable(),
    since: z.iso.date().nullable(),
    months_reached: z.int().nullable(),
    percentage: z.number().nullable(),
    allocated_hours: z.int().nullable(),
    yearly_cost: z.number().nullable(),
  })
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

/** The last twelve months of an owned asset, the running one included, oldest first; months it spent archived are left out. */
export const AssetHistory = z
  .object({
    asset_id: Id,
    asset_name: z.string(),
    currency: z.string(),
    months: z.array(HistoryMonth),
    findings: z.array(Finding),
  })
  .meta({ id: 'AssetHistory' });
export type AssetHistory = z.infer<typeof AssetHistory>;

/** Of all assets of an owner that are in use, in each currency the most costly first. */
export const FindingList = listOf(Finding).meta({ id: 'FindingList' });
