import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { announce } from '../../lib/announcements.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { Button } from '../../ui/button.tsx';
import { useChangeShare } from './api.ts';
import { hoursProblem } from './rules.ts';

interface HoursFormProps {
  assetId: number;
  shareId: number;
  name: string;
  hours: number;
  onDone: () => void;
}

/** A member's monthly hours, changed where they stand. */
export function HoursForm({ assetId, shareId, name, hours, onDone }: HoursFormProps) {
  const [text, setText] = useState(String(hours));
  const [problem, setProblem] = useState<string | null>(null);
  const change = useChangeShare(assetId);
  const field = useRef<HTMLInputElement>(null);
  const problemId = useId();
  useEffect(() => field.current?.select(), []);

  const submit = () => {
    const wrong = hoursProblem(text);
    setProblem(wrong);
    if (wrong !== null) return field.current?.focus();
    const next = Number(text);
    if (next === hours) return onDone();
    change.mutate(
      { shareId, hours: next },
      {
        onSuccess: () => {
          announce(`${name} now has ${next} hours a month.`);
          onDone();
        },
        onError: (error) => setProblem(failureText(error)),
      },
    );
  };

  // Escape takes back the change, not the whole dialog around it.
  const takeBack = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onDone();
  };

  return (
    <form
      noValidate
      className="flex flex-wrap items-center justify-end gap-2 max-sm:basis-full"
      onSubmit={(event) => {
        event.preventDefault();
        if (!change.isPending) submit();
      }}
    >
      <input
        ref={field}
        onKeyDown={takeBack}
        type="number"
        inputMode="numeric"
        aria-label={`Hours of ${name}`}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : problemId}
        min={ALLOCATION_MIN_HOURS}
        max={ALLOCATION_MAX_HOURS}
        step={1}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
        className={`figures h-11 w-24 rounded-control border bg-surface px-3 text-base md:h-9 md:text-[15px] ${problem === null ? 'border-line-field' : 'border-over'}`}
      />
      <Button type="submit" size="small" busy={change.isPending} busyText="Saving...">
        Save
      </Button>
      <Button look="outline" size="small" onClick={onDone}>
        Cancel
      </Button>
      {problem !== null && (
        <p id={problemId} role="alert" className="basis-full text-right text-[13.5px] font-medium text-over-text">
          {problem}
        </p>
      )}
    </form>
  );
}

function failureText(error: unknown): string {
  const said = error instanceof ApiError ? (error.fields['monthly_hours_allocated']?.[0] ?? error.message) : '';
  return said || 'Failed to change the hours. Please try again.';
}
