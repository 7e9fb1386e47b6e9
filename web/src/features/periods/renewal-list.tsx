import { OBJECTION_TEXT_MAX_LENGTH } from '@hourshare/contract/limits';
import type { Renewal } from '@hourshare/contract/periods';
import { useRef, useState, type ReactNode } from 'react';
import { pastDateText } from '../../platform/format/months.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { announce } from '../../ui/toasts.ts';
import { cyclePriceText } from './cycle-text.ts';
import { RenewalHead } from './renewal-head.tsx';
import { useDecideRenewal, useVote } from './renewals-api.ts';

type Choice = NonNullable<Renewal['your_vote']>;

const choiceText = (choice: Choice): string =>
  ({ keep: t('Keep it'), smaller: t('Something smaller'), cancel: t('Cancel it') })[choice];

interface RenewalListProps {
  renewals: Renewal[];
  /** What a vote can be based on. */
  evidence: (renewal: Renewal) => ReactNode;
}

/** Whether there is something to say about it, or someone has. */
const isTold = ({ near, votes, decision }: Renewal) => near || votes.length > 0 || decision !== null;

// The same after a decision, although it is of another kind then: once canceled, it ends on that day.
const keyOf = ({ asset_id: id, on }: Renewal) => `${id} ${on}`;

/** Renewals in the order of their days: first those that are near or were voted on, then the others in rows. */
export function RenewalList({ renewals, evidence }: RenewalListProps) {
  const told = renewals.filter(isTold);
  const later = renewals.filter((renewal) => !isTold(renewal));
  return (
    <>
      {told.length > 0 && (
        <ul role="list" className="grid gap-3.5">
          {told.map((renewal) => (
            <RenewalItem key={keyOf(renewal)} renewal={renewal} evidence={evidence} />
          ))}
        </ul>
      )}
      {later.length > 0 && (
        <Card className={told.length > 0 ? 'mt-3.5' : ''}>
          <ul role="list" aria-label={t('Later')} className="grid gap-3.5">
            {later.map((renewal) => (
              <li key={keyOf(renewal)} className="flex items-center gap-3">
                <RenewalHead renewal={renewal} />
                <Price renewal={renewal} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const Price = ({ renewal }: { renewal: Renewal }) =>
  renewal.kind !== 'end' && <p className="figures text-end font-semibold">{cyclePriceText(renewal)}</p>;

function RenewalItem({ renewal, evidence }: { renewal: Renewal } & Pick<RenewalListProps, 'evidence'>) {
  const { asset_id: id, kind, on, cancel_by: cancelBy, votes, decision } = renewal;
  const headingId = `renewal-${id}-${on}`;
  const outcome = useRef<HTMLParagraphElement>(null);
  const isAsked = renewal.open && decision === null;
  const isVoter = isAsked && renewal.share_id !== null;
  const username = useUser()?.username;
  // What one says is in the form.
  const said = isVoter ? votes.filter((each) => each.username !== username) : votes;
  return (
    <Card as="li" labelledBy={headingId}>
      <div className="flex items-center gap-3">
        <RenewalHead renewal={renewal} headingId={headingId}>
          {cancelBy !== null && kind === 'renewal' && (
            <p className="text-small text-muted">{t('Cancel by {day}', { day: pastDateText(cancelBy) })}</p>
          )}
        </RenewalHead>
        <Price renewal={renewal} />
      </div>
      {decision !== null && (
        <p ref={outcome} tabIndex={-1} className="mt-3 outline-none">
          {decision === 'renewed'
            ? t('{owner} renews it.', { owner: renewal.owner })
            : t('{owner} cancels it.', { owner: renewal.owner })}
        </p>
      )}
      {said.length > 0 && (
        <ul role="list" aria-label={t('What members want')} className="mt-3 grid gap-1 text-[14.5px]">
          {said.map(({ username: name, hue, choice, line }) => (
            <li key={name} className="flex items-center gap-2">
              <Avatar name={name} hue={hue} size="small" />
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {rich('<b>{name}</b>: {choice}', { name, choice: choiceText(choice), b: bold })}
                {line !== '' && <q className="ms-1.5 text-muted">{line}</q>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isVoter && <Vote renewal={renewal} />}
      {isAsked && evidence(renewal)}
      {renewal.your_role === 'owner' && (decision !== null || (kind === 'renewal' && renewal.near)) && (
        <Decision renewal={renewal} onDecided={() => keepFocusInPage(() => outcome.current)} />
      )}
    </Card>
  );
}

const bold = (text: ReactNode) => <b dir="auto">{text}</b>;

function Vote({ renewal }: { renewal: Renewal }) {
  const vote = useVote(renewal);
  const [choice, setChoice] = useState<Choice | null>(renewal.your_vote);
  const [isMissing, setMissing] = useState(false);
  const username = useUser()?.username;
  const { owner, cancel_by: cancelBy } = renewal;
  const option = (value: Choice, hint: string) => ({
    value,
    text: choiceText(value),
    hint,
    beside: renewal.votes
      .filter((each) => each.choice === value)
      .map(({ username: name, hue }) => <Avatar key={name} name={name} hue={hue} size="small" className="-ms-2" />),
  });
  const [line, setLine] = useState(renewal.votes.find((each) => each.username === username)?.line ?? '');
  return (
    <form
      noValidate
      className="mt-4 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (choice === null) return setMissing(true);
        if (vote.isPending) return;
        vote.mutate({ choice, line }, { onSuccess: () => announce(t('Your answer is saved.')) });
      }}
    >
      {vote.isError && <Banner>{failureText(vote.error)}</Banner>}
      <RadioCards
        legend={t('What should {owner} do?', { owner })}
        isRow
        value={choice}
        options={[
          option('keep', cyclePriceText(renewal)),
          option('smaller', t('A cheaper plan, or fewer people.')),
          option('cancel', t('Ends on {day}', { day: pastDateText(renewal.on) })),
        ]}
        error={isMissing ? t('Choose one') : undefined}
        onChange={(value) => {
          setChoice(value);
          setMissing(false);
        }}
      />
      <TextField
        label={t('Comment (optional)')}
        maxLength={OBJECTION_TEXT_MAX_LENGTH}
        autoComplete="off"
        value={line}
        onChange={(event) => setLine(event.target.value)}
      />
      <p className="text-small text-muted">
        {cancelBy === null
          ? t('{owner} decides. Everyone sees what you say.', { owner })
          : t('{owner} decides by {day}. Everyone sees what you say.', { owner, day: pastDateText(cancelBy) })}
      </p>
      <Button
        type="submit"
        look="outline"
        busy={vote.isPending}
        busyText={t('Saving...')}
        className="justify-self-start"
      >
        {t('Save')}
      </Button>
    </form>
  );
}

const failureText = (error: unknown): string => errorText(error) || t("Couldn't save your answer. Please try again.");

/** Where the owner says what happens, or changes that. Canceled, it is archived on the day of the renewal. */
function Decision({ renewal, onDecided }: { renewal: Renewal; onDecided: () => void }) {
  const decide = useDecideRenewal(renewal);
  const button = (decision: NonNullable<Renewal['decision']>, text: string) =>
    renewal.decision !== decision && (
      <Button look="outline" busy={decide.isPending} onClick={() => decide.mutate(decision, { onSuccess: onDecided })}>
        {text}
      </Button>
    );
  return (
    <div className="mt-4">
      {decide.isError && <Banner className="mb-3">{failureText(decide.error)}</Banner>}
      <div className="flex flex-wrap gap-2.5">
        {button('renewed', t('Renewed'))}
        {button('canceled', t('Canceled'))}
      </div>
      {renewal.decision !== 'canceled' && (
        <p className="mt-1.5 text-small text-muted">
          {t("If it's canceled, it is archived on {day}.", { day: pastDateText(renewal.on) })}
        </p>
      )}
    </div>
  );
}
