import { z } from 'zod';
import { OwnedAsset } from './assets.ts';
import { ById, type EndpointTable } from './calls.ts';
import { Hours, Id, Instant, line, listOf, PageQuery, PathId } from './fields.ts';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from './limits.ts';
import { SENTENCES } from './sentences.ts';

const { usernameAndHoursRequired, monthlyHoursRule } = SENTENCES;

export const MonthlyHours = z
  .int({ error: (issue) => (issue.input === undefined ? usernameAndHoursRequired : monthlyHoursRule) })
  .min(ALLOCATION_MIN_HOURS, monthlyHoursRule)
  .max(ALLOCATION_MAX_HOURS, monthlyHoursRule);

export const ShareRequest = z
  .strictObject({
    username: line({ required: SENTENCES.usernameRequired, characters: SENTENCES.usernameCharacters })
      .trim()
      .min(1, usernameAndHoursRequired)
      .max(200, SENTENCES.usernameTooLong),
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
    /** When the owner gave access. */
    shared_at: Instant,
    monthly_hours_allocated: z.int(),
    current_usage: Hours,
    usage_this_month: Hours,
    active_session: z.boolean(),
    /** Start of the active session, so that a card can show its clock without another call. */
    active_since: Instant.nullable(),
    /** End of the latest ended session, in any month; null before the first. */
    last_used_at: Instant.nullable(),
    asset: z.object({ id: Id, name: z.string(), description: z.string(), owner: z.string() }),
  })
  .meta({ id: 'SharedAsset' });
export type SharedAsset = z.infer<typeof SharedAsset>;

export const SharedAssetList = listOf(SharedAsset).meta({ id: 'SharedAssetList' });

const ByShare = z.strictObject({ id: PathId, share_id: PathId });

export const shareEndpoints = {
  'POST /api/assets/{id}/share/': {
    summary: 'Share an owned asset with a user; returns the updated asset',
    creates: true,
    params: ById,
    body: ShareRequest,
    answers: { 201: OwnedAsset },
  },
  'PATCH /api/assets/{id}/share/{share_id}/': {
    summary: "Change a member's monthly hours; returns the updated asset",
    params: ByShare,
    body: UpdateShareRequest,
    answers: { 200: OwnedAsset },
  },
  'DELETE /api/assets/{id}/share/{share_id}/': {
    summary: 'End a share and its active session; returns the updated asset',
    params: ByShare,
    answers: { 200: OwnedAsset },
  },
  'GET /api/shared-assets/': {
    summary: 'Assets shared with the caller',
    query: PageQuery,
    answers: { 200: SharedAssetList },
  },
  'GET /api/shared-assets/{id}/': {
    summary: 'An asset shared with the caller',
    params: ById,
    answers: { 200: SharedAsset },
  },
} as const satisfies EndpointTable;
