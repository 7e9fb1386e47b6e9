import { t } from '../../platform/i18n/messages.ts';

export const SkipLink = () => (
  <a
    href="#content"
    className="sr-only print:hidden z-50 rounded-control bg-accent px-4 py-3 font-semibold text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
  >
    {t('Skip to content')}
  </a>
);
