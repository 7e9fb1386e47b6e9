import type { Finding } from '@hourshare/contract/history';
import { Lightbulb } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { findingKey, findingText } from './rules.ts';

interface FindingsProps {
  findings: Finding[];
  /** Where something can be done about one. */
  action?: (finding: Finding) => ReactNode;
}

const SHOWN_AT_ONCE = 5;

/** What stands out, each in a sentence with its evidence. */
export function Findings({ findings, action }: FindingsProps) {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul role="list" aria-label="What stands out" className="grid gap-2">
        {(all ? findings : findings.slice(0, SHOWN_AT_ONCE)).map((finding) => (
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
      {!all && findings.length > SHOWN_AT_ONCE && (
        <Button look="quiet" size="small" className="mt-1.5" onClick={() => setAll(true)}>
          Show all {findings.length}
        </Button>
      )}
    </>
  );
}
