/** What a payment needs that a banking app is to read from a code. */
interface Transfer {
  name: string;
  /** Where they live; with a postal code before it in Switzerland. */
  town: string | null;
  /** The IBAN or the Pix key. */
  account: string;
  amount: number;
  reference: string;
}

/** The payer fills in an amount that is undefined. */
type PixTransfer = Omit<Transfer, 'amount'> & { amount: number | undefined };

/** SEPA payments, Swiss ones, and Pix take these characters. */
export const bankText = (text: string, max: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/?:().,'+ -]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, max);

/** Returns the text of an EPC QR code: a SEPA credit transfer in euros. Source: EPC069-12, version 002. */
export const epcText = ({ name, account, amount, reference }: Transfer): string =>
  [
    'BCD',
    '002',
    // UTF-8.
    '1',
    'SCT',
    // The bank's BIC, which version 002 doesn't need.
    '',
    bankText(name, 70),
    account,
    `EUR${amount.toFixed(2)}`,
    // No purpose code and no structured reference.
    '',
    '',
    bankText(reference, 140),
  ].join('\n');

/**
 * Returns the text of a Swiss QR code in francs; null without a postal code and a town, for an IBAN of another country, and for a
 * QR-IBAN, which takes numbered invoices only. Source: Swiss Implementation Guidelines for the QR-bill, version 2.3.
 */
export function swissText({ name, town, account, amount, reference }: Transfer): string | null {
  const country = account.slice(0, 2);
  const [, postalCode, place = ''] = /^(\d{4,6}) +(.+)$/.exec(town?.trim() ?? '') ?? [];
  const townName = bankText(place, 35);
  const bank = Number(account.slice(4, 9));
  if ((country !== 'CH' && country !== 'LI') || (bank >= 30_000 && bank <= 31_999)) return null;
  if (postalCode === undefined || townName === '') return null;
  const emptyParty = Array<string>(7).fill('');
  return [
    'SPC',
    '0200',
    // UTF-8.
    '1',
    account,
    // No street and no house number.
    'S',
    bankText(name, 70),
    '',
    '',
    postalCode,
    townName,
    country,
    ...emptyParty,
    amount.toFixed(2),
    'CHF',
    ...emptyParty,
    // No structured reference.
    'NON',
    '',
    bankText(reference, 140),
    'EPD',
  ].join('\n');
}

/** Returns CRC-16/CCITT-FALSE in hexadecimal. */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const field = (id: string, text: string) => `${id}${String(text.length).padStart(2, '0')}${text}`;

/** The longest text of a field. */
const FIELD_MAX_LENGTH = 99;

/** Returns a static BR Code: a payment by Pix. Source: Manual de Padrões para Iniciação do Pix, 2.8. */
export function pixText({ name, town, account, amount, reference }: PixTransfer): string {
  const payee = field('00', 'br.gov.bcb.pix') + field('01', account);
  const note = bankText(reference, Math.max(0, FIELD_MAX_LENGTH - payee.length - 4));
  const text = [
    field('00', '01'),
    field('26', payee + (note === '' ? '' : field('02', note))),
    // No trade, in reais.
    field('52', '0000'),
    field('53', '986'),
    amount === undefined ? '' : field('54', amount.toFixed(2)),
    field('58', 'BR'),
    field('59', bankText(name, 25)),
    // Required, and not checked.
    field('60', bankText(town ?? '', 15) || 'BRASIL'),
    // No identifier.
    field('62', field('05', '***')),
    '6304',
  ].join('');
  return text + crc16(text);
}
