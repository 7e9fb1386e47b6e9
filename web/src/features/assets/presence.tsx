import type { OwnedAsset } from '@hourshare/contract/assets';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { durationText } from '../../platform/format/time.ts';
import { useNow } from '../../platform/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { currentUsers, type CurrentUser } from './rules.ts';

/** Who uses an asset now: one person with the time so far, two by name, more as a number. */
export function Presence({ asset }: { asset: OwnedAsset }) {
  const users = currentUsers(asset);
  const [first, ...others] = users;
  if (!first) return null;
  return (
    <Badge tone="live">
      {others.length === 0 ? (
        <OneUser {...first} />
      ) : (
        <span className="max-w-36 truncate">
          {others.length === 1
            ? rich('<hidden>In use by </hidden>{who}', {
                who: listFormat({ type: 'unit', style: 'short' }).format(users.map(({ name }) => name)),
                hidden,
              })
            : t('{count} using it now', { count: users.length })}
        </span>
      )}
    </Badge>
  );
}

function OneUser({ name, since }: CurrentUser) {
  const minutes = Math.floor((useNow() - Date.parse(since)) / 60_000);
  return (
    <span className="flex gap-1">
      <span className="max-w-20 truncate">{rich('<hidden>In use by </hidden>{who}', { who: name, hidden })}</span>
      <span aria-hidden>·</span>
      <span className="figures">{minutes < 1 ? t('under 1 min') : durationText(minutes)}</span>
    </span>
  );
}
