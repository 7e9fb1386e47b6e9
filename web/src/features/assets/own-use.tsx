import type { OwnedAsset } from '@hourshare/contract/assets';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { monthText } from '../../platform/format/months.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/toasts.ts';
import { useUpdateAsset } from './api.ts';

/** Says that the owner doesn't use an asset, and lets them. */
export function OwnUse({ asset }: { asset: OwnedAsset }) {
  const update = useUpdateAsset(asset.id);
  const { next_terms: next } = asset;
  if (next?.owner_takes_part)
    return (
      <p className="text-muted">
        {t('You can start and end sessions here starting {month}.', { month: monthText(next.from_month) })}
      </p>
    );
  return (
    <>
      <p className="text-muted">{t('Usage tracking not available for owned assets.')}</p>
      {update.isError && <Banner className="mt-3">{errorText(update.error) || t('Failed to update asset.')}</Banner>}
      {asset.your_role === 'owner' && !asset.archived && (
        <Button
          look="quiet"
          className="-ms-4 mt-1"
          busy={update.isPending}
          onClick={() =>
            update.mutate({ owner_takes_part: true }, { onSuccess: (changed) => announce(takesPartText(changed)) })
          }
        >
          {t('I use it, too')}
        </Button>
      )}
    </>
  );
}

const takesPartText = ({ next_terms: next }: OwnedAsset): string =>
  next?.owner_takes_part
    ? t('Saved. Applies starting {month}.', { month: monthText(next.from_month) })
    : t('Saved. You can start a session now.');
