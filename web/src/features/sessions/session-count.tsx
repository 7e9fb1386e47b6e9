import { countOf } from '../../lib/formatting.ts';
import { useFirstSessions } from './api.ts';

/** "14 sessions", "more than 200 sessions", or what can be said without knowing. */
export function SessionCount({ assetId }: { assetId: number }) {
  const { data } = useFirstSessions(assetId);
  if (!data) return 'all sessions';
  return data.next === null
    ? countOf(data.results.length, 'session')
    : `more than ${countOf(data.results.length, 'session')}`;
}
