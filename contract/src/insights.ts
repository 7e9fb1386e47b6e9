import { z } from 'zod';
import { AnyFormat, ById, type EndpointTable, READABLE } from './calls.ts';
import { Amount, Hours, Hue, Id, listOf, Month, PageQuery } from './fields.ts';

/** One month of an owned asset: its use and what that cost. */
const HistoryMonth = z
  .object({
    month: Month,
    /** Whether it is the current month, with figures up to now. */
    running: z.boolean(),
    /** Whether it has ended and the asset was there and active throughout. Only such months are compared. */
    whole: z.boolean(),
    price: Amount,
    used_hours: Hours,
    offered_hours: Hours,
    /** Reserved for the owner. They aren't metered, so they count neither as used nor as idle. */
    kept_hours: Hours,
    idle_hours: Hours,
    /** The idle percentage of the members' hours. */
    idle_percentage: z.number().min(0),
    /** Null when there was no use. */
    price_per_used_hour: Amount.nullable(),
    members: z.array(
      z.object({
        username: z.string(),
        hue: Hue,
        used_hours: Hours,
        /** Their last allowance. */
        allocated_hours: z.int(),
        /** By day, as on the statement. */
        available_hours: Hours,
      }),
    ),
  })
  .meta({ id: 'HistoryMonth' });
export type HistoryMonth = z.infer<typeof HistoryMonth>;

/** The fields of every insight. Each kind types its own evidence; fields it doesn't use are null on the wire. */
const findingFields = {
  asset_id: Id,
  asset_name: z.string(),
  currency: z.string(),
  /**
   * The number of months it is based on, at most three: ended ones in which the member, or any member, always had
   * access.
   */
  months: z.int().min(1),
  username: z.null(),
  since: z.null(),
  months_reached: z.null(),
  percentage: z.null(),
  allocated_hours: z.null(),
  yearly_cost: z.null(),
};

/** No one has used the asset after `since`, or ever if that is null. `yearly_cost` is twelve times its price. */
const UnusedFinding = z
  .object({
    kind: z.literal('unused'),
    ...findingFields,
    since: z.iso.date().nullable(),
    yearly_cost: Amount,
  })
  .meta({ id: 'UnusedFinding' });

/** Members left `percentage` of their hours unused, worth `yearly_cost` a year. */
const IdleFinding = z
  .object({
    kind: z.literal('idle'),
    ...findingFields,
    percentage: z.number(),
    yearly_cost: Amount,
  })
  .meta({ id: 'IdleFinding' });

/** A member used up their allowance in `months_reached` of the months. */
const LimitReachedFinding = z
  .object({
    kind: z.literal('limit_reached'),
    ...findingFields,
    username: z.string(),
    months_reached: z.int(),
  })
  .meta({ id: 'LimitReachedFinding' });

/** A member used only `percentage` of `allocated_hours`, available by day and summed over the months. */
const LowUseFinding = z
  .object({
    kind: z.literal('low_use'),
    ...findingFields,
    username: z.string(),
    percentage: z.number(),
    allocated_hours: Hours,
  })
  .meta({ id: 'LowUseFinding' });

/** An insight into an owned asset, told apart by `kind`. */
export const Finding = z
  .discriminatedUnion('kind', [UnusedFinding, IdleFinding, LimitReachedFinding, LowUseFinding])
  .meta({ id: 'Finding' });
export type Finding = z.infer<typeof Finding>;

/** The last twelve months of an owned asset, including the current one, oldest first, without archived ones. */
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

/** Insights into all assets of an owner, by currency, most expensive first. Archived assets have none. */
export const FindingList = listOf(Finding).meta({ id: 'FindingList' });

export const insightEndpoints = {
  'GET /api/assets/{id}/history/': {
    scripts: READABLE,
    summary: 'Get the last twelve months of an owned asset, with insights',
    csv: true,
    params: ById,
    query: AnyFormat,
    answers: { 200: AssetHistory },
  },
  'GET /api/findings/': {
    scripts: READABLE,
    summary: "List insights into the caller's assets, by currency, most expensive first",
    query: PageQuery,
    answers: { 200: FindingList },
  },
} as const satisfies EndpointTable;
