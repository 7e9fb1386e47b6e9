import { useId, type InputHTMLAttributes, type Ref, type TextareaHTMLAttributes } from 'react';
import { classes } from './class-names.ts';

const BOX =
  'w-full rounded-control border bg-surface px-3 text-base text-ink placeholder:text-muted transition-colors md:text-[15px]';

interface FrameProps {
  label: string;
  error?: string | undefined;
  hint?: string | undefined;
}

interface Ties {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
}

function Frame({
  label,
  error,
  hint,
  children,
}: FrameProps & { children: (ties: Ties, box: string) => React.ReactNode }) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  const ties: Ties = {
    id,
    ...(error && { 'aria-invalid': true }),
    ...(describedBy && { 'aria-describedby': describedBy }),
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-[14px] font-semibold">
        {label}
      </label>
      {children(ties, classes(BOX, error ? 'border-over' : 'border-line-field'))}
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

interface TextFieldProps extends FrameProps, InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, error, hint, className, ...input }: TextFieldProps) {
  return (
    <Frame label={label} error={error} hint={hint}>
      {(ties, box) => <input {...input} {...ties} className={classes(box, 'h-11', className)} />}
    </Frame>
  );
}

interface TextAreaProps extends FrameProps, TextareaHTMLAttributes<HTMLTextAreaElement> {
  ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea({ label, error, hint, className, ...input }: TextAreaProps) {
  return (
    <Frame label={label} error={error} hint={hint}>
      {(ties, box) => <textarea rows={3} {...input} {...ties} className={classes(box, 'block py-2.5', className)} />}
    </Frame>
  );
}
