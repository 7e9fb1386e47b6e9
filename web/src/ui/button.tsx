import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './class-names.ts';

export type ButtonLook = 'primary' | 'soft' | 'outline' | 'quiet' | 'plain' | 'live' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover',
  // What a list offers below its first entry, whose button is filled.
  soft: 'bg-accent-soft text-accent-text hover:bg-calm',
  outline: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-accent-text hover:bg-accent-soft',
  plain: 'text-muted hover:bg-sunken hover:text-ink',
  live: 'bg-live text-live-ink hover:bg-live-hover',
  danger: 'bg-over text-over-ink hover:bg-over-hover',
};

// Touch targets are 44 px high; with a mouse, small buttons may be lower.
const sizes: Record<ButtonSize, string> = {
  small: 'min-h-11 px-4 text-[14px] md:min-h-9 md:px-3.5',
  medium: 'min-h-11 px-4.5 text-[15px]',
  large: 'min-h-14 rounded-[16px]! px-6.5 text-[17px]',
};

/** Returns the class names of a button, for links that look like one. */
export const buttonClasses = (look: ButtonLook = 'primary', size: ButtonSize = 'medium', extra?: string): string =>
  classes(
    'inline-flex items-center justify-center gap-2 rounded-control font-semibold whitespace-nowrap select-none print:hidden',
    // The delay hides the busy state of quick actions.
    'transition-[color,background-color,border-color,opacity] duration-150 disabled:opacity-60 aria-disabled:opacity-60 aria-disabled:delay-300',
    looks[look],
    sizes[size],
    extra,
  );

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  size?: ButtonSize;
  ref?: Ref<HTMLButtonElement>;
  /**
   * Blocks further presses. With `busyText` the button is disabled, which also blocks Enter in its form; without it,
   * the button keeps the focus.
   */
  busy?: boolean;
  busyText?: string;
  icon?: ReactNode;
}

export function Button({ look, size, busy = false, busyText, icon, className, children, ...rest }: ButtonProps) {
  const isDisabled = busy && busyText !== undefined;
  const isIgnored = busy && busyText === undefined;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClasses(look, size, className)}
      disabled={isDisabled || rest.disabled}
      aria-disabled={isIgnored || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={isIgnored ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon}
      {isDisabled ? busyText : children}
    </button>
  );
}
