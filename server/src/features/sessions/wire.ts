import type { Session } from '@hourshare/contract/sessions';
import { durationMinutes } from './rules.ts';
import type { StoredSession } from './sql.ts';

/** Sessions that have just started or ended are the member's own. */
export function toWire({
  id,
  asset_name,
  started_at,
  ended_at,
  recorded_by_owner = false,
  added_late,
  source,
}: StoredSession & { recorded_by_owner?: boolean }): Session {
  return {
    id,
    asset_name,
    start_time: started_at.toISOString(),
    end_time: ended_at?.toISOString() ?? null,
    duration: ended_at && durationMinutes(started_at, ended_at),
    recorded_by_owner,
    added_late,
    source,
  };
}
