import type { PaymentKind } from '@hourshare/contract/payment-methods';
import { t } from '../../platform/i18n/messages.ts';

/* oxlint-disable hourshare/text-in-catalog -- names of services */

/** What each way to be paid is called. */
export const paymentKindNames: Record<PaymentKind, () => string> = {
  iban: () => t('Bank transfer'),
  paypal: () => 'PayPal',
  venmo: () => 'Venmo',
  cash_app: () => 'Cash App',
  revolut: () => 'Revolut',
  wise: () => 'Wise',
  upi: () => 'UPI',
  pix: () => 'Pix',
  swish: () => 'Swish',
  phone: () => t('Phone number'),
  link: () => t('Link'),
  note: () => t('Note [[payment]]'),
};

/** 'DE89370400440532013000' → "DE89 3704 0044 0532 0130 00" */
export const groupIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ');
