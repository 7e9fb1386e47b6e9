import { AddAssetForm } from '../../features/assets/add-asset-form.tsx';
import { t } from '../../lib/messages.ts';
import { DiscardQuestion } from '../discard-question.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';

export function AddAssetDialog({ name, onClose }: { name: string | undefined; onClose: () => void }) {
  return (
    <Dialog title={t('Add New Asset')} onClose={onClose}>
      <DialogBody>
        <AddAssetForm name={name} onDone={onClose} onCancel={onClose} />
      </DialogBody>
      <DiscardQuestion />
    </Dialog>
  );
}
