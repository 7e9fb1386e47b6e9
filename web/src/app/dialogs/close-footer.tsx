import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { DialogFooter } from '../../ui/dialog.tsx';

export const CloseFooter = ({ onClose }: { onClose: () => void }) => (
  <DialogFooter>
    <Button look="outline" onClick={onClose}>
      {t('Close [[dialog]]')}
    </Button>
  </DialogFooter>
);
