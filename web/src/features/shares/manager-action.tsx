import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import { useRef, useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useSetManager } from './changes-api.ts';

interface ManagerActionProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  name: string;
}

/** Lets an owner make a member a co-manager or end the role, and lets a co-manager give it up. */
export function ManagerAction({ asset, entry, name }: ManagerActionProps) {
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const set = useSetManager(asset.id);
  const isOwn = useUser()?.username === entry.shared_with_username;
  if (asset.your_role !== 'owner' && !(isOwn && entry.manager)) return null;
  const question = entry.manager ? (isOwn ? layingDown(asset) : takingBack(name)) : naming(name);
  const confirmed = () =>
    set.mutate(
      { shareId: entry.id, manager: !entry.manager },
      {
        onSuccess: () => {
          setAsking(false);
          announce(question.done);
        },
      },
    );
  return (
    <div className="basis-full ps-11 max-[359px]:ps-0">
      <Button ref={button} look="quiet" size="small" className="-ms-3" onClick={() => setAsking(true)}>
        {question.action}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={question.title}
          confirm={question.confirm}
          look="primary"
          busyText={t('Saving...')}
          busy={set.isPending}
          failure={set.isError ? errorText(set.error) || t("Couldn't change this. Please try again.") : null}
          onConfirm={confirmed}
          onCancel={() => setAsking(false)}
        >
          {question.texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </ConfirmDialog>
      )}
    </div>
  );
}

const naming = (name: string) => ({
  action: rich('Make co-manager<hidden> ({name})</hidden>', { name, hidden }),
  title: t('Make {name} a co-manager?', { name }),
  confirm: t('Make co-manager'),
  texts: [
    t(
      "{name} can change this asset like you can: its details, price, terms, members, and invitations. They see all members' sessions and costs, including earlier months.",
      { name },
    ),
    t(
      "{name} can't delete it, hand it over, name co-managers, or mark what members owe you as paid. You see what they change, and you can remove them as co-manager at any time.",
      { name },
    ),
  ],
  done: t('{name} is now a co-manager.', { name }),
});

const takingBack = (name: string) => ({
  action: rich('Remove<hidden> {name} as co-manager</hidden>', { name, hidden }),
  title: t('Remove {name} as co-manager?', { name }),
  confirm: t('Remove'),
  texts: [t('{name} stays a member. Their changes stay.', { name })],
  done: t('{name} is no longer a co-manager.', { name }),
});

const layingDown = ({ owner }: OwnedAsset) => ({
  action: t('Stop co-managing'),
  title: t('Stop co-managing?'),
  confirm: t('Stop co-managing'),
  texts: [t('You stay a member. Only {owner} can make you a co-manager again.', { owner })],
  done: t('You no longer co-manage this asset.'),
});
