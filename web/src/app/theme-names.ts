import { t } from '../platform/i18n/messages.ts';
import type { ThemeChoice } from '../ui/theme.ts';

export const themeNames: Record<ThemeChoice, () => string> = {
  system: () => t('System [[theme]]'),
  light: () => t('Light [[theme]]'),
  dark: () => t('Dark [[theme]]'),
};
