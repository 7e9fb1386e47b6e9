import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Terms } from '@hourshare/contract/fields';
import type {
  AddPersonRequest,
  CreateInvitationRequest,
  InvitedAsset,
  OfferHandoverRequest,
  SharedAsset,
  ShareRequest,
  TrustOwnerRequest,
} from '@hourshare/contract/shares';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { readResults } from '../../platform/http/lists.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { replaceAsset } from '../assets/api.ts';
import { sharesQuery } from './api.ts';
import { withFirstTerms } from './first-terms.ts';

// Changes of access, which are made in dialogs. What every page reads is in api.ts.

/** Every change of a share returns its whole asset, some with a link that was made. */
function useShareChange<Input, Changed extends OwnedAsset = OwnedAsset>(change: (input: Input) => Promise<Changed>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (asset) => {
      replaceAsset(client, asset);
      void announceChange(client, 'shares');
    },
  });
}

export const useShareAsset = (assetId: number) =>
  useShareChange((share: ShareRequest) =>
    call('POST /api/assets/{id}/share/', { params: { id: assetId }, body: share }),
  );

export const useChangeShare = (assetId: number) =>
  useShareChange(({ shareId, hours }: { shareId: number; hours: number }) =>
    call('PATCH /api/assets/{id}/share/{share_id}/', {
      params: { id: assetId, share_id: shareId },
      body: { monthly_hours_allocated: hours },
    }),
  );

/** Makes a member a co-manager, or ends the role. Someone who gives it up can't see the asset as a co-manager anymore. */
export const useSetManager = (assetId: number) =>
  useShareChange(({ shareId, manager }: { shareId: number; manager: boolean }) =>
    call('PATCH /api/assets/{id}/share/{share_id}/', {
      params: { id: assetId, share_id: shareId },
      body: { manager },
    }),
  );

/** Returns the co-managers' changes to an asset, newest first. */
export const useManagerChanges = (assetId: number) =>
  useQuery({
    ...listQuery('GET /api/assets/{id}/manager-changes/', { params: { id: assetId } }, [
      'assets',
      'periods',
      'sessions',
      'shares',
    ]),
    select: readResults,
  });

export const useEndShare = (assetId: number) =>
  useShareChange((shareId: number) =>
    call('DELETE /api/assets/{id}/share/{share_id}/', { params: { id: assetId, share_id: shareId } }),
  );

const updateShares = (client: QueryClient, change: (shares: SharedAsset[]) => SharedAsset[]) =>
  client.setQueryData(sharesQuery.queryKey, (list) => list && { ...list, results: change(readResults(list)) });

/** An offer may change, expire, or be withdrawn meanwhile: the list is read again, and what has gone is said. */
function refreshOffers(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 404)
    announce(t('This offer expired or was withdrawn.'), { failed: true });
  void announceChange(client, 'shares');
}

/** Accepts an offer as it was seen, or cheaper. With `trusts`, its owner's other offers that cost no more are accepted without asking. */
export function useAcceptOffer(share: SharedAsset, { trusts }: { trusts: boolean }) {
  const client = useQueryClient();
  const trust = useTrustOwner();
  return useMutation({
    mutationFn: () =>
      call('POST /api/shared-assets/{id}/accept/', {
        params: { id: share.id },
        body: {
          ...(share.terms && { terms: share.terms }),
          ...(share.offer?.meters.length && { meters: share.offer.meters.map(({ id }) => id) }),
        },
      }),
    onSuccess: (accepted) => {
      announce(t('Offer accepted: {asset}', { asset: accepted.asset_name }));
      updateShares(client, (shares) => shares.map((known) => (known.id === accepted.id ? accepted : known)));
      void announceChange(client, 'shares');
      const { terms, cost_of_all: cost } = share;
      const limit = terms && cost !== null && { monthly_amount: cost, currency: terms.currency };
      if (trusts && limit)
        trust.mutateAsync({ username: accepted.owner, offers: 'accept', ...limit }).catch(() => {
          announce(t("Couldn't save that setting. Please try again."), { failed: true });
        });
    },
    onError: (error) => refreshOffers(client, error),
  });
}

/** Agrees to the terms that were shown. If they cost more by now, the list is read again, so that it asks again. */
export function useAgree({ id, asset_name: asset }: SharedAsset) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (terms: Terms) => call('POST /api/shared-assets/{id}/agree/', { params: { id }, body: { terms } }),
    onSuccess: (agreed) => {
      announce(t('You agreed to the new terms of {asset}.', { asset }));
      updateShares(client, (shares) => shares.map((known) => (known.id === id ? agreed : known)));
      void announceChange(client, 'shares');
    },
    onError: () => void announceChange(client, 'shares'),
  });
}

/** Counts what a co-manager added. */
export const useConfirmShare = (assetId: number) =>
  useShareChange((shareId: number) =>
    call('POST /api/assets/{id}/share/{share_id}/confirm/', { params: { id: assetId, share_id: shareId } }),
  );

