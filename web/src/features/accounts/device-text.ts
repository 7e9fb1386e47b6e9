import type { SignIn } from '@hourshare/contract/sign-ins';
import { t } from '../../platform/i18n/messages.ts';

type Device = Pick<SignIn, 'browser' | 'system'>;
export type NamedDevice = Device & Pick<SignIn, 'name'>;

/** Returns a browser and system in words. */
export function deviceText({ browser, system }: Device): string {
  if (browser !== null && system !== null) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? t('Unknown browser');
}

/** Returns the name that the user gave a device or a passkey, or else its browser and system. */
export const nameText = (device: NamedDevice): string => device.name ?? deviceText(device);
