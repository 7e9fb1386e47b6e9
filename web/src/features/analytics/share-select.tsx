import type { SharedAsset } from '@hourshare/contract/shares';
import { useId } from 'react';

interface ShareSelectProps {
  shares: SharedAsset[];
  selected: number;
  onSelect: (id: number) => void;
}

export function ShareSelect({ shares, selected, onSelect }: ShareSelectProps) {
  const id = useId();
  return (
    <div className="mb-5 max-w-[440px]">
      <label htmlFor={id} className="mb-1.5 block text-[14px] font-semibold">
        Select Asset
      </label>
      <select
        id={id}
        value={selected}
        onChange={(event) => onSelect(Number(event.target.value))}
        className="h-11 w-full truncate rounded-control border border-line-field bg-surface px-3 text-base md:text-[15px]"
      >
        {shares.map((share) => (
          <option key={share.id} value={share.id}>
            {`${share.asset_name} (owned by ${share.owner})`}
          </option>
        ))}
      </select>
    </div>
  );
}
