import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import { useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { announce } from '../../ui/toasts.ts';
import { takeFocus } from '../../ui/focus.ts';
import { formatHours } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { dayShort } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useUser } from '../../platform/auth/use-user.ts';
import { useDeposits } from '../deposits/api.ts';
import { stillHeldText } from '../deposits/deposit-text.ts';
import { placeText } from '../periods/place-text.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';
import { useEndShare } from './changes-api.ts';
import { ConfirmShare } from './confirm-share.tsx';
import { HoursForm } from './hours-form.tsx';
import { managerQuestion, ManagerQuestion, type ManagersQuestion } from './manager-action.tsx';
import { PersonActions } from './person-actions.tsx';

const ownDirection = (text: ReactNode) => <span dir="auto">{text}</span>;

interface AccessEntryProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  /** In which the owner records a deposit of someone. */
  RecordDeposit?: ComponentType<{ asset: OwnedAsset; name: string; onDone: () => void }> | undefined;
}

/** One member, or someone who has an offer. */
export function AccessEntry({ asset, entry, RecordDeposit }: AccessEntryProps) {
  const [mode, setMode] = useState<'changing' | 'deposit' | 'ending' | ManagersQuestion | null>(null);
  // What it asked until it closes, not what can be asked next.
  const managing = typeof mode === 'object' ? mode : null;
  const changeButton = useRef<HTMLButtonElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const returnTo = useRef<typeof changeButton>(null);
  const name = entry.shared_with_username ?? t('User');
  const hours = entry.monthly_hours_allocated;
  const isOwner = asset.your_role === 'owner';
  // Only the owner decides about co-managers, and about people without an account, for whom they vouch.
  const isFree = isOwner || !(entry.manager || entry.person);
  const manages = managerQuestion(asset, entry, useUser()?.username);
  const actions = [
    ...(manages ? [{ key: 'manager', text: manages.action, onPress: () => setMode(manages) }] : []),
    ...(RecordDeposit && isOwner && !entry.pending
      ? [
          {
            key: 'deposit',
            text: rich('Record a deposit<hidden> of {name}</hidden>', { name, hidden }),
            onPress: () => setMode('deposit'),
          },
        ]
      : []),
    ...(isFree && !entry.pending
      ? [
          {
            key: 'remove',
            text: rich('Remove access<hidden> for {name}</hidden>', { name, hidden }),
            danger: true,
            onPress: () => setMode('ending'),
          },
        ]
      : []),
  ];

  // The focused field, or the question, is gone; return the focus to the button that opened it.
  useEffect(() => {
    if (mode !== null || !returnTo.current) return;
    takeFocus(returnTo.current.current);
    returnTo.current = null;
  }, [mode]);
  const close = (button: typeof changeButton) => {
    returnTo.current = button;
    setMode(null);
  };

  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <Avatar name={name} hue={entry.hue} live={entry.active_session ?? false} />
      <span className="min-w-0 flex-1 basis-32">
        <span className="flex flex-wrap items-center gap-x-2 font-medium">
          <bdi className="min-w-0 truncate">{name}</bdi>
          {entry.person && <Badge>{t('No account')}</Badge>}
          {entry.manager && <Badge>{t('Co-manager')}</Badge>}
        </span>
        {entry.pending ? (
          <span className="block text-[13px] text-muted">
            {asset.measured ? t('Hours pending') : t('Not accepted yet')}
          </span>
        ) : (
          asset.measured &&
          entry.usage_this_month !== null && (
            <span className="figures flex flex-wrap items-center gap-x-1.5 text-[13px] text-muted">
              <span>
                {rich('{hours} used<hidden> this month</hidden>', {
                  hours: formatHours(entry.usage_this_month),
                  hidden,
                })}
              </span>
              {entry.active_session && <span className="text-live-text">{t('using it now')}</span>}
            </span>
          )
        )}
        {entry.asked && (!entry.person || isOwner) && (
          <span className="block text-[13px] text-muted">
            {entry.person
              ? t('Pays the price from when you added them; you cover the difference.')
              : t(
                  'Asked to agree to the new terms. Until then, {owner, select, yes {you cover} other {the owner covers}} the difference.',
                  { owner: isOwner ? 'yes' : 'no' },
                )}
          </span>
        )}
        {entry.unconfirmed && (
          <span className="block text-[13px] text-muted">
            {t(
              "Added by a co-manager. Doesn't affect prices until {owner, select, yes {you confirm} other {the owner confirms}} it.",
              { owner: isOwner ? 'yes' : 'no' },
            )}
          </span>
        )}
      </span>
      {mode === 'changing' && hours !== null ? (
        <HoursForm assetId={asset.id} shareId={entry.id} name={name} hours={hours} onDone={() => close(changeButton)} />
      ) : (
        <span className="-me-3 flex flex-wrap items-center justify-between gap-x-1 max-sm:basis-full max-sm:ps-12 max-[359px]:ps-0">
          <span className="figures text-[14px] text-muted sm:me-2">
            {asset.measured ? <HoursText entry={entry} /> : plainText(asset, entry)}
          </span>
          <span className="ms-auto flex flex-wrap justify-end">
            {isOwner && entry.unconfirmed && <ConfirmShare assetId={asset.id} shareId={entry.id} name={name} />}
            {isFree && asset.measured && hours !== null && !entry.pending && (
              <Button ref={changeButton} look="quiet" size="small" onClick={() => setMode('changing')}>
                {rich("Change<hidden> {name}'s hours</hidden>", { name, hidden })}
              </Button>
            )}
            {isFree && entry.pending && (
              <Button look="plain" size="small" onClick={() => setMode('ending')}>
                {rich('Withdraw<hidden> the offer to {name}</hidden>', { name, hidden })}
              </Button>
            )}
            {actions.length > 0 && (
              <MoreMenu ref={menuButton} label={t('Options for {name}', { name })} actions={actions} />
            )}
          </span>
        </span>
      )}
      {isOwner && entry.person && !asset.archived && <PersonActions asset={asset} entry={entry} name={name} />}
      {mode === 'deposit' && RecordDeposit && (
        <div className="basis-full">
          <RecordDeposit asset={asset} name={name} onDone={() => close(menuButton)} />
        </div>
      )}
      {managing && (
        <ManagerQuestion asset={asset} entry={entry} question={managing} onClose={() => close(menuButton)} />
      )}
      {mode === 'ending' && (
        <EndQuestion
          asset={asset}
          entry={entry}
          name={name}
          onCancel={() => (entry.pending ? setMode(null) : close(menuButton))}
        />
      )}
    </li>
  );
}

