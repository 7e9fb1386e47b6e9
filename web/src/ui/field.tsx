import { useId, type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes } from 'react';
import { classes } from './class-names.ts';

const INPUT_CLASS =
  'w-full rounded-control border bg-surface px-3 text-base text-ink placeholder:text-muted transition-colors md:text-[15px]';

/** Of a name and what it is about, one above the other on small screens. */
const BESIDE = 'sm:flex sm:flex-wrap sm:items-center sm:justify-between sm:gap-x-4';

export interface FieldProps {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
}

interface AriaProps {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
}

/** A label, a control, and what is wrong or to know about it; `beside` puts them on one line where there is room. */
export function FieldFrame({
  label,
  hidesLabel = false,
  beside = false,
  error,
  hint,
  children,
}: FieldProps & {
  hidesLabel?: boolean;
  beside?: boolean;
  children: (ariaProps: AriaProps, inputClass: string) => React.ReactNode;
}) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const ariaProps: AriaProps = {
    id,
    ...(error && { 'aria-invalid': true }),
    ...(describedBy && { 'aria-describedby': describedBy }),
  };
  return (
    <div className={classes('min-w-0', beside && BESIDE)}>
      <label
        htmlFor={id}
        className={
          hidesLabel ? 'sr-only' : classes('mb-1.5 block font-semibold', beside ? 'text-[15px] sm:mb-0' : 'text-[14px]')
        }
      >
        {label}
      </label>
      {children(ariaProps, classes(INPUT_CLASS, error ? 'border-over' : 'border-line-field'))}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-small font-medium text-over-text">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-small text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** What people write has its own direction; addresses and passwords run from left to right in every language. */
const directionOf = (type?: string) => (type === 'email' || type === 'password' ? 'ltr' : 'auto');

interface TextFieldProps extends FieldProps, InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, error, hint, className, ...input }: TextFieldProps) {
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(ariaProps, inputClass) => (
        <input
          dir={directionOf(input.type)}
          {...input}
          {...ariaProps}
          className={classes(inputClass, 'h-11', className)}
        />
      )}
    </FieldFrame>
  );
}

interface TextAreaProps extends FieldProps, TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ label, error, hint, className, ...input }: TextAreaProps) {
  return (
    <FieldFrame label={label} error={error} hint={hint}>
      {(ariaProps, inputClass) => (
        <textarea
          rows={3}
          dir="auto"
          {...input}
          {...ariaProps}
          className={classes(inputClass, 'block py-2.5', className)}
        />
      )}
    </FieldFrame>
  );
}

/** Lets Enter submit a form whose button is elsewhere. */
export const EnterSubmits = () => <input type="submit" hidden />;
