import { t } from '../../platform/i18n/messages.ts';
import { Spinner } from '../../ui/spinner.tsx';

export const PageSpinner = () => <Spinner label={t('Loading')} size={28} className="w-full justify-center py-24" />;
