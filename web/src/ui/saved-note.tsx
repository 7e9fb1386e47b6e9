import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

/** A visual confirmation next to a save button; announcements.ts tells screen readers. */
export const SavedNote = ({ children }: { children: ReactNode }) => (
  <p className="inline-flex items-center gap-2 text-[14.5px] font-medium text-accent-text">
    <CircleCheck aria-hidden size={18} className="shrink-0" />
    {children}
  </p>
);
