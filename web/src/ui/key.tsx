import type { ReactNode } from 'react';
import { t } from '../platform/i18n/messages.ts';

/** The name of a key, as on a keyboard. */
export const Key = ({ children }: { children: ReactNode }) => (
  <kbd
    dir="ltr"
    className="inline-flex h-6 min-w-6 items-center justify-center gap-0.5 rounded-md border border-line-field px-1.5 font-sans text-[12px] text-muted"
  >
    {children}
  </kbd>
);

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/** A letter with Cmd on Apple's keyboards, and with Ctrl on others. */
export const CommandKey = ({ letter }: { letter: string }) => (
  <Key>{isApple() ? `⌘${letter}` : t('Ctrl {letter} [[keys]]', { letter })}</Key>
);
