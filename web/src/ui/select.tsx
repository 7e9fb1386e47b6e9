import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { classes } from './class-names.ts';
import { FieldFrame, type FieldProps } from './field.tsx';

interface SelectProps extends FieldProps {
  ref?: Ref<HTMLSelectElement>;
  value: string;
  options: { value: string; text: string; lang?: string }[];
  beside?: boolean;
  onChange: (value: string) => void;
}

export const Select = ({ ref, label, hint, error, value, options, beside = false, onChange }: SelectProps) => (
  <div className={classes('min-w-0', !beside && 'max-w-[440px]')}>
    <FieldFrame label={label} error={error} hint={hint} beside={beside}>
      {(ariaProps, inputClass) => (
        <div className="relative">
          <select
            ref={ref}
            {...ariaProps}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={classes(inputClass, 'h-11 appearance-none truncate pe-10!')}
          >
            {options.map((option) => (
              <option key={option.value} value={option.value} lang={option.lang}>
                {option.text}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            size={18}
            className="pointer-events-none absolute inset-y-0 end-3 my-auto text-muted"
          />
        </div>
      )}
    </FieldFrame>
  </div>
);
