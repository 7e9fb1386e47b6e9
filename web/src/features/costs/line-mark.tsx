import type { LineStatus } from '@hourshare/contract/costs';
import { Check } from 'lucide-react';
import { ApiError } from '../../lib/http-errors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useMarkLine } from './api.ts';
import { markOf, statusNames, type Reader } from './rules.ts';

interface Line {
  id: number | null;
  status: LineStatus | null;
  settled: boolean;
}

/** The one thing to say about a line's payment: that it was sent, that it has come, or that this was a slip. */
export function LineMark({ line, reader, about }: { line: Line; reader: Reader; about: string }) {
  const mark = useMarkLine();
  const { id, status } = line;
  const next = markOf(line, reader);
  if (id === null || status === null || !next) return null;
  return (
    <>
      <Button
        look="quiet"
        size="small"
        className="-mr-3 justify-self-end"
        busy={mark.isPending}
        onClick={() => mark.mutate({ id, to: next.to })}
      >
        {next.text}
        <span className="sr-only">
          {' '}
          {next.undo && `${statusNames[status]} `}for {about}
        </span>
      </Button>
      {mark.isError && (
        <p role="alert" className="col-span-2 basis-full text-[13.5px] font-medium text-over-text">
          {mark.error instanceof ApiError && mark.error.status === 400
            ? mark.error.message
            : 'Failed to mark this. Please try again.'}
        </p>
      )}
    </>
  );
}

export function StatusBadge({ line: { status, settled } }: { line: Line }) {
  if (status === null) return null;
  if (status === 'sent') return <Badge tone="accent">{statusNames.sent}</Badge>;
  if (status === 'due') return <Badge>{statusNames.due}</Badge>;
  return (
    <Badge>
      <Check aria-hidden size={14} />
      {settled ? 'Settled' : statusNames.paid}
    </Badge>
  );
}
