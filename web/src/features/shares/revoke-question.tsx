import type { UseMutationResult } from '@tanstack/react-query';
import { t } from '../../platform/i18n/messages.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface RevokeQuestionProps {
  change: Pick<UseMutationResult, 'isPending' | 'isError'>;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks before a link with which someone joins stops working. */
export const RevokeQuestion = ({ change, onConfirm, onCancel }: RevokeQuestionProps) => (
  <ConfirmDialog
    title={t('Revoke this link?')}
    confirm={t('Revoke')}
    busyText={t('Revoking...')}
    busy={change.isPending}
    failure={change.isError ? t("Couldn't revoke the link. Please try again.") : null}
    onConfirm={onConfirm}
    onCancel={onCancel}
  >
    <p>{t('The link will stop working. You can create another one.')}</p>
  </ConfirmDialog>
);
