import { LANGUAGES } from '@hourshare/contract/limits';
import { Languages } from 'lucide-react';
import { currentLanguage, languageNames, rememberLanguage } from '../lib/language.ts';
import { t } from '../lib/messages.ts';
import { addressIn, pathOfAddress } from '../lib/paths.ts';
import { keepTypedText } from '../lib/typed-text.ts';

/** The language of pages for signed-out visitors. A choice loads the page again. Without scripts it can't work, so it isn't there. */
export const LanguageSelect = () => (
  <span className="relative inline-flex h-11 items-center text-[14.5px] text-muted hover:text-ink noscript:hidden">
    <Languages aria-hidden size={18} className="pointer-events-none absolute start-3" />
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
        else {
          keepTypedText();
          window.location.reload();
        }
      }}
      className="h-full cursor-pointer rounded-control border border-line-field bg-transparent ps-10 pe-3 text-base font-medium md:text-[14.5px]"
    >
      {LANGUAGES.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageNames[language]}
        </option>
      ))}
    </select>
  </span>
);
