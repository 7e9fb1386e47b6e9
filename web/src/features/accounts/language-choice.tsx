import { LANGUAGES } from '@hourshare/contract/limits';
import { useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { chosenLanguage, currentLanguage, languageNames, preferredLanguage } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Select } from '../../ui/select.tsx';
import { saveLanguage } from './api.ts';

const BROWSER = 'browser';

/**
 * Saves the chosen language at once, and loads the page again if that changes it. Shows the account's language, or this
 * device's own choice where the account has none.
 */
export function LanguageChoice() {
  const user = useUser();
  const [choice, setChoice] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);

  const choose = async (value: string) => {
    setChoice(value);
    setFailed(false);
    try {
      await saveLanguage(LANGUAGES.find((language) => language === value) ?? null);
      if (preferredLanguage() !== currentLanguage()) window.location.reload();
      else announce(t('Saved.'));
    } catch {
      setFailed(true);
    }
    setChoice(null);
  };

  return (
    <Select
      beside
      label={t('Language')}
      value={choice ?? user?.language ?? chosenLanguage() ?? BROWSER}
      error={failed ? t("Couldn't save that setting. Please try again.") : undefined}
      options={[
        { value: BROWSER, text: t('Same as the browser') },
        ...LANGUAGES.map((language) => ({ value: language, text: languageNames[language], lang: language })),
      ]}
      onChange={(value) => void choose(value)}
    />
  );
}
