import { paymentProblem } from '@hourshare/contract/fields';
import { UNDO_HOURS } from '@hourshare/contract/limits';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import { ArrowRight } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { errorText, sentenceText } from '../../platform/i18n/error-texts.ts';
import { currencySymbol, decimalText, formatMoney, moneyParts, signedMoney } from '../../platform/format/numbers.ts';
import { readMoney } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { sumAmounts } from '../../platform/format/money.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusOnMount } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { FullRing } from '../../ui/ring.tsx';
import { Tile } from '../../ui/tile.tsx';
import { actionFailureText, useBalances, usePaymentAction, useSettle } from './api.ts';
import { HowToPay } from './how-to-pay.tsx';
import { byAsset, monthsText, uncoveredDebts, unsentLines, unsentTotals } from './rules.ts';

interface SettleDialogProps {
  /** The balance when the dialog opened: the settlement records exactly this, or a part of it. */
  balance: Balance;
  /** Called when it closes, with whether a payment was recorded that still counts. */
  onDone: (hasPaid: boolean) => void;
  /** Called when the balance has changed since. */
  onChanged: (sentence: string) => void;
}

/** Records payments, one person after the other: as sent by the debtor, or as received by the creditor. */
export function SettleDialog({ balance: first, onDone, onChanged }: SettleDialogProps) {
  const [balance, setBalance] = useState(first);
  const [settlement, setSettlement] = useState<Settlement | null>(null);
  /** With people before this one. */
  const [paidBefore, setPaidBefore] = useState(false);
  const [isPaying, setPaying] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    if (!isPaying) onDone(paidBefore || settlement !== null);
  };
  return (
    <Dialog
      shape="panel"
      title={<span className="sr-only">{t('Settle up with {name}', { name: balance.username })}</span>}
      initialFocus={button}
      onClose={close}
    >
      {settlement === null ? (
        <Paying
          key={`${balance.username}/${balance.currency}`}
          balance={balance}
          button={button}
          onPaying={setPaying}
          onSettled={setSettlement}
          onChanged={onChanged}
        />
      ) : (
        <Settled
          balance={balance}
          settlement={settlement}
          onNext={(next) => {
            setPaidBefore(true);
            setBalance(next);
            setSettlement(null);
          }}
          onUndone={() => onDone(paidBefore)}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

interface PayingProps {
  balance: Balance;
  button: React.RefObject<HTMLButtonElement | null>;
  onPaying: (isPaying: boolean) => void;
  onSettled: (settlement: Settlement) => void;
  onChanged: (sentence: string) => void;
}

function Paying({ balance, button, onPaying, onSettled, onChanged }: PayingProps) {
  const settle = useSettle();
  const user = useUser();
  const { username: name, currency, payment_details: details } = balance;
  const lines = unsentLines(balance.lines);
  const { net } = unsentTotals(lines, currency);
  const owed = Math.abs(net);
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { asked, onOpen, onAnswered } = useQuestionOnReturn();
  useEffect(() => {
    onPaying(settle.isPending);
    // Success takes this away before it knows that nothing is pending.
    return () => onPaying(false);
  }, [settle.isPending, onPaying]);
  // After the debt of someone else, too.
  useEffect(() => button.current?.focus({ preventScroll: true }), [button]);

  const amount = typed === null ? owed : readMoney(typed, currency);
  const found = owed === 0 ? undefined : problemOf(amount, owed, currency);
  const paid = found === undefined && amount !== undefined ? amount : undefined;
  const shown = formatMoney(paid ?? owed, currency);

  const record = (sum: number) => {
    onAnswered();
    if (settle.isPending) return;
    settle.mutate(
      { username: name, currency, lines: lines.map(({ id }) => id), net, ...(owed > 0 && { amount: sum }) },
      {
        onSuccess: onSettled,
        onError: (error) => {
          if (!(error instanceof ApiError)) return;
          // More than is open now: part of it was paid meanwhile.
          if (error.code === 'lines_changed' || error.code === 'nothing_to_settle' || error.fields['amount'])
            onChanged(error.fields['amount'] ? t('Balances just changed. Review and try again.') : errorText(error));
        },
      },
    );
  };

  const submit = () => {
    setProblem(found ?? null);
    if (paid !== undefined) record(paid);
  };

  const theirs = <Avatar name={name} hue={balance.hue} size="huge" />;
  const own = user && <Avatar name={user.username} hue={user.id} size="huge" />;
  return (
    <>
      <DialogBody>
        <div className="flex flex-col items-center pb-6 text-center">
          <span aria-hidden className="flex items-center gap-3.5 text-muted">
            {net > 0 ? theirs : own}
            <ArrowRight size={26} className="rtl:-scale-x-100" />
            {net > 0 ? own : theirs}
          </span>
          <p className="mt-4.5 text-muted [overflow-wrap:anywhere]">
            {net > 0
              ? t('{name} owes you', { name })
              : net < 0
                ? t('You owe {name}', { name })
                : t('You and {name} are settled up', { name })}
          </p>
          {typed === null ? (
            <>
              <p className="figures font-display text-[clamp(36px,14vw,56px)] leading-[1.05] font-bold [overflow-wrap:anywhere]">
                {moneyParts(owed, currency).map(({ text, isFraction }, index) => (
                  <span key={index} className={isFraction ? 'opacity-55' : undefined}>
                    {text}
                  </span>
                ))}
              </p>
              {owed > 0 && (
                <Button look="quiet" className="mt-1" onClick={() => setTyped(decimalText(owed, currency))}>
                  {net < 0 ? t('Pay part of it') : t('Only part of it')}
                </Button>
              )}
            </>
          ) : (
            <form
              noValidate
              className="mt-3 w-full max-w-72 text-start"
              onSubmit={(event) => {
                event.preventDefault();
                submit();
              }}
            >
              <TextField
                ref={focusAndSelect}
                label={t('Amount ({symbol})', { symbol: currencySymbol(currency) })}
                inputMode="decimal"
                autoComplete="off"
                value={typed}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setProblem(null);
                }}
                error={problem ?? undefined}
                hint={
                  paid !== undefined && paid < owed
                    ? t('Goes toward the oldest charges first. {rest} will still be due.', {
                        rest: formatMoney(sumAmounts([owed, -paid], currency), currency),
                      })
                    : t('Up to {amount}', { amount: formatMoney(owed, currency) })
                }
              />
            </form>
          )}
        </div>
        {net < 0 && details !== null && (
          <HowToPay
            name={name}
            methods={details.methods}
            amount={paid}
            currency={currency}
            reference={referenceOf(user?.username ?? '', lines)}
            onOpen={() => paid !== undefined && onOpen(paid)}
          />
        )}
        {paid === owed && <Covered lines={lines} currency={currency} />}
      </DialogBody>
      <DialogFooter isStacked>
        {settle.isError && <Banner>{t("Couldn't settle up. Please try again.")}</Banner>}
        <Button ref={button} size="large" busy={settle.isPending} onClick={submit}>
          {net < 0
            ? t('I paid {amount}', { amount: shown })
            : net > 0
              ? t('I received {amount}', { amount: shown })
              : t('Settle up')}
        </Button>
        <p className="text-center text-[13.5px] text-balance text-muted [overflow-wrap:anywhere]">
          {balance.account_deleted
            ? t('{name} deleted their account, so no one needs to confirm. Only you can undo this.', { name })
            : net < 0
              ? t('{name} will be asked to confirm. You can undo this for {hours} hours.', { name, hours: UNDO_HOURS })
              : t('You can undo this for {hours} hours. After that, {name} must agree.', { name, hours: UNDO_HOURS })}
        </p>
      </DialogFooter>
      {asked !== null && (
        <ConfirmDialog
          title={t('Did you pay {amount}?', { amount: formatMoney(asked, currency) })}
          cancel={t('Not yet')}
          confirm={t('Yes')}
          look="primary"
          onConfirm={() => record(asked)}
          onCancel={onAnswered}
        />
      )}
    </>
  );
}

/** Selecting alone doesn't move the focus in Safari. */
const focusAndSelect = (input: HTMLInputElement | null) => {
  input?.focus();
  input?.select();
};

/** Asks once when the user comes back from the page or the app in which they may have paid, about the amount that was filled in there. */
function useQuestionOnReturn() {
  const [opened, setOpened] = useState<{ amount: number; isBack: boolean } | null>(null);
  const isAway = opened?.isBack === false;
  useEffect(() => {
    if (!isAway) return undefined;
    const ask = () => {
      if (document.visibilityState === 'visible') setOpened((before) => before && { ...before, isBack: true });
    };
    document.addEventListener('visibilitychange', ask);
    window.addEventListener('focus', ask);
    return () => {
      document.removeEventListener('visibilitychange', ask);
      window.removeEventListener('focus', ask);
    };
  }, [isAway]);
  return {
    asked: opened?.isBack ? opened.amount : null,
    onOpen: (amount: number) => setOpened({ amount, isBack: false }),
    onAnswered: () => setOpened(null),
  };
}

/** What is paid for, by asset. */
function Covered({ lines, currency }: { lines: Balance['lines']; currency: string }) {
  return (
    <Disclosure
      className="mt-4.5 border-t border-line"
      summary={
        <span className="flex items-baseline justify-between gap-3">
          <span className="font-semibold">{t('What it covers')}</span>
          <span className="text-[13.5px] text-muted">
            {t('{count, plural, one {# charge} other {# charges}}', { count: lines.length })}
          </span>
        </span>
      }
    >
      <ul role="list">
        {byAsset(lines, currency).map(({ key, name, lines, direction, unsent }) => (
          <li key={key} className="flex items-center gap-3 py-2">
            <Tile name={name} size="small" />
            <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <p className="font-semibold" dir="auto">
                {name}
              </p>
              <p className="text-[13.5px] text-muted">{monthsText(lines)}</p>
            </div>
            <p className={`figures font-semibold ${direction === 'you_owe' ? 'text-over-text' : 'text-accent-text'}`}>
              {signedMoney(direction === 'you_owe' ? -unsent : unsent, currency)}
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

const nextAmount = (text: ReactNode) => (
  <b className="figures block font-display text-[19px] font-bold text-over-text">{text}</b>
);

interface SettledProps {
  balance: Balance;
  settlement: Settlement;
  onNext: (balance: Balance) => void;
  onUndone: () => void;
  onClose: () => void;
}

/** The moment after: what happens now, the next debt, and a way back. */
function Settled({ balance, settlement, onNext, onUndone, onClose }: SettledProps) {
  const undo = usePaymentAction(settlement);
  const { data: balances = [] } = useBalances();
  const { username: name, currency } = balance;
  const debts = uncoveredDebts(balances).filter((other) => other.username !== name || other.currency !== currency);
  const [next] = debts;
  const isSent = settlement.status === 'sent';
  return (
    <>
      <DialogBody>
        <div className="flex flex-col items-center pb-6 text-center">
          <FullRing>
            <Avatar name={name} hue={balance.hue} size="huge" />
          </FullRing>
          <h3 ref={focusOnMount} tabIndex={-1} className="mt-5 title-1 outline-none">
            {isSent ? t('Marked as sent') : t('Settled [[payment]]')}
          </h3>
          <p className="figures mt-1.5 text-muted [overflow-wrap:anywhere]">
            {isSent
              ? t('Waiting for {name} to confirm {amount}.', {
                  name,
                  amount: formatMoney(settlement.amount, currency),
                })
              : settlement.direction === 'they_paid'
                ? t('{name} paid you {amount}.', { name, amount: formatMoney(settlement.amount, currency) })
                : t('You paid {name} {amount}.', { name, amount: formatMoney(settlement.amount, currency) })}
          </p>
        </div>
        {next && (
          <section aria-label={t('Next [[debt]]')} className="rounded-card bg-sunken p-4">
            <p className="flex items-baseline justify-between gap-3">
              <span className="font-semibold">{t('Next [[debt]]')}</span>
              <span className="text-[13.5px] text-muted">
                {t('{count, plural, one {# left} other {# left}}', { count: debts.length })}
              </span>
            </p>
            <div className="mt-3 flex items-center gap-3">
              <Avatar name={next.username} hue={next.hue} />
              <p className="min-w-0 flex-1 leading-tight [overflow-wrap:anywhere]">
                {rich('You owe {name} <b>{amount}</b>', {
                  name: next.username,
                  amount: formatMoney(-unsentTotals(next.lines, next.currency).net, next.currency),
                  b: nextAmount,
                })}
              </p>
              <Button size="small" onClick={() => onNext(next)}>
                {rich('Settle up<hidden> with {name}</hidden>', { name: next.username, hidden })}
              </Button>
            </div>
          </section>
        )}
        {undo.isError && <Banner className="mt-4">{actionFailureText(undo.error)}</Banner>}
      </DialogBody>
      <DialogFooter isStacked>
        <Button look={next ? 'outline' : 'primary'} size="large" onClick={onClose}>
          {t('Done')}
        </Button>
        {settlement.can.undo === 'alone' && (
          <Button
            look="quiet"
            size="large"
            busy={undo.isPending}
            onClick={() => undo.mutate('undo', { onSuccess: onUndone })}
          >
            {t('Undo')}
          </Button>
        )}
      </DialogFooter>
    </>
  );
}

function problemOf(amount: number | undefined, owed: number, currency: string): string | undefined {
  if (Number.isNaN(amount)) return t('Amount must be a number');
  const problem = paymentProblem(amount ?? 0, owed, currency);
  return problem && sentenceText(problem);
}

/** Returns what tells the other person who paid for which months: "HourShare mira 2026-09 - 2026-11". */
function referenceOf(username: string, lines: Balance['lines']): string {
  const months = lines.map(({ month }) => month).toSorted();
  const [first = '', last = first] = [months[0], months.at(-1)];
  // oxlint-disable-next-line hourshare/text-in-catalog -- the other person's language is unknown
  return `HourShare ${username} ${first === last ? first : `${first} - ${last}`}`;
}
