import { useEffect, useRef, useState } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { Button } from './button.tsx';

/** Shortens a long list to its first items. The button for the others moves the focus to the first of them. */
export function useShowAll<Item>(items: Item[], count: number) {
  const [all, setAll] = useState(false);
  const firstAdded = useRef<HTMLLIElement>(null);
  // The focused button is gone.
  useEffect(() => {
    if (all) firstAdded.current?.focus();
  }, [all]);
  return {
    shown: all ? items : items.slice(0, count),
    /** For the list item of each. */
    itemProps: (index: number) => (index === count ? { ref: firstAdded, tabIndex: -1 } : {}),
    showAll: !all && items.length > count && (
      <Button look="quiet" size="small" className="-ms-3 mt-1.5" onClick={() => setAll(true)}>
        {t('Show all {count, number}', { count: items.length })}
      </Button>
    ),
  };
}
