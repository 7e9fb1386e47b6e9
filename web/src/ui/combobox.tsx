import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronDown } from 'lucide-react';
import { t } from '../platform/i18n/messages.ts';
import { classes } from './class-names.ts';
import { FieldFrame, type FieldProps } from './field.tsx';

interface ComboboxProps extends FieldProps {
  value: string;
  options: string[];
  /** Returns an option's label, which is also searched. */
  getLabel: (option: string) => string;
  onChange: (value: string) => void;
}

/** A select with a text search. */
export const Combobox = ({ label, value, options, getLabel, onChange, error, hint }: ComboboxProps) => (
  <FieldFrame label={label} error={error} hint={hint}>
    {(ariaProps, inputClass) => (
      <Base.Root
        items={options}
        value={value}
        onValueChange={(next: string | null) => next !== null && onChange(next)}
        itemToStringLabel={getLabel}
      >
        <div className="relative">
          <Base.Input
            {...ariaProps}
            // The open list hides everything around it from screen readers, including the label.
            aria-label={label}
            className={classes(inputClass, 'h-11 pe-11!')}
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
    )}
  </FieldFrame>
);
