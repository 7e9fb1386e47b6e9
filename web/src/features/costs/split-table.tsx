import type { Statement } from '@hourshare/contract/costs';
import { formatHours, formatMoney } from '../../lib/formatting.ts';
import { Badge } from '../../ui/badge.tsx';
import { Swatch, toneAt } from '../../ui/progress.tsx';
import { correctableText, methodText, monthHeading, offeredText, whyText } from './rules.ts';
import type { WithStatementLink } from './statement-link-props.ts';
import { ToStatement } from './to-statement.tsx';
import { UseStrip } from './use-strip.tsx';

// Figures have the width they need, the name what is left of it.
const head = 'py-2 pl-3 text-right text-[13.5px] font-medium whitespace-nowrap text-muted first:pl-0 first:text-left';
const cell = 'figures py-2.5 pl-3 text-right whitespace-nowrap sm:pl-8';

/** A month as its owner sees it: who used what of the hours on offer, and what each pays. */
export function SplitTable({ statement, StatementLink }: { statement: Statement } & WithStatementLink) {
  return (
    <section aria-labelledby="month-so-far">
      <div className="mb-3.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <div>
          <h3 id="month-so-far" className="font-semibold">
            {monthHeading(statement)}
          </h3>
          <p className="text-[14px] text-muted">{correctableText(statement)}</p>
        </div>
        <Badge>{methodText(statement)}</Badge>
      </div>
      <UseStrip statement={statement} />
      <table className="mt-3 w-full">
        <thead>
          <tr className="border-b border-line">
            {['Who', 'Used', 'On offer', 'Pays'].map((title) => (
              <th key={title} scope="col" className={head}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {statement.lines.map((line, index) => (
            <tr key={line.username} className="border-b border-line last:border-b-0">
              <th scope="row" className="w-full max-w-0 py-2.5 text-left font-medium">
                <span className="flex items-center gap-2">
                  {line.role === 'member' && <Swatch tone={toneAt(index - 1)} />}
                  <span className="truncate">{line.role === 'owner' ? 'You (owner)' : line.username}</span>
                </span>
              </th>
              <td className={cell}>{line.role === 'owner' ? '–' : formatHours(line.used_hours)}</td>
              <td className={cell}>{offeredText(line)}</td>
              <td className={`${cell} font-semibold`}>{formatMoney(line.amount, statement.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <WhyLines statement={statement} className="mt-3 mb-1" />
      <ToStatement statement={statement} StatementLink={StatementLink} />
    </section>
  );
}

/** How each amount came about, members' before what stays with the owner. */
export function WhyLines({ statement, className = '' }: { statement: Statement; className?: string }) {
  const [owner, ...members] = statement.lines;
  return (
    <ul role="list" className={`grid gap-1.5 rounded-card bg-sunken px-3.5 py-3 text-[14px] text-muted ${className}`}>
      {[...members, ...(owner ? [owner] : [])].map((line) => (
        <li key={line.username}>{whyText(statement, line, 'owner')}</li>
      ))}
    </ul>
  );
}
