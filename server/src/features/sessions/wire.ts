import type { MemberSession, Session } from '@hourshare/contract/sessions';
import { tableOf, type Table } from '../../platform/http/csv.ts';
import type { Page } from '../../platform/pages.ts';
import { durationMinutes } from './rules.ts';
import type { StoredMemberSession, StoredSession } from './store.ts';

export function toMemberSession(row: StoredMemberSession): MemberSession {
  const { edited_at: editedAt, was_started_at: from, was_ended_at: to, removed, username, share_id, person } = row;
  const edited = editedAt &&
    from &&
    to && {
      kind: removed ? ('removed' as const) : ('corrected' as const),
      at: editedAt.toISOString(),
      start_time: from.toISOString(),
      end_time: to.toISOString(),
    };
  return { ...toWire(row), ...(removed ? { duration: 0 } : {}), username, share_id, person, edited };
}

/** Sessions that have just started or ended are the member's own. */
export function toWire({
  id,
  asset_name,
  started_at,
  ended_at,
  recorded_by_owner = false,
}: StoredSession & { recorded_by_owner?: boolean }): Session {
  return {
    id,
    asset_name,
    start_time: started_at.toISOString(),
    end_time: ended_at?.toISOString() ?? null,
    duration: ended_at && durationMinutes(started_at, ended_at),
    recorded_by_owner,
  };
}

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
    },
    next,
  );
