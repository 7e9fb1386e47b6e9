import type { CostOnLine, Statement, StatementLine } from '@hourshare/contract/statements';
import { useId } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { costText } from '../costs/cost-text.ts';
import { costCalculation } from './explanation.ts';
import { lineName, type Reader } from './rules.ts';

interface StatementCostsProps {
  statement: Statement;
  /** A member's own, or everyone's. */
  lines: StatementLine[];
  reader: Reader;
  className?: string;
}

/** What a month cost beside its price: each cost with the parts of it, and what that makes of each line. */
export function StatementCosts({ statement, lines, reader, className }: StatementCostsProps) {
  const heading = useId();
  const { costs, currency } = statement;
  if (costs.length === 0) return null;
  const nameOf = (line: StatementLine) => (reader === 'self' ? t('You') : lineName(line, reader));
  return (
    <section aria-labelledby={heading} className={className}>
      <h3 id={heading} className="text-[15px] font-semibold">
        {t('Extra costs')}
      </h3>
      <ul role="list" className="mt-1 grid gap-2 text-[14px]">
        {costs.map((cost) => (
          <li key={cost.id} className="[overflow-wrap:anywhere]">
            <p className="figures">
              {costText(cost, currency)}
              {cost.status === 'proposed' && <span className="text-muted"> · {t("Doesn't count yet")}</span>}
            </p>
            <ul role="list" className="figures text-muted">
              {lines.map((line) => {
                const part = line.costs.find(({ id }) => id === cost.id);
                return (
                  part && (
                    <li key={line.id ?? line.username}>
                      <bdi>{nameOf(line)}</bdi>: {partText(statement, line, part)}
                    </li>
                  )
                );
              })}
            </ul>
          </li>
        ))}
      </ul>
      <ul role="list" className="figures mt-2 grid gap-1 border-t border-line pt-2 text-[14px]">
        {lines
          .filter(({ costs_amount: parts, costs_paid: paid }) => parts !== 0 || paid !== 0)
          .map((line) => (
            <li key={line.id ?? line.username}>
              {reader !== 'self' && (
                <>
                  <bdi>{nameOf(line)}</bdi>:{' '}
                </>
              )}
              {t('price {price} + costs {costs} − paid {paid} = {amount}', {
                price: formatMoney(line.price_amount, currency),
                costs: formatMoney(line.costs_amount, currency),
                paid: formatMoney(line.costs_paid, currency),
                amount: formatMoney(line.amount, currency),
              })}
            </li>
          ))}
      </ul>
    </section>
  );
}

function partText(statement: Statement, line: StatementLine, part: CostOnLine): string {
  if (line.role === 'owner') return formatMoney(part.amount, statement.currency);
  const calculation = costCalculation(statement, part);
  if (part.standing === 'charged') return calculation;
  if (part.amount > 0)
    return t('{calculation}. The yes was to {amount}, so {owner} covers the rest.', {
      calculation,
      amount: formatMoney(part.amount, statement.currency),
      owner: statement.owner,
    });
  return part.standing === 'asked'
    ? t("{calculation}. It's above the limit, so without a yes {owner} covers it.", {
        calculation,
        owner: statement.owner,
      })
    : t('{calculation}. {owner} covers it after an objection.', { calculation, owner: statement.owner });
}
