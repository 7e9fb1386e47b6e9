import { t } from '../../lib/messages.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';

export const CloseRow = ({ onClose }: { onClose: () => void }) => (
  <DialogButtons>
    <Button look="outline" onClick={onClose}>
      {t('Close [[dialog]]')}
    </Button>
  </DialogButtons>
);
