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

/** Starts a session or ends the running one. It stays the same button, which keeps the focus. */
export function SessionButton({ running, session, className, ...rest }: SessionButtonProps) {
  const isNew = useSettled(running, IGNORES_PRESSES_MS) !== running;
  return (
    <Button
      {...rest}
      look={running ? 'live' : 'primary'}
      icon={<PlayStop running={running} />}
      busy={session.busy || isNew}
      // What it did shows at once, so nothing needs to look busy.
      className={classes('opacity-100!', className)}
      onKeyDown={ignoreHeldEnter}
      onClick={running ? session.end : session.start}
    >
      {running ? t('End Session') : t('Start Session')}
    </Button>
  );
}
