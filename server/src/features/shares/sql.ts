import { sql, type RawBuilder } from 'kysely';
import { OFFER_DAYS } from '@hourshare/contract/limits';

/** When an offer of share `sh` expires. */
export const offerExpiry = sql<Date>`(sh.created_at + make_interval(days => ${OFFER_DAYS}::int))`;

/** Condition: share `sh` is an offer that nothing has recorded as ended, but that has expired. */
export const isExpiredOffer = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(sh.accepted_at is null and sh.ended_at is null and ${offerExpiry} <= ${now}::timestamptz)`;

/** Condition: share `sh` gives access or offers it. */
export const isOpenShare = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(sh.ended_at is null and (sh.accepted_at is not null or ${offerExpiry} > ${now}::timestamptz))`;

/** Condition: invitation `i` can be accepted. */
export const isOpenInvitation = (now: Date): RawBuilder<boolean> => sql<boolean>`(i.expires_at > ${now}::timestamptz)`;
