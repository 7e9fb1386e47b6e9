import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { DiscardQuestion } from '../discard-question.tsx';
import { CloseFooter } from './close-footer.tsx';

interface UnavailableProps {
  loading: boolean;
  failure: string | null;
  onRetry: () => void;
  onClose: () => void;
}

/** Shown when the URL names an asset that is loading, deleted, or not the user's. */
export function Unavailable({ loading, failure, onRetry, onClose }: UnavailableProps) {
  return (
    <Dialog title={t('Manage Asset')} shape="sheet" onClose={onClose}>
      <DialogBody>
        {loading ? (
          <Spinner label={t('Loading asset')} size={28} className="w-full justify-center py-12" />
        ) : failure !== null ? (
          <Banner onRetry={onRetry}>{failure}</Banner>
        ) : (
          <p className="py-4 text-muted">{t("This asset isn't available, or you no longer have access.")}</p>
        )}
      </DialogBody>
      <CloseFooter onClose={onClose} />
      {/* The page below may have unsaved edits. */}
      <DiscardQuestion />
    </Dialog>
  );
}
