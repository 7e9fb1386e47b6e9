import type { ComponentProps, KeyboardEvent } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { useSettled } from '../platform/use-settled.ts';
import { Button } from './button.tsx';
import { classes } from './class-names.ts';
import { PlayStop } from './play-stop.tsx';

/** How long a control ignores presses after it appeared, so that a double press doesn't undo the first. */
export const IGNORES_PRESSES_MS = 500;

/** A held Enter presses a button again and again, which would undo what it did. */
export const ignoreHeldEnter = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && event.repeat) event.preventDefault();
};

interface SessionButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'className' | 'aria-describedby'> {
  running: boolean;
  session: { busy: boolean; start: () => void; end: () => void };
}

/** What the button does now. Both looks stay the same button, which keeps the focus. */
function usePress(running: boolean, { busy, start, end }: SessionButtonProps['session']) {
  const isNew = useSettled(running, IGNORES_PRESSES_MS) !== running;
  return {
    name: running ? t('End Session') : t('Start Session'),
    isBlocked: busy || isNew,
    press: running ? end : start,
  };
}

/** Starts a session or ends the running one, with words. */
export function SessionButton({ running, session, className, ...rest }: SessionButtonProps) {
  const { name, isBlocked, press } = usePress(running, session);
  return (
    <Button
      {...rest}
      look={running ? 'live' : 'primary'}
      icon={<PlayStop running={running} />}
      busy={isBlocked}
      // What it did shows at once, so nothing needs to look busy.
      className={classes('opacity-100!', className)}
      onKeyDown={ignoreHeldEnter}
      onClick={press}
    >
      {name}
    </Button>
  );
}

/** The same as a round control, on cards that name what it is for: green and still, or amber with a halo. */
export function RoundSessionButton({ running, session, className, ...rest }: Omit<SessionButtonProps, 'size'>) {
  const { name, isBlocked, press } = usePress(running, session);
  return (
    <button
      type="button"
      data-session
      {...rest}
      aria-label={name}
      title={name}
      aria-disabled={isBlocked || undefined}
      aria-busy={isBlocked || undefined}
      onKeyDown={ignoreHeldEnter}
      onClick={isBlocked ? undefined : press}
      className={classes(
        'inline-flex size-14 shrink-0 items-center justify-center rounded-full border border-transparent transition duration-160 select-none print:hidden',
        'motion-safe:active:scale-94 motion-safe:active:duration-120',
        running ? 'halo bg-live text-live-ink hover:bg-live-hover' : 'bg-accent text-accent-ink hover:bg-accent-hover',
        className,
      )}
    >
      <PlayStop running={running} large />
    </button>
  );
}
