/** What a payment needs that a banking app is to read from a code. */
interface Transfer {
  name: string;
  iban: string;
  amount: number;
  reference: string;
}

const NAME_MAX = 70;
const REFERENCE_MAX = 140;

/** SEPA payments take these characters only. */
const sepaText = (text: string, max: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9/?:().,'+ -]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, max);

/** Returns the text of an EPC QR code: a SEPA credit transfer in euros. Source: EPC069-12, version 002. */
export const epcText = ({ name, iban, amount, reference }: Transfer): string =>
  [
    'BCD',
    '002',
    // UTF-8.
    '1',
    'SCT',
    // The bank's BIC, which version 002 doesn't need.
    '',
    sepaText(name, NAME_MAX),
    iban,
    `EUR${amount.toFixed(2)}`,
    // No purpose code and no structured reference.
    '',
    '',
    sepaText(reference, REFERENCE_MAX),
  ].join('\n');
