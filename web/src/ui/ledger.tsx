import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';

export interface LedgerStatus {
  text: string;
  tone: 'accent' | 'plain' | 'over';
  /** Shown with a check mark. */
  done: boolean;
}

export interface LedgerAction {
  text: ReactNode;
  busy: boolean;
  failure: string | null;
  onPress: () => void;
}

/** An entry's status, its date, and the action that changes it. */
export interface LedgerMark {
  status: LedgerStatus | null;
  since: string | null;
  /** What is paid or sent of an amount that isn't paid as a whole. */
  progress: string | null;
  action: LedgerAction | null;
}

export const LedgerList = ({ children, label }: { children: ReactNode; label?: string }) => (
  <ul role="list" aria-label={label} className="divide-y divide-line">
    {children}
  </ul>
);

interface LedgerRowProps {
  title: ReactNode;
  detail: string;
  amount: string;
  mark: LedgerMark;
  note?: string;
  /** Below the note. */
  more?: ReactNode;
}

export const LedgerRow = ({ title, detail, amount, mark, note, more }: LedgerRowProps) => (
  <li className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2">
    <span className="truncate font-medium" dir="auto">
      {title}
    </span>
    <span className="figures text-end font-semibold">{amount}</span>
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-small text-muted">
      {detail}
      {mark.status && <StatusBadge status={mark.status} />}
      {mark.since !== null && <span>{mark.since}</span>}
      {mark.progress !== null && <span className="figures">{mark.progress}</span>}
    </span>
    {mark.action && <LedgerButton action={mark.action} />}
    {note !== undefined && <p className="col-span-2 pb-1 text-small text-muted">{note}</p>}
    {more}
  </li>
);

export const LedgerButton = ({ action: { text, busy, failure, onPress } }: { action: LedgerAction }) => (
  <>
    <Button look="quiet" size="small" className="-me-3 justify-self-end" busy={busy} onClick={onPress}>
      {text}
    </Button>
    {failure !== null && (
      <p role="alert" className="col-span-2 basis-full text-small font-medium text-over-text">
        {failure}
      </p>
    )}
  </>
);

export const StatusBadge = ({ status: { text, tone, done } }: { status: LedgerStatus }) => (
  <Badge tone={tone}>
    {done && <Check aria-hidden size={14} />}
    {text}
  </Badge>
);
