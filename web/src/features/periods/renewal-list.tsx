import type { Renewal } from '@hourshare/contract/periods';
import { useState, type ReactNode } from 'react';
import { pastDateText } from '../../platform/format/months.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { Tile } from '../../ui/tile.tsx';
import { announce } from '../../ui/toasts.ts';
import { cyclePriceText } from './cycle-text.ts';
import { useDecideRenewal, useVote } from './renewals-api.ts';

type Choice = NonNullable<Renewal['your_vote']>;

const choiceText = (choice: Choice): string =>
  ({ keep: t('Keep it'), smaller: t('Something smaller'), cancel: t('Cancel it') })[choice];

/** Says what happens on the day, and by when it can be canceled. */
export const eventText = ({ kind, on, auto_renews: renews }: Renewal): string => {
  const day = pastDateText(on);
  if (kind === 'end') return t('Ends on {day}', { day });
  if (kind === 'trial') return t('Costs something from {day} on', { day });
  return renews ? t('Renews on {day}', { day }) : t('Ends on {day} unless renewed', { day });
};

interface RenewalListProps {
  renewals: Renewal[];
  /** What a vote can be based on. */
  evidence: (renewal: Renewal) => ReactNode;
}

/** Renewals in the order of their days, with the votes that are open. */
export const RenewalList = ({ renewals, evidence }: RenewalListProps) => (
  <ul role="list" className="grid gap-3.5">
    {renewals.map((renewal) => (
      <RenewalItem key={`${renewal.asset_id} ${renewal.kind} ${renewal.on}`} renewal={renewal} evidence={evidence} />
    ))}
  </ul>
);

function RenewalItem({ renewal, evidence }: { renewal: Renewal } & Pick<RenewalListProps, 'evidence'>) {
  const { asset_id: id, asset_name: name, kind, on, cancel_by: cancelBy, votes, decision } = renewal;
  const headingId = `renewal-${id}-${kind}-${on}`;
  const isAsked = renewal.open && decision === null;
  return (
    <Card as="li" labelledBy={headingId}>
      <div className="flex items-center gap-3">
        <Tile name={name} />
        <div className="min-w-0 flex-1">
          <h2 id={headingId} className="font-semibold [overflow-wrap:anywhere]" dir="auto">
            {name}
          </h2>
          <p>{eventText(renewal)}</p>
          {cancelBy !== null && kind === 'renewal' && (
            <p className="text-small text-muted">{t('Cancel by {day}', { day: pastDateText(cancelBy) })}</p>
          )}
        </div>
        {kind !== 'end' && <p className="figures text-end font-semibold">{cyclePriceText(renewal)}</p>}
      </div>
      {decision !== null && (
        <p className="mt-3">
          {decision === 'renewed'
            ? t('{owner} renews it.', { owner: renewal.owner })
            : t('{owner} cancels it.', { owner: renewal.owner })}
        </p>
      )}
      {votes.length > 0 && (
        <ul role="list" aria-label={t('What members want')} className="mt-3 grid gap-1 text-[14.5px]">
          {votes.map(({ username, choice, line }) => (
            <li key={username} className="[overflow-wrap:anywhere]">
              {rich('<b>{name}</b>: {choice}', { name: username, choice: choiceText(choice), b: bold })}
              {line !== '' && <q className="ms-1.5 text-muted">{line}</q>}
            </li>
          ))}
        </ul>
      )}
      {isAsked && evidence(renewal)}
      {isAsked && renewal.share_id !== null && <Vote renewal={renewal} />}
      {renewal.your_role === 'owner' && kind === 'renewal' && renewal.near && decision === null && (
        <Decision renewal={renewal} />
      )}
    </Card>
  );
}

const bold = (text: ReactNode) => <b dir="auto">{text}</b>;

function Vote({ renewal }: { renewal: Renewal }) {
  const vote = useVote(renewal);
  const [choice, setChoice] = useState<Choice | null>(renewal.your_vote);
  const username = useUser()?.username;
  const [line, setLine] = useState(renewal.votes.find((each) => each.username === username)?.line ?? '');
  return (
    <form
      noValidate
      className="mt-4 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (choice === null || vote.isPending) return;
        vote.mutate({ choice, line }, { onSuccess: () => announce(t('Your answer is saved.')) });
      }}
    >
      {vote.isError && <Banner>{errorText(vote.error)}</Banner>}
      <RadioCards
        legend={t('What do you want?')}
        value={choice}
        options={[
          { value: 'keep', text: choiceText('keep'), hint: t('For another term.') },
          { value: 'smaller', text: choiceText('smaller'), hint: t('A cheaper plan, or fewer people.') },
          { value: 'cancel', text: choiceText('cancel'), hint: t("You don't need it anymore.") },
        ]}
        onChange={setChoice}
      />
      <TextField
        label={t('In a line')}
        maxLength={280}
        autoComplete="off"
        value={line}
        onChange={(event) => setLine(event.target.value)}
      />
      <p className="text-small text-muted">
        {t('{owner} decides. Everyone sees what you say.', { owner: renewal.owner })}
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

/** Where the owner says what happens. Canceled, it is archived on the day of the renewal. */
function Decision({ renewal }: { renewal: Renewal }) {
  const decide = useDecideRenewal(renewal);
  return (
    <div className="mt-4">
      {decide.isError && <Banner className="mb-3">{errorText(decide.error)}</Banner>}
      <div className="flex flex-wrap gap-2.5">
        <Button look="outline" busy={decide.isPending} onClick={() => decide.mutate('renewed')}>
          {t('Renewed')}
        </Button>
        <Button look="outline" busy={decide.isPending} onClick={() => decide.mutate('canceled')}>
          {t('Canceled')}
        </Button>
      </div>
      <p className="mt-1.5 text-small text-muted">
        {t('Canceled, it is archived on {day}.', { day: pastDateText(renewal.on) })}
      </p>
    </div>
  );
}
