import { Plus } from 'lucide-react';
import { t } from '../../lib/messages.ts';

/** The last tile in a grid of assets, which adds one. */
export function AddTile({ onAdd }: { onAdd: () => void }) {
  return (
    <li className="flex">
      <button
        type="button"
        onClick={onAdd}
        className="flex min-h-[188px] w-full flex-col items-center justify-center gap-1.5 rounded-card border border-dashed border-line-strong font-semibold text-muted transition-colors hover:border-accent hover:text-accent-text"
      >
        <Plus aria-hidden size={18} />
        {t('Add new asset')}
      </button>
    </li>
  );
}
