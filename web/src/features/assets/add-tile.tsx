import { Plus } from 'lucide-react';
import { t } from '../../platform/i18n/messages.ts';

/** The last row of a grid of assets, which adds one. */
export function AddTile({ onAdd }: { onAdd: () => void }) {
  return (
    <li className="col-span-full flex">
      <button
        type="button"
        onClick={onAdd}
        className="flex min-h-14 w-full items-center justify-center gap-2 rounded-card border border-dashed border-line-strong font-semibold text-muted transition-colors hover:border-accent hover:text-accent-text"
      >
        <Plus aria-hidden size={18} />
        {t('Add new asset')}
      </button>
    </li>
  );
}
