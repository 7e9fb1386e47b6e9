import type { OwnedAsset, UpdateAssetRequest } from '@hourshare/contract/assets';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Choice } from '../../ui/choice.tsx';
import { useUpdateAsset } from '../assets/api.ts';
import { methodNames, splitSentence } from '../periods/terms-text.ts';

/** Returns whether an asset is shared for the first time, so that its terms can still apply at once. */
export const isFirstShare = (asset: OwnedAsset): boolean =>
  asset.your_role === 'owner' &&
  asset.measured &&
  !asset.archived &&
  asset.next_terms === null &&
  asset.shared_with.length === 0;

/** Asks the owner whose an asset is, and sets how its price is split by the answers, which are saved at once. */
export function WhoseIsIt({ asset }: { asset: OwnedAsset }) {
  const update = useUpdateAsset(asset.id);
  const save = (terms: Pick<UpdateAssetRequest, 'split_method' | 'owner_takes_part'>) => update.mutate(terms);
  const typed = update.isPending ? update.variables : {};
  const { split_method: method = asset.split_method, owner_takes_part: takesPart = asset.owner_takes_part } = typed;
  const isOurs = method === 'equal' || method === 'share_of_use';
  return (
    <div className="grid gap-3">
      <Choice
        legend={t('Is it yours, or do you share all of it?')}
        value={isOurs ? 'ours' : 'mine'}
        options={[
          { value: 'mine', text: t("It's mine") },
          { value: 'ours', text: t('We share all of it') },
        ]}
        onChange={(value) => save({ split_method: value === 'ours' ? 'equal' : 'usage' })}
      />
      {isOurs ? (
        <Choice
          legend={t('How do you split it?')}
          value={method}
          options={(['equal', 'share_of_use'] as const).map((value) => ({ value, text: methodNames[value]() }))}
          onChange={(value) =>
            save({ split_method: value, ...(value === 'share_of_use' && { owner_takes_part: true }) })
          }
        />
      ) : (
        <Choice
          legend={t('Do you use it, too?')}
          value={takesPart ? 'yes' : 'no'}
          options={[
            { value: 'yes', text: t('Yes') },
            { value: 'no', text: t('No') },
          ]}
          onChange={(value) => save({ owner_takes_part: value === 'yes' })}
        />
      )}
      <p className="text-[13.5px] text-muted">
        {splitSentence({ ...asset, split_method: method, owner_takes_part: takesPart })}
      </p>
      {update.isError && <Banner>{errorText(update.error) || t('Failed to update asset.')}</Banner>}
    </div>
  );
}
