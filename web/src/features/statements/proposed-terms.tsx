import type { OwnedAsset } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { useId } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthAfter, monthText } from '../../platform/format/months.ts';
import { nextTermsText, termsText } from '../periods/terms-text.ts';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAnswerTerms } from '../shares/changes-api.ts';

/** For the owner: terms that start next month, and who agrees that they apply to this one as well. */
export function ComingTerms({ asset }: { asset: OwnedAsset }) {
  const id = useId();
  const { next_terms: next, proposed_terms: proposed } = asset;
  if (!next && !proposed) return null;
  return (
    <section aria-labelledby={id} className="mt-2.5 rounded-control bg-accent-soft px-3.5 py-3 text-[14px]">
      {next && (
        <p id={id}>
          {t('Starting {month}: {terms}. Until then: {current}.', {
            month: monthText(next.from_month),
            terms: termsText(next),
            current: termsText(asset),
          })}
        </p>
      )}
      {proposed && (
        <>
          <p id={next ? undefined : id} className="mt-2 font-semibold">
            {t('Proposed for {month}. Applies once everyone agrees.', { month: monthText(proposed.month) })}
          </p>
          <ul role="list" className="mt-1">
            {proposed.members.map(({ username, agreed }) => (
              <li key={username} className="flex justify-between gap-3">
                <span className="min-w-0 truncate">{username}</span>
                <span className="shrink-0 text-muted">{answerText(agreed)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const answerText = (agreed: boolean | null): string =>
  agreed === null ? t('Not answered yet') : agreed ? t('Agreed') : t('Did not agree');

/** For a member: the terms that the owner wants for this month, or else those that start next month. */
export function MemberTerms({ share, username }: { share: SharedAsset; username: string | undefined }) {
  const { proposed_terms: proposed, next_terms: next } = share;
  if (proposed && username !== undefined)
    return <ProposedTerms share={share} proposed={proposed} username={username} />;
  return next && <p className="rounded-control bg-accent-soft p-3.5 text-[14px]">{nextTermsText(next)}</p>;
}

interface ProposedTermsProps {
  share: SharedAsset;
  proposed: NonNullable<SharedAsset['proposed_terms']>;
  username: string;
}

/** For a member: the terms that the owner wants to apply to the current month, and the buttons to answer. */
function ProposedTerms({ share, proposed, username }: ProposedTermsProps) {
  const answer = useAnswerTerms(share);
  const own = proposed.members.find((member) => member.username.toLowerCase() === username.toLowerCase());
  const agreed = own?.agreed ?? null;
  const month = monthText(proposed.month);
  return (
    <div
      role="group"
      aria-label={t('Terms proposed by {owner}', { owner: share.owner })}
      className="rounded-control bg-accent-soft p-3.5 text-[14px]"
    >
      <p className="text-[15px] font-semibold">
        {t('{owner} wants to change how {month} is split', { owner: share.owner, month })}
      </p>
      <p className="mt-1">{termsText(proposed)}</p>
      <p className="mt-1 text-muted">
        {t('Applies to {month} only if everyone agrees. Otherwise, it starts in {next}.', {
          month,
          next: monthText(monthAfter(proposed.month, 1)),
        })}
      </p>
      {answer.isError && (
        <p role="alert" className="mt-2 font-medium text-over-text">
          {errorText(answer.error) || t("Couldn't save your answer. Please try again.")}
        </p>
      )}
      <div className="mt-2.5 flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <p className="flex-1 basis-32 text-muted">
          {agreed === null ? '' : agreed ? t('You agreed.') : t("You didn't agree.")}
        </p>
        {agreed !== false && (
          <Button
            look="outline"
            size="small"
            busy={answer.isPending && !answer.variables.agreed}
            onClick={() => answer.mutate({ proposal: proposed.id, agreed: false })}
          >
            {rich("Don't agree<hidden> to the terms for {asset}</hidden>", { asset: share.asset_name, hidden })}
          </Button>
        )}
        {agreed !== true && (
          <Button
            size="small"
            busy={answer.isPending && answer.variables.agreed}
            onClick={() => answer.mutate({ proposal: proposed.id, agreed: true })}
          >
            {rich('Agree<hidden> to the terms for {asset}</hidden>', { asset: share.asset_name, hidden })}
          </Button>
        )}
      </div>
    </div>
  );
}
