import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { useId, type ReactNode } from 'react';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { rich, t } from '../../lib/messages.ts';
import { monthText } from '../../lib/months.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LedgerButton, LedgerList, StatusBadge } from '../../ui/ledger.tsx';
import { Swatch, toneAt } from '../../ui/progress.tsx';
import { Tile } from '../../ui/tile.tsx';
import { useLineMark } from '../settlements/api.ts';
import { LineRow } from './line-row.tsx';
import { closingText, isOwner, findOwnLine } from './rules.ts';
import { explanationText } from './explanation.ts';
import { StatementLink } from './statement-link.tsx';
import { UseStrip } from './use-strip.tsx';

interface StatementCardProps {
  statement: Statement;
  username: string;
  onOpen: (() => void) | undefined;
}

/** One asset's month: all amounts for the owner, the own amount and its explanation for a member. */
export function StatementCard({ statement, username, onOpen }: StatementCardProps) {
  const owned = isOwner(statement, username);
  const own = findOwnLine(statement, username);
  const ownAmount = own ? formatMoney(own.amount, statement.currency) : '';
  const headingId = useId();
  return (
    <Card as="li" className="flex flex-col" labelledBy={headingId}>
      <div className="flex items-start gap-3">
        <Tile name={statement.asset_name} />
        <div className="flex min-h-10 min-w-0 flex-1 flex-col justify-center">
          <h3 id={headingId} className="line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]" dir="auto">
            {statement.asset_name}
          </h3>
          <p className="truncate text-[13.5px] text-muted">
            {owned
              ? t('{price} per month', { price: formatMoney(statement.price, statement.currency) })
              : t('Shared by {owner}', { owner: statement.owner })}
          </p>
        </div>
        {owned && <Badge tone="accent">{t('Owner')}</Badge>}
      </div>
      <div className="mt-3.5 mb-3">
        <UseStrip statement={statement} />
      </div>
      {owned ? <Members statement={statement} /> : own && <OwnLine statement={statement} line={own} />}
      <div className="mt-auto flex flex-wrap items-end justify-between gap-x-3 gap-y-1 pt-3">
        <div className="min-w-0">
          {own && (
            <p className="figures text-[17px] font-bold">
              {statement.ended
                ? rich('{amount}<note> your share</note>', { amount: ownAmount, note })
                : rich('{amount}<note> your share so far</note>', { amount: ownAmount, note })}
            </p>
          )}
          {closingText(statement) && <p className="text-[13.5px] text-muted">{closingText(statement)}</p>}
        </div>
        <div className="flex basis-full items-center justify-between gap-4">
          <StatementLink statement={statement} />
          {onOpen && (
            <Button look="outline" size="small" onClick={onOpen} aria-describedby={headingId}>
              {t('Details')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

const note = (text: ReactNode) => <span className="text-[14px] font-normal text-muted">{text}</span>;

function Members({ statement }: { statement: Statement }) {
  const members = statement.lines.filter(({ role }) => role === 'member');
  if (members.length === 0)
    return <p className="text-[13.5px] text-muted">{t('Not shared yet. You cover the full price.')}</p>;
  if (statement.closed) {
    return (
      <LedgerList>
        {members.map((line) => (
          <LineRow
            key={line.id}
            statement={statement}
            line={line}
            reader="owner"
            title={line.username}
            detail={t('{hours} used', { hours: formatHours(line.used_hours) })}
          />
        ))}
      </LedgerList>
    );
  }
  return (
    <ul role="list" className="grid gap-1 text-[14px]">
      {members.map((line, index) => (
        <li key={line.username} className="flex items-center gap-2">
          <Swatch tone={toneAt(index)} />
          <span className="min-w-0 truncate">{line.username}</span>
          <span className="figures shrink-0 text-muted">{formatHours(line.used_hours)}</span>
          <span className="figures ml-auto shrink-0 font-semibold">{formatMoney(line.amount, statement.currency)}</span>
        </li>
      ))}
    </ul>
  );
}

function OwnLine({ statement, line }: { statement: Statement; line: StatementLine }) {
  const mark = useLineMark(line, 'self', { title: statement.asset_name, detail: monthText(statement.month) });
  return (
    <>
      <p className="text-[14px] text-muted">{explanationText(statement, line, 'self')}</p>
      {statement.closed && (
        <div className="mt-1.5 flex min-h-11 flex-wrap items-center justify-between gap-x-3">
          {mark.status && <StatusBadge status={mark.status} />}
          {mark.action && <LedgerButton action={mark.action} />}
        </div>
      )}
    </>
  );
}
