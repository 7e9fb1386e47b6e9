import type { OwnedAsset } from '@hourshare/contract/assets';
import { flushSync } from 'react-dom';
import { InviteForm, useInviteForm } from './invite-form.tsx';
import { ShareForm, useShareForm } from './share-form.tsx';

/** What is typed into the forms of ShareOrInvite. It can be kept while they aren't shown. */
export const useShareOrInvite = (asset: OwnedAsset) => ({ share: useShareForm(asset), invite: useInviteForm(asset) });

interface ShareOrInviteProps {
  asset: OwnedAsset;
  forms: ReturnType<typeof useShareOrInvite>;
  hoursFirst?: boolean;
}

/** The two ways to give access: by username, and by link. */
export function ShareOrInvite({ asset, forms: { share, invite }, hoursFirst = false }: ShareOrInviteProps) {
  const startInvite = (hours: string) => {
    // A link that was just shown gives way to the field, or the button, which gets the focus before the pressed button goes: the dialog
    // takes a lost focus to itself, a frame later.
    flushSync(() => invite.setMade(null));
    if (asset.measured) invite.form.setFocus('monthly_hours_allocated');
    else invite.button.current?.focus();
    if (hours !== '') invite.form.setValue('monthly_hours_allocated', hours, { shouldDirty: true });
    share.reset();
  };
  return (
    <>
      <ShareForm asset={asset} form={share} hoursFirst={hoursFirst} onInvite={startInvite} />
      {!asset.archived && <InviteForm asset={asset} invite={invite} />}
    </>
  );
}
