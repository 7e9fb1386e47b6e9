import { z } from 'zod';
import { Hours, Id, Instant, line, listOf } from './fields.ts';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from './limits.ts';

const REQUIRED = 'Username and monthly hours are required';
const HOURS_RULE = `Monthly hours must be a whole number from ${ALLOCATION_MIN_HOURS} to ${ALLOCATION_MAX_HOURS}`;

export const MonthlyHours = z
  .int({ error: (issue) => (issue.input === undefined ? REQUIRED : HOURS_RULE) })
  .min(ALLOCATION_MIN_HOURS, HOURS_RULE)
  .max(ALLOCATION_MAX_HOURS, HOURS_RULE);

export const ShareRequest = z
  .strictObject({
    username: line('Username').trim().min(1, REQUIRED).max(200, 'Username is too long'),
    monthly_hours_allocated: MonthlyHours,
  })
  .meta({ id: 'ShareRequest' });
export type ShareRequest = z.infer<typeof ShareRequest>;

export const UpdateShareRequest = z
  .strictObject({ monthly_hours_allocated: MonthlyHours })
  .meta({ id: 'UpdateShareRequest' });

/** What a member sees of a share; its id is the one in `/api/shared-assets/{id}/`. */
export const SharedAsset = z
  .object({
    id: Id,
    asset_name: z.string(),
    owner: z.string(),
    monthly_hours_allocated: z.int(),
    current_usage: Hours,
    usage_this_month: Hours,
    active_session: z.boolean(),
    /** Start of the active session, so that a card can show its clock without another call. */
    active_since: Instant.nullable(),
    asset: z.object({ id: Id, name: z.string(), description: z.string(), owner: z.string() }),
  })
  .meta({ id: 'SharedAsset' });
export type SharedAsset = z.infer<typeof SharedAsset>;

export const SharedAssetList = listOf(SharedAsset).meta({ id: 'SharedAssetList' });
