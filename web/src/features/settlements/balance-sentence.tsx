import type { Balance } from '@hourshare/contract/settlements';
import type { ReactNode } from 'react';
import { rich, t } from '../../platform/i18n/messages.ts';
import { amountsText } from '../../platform/format/money.ts';
import { useBalances, useUnknownBalances } from './api.ts';
import { openTotals } from './rules.ts';

const bdi = (text: ReactNode) => <bdi>{text}</bdi>;
const out = (text: ReactNode) => <b className="figures font-bold text-over-text">{text}</b>;
const into = (text: ReactNode) => <b className="figures font-bold text-accent-text">{text}</b>;
/** Keeps a clause on one line as long as it fits. */
const clause = (text: ReactNode) => <span className="inline-block">{text}</span>;

/** What the user owes and is owed, in one sentence. */
export function BalanceSentence() {
  const { data } = useBalances();
  const isUnknown = useUnknownBalances();
  // As high as one line, so that the page doesn't move when the sentence is there.
  return (
    <>
      <p className="min-h-8 font-display text-[21px] leading-[1.35] font-semibold text-pretty md:text-[23px]">
        {data && !isUnknown && sentence(data)}
      </p>
      {data && <SentSentence balances={data} />}
    </>
  );
}

/** What of it is sent and waits for being confirmed. */
function SentSentence({ balances }: { balances: Balance[] }) {
  const sums = (amountOf: (balance: Balance) => number) =>
    balances
      .map((balance) => ({ currency: balance.currency, amount: amountOf(balance) }))
      .filter(({ amount }) => amount > 0);
  const [yours, theirs] = [sums(({ you_sent }) => you_sent), sums(({ they_sent }) => they_sent)];
  if (yours.length + theirs.length === 0) return null;
  return (
    <p className="figures mt-1 text-muted">
      {yours.length > 0 && t('{amount} of it is sent and not yet confirmed.', { amount: amountsText(yours) })}{' '}
      {theirs.length > 0 &&
        t('{amount} was sent to you. Confirm it once you have it.', { amount: amountsText(theirs) })}
    </p>
  );
}

function sentence(balances: Balance[]): ReactNode {
  const nets = balances.map(({ username, lines, currency }) => ({
    username,
    currency,
    amount: openTotals(lines, currency).net,
    isOpen: lines.some(({ status }) => status !== 'paid'),
  }));
  const owing = nets.filter(({ amount }) => amount < 0).map((net) => ({ ...net, amount: -net.amount }));
  const owed = nets.filter(({ amount }) => amount > 0);
  const creditors = countPeople(owing);
  const debtors = countPeople(owed);
  const creditor = owing[0]?.username ?? '';
  const debtor = owed[0]?.username ?? '';
  const debt = amountsText(owing);
  const credit = amountsText(owed);

  if (creditors > 0 && debtors > 0)
    return rich(
      '<clause>You owe {creditors, plural, one {<bdi>{creditor}</bdi> <out>{debt}</out>} other {<out>{debt}</out> to # people}};</clause> <clause>{debtors, plural, one {<bdi>{debtor}</bdi> owes you <into>{credit}</into>.} other {# people owe you <into>{credit}</into>.}}</clause>',
      { creditors, creditor, debt, debtors, debtor, credit, bdi, out, into, clause },
    );
  if (creditors > 0)
    return rich(
      'You owe {creditors, plural, one {<bdi>{creditor}</bdi> <out>{debt}</out>} other {<out>{debt}</out> to # people}}.',
      { creditors, creditor, debt, bdi, out },
    );
  if (debtors > 0)
    return rich(
      '{debtors, plural, one {<bdi>{debtor}</bdi> owes you <into>{credit}</into>.} other {# people owe you <into>{credit}</into>.}}',
      { debtors, debtor, credit, bdi, into },
    );
  const open = nets.filter(({ isOpen }) => isOpen);
  const people = countPeople(open);
  if (people > 0)
    return rich(
      '{people, plural, one {Your charges with <bdi>{name}</bdi> cancel out.} other {Your charges with # people cancel out.}}',
      { people, name: open[0]?.username ?? '', bdi },
    );
  return t("You're all settled up. New balances appear when a month closes.");
}

const countPeople = (nets: { username: string }[]) => new Set(nets.map(({ username }) => username)).size;
