import { t } from '../lib/messages.ts';
import type { ThemeChoice } from '../lib/theme.ts';

export const themeNames: Record<ThemeChoice, () => string> = {
  system: () => t('System [[theme]]'),
  light: () => t('Light [[theme]]'),
  dark: () => t('Dark [[theme]]'),
};
