import { ChevronDown } from 'lucide-react';
import { useId } from 'react';

interface SelectProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  options: { value: string; text: string; lang?: string }[];
  onChange: (value: string) => void;
}

export function Select({ label, hint, error, value, options, onChange }: SelectProps) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="max-w-[440px] min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-[14px] font-semibold">
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          onChange={(event) => onChange(event.target.value)}
          className={`h-11 w-full appearance-none truncate rounded-control border bg-surface ps-3 pe-10 text-base md:text-[15px] ${error ? 'border-over' : 'border-line-field'}`}
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
  );
}
