import { LANGUAGES } from '@hourshare/contract/limits';
import { currentLanguage, languageNames, rememberLanguage } from '../platform/i18n/language.ts';
import { t } from '../platform/i18n/messages.ts';
import { addressIn, pathOfAddress } from '../platform/paths.ts';

async function reload(): Promise<void> {
  const { keepTypedText } = await import('../platform/forms/typed-text.ts');
  keepTypedText();
  window.location.reload();
}

/** The language of pages for signed-out visitors. A choice loads the page again. Without scripts it can't work, so it isn't there. */
export const LanguageSelect = () => (
  <select
    aria-label={t('Language')}
    value={currentLanguage()}
    onChange={(event) => {
      const language = LANGUAGES.find((each) => each === event.target.value);
      if (language === undefined) return;
      rememberLanguage(language);
      const { pathname, search, hash } = window.location;
      const address = addressIn(language, pathOfAddress(pathname));
      if (address !== pathname) window.location.assign(`${address}${search}${hash}`);
      else void reload();
    }}
    className="h-11 rounded-control border border-line-field bg-transparent px-3 text-base font-medium text-muted hover:text-ink md:text-[14.5px] noscript:hidden"
  >
    {LANGUAGES.map((language) => (
      <option key={language} value={language} lang={language}>
        {languageNames[language]}
      </option>
    ))}
  </select>
);
