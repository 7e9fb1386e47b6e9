import type { Cost } from '@hourshare/contract/costs';
import type { CostOnLine } from '@hourshare/contract/statements';
import { useEffect, useRef, useState } from 'react';
import { monthText, pastDateText } from '../../platform/format/months.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { keepFocusInPage, takeFocus } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { useChangeCost, useRemoveCost, type CostPlace } from './api.ts';
import { CostAnswer } from './cost-answer.tsx';
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
  measured: boolean;
}

const statusNames: Record<Exclude<Cost['status'], 'counted'>, () => string> = {
  proposed: () => t("Doesn't count yet"),
  declined: () => t('Declined'),
  removed: () => t('Removed'),
};

/** A cost with what became of it, and what the user can do about it. */
export function CostRow({ place, cost, part, owner, username, people, measured }: CostRowProps) {
  const [isChanging, setChanging] = useState(false);
  const box = useRef<HTMLLIElement>(null);
  useEffect(() => keepFocusInPage, []);
  const change = useChangeCost(place, cost.id);
  const remove = useRemoveCost(place, cost.id);
  const { text, currency, status, reply, earlier, answers, can, month, date } = cost;
  const own = answers.find(({ username: name }) => name === username);
  const isOwned = 'assetId' in place;
  const decides = isOwned && can.decide;
  const asked = !isOwned && can.answer && part?.standing === 'asked' ? part : undefined;
  // Any other change is saved by the form, which says so itself if it fails.
  const failure = remove.error ?? (isChanging ? null : change.error);
  const busy = remove.isPending || change.isPending;
  const close = () => {
    setChanging(false);
    takeFocus(box.current);
  };
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
          {cost.repeats.next === null
            ? t('No longer repeats: who paid it has left.')
            : cost.repeats.until === null
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
      {isChanging && (
        <CostForm
          label={t('Change this cost')}
          cost={cost}
          currency={currency}
          username={username}
          people={people}
          measured={measured}
          save={(_, edited) => change.mutateAsync(edited)}
          onDone={close}
        />
      )}
      {failure && (
        <p role="alert" className="mt-1 text-[14px] font-medium text-over-text">
          {errorText(failure) || t("Couldn't save this cost. Please try again.")}
        </p>
      )}
      {!isChanging && (
        <CostAnswer
          place={place}
          cost={cost}
          can={{
            count: decides,
            decline: decides && status === 'proposed',
            yes: asked?.split_amount,
            no: asked?.amount === 0,
            object: !isOwned && can.answer && part?.standing === 'charged' && own === undefined,
            undo: !isOwned && can.answer && own !== undefined,
          }}
        >
          {can.change && (
            <Button look="quiet" size="small" onClick={() => setChanging(true)}>
              {rich('Change<hidden> {cost}</hidden>', name)}
            </Button>
          )}
          {cost.closed && cost.repeats && cost.author === username && (
            <Button
              look="quiet"
              size="small"
              busy={busy}
              onClick={() => change.mutate({ repeats: null }, { onSuccess: close })}
            >
              {rich('Stop repeating<hidden> {cost}</hidden>', name)}
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
        </CostAnswer>
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
