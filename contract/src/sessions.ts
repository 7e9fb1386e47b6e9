import { z } from 'zod';
import { Id, Instant, listOf } from './fields.ts';
import { LOGS_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from './limits.ts';

const LIMIT_RULE = `limit must be a whole number from 1 to ${LOGS_PAGE_SIZE_MAX}`;

/** One stretch of use. Without an `end_time` it is active; `duration` is minutes with two decimals, null while active. */
export const Session = z
  .object({
    id: Id,
    asset_name: z.string(),
    start_time: Instant,
    end_time: Instant.nullable(),
    duration: z.number().nullable(),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

/** What clients send to end a session is not laid down, so any fields are taken, and none is read. */
export const EndSessionRequest = z.looseObject({}).meta({ id: 'EndSessionRequest' });

/** A session as the asset's owner reads it. */
export const MemberSession = Session.extend({ username: z.string() }).meta({ id: 'MemberSession' });
export type MemberSession = z.infer<typeof MemberSession>;

export const MemberSessionList = listOf(MemberSession).meta({ id: 'MemberSessionList' });

export const SessionList = listOf(Session).meta({ id: 'SessionList' });

export const LogsQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, LIMIT_RULE)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= LOGS_PAGE_SIZE_MAX, LIMIT_RULE)
    .default(LOGS_PAGE_SIZE),
  cursor: z.string().max(200, 'Unknown cursor').optional(),
});
