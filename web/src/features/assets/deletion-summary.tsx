import type { OwnedAsset } from '@hourshare/contract/assets';
import type { ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { useFirstSessions } from '../sessions/log-api.ts';
import { acceptedEntries } from './rules.ts';

/** Says what a deletion removes, and until when members can still edit their sessions, if they can. */
export function DeletionSummary({ asset, editable }: { asset: OwnedAsset; editable: ReactNode }) {
  const sessions = useFirstSessions(asset.id);
  return (
    <>
      <p>{lossText(acceptedEntries(asset).length, sessions.data)}</p>
      {editable}
      <p>{t("This can't be undone, but past months stay on record. To keep the data, archive instead.")}</p>
    </>
  );
}

/** Says how many sessions and members go. The sessions may still be loading, or be more than one page. */
function lossText(members: number, page: { results: unknown[]; next: string | null } | null | undefined): string {
  if (!page)
    return t(
      'This also deletes all sessions{members, plural, =0 {} one { and removes access for # member} other { and removes access for # members}}.',
      { members },
    );
  const sessions = page.results.length;
  return page.next === null
    ? t(
        'This also deletes {sessions, plural, one {# session} other {# sessions}}{members, plural, =0 {} one { and removes access for # member} other { and removes access for # members}}.',
        { sessions, members },
      )
    : t(
        'This also deletes more than {sessions, plural, one {# session} other {# sessions}}{members, plural, =0 {} one { and removes access for # member} other { and removes access for # members}}.',
        { sessions, members },
      );
}
