import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classes } from './class-names.ts';

export type ButtonLook = 'primary' | 'outline' | 'quiet' | 'live' | 'danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover',
  outline: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-accent-text hover:bg-accent-soft',
  live: 'bg-live text-live-ink hover:bg-live-hover',
  danger: 'bg-over text-over-ink hover:bg-over-hover',
};

// Fingers get 44 px; where a mouse points, a card's button may be lower.
const sizes: Record<ButtonSize, string> = {
  small: 'min-h-11 px-3 text-[13.5px] md:min-h-9',
  medium: 'min-h-11 px-4 text-[14.5px]',
  large: 'min-h-12 px-5.5 text-base',
};

/** The look of a button, for links that lead somewhere but act like one. */
export const buttonClasses = (look: ButtonLook = 'primary', size: ButtonSize = 'medium', extra?: string): string =>
  classes(
    'inline-flex items-center justify-center gap-2 rounded-control font-semibold whitespace-nowrap select-none',
    'transition-colors duration-150 disabled:opacity-60',
    looks[look],
    sizes[size],
    extra,
  );

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  size?: ButtonSize;
  /** While it works the button cannot be pressed again, and says what it does. */
  busy?: boolean;
  busyText?: string;
  icon?: ReactNode;
}

export function Button({ look, size, busy = false, busyText, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClasses(look, size, className)}
      disabled={busy || rest.disabled}
      aria-busy={busy || undefined}
    >
      {icon}
      {busy && busyText !== undefined ? busyText : children}
    </button>
  );
}
