import type { SharedAsset } from '@hourshare/contract/shares';
import { t } from '../../platform/i18n/messages.ts';
import { Select } from '../../ui/select.tsx';

interface ShareSelectProps {
  shares: SharedAsset[];
  selected: number;
  onSelect: (id: number) => void;
}

export const ShareSelect = ({ shares, selected, onSelect }: ShareSelectProps) => (
  <div className="max-md:w-full md:w-80">
    <Select
      label={t('Select Asset')}
      value={String(selected)}
      onChange={(id) => onSelect(Number(id))}
      options={shares.map(({ id, asset_name: name, owner }) => ({
        value: String(id),
        text: t('{name} (owned by {owner})', { name, owner }),
      }))}
    />
  </div>
);
