import type { Finding } from '@hourshare/contract/history';
import { Lightbulb } from 'lucide-react';
import type { ReactNode } from 'react';
import { findingKey, findingText } from './rules.ts';

interface FindingsProps {
  findings: Finding[];
  /** Where something can be done about one. */
  action?: (finding: Finding) => ReactNode;
}

/** What stands out, each in a sentence with its evidence. */
export const Findings = ({ findings, action }: FindingsProps) => (
  <ul role="list" aria-label="What stands out" className="grid gap-2">
    {findings.map((finding) => (
      <li
        key={findingKey(finding)}
        className="flex min-h-11 items-center gap-3 rounded-card border border-line bg-surface px-3.5 py-2.5"
      >
        <Lightbulb aria-hidden size={18} className="shrink-0 text-accent" />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{findingText(finding)}</span>
        {action?.(finding)}
      </li>
    ))}
  </ul>
);
