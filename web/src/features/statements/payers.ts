import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { t } from '../../platform/i18n/messages.ts';
import { sumAmounts } from '../../platform/format/money.ts';
import { hueOf } from '../../ui/hue.ts';
import type { StripTone } from '../../ui/swatch.tsx';
import { findOwnLine, isOwner } from './rules.ts';

/** Someone who pays a part of a month. */
export interface Payer {
  key: string | number;
  name: string;
  isYou: boolean;
  amount: number;
  /** Their part of the price. */
  ofPrice: number;
  /** Their color; none for the owner and for others together. */
  tone?: StripTone;
  /** Missing for others together. */
  line?: StatementLine;
}

/** Returns who pays a month: for its owner everyone, members first; for a member themselves, and the others as one. */
export function payersOf(statement: Statement, username: string): Payer[] {
  const { lines, price, currency } = statement;
  if (!isOwner(statement, username)) {
    const own = findOwnLine(statement, username);
    const amount = own?.amount ?? 0;
    const ofPrice = own?.price_amount ?? 0;
    const rest = {
      key: 'others',
      name: t('Others'),
      isYou: false,
      amount: sumAmounts([price, -amount], currency),
      ofPrice: sumAmounts([price, -ofPrice], currency),
    };
    return own
      ? [{ key: 'self', name: own.username, isYou: true, amount, ofPrice, tone: hueOf(own.hue), line: own }, rest]
      : [rest];
  }
  const payers = lines.map((line) => ({
    // A former member may have the name of a current one.
    key: line.id ?? line.username,
    name: line.username,
    isYou: line.role === 'owner',
    amount: line.amount,
    ofPrice: line.price_amount,
    line,
  }));
  const members = payers.filter(({ isYou }) => !isYou);
  return [...members.map((each) => ({ ...each, tone: hueOf(each.line.hue) })), ...payers.filter(({ isYou }) => isYou)];
}
