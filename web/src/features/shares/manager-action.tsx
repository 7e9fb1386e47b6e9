import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useSetManager } from './changes-api.ts';

export type ManagersQuestion = ReturnType<typeof naming | typeof takingBack | typeof layingDown>;

/** Returns what an owner asks to make a member a co-manager or end the role, and a co-manager to give it up; null if it isn't theirs to ask. */
export function managerQuestion(
  asset: OwnedAsset,
  { person, pending, manager, shared_with_username: name }: SharedWithEntry,
  reader: string | undefined,
): ManagersQuestion | null {
  if (person || pending || name === null) return null;
  if (name === reader) return manager ? layingDown(asset) : null;
  if (asset.your_role !== 'owner') return null;
  return manager ? takingBack(name) : naming(name);
}

interface ManagerQuestionProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  question: ManagersQuestion;
  onClose: () => void;
}

export function ManagerQuestion({ asset, entry, question, onClose }: ManagerQuestionProps) {
  const set = useSetManager(asset.id);
  const done = () => {
    onClose();
    announce(question.done);
  };
  return (
    <ConfirmDialog
      title={question.title}
      confirm={question.confirm}
      look="primary"
      busyText={t('Saving...')}
      busy={set.isPending}
      failure={set.isError ? errorText(set.error) || t("Couldn't change this. Please try again.") : null}
      onConfirm={() => set.mutate({ shareId: entry.id, manager: !entry.manager }, { onSuccess: done })}
      onCancel={onClose}
    >
      {question.texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </ConfirmDialog>
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
