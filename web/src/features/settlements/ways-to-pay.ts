import { decimalsOf, toMinor } from '@hourshare/contract/money';
import { NewPaymentMethod, takesCurrency, type PaymentMethod } from '@hourshare/contract/payment-methods';
import { bankText, epcText, pixText, swissText } from './payment-codes.ts';

/** Who is paid, and what for. */
interface Payment {
  /** Who is paid, unless a method names the holder of an account. */
  name: string;
  /** Undefined while it isn't known: what needs one is then left out. */
  amount: number | undefined;
  currency: string;
  reference: string;
}

interface WayToPay {
  /** A page or an app, with the amount filled in if it takes one. */
  link?: string;
  takesAmount?: boolean;
  /** The text of a QR code. */
  code?: string;
  /** What is copied. */
  copied?: string;
}

const SCHEMES = ['https:', 'upi:', 'swish:'];
const SWISH_MESSAGE_MAX_LENGTH = 50;

const query = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

function build({ kind, value, holder, town }: PaymentMethod, payment: Payment): WayToPay {
  const { amount: sum, currency, reference } = payment;
  // Codes have Latin letters only, and a username has no others.
  const name = holder !== null && bankText(holder, 1) !== '' ? holder : payment.name;
  const account = { name, town, account: value, reference };
  if (kind === 'pix') {
    const code = pixText({ ...account, amount: sum });
    return { code, copied: code };
  }
  if (sum === undefined) return kind === 'link' ? {} : { copied: value };
  const amount = sum.toFixed(decimalsOf(currency));
  const transfer = { ...account, amount: sum };
  switch (kind) {
    case 'iban': {
      const code = currency === 'EUR' ? epcText(transfer) : currency === 'CHF' ? swissText(transfer) : null;
      return { copied: value, ...(code !== null && { code }) };
    }
    case 'paypal':
      return { link: `https://paypal.me/${value}/${amount}${currency}`, takesAmount: true };
    case 'venmo':
      return {
        link: `https://venmo.com/?${query({ txn: 'pay', audience: 'private', recipients: value, amount, note: reference })}`,
        takesAmount: true,
      };
    case 'cash_app':
      return { link: `https://cash.app/$${value}/${amount}`, takesAmount: true };
    case 'revolut': {
      const minor = toMinor(sum, currency);
      return {
        link: `https://revolut.me/${value}?${query({ currency, amount: minor, note: reference })}`,
        takesAmount: true,
      };
    }
    case 'wise':
      return {
        link: `https://wise.com/pay/me/${value}?${query({ amount, currency, description: reference })}`,
        takesAmount: true,
      };
    case 'upi': {
      const link = `upi://pay?pa=${value}&${query({ pn: name, am: amount, cu: currency, tn: reference })}`;
      return { link, code: link, copied: value, takesAmount: true };
    }
    case 'swish': {
      const number = value.replace('+', '');
      const message = bankText(reference, SWISH_MESSAGE_MAX_LENGTH);
      const fixed = { editable: false };
      const data = {
        version: 1,
        payee: { value: number, ...fixed },
        amount: { value: sum, ...fixed },
        message: { value: message, editable: true },
      };
      return {
        link: `swish://payment?${query({ data: JSON.stringify(data) })}`,
        code: `C${number};${amount.replace('.', ',')};${encodeURIComponent(message)};0`,
        copied: value,
        takesAmount: true,
      };
    }
    case 'link': {
      const filled: Record<string, string> = { amount, currency, reference };
      return {
        link: value.replace(/\{(amount|currency|reference)\}/g, (_, part: string) =>
          encodeURIComponent(filled[part] ?? ''),
        ),
        takesAmount: value.includes('{amount}'),
      };
    }
    default:
      return { copied: value };
  }
}

/**
 * Returns how to pay someone by a method; null for one that this app wouldn't have saved, whatever the server says, or that doesn't
 * take the currency.
 */
export function wayToPay(method: PaymentMethod, payment: Payment): WayToPay | null {
  const { kind, value } = method;
  const checked = NewPaymentMethod.safeParse(method);
  if (!checked.success || checked.data.value !== value || !takesCurrency(kind, payment.currency)) return null;
  const way = build(method, payment);
  return way.link === undefined || SCHEMES.includes(new URL(way.link).protocol) ? way : null;
}
