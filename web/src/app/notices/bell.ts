import { createAtom } from '@tanstack/react-store';

interface Bell {
  /** Names the button for screen readers; null while nothing is unread. */
  label: string | null;
  /** Whether something came since the list was last opened. */
  isNew: boolean;
}

/** What the bell in the top bar shows before its list is opened. The list loads after the page is usable, and this with it. */
export const bell = createAtom<Bell>(
  { label: null, isNew: false },
  { compare: (before, next) => before.label === next.label && before.isNew === next.isNew },
);
