import { useId } from 'react';

export function Checkbox({ label, hint }: { label: string; hint?: string }) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-3">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint && `${id}-hint`}
        className="size-5 shrink-0 cursor-pointer accent-accent"
      />
      <div>
        <label htmlFor={id} className="block cursor-pointer py-0.5 font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-[13.5px] text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
