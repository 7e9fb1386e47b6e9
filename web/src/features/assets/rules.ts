import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import type { SharedAsset } from '@hourshare/contract/shares';
import { t } from '../../platform/i18n/messages.ts';
import { compareNames } from '../../platform/i18n/language.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { monthText } from '../../platform/format/months.ts';
import { zoneText } from '../../platform/format/time.ts';

/** Explains an asset's time zone and when a change takes effect. */
export const timeZoneHint = ({ time_zone: zone, next_time_zone: next }: OwnedAsset): string =>
  next
    ? t('Takes effect in {month}. Until then, {zone} applies.', {
        month: monthText(next.from_month),
        zone: zoneText(zone),
      })
    : t('Sets when days and months begin. Changes apply next month.');

/** Returns the assets that are not archived. */
export const activeAssets = (assets: OwnedAsset[]): OwnedAsset[] => assets.filter(({ archived }) => !archived);

/** Returns the members of an asset; entries of offers that no one has accepted yet are pending. */
export const acceptedEntries = ({ shared_with: entries }: Pick<OwnedAsset, 'shared_with'>): SharedWithEntry[] =>
  entries.filter(({ pending }) => !pending);

/** Whether anyone has used an asset or, if that isn't measured, can. */
export const hasUse = (asset: OwnedAsset): boolean =>
  asset.used || (!asset.measured && acceptedEntries(asset).length > 0);

/** Returns whether an asset isn't simply paid each calendar month, or ends. */
export const hasPlan = ({ cycle, trial_until: trial, ends_on: end }: OwnedAsset): boolean =>
  cycle !== null || trial !== null || end !== null;

/** Returns whether there may be something among the renewals. */
export const hasPlans = (assets: OwnedAsset[], shares: SharedAsset[]): boolean =>
  assets.some(hasPlan) || shares.some(({ terms, ends_on: end }) => terms?.plan !== undefined || end !== null);

/** Returns the names that an asset is offered to. */
export const offeredNames = ({ shared_with: entries }: Pick<OwnedAsset, 'shared_with'>): string[] =>
  entries.flatMap(({ pending, shared_with_username: name }) => (pending && name !== null ? [name] : []));

/** Returns assets with those first that someone is using. */
export const runningFirst = (assets: OwnedAsset[]): OwnedAsset[] =>
  assets.toSorted((a, b) => Number(isInUse(b)) - Number(isInUse(a)));

const isInUse = (asset: OwnedAsset) => currentUsers(asset).length > 0;

export interface CurrentUser {
  name: string;
  since: string;
}

/** Returns the members who use an asset now, the latest first. */
export const currentUsers = ({ shared_with: entries }: Pick<OwnedAsset, 'shared_with'>): CurrentUser[] =>
  entries
    .flatMap(({ shared_with_username: name, active_since: since }) =>
      name === null || since === null ? [] : [{ name, since }],
    )
    .toSorted((a, b) => Date.parse(b.since) - Date.parse(a.since));

export const sharedWithText = (asset: OwnedAsset): string =>
  t('Shared with {count, plural, one {# user} other {# users}}', { count: asset.shared_with.length });

export interface MemberUse {
  members: { id: number; name: string; hue: number | null; hours: number; activeSince: string | null }[];
  /** The hours at the fullest moment of the month, as on its statement. */
  available: number;
}

/** Returns how much of a member's use is of the running session. */
export function runningUse({ hours, activeSince }: MemberUse['members'][number]): number {
  const since = activeSince === null ? 0 : (serverNow() - Date.parse(activeSince)) / 3_600_000;
  return Math.min(hours, Math.max(0, since));
}

/** Returns each member's use this month, without pending entries, which have no hours, and the owner's own, if they take part. */
export function memberUse(
  asset: Pick<OwnedAsset, 'shared_with' | 'total_hours'>,
  own?: Pick<SharedAsset, 'id' | 'owner_hue' | 'usage_this_month' | 'active_since'>,
): MemberUse {
  const members = acceptedEntries(asset).flatMap(
    ({ id, shared_with_username: name, hue, usage_this_month: hours, active_since: activeSince }) =>
      name === null ? [] : [{ id, name, hue, hours: hours ?? 0, activeSince }],
  );
  return {
    members: [
      ...members.toSorted((one, other) => compareNames(one.name, other.name)),
      ...(own
        ? [
            {
              id: own.id,
              name: t('You'),
              hue: own.owner_hue,
              hours: own.usage_this_month,
              activeSince: own.active_since,
            },
          ]
        : []),
    ],
    available: asset.total_hours,
  };
}