/** Calls `onGone` before the share leaves the list, so that its dialog can close first. */
function useShareEnd(share: SharedAsset, end: () => Promise<unknown>, { done, onGone }: ShareEnd) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSuccess: () => {
      onGone();
      announce(done);
      updateShares(client, (shares) => shares.filter(({ id }) => id !== share.id));
      void announceChange(client, 'shares');
    },
    onError: (error) => refreshOffers(client, error),
  });
}

interface ShareEnd {
  /** What is announced. */
  done: string;
  onGone: () => void;
}

export const useDeclineOffer = (share: SharedAsset, onGone: () => void) =>
  useShareEnd(share, () => call('POST /api/shared-assets/{id}/decline/', { params: { id: share.id } }), {
    done: t('Offer declined: {asset}', { asset: share.asset_name }),
    onGone,
  });

export const useLeaveShare = (share: SharedAsset, onGone: () => void) =>
  useShareEnd(share, () => call('POST /api/shared-assets/{id}/leave/', { params: { id: share.id } }), {
    done: t('You left {asset}.', { asset: share.asset_name }),
    onGone,
  });

export const useOfferHandover = (assetId: number) =>
  useShareChange((offer: OfferHandoverRequest) =>
    call('POST /api/assets/{id}/handover/', { params: { id: assetId }, body: offer }),
  );

export const useCallOffHandover = (assetId: number) =>
  useShareChange(() => call('DELETE /api/assets/{id}/handover/', { params: { id: assetId } }));

/** Answers a handover as the member; accepts the version that they have seen. */
export function useAnswerHandover({ id, asset_name: asset }: SharedAsset) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ accept }: { accept: string | null }) =>
      accept === null
        ? call('POST /api/shared-assets/{id}/handover/decline/', { params: { id } })
        : call('POST /api/shared-assets/{id}/handover/accept/', { params: { id }, body: { version: accept } }),
    onSuccess: (changed, { accept }) => {
      updateShares(client, (shares) => shares.map((known) => (known.id === id ? changed : known)));
      announce(
        accept === null || changed.next_owner === null
          ? t("You won't become the owner of {asset}.", { asset })
          : t("You'll own {asset} starting {month}.", { asset, month: monthText(changed.next_owner.from_month) }),
      );
      void announceChange(client, 'shares');
    },
    // It may have changed or ended.
    onError: () => void announceChange(client, 'shares'),
  });
}

export const useCreateInvitation = (assetId: number) =>
  useShareChange((invitation: CreateInvitationRequest) =>
    call('POST /api/assets/{id}/invitations/', { params: { id: assetId }, body: invitation }),
  );

interface InvitedPerson {
  asset: OwnedAsset;
  username: string;
  hours: number;
}

/** Offers an asset to a user or, if there is none with that name, makes a link for the person. Returns the asset with it. */
export const useInvitePerson = () =>
  useShareChange(async ({ asset, username, hours }: InvitedPerson): Promise<OwnedAsset & Partial<InvitedAsset>> => {
    const given = asset.measured ? { monthly_hours_allocated: hours, ...withFirstTerms(asset, hours) } : {};
    const params = { id: asset.id };
    try {
      return await call('POST /api/assets/{id}/share/', { params, body: { username, ...given } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'user_not_found') throw error;
      return call('POST /api/assets/{id}/invitations/', { params, body: given });
    }
  });

export const useRevokeInvitation = (assetId: number) =>
  useShareChange((invitationId: number) =>
    call('DELETE /api/assets/{id}/invitations/{invitation_id}/', {
      params: { id: assetId, invitation_id: invitationId },
    }),
  );

export const useAddPerson = (assetId: number) =>
  useShareChange((person: AddPersonRequest) =>
    call('POST /api/assets/{id}/people/', { params: { id: assetId }, body: person }),
  );

/** Makes the link with which a person without an account joins. */
export const useCreateClaim = (assetId: number) =>
  useShareChange((shareId: number) =>
    call('POST /api/assets/{id}/share/{share_id}/claim/', { params: { id: assetId, share_id: shareId } }),
  );

export const useRevokeClaim = (assetId: number) =>
  useShareChange((shareId: number) =>
    call('DELETE /api/assets/{id}/share/{share_id}/claim/', { params: { id: assetId, share_id: shareId } }),
  );

/** The owners whose offers are accepted without asking. */
export const useTrustedOwners = () =>
  useQuery({ ...listQuery('GET /api/trusted-owners/', {}, ['trustedOwners']), select: readResults });

export function useTrustOwner() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TrustOwnerRequest) => call('POST /api/trusted-owners/', { body }),
    onSuccess: ({ username, offers }) => {
      announce(
        offers === 'accept'
          ? t('What {name} shares with you is now accepted without asking.', { name: username })
          : t("{name} can't offer you anything now.", { name: username }),
      );
      if (offers === 'refuse') void announceChange(client, 'shares');
      return announceChange(client, 'trustedOwners');
    },
  });
}

export function useDistrustOwner() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => call('DELETE /api/trusted-owners/{username}/', { params: { username } }),
    onSuccess: (_, username) => {
      announce(t("{name}'s offers now wait for your answer.", { name: username }));
      return announceChange(client, 'trustedOwners');
    },
  });
}
