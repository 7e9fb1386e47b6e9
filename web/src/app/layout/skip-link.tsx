import { t } from '../../platform/i18n/messages.ts';

const link =
  'sr-only print:hidden z-50 rounded-control bg-accent px-4 py-3 font-semibold text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:start-2';

/** The first stops of the Tab key. The second, for those who are signed in, leads to what can be started or ended. */
export const SkipLink = ({ toSessions = false }: { toSessions?: boolean }) => (
  <>
    <a href="#content" className={link}>
      {t('Skip to content')}
    </a>
    {toSessions && (
      <button type="button" className={link} onClick={focusSession}>
        {t('Skip to sessions')}
      </button>
    )}
  </>
);

/** Focuses the first control of a session, or what comes before all of them, the page. */
function focusSession(): void {
  const main = document.querySelector<HTMLElement>('main');
  (main?.querySelector<HTMLElement>('[data-session]') ?? main)?.focus();
}
