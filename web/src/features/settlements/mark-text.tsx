import type { ReactNode } from 'react';
import { rich } from '../../platform/i18n/messages.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import type { Mark } from './rules.ts';

/** What tells a line from the others around it, such as its asset and month. */
export interface LineName {
  title: string;
  detail: string;
}

const texts: Record<Mark, (line: LineName) => ReactNode> = {
  sent: (line) => rich('Mark as sent<hidden> for {title}, {detail}</hidden>', { ...line, hidden }),
  paid: (line) => rich('Mark as paid<hidden> for {title}, {detail}</hidden>', { ...line, hidden }),
  'undo-sent': (line) => rich('Undo<hidden> marking as sent for {title}, {detail}</hidden>', { ...line, hidden }),
  'undo-paid': (line) => rich('Undo<hidden> marking as paid for {title}, {detail}</hidden>', { ...line, hidden }),
};

/** Returns the text of the button that marks a line. */
export const markText = (mark: Mark, line: LineName): ReactNode => texts[mark](line);
