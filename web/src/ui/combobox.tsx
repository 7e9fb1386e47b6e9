import { Combobox as Base } from '@base-ui/react/combobox';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Check, ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { t } from '../lib/messages.ts';

interface ComboboxProps {
  label: string;
  value: string;
  options: string[];
  /** Returns an option's label, which is also searched. */
  getLabel: (option: string) => string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: string | undefined;
}

/** A select with a text search. */
export function Combobox({ label, value, options, getLabel, onChange, error, hint }: ComboboxProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <CSPProvider disableStyleElements>
      <div className="min-w-0">
        <label htmlFor={id} className="mb-1.5 block text-[14px] font-semibold">
          {label}
        </label>
        <Base.Root
          items={options}
          value={value}
          onValueChange={(next: string | null) => next !== null && onChange(next)}
          itemToStringLabel={getLabel}
        >
          <div className="relative">
            <Base.Input
              id={id}
              // The open list hides everything around it from screen readers, including the label.
              aria-label={label}
              aria-invalid={error ? true : undefined}
              aria-describedby={describedBy || undefined}
              className={`h-11 w-full rounded-control border bg-surface pe-11 ps-3 text-base md:text-[15px] ${error ? 'border-over' : 'border-line-field'}`}
            />
            <Base.Trigger
              aria-label={t('Show all: {label}', { label })}
              className="absolute inset-y-0 end-0 inline-flex w-11 items-center justify-center text-muted hover:text-ink"
            >
              <ChevronDown aria-hidden size={18} />
            </Base.Trigger>
          </div>
          <Base.Portal>
            <Base.Positioner className="z-60 outline-none" sideOffset={6} collisionPadding={12}>
              <Base.Popup className="w-(--anchor-width) overflow-hidden rounded-card border border-line bg-raised">
                <Base.Empty className="px-4.5 py-3.5 text-muted empty:hidden">{t('No matches')}</Base.Empty>
                <Base.List className="max-h-[min(320px,var(--available-height))] overflow-y-auto overscroll-contain p-1.5 data-empty:hidden">
                  {(option: string) => (
                    <Base.Item
                      key={option}
                      value={option}
                      className="flex min-h-11 cursor-pointer items-center justify-between gap-3 rounded-control px-3 outline-none select-none data-highlighted:bg-sunken md:min-h-9"
                    >
                      {getLabel(option)}
                      <Base.ItemIndicator>
                        <Check aria-hidden size={16} className="text-accent-text" />
                      </Base.ItemIndicator>
                    </Base.Item>
                  )}
                </Base.List>
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
        {error && (
          <p id={`${id}-error`} className="mt-1.5 text-[13.5px] font-medium text-over-text">
            {error}
          </p>
        )}
        {hint && (
          <p id={`${id}-hint`} className="mt-1.5 text-[13.5px] text-muted">
            {hint}
          </p>
        )}
      </div>
    </CSPProvider>
  );
}
