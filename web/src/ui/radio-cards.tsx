import { useId, type ReactNode } from 'react';
import { classes } from './class-names.ts';

interface RadioCardsProps<Value extends string> {
  legend: string;
  error?: string | undefined;
  /** Whether they are side by side where there is room, below a legend that is only read. */
  isCompact?: boolean;
  /** Whether they are beside one another where there is room. */
  isRow?: boolean;
  /** Null while it is unknown. */
  value: Value | null;
  /** What is `beside` the text is for the eye alone. */
  options: { value: Value; text: string; hint: string; beside?: ReactNode }[];
  onChange: (value: Value) => void;
}

/** Radio buttons below one another, each with the sentence that explains it. */
export function RadioCards<Value extends string>({
  legend,
  error,
  isCompact = false,
  isRow = false,
  value,
  options,
  onChange,
}: RadioCardsProps<Value>) {
  const id = useId();
  return (
    <fieldset
      aria-describedby={error === undefined ? undefined : `${id}-error`}
      className={classes('grid min-w-0 gap-1.5', isCompact && 'gap-2.5 sm:grid-cols-2', isRow && 'sm:grid-cols-3')}
    >
      <legend className={isCompact ? 'sr-only' : 'mb-1.5 text-[14px] font-semibold'}>{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-11 cursor-pointer gap-3 rounded-control border border-line-field px-3.5 py-2.5 transition-colors has-checked:border-accent has-checked:bg-accent-soft/45 has-checked:inset-ring has-checked:inset-ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={`${id}-${option.value}-hint`}
            onChange={() => onChange(option.value)}
            className="mt-0.5 size-4.5 shrink-0 appearance-none rounded-full border-[1.5px] border-line-field bg-surface outline-none checked:border-[5px] checked:border-accent"
          />
          <span className="min-w-0 flex-1">
            <span id={`${id}-${option.value}`} className="block text-[14.5px] leading-snug font-semibold">
              {option.text}
            </span>
            <span id={`${id}-${option.value}-hint`} className="block text-small leading-snug text-muted">
              {option.hint}
            </span>
          </span>
          {option.beside}
        </label>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="col-span-full text-small font-medium text-over-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}
