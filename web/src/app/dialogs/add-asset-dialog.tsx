import { AddAssetForm } from '../../features/assets/add-asset-form.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';

export function AddAssetDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Add New Asset" onClose={onClose}>
      <DialogBody>
        <AddAssetForm onDone={onClose} onCancel={onClose} />
      </DialogBody>
    </Dialog>
  );
}
