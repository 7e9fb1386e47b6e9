import { z } from 'zod';
import { ById, type EndpointTable, READABLE, READABLE_BY_SHARE } from './calls.ts';
import { Format, Hours, Month } from './fields.ts';

/** One share's use in one month. `daily_usage` maps days with use, in the asset's time zone, to hours. */
export const Analytics = z
  .object({
    asset_name: z.string(),
    month: Month,
    /** The allowance in force; for an ended month, the hours available by day, as on its statement. */
    total_allocation: Hours,
    total_usage: Hours,
    remaining_hours: Hours,
    utilization_percentage: z.number().min(0),
    total_sessions: z.int().min(0),
    avg_session_duration_minutes: z.number().min(0),
    active_session: z.boolean(),
    weekly_usage: z.array(z.object({ week: z.int().min(1).max(5), hours: Hours })),
    daily_usage: z.record(z.iso.date(), Hours),
    /** What meters recorded of that. */
    metered_usage: z.record(z.iso.date(), Hours),
    /**
     * The current month's projected use at the pace so far, and the day the allowance runs out, if this month (never
     * for several members together). Null until three days have passed, and for any other month.
     */
    pace: z.object({ projected_hours: Hours, runs_out_on: z.iso.date().nullable() }).nullable(),
  })
  .meta({ id: 'Analytics' });
export type Analytics = z.infer<typeof Analytics>;

/** One member's figures on an owner's asset. */
export const MemberAnalytics = Analytics.extend({ username: z.string() }).meta({ id: 'MemberAnalytics' });

/** An owned asset's use in one month: the totals, with the use of an owner who takes part, and each member's figures. */
export const AssetAnalytics = Analytics.extend({ members: z.array(MemberAnalytics) }).meta({ id: 'AssetAnalytics' });
export type AssetAnalytics = z.infer<typeof AssetAnalytics>;

export const AnalyticsQuery = z.strictObject({ month: Month.optional(), format: Format });

export const analyticsEndpoints = {
  'GET /api/assets/{id}/analytics/': {
    scripts: READABLE,
    summary: 'Get the use of an owned asset in a month, in total and by member',
    csv: true,
    params: ById,
    query: AnalyticsQuery,
    answers: { 200: AssetAnalytics },
  },
  'GET /api/shared-assets/{id}/analytics/': {
    scripts: READABLE_BY_SHARE,
    summary: 'Get the use of a share in a month',
    csv: true,
    params: ById,
    query: AnalyticsQuery,
    answers: { 200: Analytics },
  },
} as const satisfies EndpointTable;
