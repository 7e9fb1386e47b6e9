import { AddAssetForm } from '../../features/assets/add-asset-form.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { DiscardQuestion } from '../discard-question.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';

export function AddAssetDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Add New Asset')} onClose={onClose}>
      <DialogBody>
        <AddAssetForm onDone={onClose} onCancel={onClose} />
      </DialogBody>
      <DiscardQuestion />
    </Dialog>
  );
}
