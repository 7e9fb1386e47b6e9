import { Minus, Plus } from 'lucide-react';
import type { InputHTMLAttributes, Ref } from 'react';
import { classes } from './class-names.ts';
import { FieldFrame, type FieldProps } from './field.tsx';

interface StepperProps extends FieldProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  ref?: Ref<HTMLInputElement>;
  /** Where what is beside the control says it, too. */
  hidesLabel?: boolean;
}

/** A whole number with buttons for one less and one more. The arrow keys do the same, so the buttons are for pointers. */
export function Stepper({ label, hidesLabel = false, error, hint, ...input }: StepperProps) {
  return (
    <FieldFrame label={label} hidesLabel={hidesLabel} error={error} hint={hint}>
      {(ariaProps, inputClass) => (
        <div className="relative">
          <input
            type="number"
            inputMode="numeric"
            step={1}
            {...input}
            {...ariaProps}
            className={classes(
              inputClass,
              'h-11 [appearance:textfield] pe-[92px]! [&::-webkit-inner-spin-button]:appearance-none',
            )}
          />
          <div aria-hidden className="absolute inset-y-px end-px flex">
            <StepButton by={-1} />
            <StepButton by={1} />
          </div>
        </div>
      )}
    </FieldFrame>
  );
}

const StepButton = ({ by }: { by: 1 | -1 }) => (
  <button
    type="button"
    tabIndex={-1}
    className="flex w-11 items-center justify-center border-s border-line text-muted transition-colors last:rounded-e-control hover:bg-sunken hover:text-ink"
    // The focus stays where it is, and out of what assistive technology doesn't see.
    onMouseDown={(event) => event.preventDefault()}
    onClick={({ currentTarget }) => {
      const input = currentTarget.parentElement?.parentElement?.querySelector('input');
      if (by === 1) input?.stepUp();
      else input?.stepDown();
      // As if it had been typed.
      input?.dispatchEvent(new Event('input', { bubbles: true }));
    }}
  >
    {by === 1 ? <Plus size={16} /> : <Minus size={16} />}
  </button>
);
