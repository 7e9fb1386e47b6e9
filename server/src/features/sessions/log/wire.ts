import { hueOf } from '@hourshare/contract/fields';
import type {
  EditRequest,
  LoggedSession,
  MemberSession,
  OwnSession,
  Session,
  SessionEdit,
  SessionOrRequest,
} from '@hourshare/contract/sessions';
import { tableOf, type Table } from '../../../platform/http/csv.ts';
import type { Page } from '../../../platform/pages.ts';
import { toWire } from '../wire.ts';
import type { StoredLoggedSession } from './store.ts';

export const toMemberSession = (row: StoredLoggedSession): MemberSession => ({
  ...toLoggedSession(row),
  username: row.username,
  hue: hueOf(row.member_id),
  share_id: row.share_id,
  person: row.person,
});

export const toOwnSession = (row: StoredLoggedSession): OwnSession => ({
  ...toLoggedSession(row),
  external_id: row.external_id,
});

export const toSessionOrRequest = (row: StoredLoggedSession): SessionOrRequest => ({
  ...toWire(row),
  request: toRequest(row.request),
});

export function toLoggedSession(row: StoredLoggedSession): LoggedSession {
  const { removed, objection } = row;
  return {
    ...toWire(row),
    ...(removed ? { duration: 0 } : {}),
    meter: row.meter,
    day: row.day,
    not_counted: Math.round((row.uncounted_seconds ?? 0) / 0.6) / 100,
    ended_silently: row.silent,
    edited: toEdit(row),
    objection: objection && {
      ...objection,
      objected_at: new Date(objection.objected_at).toISOString(),
      messages: objection.messages.map((message) => ({ ...message, at: new Date(message.at).toISOString() })),
    },
    request: toRequest(row.request),
  };
}

function toEdit(row: StoredLoggedSession): SessionEdit | null {
  const { edited_at: editedAt, was_started_at: from, was_ended_at: to, restored_at: restoredAt, removed } = row;
  if (!editedAt || !from || !to) return null;
  return {
    kind: removed ? 'removed' : restoredAt ? 'restored' : 'corrected',
    at: (restoredAt ?? editedAt).toISOString(),
    start_time: from.toISOString(),
    end_time: to.toISOString(),
    open_until: row.open_until?.toISOString() ?? null,
    objection_until: row.objection_until?.toISOString() ?? null,
  };
}

const toRequest = (request: StoredLoggedSession['request']): EditRequest | null =>
  request && {
    status: request.status,
    requested_at: new Date(request.requested_at).toISOString(),
    start_time: request.started_at && new Date(request.started_at).toISOString(),
    end_time: request.ended_at && new Date(request.ended_at).toISOString(),
    waits_for: request.waits_for,
  };

const nameOf = (sessions: readonly Session[]) => ['sessions', sessions[0]?.asset_name ?? ''];

/** Returns a row for each of a member's sessions; a running one has no end. */
export const sessionsTable = ({ results, next }: Page<Session>): Table =>
  tableOf(
    nameOf(results),
    results,
    {
      asset_name: (session) => session.asset_name,
      start_time: (session) => session.start_time,
      end_time: (session) => session.end_time,
      duration_minutes: (session) => session.duration,
      added_late: (session) => session.added_late,
      source: (session) => session.source,
    },
    next,
  );

/** Returns a row for each session of any member, with the original times of edited and removed ones. */
export const memberSessionsTable = ({ results, next }: Page<MemberSession>): Table =>
  tableOf(
    nameOf(results),
    results,
    {
      asset_name: (session) => session.asset_name,
      username: (session) => session.username,
      start_time: (session) => session.start_time,
      end_time: (session) => session.end_time,
      duration_minutes: (session) => session.duration,
      edit: ({ edited }) => edited?.kind ?? null,
      edited_at: ({ edited }) => edited?.at ?? null,
      first_start_time: ({ edited }) => edited?.start_time ?? null,
      first_end_time: ({ edited }) => edited?.end_time ?? null,
      added_late: (session) => session.added_late,
      source: (session) => session.source,
    },
    next,
  );
