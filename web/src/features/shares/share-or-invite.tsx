import type { OwnedAsset } from '@hourshare/contract/assets';
import { InviteForm, useInviteForm } from './invite-form.tsx';
import { ShareForm, useShareForm } from './share-form.tsx';

/** What is typed into the forms of ShareOrInvite. It can be kept while they aren't shown. */
export const useShareOrInvite = () => ({ share: useShareForm(), invite: useInviteForm() });

interface ShareOrInviteProps {
  asset: OwnedAsset;
  forms: ReturnType<typeof useShareOrInvite>;
  hoursFirst?: boolean;
}

/** The two ways to give access: by username, and by link. */
export function ShareOrInvite({ asset, forms: { share, invite }, hoursFirst = false }: ShareOrInviteProps) {
  const startInvite = (hours: string) => {
    invite.setMade(null);
    if (hours !== '') invite.form.setValue('monthly_hours_allocated', hours, { shouldDirty: true });
    share.reset();
    // A link that was just shown gives way to the field first.
    setTimeout(() => invite.form.setFocus('monthly_hours_allocated'));
  };
  return (
    <>
      <ShareForm asset={asset} form={share} hoursFirst={hoursFirst} onInvite={startInvite} />
      {!asset.archived && <InviteForm asset={asset} invite={invite} />}
    </>
  );
}
