import { OBJECTION_TEXT_MAX_LENGTH } from '@hourshare/contract/limits';
import type { Renewal } from '@hourshare/contract/periods';
import { Clock } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { pastDateText } from '../../platform/format/months.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextField } from '../../ui/field.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { Tile, tintOf } from '../../ui/tile.tsx';
import { announce } from '../../ui/toasts.ts';
import { cyclePriceText } from './cycle-text.ts';
import { eventText, RenewalHead } from './renewal-head.tsx';
import { useDecideRenewal, useVote } from './renewals-api.ts';

type Choice = NonNullable<Renewal['your_vote']>;

const choiceText = (choice: Choice): string =>
  ({ keep: t('Keep it'), smaller: t('Something smaller'), cancel: t('Cancel it') })[choice];

/** Returns what most of those who voted say, or each of what equally many say: "2 of 3 say smaller." None before two voted. */
function tally(votes: Renewal['votes']): string[] {
  const choices: Choice[] = ['keep', 'smaller', 'cancel'];
  const countOf = (choice: Choice) => votes.filter((vote) => vote.choice === choice).length;
  const most = Math.max(...choices.map(countOf));
  const said = choices.filter((choice) => votes.length > 1 && countOf(choice) === most);
  return said.map((choice) =>
    t(
      '{choice, select, keep {{count, plural, one {# of {all, number} says keep.} other {# of {all, number} say keep.}}} smaller {{count, plural, one {# of {all, number} says smaller.} other {# of {all, number} say smaller.}}} other {{count, plural, one {# of {all, number} says cancel.} other {# of {all, number} say cancel.}}}}',
      { choice, count: most, all: votes.length },
    ),
  );
}

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
        <>
          {told.length > 0 && <h2 className="mt-8 mb-3 title-2">{t('Later')}</h2>}
          <Card>
            <ul role="list" aria-label={t('Later')} className="-my-3 divide-y divide-line">
              {later.map((renewal) => (
                <li key={keyOf(renewal)} className="flex items-center gap-3 py-3">
                  <RenewalHead renewal={renewal} />
                  <Price renewal={renewal} />
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </>
  );
}

const Price = ({ renewal }: { renewal: Renewal }) =>
  renewal.kind !== 'end' && <p className="figures text-end font-semibold">{cyclePriceText(renewal)}</p>;

function RenewalItem({ renewal, evidence }: { renewal: Renewal } & Pick<RenewalListProps, 'evidence'>) {
  const { asset_id: id, kind, on, votes, decision } = renewal;
  const headingId = `renewal-${id}-${on}`;
  const outcome = useRef<HTMLParagraphElement>(null);
  const isAsked = renewal.open && decision === null;
  const isVoter = isAsked && renewal.share_id !== null;
  const username = useUser()?.username;
  // What one says is in the form.
  const said = isVoter ? votes.filter((each) => each.username !== username) : votes;
  return (
    <Card as="li" labelledBy={headingId}>
      <Head renewal={renewal} headingId={headingId} isAsked={isAsked} isVoter={isVoter} />
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
      {!isVoter && votes.length > 1 && <p className="mt-2 text-small text-muted">{joinSentences(...tally(votes))}</p>}
      {isVoter && <Vote renewal={renewal} />}
      {isAsked && (
        <div className={isVoter || said.length > 0 ? 'mt-5 border-t border-line pt-5 empty:hidden' : ''}>
          {evidence(renewal)}
        </div>
      )}
      {renewal.your_role === 'owner' && (decision !== null || (kind !== 'end' && renewal.near)) && (
        <Decision renewal={renewal} onDecided={() => keepFocusInPage(() => outcome.current)} />
      )}
    </Card>
  );
}

interface HeadProps {
  renewal: Renewal;
  headingId: string;
  /** Whether members are asked what they want. */
  isAsked: boolean;
  /** Whether the reader is one of them, who reads below by when it is decided. */
  isVoter: boolean;
}

/** The top of its card, in the colors of the asset. */
function Head({ renewal, headingId, isAsked, isVoter }: HeadProps) {
  const { asset_name: name, kind, on, cancel_by: cancelBy } = renewal;
  const left = daysUntil(cancelBy ?? on);
  return (
    <div
      className={`-m-4 mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-t-card p-4 md:-m-5 md:mb-5 md:p-5 ${tintOf(name)}`}
    >
      <Tile name={name} size="large" className="bg-surface!" />
      <div className="min-w-0 flex-1 basis-48">
        <h2
          id={headingId}
          className="font-display text-[22px] leading-tight font-bold [overflow-wrap:anywhere] md:text-[26px]"
          dir="auto"
        >
          {name}
        </h2>
        {kind !== 'end' && <p className="figures font-semibold">{cyclePriceText(renewal)}</p>}
        <p>{eventText(renewal)}</p>
        {cancelBy !== null && kind === 'renewal' && !isVoter && (
          <p className="text-small">{t('Cancel by {day}', { day: pastDateText(cancelBy) })}</p>
        )}
      </div>
      {isAsked && left >= 0 && (
        <p className="flex items-center gap-1.5 rounded-full bg-surface px-3 py-1.5 text-small font-semibold">
          <Clock aria-hidden size={14} />
          {isVoter
            ? t('{count, plural, =0 {Last day to vote} one {# day to vote} other {# days to vote}}', { count: left })
            : t('{count, plural, =0 {Last day to decide} one {# day to decide} other {# days to decide}}', {
                count: left,
              })}
        </p>
      )}
    </div>
  );
}

const DAY = 86_400_000;

/** Returns how many days after today a date is, for the viewer. */
function daysUntil(date: string, now = new Date(serverNow())): number {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return Math.round((Date.parse(`${date}T00:00:00Z`) - today) / DAY);
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
        {joinSentences(
          ...tally(renewal.votes),
          cancelBy === null
            ? t('{owner} decides. Everyone sees what you say.', { owner })
            : t('{owner} decides by {day}. Everyone sees what you say.', { owner, day: pastDateText(cancelBy) }),
        )}
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
