import type { SignIn } from '@hourshare/contract/accounts';
import { t } from '../../lib/messages.ts';

/** Returns a browser and system in words. */
export function deviceText({ browser, system }: Pick<SignIn, 'browser' | 'system'>): string {
  if (browser !== null && system !== null) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? t('Unknown browser');
}
