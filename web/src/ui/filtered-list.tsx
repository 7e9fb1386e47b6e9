import { useRef, useState, type ReactNode } from 'react';
import { foldedWords, foldText } from '../platform/format/folding.ts';
import { formatNumber } from '../platform/format/numbers.ts';
import { t } from '../platform/i18n/messages.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { TextField } from './field.tsx';

/** Shorter lists are read faster than filtered. */
const MOST_UNFILTERED = 6;

/** The key that moves the focus to the filter. */
export const FILTER_KEY = '/';

interface FilteredListProps<Item> {
  items: Item[];
  /** Returns the text of an item in which the filter looks. */
  getText: (item: Item) => string;
  label: string;
  children: (items: Item[]) => ReactNode;
}

/** A list with a filter above it if it is long. */
export function FilteredList<Item>({ items, getText, label, children }: FilteredListProps<Item>) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  if (items.length <= MOST_UNFILTERED) return children(items);
  const wanted = foldedWords(text);
  const found = items.filter((item) => wanted.every((word) => foldText(getText(item)).includes(word)));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-1.5">
        <div className="w-full sm:w-80">
          <TextField
            ref={field}
            type="search"
            label={label}
            autoComplete="off"
            aria-keyshortcuts={FILTER_KEY}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
        <p role="status" className="figures text-[14px] text-muted sm:pb-3">
          {wanted.length > 0 &&
            t('{found} of {total} shown', { found: formatNumber(found.length), total: formatNumber(items.length) })}
        </p>
      </div>
      {found.length > 0 ? (
        children(found)
      ) : (
        <EmptyState
          title={t('No matches')}
          action={
            <Button
              look="outline"
              onClick={() => {
                setText('');
                field.current?.focus();
              }}
            >
              {t('Clear filter')}
            </Button>
          }
        >
          {t('Nothing here matches “{text}”.', { text })}
        </EmptyState>
      )}
    </>
  );
}
