import type { ReactNode } from 'react';

/** Text that only screen readers read, as a tag of a message: `rich('Manage<hidden> {asset}</hidden>', { asset, hidden })`. */
export const hidden = (text: ReactNode) => <span className="sr-only">{text}</span>;