const span = (text: ReactNode) => <span>{text}</span>;

function HoursText({
  entry: { monthly_hours_allocated: hours, expires_at: expiry, pending },
}: {
  entry: SharedWithEntry;
}) {
  if (hours === null) return pending ? null : t('Hours pending');
  if (expiry === null) return t('{hours, plural, one {# hour} other {# hours}}/month', { hours });
  return rich('<span>{hours, plural, one {# hour} other {# hours}}/month</span>, offer expires {day}', {
    hours,
    day: dayShort(expiry),
    span,
  });
}

/** What a member of an asset that isn't measured pays, or until when they can accept. */
const plainText = (
  { price_per_month: price, currency, places }: OwnedAsset,
  { pending, expires_at: expiry }: SharedWithEntry,
): string =>
  expiry !== null
    ? t('Offer expires on {day}', { day: dayShort(expiry) })
    : pending
      ? ''
      : placeText({ price, currency, places });

interface EndingProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  name: string;
  onCancel: () => void;
}

/** Asks before someone's access ends, or before the offer to them does. */
function EndQuestion({ asset, entry, name, onCancel }: EndingProps) {
  const end = useEndShare(asset.id);
  const { data: deposits } = useDeposits({ enabled: !entry.pending });
  const held = stillHeldText(deposits, { assetId: asset.id, username: name, direction: 'you_hold' });
  const values = { name, asset: asset.name, b: ownDirection };
  const { done, failure, texts, ...question } = entry.pending
    ? {
        title: t('Withdraw the offer to {name}?', { name }),
        confirm: t('Withdraw'),
        busyText: t('Withdrawing...'),
        failure: t("Couldn't withdraw the offer. Please try again."),
        done: t('The offer to {name} is withdrawn.', { name }),
        texts: [rich("{name} won't be able to accept <b>{asset}</b> anymore.", values)],
      }
    : {
        title: t("Remove {name}'s access?", { name }),
        confirm: t('Remove access'),
        busyText: t('Removing...'),
        failure: t("Couldn't remove access. Please try again."),
        done: t('{name} no longer has access.', { name }),
        texts: [
          entry.active_session
            ? rich("{name} won't be able to use <b>{asset}</b> anymore. Their active session will end.", values)
            : rich("{name} won't be able to use <b>{asset}</b> anymore.", values),
          asset.measured
            ? t('Hours {name} has used this month still count.', { name })
            : t('The days {name} had access this month still count.', { name }),
          ...(held === null ? [] : [held]),
        ],
      };
  return (
    <ConfirmDialog
      {...question}
      busy={end.isPending}
      failure={end.isError ? failure : null}
      onConfirm={() => end.mutate(entry.id, { onSuccess: () => announce(done) })}
      onCancel={onCancel}
    >
      {texts.map((text, index) => (
        <p key={index}>{text}</p>
      ))}
    </ConfirmDialog>
  );
}
