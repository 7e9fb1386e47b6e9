import { z } from 'zod';
import { Renewal } from './periods.ts';
import { SecurityEvent } from './security-events.ts';
import { Identity } from './sign-ins.ts';
import { User } from './users.ts';
import { OwnedAsset } from './assets.ts';
import type { EndpointTable } from './calls.ts';
import { Cost } from './costs.ts';
import { Deposit } from './deposits.ts';
import { Id, Instant } from './fields.ts';
import { MemberMeter, Meter } from './meters.ts';
import { Notice, NoticeChoice, NoticeTarget } from './notifications.ts';
import { Price } from './periods.ts';
import { MemberSession, OwnSession } from './sessions.ts';
import { Balance, Settlement } from './settlements.ts';
import { AccessToken, TrustedOwner } from './shares.ts';
import { Statement } from './statements.ts';

/** A sign-in that is active or has ended recently. */
export const ExportedSignIn = z
  .object({
    device: z.string(),
    /** The user's name for the device, if any. */
    name: z.string().nullable(),
    signed_in_at: Instant,
    last_used_at: Instant,
    expires_at: Instant,
    ended_at: Instant.nullable(),
  })
  .meta({ id: 'ExportedSignIn' });
export type ExportedSignIn = z.infer<typeof ExportedSignIn>;

export const ExportedPasskey = z
  .object({
    name: z.string().nullable(),
    /** The User-Agent that it was created with. */
    device: z.string(),
    created_at: Instant,
    last_used_at: Instant.nullable(),
  })
  .meta({ id: 'ExportedPasskey' });
export type ExportedPasskey = z.infer<typeof ExportedPasskey>;

/** Access to someone's asset, or an offer of it, past or present. */
export const ExportedShare = z
  .object({
    id: Id,
    asset_name: z.string(),
    owner: z.string(),
    /** Whether it is the share of an owner who uses their own asset. */
    own: z.boolean(),
    monthly_hours_allocated: z.int(),
    offered_at: Instant,
    accepted_at: Instant.nullable(),
    ended_at: Instant.nullable(),
    /** The monthly allowances, and since when each applies. */
    allowances: z.array(z.object({ since: Instant, monthly_hours: z.int() })),
  })
  .meta({ id: 'ExportedShare' });
export type ExportedShare = z.infer<typeof ExportedShare>;

/** Everything about a user that they can see. */
export const Export = z
  .object({
    account: User.extend({ two_step_since: Instant.nullable(), calendar_since: Instant.nullable() }),
    sign_ins: z.array(ExportedSignIn),
    access_tokens: z.array(AccessToken),
    passkeys: z.array(ExportedPasskey),
    identities: z.array(Identity),
    security_events: z.array(SecurityEvent),
    trusted_owners: z.array(TrustedOwner),
    assets: z.array(OwnedAsset),
    prices: z.array(Price.extend({ asset_id: Id, asset_name: z.string() })),
    asset_sessions: z.array(MemberSession.extend({ asset_id: Id })),
    shares: z.array(ExportedShare),
    sessions: z.array(OwnSession.extend({ share_id: Id })),
    /** Meters of assets that the user manages, and those that may record the user. */
    meters: z.array(Meter.extend({ asset_id: Id })),
    own_meters: z.array(MemberMeter.extend({ share_id: Id })),
    /** Costs beside the price of assets that the user manages or owned, and of those that they use or used. */
    costs: z.array(Cost.extend({ asset_id: Id })),
    shared_costs: z.array(Cost.extend({ share_id: Id })),
    /** Only of closed months. */
    statements: z.array(Statement),
    /** Without how to pay other people, which is their data. */
    balances: z.array(Balance.omit({ payment_details: true })),
    payments: z.array(Settlement),
    deposits: z.array(Deposit),
    /** With what everyone says about them. */
    renewals: z.array(Renewal),
    /** Of the last 90 days, as the bell shows them. */
    notices: z.array(Notice),
    notice_choices: z.array(NoticeChoice),
    notice_targets: z.array(NoticeTarget),
  })
  .meta({ id: 'Export' });
export type Export = z.infer<typeof Export>;

export const exportEndpoints = {
  'GET /api/me/export/': {
    summary: 'Export everything about the user as one JSON file',
    file: 'application/json',
    answers: { 200: Export },
  },
  'GET /api/me/export/csv/': {
    summary: 'Export everything about the user as a ZIP file of CSV files',
    file: 'application/zip',
    answers: { 200: z.any() },
  },
} as const satisfies EndpointTable;
