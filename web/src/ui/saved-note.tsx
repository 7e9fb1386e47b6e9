import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

/** Beside the button that saved. For the eye alone: the page's live region has said it (lib/announcements.ts). */
export const SavedNote = ({ children }: { children: ReactNode }) => (
  <p className="inline-flex items-center gap-2 text-[14.5px] font-medium text-accent-text">
    <CircleCheck aria-hidden size={18} className="shrink-0" />
    {children}
  </p>
);
