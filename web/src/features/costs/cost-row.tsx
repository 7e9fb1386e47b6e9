import type { Cost } from '@hourshare/contract/costs';
import { COST_TEXT_MAX_LENGTH } from '@hourshare/contract/limits';
import type { CostOnLine } from '@hourshare/contract/statements';
import { useRef, useState } from 'react';
import { monthText, pastDateText } from '../../platform/format/months.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/field.tsx';
import { focusOnMount, takeFocus } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAnswerCost, useChangeCost, useRemoveCost, type CostPlace } from './api.ts';
import { CostForm } from './cost-form.tsx';
import { costText } from './cost-text.ts';

interface CostRowProps {
  place: CostPlace;
  cost: Cost;
  /** The user's own part of it; undefined without one, and for the owner. */
  part: CostOnLine | undefined;
  owner: string;
  username: string;
  people: string[];
}

const statusNames: Record<Exclude<Cost['status'], 'counted'>, () => string> = {
  proposed: () => t("Doesn't count yet"),
  declined: () => t('Declined'),
  removed: () => t('Removed'),
};

/** A cost with what became of it, and what the user can do about it. */
export function CostRow({ place, cost, part, owner, username, people }: CostRowProps) {
  const [form, setForm] = useState<'change' | 'decline' | 'object' | null>(null);
  const [line, setLine] = useState('');
  const box = useRef<HTMLLIElement>(null);
  const answer = useAnswerCost(place, cost.id);
  const change = useChangeCost(place, cost.id);
  const remove = useRemoveCost(place, cost.id);
  const { text, currency, status, reply, earlier, answers, can, month, date } = cost;
  const own = answers.find(({ username: name }) => name === username);
  const failure = answer.error ?? remove.error;
  const busy = answer.isPending || remove.isPending;
  const close = () => {
    setForm(null);
    setLine('');
    takeFocus(box.current);
  };
  const say = (body: Parameters<typeof answer.mutate>[0]) => answer.mutate(body, { onSuccess: close });
  const withLine = line.trim() === '' ? {} : { text: line };
  const name = { cost: text, hidden };
  return (
    <li ref={box} tabIndex={-1} className="border-b border-line py-2.5 outline-none last:border-0">
      <p className="figures [overflow-wrap:anywhere]">
        {costText(cost, currency)} {status !== 'counted' && <Badge>{statusNames[status]()}</Badge>}
      </p>
      {date.slice(0, 7) !== month && (
        <p className="text-[14px] text-muted">{t('Counts in {month}.', { month: monthText(month) })}</p>
      )}
      {cost.repeats && (
        <p className="text-[14px] text-muted">
          {cost.repeats.until === null
            ? t('Repeats on {day}.', { day: pastDateText(cost.repeats.next) })
            : t('Repeats on {day}, until {end}.', {
                day: pastDateText(cost.repeats.next),
                end: pastDateText(cost.repeats.until),
              })}
        </p>
      )}
      {reply !== null && (
        <p className="text-[14px] text-muted">
          <bdi>{owner}</bdi>: <bdi>{reply}</bdi>
        </p>
      )}
      {part && status === 'counted' && <p className="figures text-[14px]">{partText(part, owner, currency)}</p>}
      {answers.map((each) => (
        <p key={each.username} className="text-[14px] text-muted [overflow-wrap:anywhere]">
          {answerText(each, owner, username)} {each.text !== null && <bdi>{each.text}</bdi>}
        </p>
      ))}
      {form === 'change' && (
        <CostForm
          label={t('Change this cost')}
          cost={cost}
          currency={currency}
          username={username}
          people={people}
          save={(_, edited) => change.mutateAsync(edited)}
          onDone={close}
        />
      )}
      {(form === 'decline' || form === 'object') && (
        <form
          noValidate
          className="mt-2 grid gap-2 rounded-card bg-sunken p-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (busy) return;
            say(
              form === 'decline'
                ? { answer: 'decline', version: cost.version, ...withLine }
                : { answer: 'no', version: cost.version, ...withLine },
            );
          }}
        >
          <TextField
            ref={focusOnMount}
            autoComplete="off"
            label={form === 'decline' ? t('Why (optional)') : t('What is wrong (optional)')}
            maxLength={COST_TEXT_MAX_LENGTH}
            value={line}
            onChange={({ target }) => setLine(target.value)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" size="small" busy={answer.isPending}>
              {form === 'decline' ? t('Decline') : t('Object')}
            </Button>
            <Button look="outline" size="small" onClick={close}>
              {t('Cancel')}
            </Button>
          </div>
        </form>
      )}
      {failure && (
        <p role="alert" className="mt-1 text-[14px] font-medium text-over-text">
          {errorText(failure) || t("Couldn't save this cost. Please try again.")}
        </p>
      )}
      {form === null && (
        <div className="-ms-3 flex flex-wrap gap-x-1">
          {'assetId' in place && can.decide && (
            <Button
              look="quiet"
              size="small"
              busy={busy}
              onClick={() => say({ answer: 'count', version: cost.version })}
            >
              {rich('Count<hidden> {cost}</hidden>', name)}
            </Button>
          )}
          {'assetId' in place && can.decide && status === 'proposed' && (
            <Button look="quiet" size="small" onClick={() => setForm('decline')}>
              {rich('Decline<hidden> {cost}</hidden>', name)}
            </Button>
          )}
          {'shareId' in place && can.answer && part?.standing === 'asked' && (
            <Button
              look="quiet"
              size="small"
              busy={busy}
              onClick={() => say({ answer: 'yes', amount: part.split_amount, version: cost.version })}
            >
              {rich('Say yes<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {'shareId' in place && can.answer && part?.standing === 'charged' && own === undefined && !can.change && (
            <Button look="quiet" size="small" onClick={() => setForm('object')}>
              {rich('Object<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {'shareId' in place && can.answer && own && (
            <Button look="quiet" size="small" busy={busy} onClick={() => say({ answer: 'none' })}>
              {rich('Undo my answer<hidden> to {cost}</hidden>', name)}
            </Button>
          )}
          {can.change && (
            <Button look="quiet" size="small" onClick={() => setForm('change')}>
              {rich('Change<hidden> {cost}</hidden>', name)}
            </Button>
          )}
          {can.remove && (
            <Button
              look="quiet"
              size="small"
              busy={busy}
              onClick={() => remove.mutate(undefined, { onSuccess: close })}
            >
              {rich('Remove<hidden> {cost}</hidden>', name)}
            </Button>
          )}
        </div>
      )}
      {earlier.length > 0 && (
        <Disclosure summary={<span className="text-[14px]">{t('Earlier versions')}</span>}>
          <ul role="list" className="figures grid gap-1 text-[14px] text-muted">
            {earlier.map((version) => (
              <li key={version.version}>{costText(version, currency)}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </li>
  );
}

function partText({ standing, amount, split_amount: whole }: CostOnLine, owner: string, currency: string): string {
  if (standing === 'charged') return t('Your part: {amount}.', { amount: formatMoney(amount, currency) });
  if (standing === 'refused') return t('Your part would be {amount}.', { amount: formatMoney(whole, currency) });
  if (amount > 0)
    return t('Your part: {amount}, as you agreed. It would be {whole} now.', {
      amount: formatMoney(amount, currency),
      whole: formatMoney(whole, currency),
    });
  return t('Your part would be {amount}. Without your yes, {owner} covers it.', {
    amount: formatMoney(whole, currency),
    owner,
  });
}

/** Says how a member answered. */
function answerText({ username: name, answer }: Cost['answers'][number], owner: string, reader: string): string {
  if (name === reader)
    return answer === 'yes' ? t('You said yes.') : t('You objected, so {owner} covers your part.', { owner });
  return answer === 'yes'
    ? t('{name} said yes.', { name })
    : t('{name} objected, so {owner} covers their part.', { name, owner });
}
