import type { OwnedAsset } from '@hourshare/contract/assets';
import { monthText } from '../../platform/format/months.ts';
import { t } from '../../platform/i18n/messages.ts';
import { termsText } from '../periods/terms-text.ts';

/** For the owner: terms that start next month. */
export function ComingTerms({ asset }: { asset: OwnedAsset }) {
  const { next_terms: next } = asset;
  return (
    next && (
      <p className="mt-2.5 rounded-control bg-accent-soft px-3.5 py-3 text-[14px]">
        {t('Starting {month}: {terms}. Until then: {current}.', {
          month: monthText(next.from_month),
          terms: termsText(next, asset.currency),
          current: termsText(asset, asset.currency),
        })}
      </p>
    )
  );
}
