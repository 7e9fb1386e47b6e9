import type { OwnedAsset } from '@hourshare/contract/assets';
import type { InvitedAsset } from '@hourshare/contract/shares';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider, useWatch } from 'react-hook-form';
import { AssetFields } from '../../../features/assets/asset-fields.tsx';
import { useNewAsset } from '../../../features/assets/new-asset.ts';
import { readTerms, type StartTerms } from '../../../features/assets/presets.ts';
import { TermsFields } from '../../../features/assets/terms-fields.tsx';
import { useInvitePerson } from '../../../features/shares/changes-api.ts';
import { assumedUse, firstParts } from '../../../features/shares/own-part.ts';
import { shareFailureText } from '../../../features/shares/rules.ts';
import { useUser } from '../../../platform/auth/use-user.ts';
import { readMoney, readNumber } from '../../../platform/forms/request-form.ts';
import { useUnsaved } from '../../../platform/forms/unsaved.ts';
import { formatHours, formatMoney } from '../../../platform/format/numbers.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { keepFocusInPage } from '../../../ui/focus.ts';
import { announce } from '../../../ui/toasts.ts';
import { DiscardQuestion } from '../../discard-question.tsx';
import { FirstPeople, type TypedPerson, useFirstPeople } from './first-people.tsx';

/** What came of a first asset beyond what its card shows. */
export interface FirstOutcome {
  asset: OwnedAsset;
  /** For those who have no account with the name that was typed. */
  links: { name: string; invitation: InvitedAsset['invitation'] }[];
  /** Who couldn't be invited, and why. */
  failures: { name: string; text: string }[];
}

interface FirstAssetProps {
  /** While a dialog is open, which may have the same fields. What was typed stays. */
  hidden: boolean;
  onEdited: (edited: boolean) => void;
  /** Whether use of it won't be measured. */
  onPlain: (plain: boolean) => void;
  onDone: (outcome: FirstOutcome) => void;
}

/** Adds someone's first asset and invites to it, with what each would pay, by one button. */
export function FirstAsset({ hidden, onEdited, onPlain, onDone }: FirstAssetProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const { form, add, failureText } = useNewAsset();
  const chosen = useFirstPeople();
  const invite = useInvitePerson();
  const { isSubmitting } = form.formState;
  const isEdited = form.formState.isDirty || chosen.invited.length > 0;
  useUnsaved(isEdited, { isSaving: isSubmitting, isCovered: hidden });
  useEffect(() => {
    onEdited(isEdited);
    return () => onEdited(false);
  }, [isEdited, onEdited]);
  // The form leaves the page once it is sent.
  useEffect(() => keepFocusInPage, []);

  const inviteAll = async (created: OwnedAsset): Promise<FirstOutcome> => {
    const outcome: FirstOutcome = { asset: created, links: [], failures: [] };
    // In turn, because each counts the hours of those before.
    for (const { username, hours } of chosen.invited)
      try {
        const { invitation, ...asset } = await invite.mutateAsync({
          asset: outcome.asset,
          username,
          hours: readNumber(hours),
        });
        outcome.asset = asset;
        if (invitation) outcome.links.push({ name: username, invitation });
      } catch (error) {
        outcome.failures.push({ name: username, text: shareFailureText(error, username) });
      }
    return outcome;
  };
  const submit = form.handleSubmit(async (asset, event) => {
    setFailure(null);
    // Rendered at once, so that what is wrong can take the focus.
    if (!flushSync(() => chosen.check(asset.measured ?? true))) {
      if (event?.target instanceof HTMLFormElement) event.target.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    try {
      const created = await add(asset);
      const outcome = await inviteAll(created);
      announce(t('{asset} added.', { asset: created.name }));
      onDone(outcome);
    } catch (error) {
      setFailure(failureText(error));
    }
  });
  const typed = useWatch({ control: form.control });
  const terms = readTerms({ ...form.getValues(), ...typed });
  useEffect(() => onPlain(!terms.measured), [onPlain, terms.measured]);
  const price = readMoney(typed.subscription_cost ?? '', typed.currency ?? '');
  if (hidden) return null;
  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) void submit(event);
        }}
        className="grid gap-4"
      >
        {failure !== null && <Banner>{failure}</Banner>}
        <TermsFields />
        <AssetFields brief />
        <FirstPeople chosen={chosen} measured={terms.measured} />
        {chosen.invited.length > 0 && price !== undefined && price > 0 && (
          <Parts price={price} currency={typed.currency ?? ''} terms={terms} people={chosen.invited} />
        )}
        <Button
          type="submit"
          size="large"
          busy={isSubmitting}
          busyText={t('Creating...')}
          className="sm:justify-self-start"
        >
          {chosen.invited.length > 0 ? t('Create and invite') : t('Create Asset')}
        </Button>
      </form>
      <DiscardQuestion />
    </FormProvider>
  );
}

interface PartsProps {
  price: number;
  currency: string;
  terms: StartTerms;
  people: TypedPerson[];
}

/** What each would pay a month. */
function Parts({ price, currency, terms, people }: PartsProps) {
  const user = useUser();
  const hours = people.map(({ hours: typed }) => (terms.measured ? readNumber(typed) : 1));
  if (hours.some((each) => !(each > 0))) return null;
  const { own, members } = firstParts({ price_per_month: price, currency, ...terms }, hours);
  const amount = (part: number) => <b className="figures font-display text-[18px]">{formatMoney(part, currency)}</b>;
  const row = 'flex items-center gap-3 py-1.5';
  return (
    <section aria-labelledby="first-parts" className="rounded-card border border-line bg-canvas p-4">
      <h3 id="first-parts" className="mb-1 text-small font-semibold text-muted">
        {t(
          '{use, select, all {What each pays if everyone uses all their hours} equal {What each pays if everyone uses it equally} other {What each pays}}',
          { use: assumedUse(terms) },
        )}
      </h3>
      <ul role="list">
        {people.map(({ username }, index) => (
          <li key={username} className={row}>
            <Avatar name={username} hue={null} size="small" />
            <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              <bdi>{username}</bdi>
              {terms.measured && <span className="figures text-muted"> {formatHours(hours[index] ?? 0)}</span>}
            </span>
            {amount(members[index] ?? 0)}
          </li>
        ))}
        <li className={`${row} border-t border-line`}>
          <Avatar name={user?.username ?? ''} hue={user?.id ?? null} size="small" />
          <span className="flex-1">{t('You')}</span>
          {amount(own)}
        </li>
      </ul>
    </section>
  );
}
