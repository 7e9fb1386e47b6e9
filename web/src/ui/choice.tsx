import { useId } from 'react';
import { classes } from './class-names.ts';

interface ChoiceProps<Value extends string> {
  legend: string;
  value: Value;
  options: { value: Value; text: string }[];
  /** Puts the legend beside them where there is room. */
  beside?: boolean;
  onChange: (value: Value) => void;
}

/** Radio buttons side by side. */
export function Choice<Value extends string>({ legend, value, options, beside = false, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={classes('mb-3 font-semibold', beside && 'sm:float-start sm:mb-0 sm:leading-11')}>
        {legend}
      </legend>
      <div
        className={classes(
          'inline-flex max-w-full gap-1 rounded-control bg-sunken p-1 [.bg-sunken_&]:bg-calm',
          beside && 'sm:float-end',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex min-h-11 min-w-20 cursor-pointer items-center justify-center rounded-[7px] border border-transparent px-3 max-[359px]:min-w-0 max-[359px]:px-1 text-[14.5px] font-medium text-muted hover:text-ink has-checked:border-line-field has-checked:bg-surface has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent md:min-h-9"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
